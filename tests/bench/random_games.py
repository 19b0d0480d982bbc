# SPDX-License-Identifier: MIT
"""Random games by the rules as the entries that a table writes, without a camera and pictures."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from controller.cli.bench_reader.rules import pick_random_event
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, Options, RollEvent
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import Body, Value
from controller.table.events import PictureInfo, TrayDie
from controller.table.reading_codec import encode_reading
from tests.support.random_journal import describe_result


def rename_players(value: Value, seated: Mapping[str, str]) -> Value:
    """Return a value of an entry in which players have other names."""
    if isinstance(value, str):
        return seated.get(value, value)
    if isinstance(value, Mapping):
        return {
            seated.get(name, name): rename_players(item, seated) for name, item in value.items()
        }
    return [rename_players(item, seated) for item in value] if isinstance(value, list) else value


def play_random_game(
    key: str, names: tuple[str, ...], options: Options, chance: random.Random
) -> Iterator[tuple[str, Body]]:
    """
    Play a whole game at random; yield what a table would write of it.

    A checkpoint has no body yet, because only the journal gives it one: see `sign_lines`.
    """
    rules = GAMES[key]
    state = rules.start(names, options)
    yield "game", {"game": key, "players": list(state.players), "options": dict(state.options)}
    while state.outcome() is None:
        event = pick_random_event(rules, state, chance)
        before, state = state, state.apply(event)
        if isinstance(event, ActionEvent):
            yield "action", {"by": event.by, "do": event.action, **describe_result(state)}
        else:
            yield "roll", _describe_roll(event, rules.parse_roll(event.roll), chance, state)
        if state.outcome() is not None or state.has_round_ended(before):
            yield CHECKPOINT, {}
    yield "closed", {}


def _describe_roll(
    roll: RollEvent, dice: tuple[str, ...], chance: random.Random, state: GameState
) -> Body:
    on_felt = [
        TrayDie(
            int(die[-1]),
            "dark" if die.startswith("b") else "light",
            "black" if die.startswith("b") else "white",
            (chance.uniform(100, 1100), chance.uniform(100, 600)),
            chance.uniform(0, 90),
            45.5,
            origin="thrown",
            confidence_ppm=998_000,
        )
        for die in dice
    ]
    info = PictureInfo((12, 8, 1000, 700), (1280, 720))
    seen = encode_reading(on_felt, (), "", info)
    return {
        "by": roll.by,
        "held": "",
        "roll": roll.roll,
        "by_hand": "",
        **seen,
        **describe_result(state),
    }
