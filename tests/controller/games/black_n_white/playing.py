# SPDX-License-Identifier: MIT
"""Black'n'White played from lines such as `Ada w4 b6` and `Ada throw black`."""

from __future__ import annotations

import re

import pytest

from controller.base.errors import IllegalActionError
from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import ActionEvent, GameEvent, RollEvent
from tests.controller.games.playing import NAMES

THROWS = ("stop", "throw white", "throw black", "throw both")
TENS = ("tens white", "tens black")


def start(players: int = 3, *, chips: int = 2) -> BlackNWhiteState:
    """Return the position before the first roll of Ada, Ben, Cleo, ..."""
    return BLACK_N_WHITE.start(NAMES[:players], {"chips_per_player": chips})


def event(line: str) -> GameEvent:
    """Read who rolled what, or who does what."""
    by, _, what = line.partition(" ")
    is_roll = re.fullmatch(r"[wb]\d [wb]\d", what) is not None
    return RollEvent(by, what) if is_roll else ActionEvent(by, what)


def play(state: BlackNWhiteState, *lines: str) -> BlackNWhiteState:
    """Return the position after these events, all of which are legal."""
    for line in lines:
        state = state.apply(event(line))
    return state


def refused(state: BlackNWhiteState, line: str) -> tuple[str, ...]:
    """Return what was expected instead of this event; the position must stay as it was."""
    before = repr(state)
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(event(line))
    assert repr(state) == before
    return refusal.value.expected


def doubles(state: BlackNWhiteState, faces: dict[str, int]) -> BlackNWhiteState:
    """Play a round of one throw each, in which everybody throws the double of their face."""
    for _ in faces:
        (roller,) = state.expects().roll
        face = faces[roller]
        state = play(state, f"{roller} w{face} b{face}")
        state = play(state, f"{roller} stop") if state.expects().do else state
    return state


def lost_by(state: BlackNWhiteState, *losers: str) -> BlackNWhiteState:
    """Play rounds of phase 1 in which these take a chip, one after the other."""
    for loser in losers:
        state = doubles(state, {name: 1 if name == loser else 6 for name in state.players})
    return state


def phase_two(players: int, *losers: str) -> BlackNWhiteState:
    """Return the position at the beginning of phase 2, after these took the chips."""
    state = lost_by(start(players, chips=len(losers) // players), *losers)
    assert state.phase == 2
    assert state.middle == 0
    return state
