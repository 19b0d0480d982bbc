# SPDX-License-Identifier: MIT
"""The coach of Würfelspiel, as the contract asks: turns are solved, what comes after is learnt."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

from controller.coach.chances import ROLL_NUMBERS, share_win
from controller.coach.contract import Unit
from controller.coach.net_weights import load_weights
from controller.coach.wuerfelspiel.sheet_key import SheetKey
from controller.coach.wuerfelspiel.sheet_net import SheetNet
from controller.coach.wuerfelspiel.sheet_values import SheetValues
from controller.coach.wuerfelspiel.turn import KEPT_NUMBERS
from controller.games.contract import GameState
from controller.games.dice import Roll
from controller.games.wuerfelspiel.notation import CELLS, parse_hold
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import ROWS

EQUAL_BELOW = 3.0  # Two nets from different seeds differ by about this.

SPREADS = (
    *(0, 19, 29, 37, 42, 47, 50, 56, 59, 63, 66, 69, 71, 74, 78, 81, 84, 87, 88, 89),
    *(91, 93, 94, 96, 99, 101, 102, 104, 105, 107, 108, 108, 110, 111, 112, 113, 115, 116, 117),
    118,
)
"""The standard deviation of a result by the turns that are left; see docs/coach.md."""
NEAR = 60  # Chances are returned once no player's result is more uncertain than this.


class WuerfelspielCoach:
    """The net of Würfelspiel; for one thread."""

    game = "wuerfelspiel"
    unit = Unit.POINTS
    equal_below = EQUAL_BELOW

    def __init__(self, *, is_deeper: bool = False) -> None:
        weights = load_weights("wuerfelspiel")
        self.weights = weights.digest
        self._values = SheetValues(SheetNet(weights), is_deeper=is_deeper)

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        found = cast("WuerfelspielState", state)
        actions = found.legal_actions(player)
        if not actions:
            return {}
        sheet = found.sheet_of(player)
        turn = self._values.find_turn(SheetKey.of(sheet))
        kept = turn.after_first if found.throws == 1 else turn.after_second
        cells = turn.cells[ROLL_NUMBERS[found.faces]]

        def value(action: str) -> float:
            cell = CELLS.get(action)
            if cell is None:
                return float(kept[KEPT_NUMBERS[parse_hold(action)]])
            return float(cells[(cell.column - 1) * len(ROWS) + ROWS.index(cell.row)])

        return {action: sheet.total + value(action) for action in actions}

    def expect(self, state: GameState, player: str) -> float:
        if values := self.judge(state, player):
            return max(values.values())
        found = cast("WuerfelspielState", state)
        sheet = found.sheet_of(player)
        key = SheetKey.of(sheet)
        if found.players[found.roller] != player or not found.throws or not key.empty:
            return sheet.total + self._values.expect(key)
        held: Roll = found.held
        turn = self._values.find_turn(key)
        kept = turn.after_first if found.throws == 1 else turn.after_second
        return sheet.total + float(kept[KEPT_NUMBERS[held]])

    def chances(self, state: GameState) -> Mapping[str, float]:
        found = cast("WuerfelspielState", state)
        spreads = [SPREADS[sheet.empty_cells] for sheet in found.sheets]
        if len(spreads) < 2 or max(spreads) > NEAR:
            return {}
        expected = [self.expect(found, player) for player in found.players]
        return dict(zip(found.players, share_win(expected, spreads), strict=True))


@cache
def load_wuerfelspiel_coach(*, is_deeper: bool = False) -> WuerfelspielCoach:
    """Return the coach of Würfelspiel; the deeper one solves two turns instead of one."""
    return WuerfelspielCoach(is_deeper=is_deeper)
