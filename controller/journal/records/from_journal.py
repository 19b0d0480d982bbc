# SPDX-License-Identifier: MIT
"""
Split a journal into games, and export each as a record.

The journal holds everything that happened at a table; a record holds what counted. So it
leaves out undone actions, and has the corrected faces of a roll. Faces that were entered by
hand name the official.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

from controller.base.errors import InputError
from controller.games.contract import COUNT, JOIN, ActionEvent, GameEvent, RollEvent
from controller.journal.entries import (
    PLAYED,
    ActionEntry,
    CorrectionEntry,
    CountedEntry,
    GameEntry,
    RollEntry,
    SeatedEntry,
    UndoEntry,
    UnknownEntry,
    read_entry,
)
from controller.journal.hashchain import Body, Entry, Value
from controller.journal.records.record import RecordHeader, record_text
from controller.journal.records.replay import ReplayResult, replay

_LISTED = 12  # Number of games that a message lists; only the last ones of more.


@dataclass(frozen=True, slots=True)
class JournalGame:
    """One game of a journal."""

    number: int  # Counts the journal's games from 1.
    start: Entry  # The entry that began it.
    entries: tuple[Entry, ...]  # Every entry after that, up to the next game or the journal's end.

    @property
    def begun(self) -> GameEntry:
        """What the entry that began it says; InputError if it begins no game."""
        begun = read_entry(self.start)
        if not isinstance(begun, GameEntry):
            raise _broken_entry(self.start, "a game with its players and options")
        return begun

    @property
    def header(self) -> RecordHeader:
        """The game, who plays and the options, as the first line of its record has them."""
        begun = self.begun
        return RecordHeader(game=begun.game, players=begun.players, options=begun.options)

    @property
    def result(self) -> Body | None:
        """The result of the game by the journal; None before its end."""
        result: Value = None
        for entry in self.entries:
            if entry.kind in PLAYED:
                result = entry.body.get("result")
        return result if isinstance(result, Mapping) else None

    def events(self) -> tuple[GameEvent, ...]:
        """Return the events that count; InputError if an entry undoes what is not there."""
        events: list[GameEvent] = []
        for entry in self.entries:
            _add_event(events, entry)
        return tuple(events)


class JournalGames(Sequence[JournalGame]):
    """The games of a journal, the oldest first, each made when it is asked for."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        starts = [place for place, entry in enumerate(entries) if entry.kind == "game"]
        self._edges = tuple(pairwise([*starts, len(entries)]))

    def __len__(self) -> int:
        return len(self._edges)

    @overload
    def __getitem__(self, index: int) -> JournalGame: ...

    @overload
    def __getitem__(self, index: slice) -> list[JournalGame]: ...

    def __getitem__(self, index: int | slice) -> JournalGame | list[JournalGame]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        start, end = self._edges[place]
        first, *rest = self._entries[start:end]
        return JournalGame(place + 1, first, tuple(rest))


def select_game(games: Sequence[JournalGame], number: int | None) -> JournalGame:
    """Return a game by its number, the last by None; InputError lists those that are there."""
    if not games:
        raise InputError(expected="a journal with a game", found="one without")
    if number is None:
        return games[-1]
    if not 1 <= number <= len(games):
        raise InputError(expected=_range_words(games), found=str(number), where="--game")
    return games[number - 1]


def export_record(game: JournalGame) -> str:
    """Return a game as a record; InputError if it does not follow, or ends in another way."""
    text = record_text(game.header, game.events())
    try:
        replayed = replay(text.encode().splitlines(keepends=True))
    except InputError as error:
        raise error.at(f"game {game.number} as a record, {error.where}") from error
    _require_same_end(game, replayed)
    return text


def _add_event(events: list[GameEvent], entry: Entry) -> None:
    match read_entry(entry):
        case RollEntry(by=by, held=held, roll=roll, by_hand=by_hand):
            if held:
                events.append(ActionEvent(by, held))
            events.append(RollEvent(by, roll, by_hand))
        case ActionEntry(by=by, do=action):
            events.append(ActionEvent(by, action))
        case CountedEntry(by=by):
            events.append(ActionEvent(by, COUNT))
        case SeatedEntry(player=player):
            events.append(ActionEvent(player, JOIN))
        case UndoEntry() as undo:
            _undo_event(events, entry, undo)
        case CorrectionEntry() as fix:
            _correct_roll(events, entry, fix)
        case UnknownEntry(kind=kind, reason=reason) if kind in PLAYED:
            raise InputError(expected=f"a {kind}", found=reason, where=f"entry {entry.seq}")


def _undo_event(events: list[GameEvent], entry: Entry, undo: UndoEntry) -> None:
    """Remove a player's last action; an entry that names another one raises InputError."""
    place = next((i for i in reversed(range(len(events))) if events[i].by == undo.by), -1)
    if place < 0 or events[place] != ActionEvent(undo.by, undo.do):
        raise _broken_entry(entry, "the undo of the last action")
    del events[place]


def _correct_roll(events: list[GameEvent], entry: Entry, fix: CorrectionEntry) -> None:
    """Replace the faces of the last roll, and remove the actions since; who joined stays."""
    done: list[ActionEvent] = []
    while events and isinstance(last := events[-1], ActionEvent):
        done.insert(0, last)
        events.pop()
    roll = events[-1] if events else None
    joined = [one for one in done if one.action == JOIN]
    done = [one for one in done if one.action != JOIN]
    if len(fix.undone) != len(done):
        raise _broken_entry(entry, f"{len(done)} undone actions")
    undone = [ActionEvent(one.by, one.do) for one in fix.undone]
    if not isinstance(roll, RollEvent) or roll.roll != fix.was or undone != done:
        raise _broken_entry(entry, "a correction of the last roll and of the actions since")
    events[-1:] = [RollEvent(roll.by, fix.roll, fix.by), *joined]


def _require_same_end(game: JournalGame, replayed: ReplayResult) -> None:
    journalled, outcome = game.result, replayed.state.outcome()
    if journalled is None:
        return
    found: Body = {
        "totals": dict(replayed.state.totals()),
        "winners": list(outcome.winners) if outcome else [],
        "losers": list(outcome.losers) if outcome else [],
    }
    if found != journalled:
        raise InputError(
            expected=f"{_result_words(journalled)}, as journalled",
            found=f"{_result_words(found)} by the rules",
            where=f"result of game {game.number}",
        )


def _result_words(result: Body) -> str:
    totals, winners = result.get("totals"), result.get("winners")
    points = totals.items() if isinstance(totals, Mapping) else ()
    names = winners if isinstance(winners, Sequence) else ()
    words = ", ".join(f"{name} {total}" for name, total in points)
    return f"{words}, won by {' and '.join(map(str, names)) or 'nobody'}"


def _range_words(games: Sequence[JournalGame]) -> str:
    listed = "; ".join(_game_words(game) for game in games[-_LISTED:])
    more = "..., " if len(games) > _LISTED else ""
    return f"a game from 1 to {len(games)} ({more}{listed})"


def _game_words(game: JournalGame) -> str:
    header = game.header
    end = "finished" if game.result else "unfinished"
    return f"{game.number}: {header.game} of {', '.join(header.players)}, {end}"


def _broken_entry(entry: Entry, expected: str) -> InputError:
    return InputError(expected=expected, found=f"{entry.kind!r}", where=f"entry {entry.seq}")
