# SPDX-License-Identifier: MIT
"""What a choice of Choice does to a sheet, in short sentences: only what the rules make of it."""

from __future__ import annotations

from collections.abc import Iterator

from controller.games.choice.jokers import TERMINATOR, parse_corrector
from controller.games.choice.notation import TOTALS
from controller.games.choice.picking import classify_action
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import (
    FIFTH_BOXES,
    FIFTH_ROWS,
    PAID_MARKS,
    PAR_MARKS,
    PENALTY,
    VALUES,
    ChoiceSheet,
)
from controller.games.contract import ActionEvent
from controller.languages.message import Message, chain_messages, message


def explain_action(game: ChoiceState, player: str, action: str) -> Message:
    """Return what an action does to this player's sheet, or to their dice."""
    if classify_action(action) == "joker":
        return _explain_joker(action)
    before = game.sheet_of(player)
    after = game.apply(ActionEvent(player, action)).sheet_of(player)
    return chain_messages([*_explain_totals(before, after), _explain_fifth(before, after)])


def _explain_joker(action: str) -> Message:
    if action == TERMINATOR:
        return message("Throws five new dice. The joker is used up.")
    old, new = parse_corrector(action)
    return message("Makes the {old} a {new}. The joker is used up.", old=old, new=new)


def _explain_totals(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    for total in TOTALS:
        had, has = before.marks_on(total), after.marks_on(total)
        if had == has:
            continue
        if has < PAR_MARKS and not had:
            yield message(
                "Begins the {total}: minus {penalty} until it has {par} crosses.",
                total=total,
                penalty=PENALTY,
                par=PAR_MARKS,
            )
        elif has < PAR_MARKS:
            yield message(
                "Brings the {total} to {marks} of {par} crosses.",
                total=total,
                marks=has,
                par=PAR_MARKS,
            )
        elif has == PAR_MARKS:
            yield message(
                "Completes {par} crosses on the {total}: no more loss there.",
                par=PAR_MARKS,
                total=total,
            )
        elif had >= PAID_MARKS:
            yield message("The {total} is full: its cross counts nothing.", total=total)
        else:
            points = VALUES[total]
            yield message(
                "Each cross on the {total} now counts {points}.", total=total, points=points
            )


def _explain_fifth(before: ChoiceSheet, after: ChoiceSheet) -> Message:
    if before.fifth == after.fifth:
        return message("A free roll: no fifth die is crossed off.")
    new = next(row for row in after.fifth if row not in before.fifth)
    if len(after.fifth) > len(before.fifth):
        return message(
            "Makes {face} fifth die number {count} of {most}.",
            face=new.face,
            count=len(after.fifth),
            most=FIFTH_ROWS,
        )
    if new.marks >= FIFTH_BOXES:
        return message("The fifth die {face} is full: the game ends here.", face=new.face)
    return message(
        "The fifth die {face} has {marks} of {boxes} crosses.",
        face=new.face,
        marks=new.marks,
        boxes=FIFTH_BOXES,
    )
