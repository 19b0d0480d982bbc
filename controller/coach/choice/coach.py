# SPDX-License-Identifier: MIT
"""The coach of Choice, with and without jokers: what its nets have learnt, as the contract asks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import cast

from controller.coach.chances import ROLL_NUMBERS, share_win
from controller.coach.choice.moves import UNMARKED, number_move
from controller.coach.choice.roll_values import RollValues
from controller.coach.choice.sheet_net import (
    CORRECTOR_BIT,
    TERMINATOR_BIT,
    THREE_BIT,
    SheetKey,
    SheetNet,
)
from controller.coach.contract import Unit
from controller.coach.net_weights import load_weights
from controller.games.choice.jokers import (
    CORRECTOR,
    JOKERS,
    TERMINATOR,
    list_correctors,
    list_triples,
)
from controller.games.choice.notation import PairChoice, list_choices
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import FIFTH_ROWS, PAID_MARKS
from controller.games.contract import GameState
from controller.games.dice import FACES, Roll

EQUAL_BELOW = 10.0  # Two nets from different seeds differ by about this.

SPREADS = (
    *(297, 296, 295, 292, 289, 284, 278, 278, 272, 264, 259),
    *(252, 248, 233, 219, 203, 188, 171, 151, 125, 98, 72),
)
"""The standard deviation of a result by the marks in the fifth-die table; see docs/coach.md."""
NEAR = 200  # Chances are returned once no player's result is more uncertain than this.


class ChoiceCoach:
    """The nets of Choice; for one thread."""

    game = "choice"
    unit = Unit.POINTS
    equal_below = EQUAL_BELOW

    def __init__(self) -> None:
        nets = [load_weights(name) for name in ("choice", "choice_jokers")]
        self._values = RollValues(*map(SheetNet, nets))
        self.weights = hashlib.sha256("".join(each.digest for each in nets).encode()).hexdigest()

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        found = cast("ChoiceState", state)
        actions = found.legal_actions(player)
        if not actions:
            return {}
        sheet = _read_sheet(found, player)
        dice: Roll = tuple(int(die) for die in found.player_dice(player))
        return {action: self._value(sheet, dice, action) for action in actions}

    def expect(self, state: GameState, player: str) -> float:
        if values := self.judge(state, player):
            return max(values.values())
        found = cast("ChoiceState", state)
        sheet = _read_sheet(found, player)
        if required := found.required_dice(player):
            dice = tuple(int(die) for die in required)
            return float(self._values.best(sheet)[ROLL_NUMBERS[dice]])
        return self._values.expect(sheet)

    def chances(self, state: GameState) -> Mapping[str, float]:
        found = cast("ChoiceState", state)
        sheets = [_read_sheet(found, player) for player in found.players]
        spreads = [0 if each.is_finished else SPREADS[sum(each.fifth)] for each in sheets]
        if len(sheets) < 2 or max(spreads) > NEAR:
            return {}
        expected = [self.expect(found, player) for player in found.players]
        return dict(zip(found.players, share_win(expected, spreads), strict=True))

    def _value(self, sheet: SheetKey, dice: Roll, action: str) -> float:
        if action == TERMINATOR:
            return self._values.expect(sheet.without(TERMINATOR_BIT))
        if action.startswith(CORRECTOR):
            roll = ROLL_NUMBERS[list_correctors(dice)[action]]
            return float(self._values.best(sheet.without(CORRECTOR_BIT))[roll])
        choice = list_choices(dice).get(action) or list_triples(dice)[action]
        spent = sheet if isinstance(choice, PairChoice) else sheet.without(THREE_BIT)
        pair, face = number_move(choice)
        return float(self._values.after(spent)[pair, _find_slot(sheet, face)])


@cache
def load_choice_coach() -> ChoiceCoach:
    return ChoiceCoach()


def _find_slot(sheet: SheetKey, face: int) -> int:
    """Return the slot that a fifth die marks: none on a free roll."""
    is_full = sum(marks > 0 for marks in sheet.fifth) == FIFTH_ROWS
    return UNMARKED if is_full and not sheet.fifth[face] else face


def _read_sheet(state: ChoiceState, player: str) -> SheetKey:
    sheet = state.sheet_of(player)
    rows = {row.face: row.marks for row in sheet.fifth}
    left = state.jokers_of(player)
    return SheetKey(
        tuple(min(marks, PAID_MARKS) for marks in sheet.marks),
        tuple(rows.get(face, 0) for face in FACES),
        sum(1 << number for number, joker in enumerate(JOKERS) if joker in left),
    )
