# SPDX-License-Identifier: MIT
"""
The games, and the registry that lists them.

A game is pure: a position is a frozen value, and `apply` returns the next one. Rolls arrive
as events, as actions do, so nothing here throws dice or knows a camera. The text of an
action is the same in code, records, journal, URLs and on the screen. A new game is a room
of its own and one line in `GAMES`.
"""

from __future__ import annotations

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.choice.game import CHOICE
from controller.games.free_dice.game import FREE_DICE
from controller.games.game import Game
from controller.games.wuerfelspiel.game import WUERFELSPIEL

GAMES: dict[str, Game] = {
    game.key: game for game in (CHOICE, BLACK_N_WHITE, WUERFELSPIEL, FREE_DICE)
}
"""Every game by its key, in the order of the lobby."""


def require_game(key: str) -> Game:
    """Return the game of this key; InputError if there is none."""
    if key not in GAMES:
        expected = message("one of {names}", names=", ".join(GAMES))
        raise InputError(expected=expected, found=repr(key), where="game")
    return GAMES[key]
