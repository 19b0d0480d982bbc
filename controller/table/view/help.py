# SPDX-License-Identifier: MIT
"""The help of a table: the rules of the game in a few lines, and who settles a doubt."""

from __future__ import annotations

from controller.base.languages.message import message
from controller.games import GAMES
from controller.games.contract import Options
from controller.games.ui import HelpPart, help_part
from controller.table.view.types import HelpView


def build_help(game: str, options: Options, *, has_coach: bool = False) -> HelpView:
    """
    Return the help for a game that is played with these options.

    Args:
        game: Its key.
        options: Its options.
        has_coach: Whether the lobby offers opponents and hints.
    """
    parts = [*GAMES[game].ui.build_help(options), _DOUBTED_ROLL]
    return {"title": GAMES[game].title, "parts": [*parts, _OPPONENTS] if has_coach else parts}


_DOUBTED_ROLL: HelpPart = help_part(
    message("If somebody doubts a roll"),
    message(
        "Press Review or R, or hold the left button for a second: "
        "the game waits while you look at it again."
    ),
    message("An official corrects it with the PIN. Choices made since then are taken back."),
)

_OPPONENTS: HelpPart = help_part(
    message("Opponents and training"),
    message(
        "Tap a seat to give it to an opponent of a grade. The table chooses for it after all "
        "people, and somebody throws its dice."
    ),
    message(
        "Training with hints: the button Hint shows the choices by their value. Such a game "
        "counts in no record."
    ),
)
