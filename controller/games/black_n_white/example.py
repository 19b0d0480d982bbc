# SPDX-License-Identifier: MIT
"""
The worked example of Black'n'White's booklet, for the help: one round of three players.

The text of the booklet does not name all of its drawn dice: the first black die and both doubles
are chosen here. Everything else follows from the rules.
"""

from __future__ import annotations

from functools import cache

from controller.base.languages.message import Message, message
from controller.games.black_n_white.round import Round
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.black_n_white.view import BlackNWhiteGameView
from controller.games.contract import ActionEvent, RollEvent
from controller.games.ui import ExampleStep, TurnContext, show_example

_PLAYERS = ("Ada", "Ben", "Cleo")
_CHIPS = 2


@cache
def build_example() -> tuple[ExampleStep, ...]:
    start = BlackNWhiteState(
        players=_PLAYERS,
        chips_per_player=_CHIPS,
        middle=_CHIPS * len(_PLAYERS),
        chips=(0,) * len(_PLAYERS),
        round=1,
        played=Round(tuple(range(len(_PLAYERS)))),
    )
    first = _play(start, "Ada", "w4 b2")
    second = _play(_play(first, "Ada", "throw black"), "Ada", "w4 b6")
    stopped = _play(_play(second, "Ada", "stop"), "Ada", "tens black")
    ben = _play(stopped, "Ben", "w3 b3")
    cleo = _play(_play(ben, "Ben", "stop"), "Cleo", "w6 b5")
    ended = _play(_play(cleo, "Cleo", "throw both"), "Cleo", "w2 b2")
    return (
        _show_step(
            first,
            "Ada",
            "throw black",
            message("Ada starts"),
            message("White 4 stays, black 2 is thrown again. Up to three throws are allowed."),
        ),
        _show_step(
            stopped,
            "Ada",
            "",
            message("Ada stops"),
            message("Black gives the tens: 64 in two throws."),
            message("That holds for all: black gives the tens, and nobody throws more than twice."),
        ),
        _show_step(
            ben,
            "Ben",
            "stop",
            message("Ben has a double"),
            message("Any double beats every house number. One throw was enough."),
        ),
        _show_step(
            cleo,
            "Cleo",
            "throw both",
            message("Cleo has 56"),
            message("Black gives the tens, so it is 56: less than 64. Both dice go again."),
        ),
        _show_step(
            ended,
            "",
            "",
            message("The round is over"),
            message("Cleo's second throw was a double 2, and a double beats 64."),
            message("Ada was lowest, takes a chip from the middle and starts the next round."),
        ),
    )


def _play(position: BlackNWhiteState, by: str, what: str) -> BlackNWhiteState:
    is_roll = what.startswith("w")
    return position.apply(RollEvent(by, what) if is_roll else ActionEvent(by, what))


def _show_step(
    position: BlackNWhiteState, player: str, action: str, heading: Message, *lines: Message
) -> ExampleStep:
    """Return a step with this player's dice; without an action there is no choice."""
    faces = (position.result_of(player) if player else None) or ()
    turn = TurnContext(
        chooser=player if action else None, is_choosing=bool(action), faces=faces, action=action
    )
    dice = list(zip(faces, ("light", "dark"), strict=False))
    return show_example(BlackNWhiteGameView(position, turn), position, dice, heading, *lines)
