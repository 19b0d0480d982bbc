# SPDX-License-Identifier: MIT
"""What a choice of Black'n'White leads to, counted over all faces of the dice."""

from __future__ import annotations

from collections.abc import Sequence

from controller.base.languages.message import Message, message
from controller.games.black_n_white.notation import Result, Tens, rank
from controller.games.black_n_white.round import STOP
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.dice import FACES

_THROWS: Sequence[Result] = [(white, black) for white in FACES for black in FACES]


def explain_action(game: BlackNWhiteState, player: str, action: str) -> Message:
    """Return how often dice make a higher result, now or after another throw."""
    result = game.result_of(player)
    assert result is not None, "who chooses has a result"
    what, _, colour = action.partition(" ")
    if what == "tens":
        tens: Tens = "white" if colour == "white" else "black"
        return _count_higher(result, tens)
    if action == STOP:
        return _count_higher(result, game.tens)
    return _count_changes(result, game.tens, colour)


def _count_higher(result: Result, tens: Tens) -> Message:
    # Whoever stops while the tens are open says next which die gives them, for everybody.
    readings: Sequence[Tens] = (tens,) if tens else ("white", "black")
    higher = min(
        sum(rank(roll, each) > rank(result, each) for roll in _THROWS) for each in readings
    )
    return message(
        "{count} of {all} throws of both dice are higher.", count=higher, all=len(_THROWS)
    )


def _count_changes(result: Result, tens: Tens, colour: str) -> Message:
    white, black = result
    rolls = _THROWS
    if colour == "white":
        rolls = [(face, black) for face in FACES]
    elif colour == "black":
        rolls = [(white, face) for face in FACES]
    own, ranks = _best_rank(result, tens), [_best_rank(roll, tens) for roll in rolls]
    return message(
        "Of {all} throws {higher} are higher and {lower} lower.",
        all=len(rolls),
        higher=sum(one > own for one in ranks),
        lower=sum(one < own for one in ranks),
    )


def _best_rank(result: Result, tens: Tens) -> int:
    """Return the rank of a result; while the tens are open, the higher of both readings."""
    return rank(result, tens) if tens else max(rank(result, "white"), rank(result, "black"))
