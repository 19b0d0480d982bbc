# SPDX-License-Identifier: MIT
"""What a choice of Choice does to a sheet, in short sentences: only what the rules make of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.games.choice.jokers import JOKER_POINTS, TERMINATOR, parse_corrector
from controller.games.choice.notation import DICE_COUNT, TOTALS
from controller.games.choice.picking import classify_action
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import (
    FIFTH_BOXES,
    FIFTH_ROWS,
    PAR_MARKS,
    PENALTY,
    ChoiceSheet,
    FifthDieRow,
    count_points,
)
from controller.games.contract import ActionEvent
from controller.games.dice import FACES

_FEW_TOTALS = 3


def explain_action(game: ChoiceState, player: str, action: str) -> Message:
    """Return what an action does to this player's sheet, or to their dice."""
    if classify_action(action) == "joker":
        return chain_messages([_explain_joker(action), _explain_use()])
    before, after = game.sheet_of(player), game.apply(ActionEvent(player, action))
    sheet = after.sheet_of(player)
    parts = [*_explain_totals(before, sheet), *_explain_open(before, sheet)]
    parts += _explain_fifth(before, sheet)
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


def _explain_open(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    """Name the last totals without a cross, if the choice begins none of them."""
    was_open, is_open = (
        [total for total in TOTALS if not of.marks_on(total)] for of in (before, after)
    )
    if was_open == is_open and 0 < len(is_open) <= _FEW_TOTALS:
        yield message("Keeps {totals} open.", totals=join_words([*map(str, is_open)]))


def _explain_fifth(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    if before.fifth == after.fifth:
        yield message("A free roll: no fifth die is crossed off.")
        return
    new = next(row for row in after.fifth if row not in before.fifth)
    begun = len(after.fifth)
    if begun == len(before.fifth):
        yield _explain_cross(new)
    elif begun == FIFTH_ROWS:
        first, second, third = sorted(row.face for row in after.fifth)
        yield message(
            "Makes {face} the last fifth die: from now on it is {first}, {second} or {third}, "
            "if the roll has one.",
            face=new.face,
            first=first,
            second=second,
            third=third,
        )
    else:
        yield message(
            "Makes {face} fifth die number {count} of {most}.",
            face=new.face,
            count=begun,
            most=FIFTH_ROWS,
        )
        yield _explain_next(sorted(row.face for row in after.fifth))


def _explain_next(begun: Sequence[int]) -> Message:
    """Say how often a roll shows no fifth die that is begun, so that the next one must begin."""
    has_none = (1 - len(begun) / len(FACES)) ** DICE_COUNT
    return message(
        "In {rolls} of 100 rolls there is no {faces}: then number {next} begins.",
        rolls=round(100 * has_none),
        faces=join_words([*map(str, begun)], "or"),
        next=len(begun) + 1,
    )


def _explain_cross(row: FifthDieRow) -> Message:
    if row.marks >= FIFTH_BOXES:
        return message("The fifth die {face} is full: the game ends here.", face=row.face)
    if row.marks == FIFTH_BOXES - 1:
        return message("One more fifth die {face} ends the game.", face=row.face)
    return message(
        "The fifth die {face} has {marks} of {boxes} crosses.",
        face=row.face,
        marks=row.marks,
        boxes=FIFTH_BOXES,
    )
