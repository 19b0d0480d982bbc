# SPDX-License-Identifier: MIT
"""
The worked example of Choice's booklet, for the help.

The booklet has three of four rolls with their choices, and a finished sheet. Of the second roll it
has only the sums; the dice here fit them. Every sheet follows from the rules or counts by them.
"""

from __future__ import annotations

from functools import cache

from controller.base.languages.message import Message, message
from controller.games.choice.notation import TOTALS
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet, FifthDieRow
from controller.games.choice.view import ChoiceGameView
from controller.games.contract import ActionEvent, RollEvent
from controller.games.ui import ExampleStep, TurnContext, show_example

_PLAYER = "Ada"
_SECOND = ("23466", "9+10/2")
_FINISHED = ChoiceSheet(
    tuple({2: 4, 4: 6, 5: 5, 6: 6, 8: 9, 9: 7, 10: 9}.get(total, 0) for total in TOTALS),
    (FifthDieRow(4, 8), FifthDieRow(2, 7), FifthDieRow(5, 7)),
)


@cache
def build_example() -> tuple[ExampleStep, ...]:
    empty = ChoiceState((_PLAYER,), (ChoiceSheet(),))
    first, one = _show_choice(
        empty,
        "13446",
        "4+10/4",
        message("Roll {number}", number=1),
        message("1 + 3 = 4 and 4 + 6 = 10: each sum gets a cross."),
        message("The 4 that is left is the first fifth die."),
    )
    third, two = _show_choice(
        _play(one, *_SECOND),
        "12245",
        "4+5/5",
        message("Roll {number}", number=3),
        message("Roll 2 gave the sums 9 and 10, and the fifth die 2."),
        message("Now 2 + 2 = 4 and 1 + 4 = 5. The 5 is the third fifth die."),
        message("From now on 4, 2 or 5 must be left out wherever one lies."),
    )
    fourth, _ = _show_choice(
        two,
        "13366",
        "4+9/6",
        message("Roll 4: a free roll"),
        message("No 4, 2 or 5 lies there: leave out any die, without a cross."),
        message("1 + 3 = 4 and 3 + 6 = 9. The 6 is left out."),
    )
    return first, third, fourth, _show_end()


def _play(position: ChoiceState, roll: str, action: str) -> ChoiceState:
    return position.apply(RollEvent(_PLAYER, roll)).apply(ActionEvent(_PLAYER, action))


def _show_choice(
    position: ChoiceState, roll: str, action: str, heading: Message, *lines: Message
) -> tuple[ExampleStep, ChoiceState]:
    """Return a choice before it is confirmed, and the position after it."""
    rolled = position.apply(RollEvent(_PLAYER, roll))
    turn = TurnContext(chooser=_PLAYER, is_choosing=True, faces=rolled.faces, action=action)
    dice = [(face, "light") for face in rolled.faces]
    view = ChoiceGameView(rolled, turn)
    return show_example(view, rolled, dice, heading, *lines), _play(position, roll, action)


def _show_end() -> ExampleStep:
    ended = ChoiceState((_PLAYER,), (_FINISHED,))
    return show_example(
        ChoiceGameView(ended, TurnContext()),
        ended,
        (),
        message("The end"),
        message("The 4 has its eighth cross as fifth die: Ada's game is over."),
        message("The 8 has nine crosses, four after the fifth: 4 × 40 = 160 points."),
        message("The 2 has only four: −200. The 5 has five, which counts 0."),
        message("60 + 40 + 160 + 100 + 240 − 200 = 400"),
    )
