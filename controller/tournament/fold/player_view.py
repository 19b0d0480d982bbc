# SPDX-License-Identifier: MIT
"""What a player's phone shows of a duplicate event, as plain values."""

from __future__ import annotations

from collections.abc import Mapping

from controller.games.contract import Json
from controller.tournament.duplicate import solo
from controller.tournament.duplicate.game import DuplicateGame
from controller.tournament.duplicate.roll import FieldRoll
from controller.tournament.register.event_data import EventData


def build_player_view(data: EventData, player: int) -> dict[str, Json]:
    """
    Return a player's part of the game that goes on or was the last.

    `roll` is null between rolls, `game` before the first one. `actions` are all legal ones;
    they are empty if the player has chosen, has finished, or waits for the reserve roll.
    """
    person = data.people.find(player)
    view: dict[str, Json] = {
        "player": player,
        "name": person.name,
        "is_away": person.is_away,
        "is_withdrawn": person.is_withdrawn,
        "game": None,
        "roll": None,
    }
    if not data.games:
        return view
    game = data.games[-1]
    position = game.sheet_of(player)
    roll = game.open_roll
    return {
        **view,
        "game": game.number,
        "is_open": game.is_open,
        "has_missed": game.has_missed(player),
        "is_finished": solo.is_finished(position),
        "total": game.totals.get(player),
        "sheet": position.sheet(solo.PLAYER),
        "roll": _describe_roll(game, roll, player) if roll else None,
        "last": _describe_last(game, player),
    }


def describe_field(roll: FieldRoll) -> list[dict[str, Json]]:
    """Return the choices of the whole field from a closed roll, the most frequent first."""
    return [{"do": list(do), "players": count} for do, count in roll.count_choices().items()]


def _describe_roll(game: DuplicateGame, roll: FieldRoll, player: int) -> Mapping[str, Json]:
    plays = game.is_playing(player, roll)
    chosen = roll.choices.get(player)
    dealt = game.deal(player) if plays else None
    awaits_reserve = dealt is not None and solo.is_waiting(dealt)
    actions = solo.list_actions(dealt) if dealt is not None and chosen is None else ()
    if roll.reserve is not None:
        actions = tuple(action for action in actions if action != solo.TERMINATOR)
    return {
        "number": roll.number,
        "faces": roll.faces,
        "reserve": roll.reserve.faces if roll.reserve and player in roll.asked else None,
        "until_ms": roll.deadline_of(player),
        "plays": plays,
        "chosen": list(chosen) if chosen else None,
        "awaits_reserve": awaits_reserve,
        "actions": [] if awaits_reserve else list(actions),
    }


def _describe_last(game: DuplicateGame, player: int) -> Mapping[str, Json] | None:
    """Return the last closed roll with what counted for the player, and what the field took."""
    closed = [roll for roll in game.rolls if not roll.is_open and not roll.is_annulled]
    if not closed:
        return None
    last = closed[-1]
    played = last.played.get(player)
    return {
        "number": last.number,
        "faces": last.faces,
        "do": list(played.do) if played else None,
        "is_automatic": played.is_automatic if played else False,
        "field": describe_field(last),
    }
