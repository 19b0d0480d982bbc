# SPDX-License-Identifier: MIT
"""
The stream of a running event: one for every phone, big screen and official.

A stream begins with everything that its page shows, so a phone that slept or lost its network is
right again with its first message. A phone's page has the same in itself. Afterwards it gets only
what has changed. Changes of everybody are encoded once. One loop writes to all connections, because
a task that wakes for each phone costs more than its message. A choice concerns the phone of its
player alone. How many have chosen, and who comes and goes, is sent in pauses: hundreds of players
do not wake hundreds of phones each.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import msgspec

from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.shared_view import build_shared_view, count_choices
from controller.tournament.state.player_view import (
    build_player_view,
    describe_seats,
    list_without_phone,
)
from controller.tournament.state.state import EventState
from webui.stream import SILENCE_S, STILL_HERE
from webui.tournament.browsers import Browser
from webui.tournament.connections import BoundedProtocol

SWEEP_S = 1.0  # How often silent streams are looked for.
PAUSE_S = 0.5  # Between two messages about what is not urgent, at least.
PAUSE_EACH_S = 0.008  # For each stream: what is not urgent takes a small part of the processor.
MOST_PAUSE_S = 4.0
AT_ONCE = 20
"""Streams that are written before the next requests are read; each takes some tenths of a ms."""
_NOW = re.compile(r'"now_ms":\d+,')
_UNSENT = -1


@dataclass(eq=False, slots=True)
class Viewer:
    """A page, and what it has got."""

    browser: Browser
    has_groups: bool = False  # Whether it shows the first of each section and of the teams.
    player: int | None = None  # For whom it is now; None for a screen of everybody.
    is_known: bool = False  # Whether it is a player's, several players' or an official's.
    shared: int = _UNSENT
    count: bytes = b""
    own: tuple[int, int] | None = None
    own_player: int | None = None
    seats: bytes = b""


@dataclass(eq=False, slots=True, kw_only=True)
class Follower(Viewer):
    """One open stream, and what it has sent."""

    connection: BoundedProtocol
    over: asyncio.Future[None]  # Done when the server ends the stream.
    written_s: float = 0.0


class EventStreams:
    """All open streams of one server; for its event loop."""

    def __init__(self, runner: EventRunner) -> None:
        self._runner = runner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._followers: dict[Follower, None] = {}  # The longest there first.
        self._phones: dict[int, set[Follower]] = {}
        # Those that get their news soon: players, then everybody else.
        self._waiting: dict[Follower, None] = {}
        self._waiting_players: dict[Follower, None] = {}
        self._seen_urgent = _UNSENT
        self._seen_players: dict[int, int] = {}
        self._is_pausing = False
        self._is_sweeping = False
        self._is_ended = False
        self._shared: dict[bool, tuple[int, bytes]] = {}  # With the groups, and without.
        self._count: tuple[tuple[int, int], bytes] = ((_UNSENT, _UNSENT), b"")
        self._places: tuple[int, Mapping[int, Mapping[str, Any]]] = (_UNSENT, {})
        runner.listen(self._note_change)

    def __len__(self) -> int:
        return len(self._followers)

    def end(self) -> None:
        """End all streams, so that the server can stop at once; for its event loop."""
        self._is_ended = True
        for follower in self._followers:
            if not follower.over.done():
                follower.over.set_result(None)

    async def follow(
        self, browser: Browser, connection: BoundedProtocol, *, has_groups: bool = False
    ) -> AsyncIterator[bytes]:
        """
        Yield the first messages of server-sent events, which have everything, then stay.

        What follows is written to the connection. `shared` is `build_shared_view` with the
        server's time as `now_ms`, which corrects the clocks of pages. `count` is
        `count_choices`. `own` is the player's part: `build_player_view` with the row of the
        standings as `row`; its `player` is null without one. `seats` is `describe_seats`, for who
        acts for several players. `here` only says that the line is not cut.
        """
        self._loop = asyncio.get_running_loop()
        over = self._loop.create_future()
        follower = Follower(browser, has_groups, connection=connection, over=over)
        try:
            yield self._encode_news(follower)
            follower.written_s = self._loop.time()
            self._followers[follower] = None
            connection.on_writable = partial(self._wake, (follower,))
            # Something may have changed while the first messages were written.
            self._wake((follower,))
            self._sweep()
            if not self._is_ended:
                await follower.over
        finally:
            connection.on_writable = None
            self._followers.pop(follower, None)
            self._waiting.pop(follower, None)
            self._waiting_players.pop(follower, None)
            self._seat(follower, None)

    def find_first_view(self, browser: Browser) -> str:
        """Return the messages with which the stream of a page begins; for the event loop."""
        return self._encode_news(Viewer(browser)).decode()

    def describe(self, browser: Browser, seen: str) -> dict[str, str]:
        """
        Return these messages as one `text` with their `tag`; empty if that is the tag `seen`.

        It is for a table's screen, whose answers are signed as a whole and so cannot be a stream.
        """
        text = self.find_first_view(browser)
        tag = hashlib.sha256(_NOW.sub("", text, count=1).encode()).hexdigest()
        return {"tag": tag, "text": "" if tag == seen else text}

    def _send_some(self) -> None:
        """Write to some of those that wait; requests are answered in between."""
        assert self._loop is not None, "somebody follows"
        # Strangers who come all the time would otherwise keep a roll from the phones of players.
        waiting = self._waiting_players or self._waiting
        followers = list(islice(waiting, AT_ONCE))
        for follower in followers:
            del waiting[follower]
        if self._waiting_players or self._waiting:
            self._loop.call_soon(self._send_some)
        for follower in followers:
            try:
                self._send(follower, self._loop.time())
            except Exception as error:  # It ends this stream, and the others go on.
                if not follower.over.done():
                    follower.over.set_exception(error)

    def _send(self, follower: Follower, now_s: float) -> None:
        if not follower.connection.may_write():
            # A slow client gets the newest state once it has read what it has.
            return
        news = self._encode_news(follower)
        if not news and now_s - follower.written_s >= SILENCE_S - SWEEP_S:
            news = STILL_HERE.encode()
        if news:
            follower.connection.write_part(news)
            follower.written_s = now_s

    def _sweep(self, *, is_due: bool = False) -> None:
        """Write to the streams that were silent for long, as long as there are streams."""
        if self._loop is None or (self._is_sweeping and not is_due):
            return
        due_s = self._loop.time() - (SILENCE_S - SWEEP_S)
        self._wake([each for each in self._followers if each.written_s <= due_s])
        self._is_sweeping = bool(self._followers)
        if self._is_sweeping:
            self._loop.call_later(SWEEP_S, partial(self._sweep, is_due=True))

    def _encode_news(self, viewer: Viewer) -> bytes:
        news = b""
        revisions = self._runner.revisions
        if viewer.shared != (shared := revisions.shared):
            # A phone that has joined may be known here a moment after its answer.
            self._seat(viewer, self._runner.read(viewer.browser.find_player))
            # A secret is worth only what the event knows it for: anybody can send some.
            players = self._runner.read(viewer.browser.list_players)
            viewer.is_known = bool(players) or viewer.browser.official is not None
            news = self._encode_shared(shared, has_groups=viewer.has_groups)
            viewer.shared = shared
        if viewer.count != (count := self._encode_count()):
            news += count
            viewer.count = count
        if viewer.seats != (seats := self._encode_seats(viewer.browser)):
            news += seats
            viewer.seats = seats
        player = viewer.player
        own = (revisions.urgent, 0 if player is None else revisions.players[player])
        if viewer.own != own or viewer.own_player != player:
            news += self._encode_own(player, is_shared=viewer.browser.is_shared)
            viewer.own, viewer.own_player = own, player
        return news

    def _seat(self, viewer: Viewer, player: int | None) -> None:
        if viewer.player == player:
            return
        if isinstance(viewer, Follower):
            if viewer.player is not None:
                self._phones[viewer.player].discard(viewer)
            if player is not None:
                self._phones.setdefault(player, set()).add(viewer)
        viewer.player = player

    def _encode_shared(self, revision: int, *, has_groups: bool) -> bytes:
        """Return what everybody sees, encoded once, with the time of this moment."""
        known = self._shared.get(has_groups, (_UNSENT, b""))
        if known[0] != revision:
            view = self._runner.read(partial(build_shared_view, has_groups=has_groups))
            known = (revision, _ENCODER.encode(view).removeprefix(b"{"))
            self._shared[has_groups] = known
        now_ms = self._runner.now_ms()
        return b'event: shared\ndata: {"now_ms":%d,%b\n\n' % (now_ms, known[1])

    def _encode_count(self) -> bytes:
        revision = (self._runner.revisions.shared, self._runner.revisions.choices)
        if self._count[0] != revision:
            count = encode_message("count", self._runner.read(count_choices))
            self._count = (revision, count)
        return self._count[1]

    def _encode_seats(self, browser: Browser) -> bytes:
        """Return the players for whom a browser may act, if there are several."""
        if not browser.is_shared:
            return b""
        seats = self._runner.read(lambda state: _list_seats(state, browser))
        return encode_message("seats", seats)

    def _encode_own(self, player: int | None, *, is_shared: bool) -> bytes:
        if player is None:
            return encode_message("own", {"player": None})
        own = self._runner.read(lambda state: _build_own(state, player, is_shared=is_shared))
        return encode_message("own", {**own, "row": self._find_places().get(player)})

    def _find_places(self) -> Mapping[int, Mapping[str, Any]]:
        revision = self._runner.revisions.shared
        if self._places[0] != revision:
            self._places = (revision, self._runner.read(_list_places))
        return self._places[1]

    def _note_change(self) -> None:
        """Find whom a change concerns; the thread of the runner calls it."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._wake_concerned)

    def _wake_concerned(self) -> None:
        revisions = self._runner.revisions
        if revisions.urgent != self._seen_urgent:
            self._seen_urgent = revisions.urgent
            self._wake(self._followers)
            return
        for player, count in list(revisions.players.items()):
            if self._seen_players.get(player) != count:
                self._seen_players[player] = count
                self._wake(self._phones.get(player, ()))
        if not self._is_pausing and self._loop is not None:
            self._is_pausing = True
            pause_s = min(max(PAUSE_S, PAUSE_EACH_S * len(self._followers)), MOST_PAUSE_S)
            self._loop.call_later(pause_s, self._wake_later)

    def _wake_later(self) -> None:
        self._is_pausing = False
        self._wake(self._followers)

    def _wake(self, followers: Collection[Follower]) -> None:
        """Let these streams get their news soon."""
        is_idle = not (self._waiting or self._waiting_players)
        if followers and is_idle and self._loop is not None:
            self._loop.call_soon(self._send_some)
        for follower in followers:
            (self._waiting_players if follower.is_known else self._waiting)[follower] = None


def _to_plain(value: object) -> str:
    """Return a text of a kind of its own, such as a message, as a plain one."""
    if not isinstance(value, str):
        raise TypeError(f"JSON has no {type(value).__name__}")
    return str(value)


# Each phone has views of its own, and the standard library takes several times as long.
_ENCODER = msgspec.json.Encoder(enc_hook=_to_plain)


def encode_message(name: str, view: object) -> bytes:
    """Return a message of server-sent events."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), _ENCODER.encode(view))


def _list_seats(state: EventState, browser: Browser) -> list[Any]:
    if state.data.begun is None:
        return []
    if browser.official is not None:
        return describe_seats(state.data, list_without_phone(state.data))
    return describe_seats(state.data, browser.list_players(state))


def _build_own(state: EventState, player: int, *, is_shared: bool) -> dict[str, Any]:
    if state.data.begun is None or player not in state.data.people:
        return {"player": player}
    return build_player_view(state.data, player, is_shared=is_shared)


def _list_places(state: EventState) -> dict[int, Mapping[str, Any]]:
    if state.data.begun is None:
        return {}
    standings = state.compute_standings()
    teams = {team.team: {"team_place": team.place} for team in standings.teams}
    return {row.player: {**row.to_plain(), **teams.get(row.team, {})} for row in standings.rows}
