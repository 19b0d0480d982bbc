# SPDX-License-Identifier: MIT
"""The appliance as a process: it comes up by its settings, with its doors closed, and ends."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import cv2

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
    """Ask for the tray's picture until there is one."""
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
