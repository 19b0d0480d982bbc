# SPDX-License-Identifier: MIT
"""A forgotten PIN is made anew on the box, and a running table follows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.runtime.access.rate_limit import ClientGroup, LoginClient
from controller.runtime.access.tickets import AccessControl
from hardware.clock import SteppedClock

LAPTOP = LoginClient(ClientGroup.OTHER, "laptop")


def new_pin(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["pin", "--new", "--data", str(folder)]) == 0
    told = re.fullmatch(r"The new PIN is (\d{6})\n", capsys.readouterr().out)
    assert told is not None
    return told[1]


def test_a_running_table_takes_the_new_pin_and_hides_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = AccessControl(tmp_path, SteppedClock())
    running.begin()
    old = running.first_pin()
    assert old is not None
    ticket = running.check_pin(old, who=LAPTOP).ticket
    pin = new_pin(tmp_path, capsys)
    assert running.first_pin() is None
    assert not running.is_official(ticket)
    assert not running.check_pin(old, who=LAPTOP).is_right
    assert running.check_pin(pin, who=LAPTOP).is_right


def test_the_new_pin_is_the_one_after_the_next_start_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin = new_pin(tmp_path, capsys)
    later = AccessControl(tmp_path, SteppedClock())
    later.begin()
    assert later.first_pin() is None
    assert later.check_pin(pin, who=LAPTOP).is_right


def test_a_broken_file_is_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "access.json").write_text("{")
    new_pin(tmp_path, capsys)
    AccessControl(tmp_path, SteppedClock()).begin()


def test_a_folder_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pin", "--new", "--data", str(tmp_path / "none")]) == 2
    wanted = "expected the data folder of a table, found no such folder"
    assert capsys.readouterr().err == f"dicebell pin: {tmp_path / 'none'}: {wanted}\n"


def test_it_does_nothing_unless_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["pin", "--data", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []
