# SPDX-License-Identifier: MIT
"""What a choice of Würfelspiel does, in short sentences: only what the rules make of it."""

from __future__ import annotations

from controller.games.wording import dice_words
from controller.games.wuerfelspiel.notation import CELLS, DICE_COUNT, Cell, parse_hold
from controller.games.wuerfelspiel.rules import THROWS, WuerfelspielState
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    FACTORS,
    UPPER_ROWS,
    WuerfelspielSheet,
    score_row,
)
from controller.languages.message import Message, chain_messages, message, plural_message


def explain_action(game: WuerfelspielState, player: str, action: str) -> Message:
    """Return what an action enters, or what it keeps and throws."""
    if action not in CELLS:
        return _explain_hold(game, action)
    cell, sheet = CELLS[action], game.sheet_of(player)
    points = score_row(cell.row, game.faces)
    if not points:
        return message("Gives up this row of the column: it counts nothing.")
    factor = FACTORS[cell.column - 1]
    counts = message(
        "{points} points, times {factor} in this column.", points=points, factor=factor
    )
    return chain_messages([counts, *_explain_bonus(sheet, cell, points)])


def _explain_hold(game: WuerfelspielState, action: str) -> Message:
    kept = parse_hold(action)
    left = THROWS - game.throws - 1
    after = message("After it no throw is left.")
    if left:
        after = plural_message(
            "After it {count} throw is left.", "After it {count} throws are left.", left
        )
    if not kept:
        return chain_messages([message("Throws all dice again."), after])
    throws = plural_message(
        "Keeps {dice} and throws one die.",
        "Keeps {dice} and throws {count} dice.",
        DICE_COUNT - len(kept),
        dice=dice_words([str(face) for face in kept]),
    )
    return chain_messages([throws, after])


def _explain_bonus(sheet: WuerfelspielSheet, cell: Cell, points: int) -> list[Message]:
    before = sheet.upper(cell.column)
    if cell.row not in UPPER_ROWS or before >= BONUS_FROM:
        return []
    missing = BONUS_FROM - before - points
    if missing <= 0:
        return [message("It wins the bonus of the column: {bonus} points.", bonus=BONUS)]
    return [
        message(
            "The column then lacks {missing} points for its bonus of {bonus}.",
            missing=missing,
            bonus=BONUS,
        )
    ]
