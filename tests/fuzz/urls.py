# SPDX-License-Identifier: MIT
"""
Send requests to the real server of a real table with a simulated tray.

Every address of the map is asked, with right and wrong methods, ids, queries, bodies and headers,
as a stranger and as an official; some requests are changed as bytes. A status of 500, an error in
the server's log, a server that does not answer any more and a table that stopped are finds.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import random
import re
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from controller.base.logs import set_up_logs
from controller.base.settings import DataSettings, Settings
from controller.cli.build_table import Devices, build_table
from controller.runtime.devices.peripherals import Peripherals
from hardware.clock import MonotonicClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from tests.fuzz.commands import DiedError
from tests.fuzz.mutations import ODD_TEXTS, mutate
from tests.fuzz.targets import CORPUS
from webui import create_app
from webui.commands import COMMANDS
from webui.server import KioskServer

ANSWER_TIMEOUT_S = 60.0
CHECKS_EVERY = 25
UNFINISHED_S = 0.25
"""A request without an answer by then waits for its own end; a slow answer is not judged."""
PLACE = re.compile(rb"@PORT@")
"""Stands for the port in requests, which is another one at every start."""
COOKIE = re.compile(rb"@COOKIE@")
"""Stands for the cookie of an official."""

HEADERS = (
    *("Host: 127.0.0.1:@PORT@", "Host: evil.example", "Host: [::1", "Host:", "Host: a\x01b"),
    *("Origin: http://127.0.0.1:@PORT@", "Origin: http://evil.example", "Origin: null"),
    *("Content-Type: application/json", "Content-Type: text/plain", "Content-Type: ;;;="),
    *("Content-Type: multipart/form-data; boundary=x", "Transfer-Encoding: chunked"),
    *("Content-Length: 99999999999", "Content-Length: -1", "Content-Length: x", "Expect: 100"),
    *("Cookie: @COOKIE@", "Cookie: @COOKIE@x", "Cookie: a=b.c"),
    *("Cookie: =;=;=", "Accept-Encoding: gzip", "If-None-Match: *", "Range: bytes=0-1"),
    *("If-Modified-Since: never", "X-Forwarded-For: 1.2.3.4", "Forwarded: for=;;", "Referer: //"),
    *("Sec-Fetch-Site: cross-site", "Last-Event-ID: 9999999999999999999999", "Accept: */*"),
)
TEXTS = (
    *("", "0", "-1", "7", "true", "null", "lobby", "Ada", "../..", "%2e%2e%2f", "%00", "%ff"),
    *("ab" * 32, "a" * 3000, "[" * 3000, "1e999", "9" * 5000, "\u00e4", "%ED%A0%80", "{}", "[]"),
)
VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 1, 5, 10**30, 1e308, "", "Ada", "lobby", "x" * 5000, "\u0000"),
    *([], [1], ["Ada", "Ben"], [[]] * 5, {}, {"jokers": True}, {"": ""}, "choice", "13446"),
)


class _ErrorLog(logging.Handler):
    """Keeps the errors that the server logs; one may belong to an earlier request."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(logging.Formatter().format(record))


class UrlTarget:
    """The pages of a table, served by its real server for the time of a `with` block."""

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as closing:
            folder = Path(closing.enter_context(tempfile.TemporaryDirectory()))
            camera = SimulatedCamera(MonotonicClock(), seed=5, longest_gap_s=0.1)
            hands = SimulatedHands(camera, seed=5)
            table = build_table(
                Settings(data=DataSettings(folder)),
                Devices(camera, Peripherals()),
                calibration=None,
                lines=set_up_logs(level=logging.CRITICAL),
            )
            closing.callback(table.runtime.close)
            self._log, waitress = _ErrorLog(), logging.getLogger("waitress")
            waitress.addHandler(self._log)
            closing.callback(waitress.removeHandler, self._log)
            table.access.begin()
            app = create_app(
                table.runtime.running,
                hands,
                access=table.access,
                calibration=table.calibration,
                service=table.service,
            )
            self._kiosk = KioskServer(app, "127.0.0.1", 0)
            self._kiosk.start()
            closing.callback(self._kiosk.close)
            closing.callback(table.runtime.loop.close)
            table.runtime.begin()
            table.start()
            pin = table.access.first_pin()
            assert pin is not None
            self._cookie = self._log_in(pin)
            self._rules = [
                (rule.rule, method)
                for rule in app.url_map.iter_rules()
                for method in sorted(rule.methods or ())
                if "power" not in rule.rule
            ]
            self._tried = 0
            self._closing = closing.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def seeds(self) -> Sequence[bytes]:
        chance = random.Random(1)
        kept = [path.read_bytes() for path in sorted((CORPUS / "url").glob("*"))]
        return [*kept, *(self._make_request(*rule, chance) for rule in self._rules)]

    def mutate(self, data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
        if chance.random() < 0.4:
            return mutate(data, others, chance)
        return self._make_request(*chance.choice(self._rules), chance)

    def run(self, data: bytes) -> str:
        """Send a request; return its first line and the status."""
        self._tried += 1
        status = self._ask(data)
        first = data.split(b"\r\n", 1)[0].decode("latin-1")
        if status == 500:
            raise DiedError(f"status 500 for {first!r}")
        if self._log.errors:
            raise DiedError(f"logged at {first!r}: {self._log.errors.pop()}")
        if self._tried % CHECKS_EVERY == 0:
            self._require_health(first)
        return f"{first.partition('?')[0]} {status}"

    def _log_in(self, pin: str) -> bytes:
        """Return the cookie of an official, as `name=value`."""
        line = http.client.HTTPConnection("127.0.0.1", self._kiosk.port, timeout=ANSWER_TIMEOUT_S)
        with contextlib.closing(line):
            headers = {"Content-Type": "application/json"}
            line.request("POST", "/login/pin", json.dumps({"pin": pin}), headers)
            answer = line.getresponse()
            cookie = answer.getheader("Set-Cookie", "").partition(";")[0]
            assert cookie, (answer.status, answer.read())
        return cookie.encode()

    def _require_health(self, first: str) -> None:
        status = self._ask(HEALTH, ANSWER_TIMEOUT_S)
        if status not in (200, 503):
            raise DiedError(f"status {status} for its health after {first!r}")

    def _ask(self, data: bytes, timeout_s: float = UNFINISHED_S) -> int:
        """Send bytes as they are; return the status of the answer, 0 without one."""
        port = str(self._kiosk.port).encode()
        data = COOKIE.sub(self._cookie, PLACE.sub(port, data))
        with socket.create_connection(("127.0.0.1", self._kiosk.port), ANSWER_TIMEOUT_S) as line:
            line.settimeout(timeout_s)
            try:
                line.sendall(data)
                answer = line.recv(4096)
            except OSError:
                return 0  # the server hung up, or waits for the rest of the request
        found = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
        return int(found[1]) if found else 0

    def _make_request(self, rule: str, method: str, chance: random.Random) -> bytes:
        path = re.sub("<[^>]*>", lambda part: chance.choice(TEXTS), rule)
        if chance.random() < 0.3:
            path += f"?{chance.choice(('to', 'about', 'v', 'x'))}={chance.choice(TEXTS)}"
        body = self._make_body(chance) if method == "POST" or chance.random() < 0.05 else b""
        odd = chance.sample(HEADERS, chance.choice((0, 0, 1, 2, 4)))
        headers = ["Host: 127.0.0.1:@PORT@", "Content-Type: application/json"]
        if chance.random() < 0.6:
            headers.append("Cookie: @COOKIE@")
        names = {each.partition(":")[0] for each in odd}
        lines = [each for each in headers if each.partition(":")[0] not in names] + list(odd)
        if "Content-Length" not in names:
            lines.append(f"Content-Length: {len(body)}")
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "Connection: close", "", ""])
        return head.encode("utf-8") + body

    def _make_body(self, chance: random.Random) -> bytes:
        way = chance.random()
        if way < 0.15:
            return chance.choice(ODD_TEXTS)
        name = chance.choice((*COMMANDS, "throw", "nudge", "set", "unknown"))
        keys = COMMANDS[name].keys if name in COMMANDS else ("pin", "code", "key", "value", "name")
        fields: dict[str, object] = {"do": name, "about": chance.choice(TEXTS)}
        fields |= {key: chance.choice(VALUES) for key in keys if chance.random() < 0.9}
        if way < 0.3:
            fields[chance.choice(TEXTS)] = chance.choice(VALUES)
        return json.dumps(fields).encode()


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:@PORT@\r\nConnection: close\r\n\r\n"
