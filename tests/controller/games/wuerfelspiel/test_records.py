# SPDX-License-Identifier: MIT
"""
Golden games of Würfelspiel, replayed.

What they count was worked out apart from these rules, when the games were played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import WuerfelspielSheet
from controller.journal.records.replay import build_result, replay

GOLDEN = Path(__file__).parents[3] / "records"

# The two sheets that the rules' own page shows in the middle of a game.
PAGE_918 = {
    "ones": (2, 3, None), "twos": (2, None, None), "threes": (6, 12, 12),
    "fours": (None, None, 12), "fives": (None, 15, 15), "sixes": (12, None, 24),
    "three": (None, None, 25), "fullhouse": (None, 25, 25), "small": (None, 30, 30),
    "large": (None, None, 40), "chance": (None, None, 24),
}  # fmt: skip
PAGE_1009 = {
    "ones": (2, 3, 3), "twos": (6, 6, None), "fours": (None, 16, 16), "fives": (None, None, 25),
    "sixes": (None, 18, None), "three": (None, None, 27), "four": (None, None, 29),
    "fullhouse": (25, None, 25), "small": (None, 30, 30), "large": (None, None, 40),
    "five": (None, None, 50), "chance": (23, None, 24),
}  # fmt: skip


def sheet_of(rows: Mapping[str, Sequence[int | None]]) -> WuerfelspielSheet:
    sheet = WuerfelspielSheet()
    for row, cells in rows.items():
        for column, points in enumerate(cells, start=1):
            if points is not None:
                sheet = sheet.fill(row, column, points)
    return sheet


def lines_of(name: str) -> list[bytes]:
    return (GOLDEN / f"wuerfelspiel-{name}.jsonl").read_bytes().splitlines(keepends=True)


def test_the_pages_position_is_reached_in_turns() -> None:
    # Who has 1009 has one cell more filled, so that player began; the other is on turn 19.
    replayed = replay(lines_of("page-position"))
    assert isinstance(replayed.state, WuerfelspielState)
    assert replayed.state.sheet_of("Ada") == sheet_of(PAGE_918)
    assert replayed.state.sheet_of("Ben") == sheet_of(PAGE_1009)
    assert replayed.state.turn == 19
    found = build_result("page", replayed)
    assert found["totals"] == {"Ben": 1009, "Ada": 918}
    assert found["expects"] == {"roll": ("Ada",), "do": {}}
    assert found["finished"] is False


def test_a_kept_die_that_is_gone_is_told_with_its_line() -> None:
    header, *_ = lines_of("alone")
    lines = [
        header,
        b'{"by": "Ada", "roll": "54461"}\n',
        b'{"by": "Ada", "do": "hold 445"}\n',
        b'{"by": "Ada", "roll": "14566"}\n',
    ]
    with pytest.raises(InputError) as refused:
        replay(lines)
    assert str(refused.value) == (
        "line 4: expected a roll with 445, found 'roll 14566' by 'Ada',"
        " in wuerfelspiel, turn 1, before a roll"
    )
