# SPDX-License-Identifier: MIT
"""The doctor as people call it, on the machine that these tests run on."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from controller.appliance.doctor.finding import Level, note, ok, wrong
from controller.appliance.doctor.run import CHECKS, USE, find_worst
from controller.cli.doctor import SETTINGS_CHECKS
from controller.cli.main import main
from controller.runtime.calibration.store import Calibration, save_calibration
from tests.vision.mapped import upright_map

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "operations.md"
MADE_AT = "2026-01-12T12:04:05+00:00"


@dataclass(frozen=True)
class Said:
    status: int
    out: str
    err: str


class Doctor(Protocol):
    def __call__(self, *arguments: str) -> Said: ...


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Doctor:
    def run(*arguments: str) -> Said:
        status = main(["doctor", *arguments])
        said = capsys.readouterr()
        return Said(status, said.out, said.err)

    return run


def settings_at(tmp_path: Path, text: str = "") -> str:
    """Write settings with a free port, a small tray and a data folder here; return their path."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    path = tmp_path / "dicebell.toml"
    path.write_text(
        f'[web]\nport = {port}\n[data]\nfolder = "{tmp_path}/data"\n'
        f"[camera]\nwidth = 320\nheight = 180\nfps = 20\n{text}"
    )
    return str(path)


def calibrate(tmp_path: Path) -> None:
    made = Calibration(upright_map(), None, 50.0, MADE_AT)
    save_calibration(tmp_path / "data", made)


def test_every_subject_is_told_and_times_are_iso_in_json(tmp_path: Path, doctor: Doctor) -> None:
    calibrate(tmp_path)
    said = doctor("--json", "--config", settings_at(tmp_path))
    told = json.loads(said.out)
    findings = told["findings"]
    assert {each["subject"] for each in findings} == {*CHECKS, USE}
    for each in findings:
        assert set(each) == {"subject", "level", "what", "mend"}
        assert each["level"] in ("ok", "note", "wrong")
        assert each["mend"] or each["level"] != "wrong"
    assert told["level"] in ("ok", "note", "wrong")
    assert said.status == (told["level"] == "wrong")
    assert f"calibrated {MADE_AT}" in [each["what"] for each in findings]


def test_refused_settings_are_reported_without_what_needs_them(
    tmp_path: Path, doctor: Doctor
) -> None:
    path = tmp_path / "dicebell.toml"
    path.write_text("[web]\nport = 0\n")
    said = doctor("--json", "--config", str(path), "--data", str(tmp_path / "data"))
    assert said.status == 1
    findings = json.loads(said.out)["findings"]
    first, second = [each for each in findings if each["subject"] == "settings"]
    assert (first["level"], second["level"]) == ("wrong", "note")
    assert "port" in first["what"]
    # Which camera or which folder is meant nobody knows, so nothing is said of any.
    assert {each["subject"] for each in findings} == set(CHECKS) - set(SETTINGS_CHECKS)


def test_people_read_mends_on_lines_and_times_in_words(tmp_path: Path, doctor: Doctor) -> None:
    calibrate(tmp_path)
    said = doctor("--config", settings_at(tmp_path, "[light]\npin = 18\n"))
    assert said.status == 1
    lines = said.out.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("wrong gpio")]
    assert lines[at + 1].lstrip().startswith("-> ")
    (line,) = (one for one in lines if "calibrated" in one)
    assert re.search(r" calibrated 1[123] January 2026, \d\d:04$", line)


def test_nobody_can_press_buttons_without_a_terminal(tmp_path: Path, doctor: Doctor) -> None:
    said = doctor("--interactive", "--config", settings_at(tmp_path))
    assert said.status == 2
    assert said.err == ("dicebell doctor: --interactive: expected a terminal, found none\n")
    assert said.out == ""


def test_the_gravest_level_counts() -> None:
    assert find_worst([ok("a", ""), note("b", ""), ok("c", "")]) is Level.NOTE
    assert find_worst([wrong("a", "", "mend"), note("b", "")]) is Level.WRONG
    assert find_worst([ok("a", "")]) is Level.OK


@pytest.mark.parametrize("subject", [*CHECKS, USE])
def test_every_subject_is_documented(subject: str) -> None:
    assert f"| `{subject}` |" in DOCUMENT.read_text()
