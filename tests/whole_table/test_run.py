# SPDX-License-Identifier: MIT
"""The appliance as a process: it comes up by its settings, with its doors closed, and ends."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import cv2
import pytest

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.support.run_process import OWN_ADDRESS, RunProcess, free_port

PICTURE_TIMEOUT_S = 60.0


def settings_of(folder: Path) -> Path:
    """Return the settings of a table that looks at one picture and lets phones watch."""
    picture, config = folder / "tray.png", folder / "dicebell.toml"
    cv2.imwrite(str(picture), drawn_tray([FaceDrawing(4, 200, 200)]))
    config.write_text(
        f'[camera]\ndriver = "file"\npath = "{picture}"\n'
        f'[web]\nport = {free_port()}\nbox_port = {free_port()}\nphones = "watch"\n'
        f'[data]\nfolder = "{folder / "data"}"\n'
    )
    return config


def sees_the_tray(run: RunProcess) -> bool:
    give_up_s = time.monotonic() + PICTURE_TIMEOUT_S
    while time.monotonic() < give_up_s:
        if run.asked("/tray.jpg")[0] == 200:
            return True
    return False


def test_it_starts_with_its_settings_and_requires_a_login(tmp_path: Path) -> None:
    undo = {"do": "undo", "about": "lobby"}
    with RunProcess(settings_of(tmp_path)) as run:
        assert sees_the_tray(run)
        sign = json.loads(run.asked("/login/pairing")[2])
        assert (len(sign["first_pin"]), sign["code"]) == (6, None)

        assert run.asked("/login/pairing", host=f"127.0.0.1:{run.port}")[0] == 403, "no key"
        assert run.box_key not in run.output
        assert run.asked("/", host="evil.example")[0] == 403
        assert run.asked("/", host=OWN_ADDRESS)[0] == 200
        assert run.asked("/command", host=OWN_ADDRESS, body=undo)[0] == 403
        assert run.asked("/calibrate", host=OWN_ADDRESS)[0] == 403

        pin = {"pin": sign["first_pin"]}
        status, headers, _ = run.asked("/login/pin", host=OWN_ADDRESS, body=pin)
        assert status == 200
        cookie = headers["Set-Cookie"].partition(";")[0]
        assert run.asked("/command", host=OWN_ADDRESS, body=undo, cookie=cookie)[0] == 200
        assert run.asked("/calibrate", host=OWN_ADDRESS, cookie=cookie)[0] == 200
        assert json.loads(run.asked("/login/pairing")[2])["first_pin"] is None
        assert run.stop() == 0, run.output
        assert "show everything that the camera sees" in run.output
    kept = tmp_path / "data" / "access.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_it_runs_without_its_pins_and_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-library")
    config = settings_of(tmp_path)
    config.write_text(config.read_text() + '[panel]\ndriver = "gpio"\n[light]\npin = 18\n')
    with RunProcess(config) as run:
        assert sees_the_tray(run)
        status, _, body = run.asked("/healthz")
        health = json.loads(body)
        assert (status, health["ok"]) == (200, True)
        for device in ("buttons", "lamps", "light"):
            assert f"{device}: a library is missing" in health["peripherals"]
        assert "sudo apt install python3-gpiozero python3-lgpio" in health["peripherals"]
        assert b'dicebell_faults_total{kind="lamps lost"} 1.0' in run.asked("/metrics")[2]
        assert run.asked("/command", body={"do": "undo", "about": "lobby"})[0] == 200
        assert run.stop() == 0, run.output
    assert "fault began device=buttons kind=lost" in run.output
