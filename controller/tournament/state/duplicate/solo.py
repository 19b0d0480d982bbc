# SPDX-License-Identifier: MIT
"""
One player's game of a duplicate event, as a game of one by the rules of the table.

The engine of the game decides everything here: what is legal, what a joker does, when the game
is over. Dice that a corrector sets need no second throw, so they are given at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import message
from controller.games import require_game
from controller.games.contract import ActionEvent, GameState, Options, RollEvent, SharedRolls

PLAYER = "player"
"""The name in every game of one. It is the same for all, so equal positions are equal values."""

TERMINATOR = "terminator"  # The joker that needs another throw of the table.


def start_sheet(game: str, options: Options) -> GameState:
    """Return the position before the first roll; InputError if no field plays the game so."""
    rules = require_game(game)
    if not rules.chooses_together:
        expected = message("a game in which one roll is for everybody, such as choice")
        raise InputError(expected=expected, found=repr(game), where="game")
    return rules.start([PLAYER], options)


def is_finished(position: GameState) -> bool:
    return position.is_finished(PLAYER)


def count_total(position: GameState) -> int:
    """Return the result of the sheet as it would count now."""
    return position.totals()[PLAYER]


def give_roll(position: GameState, faces: str) -> GameState:
    """Return the position with the dice of the shared roll, or of the reserve roll."""
    return position.apply(RollEvent(PLAYER, faces))


def ask_reserve(position: GameState) -> GameState:
    """Return the position that waits for a reserve roll; IllegalActionError if it cannot."""
    return position.apply(ActionEvent(PLAYER, TERMINATOR))


def is_waiting(position: GameState) -> bool:
    """Return whether the position waits for a reserve roll."""
    return bool(position.faces) and not position.player_dice(PLAYER)


def list_actions(position: GameState) -> tuple[str, ...]:
    """Return all legal actions, with the Terminator as long as it is unused."""
    return position.legal_actions(PLAYER)


@lru_cache(maxsize=1024)
def play_actions(position: GameState, actions: tuple[str, ...]) -> GameState:
    """
    Return the position after a whole choice: jokers, then what is marked.

    It is kept a while: a choice is checked, then counted, then counted once it is durable.

    Raises:
        IllegalActionError: An action is not legal, needs a throw, or the choice is incomplete.
    """
    for action in actions:
        position = play_action(position, action)
    if position.faces:
        raise refuse_action(position, actions[-1] if actions else "nothing")
    return position


def play_action(position: GameState, action: str) -> GameState:
    """
    Return the position after one action of a choice, with the dice that it sets.

    Raises:
        IllegalActionError: It is not legal, or needs a throw.
    """
    after = position.apply(ActionEvent(PLAYER, action))
    if is_waiting(after):
        required = after.required_dice(PLAYER)
        if not required:
            raise refuse_action(position, action)
        after = give_roll(after, "".join(required))
    return after


def count_choices(position: GameState) -> Mapping[str, int]:
    """Return what the sheet counts after each choice; jokers that come before one are left out."""
    assert isinstance(position, SharedRolls), "a field plays no other game"
    return position.count_choices(PLAYER)


def turn_die(position: GameState, action: str) -> GameState:
    """
    Return the position with the dice that a corrector sets.

    Raises:
        IllegalActionError: The action is not legal, or no corrector.
    """
    after = position.apply(ActionEvent(PLAYER, action))
    required = after.required_dice(PLAYER) if after.faces else ()
    if not required:
        raise refuse_action(position, action)
    return give_roll(after, "".join(required))


def find_first_choice(position: GameState) -> tuple[str, ...]:
    """Return the first legal choice, in the order in which the game lists them."""
    return position.legal_actions(PLAYER)[:1]


def refuse_action(position: GameState, action: str) -> IllegalActionError:
    legal = [each for each in list_actions(position) if each != TERMINATOR]
    return IllegalActionError(player=PLAYER, action=action, expected=legal, state="duplicate")
