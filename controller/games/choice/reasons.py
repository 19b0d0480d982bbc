# SPDX-License-Identifier: MIT
"""What a choice of Choice does to a sheet, in short sentences: only what the rules make of it."""

from __future__ import annotations

from collections.abc import Iterator

from controller.games.choice.jokers import JOKER_POINTS, TERMINATOR, parse_corrector
from controller.games.choice.notation import TOTALS
from controller.games.choice.picking import classify_action
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import (
    FIFTH_BOXES,
    FIFTH_ROWS,
    PAR_MARKS,
    PENALTY,
    ChoiceSheet,
    count_points,
)
from controller.games.contract import ActionEvent
from controller.languages.message import Message, chain_messages, message, plural_message


def explain_action(game: ChoiceState, player: str, action: str) -> Message:
    """Return what an action does to this player's sheet, or to their dice."""
    if classify_action(action) == "joker":
        return chain_messages([_explain_joker(action), _explain_use()])
    before, after = game.sheet_of(player), game.apply(ActionEvent(player, action))
    sheet = after.sheet_of(player)
    parts = [*_explain_totals(before, sheet), _explain_fifth(before, sheet)]
    if after.jokers_of(player) != game.jokers_of(player):
        parts.append(_explain_use())
    return chain_messages(parts)


def _explain_joker(action: str) -> Message:
    if action == TERMINATOR:
        return message("Throws five new dice.")
    old, new = parse_corrector(action)
    return message("Makes the {old} a {new}.", old=old, new=new)


def _explain_use() -> Message:
    return message(
        "The joker is used up: unused it counts {points} points at the end.", points=JOKER_POINTS
    )


def _explain_totals(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    for total in TOTALS:
        had, has = before.marks_on(total), after.marks_on(total)
        gained = count_points(total, has) - count_points(total, had)
        if had == has:
            continue
        if has < PAR_MARKS and not had:
            yield plural_message(
                "Begins the {total} with {count} cross: minus {penalty} until it has {par}.",
                "Begins the {total} with {count} crosses: minus {penalty} until it has {par}.",
                has,
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
        elif had < PAR_MARKS:
            yield message(
                "Completes {par} crosses on the {total}: plus {points} points.",
                par=PAR_MARKS,
                total=total,
                points=gained,
            )
        elif gained:
            yield message("Plus {points} points on the {total}.", points=gained, total=total)
        else:
            yield message("The {total} is full: its cross counts nothing.", total=total)


def _explain_fifth(before: ChoiceSheet, after: ChoiceSheet) -> Message:
    if before.fifth == after.fifth:
        return message("A free roll: no fifth die is crossed off.")
    new = next(row for row in after.fifth if row not in before.fifth)
    if len(before.fifth) < len(after.fifth) == FIFTH_ROWS:
        first, second, third = sorted(row.face for row in after.fifth)
        return message(
            "Makes {face} the last fifth die: from now on it is {first}, {second} or {third}, "
            "if the roll has one.",
            face=new.face,
            first=first,
            second=second,
            third=third,
        )
    if len(after.fifth) > len(before.fifth):
        return message(
            "Makes {face} fifth die number {count} of {most}.",
            face=new.face,
            count=len(after.fifth),
            most=FIFTH_ROWS,
        )
    if new.marks >= FIFTH_BOXES:
        return message("The fifth die {face} is full: the game ends here.", face=new.face)
    if new.marks == FIFTH_BOXES - 1:
        return message("One more fifth die {face} ends the game.", face=new.face)
    return message(
        "The fifth die {face} has {marks} of {boxes} crosses.",
        face=new.face,
        marks=new.marks,
        boxes=FIFTH_BOXES,
    )
