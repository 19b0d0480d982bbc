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


def start(players: int = 3, *, chips: int = 2) -> BlackNWhiteState:
    """Return the position before the first roll of Ada, Ben, Cleo, ..."""
    return BLACK_N_WHITE.start(NAMES[:players], {"chips_per_player": chips})


def event(line: str) -> GameEvent:
    """Read who rolled what, or who does what."""
    by, _, what = line.partition(" ")
    is_roll = re.fullmatch(r"[wb]\d [wb]\d", what) is not None
    return RollEvent(by, what) if is_roll else ActionEvent(by, what)


def played(state: BlackNWhiteState, *lines: str) -> BlackNWhiteState:
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
