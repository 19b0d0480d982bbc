# SPDX-License-Identifier: MIT
"""Positions of Choice in few words, for the tests of its jokers."""

from __future__ import annotations

from collections.abc import Mapping

from controller.games.choice.jokers import JOKERS, Jokers
from controller.games.choice.notation import TOTALS
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet, FifthDieRow
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
