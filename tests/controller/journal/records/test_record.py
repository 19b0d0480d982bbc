# SPDX-License-Identifier: MIT
"""Record lines: written and read back, and every way in which one can be wrong."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.contract import ActionEvent, GameEvent, RollEvent
from controller.journal.records.record import (
    RecordHeader,
    format_value,
    parse_event,
    parse_header,
    record_text,
)

HEADER = '{"record": 1, "game": "choice", "players": ["Ada"], "options": {"jokers": false}}'

# Text that a UTF-8 file can hold.
texts = st.text(st.characters(exclude_categories=["Cs"]))
options = st.dictionaries(texts, st.booleans() | st.integers(-(10**9), 10**9))
headers = st.builds(RecordHeader, texts, st.lists(texts).map(tuple), options)
events: st.SearchStrategy[GameEvent] = st.builds(RollEvent, texts, texts, texts) | st.builds(
    ActionEvent, texts, texts
)


@given(headers, st.lists(events))
def test_a_record_has_a_line_for_each_event(header: RecordHeader, played: list[GameEvent]) -> None:
    first, *rest, end = record_text(header, played).encode().split(b"\n")
    assert parse_header(first) == header
    assert [parse_event(line) for line in rest] == played
    assert end == b""


def test_lines_are_written_as_the_rules_of_records_show_them() -> None:
    header = RecordHeader("choice", ("Ada", "Jörg"), {"jokers": False})
    assert record_text(header, [RollEvent("Ada", "13446"), ActionEvent("Jörg", "4+10/4")]) == (
        '{"record": 1, "game": "choice", "players": ["Ada", "Jörg"],'
        ' "options": {"jokers": false}}\n'
        '{"by": "Ada", "roll": "13446"}\n'
        '{"by": "Jörg", "do": "4+10/4"}\n'
    )


def test_sixty_characters_of_a_value_are_shown() -> None:
    assert format_value("x" * 58) == repr("x" * 58)
    assert format_value("x" * 59) == f"'{'x' * 59}..."


def test_options_may_be_left_out_and_keys_stand_in_any_order() -> None:
    line = b'{"players": ["Ada"], "game": "choice", "record": 1}\r\n'
    assert parse_header(line) == RecordHeader("choice", ("Ada",), {})


BROKEN_JSON = [
    (b"", "expected a JSON object (the file is torn here), found ''"),
    (b"\n", "expected a JSON object, found '\\n'"),
    (b'{"by": "Ada", "ro', 'expected a JSON object (the file is torn here), found \'{"by"'),
    (b'{"by": "Ada", "ro\n', "expected a JSON object, found"),
    (b"[]", "expected a JSON object, found a list"),
    (b"null\n", "expected a JSON object, found null"),
    (b'"roll"', "expected a JSON object, found 'roll'"),
    (b"{} {}", "expected a JSON object"),
    (b'\xef\xbb\xbf{"by": "Ada"}', "expected a JSON object"),
    (b'{"by": "\xff"}', 'expected text in UTF-8, found \'{"by": "\\\\xff"}\''),
    (b"[" * 100_000, "expected a JSON object (the file is torn here), found '[[["),
    (b'{"by": ' + b"9" * 5_000 + b"}", "expected a JSON object"),
    (b'{"by": "Ada", "by": "Ben", "do": ""}', "expected every key once, found 'by' again"),
    (b'{"by": "\\ud83c", "do": ""}', "expected whole characters, found half a character"),
]


@pytest.mark.parametrize(("line", "message"), BROKEN_JSON, ids=range(len(BROKEN_JSON)))
def test_a_line_that_is_no_object_is_told(line: bytes, message: str) -> None:
    for parse in (parse_header, parse_event):
        with pytest.raises(InputError) as refused:
            parse(line)
        assert str(refused.value).startswith(message)
        assert len(str(refused.value)) < 160


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "expected the keys by, do, found no keys"),
        ('{"by": "Ada"}', "expected the keys by, do, found 'by'"),
        ('{"roll": "13446"}', "expected the keys by, roll, by_hand (optional), found 'roll'"),
        (
            '{"by": "Ada", "roll": "13446", "do": "x"}',
            "expected the keys by, roll, by_hand (optional), found",
        ),
        (
            '{"by": "Ada", "roll": "13446", "at": 3}',
            "expected the keys by, roll, by_hand (optional), found",
        ),
        ('{"by": "Ada", "Do": "4+10/4"}', "expected the keys by, do, found 'by, Do'"),
        ('{"by": 1, "roll": "13446"}', "by: expected a string, found 1"),
        ('{"by": "Ada", "roll": 13446}', "roll: expected a string, found 13446"),
        ('{"by": "Ada", "roll": NaN}', "roll: expected a string, found NaN"),
        ('{"by": "Ada", "do": null}', "do: expected a string, found null"),
        ('{"by": "Ada", "do": ["4+10/4"]}', "do: expected a string, found a list"),
        ('{"by": {"by": {}}, "do": ""}', "by: expected a string, found an object"),
    ],
)
def test_an_event_with_other_keys_or_kinds_is_told(line: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_event(line.encode())
    assert str(refused.value).startswith(message)


KEYS = "expected the keys record, game, players, options (optional), found"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"record": 1, ', "", KEYS),
        ('"players": ["Ada"], ', "", KEYS),
        ('"record"', '"date": "today", "record"', KEYS),
        ('"record": 1', '"record": 2', "record: expected 1, found 2"),
        ('"record": 1', '"record": true', "record: expected 1, found true"),
        ('"record": 1', '"record": 1.0', "record: expected 1, found 1.0"),
        ('"record": 1', '"record": "1"', "record: expected 1, found '1'"),
        ('"choice"', "7", "game: expected a string, found 7"),
        ('["Ada"]', '"Ada"', "players: expected a list of names, found 'Ada'"),
        ('["Ada"]', '["Ada", 7]', "players: expected a list of names, found a list"),
        ('{"jokers": false}', "[]", "options: expected an object, found a list"),
        (
            "false",
            "null",
            "options: expected true, false or a whole number, found null at 'jokers'",
        ),
        ("false", "0.0", "options: expected true, false or a whole number, found 0.0"),
        ("false}", 'false, "jokers": true}', "expected every key once, found 'jokers' again"),
    ],
)
def test_a_header_with_other_keys_or_kinds_is_told(before: str, after: str, message: str) -> None:
    assert before in HEADER
    with pytest.raises(InputError) as refused:
        parse_header(HEADER.replace(before, after).encode())
    assert str(refused.value).startswith(message)


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b'{"by": "\\ud800", "roll": "\\ud800"}')
def test_any_bytes_are_a_line_or_wrong_input(line: bytes) -> None:
    said: list[str] = []
    for parse in (parse_header, parse_event):
        try:
            parse(line)
        except InputError as error:
            said.append(str(error))
    # One line each, whatever stood there, and one that any file can hold.
    assert b"\n" not in "".join(said).encode()
