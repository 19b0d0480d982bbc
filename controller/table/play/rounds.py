# SPDX-License-Identifier: MIT
"""
When a round of a game ends, told from two positions alone.

At the end of a round the table signs what it has written so far. A round is over when the
turn to roll has come back to the first player still in the game; Black'n'White counts its
rounds itself. A game ends once, when it is won or when it is left.
"""

from __future__ import annotations

from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.choice.rules import ChoiceState
from controller.games.contract import GameState
from controller.games.wuerfelspiel.rules import WuerfelspielState


def ends_round(before: GameState | None, after: GameState | None) -> bool:
    """
    Tell whether a round or a game ended between two positions; none is a table without a game.

    What is taken back leads to a roll that lies there, so it ends nothing; what is played
    again after it does.
    """
    if before is None or before == after:
        return False
    if after is None:
        return before.outcome() is None
    # Also where a roll is corrected that ended something: it then ended differently.
    return after.outcome() is not None or _has_come_round(before, after)


def _has_come_round(before: GameState, after: GameState) -> bool:
    match before, after:
        case BlackNWhiteState(), BlackNWhiteState():
            ended_otherwise = after.settled != before.settled and after.round == before.round
            return after.round > before.round or ended_otherwise
        case ChoiceState(), ChoiceState():
            has_passed = bool(before.faces) and not after.faces
        case WuerfelspielState(), WuerfelspielState():
            has_passed = after.throws == 0
        case _:
            return False
    return has_passed and after.roller <= before.roller
