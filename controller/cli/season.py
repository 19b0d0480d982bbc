# SPDX-License-Identifier: MIT
"""`dicebell season`: costs of choices, or places, over several events, from their archives."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from controller.base.errors import InputError
from controller.base.languages.shown_text import isolate_text
from controller.cli.analyse import format_value
from controller.cli.arguments import Subparsers, whole_number_type
from controller.journal.hashchain import BrokenEntryError, Entry, decode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.tournament.archive.archive_reader import ArchiveReader, open_archive
from controller.tournament.archive.layout import EVENT_FOLDER, table_folder
from controller.tournament.results.play_costs.season import (
    SeasonRow,
    TableJournals,
    list_played,
    sum_season,
)
from controller.tournament.results.season_places import (
    EventShare,
    SeasonPlace,
    list_shares,
    sum_shares,
)
from controller.tournament.state.state import EventState

USUAL_CHOICES = 100
RowT = TypeVar("RowT")


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "season",
        help="say what everybody's choices cost over several events, or who leads the season",
        description=(
            "Judge all games of several events by the coach, and print what a choice of each"
            " person cost on average: the least first, people with few choices after them. With"
            " --places print the standings: the shares of the other players whom each person beat,"
            " added up. People are known by their keys, and without one by their names. The"
            " archives are not checked: that is `verify`."
        ),
        epilog="Exit status: 0 done, 2 wrong input.",
    )
    parser.add_argument(
        "archives", nargs="+", type=Path, metavar="ARCHIVE", help="written by `dicebell archive`"
    )
    parser.add_argument(
        "--choices",
        type=whole_number_type(1),
        default=USUAL_CHOICES,
        metavar="N",
        help="who made fewer is listed apart (%(default)s)",
    )
    parser.add_argument(
        "--places", action="store_true", help="print the standings, from the results of the events"
    )
    parser.add_argument(
        "--best",
        type=whole_number_type(1),
        default=0,
        metavar="N",
        help="with --places, only the N best events of each person count (all)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    if args.best and not args.places:
        raise InputError(expected="--places", found="none", where="--best")
    rows: Sequence[SeasonRow] | Sequence[SeasonPlace]
    if args.places:
        places = sum_shares([_read_event(path, _list_shares) for path in args.archives], args.best)
        rows, lines = places, [_describe_place(row) for row in places]
    else:
        costs = sum_season([_read_event(path, list_played) for path in args.archives])
        rows, lines = costs, _describe(costs, args.choices)
    if args.json:
        found = {"events": len(args.archives), "rows": [asdict(row) for row in rows]}
        lines = [json.dumps(found)]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _list_shares(state: EventState, tables: TableJournals) -> Iterator[EventShare]:
    return list_shares(state)


def _read_event(
    path: Path, list_rows: Callable[[EventState, TableJournals], Iterator[RowT]]
) -> list[RowT]:
    with open_archive(path) as archive:
        entries = _read_entries(archive, EVENT_FOLDER, path)
        keys = [table.key for table in archive.manifest.tables]
        tables = {key: _read_entries(archive, table_folder(key), path) for key in keys}
    state = EventState()
    try:
        state.apply_all(entries)
        return [*list_rows(state, tables)]
    except InputError as error:
        raise error.at(", ".join(filter(None, [str(path), error.where]))) from error


def _read_entries(archive: ArchiveReader, folder: str, path: Path) -> list[Entry]:
    content = archive.read(folder + JOURNAL_FILE) or b""
    entries = list[Entry]()
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            entries.append(decode_entry(line))
        except BrokenEntryError as error:
            where = f"{path}, {folder}{JOURNAL_FILE}, line {number}"
            raise InputError(expected="an entry", found=str(error), where=where) from error
    return entries


def _describe(rows: Sequence[SeasonRow], least: int) -> list[str]:
    lines: list[str] = []
    for game in dict.fromkeys(row.game for row in rows):
        own = [row for row in rows if row.game == game]
        lines.append(f"{game}: mean cost of a choice")
        lines += [_describe_row(row) for row in own if row.choices >= least]
        if few := [row for row in own if row.choices < least]:
            lines.append(f"  fewer than {least} choices:")
            lines += [_describe_row(row) for row in few]
    return lines or ["no game that a coach knows"]


def _describe_place(row: SeasonPlace) -> str:
    shares = " ".join(f"{share:.1f}" for share in row.shares)
    return f"{row.place:>4}. {row.score:>7.1f}  {_name(row.name, row.key)}: {shares}"


def _name(name: str, key: str) -> str:
    return f"{isolate_text(name)} ({key})" if key else isolate_text(name)


def _describe_row(row: SeasonRow) -> str:
    error = f" ± {format_value(row.unit, row.error)}" if row.error is not None else ""
    return (
        f"  {format_value(row.unit, row.cost):>7}{error}  {_name(row.name, row.key)}:"
        f" {row.choices} choices,"
        f" {100 * row.best:.0f}% the best, {row.games} games, {row.events} events"
    )
