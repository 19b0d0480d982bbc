# SPDX-License-Identifier: MIT
"""All lists by name, for the page of officials and for the command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from controller.base.errors import InputError
from controller.base.languages.message import Message, message, plural_message
from controller.journal.hashchain import Entry
from controller.tournament.server.event_runner import Plan
from controller.tournament.server.lists.player_list import build_player_csv, plan_players
from controller.tournament.server.lists.result_list import (
    build_result_csv,
    build_result_json,
    plan_results,
)
from controller.tournament.server.official_requests import require_official
from controller.tournament.state.state import EventState

LIST_FILES: Mapping[str, Callable[[EventState], bytes]] = {
    "players.csv": build_player_csv,
    "results.csv": build_result_csv,
    "results.json": build_result_json,
}
"""What is taken out, by the name of its file."""

LISTS = ("players", "results")
"""What is brought back."""


def plan_list(name: str, content: bytes, by: str, reason: str) -> Plan:
    """
    Return what enters a list.

    Args:
        name: One of `LISTS`.
        by: The official who brings it.
        reason: Why results are entered by hand.

    Raises:
        InputError: It is no such list, or the official has no name.
    """
    require_official(by)
    if name == "players":
        return plan_players(content, by)
    if name == "results":
        return plan_results(content, by, reason)
    raise InputError(
        expected=message("one of {names}", names=", ".join(LISTS)), found=repr(name[:40])
    )


def describe_entered(entries: Sequence[Entry]) -> Message:
    """Return a sentence about a list that counts now."""
    if not entries:
        return message("The list is as the event is: nothing has changed.")
    return plural_message(
        "The list counts: {count} change.", "The list counts: {count} changes.", len(entries)
    )
