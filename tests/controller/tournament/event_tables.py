# SPDX-License-Identifier: MIT
"""An event under test: its own journal, and tables whose journals are real chains."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from controller.journal.hashchain import Body, Entry, build_next_entry
from controller.tournament.entries.codec import EventEntry, decode_entry_body, encode_body
from controller.tournament.entries.event_entries import EventBegun, TableEnrolled
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import ChoiceMade, GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.state.duplicate import solo
from controller.tournament.state.refusal import Refusal
from controller.tournament.state.state import EventState

BOX = "a" * 64
CLOCK_MS = 60_000


@dataclass
class ChainedTable:
    """A table's journal; `throw` adds a roll of five dice for everybody."""

    box: str = BOX
    entries: list[Entry] = field(default_factory=list)
    at_ms: int = 1  # The time of its next lines.

    def add(self, kind: str, **body: object) -> Entry:
        before = self.entries[-1] if self.entries else None
        filled: Body = dict(body)  # type: ignore[arg-type]
        self.entries.append(build_next_entry(before, at_ms=self.at_ms, kind=kind, body=filled))
        return self.entries[-1]

    def begin(self, game: str = "choice", **about: object) -> Entry:
        return self.add("game", game=game, players=["Hall"], options={}, **about)

    def throw(self, faces: str, *, by: str = "Hall", by_hand: str = "") -> Entry:
        keys = {"doubts": [], "picture": "", "held": ""}
        return self.add("roll", by=by, roll=faces, by_hand=by_hand, **keys)

    def source(self, entry: Entry) -> Source:
        return Source(self.box, entry.seq, entry.link)


class PlayedEvent:
    """An event with its own journal, as a store would write it."""

    def __init__(self, begun: EventBegun, players: int = 0) -> None:
        self.state = EventState()
        self.entries: list[Entry] = []
        self.now_ms = 1_000_000
        self.table = ChainedTable()
        self.lines: list[tuple[str, Entry]] = []
        self.write(begun)
        self.write(TableEnrolled(BOX, "Table 1"))
        for number in range(1, players + 1):
            self.write(PlayerJoined(number, f"Player {number}"))

    def check(self, entry: EventEntry, seat: int | None = None) -> Refusal | None:
        return self.state.check(entry, self.now_ms, seat)

    def refuse(self, entry: EventEntry, seat: int | None = None) -> Refusal:
        """Return why an entry is refused; one that is taken fails the test."""
        refusal = self.check(entry, seat)
        assert refusal is not None
        return refusal

    def write(self, entry: EventEntry) -> None:
        """Check an entry, and append it; a refused one fails the test."""
        refusal = self.check(entry)
        assert refusal is None, refusal.text
        before = self.entries[-1] if self.entries else None
        body = encode_body(entry)
        chained = build_next_entry(before, at_ms=self.now_ms, kind=entry.kind, body=body)
        self.entries.append(chained)
        self.state.apply(chained, decode_entry_body(chained))

    def write_due(self) -> list[str]:
        """Write everything that follows by itself; return the kinds."""
        kinds = []
        while due := self.state.list_due(self.now_ms):
            self.write(due[0])
            kinds.append(due[0].kind)
        return kinds

    def send(self, entry: Entry, box: str = BOX) -> Entry:
        """Hand a line of a table to the event."""
        self.lines.append((box, entry))
        self.state.apply_table_line(box, entry)
        return entry

    def throw(self, faces: str, **how: str) -> Entry:
        """Throw at the table, and write what follows."""
        entry = self.send(self.table.throw(faces, **how))
        self.write_due()
        return entry

    def open_game(self, number: int = 1, players: tuple[int, ...] = ()) -> None:
        self.send(self.table.begin())
        self.write(GameOpened(number, BOX, len(self.table.entries), players, by="Olga"))

    def choose(self, player: int, *do: str) -> None:
        """Choose from the open roll, and write what follows."""
        game = self.state.data.games[-1]
        self.write(ChoiceMade(game.number, game.rolls[-1].number, player, do))
        self.write_due()

    def choose_randomly(self, chance: random.Random, share: float = 1.0) -> None:
        """Let everybody who is awaited choose; with a share below 1 some are late."""
        game = self.state.data.games[-1]
        for player in game.list_awaited():
            if chance.random() < share:
                legal = [each for each in solo.list_actions(game.deal(player)) if "/" in each]
                self.choose(player, chance.choice(legal))

    def run_out(self) -> list[str]:
        """Let the clock run out; return the kinds that followed."""
        self.now_ms += CLOCK_MS
        return self.write_due()

    def play_game(self, chance: random.Random, share: float = 1.0) -> None:
        """Play an open game to its end with random rolls and choices."""
        game = self.state.data.games[-1]
        while game.is_open:
            self.play_roll(chance, share)

    def play_roll(self, chance: random.Random, share: float = 1.0) -> None:
        """Play one random roll of the open game with random choices."""
        self.throw("".join(sorted(chance.choices("123456", k=5))))
        self.choose_randomly(chance, share)
        self.run_out()


def duplicate_event(**changes: object) -> EventBegun:
    """Return the first entry of a duplicate event of Choice."""
    keys: dict[str, object] = {
        "format": 1,
        "name": "Autumn cup",
        "style": "duplicate",
        "game": "choice",
        "options": {"jokers": True},
        "games": 5,
    }
    return EventBegun(**{**keys, **changes})  # type: ignore[arg-type]
