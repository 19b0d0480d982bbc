# SPDX-License-Identifier: MIT
"""Positions of Choice in few words, for the tests of its jokers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.base.errors import IllegalActionError
from controller.games.choice.jokers import JOKERS, Jokers
from controller.games.choice.notation import TOTALS
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet, FifthDieRow
from controller.games.contract import ActionEvent, GameEvent, RollEvent
from tests.controller.games.playing import NAMES


def sheet_of(sums: Mapping[int, int], fifth: Mapping[int, int]) -> ChoiceSheet:
    """Return the sheet with these marks on totals and on faces of the fifth die."""
    return ChoiceSheet(
        tuple(sums.get(total, 0) for total in TOTALS),
        tuple(FifthDieRow(face, marks) for face, marks in fifth.items()),
    )


def table_of(*sheets: ChoiceSheet, left: tuple[str, ...] = JOKERS) -> ChoiceState:
    """Return a game in which everybody has this sheet and these jokers, before a roll."""
    return ChoiceState(NAMES[: len(sheets)], sheets, jokers=(Jokers(left),) * len(sheets))


def event(text: str) -> GameEvent:
    """Read `Ada 13446` or `Ada corrector 1>2`."""
    name, _, rest = text.partition(" ")
    return RollEvent(name, rest) if rest.isdigit() else ActionEvent(name, rest)


def played(state: ChoiceState, *texts: str) -> ChoiceState:
    """Return the position after these events, each as `event` reads it."""
    for text in texts:
        state = state.apply(event(text))
    return state


def refused(state: ChoiceState, text: str) -> IllegalActionError:
    """Return how the event is refused, which must leave the position as it was."""
    before = repr(state)
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(event(text))
    assert repr(state) == before
    return refusal.value
