# SPDX-License-Identifier: MIT
"""`dicebell analyse` on records and data folders: accounts, messages and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.main import main

GOLDEN = Path(__file__).parents[2] / "records"


def test_a_broken_record_is_reported_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_text('{"record": 1, "game": "choice", "players": ["Ada"]}\n{"by": "Ada", "ro')
    assert main(["analyse", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"dicebell analyse: {path}, line 2: expected a JSON object")


def test_a_game_without_a_coach_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dice.jsonl"
    path.write_text('{"record": 1, "game": "dice", "players": ["Ada"]}\n')
    assert main(["analyse", str(path), str(tmp_path / "none.jsonl")]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors == [
        f"dicebell analyse: {path}: expected a game that a coach knows, found dice",
        f"dicebell analyse: {tmp_path / 'none.jsonl'}: expected a readable file,"
        " found No such file or directory",
    ]
