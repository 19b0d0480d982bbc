# SPDX-License-Identifier: MIT
"""Check proposed entries about draws, the results of tables, and the final standings."""

from __future__ import annotations

from collections.abc import Mapping

from controller.base.languages.message import message
from controller.base.languages.shown_text import isolate_text
from controller.tournament.entries.draw_entries import (
    DrawMade,
    DrawPublished,
    FixedTable,
    ForbiddenPair,
    PlayersSwapped,
    TableResult,
    TableRuling,
)
from controller.tournament.entries.entry_base import EventEntry
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.standings.event_scores import compute_standings
from controller.tournament.state.check_people import (
    PAIRED_STYLES,
    Check,
    require_no_result,
    require_player,
)
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import compute_draw, needs_dice
from controller.tournament.state.refusal import refuse_entry
from controller.tournament.state.rounds import Round


def check_fixed_table(data: EventData, entry: FixedTable, at_ms: int) -> None:
    _require_style(data, entry, ("tables",))
    require_player(data, entry.player, "fixed_table.player")
    if entry.table == data.rounds.fixed.get(entry.player, 0):
        expected = message("another table than now")
        raise refuse_entry("twice", expected, entry.table, "fixed_table.table")


def check_forbidden_pair(data: EventData, entry: ForbiddenPair, at_ms: int) -> None:
    _require_style(data, entry, ("tables",))
    for player in entry.players:
        require_player(data, player, "forbidden_pair.players")
    is_forbidden = frozenset(entry.players) in data.rounds.forbidden
    if is_forbidden != entry.is_lifted:
        expected = (
            message("a forbidden pair") if entry.is_lifted else message("a pair that may meet")
        )
        names = " / ".join(data.people.find(player).name for player in entry.players)
        raise refuse_entry("twice", expected, names, "forbidden_pair.players")


def check_draw(data: EventData, entry: DrawMade, at_ms: int) -> None:
    require_no_result(data, entry)
    _require_style(data, entry, ("tables", *PAIRED_STYLES))
    number = len(data.rounds.published) + 1
    if entry.round != number:
        raise refuse_entry("order", str(number), entry.round, "draw.round")
    if data.event.style != "knock_out" and number > data.event.games:
        expected = message("a round from 1 to {most}", most=str(data.event.games))
        raise refuse_entry("closed", expected, entry.round, "draw.round")
    if data.rounds.published and not data.rounds.published[-1].is_complete:
        expected = message("the results of all tables of round {number}", number=str(number - 1))
        raise refuse_entry("early", expected, message("some are missing"), "draw.round")
    _check_dice(data, entry)
    drawn = compute_draw(data, entry.faces)
    if entry.tables != drawn.tables or entry.byes != drawn.byes:
        expected = message("the tables that the dice give")
        raise refuse_entry("illegal", expected, message("others"), "draw.tables")


def check_swap(data: EventData, entry: PlayersSwapped, at_ms: int) -> None:
    _require_style(data, entry, ("tables",))
    draft = _require_draft(data, entry.round, "swap.round")
    seated = {*draft.list_seated(), *draft.byes}
    for player in entry.players:
        if player not in seated:
            expected = message("players of the draft")
            raise refuse_entry("unknown", expected, player, "swap.players")
    one, other = entry.players
    if any({one, other} <= set(table) for table in draft.tables):
        expected = message("players of different tables")
        raise refuse_entry("rule", expected, f"{one}, {other}", "swap.players")


def check_published(data: EventData, entry: DrawPublished, at_ms: int) -> None:
    draft = _require_draft(data, entry.round, "published.round")
    players = data.people.list_players()
    if data.event.style == "tables":
        missing = {*draft.list_seated()} - data.people.list_present()
    else:
        missing = {each.number for each in players if each.is_withdrawn} & {*draft.list_seated()}
    if missing:
        gone = (data.people.find(player).name for player in sorted(missing)[:5])
        names = ", ".join(map(isolate_text, gone))
        expected = message("a draft with players who are here")
        raise refuse_entry("illegal", expected, names, "published.round")


def check_table_result(data: EventData, entry: TableResult, at_ms: int) -> None:
    rounds = data.rounds.published
    if not 1 <= entry.round <= len(rounds):
        expected = message("a published round")
        raise refuse_entry("unknown", expected, entry.round, "table_result.round")
    played = rounds[entry.round - 1]
    if entry.table > len(played.tables):
        expected = message("a table from 1 to {most}", most=str(len(played.tables)))
        raise refuse_entry("unknown", expected, entry.table, "table_result.table")
    seats = played.tables[entry.table - 1]
    if len(entry.points) != len(seats):
        expected = message("{count} results", count=str(len(seats)))
        raise refuse_entry("rule", expected, len(entry.points), "table_result.points")
    if not set(entry.losers) <= set(seats):
        expected = message("players of the table")
        raise refuse_entry("unknown", expected, str(entry.losers), "table_result.losers")
    _check_losers(data, entry, len(seats))
    is_second = entry.table in played.recorded
    if (entry.source is None or is_second) and not (entry.by and entry.reason):
        expected = message("an official and a reason")
        raise refuse_entry("twice", expected, message("none"), "table_result.by")
    if entry.source is not None and data.boxes.find(entry.source.box) is None:
        expected = message("an enrolled table")
        raise refuse_entry("unknown", expected, entry.source.box, "table_result.source")


def check_table_ruling(data: EventData, entry: TableRuling, at_ms: int) -> None:
    _require_style(data, entry, ("tables", *PAIRED_STYLES))
    if data.boxes.find(entry.cause.box) is None:
        expected = message("an enrolled table")
        raise refuse_entry("unknown", expected, entry.cause.box, "table_ruling.cause")
    if entry.cause.link in data.decided:
        expected = message("a line that waits for a decision")
        raise refuse_entry("twice", expected, entry.cause.seq, "table_ruling.cause")


def check_result(data: EventData, entry: EventResult, at_ms: int) -> None:
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
    places = compute_standings(data).list_places()
    if entry.places != places:
        expected = message("the standings that follow from the journal")
        raise refuse_entry("illegal", expected, message("others"), "result.places")


def _check_losers(data: EventData, entry: TableResult, seats: int) -> None:
    where = "table_result.losers"
    if data.event.style == "knock_out" and len(entry.losers) != 1:
        raise refuse_entry("rule", message("one loser"), len(entry.losers), where)
    if data.event.game == "black-n-white":
        if not 1 <= len(entry.losers) < seats:
            expected = message("the player who lost")
            raise refuse_entry("rule", expected, len(entry.losers), where)
    elif data.event.style != "knock_out" and entry.losers:
        expected = message("no losers: points decide")
        raise refuse_entry("rule", expected, len(entry.losers), where)


def _check_dice(data: EventData, entry: DrawMade) -> None:
    if not needs_dice(data):
        if entry.faces or entry.sources:
            expected = message("no dice: the draw follows from the round before")
            raise refuse_entry("rule", expected, entry.faces, "draw.faces")
        return
    if not entry.faces or not entry.sources:
        raise refuse_entry("rule", message("the faces of dice"), message("none"), "draw.faces")
    links = [source.link for source in entry.sources]
    used = {link for each in data.rounds.rounds for link in each.source_links}
    if used & set(links) or len(set(links)) < len(links):
        expected = message("rolls that seeded no draw yet")
        raise refuse_entry("twice", expected, message("one again"), "draw.sources")
    for source in entry.sources:
        if data.boxes.is_still(source.box):
            expected = message("an enrolled table with an accepted key")
            raise refuse_entry("unknown", expected, source.box, "draw.sources")
    rolls = [data.boxes.find_roll(source) for source in entry.sources]
    thrown = "".join(roll.faces for roll in rolls if roll is not None)
    if None not in rolls and thrown != entry.faces:
        raise refuse_entry("illegal", thrown, entry.faces, "draw.faces")


def _require_draft(data: EventData, number: int, where: str) -> Round:
    draft = data.rounds.draft
    if draft is None or draft.number != number:
        expected = (
            message("round {number}, which is a draft", number=str(draft.number))
            if draft
            else message("a draft")
        )
        raise refuse_entry("closed", expected, number, where)
    return draft


def _require_style(data: EventData, entry: EventEntry, styles: tuple[str, ...]) -> None:
    if data.event.style not in styles:
        expected = message("an event with draws")
        raise refuse_entry("rule", expected, data.event.style, entry.kind)


CHECKS: Mapping[str, Check] = {
    "fixed_table": check_fixed_table,
    "forbidden_pair": check_forbidden_pair,
    "draw": check_draw,
    "swap": check_swap,
    "published": check_published,
    "table_result": check_table_result,
    "table_ruling": check_table_ruling,
    "result": check_result,
}
