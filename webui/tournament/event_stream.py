# SPDX-License-Identifier: MIT
"""
The stream of a running event: one for every phone, big screen and official.

A stream begins with everything that its page shows, so a phone that slept or lost its network is
right again with its first message. Afterwards it gets only what has changed. Changes of everybody
are encoded once. A choice wakes the phone of its player alone; how many have chosen is sent every
half a second, so hundreds of choices in a few seconds do not wake hundreds of phones each.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import StreamingResponse

from controller.tournament.fold.player_view import build_player_view
from controller.tournament.fold.state import EventState
from controller.tournament.running.event_runner import EventRunner
from controller.tournament.running.shared_view import build_shared_view, count_choices

SILENCE_S = 10.0
"""A stream without changes says so as often, so that both ends notice a line that is cut."""
COUNT_EVERY_S = 0.5
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@dataclass(eq=False, slots=True)
class Follower:
    """
    One open stream.

    Attributes:
        player: Whose phone it is; None for a screen of everybody.
    """

    player: int | None
    wakes: asyncio.Event = field(default_factory=asyncio.Event)


class EventStreams:
    """
    All open streams of one server; for its event loop.

    Args:
        runner: The event.
    """

    def __init__(self, runner: EventRunner) -> None:
        self._runner = runner
        self._loop: asyncio.AbstractEventLoop | None = None
        self._followers: set[Follower] = set()
        self._phones: dict[int, set[Follower]] = {}
        self._seen_shared = -1
        self._seen_players: dict[int, int] = {}
        self._is_counting = False
        self._shared: tuple[int, str] = (-1, "")
        self._places: tuple[int, Mapping[int, Mapping[str, object]]] = (-1, {})
        runner.listen(self._note_change)

    def __len__(self) -> int:
        return len(self._followers)

    def respond(self, request: Request, player: int | None) -> StreamingResponse:
        """Return the stream for a page; `player` is whose phone asks."""
        self._loop = asyncio.get_running_loop()
        return StreamingResponse(self.follow(player), 200, HEADERS, "text/event-stream")

    async def follow(self, player: int | None) -> AsyncIterator[str]:
        """
        Yield messages of server-sent events, the first ones with everything.

        `shared` is `build_shared_view`, `count` is `count_choices`, `own` is the player's part:
        `build_player_view` with the row of the standings as `row`.
        """
        follower = Follower(player)
        self._followers.add(follower)
        if player is not None:
            self._phones.setdefault(player, set()).add(follower)
        try:
            sent: dict[str, str] = {}
            own_key = None
            while True:
                follower.wakes.clear()
                messages = {"shared": self._encode_shared(), "count": self._encode_count()}
                if player is not None and own_key != (own_key := self._find_own_key(player)):
                    messages["own"] = self._encode_own(player)
                news = {name: text for name, text in messages.items() if sent.get(name) != text}
                sent |= news
                yield "".join(news.values()) or ": still here\n\n"
                try:
                    await asyncio.wait_for(follower.wakes.wait(), SILENCE_S)
                except TimeoutError:
                    continue
        finally:
            self._followers.discard(follower)
            if player is not None:
                self._phones[player].discard(follower)

    def _encode_shared(self) -> str:
        """Return what everybody sees; the server's time in it corrects the clocks of phones."""
        revision = self._runner.revisions.shared
        if self._shared[0] != revision:
            view = {**self._runner.read(build_shared_view), "now_ms": self._runner.now_ms()}
            self._shared = (revision, encode_message("shared", view))
        return self._shared[1]

    def _encode_count(self) -> str:
        return encode_message("count", self._runner.read(count_choices))

    def _encode_own(self, player: int) -> str:
        own = self._runner.read(lambda state: _build_own(state, player))
        return encode_message("own", {**own, "row": self._find_places().get(player)})

    def _find_own_key(self, player: int) -> tuple[int, int]:
        """Return what changes whenever a player's part may have changed."""
        revisions = self._runner.revisions
        return revisions.shared, revisions.players[player]

    def _find_places(self) -> Mapping[int, Mapping[str, object]]:
        revision = self._runner.revisions.shared
        if self._places[0] != revision:
            self._places = (revision, self._runner.read(_list_places))
        return self._places[1]

    def _note_change(self) -> None:
        """Called by the thread of the runner."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        revisions = self._runner.revisions
        if revisions.shared != self._seen_shared:
            self._seen_shared = revisions.shared
            self._seen_players = dict(revisions.players)
            _wake_all(self._followers)
            return
        for player, count in list(revisions.players.items()):
            if self._seen_players.get(player) != count:
                self._seen_players[player] = count
                _wake_all(self._phones.get(player, ()))
        if not self._is_counting and self._loop is not None:
            self._is_counting = True
            self._loop.call_later(COUNT_EVERY_S, self._tell_count)

    def _tell_count(self) -> None:
        self._is_counting = False
        _wake_all(self._followers)


def encode_message(name: str, view: object) -> str:
    """Return a message of server-sent events."""
    return f"event: {name}\ndata: {json.dumps(view, ensure_ascii=False)}\n\n"


def _wake_all(followers: set[Follower] | tuple[()]) -> None:
    for follower in followers:
        follower.wakes.set()


def _build_own(state: EventState, player: int) -> Mapping[str, object]:
    if state.data.begun is None or player not in state.data.people:
        return {"player": player}
    return build_player_view(state.data, player)


def _list_places(state: EventState) -> dict[int, Mapping[str, object]]:
    if state.data.begun is None:
        return {}
    return {row.player: row.to_plain() for row in state.compute_standings().rows}
