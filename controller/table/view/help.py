# SPDX-License-Identifier: MIT
"""The help of a table: the rules of the game in a few lines, and who settles a doubt."""

from __future__ import annotations

from controller.games import GAMES
from controller.games.contract import Options
from controller.games.ui import HelpPart, help_part
from controller.languages.message import message
from controller.table.view.types import HelpView


def build_help(game: str, options: Options) -> HelpView:
    """Return the help for a game that is played with these options."""
    parts = GAMES[game].ui.build_help(options)
    return {"title": GAMES[game].title, "parts": [*parts, _DOUBTED_ROLL]}


_DOUBTED_ROLL: HelpPart = help_part(
    message("If somebody doubts a roll"),
    message(
        "Press Review or R, or hold the left button for a second: "
        "the game waits while you look at it again."
    ),
    message("An official corrects it with the PIN. Choices made since then are taken back."),
)
