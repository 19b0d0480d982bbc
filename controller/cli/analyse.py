# SPDX-License-Identifier: MIT
"""
`dicebell analyse`: how much of a game was luck, and what each choice cost.

A file that is no record is reported on standard error; the others are still analysed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.base.errors import InputError
from controller.base.languages.shown_text import isolate_text
from controller.cli.arguments import Subparsers, print_line, whole_number_type
from controller.cli.replay import open_record
from controller.coach.account import GameAccount, PlayerAccount, build_account
from controller.coach.account_codec import encode_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Unit
from controller.coach.skill import SkillSummary, summarize_skill
from controller.journal.journal import read_journal
from controller.journal.records.from_journal import (
    JournalGame,
    JournalGames,
    export_record,
    select_game,
)
from controller.journal.records.replay import RecordedGame, read_record


@dataclass(frozen=True, slots=True)
class _Analysis:
    """A record by its name, its account, and what sets it apart from other games."""

    name: str
    account: GameAccount
    kind: str


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "analyse",
        help="say how much of a game was luck, and what each choice cost",
        description=(
            "Compare each choice of a game with the best one, and separate luck from play. Takes"
            " records and data folders of tables, which may be running meanwhile; of a folder"
            " all finished games. Several games of a person are summed up."
        ),
        epilog="Exit status: 0 done, 2 when a file is no record or nobody knows its game.",
    )
    parser.add_argument(
        "records",
        nargs="+",
        type=Path,
        metavar="RECORD",
        help="a game record (JSON Lines), or the data folder of a table",
    )
    parser.add_argument(
        "--game", type=whole_number_type(1), metavar="N", help="only this game of a data folder"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="do not look one roll or turn further, as the table's pages and reports do",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a game")


def run(args: argparse.Namespace) -> int:
    status, done = 0, list[_Analysis]()
    for path in args.records:
        try:
            for name, game, kind in _list_games(path, args.game):
                account = _analyse(name, game, is_deeper=not args.quick)
                done.append(_Analysis(name, account, kind))
                encoded = json.dumps({"file": name, **encode_account(account)})
                print_line(encoded if args.json else _describe(done[-1]))
        except InputError as error:
            text = f"dicebell analyse: {error}\n"
            sys.stderr.write(text)
            status = 2
    if len(done) > 1:
        rows = _summarize(done)
        print_line(_encode_summary(rows) if args.json else _describe_summary(rows))
    return status


def _list_games(path: Path, number: int | None) -> Iterator[tuple[str, RecordedGame, str]]:
    """Yield the games of a record or of a data folder, each with its name and kind."""
    if not path.is_dir():
        yield str(path), open_record(str(path), read_record), ""
        return
    games: Sequence[JournalGame] = JournalGames(read_journal(path).entries)
    chosen = [game for game in games if game.result] if number is None else []
    for game in chosen or [select_game(games, number)]:
        lines = export_record(game).encode().splitlines(keepends=True)
        yield f"{path}, game {game.number}", read_record(lines), _name_kind(game)


def _name_kind(game: JournalGame) -> str:
    """Return `training` for a game with hints, `opponents` for one against the table."""
    if game.begun.hints:
        return "training"
    return "opponents" if game.begun.opponents else ""


def _analyse(name: str, game: RecordedGame, *, is_deeper: bool) -> GameAccount:
    coach = find_coach(game.game, game.start.options, is_deeper=is_deeper)
    if coach is None:
        raise InputError(expected="a game that a coach knows", found=game.game, where=name)
    return build_account(coach, game.start, game.events)


def _describe(analysis: _Analysis) -> str:
    account = analysis.account
    end = "finished" if account.is_finished else "not finished"
    width = max(len("player"), *(len(isolate_text(player.name)) for player in account.players))
    lines = [f"{analysis.name}: {account.game}, {end}; {_describe_certainty(account)}"]
    lines.append(
        f"  {'player':<{width}} {'start':>8} {'luck':>8} {'play':>8} {'others':>8}"
        f" {'unexplained':>11} {'result':>8} {'without luck':>13}"
    )
    for seat, player in enumerate(account.players):
        lines.append(
            f"  {isolate_text(player.name):<{width}} {_show(account, player.start):>8}"
            f" {_show(account, player.luck, '+'):>8} {_show(account, player.play, '+'):>8}"
            f" {_show(account, player.others, '+'):>8} {_show(account, player.rest, '+'):>11}"
            f" {_show(account, player.final):>8} {_show(account, player.adjusted):>13}"
        )
        for choice in account.list_dearest(seat):
            dice = account.rolls[choice.roll - 1].dice
            lines.append(
                f"  {'':<{width}}   roll {choice.roll} ({dice}): {choice.chosen},"
                f" best {choice.best}: {_show(account, -choice.cost, '+')}"
            )
    return "\n".join(lines)


def _describe_certainty(account: GameAccount) -> str:
    if not account.equal_below:
        return "exact"
    return f"best known, costs below {account.equal_below:g} {account.unit} count as none"


def _show(account: GameAccount, value: float, sign: str = "") -> str:
    """Return a value in points, or in percent of a chance."""
    return format_value(account.unit, value, sign)


def format_value(unit: str, value: float, sign: str = "") -> str:
    """Return a value with its unit; `sign` is `+` to show that of a gain too."""
    if unit == Unit.CHANCE.value:
        return f"{100 * value:{sign}.1f}%"
    return f"{value:{sign}.1f}"


_Row = tuple[str, str, str, str, SkillSummary]


def _summarize(done: Sequence[_Analysis]) -> list[_Row]:
    """Return a row for each person and kind of game: name, game, kind, unit and the sums."""
    found: dict[tuple[str, str, str, str, str], list[PlayerAccount]] = {}
    for analysis in done:
        account = analysis.account
        if account.is_finished:
            for player in account.players:
                key = (player.name, account.game, analysis.kind, account.unit, account.weights)
                found.setdefault(key, []).append(player)
    return [(*key[:4], summarize_skill(games)) for key, games in found.items()]


def _encode_summary(rows: Sequence[_Row]) -> str:
    keys = ("name", "game", "kind", "unit")
    summary = [dict(zip(keys, row[:4], strict=True)) | asdict(row[4]) for row in rows]
    return json.dumps({"summary": summary})


def _describe_summary(rows: Sequence[_Row]) -> str:
    lines = ["all finished games:"]
    for name, game, kind, unit, sums in rows:
        error = f" ± {format_value(unit, sums.error)}" if sums.error is not None else ""
        what = f"{game} ({kind})" if kind else game
        lines.append(
            f"  {isolate_text(name)}, {what}: {sums.games} games,"
            f" mean result {format_value(unit, sums.result)},"
            f" luck {format_value(unit, sums.luck, '+')},"
            f" without luck {format_value(unit, sums.adjusted)}{error},"
            f" {format_value(unit, sums.cost)} lost a choice"
        )
    return "\n".join(lines)
