# SPDX-License-Identifier: MIT
"""The rounds of an event with draws: drafts, published tables, results as they count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from controller.tournament.entries.draw_entries import (
    ByeAsked,
    DrawAnnounced,
    DrawMade,
    PlayersSwapped,
    TableResult,
)
from controller.tournament.entries.fields import Source


@dataclass(slots=True)
class Round:
    number: int
    faces: str
    tables: list[list[int]]  # The players of each table in the order of their seats; table 1 first.
    byes: tuple[int, ...]
    half_byes: tuple[int, ...]
    source_links: tuple[str, ...]  # The links of the rolls that seeded it.
    until_ms: int = 0  # When its clock ends; 0 without one.
    is_published: bool = False  # Whether it counts; before that it is a draft.
    # The result of each table as it counts in the standings, by its number.
    results: dict[int, TableResult] = field(default_factory=dict)
    # The newest result of each table, whether it still counts or not.
    recorded: dict[int, TableResult] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether every table has a result."""
        return self.is_published and len(self.results) == len(self.tables)

    def list_seated(self) -> list[int]:
        return [player for table in self.tables for player in table]

    def totals_of(self, table: int) -> Mapping[int, int]:
        """Return the result of each player of a table; empty without one."""
        result = self.results.get(table)
        if result is None:
            return {}
        return dict(zip(self.tables[table - 1], result.points, strict=True))

    def list_losers(self) -> tuple[int, ...]:
        return tuple(player for result in self.results.values() for player in result.losers)


class Rounds:
    """All rounds, and what limits the next draw."""

    def __init__(self) -> None:
        self.rounds: list[Round] = []
        self.fixed: dict[int, int] = {}
        self.forbidden: set[frozenset[int]] = set()
        # Who takes a round off, by its number, with the official who entered it.
        self.asked: dict[int, dict[int, str]] = defaultdict(dict)
        # How many rounds had been drawn before each latecomer came.
        self.late: dict[int, int] = {}
        self.announced: DrawAnnounced | None = None  # The announcement that waits for its rolls.
        # Who has checked in for the next draw; None without a check-in.
        self.checked_in: set[int] | None = None
        # All that led to the drafts, in order, drafts that were replaced too.
        self.steps: list[DrawAnnounced | DrawMade | PlayersSwapped] = []

    @property
    def published(self) -> Sequence[Round]:
        return [each for each in self.rounds if each.is_published]

    @property
    def draft(self) -> Round | None:
        """The round that is drawn and not published; None without one."""
        last = self.rounds[-1] if self.rounds else None
        return last if last and not last.is_published else None

    def list_steps(self, number: int) -> list[DrawAnnounced | DrawMade | PlayersSwapped]:
        """Return what led to the drafts of a round, in order."""
        return [step for step in self.steps if step.round == number]

    def is_announced(self, number: int) -> bool:
        """Return whether the rolls that decide the draft of a round are awaited."""
        return self.announced is not None and self.announced.round == number

    def list_used(self) -> Iterator[Source]:
        """Yield the rolls of all drafts, of replaced ones too."""
        for step in self.steps:
            if isinstance(step, DrawMade):
                yield from step.sources

    def announce(self, announced: DrawAnnounced) -> None:
        self.announced = announced
        self.steps.append(announced)

    def add_draft(self, draw: DrawMade) -> None:
        """Add a draft; it replaces an earlier one of the same round, and latecomers came before."""
        self.late = {
            player: min(drawn, draw.round - 1)
            for player, drawn in self.late.items()
            if draw.round > 1
        }
        self.announced = None
        self.steps.append(draw)
        if self.draft:
            self.rounds.pop()
        tables = [list(table) for table in draw.tables]
        links = tuple(source.link for source in draw.sources)
        self.rounds.append(Round(draw.round, draw.faces, tables, draw.byes, draw.half_byes, links))

    def swap(self, swapped: PlayersSwapped) -> None:
        """Swap two players of the draft; one of them may have a bye."""
        self.steps.append(swapped)
        one, other = swapped.players
        draft = self.rounds[-1]
        changed = {one: other, other: one}
        draft.tables = [[changed.get(each, each) for each in table] for table in draft.tables]
        draft.byes = tuple(changed.get(each, each) for each in draft.byes)

    def publish(self) -> None:
        self.rounds[-1].is_published = True
        self.announced = None

    def add_result(self, result: TableResult, *, counts: bool) -> None:
        """Record the result of a table; it counts unless the standings have moved on."""
        played = self.rounds[result.round - 1]
        played.recorded[result.table] = result
        if counts:
            played.results[result.table] = result

    def check_out(self, player: int) -> None:
        """Record that a player is not there; nothing happens if they had not checked in."""
        if self.checked_in is not None:
            self.checked_in.discard(player)

    def is_off(self, asked: ByeAsked) -> bool:
        """Return whether the player of an entry takes its round off now."""
        return asked.player in self.asked.get(asked.round, ())

    def set_asked(self, asked: ByeAsked) -> None:
        if asked.is_lifted:
            del self.asked[asked.round][asked.player]
        else:
            self.asked[asked.round][asked.player] = asked.by

    def set_fixed(self, player: int, table: int) -> None:
        self.fixed.pop(player, None)
        if table:
            self.fixed[player] = table

    def set_forbidden(self, players: Sequence[int], *, is_lifted: bool) -> None:
        pair = frozenset(players)
        if is_lifted:
            self.forbidden.discard(pair)
        else:
            self.forbidden.add(pair)
