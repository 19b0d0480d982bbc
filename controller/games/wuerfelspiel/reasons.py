# SPDX-License-Identifier: MIT
"""What a choice of Würfelspiel does, in short sentences: only what the rules make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product

from controller.base.languages.message import (
    Message,
    Number,
    chain_messages,
    message,
    plural_message,
)
from controller.games.dice import FACES, Roll, make_roll
from controller.games.wording import dice_words
from controller.games.wuerfelspiel.notation import CELLS, DICE_COUNT, Cell, parse_hold
from controller.games.wuerfelspiel.rules import THROWS, WuerfelspielState
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    COLUMNS,
    FACTORS,
    ROWS,
    UPPER_ROWS,
    WuerfelspielSheet,
    score_row,
)
from controller.games.wuerfelspiel.view import LABELS

_AIMS = ("three", "four", "fullhouse", "small", "large", "five")
_MOST_AIMS = 2
_LEAST_CHANCE = 0.01


def explain_action(game: WuerfelspielState, player: str, action: str) -> Message:
    """Return what an action enters, or what it keeps and throws."""
    if action not in CELLS:
        return _explain_hold(game, game.sheet_of(player), action)
    cell, sheet = CELLS[action], game.sheet_of(player)
    points = score_row(cell.row, game.faces)
    if not points:
        return message("Gives up this row of the column: it counts nothing.")
    factor = FACTORS[cell.column - 1]
    counts = message(
        "{points} points, times {factor} in this column.", points=points, factor=factor
    )
    return chain_messages([counts, *_explain_bonus(sheet, cell, points)])


def _explain_hold(game: WuerfelspielState, sheet: WuerfelspielSheet, action: str) -> Message:
    kept = parse_hold(action)
    left = THROWS - game.throws - 1
    after = message("After it no throw is left.")
    if left:
        after = plural_message(
            "After it {count} throw is left.", "After it {count} throws are left.", left
        )
    aims = _explain_aims(sheet, kept)
    if not kept:
        return chain_messages([message("Throws all dice again."), *aims, after])
    throws = plural_message(
        "Keeps {dice} and throws one die.",
        "Keeps {dice} and throws {count} dice.",
        DICE_COUNT - len(kept),
        dice=dice_words([str(face) for face in kept]),
    )
    return chain_messages([throws, *aims, after])


def _explain_aims(sheet: WuerfelspielSheet, kept: Roll) -> list[Message]:
    """Return how likely the next throw makes the open rows that it brings most points in."""
    thrown = [
        (make_roll((*kept, *dice)), chance)
        for dice, chance in _list_throws(DICE_COUNT - len(kept)).items()
    ]
    found = []
    for at, row in enumerate(ROWS):
        is_open = any(sheet.column(column)[at] is None for column in range(1, COLUMNS + 1))
        if row in _AIMS and is_open:
            scores = [(score_row(row, faces), chance) for faces, chance in thrown]
            mean = sum(points * chance for points, chance in scores)
            found.append((mean, row, sum(chance for points, chance in scores if points)))
    aims = [
        message("{row} {percent}\u00a0%", row=LABELS[row], percent=Number(100 * chance, ".0f"))
        for _, row, chance in sorted(found, reverse=True)[:_MOST_AIMS]
        if chance >= _LEAST_CHANCE
    ]
    if not aims:
        return []
    return [message("Chances of the next throw: {aims}.", aims=chain_messages(aims, ", "))]


@cache
def _list_throws(count: int) -> Mapping[Roll, float]:
    """Return the chance of each throw of this many dice, in any order."""
    orders = Counter(make_roll(dice) for dice in product(FACES, repeat=count))
    return {roll: number / len(FACES) ** count for roll, number in orders.items()}


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
