# SPDX-License-Identifier: MIT
"""`dicebell history`: games, players and dice of a table, also while it is running."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from controller.base.errors import InputError, refuse_os_errors
from controller.base.languages.shown_text import isolate_text
from controller.base.moments import format_moment
from controller.base.settings import load_settings
from controller.cli.arguments import (
    Subparsers,
    parse_folder,
    require_data_folder,
    whole_number_type,
)
from controller.cli.config_args import find_config
from controller.history.history import TableHistory
from controller.history.views import DiceStatistics, GameRolls, GameSummary, PlayerStatistics
from controller.journal.journal import JOURNAL_FILE

_EVERY_GAME = 1 << 31


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "history",
        help="list the games of a table, its players and their records, and its dice",
        description=(
            "List the games of a table, its players and their records, and its dice; or one game"
            " roll by roll, or everything about one player. The table may be running meanwhile;"
            " nothing in its folder is changed."
        ),
        epilog=(
            "Exit status: 0 done, 1 when the journal does not verify, 2 when there is no such"
            " journal, game or player."
        ),
    )
    add_history_arguments(parser)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--player", metavar="NAME", help="everything about this player")
    only.add_argument(
        "--game", type=whole_number_type(1), metavar="N", help="this game, roll by roll"
    )


def run(args: argparse.Namespace) -> int:
    history = open_history(args)
    if history is None:
        return 1
    answer = _select(history, args.game, args.player)
    as_json = json.dumps({"data": str(args.data), **_as_plain(answer)}) + "\n"
    sys.stdout.write(as_json if args.json else _as_text(answer))
    return 0


def add_history_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the folder of a history and for the form of the answer."""
    parser.add_argument(
        "data",
        nargs="?",
        type=parse_folder,
        metavar="DATA",
        help="the data folder of a table (from the settings)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def open_history(args: argparse.Namespace) -> TableHistory | None:
    """Return a folder's history, only read; None, with a line, if broken, InputError if missing."""
    args.data = args.data or load_settings(find_config(None)).data.folder
    require_data_folder(args.data)
    path = args.data / JOURNAL_FILE
    if not path.exists():
        raise InputError(expected="a journal", found="none", where=str(args.data))
    history = TableHistory(args.data, in_memory=True)
    with refuse_os_errors("a journal that can be read", path):
        history.index.catch_up()
    if problem := history.index.read_progress().problem:
        sys.stderr.write(f"dicebell {args.command}: {args.data} is not counted. {problem}\n")
        return None
    return history


def _select(history: TableHistory, game: int | None, player: str | None) -> dict[str, Any]:
    if game is not None:
        rolls = history.read_rolls(game)
        if rolls is None:
            count = history.list_games(limit=1).count
            raise InputError(expected=f"a game from 1 to {count}", found=str(game), where="--game")
        return {"game": rolls}
    if player is not None:
        statistics = history.read_player(player)
        if statistics is None:
            names = [isolate_text(entry.name) for entry in history.list_players()]
            expected = f"one of {', '.join(names) or 'nobody yet'}"
            raise InputError(expected=expected, found=repr(player), where="--player")
        return {"player": statistics}
    return {
        "games": history.list_games(limit=_EVERY_GAME).games,
        "players": history.list_players(),
        "table": history.read_table(),
    }


def _as_plain(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: [asdict(one) for one in value] if isinstance(value, tuple) else asdict(value)
        for key, value in answer.items()
    }


def _as_text(answer: Mapping[str, Any]) -> str:
    if "game" in answer:
        lines = _describe_rolls(answer["game"])
    elif "player" in answer:
        lines = _describe_player(answer["player"])
    else:
        lines = _describe_all(answer)
    return "".join(f"{line}\n" for line in lines)


def _describe_all(answer: Mapping[str, Any]) -> Iterable[str]:
    yield from _align([_game_row(game) for game in answer["games"]])
    yield ""
    header = ("player", "games", "finished", "won", "last")
    rows = [
        (
            isolate_text(one.name),
            str(one.games),
            str(one.finished),
            str(one.wins),
            format_moment(one.last_ms, "%Y-%m-%d"),
        )
        for one in answer["players"]
    ]
    yield from _align([header, *rows])
    yield ""
    yield from _describe_dice(answer["table"].dice)


def _game_row(game: GameSummary) -> tuple[str, ...]:
    players = ", ".join(
        f"{isolate_text(seat.name)} {seat.total}{'*' if number in game.winners else ''}"
        for number, seat in enumerate(game.players)
    )
    variant = f" ({game.variant})" if game.variant else ""
    state = game.problem or ("" if game.status == "finished" else game.status)
    began = format_moment(game.started_ms, "%Y-%m-%d %H:%M")
    return str(game.number), began, f"{game.title}{variant}", players, state


def _describe_rolls(game: GameRolls) -> Iterable[str]:
    yield "  ".join(part for part in _game_row(game.summary) if part)
    names = [isolate_text(seat.name) for seat in game.summary.players]
    rows = [("roll", "by", "dice", "choices", *names)]
    for roll in game.rolls:
        marks = {"corrected": roll.was, "by hand": roll.by_hand, "doubted": roll.is_doubted}
        marked = ", ".join(mark for mark, is_marked in marks.items() if is_marked)
        chosen = [f"{names[one.seat]} {one.action}" for one in roll.choices]
        held = [roll.held] if roll.held else []
        dice = (
            "".join(roll.dice) if all(len(die) == 1 for die in roll.dice) else " ".join(roll.dice)
        )
        rows.append(
            (
                str(roll.number),
                names[roll.seat],
                f"{dice} ({marked})" if marked else dice,
                "; ".join((*held, *chosen)),
                *map(str, roll.totals),
            )
        )
    yield from _align(rows)


def _describe_player(player: PlayerStatistics) -> Iterable[str]:
    entry = player.entry
    name = isolate_text(entry.name)
    yield f"{name}: {entry.games} games, {entry.finished} finished, {entry.wins} won"
    if player.turn_ms is not None:
        yield f"{player.turns} turns, median {player.turn_ms / 1000:.1f} s"
    header = ("game", "with others", "won", "alone", "average", "best", "record alone")
    rows = [
        (
            f"{one.title} ({one.variant})" if one.variant else one.title,
            *(str(number) for number in (one.games, one.wins, one.alone)),
            "" if one.average is None else f"{one.average:.1f}",
            "" if one.best is None else f"{one.best} in {one.best_game}",
            "" if one.record is None else f"{one.record} in {one.record_game}",
        )
        for one in player.variants
    ]
    yield from _align([header, *rows])
    yield ""
    against = [
        (one.opponent, *(str(number) for number in (one.games, one.ahead, one.behind, one.equal)))
        for one in player.opponents
    ]
    yield from _align([("against", "games", "ahead", "behind", "equal"), *against])
    yield ""
    yield from _describe_dice(player.dice)


def _describe_dice(dice: DiceStatistics) -> Iterable[str]:
    yield f"{dice.dice} dice thrown"
    counts = {"all": dice.faces, **dice.by_colour} if len(dice.by_colour) > 1 else {"": dice.faces}
    rows = [
        (colour or "unknown" if len(counts) > 1 else "", *map(str, faces))
        for colour, faces in counts.items()
    ]
    yield from _align([("face", *"123456"), *rows])
    judged = [one for one in dice.sets if one.said]
    for one in judged:
        yield " ".join((f"{one.label}:", *one.said) if len(judged) > 1 else one.said)


def _align(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Yield the rows with their columns below each other."""
    widths = (
        [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    )
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
