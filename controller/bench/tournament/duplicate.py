# SPDX-License-Identifier: MIT
"""
Measure a duplicate event with a large field: what a roll costs the event, and its memory.

Random choices go through the same checks and entries as those of phones, without a network and a
disk. Their chaining alone is the least that an entry costs, so it is measured too.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict

from controller.cli.bench_reader.memory import read_own_memory_mb
from controller.journal.hashchain import Entry, build_next_entry
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.event_entries import EventBegun, TableEnrolled
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    GameClosed,
    GameOpened,
    RollClosed,
    RollOpened,
)
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.state import EventState

SEED = 1
BOX = "0" * 64
GAMES = 8
CLOCK_MS = 60_000
DICE = 5
SLOWEST = 0.99


def measure_duplicate(players: int) -> dict[str, float]:
    """Return milliseconds a roll for a field that plays eight games, and the memory in MB."""
    before = read_own_memory_mb()
    bench = _Bench(players)
    for number in range(1, GAMES + 1):
        bench.play_game(number)
    figures: dict[str, float] = {"players": players, "rolls": len(bench.costs["choices"])}
    for name, costs in bench.costs.items():
        ordered = sorted(costs)
        figures[f"{name}, median ms"] = round(1000 * ordered[len(ordered) // 2], 2)
        figures[f"{name}, p99 ms"] = round(1000 * ordered[int(SLOWEST * len(ordered))], 2)
    after = read_own_memory_mb()
    figures |= {f"{name}, grown": round(after[name] - before[name], 1) for name in after}
    return figures


class _Bench:
    def __init__(self, players: int) -> None:
        self.costs: dict[str, list[float]] = defaultdict(list)
        self._chance = random.Random(SEED)
        self._state = EventState()
        self._last: Entry | None = None
        self._now_ms = 0
        self._line = 0
        begun = EventBegun(1, "bench", "duplicate", "choice", {"jokers": True}, GAMES)
        self._write(begun)
        self._write(TableEnrolled(BOX, "Table 1"))
        for number in range(1, players + 1):
            self._write(PlayerJoined(number, f"Player {number}"))

    def play_game(self, number: int) -> None:
        self._write(GameOpened(number, BOX, self._line))
        game = self._state.data.games[-1]
        while game.needs_roll(self._state.data.people.list_present()):
            self._play_roll(game)
        self._write(GameClosed(number))

    def _play_roll(self, game: DuplicateGame) -> None:
        self._line += 1
        faces = "".join(sorted(self._chance.choices("123456", k=DICE)))
        source = Source(BOX, self._line, f"{self._line:064x}")
        number = len(game.rolls) + 1
        opened = RollOpened(game.number, number, faces, source, self._now_ms + CLOCK_MS)
        opening_s = self._write(opened)
        choices = [self._choose(game, player) for player in game.list_awaited()]
        written = [self._write(choice) for choice in choices]
        self.costs["choices"].append(sum(written))
        self.costs["one choice"] += written
        closing_s = self._write(RollClosed(game.number, number))
        self.costs["roll opened and closed"].append(opening_s + closing_s)
        began_s = time.perf_counter()
        self._state.compute_standings()
        self.costs["standings"].append(time.perf_counter() - began_s)
        self._chain(choices[-1])

    def _choose(self, game: DuplicateGame, player: int) -> ChoiceMade:
        legal = [action for action in solo.list_actions(game.deal(player)) if "/" in action]
        action = self._chance.choice(legal)
        return ChoiceMade(game.number, game.rolls[-1].number, player, (action,))

    def _write(self, entry: EventEntry) -> float:
        """Check, chain and apply an entry; return the seconds that took."""
        began_s = time.perf_counter()
        refusal = self._state.check(entry, self._now_ms)
        assert refusal is None, refusal.text
        body = encode_body(entry)
        self._last = build_next_entry(self._last, at_ms=self._now_ms, kind=entry.kind, body=body)
        self._state.apply(self._last, is_checked=True)
        return time.perf_counter() - began_s

    def _chain(self, entry: EventEntry) -> None:
        began_s = time.perf_counter()
        body = encode_body(entry)
        build_next_entry(self._last, at_ms=self._now_ms, kind=entry.kind, body=body)
        self.costs["one entry chained alone"].append(time.perf_counter() - began_s)
