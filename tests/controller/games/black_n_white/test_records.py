# SPDX-License-Identifier: MIT
"""
Golden games of Black'n'White, replayed.

Whose chip it is in each of their rounds was worked out by hand from their dice.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.journal.records.replay import build_result, replay

GOLDEN = Path(__file__).parents[3] / "records"


def lines_of(name: str) -> list[bytes]:
    return (GOLDEN / f"black-n-white-{name}.jsonl").read_bytes().splitlines(keepends=True)


def position(lines: list[bytes]) -> BlackNWhiteState:
    state = replay(lines).state
    assert isinstance(state, BlackNWhiteState)
    return state


def test_the_booklets_round_costs_fidel_a_chip() -> None:
    assert build_result("booklet", replay(lines_of("booklet-round"))) == {
        "file": "booklet",
        "game": "black-n-white",
        "finished": False,
        "totals": {"Fidel": 1, "Raul": 0, "Che": 0},
        "winners": (),
        "losers": (),
        "expects": {"roll": ("Fidel",), "do": {}},
        "sheets": {
            "Fidel": {"chips": 1, "phase": 1},
            "Raul": {"chips": 0, "phase": 1},
            "Che": {"chips": 0, "phase": 1},
        },
    }


def test_eleven_rounds_of_three_players() -> None:
    lines = lines_of("three-players")
    states = [position(lines[:count]) for count in range(1, len(lines) + 1)]
    chips = [
        name
        for before, after in pairwise(states)
        for name in before.players
        if before.chips_of(name) != after.chips_of(name)
    ]
    handed_out = ["Ada", "Ada", "Ada", "Ben", "Cleo", "Cleo"]
    assert chips == [*handed_out, "Cleo", "Ada", "Ada", "Ada", "Cleo"]
    assert states[-1].round == 11


@pytest.mark.parametrize(
    ("lines", "event", "message"),
    [
        (3, '"roll": "w5 b6"', "line 4: expected a roll with w4, found 'roll w5 b6' by 'Fidel'"),
        (3, '"do": "stop"', "line 4: expected a roll by Fidel, found 'stop' by 'Fidel'"),
        (5, '"roll": "w4 b6"', "line 6: expected tens white, tens black, found 'roll w4 b6'"),
    ],
)
def test_an_event_that_is_not_legal_is_told_with_its_line(
    lines: int, event: str, message: str
) -> None:
    wrong = f'{{"by": "Fidel", {event}}}\n'.encode()
    with pytest.raises(InputError) as refused:
        replay([*lines_of("booklet-round")[:lines], wrong])
    assert str(refused.value).startswith(message)
