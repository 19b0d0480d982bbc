# SPDX-License-Identifier: MIT
"""Entries about the event, its tables and its result: when they are allowed, what they do."""

from __future__ import annotations

from typing import assert_never

from controller.base.errors import InputError
from controller.base.languages.message import join_words, message
from controller.games import require_game
from controller.games.contract import require_options
from controller.tournament.entries.codec import encode_body
from controller.tournament.entries.entry_base import MATCH_STYLES, PAIRED_STYLES
from controller.tournament.entries.event_entries import (
    AboutEvent,
    EventBegun,
    EventResult,
    GameForfeited,
    KeyAccepted,
    KeyChanged,
    PenaltyGiven,
    TableEnrolled,
    TroubleNoted,
)
from controller.tournament.standings.event_scores import compute_standings
from controller.tournament.state.boxes import EnrolledTable
from controller.tournament.state.duplicate.solo import start_sheet
from controller.tournament.state.event_data import EventData
from controller.tournament.state.refusal import (
    refuse_entry,
    require_enrolled,
    require_known_player,
    require_no_result,
)

_MATCHES = (MATCH_STYLES, join_words(MATCH_STYLES, "or"))
_SWISS = (("swiss",), "swiss")
_DUPLICATE = (("duplicate",), message("a duplicate event"))
_DRAWN = (("tables", *PAIRED_STYLES), message("an event with draws"))
_OPTIONS_OF_STYLES = (
    ("tie_breaks", *_MATCHES),
    ("bye", *_MATCHES),
    ("late", *_SWISS),
    ("half_byes", *_SWISS),
    ("tie_break", *_DUPLICATE),
    ("absence", *_DUPLICATE),
    ("seeding", *_DRAWN),
    ("round_end", *_DRAWN),
)
"""Options that stand only where they count: their styles, and those in words."""


def check_event_entry(data: EventData, entry: AboutEvent) -> None:
    """Check that an entry follows from those before it; RefusedEntryError if it does not."""
    match entry:
        case EventBegun():
            _check_begun(data, entry)
        case TableEnrolled():
            _check_enrolled(data, entry)
        case KeyChanged():
            _check_key_changed(data, entry)
        case KeyAccepted():
            table = _require_table(data, entry.box, "key_accepted.box")
            if not table.new_key or entry.key != table.new_key:
                expected = table.new_key or message("no key: the table shows its own")
                raise refuse_entry("unknown", expected, entry.key, "key_accepted.key")
        case TroubleNoted():
            require_enrolled(data, entry.box, "noted.box")
            if (entry.box, entry.trouble, entry.line) in data.noted:
                expected = message("what nobody has noted")
                raise refuse_entry("twice", expected, entry.line, "noted.line")
        case PenaltyGiven():
            require_known_player(data, entry.player, "penalty.player")
            if entry.points == 0:
                raise refuse_entry("rule", message("points other than 0"), 0, "penalty.points")
        case GameForfeited():
            _check_forfeit(data, entry)
        case EventResult():
            _check_result(data, entry)
        case _:
            assert_never(entry)


def apply_event_entry(data: EventData, entry: AboutEvent) -> None:
    """Change the event by an entry that was checked."""
    match entry:
        case EventBegun():
            data.begun = entry
        case TableEnrolled():
            data.boxes.add(entry.box, entry.number, entry.name)
        case KeyChanged():
            data.boxes.show_key(entry.box, entry.key)
        case KeyAccepted():
            data.boxes.accept_key(entry.box, entry.key)
        case TroubleNoted():
            data.noted.add((entry.box, entry.trouble, entry.line))
        case PenaltyGiven():
            data.penalties.append(entry)
        case GameForfeited():
            data.forfeited.append(entry)
            if entry.is_lifted:
                data.forfeits[entry.player].discard(entry.game)
            else:
                data.forfeits[entry.player].add(entry.game)
        case EventResult():
            data.result = entry
        case _:
            assert_never(entry)


def _check_begun(data: EventData, entry: EventBegun) -> None:
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
    written = encode_body(entry)  # Without the options that have their default.
    for key, styles, expected in _OPTIONS_OF_STYLES:
        if key in written and entry.style not in styles:
            raise refuse_entry("rule", expected, entry.style, f"event.{key}")
    if entry.game == "dice":
        expected = message("a game with a result")
        raise refuse_entry("rule", expected, entry.game, "event.game")


def _check_enrolled(data: EventData, entry: TableEnrolled) -> None:
    table = data.boxes.find(entry.box)
    if table is not None and table.box != entry.box:
        expected = message("a table that has not got another key since")
        raise refuse_entry("closed", expected, entry.box, "enrolled.box")
    numbers = {each.number for each in data.boxes.list_tables() if each is not table}
    if entry.number in numbers:
        raise refuse_entry("twice", message("a free number"), entry.number, "enrolled.number")


def _check_key_changed(data: EventData, entry: KeyChanged) -> None:
    table = _require_table(data, entry.box, "key_changed.box")
    other = data.boxes.find(entry.key)
    if other is not None and other.box != entry.box:
        expected = message("a key that no other table has")
        raise refuse_entry("twice", expected, entry.key, "key_changed.key")
    if entry.key == (table.new_key or table.box):
        expected = message("another key than the one it showed last")
        raise refuse_entry("twice", expected, entry.key, "key_changed.key")


def _check_forfeit(data: EventData, entry: GameForfeited) -> None:
    require_known_player(data, entry.player, "forfeit.player")
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


def _check_result(data: EventData, entry: EventResult) -> None:
    require_no_result(data, entry)
    if data.open_game is not None:
        found = message("game {number}, still open", number=str(data.open_game.number))
        raise refuse_entry("early", message("no open game"), found, "result.places")
    published = data.rounds.published
    if published and not published[-1].is_complete:
        expected = message(
            "the results of all tables of round {number}", number=str(len(published))
        )
        raise refuse_entry("early", expected, message("some are missing"), "result.places")
    if missing := data.list_without_costs():
        expected = message("what the choices of game {number} cost", number=str(missing[0].number))
        found = message("nothing yet: the coach is still at work")
        raise refuse_entry("early", expected, found, "result.places")
    if entry.places != compute_standings(data).list_places():
        expected = message("the standings that follow from the journal")
        raise refuse_entry("illegal", expected, message("others"), "result.places")


def _require_table(data: EventData, box: str, where: str) -> EnrolledTable:
    """Return the table that signs with this key; refuse any other key."""
    table = data.boxes.find(box)
    if table is None or table.box != box:
        raise refuse_entry("unknown", message("an enrolled table"), box, where)
    return table
