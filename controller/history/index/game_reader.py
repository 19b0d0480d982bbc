# SPDX-License-Identifier: MIT
"""
Follow one game of the journal, entry by entry, and keep what the history shows of it.

Entries are applied as in a restart of the table, so undone actions, corrections and parked games
come out as the table had them. An entry that the rules refuse, or a result that they do not
give, is remembered: such a game is shown and counted nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from controller.games.contract import COUNT, JOIN, FreeThrows, GameState, Option
from controller.games.decisive import is_higher_better
from controller.history.index.play_clock import PlayClock
from controller.history.index.thrown_dice import ThrownDice, correct_thrown, find_thrown
from controller.history.people import list_looks
from controller.history.views import GameRoll, GameStatus, RollChoice
from controller.journal import entries as written
from controller.journal.hashchain import Entry
from controller.table.journal_entries import encode_result, restore_table
from controller.table.state import TableState, require_game

OPPONENTS, HINTS = "opponents", "hints"  # Keys beside the options of a game, in the index alone.

_REFUSALS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(slots=True)
class OpenGame:
    """A game as far as its entries go."""

    number: int  # Counts the games of the journal from 1.
    game: str
    players: tuple[str, ...]  # Names as in the journal, clockwise.
    options: dict[str, Option]  # Every option with its value.
    started_ms: int  # Wall clock of its first entry.
    ended_ms: int  # The same of its result, of its end, or of the last roll or action.
    start: tuple[int, ...]  # Totals by seat before the first roll.
    totals: tuple[int, ...]  # Totals by seat now.
    clock: PlayClock
    status: GameStatus = "open"
    rolls: list[GameRoll] = field(default_factory=list)  # The rolls that count.
    thrown: list[ThrownDice] = field(default_factory=list)  # The dice of each of these rolls.
    winners: tuple[int, ...] = ()
    losers: tuple[int, ...] = ()
    fault_seq: int = -1  # The entry that does not follow from those before it; -1 if all do.
    is_free: bool = False  # Whether its players throw as they like, so that it has no turns.
    has_hints: bool = False  # Whether it was for training, with hints on request.
    opponents: frozenset[int] = frozenset()  # Seats of players that the table played itself.

    @property
    def marked_options(self) -> dict[str, Option]:
        """The options, with marks that make a variant of its own of another kind of game."""
        against = {OPPONENTS: True} if self.opponents else {}
        hints = {HINTS: True} if self.has_hints else {}
        return {**self.options, **against, **hints}

    def list_looks(self) -> list[str]:
        """Return the look of each name; empty for an opponent, who is no person."""
        looks = list_looks(self.players)
        return ["" if seat in self.opponents else look for seat, look in enumerate(looks)]


class GameReader:
    """Reads one game of a journal from its first entry; InputError if no game starts with it."""

    def __init__(self, number: int, entry: Entry, dice_set: str = "") -> None:
        self._dice_set = dice_set
        self._lie: tuple[int, ...] = ()
        self._state = restore_table(TableState(), [(entry.kind, entry.body)])
        begun, position = written.read_entry(entry), require_game(self._state)
        assert isinstance(begun, written.GameEntry), "the table began a game with it"
        self._seats = {name: seat for seat, name in enumerate(position.players)}
        totals = self._list_totals(position)
        self.open = OpenGame(
            number=number,
            game=self._state.play.game_key,
            players=position.players,
            options=dict(position.options),
            started_ms=entry.at_ms,
            ended_ms=entry.at_ms,
            start=totals,
            totals=totals,
            clock=PlayClock(entry.at_ms),
            is_free=isinstance(position, FreeThrows),
            has_hints=begun.hints,
            opponents=frozenset(self._seats[one.name] for one in begun.opponents),
        )

    def add_entry(self, entry: Entry) -> None:
        game = self.open
        game.clock.advance(entry)
        said = written.read_entry(entry)
        if isinstance(said, written.DiceSetEntry):
            self._dice_set, self._lie = said.name, ()
        if entry.kind not in written.RULED or game.fault_seq >= 0 or not self._state.has_game:
            return
        before = self._state
        try:
            self._state = restore_table(before, [(entry.kind, entry.body)])
            if entry.kind in written.PLAYED:
                self._add_play(entry, said, before)
        except _REFUSALS:
            game.fault_seq = entry.seq
        if entry.kind in written.PLAYED:
            game.ended_ms = entry.at_ms
        self._update_status(entry)

    def leave(self) -> None:
        """End an open game, because the journal goes on with another one."""
        if self.open.status in ("open", "parked"):
            self.open.status = "left"

    def _update_status(self, entry: Entry) -> None:
        game, position = self.open, self._state.play.position
        if entry.kind == "parked":
            game.status, game.ended_ms = "parked", entry.at_ms
        elif position is not None:
            game.status = "open" if position.outcome() is None else "finished"
        elif entry.kind == "closed" and game.status != "finished":
            game.status, game.ended_ms = "left", entry.at_ms

    def _add_play(
        self, entry: Entry, said: written.TableEntry | written.UnknownEntry, before: TableState
    ) -> None:
        old, new = require_game(before), require_game(self._state)
        if new.players != old.players:
            self._seat_players(new)
        totals_before, self.open.totals = self.open.totals, self._list_totals(new)
        match said:
            case written.RollEntry():
                self._add_roll(entry, said, before)
            case written.ActionEntry():
                self._add_action(entry, said, totals_before)
            case written.UndoEntry() if said.do not in (COUNT, JOIN):
                self._undo_action(self._seats[said.by])
            case written.CorrectionEntry():
                self._correct_roll(said)
        self.open.clock.note_progress(old, new)
        self._check_result(entry, new)

    def _seat_players(self, position: GameState) -> None:
        """Follow players who sat down late, or an undo of that: without points before."""
        game, count = self.open, len(position.players)
        game.players = position.players
        self._seats = {name: seat for seat, name in enumerate(position.players)}
        game.start = _fit_seats(game.start, count)
        game.totals = _fit_seats(game.totals, count)
        game.rolls[:] = (replace(x, totals=_fit_seats(x.totals, count)) for x in game.rolls)

    def _add_roll(self, entry: Entry, roll: written.RollEntry, before: TableState) -> None:
        rolls, seat = self.open.rolls, self._seats[roll.by]
        self.open.clock.add_roll(seat, require_game(before), roll.held)
        dice = self._parse_dice(roll.roll)
        rolls.append(
            GameRoll(
                number=len(rolls) + 1,
                seq=entry.seq,
                at_ms=entry.at_ms,
                seat=seat,
                dice=dice,
                faces=_list_faces(dice),
                held=roll.held,
                was=(),
                corrected_by="",
                by_hand=roll.by_hand,
                is_doubted=bool(roll.doubts),
                picture=roll.picture,
                choices=(),
                totals=self.open.totals,
            )
        )
        is_sure = not roll.by_hand and not roll.doubts
        about = ThrownDice(seat, self._dice_set, is_sure=is_sure)
        self.open.thrown.append(find_thrown(self._state, dice, about, self._lie))
        self._lie = _list_faces(dice) if is_sure else ()

    def _add_action(self, entry: Entry, said: written.ActionEntry, before: tuple[int, ...]) -> None:
        seat = self._seats[said.by]
        self.open.clock.add_action(seat)
        if not self.open.rolls:
            return
        gain = self.open.totals[seat] - before[seat]
        choice = RollChoice(seat, said.do, gain, entry.seq, entry.at_ms)
        choices = (*self.open.rolls[-1].choices, choice)
        self._replace_last(choices=choices, totals=self.open.totals)

    def _undo_action(self, seat: int) -> None:
        """Remove a player's last choice, which may be one before a private roll of another."""
        rolls = self.open.rolls
        for place in reversed(range(len(rolls))):
            own = [choice for choice in rolls[place].choices if choice.seat == seat]
            if not own:
                continue
            rest = tuple(choice for choice in rolls[place].choices if choice is not own[-1])
            rolls[place] = replace(rolls[place], choices=rest)
            for later in range(place, len(rolls) - 1):
                totals = list(rolls[later].totals)
                totals[seat] -= own[-1].gain
                rolls[later] = replace(rolls[later], totals=tuple(totals))
            self._replace_last(totals=self.open.totals)
            return

    def _correct_roll(self, fix: written.CorrectionEntry) -> None:
        last, dice = self.open.rolls[-1], self._parse_dice(fix.roll)
        self._replace_last(
            dice=dice,
            faces=_list_faces(dice),
            was=last.was or last.dice,
            corrected_by=fix.by,
            choices=(),
            totals=self.open.totals,
        )
        self.open.thrown[-1] = correct_thrown(self.open.thrown[-1], dice)
        self._lie = ()

    def _check_result(self, entry: Entry, position: GameState) -> None:
        outcome = position.outcome()
        names = (outcome.winners, outcome.losers) if outcome else ((), ())
        game = self.open
        game.winners, game.losers = (tuple(self._seats[name] for name in some) for some in names)
        if entry.kind in written.WITH_RESULT and entry.body.get("result") != encode_result(
            position
        ):
            game.fault_seq = entry.seq

    def _replace_last(self, **changes: Any) -> None:
        self.open.rolls[-1] = replace(self.open.rolls[-1], **changes)

    def _parse_dice(self, roll: str) -> tuple[str, ...]:
        return self._state.play.rules.parse_roll(roll)

    def _list_totals(self, position: GameState) -> tuple[int, ...]:
        totals = position.totals()
        return tuple(totals[name] for name in position.players)


def _fit_seats(totals: tuple[int, ...], count: int) -> tuple[int, ...]:
    return (*totals, *(0,) * count)[:count]


def _list_faces(dice: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(int(die[-1]) for die in dice)


def compute_places(game: OpenGame) -> tuple[int, ...]:
    """Return each seat's place, 1 for the best; 0 for all in a game without a result."""
    if not game.winners and not game.losers:
        return (0,) * len(game.players)
    sign = 1 if is_higher_better(game.totals, game.winners) else -1
    points = [sign * total for total in game.totals]
    return tuple(1 + sum(other > own for other in points) for own in points)
