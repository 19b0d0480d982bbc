# SPDX-License-Identifier: MIT
"""Check proposed entries about the event itself, its tables and its players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games import require_game
from controller.games.contract import require_options
from controller.tournament.entries import event_entries, player_entries
from controller.tournament.entries.entry_base import EventEntry
from controller.tournament.state.duplicate.solo import start_sheet
from controller.tournament.state.event_data import EventData
from controller.tournament.state.people import Player
from controller.tournament.state.refusal import refuse_entry

PAIRED_STYLES = ("knock_out", "round_robin")


def check_begun(data: EventData, entry: event_entries.EventBegun, at_ms: int) -> None:
    if data.begun is not None:
        raise refuse_entry("twice", message("one event in a journal"), data.begun.name, "event")
    try:
        game = require_game(entry.game)
        require_options(entry.options, game.options)
        if entry.style == "duplicate":
            start_sheet(entry.game, entry.options)
    except InputError as error:
        where = f"event.{error.where}" if error.where else "event.game"
        raise refuse_entry("rule", error.expected, error.found, where) from error
    if entry.style in PAIRED_STYLES and game.players_range[0] > 2:
        raise refuse_entry("rule", message("a game for two"), entry.game, "event.game")
    if entry.tie_break == "costs" and entry.style != "duplicate":
        expected = message("a duplicate event")
        raise refuse_entry("rule", expected, entry.style, "event.tie_break")
    if entry.game == "dice":
        expected = message("a game with a result")
        raise refuse_entry("rule", expected, entry.game, "event.game")


def check_table(data: EventData, entry: event_entries.TableEnrolled, at_ms: int) -> None:
    table = data.boxes.find(entry.box)
    if table is not None and table.box != entry.box:
        expected = message("a table that has not got another key since")
        raise refuse_entry("closed", expected, entry.box, "enrolled.box")
    numbers = {each.number for each in data.boxes.list_tables() if each is not table}
    if entry.number in numbers:
        raise refuse_entry("twice", message("a free number"), entry.number, "enrolled.number")


def check_key_changed(data: EventData, entry: event_entries.KeyChanged, at_ms: int) -> None:
    _require_box(data, entry.box, "key_changed.box")
    other = data.boxes.find(entry.key)
    if other is not None and other.box != entry.box:
        expected = message("a key that no other table has")
        raise refuse_entry("twice", expected, entry.key, "key_changed.key")
    table = data.boxes.find(entry.box)
    assert table is not None
    if entry.key == (table.new_key or table.box):
        expected = message("another key than the one it showed last")
        raise refuse_entry("twice", expected, entry.key, "key_changed.key")


def check_key_accepted(data: EventData, entry: event_entries.KeyAccepted, at_ms: int) -> None:
    _require_box(data, entry.box, "key_accepted.box")
    table = data.boxes.find(entry.box)
    assert table is not None
    if not table.new_key or entry.key != table.new_key:
        expected = table.new_key or message("no key: the table shows its own")
        raise refuse_entry("unknown", expected, entry.key, "key_accepted.key")


def check_noted(data: EventData, entry: event_entries.TroubleNoted, at_ms: int) -> None:
    if data.boxes.find(entry.box) is None:
        raise refuse_entry("unknown", message("an enrolled table"), entry.box, "noted.box")
    if (entry.box, entry.trouble, entry.line) in data.noted:
        expected = message("what nobody has noted")
        raise refuse_entry("twice", expected, entry.line, "noted.line")


def check_joined(data: EventData, entry: player_entries.PlayerJoined, at_ms: int) -> None:
    require_no_result(data, entry)
    if entry.player != len(data.people) + 1:
        expected = str(len(data.people) + 1)
        raise refuse_entry("order", expected, entry.player, "joined.player")
    _check_name(data, entry.name, entry.player, "joined.name")
    if data.people.find_by_token(entry.token) is not None:
        raise refuse_entry("twice", message("a new phone"), entry.token[:8], "joined.token")
    if data.event.style in PAIRED_STYLES and data.rounds.published:
        expected = message("a player who joined before the first round")
        raise refuse_entry("late", expected, entry.name, "joined.name")
    if data.event.style == "tables" and data.rounds.published and not entry.by:
        expected = message("an official who lets a latecomer in")
        raise refuse_entry("late", expected, entry.name, "joined.by")


def check_renamed(data: EventData, entry: player_entries.PlayerRenamed, at_ms: int) -> None:
    require_player(data, entry.player, "renamed.player")
    _check_name(data, entry.name, entry.player, "renamed.name")


def check_token(data: EventData, entry: player_entries.TokenIssued, at_ms: int) -> None:
    require_player(data, entry.player, "token.player")
    if data.people.find_by_token(entry.token) is not None:
        raise refuse_entry("twice", message("a new phone"), entry.token[:8], "token.token")


def check_left(data: EventData, entry: player_entries.PlayerLeft, at_ms: int) -> None:
    player = require_player(data, entry.player, "left.player")
    if player.is_away:
        raise refuse_entry("twice", message("a player who is here"), player.name, "left.player")


def check_returned(data: EventData, entry: player_entries.PlayerReturned, at_ms: int) -> None:
    player = require_player(data, entry.player, "returned.player")
    if not player.is_away:
        expected = message("a player who left")
        raise refuse_entry("twice", expected, player.name, "returned.player")


def check_withdrawn(data: EventData, entry: player_entries.PlayerWithdrawn, at_ms: int) -> None:
    require_player(data, entry.player, "withdrawn.player")


def check_penalty(data: EventData, entry: event_entries.PenaltyGiven, at_ms: int) -> None:
    _require_known_player(data, entry.player, "penalty.player")
    if entry.points == 0:
        raise refuse_entry("rule", message("points other than 0"), 0, "penalty.points")


def check_forfeit(data: EventData, entry: event_entries.GameForfeited, at_ms: int) -> None:
    _require_known_player(data, entry.player, "forfeit.player")
    begun = len(data.games) or len(data.rounds.rounds)
    if entry.game > begun:
        expected = message("a game or round that has begun")
        raise refuse_entry("unknown", expected, entry.game, "forfeit.game")
    is_forfeited = entry.game in data.forfeits.get(entry.player, ())
    if is_forfeited != entry.is_lifted:
        expected = (
            message("a forfeit that can be lifted")
            if entry.is_lifted
            else message("a game that is not forfeited")
        )
        raise refuse_entry("twice", expected, entry.game, "forfeit.game")


def require_no_result(data: EventData, entry: EventEntry) -> None:
    """Refuse what would change an event whose final standings are out."""
    if data.result is not None:
        expected = message("an event without its result")
        raise refuse_entry("closed", expected, message("the result is out"), entry.kind)


def require_player(data: EventData, number: int, where: str) -> Player:
    """Return a player who has not withdrawn; refuse any other number."""
    _require_known_player(data, number, where)
    player = data.people.find(number)
    if player.is_withdrawn:
        expected = message("a player who has not withdrawn")
        raise refuse_entry("closed", expected, player.name, where)
    return player


def _require_known_player(data: EventData, number: int, where: str) -> None:
    if number not in data.people:
        expected = message("a player from 1 to {most}", most=str(len(data.people)))
        raise refuse_entry("unknown", expected, number, where)


def _require_box(data: EventData, box: str, where: str) -> None:
    table = data.boxes.find(box)
    if table is None or table.box != box:
        raise refuse_entry("unknown", message("an enrolled table"), box, where)


def _check_name(data: EventData, name: str, player: int, where: str) -> None:
    holder = data.people.find_by_name(name)
    if holder is not None and holder != player:
        raise refuse_entry("twice", message("a name that nobody has"), name, where)


Check: TypeAlias = Any
"""Takes the state, an entry of one kind, and its time; raises RefusedEntryError."""

CHECKS: Mapping[str, Check] = {
    "event": check_begun,
    "enrolled": check_table,
    "key_changed": check_key_changed,
    "key_accepted": check_key_accepted,
    "noted": check_noted,
    "joined": check_joined,
    "renamed": check_renamed,
    "token": check_token,
    "left": check_left,
    "returned": check_returned,
    "withdrawn": check_withdrawn,
    "penalty": check_penalty,
    "forfeit": check_forfeit,
}
