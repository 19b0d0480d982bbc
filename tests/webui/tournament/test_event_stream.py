# SPDX-License-Identifier: MIT
"""A stream writes to a phone only what the phone can take."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.tournament.entries.game_entries import RollClosed
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.player_requests import hash_secret
from tests.support.running_event import WAIT_S, RunningEvent, run_event
from webui.tournament.browsers import Browser
from webui.tournament.connections import BoundedProtocol
from webui.tournament.event_stream import AT_ONCE, EventStreams


class PhoneLine(BoundedProtocol):
    """A connection to a phone that may be slow."""

    def __init__(self) -> None:
        self.is_slow = False
        self.parts: list[bytes] = []
        self.is_passed_over, self.is_written = asyncio.Event(), asyncio.Event()

    def may_write(self) -> bool:
        if self.is_slow:
            self.is_passed_over.set()
        return not self.is_slow

    def write_part(self, content: bytes) -> None:
        self.parts.append(content)
        self.is_written.set()


class NamedLine(PhoneLine):
    """A connection that notes who got something first."""

    def __init__(self, name: str, got: list[str]) -> None:
        super().__init__()
        self._name, self._got = name, got

    def write_part(self, content: bytes) -> None:
        if not self.parts:
            self._got.append(self._name)
        super().write_part(content)


def test_a_slow_phone_skips_to_the_newest_roll(tmp_path: Path) -> None:
    with run_event(tmp_path) as event:
        event.begin()
        event.write(PlayerJoined(1, "Ada"))
        event.open_game()
        (part,) = asyncio.run(follow_slowly(event))
    messages = dict(each.split("\ndata: ") for each in part.decode().strip().split("\n\n"))
    assert json.loads(messages["event: shared"])["game"]["roll"]["number"] == 2


def test_a_roll_comes_to_players_before_strangers(tmp_path: Path) -> None:
    """Strangers who open streams all the time would otherwise keep it from them."""
    token = hash_secret("Ada")
    with run_event(tmp_path) as event:
        event.begin()
        event.write(PlayerJoined(1, "Ada", token))
        event.open_game()
        got = asyncio.run(follow_among_strangers(event, token))
    assert got == ["Ada", *["stranger"] * 2 * AT_ONCE]


async def follow_among_strangers(event: RunningEvent, token: str) -> list[str]:
    """Return who got a roll, in this order; one half of the strangers came after the player."""
    streams, got = EventStreams(event.runner), list[str]()
    staying = []
    async with asyncio.timeout(WAIT_S):
        for name in (*["stranger"] * AT_ONCE, "Ada", *["stranger"] * AT_ONCE):
            line = NamedLine(name, got)
            # Strangers may send secrets too.
            tokens = (token,) if name == "Ada" else (hash_secret("x"), hash_secret("y"))
            stream = streams.follow(Browser(tokens), line)
            assert b"event: shared" in await anext(stream)
            staying.append((line, asyncio.create_task(anext(stream, b""))))
        await asyncio.to_thread(throw_twice, event)
        for line, _ in staying:
            await line.is_written.wait()
        streams.end()
        for _, task in staying:
            assert await task == b""
    return got


async def follow_slowly(event: RunningEvent) -> list[bytes]:
    """Return what a phone gets that is slow while a roll is closed and another one opened."""
    streams, phone = EventStreams(event.runner), PhoneLine()
    stream = streams.follow(Browser(), phone)
    assert b"event: shared" in await anext(stream)
    phone.is_slow = True
    staying = asyncio.create_task(anext(stream, b""))
    async with asyncio.timeout(WAIT_S):
        await phone.is_passed_over.wait()
        await asyncio.to_thread(throw_twice, event)
        phone.is_passed_over.clear()
        await phone.is_passed_over.wait()
        assert not phone.parts
        phone.is_slow = False
        assert phone.on_writable is not None
        phone.on_writable()
        await phone.is_written.wait()
        streams.end()
        assert await staying == b""
    return phone.parts


def throw_twice(event: RunningEvent) -> None:
    event.throw("13446")
    event.wait_until(lambda state: len(state.data.games[0].rolls) == 1)
    event.write(RollClosed(1, 1, by="Olga", reason="the hall closes"))
    event.throw("22222")
    event.wait_until(lambda state: len(state.data.games[0].rolls) == 2)
