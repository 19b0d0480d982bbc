# SPDX-License-Identifier: MIT
"""
Replay the lines of a record by the rules.

The first broken or illegal line ends the replay: the lines after it were played from a
position that never existed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.base.errors import IllegalActionError, InputError
from controller.games import require_game
from controller.games.contract import GameEvent, GameState, Json
from controller.journal.records.record import format_value, parse_event, parse_header


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """A game's key, and the position at the end of its record."""

    game: str
    state: GameState


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game's key, the position before its first roll, and its events, all of them legal."""

    game: str
    start: GameState
    events: tuple[GameEvent, ...]


def replay(lines: Iterable[bytes]) -> ReplayResult:
    """Replay a record by its lines with their ends; InputError names a wrong one, or OSError."""
    # Only the last position is kept: a record may have any length.
    ((replayed, _),) = deque(_iter_replay(lines), maxlen=1)
    return replayed


def read_record(lines: Iterable[bytes]) -> RecordedGame:
    """Read a record and check its events by the rules; errors are as in `replay`."""
    steps = _iter_replay(lines)
    first, _ = next(steps)
    return RecordedGame(first.game, first.state, tuple(event for _, event in steps if event))


def _iter_replay(lines: Iterable[bytes]) -> Iterator[tuple[ReplayResult, GameEvent | None]]:
    """Yield the position after each line with its event; the header's has none."""
    replayed: ReplayResult | None = None
    for number, line in enumerate(lines, start=1):
        event = None
        try:
            if replayed is None:
                header = parse_header(line)
                game = require_game(header.game)
                replayed = ReplayResult(game.key, game.start(header.players, header.options))
            else:
                event = parse_event(line)
                replayed = _apply_event(replayed, event)
        except InputError as error:
            place = f"line {number}, {error.where}" if error.where else f"line {number}"
            raise error.at(place) from error
        yield replayed, event
    if replayed is None:
        raise InputError(expected="the header of a record", found="an empty file", where="line 1")


def build_result(file: str, replayed: ReplayResult) -> dict[str, Json]:
    """Return what `dicebell replay --json` prints for a file, keys in the documented order."""
    state = replayed.state
    outcome = state.outcome()
    expects = None if outcome else state.expects()
    return {
        "file": file,
        "game": replayed.game,
        "finished": outcome is not None,
        "totals": state.totals(),
        "winners": outcome.winners if outcome else (),
        "losers": outcome.losers if outcome else (),
        "expects": None if expects is None else {"roll": expects.roll, "do": dict(expects.do)},
        "sheets": {name: state.sheet(name) for name in state.players},
    }


def _apply_event(before: ReplayResult, event: GameEvent) -> ReplayResult:
    try:
        return ReplayResult(before.game, before.state.apply(event))
    except IllegalActionError as error:
        raise InputError(
            expected=", ".join(error.expected) or "nothing more",
            found=f"{format_value(error.action)} by {format_value(error.player)}, in {error.state}",
        ) from error
