# SPDX-License-Identifier: MIT
"""The doctor as people call it, on the machine that these tests run on."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from controller.app.doctor.examine import CHECKS, worst
from controller.app.doctor.finding import Level, note, ok, wrong

ROOT = Path(__file__).parents[4]
DOCUMENT = ROOT / "docs" / "operations.md"


def doctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller.app.main", "doctor", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def settings_at(tmp_path: Path, text: str = "") -> str:
    """Write settings with a free port, a small tray and a data folder here; return their path."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    path = tmp_path / "dicebell.toml"
    path.write_text(
        f'[web]\nport = {port}\n[data]\nfolder = "{tmp_path}/data"\n'
        f"[camera]\nwidth = 320\nheight = 180\nfps = 5\n{text}"
    )
    return str(path)


def test_every_subject_is_told_and_json_says_the_same(tmp_path: Path) -> None:
    done = doctor("--json", "--config", settings_at(tmp_path))
    told = json.loads(done.stdout)
    findings = told["findings"]
    assert {each["subject"] for each in findings} == set(CHECKS)
    for each in findings:
        assert set(each) == {"subject", "level", "what", "mend"}
        assert each["level"] in ("ok", "note", "wrong")
        assert each["mend"] or each["level"] != "wrong"
    assert told["level"] in ("ok", "note", "wrong")
    assert done.returncode == (told["level"] == "wrong")


def test_a_settings_file_that_is_refused_is_the_one_thing_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "dicebell.toml"
    path.write_text("[web]\nport = 0\n")
    done = doctor("--json", "--config", str(path), "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    lines = [each for each in json.loads(done.stdout)["findings"] if each["subject"] == "settings"]
    assert [each["level"] for each in lines] == ["wrong", "note"]
    assert "port" in lines[0]["what"]


def test_what_is_wrong_stands_with_its_mend_on_lines_for_people(tmp_path: Path) -> None:
    done = doctor("--config", settings_at(tmp_path, "[light]\npin = 18\n"))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("wrong gpio")]
    assert lines[at + 1].lstrip().startswith("-> ")


def test_nobody_can_press_buttons_without_a_terminal(tmp_path: Path) -> None:
    done = doctor("--interactive", "--config", settings_at(tmp_path))
    assert done.returncode == 2
    assert done.stderr == (
        "dicebell doctor: --interactive: expected somebody at a terminal, found none\n"
    )
    assert done.stdout == ""


def test_the_gravest_level_counts() -> None:
    assert worst([ok("a", ""), note("b", ""), ok("c", "")]) is Level.NOTE
    assert worst([wrong("a", "", "mend"), note("b", "")]) is Level.WRONG
    assert worst([ok("a", "")]) is Level.OK


@pytest.mark.parametrize("subject", list(CHECKS))
def test_every_subject_is_documented(subject: str) -> None:
    assert f"| `{subject}` |" in DOCUMENT.read_text()
