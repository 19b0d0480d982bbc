# SPDX-License-Identifier: MIT
"""`dicebell replay` on files: results, messages and the exit status."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from controller.cli import replay
from controller.cli.main import main

GOLDEN = Path(__file__).parents[2] / "records"
ALONE = str(GOLDEN / "choice-alone.jsonl")
OPENING = str(GOLDEN / "choice-booklet-opening.jsonl")
THREE = str(GOLDEN / "choice-three-players.jsonl")


def dicebell_replay(*words: str) -> int:
    parser = argparse.ArgumentParser()
    replay.add_parser(parser.add_subparsers())
    return replay.run(parser.parse_args(["replay", *words]))


@pytest.fixture
def illegal(tmp_path: Path) -> str:
    path = tmp_path / "illegal.jsonl"
    path.write_text(
        '{"record": 1, "game": "choice", "players": ["Ada"], "options": {}}\n'
        '{"by": "Ada", "roll": "33333"}\n'
        '{"by": "Ada", "do": "6+7/3"}\n'
    )
    return str(path)


def test_every_file_prints_one_json_object_on_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert dicebell_replay(THREE, OPENING, "--json") == 0
    out, err = capsys.readouterr()
    three, opening = map(json.loads, out.splitlines())
    assert list(three) == [
        "file", "game", "finished", "totals", "winners", "losers", "expects", "sheets",
    ]  # fmt: skip
    assert (three["file"], three["winners"], three["expects"]) == (THREE, ["Ada"], None)
    assert opening["expects"] == {"roll": ["Ada"], "do": {}}
    assert err == ""


def test_an_illegal_event_is_reported_and_other_files_replayed(
    illegal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dicebell_replay("--json", ALONE, illegal, OPENING) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["file"] for line in out.splitlines()] == [ALONE, OPENING]
    assert err == (
        f"dicebell replay: {illegal}, line 3: expected 6+6/3, found '6+7/3' by 'Ada',"
        " in choice, roll 33333\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: expected the header of a record, found an empty file"),
        (b"\x89PNG\r\n\x1a\n\0\0", "line 1: expected text in UTF-8, found"),
        (b'{"record": 1, "ga', "line 1: expected a JSON object (the file is torn here), found"),
    ],
)
def test_a_file_that_is_no_record_is_told(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert dicebell_replay(str(path)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"dicebell replay: {path}, {message}")


def test_files_that_cannot_be_read_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.jsonl"
    assert dicebell_replay(str(missing), str(tmp_path), ALONE) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"{ALONE}: choice, finished")
    assert err.splitlines() == [
        f"dicebell replay: {missing}: expected a readable file, found No such file or directory",
        f"dicebell replay: {tmp_path}: expected a readable file, found Is a directory",
    ]


def test_people_read_who_won_and_who_is_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert dicebell_replay(THREE, OPENING) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{THREE}: choice, finished",
        "  Ada     520  wins",
        "  Ben   -1270  loses",
        "  Cleo    260  loses",
        f"{OPENING}: choice, waits for a roll by Ada",
        "  Ada   -800",
    ]


def test_people_read_who_has_still_to_act(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"record": 1, "game": "choice", "players": ["Ada", "Ben"], "options": {}}\n'
        '{"by": "Ada", "roll": "33333"}'
    )
    assert dicebell_replay(str(path)) == 0
    assert "waits for an action by Ada, Ben" in capsys.readouterr().out


def test_a_file_name_that_is_no_text_is_printed_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "gone\udcff.jsonl"]) == 2
    assert "gone\\udcff.jsonl: expected a readable file" in capsys.readouterr().err


def test_no_file_at_all_is_wrong_use() -> None:
    with pytest.raises(SystemExit) as ended:
        dicebell_replay()
    assert ended.value.code == 2
