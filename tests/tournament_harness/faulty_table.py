# SPDX-License-Identifier: MIT
"""
A table behind a bad network: a client of the wire whose answers get lost, and worse.

It notes what was acknowledged. A server that later has fewer lines has lost something.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.journal.signing_key import TableKey
from controller.tournament.server.wire.http_signature import sign_request

ANSWER_S = 20.0
LONGEST_PAUSE_S = 0.02
_LENGTH = re.compile(rb"^content-length: *(\d+)", re.IGNORECASE | re.MULTILINE)

FAULTS = {"none": 6, "lost": 2, "doubled": 2, "torn": 2, "beyond": 1, "again": 1}
"""
What happens to a request, and how often: the answer is lost; it comes twice at once; it ends in
its middle; it begins beyond what the server has; it begins before that.
"""


@dataclass
class FaultyTable:
    """
    One table.

    Attributes:
        key: Its key.
        lines: Its journal; a hall's grows.
        ports: Those of the servers of the event.
        chance: Decides what goes wrong.
        most_lines: Of one request.
        acknowledged: The lines below this number are durable, said a server.
        wrong: What a server did that it must not do.
    """

    key: TableKey
    lines: list[bytes]
    ports: Sequence[int]
    chance: random.Random
    most_lines: int = 6
    acknowledged: int = 0
    wrong: list[str] = field(default_factory=list)

    async def send_all(self, is_over: Callable[[], bool] = lambda: True) -> None:
        """Send until everything is acknowledged and nothing more will come."""
        while self.acknowledged < len(self.lines) or not is_over():
            await asyncio.sleep(self.chance.uniform(0, LONGEST_PAUSE_S))
            if self.acknowledged < len(self.lines):
                await self._send_once()

    async def _send_once(self) -> None:
        fault = self.chance.choices(list(FAULTS), list(FAULTS.values()))[0]
        first = self.acknowledged
        if fault == "again":
            first = self.chance.randrange(first + 1)
        if fault == "beyond":
            first = self.chance.randint(first, len(self.lines) - 1)
        lines = self.lines[first : first + self.chance.randint(1, self.most_lines)]
        requests = [self._post(first, lines, fault)]
        if fault == "doubled":
            requests.append(self._post(first, lines, fault))
        await asyncio.gather(*requests)

    async def _post(self, first: int, lines: Sequence[bytes], fault: str) -> None:
        known = self.acknowledged
        path = f"/boxes/{self.key.public_hex}/journal/{first}"
        content = b"\n".join(lines)
        signed = sign_request(self.key, "POST", path, content, int(time.time()))
        head = [
            f"POST {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Connection: close",
            "Content-Type: application/x-ndjson",
            f"Content-Length: {len(content)}",
            *(f"{name}: {value}" for name, value in signed.items()),
        ]
        whole = "\r\n".join([*head, "", ""]).encode() + content
        if fault == "torn":
            whole = whole[: self.chance.randrange(len(whole))]
        try:
            async with asyncio.timeout(ANSWER_S):
                status, answer = await self._exchange(whole, is_read=fault not in ("lost", "torn"))
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return
        self._note(known, status, answer)

    async def _exchange(self, request: bytes, *, is_read: bool) -> tuple[int, dict[str, object]]:
        port = self.chance.choice(self.ports)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(request)
            await writer.drain()
            if not is_read:
                await asyncio.sleep(self.chance.uniform(0, LONGEST_PAUSE_S))
                writer.transport.abort()
                return 0, {}
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            content = await reader.readexactly(int(length[1]) if length else 0)
        finally:
            writer.close()
        return int(head.split(b" ", 2)[1]), json.loads(content)

    def _note(self, known: int, status: int, answer: dict[str, object]) -> None:
        """Note an answer; `known` was acknowledged before the request was sent."""
        if status in (0, 401, 429, 503):
            return
        number = answer.get("next")
        if status not in (200, 409) or not isinstance(number, int) or "fork" in answer:
            self.wrong.append(f"status {status}: {answer}")
        elif number < known:
            self.wrong.append(f"{known} lines were acknowledged, and then there were {number}")
            # A real table sends them again, and so the evening goes on.
            self.acknowledged = number
        else:
            self.acknowledged = max(self.acknowledged, number)
