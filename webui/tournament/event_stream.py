# SPDX-License-Identifier: MIT
"""
The stream of a running event: one for every phone, big screen and official.

A stream begins with everything that its page shows, so a phone that slept or lost its network is
right again with its first message. A phone's page has the same in itself. Afterwards it gets only
what has changed. Changes of everybody are encoded once. A choice wakes the phone of its player
alone. How many have chosen, and who comes and goes, is sent every half a second: hundreds of
players do not wake hundreds of phones each.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import StreamingResponse

from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.shared_view import build_shared_view, count_choices
from controller.tournament.state.player_view import (
    build_player_view,
    describe_seats,
    list_without_phone,
)
from controller.tournament.state.state import EventState
from webui.stream import STREAM_HEADERS
from webui.tournament.browsers import Browser

SILENCE_S = 10.0
"""A stream without changes says so as often, so that both ends notice a line that is cut."""
PAUSE_S = 0.5  # Between two messages about what is not urgent.
AT_ONCE = 20
"""Streams that are woken before the next requests are read; each takes about half a millisecond."""
STILL_HERE = "event: here\ndata: {}\n\n"
_NOW = re.compile(r'"now_ms": \d+, ')
_UNSENT = -1


@dataclass(eq=False, slots=True)
class Follower:
    """One open stream, and what it has sent."""

    browser: Browser
    player: int | None = None  # For whom it is now; None for a screen of everybody.
    wakes: asyncio.Event = field(default_factory=asyncio.Event)
    shared: int = _UNSENT
    count: str = ""
    own: tuple[int, int] | None = None
    own_player: int | None = None
    seats: str = ""


class EventStreams:
    """All open streams of one server; for its event loop."""

    def __init__(self, runner: EventRunner) -> None:
        self._runner = runner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._followers: set[Follower] = set()
        self._phones: dict[int, set[Follower]] = {}
        self._seen_urgent = _UNSENT
        self._seen_players: dict[int, int] = {}
        self._is_waiting = False
        self._is_ended = False
        self._shared: tuple[int, str] = (_UNSENT, "")
        self._count: tuple[tuple[int, int], str] = ((_UNSENT, _UNSENT), "")
        self._places: tuple[int, Mapping[int, Mapping[str, Any]]] = (_UNSENT, {})
        runner.listen(self._note_change)

    def __len__(self) -> int:
        return len(self._followers)

    def respond(self, browser: Browser) -> StreamingResponse:
        """Return the stream for a page."""
        self._loop = asyncio.get_running_loop()
        return StreamingResponse(self.follow(browser), 200, STREAM_HEADERS, "text/event-stream")

    def find_first_view(self, browser: Browser) -> str:
        """Return the messages with which the stream of a page begins; for the event loop."""
        follower = Follower(browser)
        news = self._encode_news(follower)
        self._seat(follower, None)
        return news

    def end(self) -> None:
        """End all streams, so that the server can stop at once; for its event loop."""
        self._is_ended = True
        _wake(self._followers)

    async def follow(self, browser: Browser) -> AsyncIterator[str]:
        """
        Yield messages of server-sent events, the first ones with everything.

        `shared` is `build_shared_view` with the server's time as `now_ms`, which corrects the
        clocks of pages. `count` is `count_choices`. `own` is the player's part:
        `build_player_view` with the row of the standings as `row`; its `player` is null without
        one. `seats` is `describe_seats`, for who acts for several players. `here` only says that
        the line is not cut.
        """
        follower = Follower(browser)
        self._followers.add(follower)
        try:
            while not self._is_ended:
                follower.wakes.clear()
                yield self._encode_news(follower) or STILL_HERE
                # Unlike wait_for it needs no task of its own for each wait.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SILENCE_S):
                        await follower.wakes.wait()
        finally:
            self._followers.discard(follower)
            self._seat(follower, None)

    def describe(self, browser: Browser, seen: str) -> dict[str, str]:
        """
        Return all messages as one `text` with their `tag`; empty if that is the tag `seen`.

        It is for a table's screen, whose answers are signed as a whole and so cannot be a stream.
        """
        follower = Follower(browser)
        try:
            text = self._encode_news(follower)
        finally:
            self._seat(follower, None)
        tag = hashlib.sha256(_NOW.sub("", text, count=1).encode()).hexdigest()
        return {"tag": tag, "text": "" if tag == seen else text}

    def _encode_news(self, follower: Follower) -> str:
        news = ""
        revisions = self._runner.revisions
        if follower.shared != (shared := revisions.shared):
            # A phone that has joined may be known here a moment after its answer.
            self._seat(follower, self._runner.read(follower.browser.find_player))
            news = self._encode_shared(shared)
            follower.shared = shared
        if follower.count != (count := self._encode_count()):
            news += count
            follower.count = count
        if follower.seats != (seats := self._encode_seats(follower.browser)):
            news += seats
            follower.seats = seats
        player = follower.player
        own = (revisions.urgent, 0 if player is None else revisions.players[player])
        if follower.own != own or follower.own_player != player:
            news += self._encode_own(player, is_shared=follower.browser.is_shared)
            follower.own, follower.own_player = own, player
        return news

    def _seat(self, follower: Follower, player: int | None) -> None:
        if follower.player == player:
            return
        if follower.player is not None:
            self._phones[follower.player].discard(follower)
        follower.player = player
        if player is not None:
            self._phones.setdefault(player, set()).add(follower)

    def _encode_shared(self, revision: int) -> str:
        """Return what everybody sees, encoded once, with the time of this moment."""
        if self._shared[0] != revision:
            view = json.dumps(self._runner.read(build_shared_view), ensure_ascii=False)
            self._shared = (revision, view.removeprefix("{"))
        now_ms = self._runner.now_ms()
        return f'event: shared\ndata: {{"now_ms": {now_ms}, {self._shared[1]}\n\n'

    def _encode_count(self) -> str:
        revision = (self._runner.revisions.shared, self._runner.revisions.choices)
        if self._count[0] != revision:
            count = encode_message("count", self._runner.read(count_choices))
            self._count = (revision, count)
        return self._count[1]

    def _encode_seats(self, browser: Browser) -> str:
        """Return the players for whom a browser may act, if there are several."""
        if not browser.is_shared:
            return ""
        seats = self._runner.read(lambda state: _list_seats(state, browser))
        return encode_message("seats", seats)

    def _encode_own(self, player: int | None, *, is_shared: bool) -> str:
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
        """Wake the streams; the thread of the runner calls it."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        revisions = self._runner.revisions
        if revisions.urgent != self._seen_urgent:
            self._seen_urgent = revisions.urgent
            self._wake_all()
            return
        for player, count in list(revisions.players.items()):
            if self._seen_players.get(player) != count:
                self._seen_players[player] = count
                _wake(self._phones.get(player, ()))
        if not self._is_waiting and self._loop is not None:
            self._is_waiting = True
            self._loop.call_later(PAUSE_S, self._wake_later)

    def _wake_later(self) -> None:
        self._is_waiting = False
        self._wake_all()

    def _wake_all(self) -> None:
        """Wake every stream, some at once: requests are answered in between."""
        waiting = list(self._followers)

        def wake_some() -> None:
            _wake(waiting[-AT_ONCE:])
            del waiting[-AT_ONCE:]
            if waiting and self._loop is not None:
                self._loop.call_soon(wake_some)

        wake_some()


def encode_message(name: str, view: object) -> str:
    """Return a message of server-sent events."""
    return f"event: {name}\ndata: {json.dumps(view, ensure_ascii=False)}\n\n"


def _wake(followers: Iterable[Follower]) -> None:
    for follower in followers:
        follower.wakes.set()


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
    return {row.player: row.to_plain() for row in state.compute_standings().rows}
