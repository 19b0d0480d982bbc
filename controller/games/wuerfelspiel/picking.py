# SPDX-License-Identifier: MIT
"""
Choices of Würfelspiel: a cell to fill, or dice to keep for another throw.

A tapped die is kept; all others would be thrown again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.base.languages.message import message
from controller.games.ui import (
    OfferedChoice,
    Selection,
    SelectionResult,
    TurnContext,
    plain_offer,
    scoring_offer,
    select_action,
    toggle_die,
)
from controller.games.wuerfelspiel.notation import CELLS, DICE_COUNT, parse_hold
from controller.games.wuerfelspiel.rules import THROWS, WuerfelspielState


def list_offers(game: WuerfelspielState, player: str) -> tuple[OfferedChoice, ...]:
    """
    Return what this player may do: cells that count, what may be kept, cells for nothing.

    Cells are sorted by what they add to the total, with factor and bonus. Holds are sorted by the
    dice that match, as equal faces or as a row, then by how few others they keep. Equal faces
    come before a row, high faces before low ones, and a hold of nothing comes last.
    """
    actions = game.legal_actions(player)
    cells = [scoring_offer(game, player, action, "fill") for action in actions if action in CELLS]
    cells.sort(key=lambda cell: -(cell.gain or 0))
    holds = [plain_offer(game, player, text, "throw") for text in actions if text not in CELLS]
    holds.sort(key=lambda hold: _rank_hold(parse_hold(hold.action)), reverse=True)
    counting = [cell for cell in cells if cell.gain]
    return (*counting, *holds, *(cell for cell in cells if not cell.gain))


def tap_die(game: WuerfelspielState, player: str, turn: TurnContext, index: int) -> SelectionResult:
    """Return what a tap on the die with this index selects: it is kept, or no longer kept."""
    if game.throws >= THROWS:
        return SelectionResult(
            refusal=message("All {count} throws are used.", count=THROWS),
            remedy=message("Choose a cell and enter the roll."),
        )
    kept = toggle_die(turn.selection.dice, index)
    action = game.hold_action(player, [str(turn.faces[one]) for one in kept])
    result = select_action(Selection(kept), action, list_offers(game, player))
    if len(kept) < DICE_COUNT:
        return result
    refusal = message("All five dice are kept. Free one, or fill a cell.")
    return replace(result, refusal=refusal)


def _rank_hold(kept: Sequence[int]) -> tuple[int, int, bool, int]:
    """Return the sort key of a hold, the higher the better."""
    equal = max((kept.count(face) for face in kept), default=0)
    together = max(equal, _longest_row(kept))
    return together, together - len(kept), equal == together, sum(kept)


def _longest_row(faces: Sequence[int]) -> int:
    """Return how many of these faces are neighbours in a row, such as 3 in 1 3 4 5."""
    longest = row = 0
    for face in range(1, 7):
        row = row + 1 if face in faces else 0
        longest = max(longest, row)
    return longest
