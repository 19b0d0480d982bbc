# SPDX-License-Identifier: MIT
"""
Measure the events a second of a replay: text, rules and position.

Random games are written as record lines first. Parsing the same lines as JSON is the least that
any replay costs, so it is measured too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from functools import partial

from controller.cli.bench_reader.benchmark import time_best
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameEvent, GameState, Options, RollEvent
from controller.games.game import Game, list_polarities
from controller.journal.records.record import RecordHeader, record_text
from controller.journal.records.replay import replay

SEED = 1
PLAYERS = ("Ada", "Ben", "Cleo", "Dora")
ROUNDS = 5

TABLES: Mapping[str, tuple[str, Options]] = {
    "choice": ("choice", {"jokers": False}),
    "choice with jokers": ("choice", {"jokers": True}),
    "black-n-white": ("black-n-white", {}),
    "wuerfelspiel": ("wuerfelspiel", {}),
    "dice": ("dice", {}),
}
"""What is played, and with which options."""


def measure_rules(games: int) -> dict[str, float]:
    """Return the events a second of this many games of each kind, and those of plain JSON."""
    figures: dict[str, float] = {}
    for name, (key, options) in TABLES.items():
        chance = random.Random(SEED)
        records = [random_record(GAMES[key], options, chance) for _ in range(games)]
        events = sum(len(lines) - 1 for lines in records)
        replayed = events / time_best(partial(_replay_all, records), ROUNDS)[1]
        parsed = events / time_best(partial(_parse_all, records), ROUNDS)[1]
        figures[f"{name}, events"] = events
        figures[f"{name}, replayed a second"] = round(replayed)
        figures[f"{name}, parsed a second"] = round(parsed)
        figures[f"{name}, parsed / replayed"] = round(parsed / replayed, 3)
    return figures


def random_record(game: Game, options: Options, chance: random.Random) -> list[bytes]:
    """Play a whole game at random; return the lines of its record, each with its end."""
    state = game.start(PLAYERS, options)
    header, events = RecordHeader(game.key, PLAYERS, state.options), list[GameEvent]()
    while state.outcome() is None:
        events.append(pick_random_event(game, state, chance))
        state = state.apply(events[-1])
    return record_text(header, events).encode().splitlines(keepends=True)


def pick_random_event(game: Game, state: GameState, chance: random.Random) -> GameEvent:
    """Return a random legal event; every player who may roll or act is equally likely."""
    expects = state.expects()
    player = chance.choice([*expects.roll, *expects.do])
    if player in expects.roll:
        return RollEvent(player, _random_roll(game, state, player, chance))
    return ActionEvent(player, chance.choice(expects.do[player]))


def _random_roll(game: Game, state: GameState, player: str, chance: random.Random) -> str:
    owed = [*state.required_dice(player), *state.dice_to_leave(player)]
    faces = []
    polarities = list_polarities(game, state)
    for polarity in polarities:
        fitting = [face for face in range(1, 7) if game.die_text(face, polarity) in owed]
        face = fitting[0] if fitting else chance.randint(1, 6)
        if fitting:
            owed.remove(game.die_text(face, polarity))
        faces.append(face)
    return game.roll_text(faces, polarities)


def _replay_all(records: list[list[bytes]]) -> None:
    for lines in records:
        replay(lines)


def _parse_all(records: list[list[bytes]]) -> None:
    for lines in records:
        for line in lines:
            json.loads(line)
