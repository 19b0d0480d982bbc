# SPDX-License-Identifier: MIT
"""
The requests of a phone, with just enough of HTTP for one event loop to hold hundreds of phones.

A library that is no dependency of the product, or a thread for each phone, would cost more than
the server that the phones ask.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from controller.base.errors import InputError

LONGEST_ANSWER_S = 30.0
LONGEST_SILENCE_S = 30.0  # The server sends something every ten seconds.
MOST_LINE_BYTES = 4_000_000
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^content-length: *(\d+)", re.IGNORECASE | re.MULTILINE)
_COOKIE = re.compile(rb"^set-cookie: *([^;\r]+)", re.IGNORECASE | re.MULTILINE)


class StreamEndedError(ConnectionError):
    """The server refused the stream, ended it, or is silent."""


@dataclass(frozen=True, slots=True)
class PhoneAnswer:
    """An answer to a phone: its status and its JSON."""

    status: int
    body: dict[str, Any]


class PhoneClient:
    """One phone as its server sees it, by an address without TLS; else InputError."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise InputError(expected="an address such as http://127.0.0.1:8090/", found=repr(url))
        self._host, self._port = parts.hostname, parts.port or 80
        self.cookie = ""

    async def post(self, path: str, body: object) -> PhoneAnswer:
        """Send JSON, and keep the cookie of the answer; OSError without a whole answer."""
        content = json.dumps(body).encode()
        more = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        async with asyncio.timeout(LONGEST_ANSWER_S):
            reader, writer = await self._request("POST", path, more + "Connection: close\r\n")
            try:
                writer.write(content)
                head = await _read_whole(reader.readuntil(_HEAD_END))
                length = _LENGTH.search(head)
                answer = await _read_whole(reader.readexactly(int(length[1]) if length else 0))
            finally:
                writer.close()
        if cookie := _COOKIE.search(head):
            self.cookie = cookie[1].decode("ascii", "replace")
        return PhoneAnswer(_read_status(head), _read_object(answer))

    async def follow(self) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield name and JSON of the messages of the stream; OSError when it ends or is silent."""
        reader, writer = await self._request("GET", "/event/stream", "")
        try:
            async with asyncio.timeout(LONGEST_ANSWER_S):
                status = _read_status(await _read_whole(reader.readuntil(_HEAD_END)))
            if status != 200:
                raise StreamEndedError(f"the stream was refused: {status}")
            text = b""
            while True:
                async with asyncio.timeout(LONGEST_SILENCE_S):
                    text += await _read_chunk(reader)
                *messages, text = text.split(b"\n\n")
                for message in messages:
                    name, _, data = message.partition(b"\ndata: ")
                    if name.startswith(b"event: "):
                        yield name[7:].decode(), _read_object(data)
        finally:
            writer.close()

    async def _request(
        self, method: str, path: str, more: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        opening = asyncio.open_connection(self._host, self._port, limit=MOST_LINE_BYTES)
        reader, writer = await opening
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        host = f"Host: {self._host}:{self._port}\r\n"
        writer.write(f"{method} {path} HTTP/1.1\r\n{host}{cookie}{more}\r\n".encode())
        return reader, writer


async def _read_whole(reading: Awaitable[bytes]) -> bytes:
    try:
        return await reading
    except asyncio.IncompleteReadError as error:
        raise StreamEndedError("the server ended the connection") from error


async def _read_chunk(reader: asyncio.StreamReader) -> bytes:
    size = int((await reader.readline()).strip() or b"0", 16)
    if size == 0:
        raise StreamEndedError("the server ended the stream")
    return (await _read_whole(reader.readexactly(size + 2)))[:-2]


def _read_status(head: bytes) -> int:
    return int(head.split(b" ", 2)[1])


def _read_object(text: bytes) -> dict[str, Any]:
    found = json.loads(text)
    return found if isinstance(found, dict) else {}
