# SPDX-License-Identifier: MIT
"""
The steps of a request for dice: another program asks, a person throws once, the table is as before.

It is played as free dice, but it is no game: a parked game stays parked, the lobby stays as its
players set it up, and the roll that answers cannot be reviewed or corrected.
"""

from __future__ import annotations

from dataclasses import replace

from controller.table.events import DiceRequested
from controller.table.game_flow import end_game, start_game, start_position
from controller.table.state import Phase, TableState

FREE_DICE = "dice"  # The key of the game without rules, which a request is played as.

DICE_OPTION = "dice"  # The option of free dice for their number.


def start_request(state: TableState, request: DiceRequested) -> TableState:
    """Return the table that waits for requested dice; InputError for a wrong number or name."""
    position = start_position(FREE_DICE, (request.name,), {DICE_OPTION: request.dice})
    begun = start_game(state, FREE_DICE, position)
    return _keep_lobby(state, replace(begun, play=replace(begun.play, request=request)))


def answer_request(after_roll: TableState) -> TableState:
    """Return the table that shows the answer until somebody, or time, ends it."""
    assert after_roll.play.request is not None, "a request waits for dice"
    answered = replace(after_roll.play.request, is_answered=True)
    play = replace(after_roll.play, request=answered, last_roll=None, steps=())
    return replace(after_roll, phase=Phase.GAME_OVER, play=play)


def end_request(state: TableState) -> TableState:
    """Return the table as it was before the request."""
    return _keep_lobby(state, end_game(state))


def _keep_lobby(before: TableState, after: TableState) -> TableState:
    return replace(
        after,
        setup=before.setup,
        troubles=before.troubles,
        lobby=before.lobby,
        parked=before.parked,
    )
