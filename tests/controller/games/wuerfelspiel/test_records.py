# SPDX-License-Identifier: MIT
"""
Golden games of Würfelspiel, replayed.

What they count was worked out apart from these rules, when the games were played.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.journal.records.replay import build_result, replay
from tests.controller.games.wuerfelspiel.test_sheet import PAGE_918, PAGE_1009, sheet_of

GOLDEN = Path(__file__).parents[3] / "records"


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


def test_two_players_fill_78_cells() -> None:
    lines = lines_of("two-players")
    assert sum(b"*" in line for line in lines) == 78
    found = build_result("two", replay(lines))
    assert found["totals"] == {"Ada": 1513, "Ben": 1589}
    assert (found["winners"], found["losers"]) == (("Ben",), ("Ada",))
    assert found["finished"] is True
    assert found["expects"] is None


def test_a_column_with_exactly_63_above_has_its_bonus() -> None:
    found = replay(lines_of("two-players")).state.sheet("Ben")
    assert found["bonus"] == [0, 35, 35]
    assert isinstance(found["columns"], list)
    assert found["columns"][1] == {
        "ones": 4, "twos": 8, "threes": 6, "fours": 12, "fives": 15, "sixes": 18, "three": 23,
        "four": 29, "fullhouse": 25, "small": 30, "large": 40, "five": 0, "chance": 19,
    }  # fmt: skip


def test_a_player_alone_wins_with_62_above_and_no_bonus() -> None:
    replayed = replay(lines_of("alone"))
    assert isinstance(replayed.state, WuerfelspielState)
    sheet = replayed.state.sheet_of("Ada")
    assert [sheet.upper(column) for column in (1, 2, 3)] == [49, 62, 76]
    assert [sheet.bonus(column) for column in (1, 2, 3)] == [0, 0, 35]
    found = build_result("alone", replayed)
    assert found["totals"] == {"Ada": 1695}
    assert (found["winners"], found["losers"]) == (("Ada",), ())


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
