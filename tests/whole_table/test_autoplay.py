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

from controller.app.report.making import report_of
from controller.games import GAMES
from controller.proof.journal import read_journal
from controller.records import journalled
from controller.records.journalled import exported
from controller.table.effects import Body
from tests.support.journalled import JournalledGame, games_of

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
    journalled: list[JournalledGame]


def played(data: Path, count: int, *options: str) -> Played:
    """Let the demo play by itself; every game must replay to the result it was journalled with."""
    done = dicebell("demo", "--no-web", "--data", str(data), "--autoplay", str(count), *options)
    assert done.returncode == 0, done.stdout + done.stderr
    found = END.search(done.stdout)
    assert found, done.stdout
    entries = read_journal(data).entries
    games = games_of(entries)
    exports = [exported(game) for game in journalled.games_of(entries)]
    assert exports == [game.record() for game in games]
    told = report_of(data, 1, now_ms=0, zone=UTC, made_by="a test")
    assert told.is_well, told.checks
    assert told.story.rolls == len(games[0].rolls)
    totals = [game.result["totals"] for game in games if game.result]
    assert replayed_totals(games, data) == totals
    assert len(totals) == count
    for game in games:
        for roll in game.rolls:
            assert_roll_is_of_the_dice_that_lay(game, roll)
    numbers = {name: int(number) for name, number in found.groupdict().items()}
    return Played(**numbers, journalled=games)


def dicebell(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.app.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


def replayed_totals(games: list[JournalledGame], folder: Path) -> list[object]:
    """Write the games as records and let them be replayed."""
    paths = [folder / f"{number}.jsonl" for number in range(len(games))]
    for path, game in zip(paths, games, strict=True):
        path.write_text(game.record())
    done = dicebell("replay", "--json", *map(str, paths))
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["totals"] for line in done.stdout.splitlines()]


def assert_roll_is_of_the_dice_that_lay(game: JournalledGame, roll: Body) -> None:
    rules = GAMES[str(game.start["game"])]
    lie = roll["lie"]
    assert isinstance(lie, list)
    dice = [die for die in lie if isinstance(die, dict)]
    texts = [rules.die_text(int(str(die["face"])), str(die["polarity"])) for die in dice]
    assert sorted(rules.parse_roll(str(roll["roll"]))) == sorted(texts)


def assert_all_right(end: Played, count: int) -> None:
    assert (end.games, end.wrong) == (count, 0)
    assert end.rolls == sum(len(game.rolls) for game in end.journalled)
    assert end.holds == sum(len(game.held) for game in end.journalled)


def test_choice_is_played_without_one_wrong_roll(tmp_path: Path) -> None:
    end = played(tmp_path, 1, "--game", "choice", "--seed", "7")
    assert_all_right(end, 1)
    assert end.rolls > 10


def test_choice_with_jokers_uses_each_of_them(tmp_path: Path) -> None:
    options = ("--game", "choice", "--option", "jokers=true", "--seed", "8")
    end = played(tmp_path, 2, *options)
    assert_all_right(end, 2)
    jokers = {
        action.split()[0]
        for game in end.journalled
        for action in game.actions
        if action.startswith(("terminator", "corrector", "3:1"))
    }
    assert jokers == {"terminator", "corrector", "3:1"}


@pytest.mark.parametrize(
    ("game", "count", "players", "again", "seed"),
    [("black-n-white", 2, "Ada,Ben", "throw", "5"), ("wuerfelspiel", 1, "Ada", "hold", "6")],
)
def test_dice_are_held_by_buttons_and_without(
    tmp_path: Path, game: str, count: int, players: str, again: str, seed: str
) -> None:
    end = played(tmp_path, count, "--game", game, "--players", players, "--seed", seed)
    assert_all_right(end, count)
    thrown_again = [
        action for game in end.journalled for action in game.actions if action.startswith(again)
    ]
    assert 0 < end.holds < len(thrown_again)
