# SPDX-License-Identifier: MIT
"""
What the phone of a seat may ask for: what its own player does, and nothing of the others.

The server adds the player. Whatever stands in the request about that is never read.
"""

from __future__ import annotations

from dataclasses import replace

from werkzeug.exceptions import Forbidden

from controller.base.languages.message import message
from controller.table import events as on
from controller.table.events import Event
from controller.table.view.types import Snapshot
from webui.auth.roles import Seat

_OWN = (
    on.KeyPressed,
    on.DieTapped,
    on.ChoiceTapped,
    on.JokerTapped,
    on.ActionRequested,
    on.ReviewRequested,
)
"""What a player does; the event names the player."""

_SHARED = (on.GamePicked, on.OptionPicked, on.StartRequested, on.FacesEntered, on.RollCorrected)
"""What every player may ask for; faces need the PIN too."""

_LEADING = (
    *(on.PauseRequested, on.ResumeRequested, on.GameClosed, on.GameLeft, on.GameContinued),
    *(on.GameCounted, on.PlayerJoined),
)
"""What belongs to the box, to officials, and to the phone that started the game."""

_KEYS_LEAD = ("lobby", "paused", "fault", "game over")
"""In these phases the four buttons are not one player's."""


def list_players(view: Snapshot) -> list[str]:
    """Return the people at the table, in the order of the seats."""
    if view["lobby"] is None:
        return [player["name"] for player in view["players"] if not player["opponent"]]
    seats = [line for line in view["lobby"]["lines"] if line["kind"] == "seat"]
    return [line["value"] for line in seats if line["value"] and not line["opponent"]]


def sign_event(event: Event, seat: Seat, view: Snapshot) -> Event:
    """Return an event as the player of this seat causes it; Forbidden if they may not."""
    is_back = isinstance(event, on.GameContinued) and seat.is_starter
    if seat.player not in list_players(view) and not is_back:
        raise Forbidden(message("{player} does not play in this game.", player=seat.player))
    is_lead = isinstance(event, _LEADING)
    is_lead |= isinstance(event, on.KeyPressed) and view["phase"] in _KEYS_LEAD
    if is_lead and not seat.is_starter:
        raise Forbidden(
            message("Only the table's own screen or the phone that started the game does that.")
        )
    if view["phase"] == "game over" and event == on.KeyPressed(on.Key.CONFIRM):
        return event  # A rematch is for the whole table, as if its own screen confirmed.
    if isinstance(event, on.ActionRequested):
        return replace(event, by=seat.player, from_phone=True)
    if isinstance(event, _OWN):
        return replace(event, by=seat.player)
    if is_lead or isinstance(event, _SHARED):
        return event
    raise Forbidden(message("Only the table's own screen does that."))
