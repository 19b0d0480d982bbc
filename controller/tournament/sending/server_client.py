# SPDX-License-Identifier: MIT
"""
The table's connection to its server: signed requests, and answers that only this server can give.

What answers at an address may be anything: another program, a page to log in to a network, another
server. So an answer counts only with the signature of the pinned key.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.base.errors import InputError, UnavailableError
from controller.base.languages.message import message
from controller.base.strict_json import parse_json
from controller.games.player_names import require_name
from controller.journal.signing_key import TableKey
from controller.tournament.sending.server_pin import PinnedServer, parse_address
from controller.tournament.server.wire.enrolment import is_proof, prove_server, prove_table
from controller.tournament.server.wire.http_signature import SIGNATURE, sign_request, verify_answer

TIMEOUT_S = 15.0
JOIN_TIMEOUT_S = 10.0
MOST_ANSWER_BYTES = 1_000_000


class ServerAwayError(Exception):
    """Nobody answers, or somebody else; its text says who in a few words."""


class ForeignKeyError(ServerAwayError):
    """A server answers that has another key than the pinned one."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """An answer with a valid signature: its status, its body, and the key that signed it."""

    status: int
    body: dict[str, Any]
    key: str

    @property
    def error(self) -> str:
        """The reason of a refusal; empty if there is none."""
        return str(self.body.get("error", ""))[:500]


class ServerClient:
    """
    Sends requests of one table to one server; for one thread.

    Args:
        server_key: The server's key in hexadecimal; `None` accepts any, for enrolment.
        now_s: Wall clock, seconds since 1970. The server's time counts if they differ.
        timeout_s: How long one step of a request may take.

    Raises:
        InputError: The address is none.
    """

    def __init__(
        self,
        address: str,
        key: TableKey,
        server_key: str | None,
        *,
        now_s: Callable[[], float] = time.time,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        scheme, host, port = parse_address(address)
        self.table = key.public_hex  # By which the server knows this table.
        self._key = key
        self._server_key = server_key
        self._now_s = now_s
        self._ahead_s = 0
        if scheme == "https":
            context = ssl.create_default_context()
            self._line: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=timeout_s, context=context
            )
        else:
            self._line = http.client.HTTPConnection(host, port, timeout=timeout_s)

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        self._line.close()

    def send(
        self, method: str, path: str, content: bytes = b"", content_type: str = ""
    ) -> ServerAnswer:
        """Send a request and return its answer; ServerAwayError if there is none."""
        answer = self._send_once(method, path, content, content_type)
        told_s = answer.body.get("now")
        if answer.status == 401 and type(told_s) is int:
            # One of the clocks is wrong, or the server has just started.
            self._ahead_s = told_s - int(self._now_s())
            answer = self._send_once(method, path, content, content_type)
        return answer

    def _send_once(self, method: str, path: str, content: bytes, content_type: str) -> ServerAnswer:
        created_s = int(self._now_s()) + self._ahead_s
        headers = sign_request(self._key, method, path, content, created_s)
        if content_type:
            headers["Content-Type"] = content_type
        try:
            self._line.request(method, path, content, headers)
            found = self._line.getresponse()
            said = found.read(MOST_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._line.close()
            raise ServerAwayError(describe_failure(error)) from error
        if len(said) > MOST_ANSWER_BYTES:
            self._line.close()
            raise ServerAwayError("something that is no tournament desk answers there")
        signature = headers[SIGNATURE]
        return self._check(found, said, signature)

    def _check(self, found: http.client.HTTPResponse, said: bytes, signature: str) -> ServerAnswer:
        try:
            signed = verify_answer(found.headers, found.status, said, signature)
            body = parse_json(said)
        except (InputError, ValueError, RecursionError) as error:
            self._line.close()
            what = f"something that is no tournament desk answers there (status {found.status})"
            raise ServerAwayError(what) from error
        if self._server_key not in (None, signed.key):
            self._line.close()
            raise ForeignKeyError(f"another desk answers there, with the key {signed.key[:16]}")
        return ServerAnswer(found.status, body if isinstance(body, dict) else {}, signed.key)


def describe_failure(error: Exception) -> str:
    """Return why a request got no answer, in a few words."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not valid: {error.verify_message}"
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    return "something that does not speak HTTP answers there"


def enrol_table(address: str, code: str, name: str, key: TableKey) -> tuple[PinnedServer, bool]:
    """Return the server that a table joined, and whether it must wait; RefusedError if refused."""
    name, address = require_name(name, "name"), address.strip().rstrip("/")
    parse_address(address)
    table = key.public_hex
    content = json.dumps({"name": name, "proof": prove_table(code, table)}).encode()
    client = ServerClient(address, key, None, timeout_s=JOIN_TIMEOUT_S)
    try:
        answer = client.send("POST", f"/boxes/{table}", content, "application/json")
    except ServerAwayError as error:
        expected = message("a tournament desk at {address}", address=address)
        raise UnavailableError(expected=expected, found=str(error)) from error
    finally:
        client.close()
    if answer.status != 200:
        expected = message("a desk that lets this table in")
        raise InputError(expected=expected, found=answer.error or str(answer.status))
    if not is_proof(answer.body.get("proof"), prove_server(code, table, answer.key)):
        raise InputError(
            expected=message("a desk that knows the code"), found=message("one that does not")
        )
    return PinnedServer(address, answer.key, name), answer.body.get("state") == "pending"
