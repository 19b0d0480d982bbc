# SPDX-License-Identifier: MIT
"""Everything that an event knows, in one object that entries change and questions read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TypeAlias

from controller.tournament.entries.appeal_entries import AppealDecided, RulingAppealed
from controller.tournament.entries.draw_entries import TableRuling
from controller.tournament.entries.event_entries import (
    EventBegun,
    EventResult,
    GameForfeited,
    PenaltyGiven,
)
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import (
    CostsFound,
    GameClosed,
    RollClosed,
    RollRuling,
)
from controller.tournament.entries.player_entries import GroupEntry, PlayerWithdrawn
from controller.tournament.state.boxes import Boxes
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import FieldRoll
from controller.tournament.state.people import People
from controller.tournament.state.rounds import Rounds

Ruling: TypeAlias = RollRuling | TableRuling


@dataclass(slots=True)
class Call:
    """A call for an official, with where it came from as it was then."""

    number: int
    at_ms: int
    player: int  # 0 if a table called.
    box: str  # The table that called, or that of the player; empty if it is not known.
    table: int  # Its number in draws; 0 if it is not known.
    names: tuple[str, ...]  # Who sat there.
    answered_by: str = ""  # The official; empty while it is open.
    answered_ms: int = 0

    @property
    def is_open(self) -> bool:
        return not self.answered_by


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Who withdrew, and what had been played by then."""

    entry: PlayerWithdrawn
    game: int  # The newest game or round; 0 before the first.
    roll: int  # The newest roll of a game that goes on; 0 without one.
    is_over: bool  # Whether the game or round was over.


class EventData:
    def __init__(self) -> None:
        self.begun: EventBegun | None = None  # The first entry; None before it.
        self.people = People()
        self.boxes = Boxes()
        self.rounds = Rounds()
        self.games: list[DuplicateGame] = []  # The games of a duplicate event, play-offs too.
        self.penalties: list[PenaltyGiven] = []
        self.forfeited: list[GameForfeited] = []  # All decisions about forfeits, in order.
        # The rolls and games that an official closed, in order.
        self.closed: list[RollClosed | GameClosed] = []
        self.withdrawals: list[Withdrawal] = []
        # The games or rounds that each player forfeits.
        self.forfeits: dict[int, set[int]] = defaultdict(set)
        # What the choices of ended games cost, where ties are broken by that; a ruling that changes
        # a game removes its costs.
        self.costs: dict[int, CostsFound] = {}
        # Sections and teams that were set after play began, in order.
        self.regrouped: list[GroupEntry] = []
        # Where the rolls of the event came from: game, roll and whether it is a reserve roll, by
        # the link of the line.
        self.opened: dict[str, tuple[int, int, bool]] = {}
        self.calls: list[Call] = []  # All calls for an official.
        self.called: set[str] = set()  # The links of the tables' lines that called one.
        self.rulings: list[Ruling] = []  # All decisions on rolls, in order.
        self.appeals: dict[int, RulingAppealed] = {}  # By the number of the ruling, from 1.
        self.appeal_decisions: dict[int, AppealDecided] = {}
        # The numbers of those that a decision on an appeal upheld, or made.
        self.final_rulings: set[int] = set()
        self.officials: set[str] = set()  # How the names of those look who entered anything.
        self.decided: set[str] = set()  # The links of the tables' lines that officials decided on.
        # The officials who entered choices, by game, roll and player.
        self.entered: dict[tuple[int, int, int], str] = {}
        # The tables at whose screens choices were made, by the same.
        self.chosen_at: dict[tuple[int, int, int], str] = {}
        # What officials have seen of the tables' journals: key, trouble and line.
        self.noted: set[tuple[str, str, int]] = set()
        self.result: EventResult | None = None  # The final standings; None before them.
        # The bracket of the running round of a knock-out, or the order of a round robin.
        self.bracket: tuple[int, ...] = ()
        self._last_lines: dict[str, int] = {}

    @property
    def event(self) -> EventBegun:
        """The first entry; the event has begun when it is asked for."""
        assert self.begun is not None, "every check asks for the first entry first"
        return self.begun

    @property
    def open_game(self) -> DuplicateGame | None:
        """The game that goes on; None between games."""
        last = self.games[-1] if self.games else None
        return last if last and last.is_open else None

    @property
    def open_roll(self) -> FieldRoll | None:
        """The roll that takes choices; None without one."""
        return self.open_game.open_roll if self.open_game else None

    def find_roll(self, game: int, roll: int) -> FieldRoll | None:
        """Return a roll of a game; None if there is none with this number."""
        if not 1 <= game <= len(self.games):
            return None
        rolls = self.games[game - 1].rolls
        return rolls[roll - 1] if 1 <= roll <= len(rolls) else None

    def list_at_kiosk(self, box: str) -> list[int]:
        """Return who chooses at the screen of a table; none with a key that is not accepted."""
        if self.boxes.is_still(box):
            return []
        return sorted(
            player
            for key, players in self.people.kiosks.items()
            if self.boxes.is_same(key, box)
            for player in players
            if not self.people.find(player).is_withdrawn
        )

    def list_forfeits(self, game: int) -> set[int]:
        """Return who forfeits a game or round."""
        return {player for player, games in self.forfeits.items() if game in games}

    def list_without_costs(self) -> list[DuplicateGame]:
        """Return the ended games whose choices are still to be judged, to break ties by them."""
        if self.begun is None or self.begun.tie_break != "costs":
            return []
        return [
            game
            for game in self.games[: self.begun.games]
            if not game.is_open and game.sheets and game.number not in self.costs
        ]

    def last_line_of(self, game: DuplicateGame) -> int:
        """Return the number of the last line of the game's table that cannot be used any more."""
        table = self.boxes.find(game.box)
        boxes = [box for box in self._last_lines if self.boxes.find(box) is table]
        return max([game.since - 1, *(self._last_lines[box] for box in boxes)])

    def use_line(self, source: Source, game: int, roll: int, *, is_reserve: bool) -> None:
        """Record that a line is a roll of the event."""
        self.opened[source.link] = (game, roll, is_reserve)
        self._last_lines[source.box] = max(source.seq, self._last_lines.get(source.box, -1))
