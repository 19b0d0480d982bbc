# SPDX-License-Identifier: MIT
"""
Measure the archive of a large event: how long it takes to write, and to check with all cores.

The event is played into a real store: tables of four, draws by dice, random games by the rules
without pictures, a result. Parsing and hashing the same lines alone is the least that any check
costs, so it is measured too.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.cli.bench_reader.verify import parse_and_hash
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import Body
from controller.tournament.archive.archive_check import check_archive
from controller.tournament.archive.archive_writer import make_archive
from controller.tournament.archive.event_source import open_event_source
from controller.tournament.entries.draw_entries import DrawMade, DrawPublished
from controller.tournament.entries.event_entries import EventBegun, EventResult
from controller.tournament.entries.fields import Source
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.state.next_draw import compute_draw
from controller.tournament.state.rounds import Round
from tests.bench.figures import time_s
from tests.bench.random_games import play_random_game
from tests.support.recorded_event import RecordedEvent, RecordedTable, record_event

SEED = 5
SEATS = 4
BY = "bench"


@dataclass(frozen=True, kw_only=True)
class Archive(Benchmark):
    """Play an event at many tables without pictures, write its archive, and check it; seconds."""

    name: ClassVar[str] = "archive"
    tables: int = option(
        100, "tables of the event, with four players each (%(default)s)", whole_number_type(1, 1000)
    )
    rounds: int = option(4, "games of each (%(default)s)", whole_number_type(1, 40))
    jobs: int = option(
        os.cpu_count() or 1, "how many processes check (one for each core)", whole_number_type(1)
    )

    def measure(self) -> Iterator[Metric]:
        """Yield the seconds to write and to check the archive of an event."""
        with TemporaryDirectory() as name:
            folder, target = Path(name, "event"), Path(name, "event.zip")
            _play_event(folder, self.tables, self.rounds)
            began_s = time.perf_counter()
            with open_event_source(folder) as source:
                made = make_archive(source, target, with_pictures=False)
                written_s = time.perf_counter() - began_s
                journals = source.list_journals()
                lines = [line for each in journals for line in source.iter_lines(each)]
            least_s = time_s(partial(parse_and_hash, lines))
            began_s = time.perf_counter()
            checked = check_archive(target, jobs=self.jobs)
            checked_s = time.perf_counter() - began_s
        assert not checked.is_broken, "only a sound archive measures a check"
        games = sum(table.report.result.games for table in checked.tables if table.report.result)
        yield Metric("tables", made.tables)
        yield Metric("games", games)
        yield Metric("entries", made.lines)
        yield Metric("archive, MB", round(made.size_bytes / 1e6, 3))
        yield Metric("written, s", round(written_s, 3))
        yield Metric("checked, processes", self.jobs)
        yield Metric("checked, s", round(checked_s, 3))
        yield Metric("checked, entries a second", round(made.lines / checked_s))
        yield Metric("parsed and hashed alone, s", round(least_s, 3))


def _play_event(folder: Path, tables: int, rounds: int) -> None:
    """Play an event with tables of four into the database of a new folder."""
    chance = random.Random(SEED)
    with record_event(folder) as event:
        boxes = [event.add_table() for _ in range(tables)]
        begun = EventBegun(1, "bench", "tables", "choice", {"jokers": False}, rounds)
        joined = [PlayerJoined(each, f"Player {each}") for each in range(1, tables * SEATS + 1)]
        event.write(begun, *joined)
        for _ in range(rounds):
            drawn = _draw(event, boxes[0], chance)
            for box, seats in zip(boxes, drawn.tables, strict=True):
                names = tuple(event.state.data.people.find(each).name for each in seats)
                _play(event, box, play_random_game("choice", names, {"jokers": False}, chance))
        event.write(EventResult(event.state.compute_standings().list_places(), by=BY))


def _draw(event: RecordedEvent, box: RecordedTable, chance: random.Random) -> Round:
    """Throw five dice at a table, and draw and publish a round with them."""
    thrown = list(play_random_game("choice", ("Dice",), {"jokers": False}, chance))
    first = next(number for number, (kind, _) in enumerate(thrown) if kind == "roll")
    faces = "".join(sorted(str(thrown[first][1]["roll"])))
    source = _play(event, box, [*thrown[: first + 1], ("closed", {})])
    data = event.state.data
    drawn = compute_draw(data, faces)
    number = len(data.rounds.published) + 1
    event.write(DrawMade(number, drawn.tables, faces, (source,), drawn.byes))
    event.write(DrawPublished(number, BY))
    return event.state.data.rounds.published[-1]


def _play(event: RecordedEvent, box: RecordedTable, entries: Iterable[tuple[str, Body]]) -> Source:
    """Write entries at a table and send them; return the last roll among them."""
    for kind, body in entries:
        if kind == CHECKPOINT:
            box.sign()
        else:
            box.add(kind, body)
    event.send(box)
    return box.source(next(each for each in reversed(box.entries) if each.kind == "roll"))
