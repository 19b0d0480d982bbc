# SPDX-License-Identifier: MIT
"""Entries about draws and the results of tables: when they are allowed, and what they do."""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

from controller.base.languages.message import message, plural_message
from controller.base.languages.shown_text import isolate_text
from controller.tournament.entries.check_in_entries import CheckInOpened
from controller.tournament.entries.draw_entries import (
    ByeAsked,
    DrawAnnounced,
    DrawEntry,
    DrawMade,
    DrawPublished,
    FixedTable,
    ForbiddenPair,
    PlayersSwapped,
    RoundTimed,
    TableResult,
    TableRuling,
)
from controller.tournament.entries.entry_base import PAIRED_STYLES
from controller.tournament.state.box_lines import LEAST_SEED_DICE
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import (
    SEED_ROLLS,
    compute_draw,
    compute_order,
    list_seeds,
    needs_dice,
)
from controller.tournament.state.refusal import (
    STYLE_NAMES,
    refuse_entry,
    require_accepted,
    require_enrolled,
    require_no_result,
    require_player,
    require_reason,
    require_style,
)
from controller.tournament.state.rounds import Round


def check_draw_entry(data: EventData, entry: DrawEntry) -> None:
    """Check that an entry follows from those before it; RefusedEntryError if it does not."""
    match entry:
        case FixedTable():
            require_style(data, ("tables",), entry.kind)
            require_player(data, entry.player, "fixed_table.player")
            if entry.table == data.rounds.fixed.get(entry.player, 0):
                expected = message("another table than now")
                raise refuse_entry("twice", expected, entry.table, "fixed_table.table")
        case ForbiddenPair():
            _check_forbidden_pair(data, entry)
        case ByeAsked():
            _check_bye_asked(data, entry)
        case DrawAnnounced():
            _check_announced(data, entry)
        case DrawMade():
            _check_draw(data, entry)
        case PlayersSwapped():
            _check_swap(data, entry)
        case DrawPublished():
            _check_published(data, entry)
        case RoundTimed():
            _check_timed(data, entry)
        case TableResult():
            _check_table_result(data, entry)
        case TableRuling():
            require_style(data, ("tables", *PAIRED_STYLES), entry.kind)
            require_enrolled(data, entry.cause.box, "table_ruling.cause")
            if entry.cause.link in data.decided:
                expected = message("a line that waits for a decision")
                raise refuse_entry("twice", expected, entry.cause.seq, "table_ruling.cause")
        case _:
            assert_never(entry)


def apply_draw_entry(data: EventData, entry: DrawEntry) -> None:
    """Change the event by an entry that was checked."""
    rounds = data.rounds
    match entry:
        case FixedTable():
            rounds.set_fixed(entry.player, entry.table)
        case ForbiddenPair():
            rounds.set_forbidden(entry.players, is_lifted=entry.is_lifted)
        case ByeAsked():
            rounds.set_asked(entry)
        case DrawAnnounced():
            rounds.announce(entry)
        case DrawMade():
            rounds.add_draft(entry)
        case PlayersSwapped():
            rounds.swap(entry)
        case DrawPublished():
            if data.event.style in ("knock_out", "round_robin"):
                data.bracket = compute_order(data, rounds.rounds[-1].faces)
            rounds.publish()
        case RoundTimed():
            rounds.published[-1].until_ms = entry.until_ms
        case TableResult():
            is_newest = entry.round == len(rounds.published)
            rounds.add_result(entry, counts=is_newest and data.result is None)
        case TableRuling():
            data.rulings.append(entry)
            data.decided.add(entry.cause.link)
        case _:
            assert_never(entry)


def _check_bye_asked(data: EventData, entry: ByeAsked) -> None:
    require_no_result(data, entry)
    require_style(data, ("swiss",), entry.kind)
    player = require_player(data, entry.player, "bye_asked.player")
    rounds, drawn = data.rounds, len(data.rounds.rounds)
    if not drawn < entry.round <= data.event.games or rounds.is_announced(entry.round):
        expected = message("a round that is neither announced nor drawn yet")
        raise refuse_entry("late", expected, entry.round, "bye_asked.round")
    if rounds.is_off(entry) != entry.is_lifted:
        expected = (
            message("a round that the player takes off")
            if entry.is_lifted
            else message("a round that the player plays")
        )
        raise refuse_entry("twice", expected, entry.round, "bye_asked.round")
    used = sum(entry.player in players for players in rounds.asked.values())
    if used >= data.event.half_byes and not entry.is_lifted:
        expected = plural_message(
            "at most {count} round off for a player",
            "at most {count} rounds off for a player",
            data.event.half_byes,
        )
        raise refuse_entry("rule", expected, player.name, "bye_asked.player")


def _check_forbidden_pair(data: EventData, entry: ForbiddenPair) -> None:
    require_style(data, ("tables", "swiss"), entry.kind)
    for player in entry.players:
        require_player(data, player, "forbidden_pair.players")
    is_forbidden = frozenset(entry.players) in data.rounds.forbidden
    if is_forbidden != entry.is_lifted:
        expected = (
            message("a forbidden pair") if entry.is_lifted else message("a pair that may meet")
        )
        names = " / ".join(data.people.find(player).name for player in entry.players)
        raise refuse_entry("twice", expected, names, "forbidden_pair.players")


def check_proposed_draw(data: EventData, entry: DrawEntry) -> None:
    """
    Check an entry by the tables' lines as they are when it is proposed.

    Later lines correct rolls, so a journal that is read again is not checked by them.

    Raises:
        RefusedEntryError: It announces a roll that has fallen, or leaves one out.
    """
    if isinstance(entry, DrawAnnounced):
        if entry.since < (known := data.boxes.lines_of(entry.box).next_seq):
            expected = message("a line after {line}", line=str(known - 1))
            raise refuse_entry("late", expected, entry.since, "draw_announced.since")
    elif isinstance(entry, DrawMade) and data.rounds.announced:
        if entry.sources != tuple(roll.source for roll in list_seeds(data)):
            expected = message("the next rolls after the announcement")
            raise refuse_entry("illegal", expected, message("others"), "draw.sources")


def _check_announced(data: EventData, entry: DrawAnnounced) -> None:
    if data.event.seeding != "announced" or not needs_dice(data):
        expected = message("a draw that dice decide after an announcement")
        found = STYLE_NAMES[data.event.style]
        raise refuse_entry("rule", expected, found, "draw_announced.round")
    require_next_round(data, entry)
    require_accepted(data, entry.box, "draw_announced.box")
    if data.rounds.list_steps(entry.round) and not entry.reason:
        expected = message("a reason: this round has been announced before")
        raise refuse_entry("twice", expected, message("none"), "draw_announced.reason")
    compute_draw(data, "")  # What cannot be drawn is refused before anybody throws.


def _check_draw(data: EventData, entry: DrawMade) -> None:
    require_next_round(data, entry)
    _check_dice(data, entry)
    drawn = compute_draw(data, entry.faces)
    if (entry.tables, entry.byes, entry.half_byes) != (drawn.tables, drawn.byes, drawn.half_byes):
        expected = message("the tables that the dice give")
        raise refuse_entry("illegal", expected, message("others"), "draw.tables")


def require_next_round(data: EventData, entry: DrawAnnounced | DrawMade | CheckInOpened) -> None:
    """Check that the round of an entry is the one that may be drawn now."""
    require_no_result(data, entry)
    require_style(data, ("tables", *PAIRED_STYLES), entry.kind)
    number, where = len(data.rounds.published) + 1, f"{entry.kind}.round"
    if entry.round != number:
        raise refuse_entry("order", str(number), entry.round, where)
    if data.event.style != "knock_out" and number > data.event.games:
        expected = message("a round from 1 to {most}", most=str(data.event.games))
        raise refuse_entry("closed", expected, entry.round, where)
    if data.rounds.published and not data.rounds.published[-1].is_complete:
        expected = message("the results of all tables of round {number}", number=str(number - 1))
        raise refuse_entry("early", expected, message("some are missing"), where)
    if data.rounds.checked_in is not None:
        expected = message("the end of the check-in first")
        raise refuse_entry("early", expected, message("an open one"), where)


def _check_dice(data: EventData, entry: DrawMade) -> None:
    if not needs_dice(data):
        if entry.faces or entry.sources:
            expected = message("no dice: the draw follows from the round before")
            raise refuse_entry("rule", expected, entry.faces, "draw.faces")
        return
    if not entry.faces or not entry.sources:
        raise refuse_entry("rule", message("the faces of dice"), message("none"), "draw.faces")
    links = [source.link for source in entry.sources]
    if data.event.seeding == "announced":
        used = {source.link for source in data.rounds.list_used()}
    else:
        used = {link for each in data.rounds.rounds for link in each.source_links}
    if used & set(links) or len(set(links)) < len(links):
        expected = message("rolls that seeded no draw yet")
        raise refuse_entry("twice", expected, message("one again"), "draw.sources")
    for source in entry.sources:
        require_accepted(data, source.box, "draw.sources")
    rolls = [data.boxes.find_roll(source) for source in entry.sources]
    thrown = "".join(roll.faces for roll in rolls if roll is not None)
    if None not in rolls and thrown != entry.faces:
        raise refuse_entry("illegal", thrown, entry.faces, "draw.faces")
    if data.event.seeding == "announced":
        _check_announced_dice(data, entry)


def _check_announced_dice(data: EventData, entry: DrawMade) -> None:
    """Check that the dice are the announced number of rolls, of the table and after its line."""
    announced = data.rounds.announced
    if announced is None:
        expected = message("an announcement of the rolls that decide")
        raise refuse_entry("early", expected, message("none"), "draw.sources")
    lines = [source.seq for source in entry.sources]
    is_of_table = all(data.boxes.is_same(each.box, announced.box) for each in entry.sources)
    is_after = all(one < two for one, two in pairwise((announced.since - 1, *lines)))
    rolls = filter(None, map(data.boxes.find_roll, entry.sources))
    is_enough = len(lines) == SEED_ROLLS and len(entry.faces) >= SEED_ROLLS * LEAST_SEED_DICE
    if not (is_of_table and is_after and is_enough and all(each.may_seed for each in rolls)):
        expected = message(
            "{rolls} rolls of {dice} dice or more, thrown at the announced table after the"
            " announcement and read by its camera",
            rolls=str(SEED_ROLLS),
            dice=str(LEAST_SEED_DICE),
        )
        raise refuse_entry("illegal", expected, message("others"), "draw.sources")


def _check_swap(data: EventData, entry: PlayersSwapped) -> None:
    require_style(data, ("tables",), entry.kind)
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


def _check_published(data: EventData, entry: DrawPublished) -> None:
    draft = _require_draft(data, entry.round, "published.round")
    withdrawn = data.people.list_withdrawn()
    if data.event.style in ("tables", "swiss"):
        missing = {*draft.list_seated(), *draft.byes} - data.people.list_present()
        missing |= {*draft.half_byes} & withdrawn
    else:
        missing = {*draft.list_seated()} & withdrawn
    if missing:
        gone = (data.people.find(player).name for player in sorted(missing)[:5])
        names = ", ".join(map(isolate_text, gone))
        expected = message("a draft with players who are here")
        raise refuse_entry("illegal", expected, names, "published.round")


def _check_timed(data: EventData, entry: RoundTimed) -> None:
    require_no_result(data, entry)
    published = data.rounds.published
    if entry.round != len(published) or not published or published[-1].is_complete:
        expected = message("the round that is being played")
        raise refuse_entry("closed", expected, entry.round, "round_clock.round")
    if entry.until_ms == published[-1].until_ms:
        expected = message("another time than now")
        raise refuse_entry("twice", expected, entry.until_ms, "round_clock.until_ms")


def _check_table_result(data: EventData, entry: TableResult) -> None:
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
    if entry.source is None or is_second:
        require_reason(entry, "twice", message("an official and a reason"))
    if entry.source is not None:
        require_enrolled(data, entry.source.box, "table_result.source")


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
