# SPDX-License-Identifier: MIT
"""The check-in before a draw: when it is allowed, who is not there yet, and what follows."""

from __future__ import annotations

from typing import assert_never

from controller.base.languages.message import message
from controller.tournament.entries.check_in_entries import (
    CheckInClosed,
    CheckInEntry,
    CheckInOpened,
    PlayerCheckedIn,
)
from controller.tournament.state.draw_steps import require_next_round
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import (
    compute_draw,
    list_drawable,
    list_expected,
    needs_dice,
)
from controller.tournament.state.refusal import refuse_entry, require_player


def check_check_in_entry(data: EventData, entry: CheckInEntry) -> None:
    """Check that an entry follows from those before it; RefusedEntryError if it does not."""
    where = f"{entry.kind}.round"
    if isinstance(entry, CheckInOpened):
        require_next_round(data, entry)
        if data.rounds.announced is not None or data.rounds.draft is not None:
            expected, found = message("a check-in before the draw"), message("one after it")
            raise refuse_entry("late", expected, found, where)
        if not needs_dice(data):
            compute_draw(data, "")  # After the last round there is nothing to check in for.
        return
    if data.rounds.checked_in is None:
        raise refuse_entry("closed", message("an open check-in"), message("none"), entry.kind)
    match entry:
        case PlayerCheckedIn():
            player = require_player(data, entry.player, "checked_in.player")
            if not entry.is_lifted and entry.player not in list_drawable(data):
                expected = message("a player who may be drawn next")
                raise refuse_entry("closed", expected, player.name, "checked_in.player")
            if (entry.player in data.rounds.checked_in) != entry.is_lifted:
                expected = (
                    message("a player who has checked in")
                    if entry.is_lifted
                    else message("a player who has not checked in")
                )
                raise refuse_entry("twice", expected, player.name, "checked_in.player")
        case CheckInClosed():
            number = len(data.rounds.published) + 1
            if entry.round != number:
                raise refuse_entry("order", str(number), entry.round, where)
            missing = list_missing(data) if needs_dice(data) else ()
            if entry.left_out and entry.left_out != missing:
                expected = message("all who are not there, or none of them")
                numbers = ", ".join(map(str, entry.left_out))
                raise refuse_entry("rule", expected, numbers, "check_in_closed.left_out")
        case _:
            assert_never(entry)


def apply_check_in_entry(data: EventData, entry: CheckInEntry) -> None:
    """Change the event by an entry that was checked."""
    match entry:
        case CheckInOpened():
            data.rounds.checked_in = set()
        case PlayerCheckedIn():
            assert data.rounds.checked_in is not None, "the entry was checked"
            if entry.is_lifted:
                data.rounds.check_out(entry.player)
            else:
                data.rounds.checked_in.add(entry.player)
                data.people.set_away(entry.player, is_away=False)
        case CheckInClosed():
            data.rounds.checked_in = None
            for player in entry.left_out:
                data.people.set_away(player, is_away=True)
        case _:
            assert_never(entry)


def list_missing(data: EventData) -> tuple[int, ...]:
    """Return who is drawn next and has not checked in; empty without a check-in."""
    here = data.rounds.checked_in
    return () if here is None else tuple(sorted(list_expected(data) - here))
