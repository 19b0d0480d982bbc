# SPDX-License-Identifier: MIT
"""Bodies are charged by what has come, to whoever sent it, and end if they come too slowly."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("starlette", reason="make installs it")

from starlette.requests import Request
from starlette.types import Message

from controller.tournament.server.wire.wire_request import LengthError, RateError, WireError
from webui.tournament import request_bodies
from webui.tournament.request_bodies import BodyBudget, read_body

MOST = 1000


class Upload:
    """A request whose body comes when the test says so."""

    def __init__(self, claim: str = "") -> None:
        headers = [(b"content-length", claim.encode())] if claim else []
        self._parts: asyncio.Queue[Message] = asyncio.Queue()
        scope = {"type": "http", "method": "POST", "headers": headers}
        self.request = Request(scope, self._parts.get)

    def send(self, content: bytes, *, is_last: bool = False) -> None:
        part = {"type": "http.request", "body": content, "more_body": not is_last}
        self._parts.put_nowait(part)


async def start(budget: BodyBudget, sender: str, content: bytes) -> asyncio.Task[bytes]:
    """Begin to read a body of which a part has come."""
    upload = Upload(str(MOST))
    upload.send(content)
    reading = asyncio.create_task(budget.read(upload.request, MOST, sender))
    while not upload._parts.empty():
        await asyncio.sleep(0)
    return reading


async def read_whole(budget: BodyBudget, sender: str, content: bytes) -> bytes:
    upload = Upload()
    upload.send(content, is_last=True)
    return await budget.read(upload.request, MOST, sender)


def test_a_sender_uses_up_its_own_share_alone() -> None:
    async def play() -> None:
        budget = BodyBudget(most_bytes=1000, sender_bytes=500)
        begun = [await start(budget, "one", b"x" * 250) for _ in range(2)]
        begun += [await start(budget, "two", b"") for _ in range(5)]
        with pytest.raises(RateError):
            await read_whole(budget, "one", b"x")
        assert await read_whole(budget, "two", b"x" * 500) == b"x" * 500
        for reading in begun:
            reading.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
        assert await read_whole(budget, "one", b"x" * 500) == b"x" * 500

    asyncio.run(play())


def test_all_senders_together_have_a_limit() -> None:
    async def play() -> None:
        budget = BodyBudget(most_bytes=1000, sender_bytes=600)
        begun = await start(budget, "one", b"x" * 600)
        with pytest.raises(RateError):
            await read_whole(budget, "two", b"x" * 401)
        assert len(await read_whole(budget, "two", b"x" * 400)) == 400
        begun.cancel()

    asyncio.run(play())


@pytest.mark.parametrize("claim", ["1001", "-1", "1e3", "9" * 20])
def test_a_body_that_says_that_it_is_too_long_is_not_read(claim: str) -> None:
    with pytest.raises(LengthError, match="at most 1000 bytes"):
        asyncio.run(read_body(Upload(claim).request, MOST))


@pytest.mark.parametrize(("limit", "value"), [("LEAST_BYTES_PER_S", 1e9), ("BODY_TIMEOUT_S", 0.05)])
def test_a_body_that_stops_is_given_up(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: float
) -> None:
    monkeypatch.setattr(request_bodies, "GRACE_S", 0.05)
    monkeypatch.setattr(request_bodies, limit, value)

    async def play() -> None:
        upload = Upload()
        upload.send(b"x" * 100)
        await read_body(upload.request, MOST)

    with pytest.raises(WireError, match="100 bytes"):
        asyncio.run(play())


def test_a_body_that_keeps_its_pace_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "GRACE_S", 0.05)
    monkeypatch.setattr(request_bodies, "LEAST_BYTES_PER_S", 1)

    async def play() -> bytes:
        upload = Upload()
        loop = asyncio.get_running_loop()
        upload.send(b"x" * 30)
        # Long after the grace, and long before the 30 s that 30 bytes may take.
        loop.call_later(0.2, upload.send, b"y")
        loop.call_later(0.21, lambda: upload.send(b"", is_last=True))
        return await read_body(upload.request, MOST)

    assert asyncio.run(play()) == b"x" * 30 + b"y"
