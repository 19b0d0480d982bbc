# SPDX-License-Identifier: MIT
"""What an event plays, in a sentence for people."""

from __future__ import annotations

from controller.base.languages.message import Message, message, plural_message
from controller.games import GAMES
from controller.tournament.entries.event_entries import EventBegun


def describe_format(begun: EventBegun) -> Message:
    """Return what is played, in a sentence."""
    game = GAMES[begun.game].title if begun.game in GAMES else begun.game
    if begun.style == "knock_out":
        return message("{game}, knock-out", game=game)
    if begun.style == "round_robin":
        return message("{game}: everybody meets everybody", game=game)
    if begun.style == "duplicate":
        return plural_message(
            "{game} in {count} game: everybody plays the same rolls",
            "{game} in {count} games: everybody plays the same rolls",
            begun.games,
            game=game,
        )
    return plural_message(
        "{game} in {count} round at tables of {size}",
        "{game} in {count} rounds at tables of {size}",
        begun.games,
        game=game,
        size=begun.table_size,
    )
