# SPDX-License-Identifier: MIT
"""A text of unknown origin neither hides anything nor turns what stands around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import format_one_line
from controller.base.languages.message import Message, message, percent_message
from controller.base.languages.shown_text import escape_unseen, isolate_text
from controller.base.logs import field_text
from controller.games.contract import RollEvent
from controller.journal.records.record import (
    RecordHeader,
    event_text,
    header_text,
    parse_event,
    parse_header,
)

ALI = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
TURNED = "Ol\u202ega"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zo\u00eb", "Zo\u00eb"),
        (TURNED, "Ol\\x202ega"),
        ("Olga\u200b", "Olga\\x200b"),
        (ALI, f"\u2068{ALI}\u2069"),
        (f"\u2068{ALI}\u2069", f"\u2068{ALI}\u2069"),
        (f"{ALI}\u2069", f"\u2068{ALI}\\x2069\u2069"),
        ("\u2068Ada", "\\x2068Ada"),
    ],
)
def test_a_text_is_isolated_if_it_runs_to_the_left(text: str, shown: str) -> None:
    assert isolate_text(text) == shown


@given(st.text())
def test_a_shown_text_is_shown_the_same_again(text: str) -> None:
    shown = isolate_text(text)
    assert isolate_text(shown) == shown
    assert escape_unseen(shown) == shown
    assert shown.count("\u2068") == shown.count("\u2069")


def test_messages_isolate_their_values_in_every_language() -> None:
    said = message("{player} beats {other}.", player=ALI, other=TURNED)
    assert said == f"\u2068{ALI}\u2069 beats Ol\\x202ega."
    german = said.render(lambda *_: "{other} verliert gegen {player}.")
    assert german == f"Ol\\x202ega verliert gegen \u2068{ALI}\u2069."
    assert message("{said} Again.", said=said) == f"{said} Again."
    assert isinstance(said, Message)


def test_a_record_shows_an_old_name_escaped_and_keeps_it() -> None:
    header = RecordHeader("choice", (TURNED, ALI), {})
    event = RollEvent(TURNED, "13446", "")
    for text in (header_text(header), event_text(event)):
        assert "\u202e" not in text
        assert "\\u202e" in text
    assert ALI in header_text(header)
    assert parse_header(header_text(header).encode()) == header
    assert parse_event(event_text(event).encode()) == event


def test_terminals_and_logs_show_joiners_but_nothing_hidden() -> None:
    assert format_one_line(f"{ALI} {TURNED}\x1b", 80) == f"{ALI} Ol\\x202ega\\x1b"
    assert format_one_line(percent_message(50, ".2f"), 80) == "50.00\u202f%"
    assert field_text(Path(TURNED).name) == '"Ol\\x202ega"'
