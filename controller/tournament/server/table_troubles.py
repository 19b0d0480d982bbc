# SPDX-License-Identifier: MIT
"""What is wrong with the tables of an event, for officials: forks, flaws, silence, other keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from controller.games.contract import Json
from controller.tournament.server.shared_view import find_seats
from controller.tournament.server.store.values import BoxState, JournalView
from controller.tournament.state.state import EventState

SILENT_AFTER_S = 30.0


def list_troubles(
    state: EventState,
    journals: Iterable[JournalView],
    find_silence_s: Callable[[str], float | None],
) -> list[dict[str, Json]]:
    """
    Return what waits for an official, as plain values.

    Args:
        find_silence_s: Returns for how long a table has sent nothing, in seconds; `None` if it
            never did.

    Returns:
        Each with `trouble` (`key`, `silent`, `fork` or `flaw`), the `box` and the name of the
        `table`; a fork or a flaw with the number of its line as `line`, a flaw with `what`, a
        fork with the number of further ones of its table as `more`, silence with the minutes that
        it has lasted as `silent_min`.
    """
    found: list[dict[str, Json]] = []
    for journal in journals:
        about: dict[str, Json] = {"box": journal.key, "table": journal.name}
        if journal.state is BoxState.PENDING:
            found.append({"trouble": "key", **about})
            continue
        silent_s = find_silence_s(journal.key)
        if (silent_s is None or silent_s > SILENT_AFTER_S) and _is_awaited(state, journal.key):
            minutes = None if silent_s is None else math.ceil(silent_s / 60)
            found.append({"trouble": "silent", **about, "silent_min": minutes})
        forks = [("fork", seq, "") for seq in journal.forks]
        flaws = [("flaw", seq, what) for seq, what in journal.flaws.items()]
        for trouble, seq, what in forks + flaws:
            if (journal.key, trouble, seq) not in state.data.noted:
                more = journal.more_forks if trouble == "fork" else 0
                found.append({"trouble": trouble, **about, "line": seq, "what": what, "more": more})
    return found


def _is_awaited(state: EventState, key: str) -> bool:
    """Return whether the event cannot go on without a table: it has to throw, or plays a game."""
    game = state.data.open_game
    if game is not None:
        return game.open_roll is None and state.data.boxes.is_same(game.box, key)
    return find_seats(state, key) is not None
