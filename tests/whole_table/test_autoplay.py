# SPDX-License-Identifier: MIT
"""Whole games of every kind through camera, reading, table and journal, held against the truth."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.games.contract import ActionEvent
from controller.history.report.report import build_report
from controller.journal.hashchain import Body
from controller.journal.journal import read_journal
from controller.journal.records.from_journal import JournalGame, JournalGames, export_record

pytestmark = pytest.mark.long

END = re.compile(
    r"(?P<games>\d+) games, (?P<rolls>\d+) rolls read from pixels: (?P<wrong>\d+) wrong,"
    r" \d+ doubtful, \d+ unseen; (?P<holds>\d+) holds followed without buttons"
)


@dataclass(frozen=True)
class Played:
    """What autoplay said in the end, and the games that it left in the journal."""

    games: int
    rolls: int
    wrong: int
    holds: int
    journalled: tuple[JournalGame, ...]


def played(data: Path, count: int, *options: str) -> Played:
    """Let the demo play by itself; every game must replay to the result it was journalled with."""
    done = dicebell("demo", "--no-web", "--data", str(data), "--autoplay", str(count), *options)
    assert done.returncode == 0, done.stdout + done.stderr
    found = END.search(done.stdout)
    assert found, done.stdout
    games = tuple(JournalGames(read_journal(data).entries))
    told = build_report(data, 1, now_ms=0, zone=UTC, made_by="a test")
    assert told.is_well, told.checks
    assert told.story.rolls == len(rolls_of(games[0]))
    totals = [game.result["totals"] for game in games if game.result]
    assert replayed_totals(games, data) == totals
    assert len(totals) == count
    for game in games:
        for roll in rolls_of(game):
            assert_roll_is_of_the_dice_that_lay(game, roll)
    numbers = {name: int(number) for name, number in found.groupdict().items()}
    return Played(**numbers, journalled=games)


def dicebell(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


def rolls_of(game: JournalGame) -> list[Body]:
    return [entry.body for entry in game.entries if entry.kind == "roll"]


def actions_of(game: JournalGame) -> list[str]:
    """Return every action, whether it was said or followed from the dice that stayed."""
    return [event.action for event in game.events() if isinstance(event, ActionEvent)]


def holds_of(game: JournalGame) -> list[str]:
    return [str(roll["held"]) for roll in rolls_of(game) if roll["held"]]


def replayed_totals(games: tuple[JournalGame, ...], folder: Path) -> list[object]:
    paths = [folder / f"{number}.jsonl" for number in range(len(games))]
    for path, game in zip(paths, games, strict=True):
        path.write_text(export_record(game))
    done = dicebell("replay", "--json", *map(str, paths))
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["totals"] for line in done.stdout.splitlines()]


def assert_roll_is_of_the_dice_that_lay(game: JournalGame, roll: Body) -> None:
    rules = GAMES[game.header.game]
    lie = roll["lie"]
    assert isinstance(lie, list)
    dice = [die for die in lie if isinstance(die, dict)]
    texts = [rules.die_text(int(str(die["face"])), str(die["polarity"])) for die in dice]
    assert sorted(rules.parse_roll(str(roll["roll"]))) == sorted(texts)


def assert_all_right(end: Played, count: int) -> None:
    assert (end.games, end.wrong) == (count, 0)
    assert end.rolls == sum(len(rolls_of(game)) for game in end.journalled)
    assert end.holds == sum(len(holds_of(game)) for game in end.journalled)


def test_choice_with_jokers_uses_each_of_them(tmp_path: Path) -> None:
    end = played(tmp_path, 1, "--game", "choice", "--option", "jokers=true", "--seed", "8")
    assert_all_right(end, 1)
    assert end.rolls > 10
    jokers = {
        action.split()[0]
        for game in end.journalled
        for action in actions_of(game)
        if action.startswith(("terminator", "corrector", "3:1"))
    }
    assert jokers == {"terminator", "corrector", "3:1"}


@pytest.mark.parametrize(
    ("options", "count", "again"),
    [
        (
            ("--game", "black-n-white", "--option", "chips_per_player=1", "--players", "A,B,C"),
            2,
            "throw",
        ),
        (("--game", "wuerfelspiel", "--players", "Ada"), 1, "hold"),
    ],
    ids=["black-n-white", "wuerfelspiel"],
)
def test_dice_are_held_by_buttons_and_without(
    tmp_path: Path, options: tuple[str, ...], count: int, again: str
) -> None:
    end = played(tmp_path, count, *options, "--seed", "6")
    assert_all_right(end, count)
    thrown_again = [
        action for game in end.journalled for action in actions_of(game) if action.startswith(again)
    ]
    assert 0 < end.holds < len(thrown_again)


def test_free_dice_are_thrown_in_changing_numbers(tmp_path: Path) -> None:
    options = ("--game", "dice", "--option", "dice=3", "--players", "Ada,Ben", "--seed", "6")
    end = played(tmp_path, 1, *options)
    assert_all_right(end, 1)
    (game,) = end.journalled
    counts = {len(str(roll["roll"])) for roll in rolls_of(game)}
    assert len(counts) > 1, "players chose another number of dice"
    assert any(roll["held"] == "throw" for roll in rolls_of(game)), "no press was needed"
