# SPDX-License-Identifier: MIT
"""
Measure a duplicate event with a large field: what a roll costs the event, and its memory.

Random choices go through the same checks and entries as those of phones, without a network and a
disk. Their chaining alone is the least that an entry costs, so it is measured too.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.cli.bench_reader.memory import read_own_memory_mb
from controller.journal.hashchain import build_next_entry
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    GameClosed,
    GameOpened,
    RollClosed,
    RollOpened,
)
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from tests.bench.figures import list_times, time_s
from tests.controller.tournament.event_tables import BOX, CLOCK_MS, PlayedEvent, duplicate_event

SEED = 1
GAMES = 8
DICE = 5


@dataclass(frozen=True, kw_only=True)
class Duplicate(Benchmark):
    """Play eight games of a duplicate event with a large field; milliseconds a roll, and memory."""

    name: ClassVar[str] = "duplicate"
    players: int = option(500, "players of the event (%(default)s)", whole_number_type(2))

    def measure(self) -> Iterator[Metric]:
        before = read_own_memory_mb()
        event = _TimedEvent(self.players)
        for number in range(1, GAMES + 1):
            event.play_numbered(number)
        yield Metric("players", self.players)
        yield Metric("rolls", len(event.costs_ms["choices"]))
        for name, costs_ms in event.costs_ms.items():
            yield from list_times(name, costs_ms)
        for name, memory_mb in read_own_memory_mb().items():
            yield Metric(f"{name}, grown", round(memory_mb - before[name], 1))


class _TimedEvent(PlayedEvent):
    """An event that times what its entries cost, by what they are for."""

    def __init__(self, players: int) -> None:
        self.costs_ms: dict[str, list[float]] = defaultdict(list)
        self._chance = random.Random(SEED)
        super().__init__(duplicate_event(games=GAMES), players)

    def write(self, entry: EventEntry) -> None:
        super().write(entry)
        # The state alone is measured, so all but the last entry go.
        del self.entries[:-1]

    def play_numbered(self, number: int) -> None:
        self.write(GameOpened(number, BOX, len(self.table.entries)))
        game = self.state.data.games[-1]
        while game.needs_roll(self.state.data.people.list_present()):
            self._play_roll(game)
        self.write(GameClosed(number))

    def _play_roll(self, game: DuplicateGame) -> None:
        faces = "".join(sorted(self._chance.choices("123456", k=DICE)))
        source = self.table.source(self.table.throw(faces))
        number = len(game.rolls) + 1
        opened = RollOpened(game.number, number, faces, source, self.now_ms + CLOCK_MS)
        opening_ms = 1000 * time_s(partial(self.write, opened))
        choices = [self._choose(game, player) for player in game.list_awaited()]
        written_ms = [1000 * time_s(partial(self.write, choice)) for choice in choices]
        self.costs_ms["choices"].append(sum(written_ms))
        self.costs_ms["one choice"] += written_ms
        closing_ms = 1000 * time_s(partial(self.write, RollClosed(game.number, number)))
        self.costs_ms["roll opened and closed"].append(opening_ms + closing_ms)
        self.costs_ms["standings"].append(1000 * time_s(self.state.compute_standings))
        alone_ms = 1000 * time_s(partial(self._chain, choices[-1]))
        self.costs_ms["one entry chained alone"].append(alone_ms)

    def _choose(self, game: DuplicateGame, player: int) -> ChoiceMade:
        legal = [action for action in solo.list_actions(game.deal(player)) if "/" in action]
        action = self._chance.choice(legal)
        return ChoiceMade(game.number, game.rolls[-1].number, player, (action,))

    def _chain(self, entry: EventEntry) -> None:
        body = encode_body(entry)
        build_next_entry(self.entries[-1], at_ms=self.now_ms, kind=entry.kind, body=body)
