# SPDX-License-Identifier: MIT
"""
The server's side of the wire: whether a request counts, and how to answer.

It knows no web framework and no event loop. Signed requests get signed answers, also refusals, so
a table believes nothing that its server did not say.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import Future

from controller.base.errors import InputError, RefusedError
from controller.base.logs import Log
from controller.base.strict_json import parse_json
from controller.games.player_names import require_name
from controller.journal.tlog.checkpoint_note import derive_origin
from controller.journal.tlog.cosignature import cosign_note
from controller.journal.tlog.signed_note import encode_note, parse_note
from controller.runtime.access.rate_limit import ClientGroup, LoginClient, LoginThrottle
from controller.runtime.access.request_rate import RateLimit, RequestRate
from controller.tournament.server.store.batch import split_lines
from controller.tournament.server.store.box_queries import (
    MOST_PICTURE_BYTES,
    find_box,
    find_named,
    find_state,
    read_code_number,
    renew_code,
    store_picture,
)
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import (
    MOST_BATCH_BYTES,
    MOST_LINE_BYTES,
    BoxState,
    LinesAnswer,
    LinesRequest,
    StoreUnavailableError,
    UnknownTableError,
    UnsignedTableError,
    build_unknown_error,
    build_unsigned_error,
)
from controller.tournament.server.wire.enrolment import (
    derive_code,
    is_proof,
    prove_server,
    prove_table,
)
from controller.tournament.server.wire.event_log import EventLog
from controller.tournament.server.wire.http_signature import SIGNATURE, sign_answer
from controller.tournament.server.wire.sender_check import SenderCheck
from controller.tournament.server.wire.wire_request import (
    LengthError,
    RateError,
    WireAnswer,
    WireError,
    WireRequest,
)
from hardware.clock import Clock, MonotonicClock

LINES_TYPE = "application/x-ndjson"
MOST_BODY_BYTES = max(MOST_LINE_BYTES + 1, MOST_PICTURE_BYTES)
REFUSED_RATE = RateLimit(burst=30, per_s=2)
"""Refused requests of one sender that get a reason and a line in the log."""
LOG_RATE = RateLimit(burst=100, per_s=1)
"""Refusals that get a line in the log, of all tables and of all others: a flood comes from many."""

_LOG = Log("tournament")


class WireReceiver:
    """Receives what tables send, by the wall clock and a monotonic one; any thread may call it."""

    def __init__(
        self,
        store: JournalStore,
        *,
        now_s: Callable[[], float] = time.time,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._now_s = now_s
        clock = clock or MonotonicClock()
        # Who may send, and how often. A request has passed it before it comes here.
        self.senders = SenderCheck(store, now_s, clock)
        self.event_log = EventLog(store, clock)
        self._refused = RequestRate(clock, REFUSED_RATE)
        self._logged = RequestRate(clock, LOG_RATE)
        self._codes = LoginThrottle(clock, together=None)

    def receive_lines(self, asked: WireRequest, first: int) -> Future[LinesAnswer]:
        """Store the lines of a table; a RefusedError is raised, or is in the future."""
        if asked.headers.get("Content-Type", "").partition(";")[0].strip() != LINES_TYPE:
            found = repr(asked.headers.get("Content-Type", "")[:80])
            raise WireError(expected=LINES_TYPE, found=found, where="Content-Type")
        lines, is_signed = split_lines(asked.content), asked.sender.signed is not None
        if not lines:
            raise WireError(expected="at least one line", found="none")
        if len(lines) > 1 and len(asked.content) > MOST_BATCH_BYTES:
            expected = f"lines of at most {MOST_BATCH_BYTES} bytes, or a single one"
            raise LengthError(expected=expected, found=f"{len(asked.content)} bytes")
        return self._store.append_lines(LinesRequest(asked.table, first, lines, is_signed))

    def receive_picture(self, asked: WireRequest, digest: str) -> Future[None]:
        """Store a picture that a table was asked for; RefusedError as in `receive_lines`."""
        return self._store.write(
            lambda work: store_picture(work.connection, asked.table, digest, asked.content)
        )

    def describe_table(self, asked: WireRequest) -> dict[str, object]:
        """Return what the server has of a table; anybody may ask. RefusedError if it is unknown."""
        found = self._store.read(lambda connection: find_box(connection, asked.table))
        if found is None or found.state is BoxState.PENDING:
            raise build_unknown_error(asked.table)
        return {
            "next": found.next,
            "size": found.next,
            "root": found.root.hex(),
            "checkpoint": self._cosign(found.note) if found.note else None,
            "pictures": list(found.wanted[:4]),
            "event": self.event_log.describe(),
        }

    def receive_cosignature(self, asked: WireRequest) -> None:
        """Store a table's cosignature of the event; RefusedError if it holds none."""
        if asked.sender.signed is None:
            raise build_unsigned_error()
        found = self._store.read(lambda connection: find_state(connection, asked.table))
        if found in (None, BoxState.PENDING):
            raise build_unknown_error(asked.table)
        self.event_log.receive(asked.table, asked.content)

    def _cosign(self, note: str) -> str:
        """Return a checkpoint whose lines are all here, with the cosignature of the server."""
        key = self._store.key
        name, now_s = derive_origin(key.public), int(self._now_s())
        return encode_note(cosign_note(parse_note(note.encode()), name, key, now_s))

    def enrol(self, asked: WireRequest) -> dict[str, object]:
        """Let in a table that knows the code; return the server's own proof, or RefusedError."""
        if asked.sender.signed is None:
            raise build_unsigned_error()
        name, proof = _read_enrolment(asked.content)
        code = self.read_code()
        right = prove_table(code, asked.table)
        is_known = asked.sender.is_table
        group = ClientGroup.KNOWN if is_known else ClientGroup.OTHER
        who = LoginClient(group, asked.sender.name)
        is_right, wait_s = self._codes.attempt(who, lambda: is_proof(proof, right))
        if not is_right:
            if wait_s:
                raise RateError(
                    expected="the code that the server shows",
                    found=f"another one; try again in {wait_s:.0f} s",
                )
            raise WireError(expected="the code that the server shows", found="another one")
        owner = self._store.read(lambda connection: find_named(connection, name))
        if owner in (None, asked.table):
            state = "enrolled"
            self._store.enrol(asked.table, name).result()
        else:
            state = "pending"
            self._store.put_aside(asked.table, name, owner).result()
        _LOG.info("table enrolled", box=asked.table, state=state)
        own = self._store.own_key
        return {"key": own, "proof": prove_server(code, asked.table, own), "state": state}

    def read_code(self) -> str:
        return derive_code(self._store.key, self._store.read(read_code_number))

    def renew_code(self) -> None:
        """Make another code; enrolled tables stay."""
        self._store.write(lambda work: renew_code(work.connection)).result()

    def answer_error(self, asked: WireRequest, error: RefusedError) -> WireAnswer:
        """Return the answer to a refused request, and log it unless there are too many."""
        status = find_status(error)
        body: dict[str, object] = {"error": " ".join(str(error).split())}
        headers: dict[str, str] = {}
        if status == 401:
            body["now"] = int(self._now_s())
        if status in (429, 503):
            headers["Retry-After"] = "1"
        wait_s = 0.0 if status == 503 else self._refused.wait_s(asked.sender.name)
        # A table with a wrong clock needs the time, even if strangers share its address.
        if wait_s and status != 401:
            limit = "fewer refused requests"
            return WireAnswer(429, {"error": limit}, {"Retry-After": f"{wait_s + 1:.0f}"})
        group = "tables" if asked.sender.is_table else "others"
        if not wait_s and not self._logged.wait_s(group):
            fields = {"client": asked.client, "path": asked.path, "reason": str(error)}
            _LOG.warning("request refused", status=status, **fields)
        return WireAnswer(status, body, headers)

    def encode_answer(self, asked: WireRequest, answer: WireAnswer) -> tuple[bytes, dict[str, str]]:
        """Return the content of an answer and its headers, signed if the request was."""
        content = json.dumps(answer.body).encode() + b"\n"
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        signature = asked.headers.get(SIGNATURE, "")
        if signature and len(signature) < 200:
            now_s = int(self._now_s())
            signed = sign_answer(self._store.key, answer.status, content, signature, now_s)
            headers.update(signed)
        return content, {**headers, **answer.headers}


def view_answer(answer: LinesAnswer) -> WireAnswer:
    """Return the answer to lines as it is sent."""
    body: dict[str, object] = {"next": answer.next}
    if answer.fork is not None:
        body["fork"] = answer.fork
    if answer.pictures:
        body["pictures"] = list(answer.pictures)
    return WireAnswer(409 if answer.is_gap or answer.fork is not None else 200, body)


def find_status(error: RefusedError) -> int:
    """Return the status of HTTP for a refused request."""
    if isinstance(error, WireError):
        return error.status
    if isinstance(error, StoreUnavailableError):
        return 503
    if isinstance(error, UnsignedTableError):
        return 401
    return 403 if isinstance(error, UnknownTableError) else 400


def _read_enrolment(content: bytes) -> tuple[str, str]:
    try:
        found = parse_json(content)
    except (ValueError, RecursionError) as error:
        raise WireError(expected="a name and a proof as JSON", found="no JSON") from error
    told = found if isinstance(found, dict) else {}
    name, proof = told.get("name"), told.get("proof")
    if not isinstance(name, str) or not isinstance(proof, str):
        raise WireError(expected="name and proof, both texts", found="something else")
    try:
        return require_name(name), proof
    except InputError as error:
        raise WireError(expected=error.expected, found=error.found) from error
