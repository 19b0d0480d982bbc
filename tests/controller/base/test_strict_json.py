# SPDX-License-Identifier: MIT
"""JSON from outside is refused if no text can hold what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.base.strict_json import HalfCharacterError, parse_json
from controller.cli.main import main


@pytest.mark.parametrize(
    "content", ['"\\ud800"', b'["a", {"b": "x\\uDFFFy"}]', '{"\\udc00": 1}', '"\\ude80\\ud83d"']
)
def test_half_a_character_is_refused_wherever_it_stands(content: str | bytes) -> None:
    with pytest.raises(HalfCharacterError, match=r"half a character \(U\+D"):
        parse_json(content)


def test_bytes_that_are_no_utf8_are_refused() -> None:
    with pytest.raises(UnicodeDecodeError):
        parse_json(b'"\xed\xa0\x80"')


@pytest.mark.parametrize("content", ['"\\ud83d\\ude80"', '"\\\\ud800"', "[1, null]", b'{"a": 2}'])
def test_everything_else_is_read_as_ever(content: str | bytes) -> None:
    assert parse_json(content) == json.loads(content)


@pytest.mark.parametrize(
    "line", ['{"by":"Ada","roll":"\\ud800"}', '{"by":"\\udc80","do":"4+10/4"}']
)
def test_a_record_with_half_a_character_is_wrong_input(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.jsonl"
    head = {"record": 1, "game": "choice", "players": ["Ada"], "options": {}}
    record.write_text(f"{json.dumps(head)}\n{line}\n")
    assert main(["replay", str(record)]) == 2
    assert "line 2: expected whole characters, found half a character" in capsys.readouterr().err
