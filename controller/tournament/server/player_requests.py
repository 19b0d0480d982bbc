# SPDX-License-Identifier: MIT
"""
What phones ask for, as entries of the event.

The network of a hall loses answers, so a phone sends again what was not answered. A request that
has been done already is answered as the first one; only one that contradicts it is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.player_names import clean_line
from controller.journal.hashchain import Body
from controller.tournament.entries.appeal_entries import RulingAppealed
from controller.tournament.entries.call_entries import OfficialCalled
from controller.tournament.entries.check_in_entries import PlayerCheckedIn
from controller.tournament.entries.codec import EventEntry, decode_body
from controller.tournament.entries.draw_entries import ByeAsked
from controller.tournament.entries.game_entries import ChoiceMade, ReserveAsked
from controller.tournament.entries.player_entries import (
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
    TokenIssued,
)
from controller.tournament.server.event_runner import Build, BuildOwn
from controller.tournament.state.calls import find_last_call
from controller.tournament.state.duplicate.solo import TERMINATOR
from controller.tournament.state.refusal import RefusedEntryError, refuse_entry
from controller.tournament.state.state import EventState

SHORTEST_SECRET, LONGEST_SECRET = 22, 100
"""Characters of a phone's secret; 22 of 64 kinds are 128 bits."""
MOST_PHONES = 2000
"""
Players with a phone who are present in one event. The streams of all, and a request of each, fit
into the connections of one server.
"""


class DoneAlreadyError(RefusedEntryError):
    """What was asked for has been done by the same phone."""

    player = 0  # Whose phone it is.


def hash_secret(secret: str) -> str:
    """Return what the journal holds of a phone's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_secret(found: object) -> bool:
    """Return whether this may be the secret of a phone."""
    return (
        isinstance(found, str)
        and SHORTEST_SECRET <= len(found) <= LONGEST_SECRET
        and found.isascii()
        and found.replace("-", "").replace("_", "").isalnum()
    )


def join_by_phone(fields: Body, secret: str, others: Sequence[str] = ()) -> Build:
    """Return what lets a player join with a new secret, and with none of the other tokens."""
    name, token = fields.get("name", ""), hash_secret(secret)
    if isinstance(name, str):
        name = clean_line(name)

    def build(state: EventState) -> EventEntry:
        if (player := state.find_player_by_token(token)) is not None:
            raise _done_already(player)
        if any(state.find_player_by_token(other) is not None for other in others):
            expected, found = message("a phone that has not joined"), message("one that has")
            raise refuse_entry("seat", expected, found, "joined.player")
        phones = sum(
            each.is_present and bool(each.token) for each in state.data.people.list_players()
        )
        if phones >= MOST_PHONES:
            expected = message("at most {most} phones in an event", most=str(MOST_PHONES))
            raise refuse_entry("rule", expected, str(phones), "joined.player")
        # Only an official may name an official, so nothing else of the request is taken.
        body = {"name": name, "player": len(state.data.people) + 1, "token": token}
        return decode_body(PlayerJoined.kind, body)

    return build


def choose_by_phone(fields: Body) -> BuildOwn:
    """
    Return what makes a choice, or asks for a reserve roll.

    Args:
        fields: `game`, `roll`, `do`, and `faces` if the choice is from these faces alone.

    Raises:
        InputError: They are not of these kinds.
    """
    body = {"player": 1, **fields}
    faces = body.pop("faces", "")
    asks = body.get("do") == [TERMINATOR]
    if asks:
        del body["do"]
    made = decode_body(ReserveAsked.kind if asks else ChoiceMade.kind, body)
    assert isinstance(made, ReserveAsked | ChoiceMade)

    def build(state: EventState, player: int) -> EventEntry:
        number = made.player if "player" in fields else player
        roll = state.data.find_roll(made.game, made.roll) if state.data.begun else None
        if roll is not None and number == player:
            chosen = made.do if isinstance(made, ChoiceMade) else ()
            done = player in roll.asked if asks else roll.choices.get(player) == chosen
            # An official does not learn what somebody else chose.
            entered = state.data.entered.get((made.game, made.roll, player), "")
            if done and made.by in ("", entered):
                raise _done_already(player)
            given = roll.reserve.faces if roll.reserve and player in roll.asked else roll.faces
            if faces and faces != given:
                expected = message("a choice from the dice {faces}", faces=given)
                raise refuse_entry("annulled", expected, str(faces)[:20], "choice.faces")
        return replace(made, player=number)

    return build


def change_by_phone(fields: Body) -> BuildOwn:
    """
    Return what a player does without an official: check in, leave, return, take another name or a
    `round` off, call an official, or appeal against a `ruling`.

    Raises:
        InputError: `do` is none of these, or the name is missing or no name.
    """
    body = {"player": 1, **fields}
    do = body.pop("do", None)
    change = _CHANGES.get(do) if isinstance(do, str) else None
    if change is None:
        raise InputError(expected=" or ".join(_CHANGES), found=repr(do)[:80], where="do")
    if isinstance(name := body.get("name"), str):
        body["name"] = clean_line(name)
    decode_body(change[0], body)

    def build(state: EventState, player: int) -> EventEntry:
        entry = decode_body(change[0], {**body, "player": fields.get("player", player)})
        if "player" not in fields and change[1](state, player):
            raise _done_already(player)
        if isinstance(entry, RulingAppealed) and state.data.appeals.get(entry.ruling) == entry:
            raise _done_already(player)
        if isinstance(entry, ByeAsked) and entry.is_lifted != state.data.rounds.is_off(entry):
            raise _done_already(player)
        return entry

    return build


def take_phone(issued: str, secret: str) -> Build:
    """Return what replaces an issued secret by that of the phone which brings it; once."""

    def build(state: EventState) -> EventEntry:
        if (player := state.find_player_by_token(hash_secret(secret))) is not None:
            raise _done_already(player)
        player = state.find_player_by_token(hash_secret(issued))
        if player is None:
            expected = message("a link that nobody has used")
            raise refuse_entry("seat", expected, message("one that is not valid"), "token.player")
        return TokenIssued(player, hash_secret(secret))

    return build


def _is_away(state: EventState, player: int) -> bool:
    return state.data.people.find(player).is_away


def _has_called(state: EventState, player: int) -> bool:
    last = find_last_call(state.data, player)
    return last is not None and last.is_open


def _has_checked_in(state: EventState, player: int) -> bool:
    """Return whether a player is there, also for the draw after a check-in that is over."""
    here = state.data.rounds.checked_in
    return player in (state.data.people.list_present() if here is None else here)


# The kind of each change, and whether it has been done.
_CHANGES: dict[str, tuple[str, Callable[[EventState, int], bool]]] = {
    "leave": (PlayerLeft.kind, _is_away),
    "return": (PlayerReturned.kind, lambda state, player: not _is_away(state, player)),
    "rename": (PlayerRenamed.kind, lambda state, player: False),
    "call": (OfficialCalled.kind, _has_called),
    "check in": (PlayerCheckedIn.kind, _has_checked_in),
    "round off": (ByeAsked.kind, lambda state, player: False),
    "appeal": (RulingAppealed.kind, lambda state, player: False),
}


def _done_already(player: int) -> DoneAlreadyError:
    error = DoneAlreadyError(
        expected=message("something new"), found=message("what has been done"), code="twice"
    )
    error.player = player
    return error
