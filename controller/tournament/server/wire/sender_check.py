# SPDX-License-Identifier: MIT
"""
Find out who sends a request, before its body is read, and count it for that sender.

The signature covers the head of a request, with the digest of its body. A table's key is public,
so only what it signed is charged to it. Requests without a valid signature of an enrolled table are
charged to their address.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from controller.base.errors import InputError
from controller.runtime.access.request_rate import RateLimit, RequestRate
from controller.tournament.entries.entry_base import MOST_TABLES
from controller.tournament.server.store.box_queries import find_state
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import (
    BoxState,
    build_unknown_error,
    build_unsigned_error,
)
from controller.tournament.server.wire.http_signature import SIGNATURE, check_digest, verify_head
from controller.tournament.server.wire.replay_guard import ReplayGuard
from controller.tournament.server.wire.wire_request import (
    Needs,
    RateError,
    Sender,
    SignatureError,
    WireRequest,
)
from hardware.clock import Clock

SENDER_RATE = RateLimit(burst=200, per_s=50)
"""Requests of one sender; a table that catches up sends some ten a second."""
MOST_STRANGER_NONCES = 100_000


class SenderCheck:
    """Knows the tables that send, by the wall clock and a monotonic one; for any thread."""

    def __init__(self, store: JournalStore, now_s: Callable[[], float], clock: Clock) -> None:
        self._store = store
        self._clock = clock
        # Strangers with keys of their own must not fill the memory of the tables.
        self._guards = {True: ReplayGuard(now_s), False: ReplayGuard(now_s, MOST_STRANGER_NONCES)}
        self._tables = RequestRate(clock, SENDER_RATE, MOST_TABLES)
        self._addresses = RequestRate(clock, SENDER_RATE)
        self._enrolled: set[str] = set()
        self._seen_s: dict[str, float] = {}

    def is_known(self, table: str) -> bool:
        """Return whether `identify` needs no database to know a table."""
        return self._store.is_open or table in self._enrolled

    def identify(self, asked: WireRequest) -> WireRequest:
        """Return a request with its sender, its body still to come; or StoreUnavailableError."""
        if SIGNATURE not in asked.headers:
            known = Sender(asked.table, is_table=True) if self._store.is_open else asked.sender
            return replace(asked, sender=known)
        try:
            signed = verify_head(asked.headers, asked.method, asked.path)
            if signed.key != asked.table:
                raise InputError(expected=f"a signature by {asked.table}", found=signed.key)
            is_table = self._is_enrolled(asked.table)
            self._guards[is_table].admit(signed, is_kept=False)
        except InputError as error:
            return replace(asked, sender=Sender(asked.client, refusal=_refuse_signature(error)))
        name = asked.table if is_table else asked.client
        return replace(asked, sender=Sender(name, is_table, signed))

    def admit(self, asked: WireRequest, needs: Needs) -> None:
        """Check that a sender may send a body; RefusedError if not, or if it asks too often."""
        sender = asked.sender
        if not sender.is_table:
            _require_rate(self._addresses, sender)
        if sender.refusal is not None:
            raise sender.refusal
        if needs is not Needs.NOTHING and sender.signed is None and not self._store.is_open:
            raise build_unsigned_error()
        if needs is Needs.ENROLMENT and not sender.is_table:
            raise build_unknown_error(asked.table)

    def add_content(self, asked: WireRequest, content: bytes) -> WireRequest:
        """Return a request with its body, once; RefusedError if another body was signed."""
        sender = asked.sender
        if sender.signed is not None:
            try:
                check_digest(asked.headers, content)
                self._guards[sender.is_table].admit(sender.signed)
            except InputError as error:
                raise _refuse_signature(error) from error
        if sender.is_table:
            _require_rate(self._tables, sender)
            if sender.signed is not None:
                self._seen_s[asked.table] = self._clock.now_s()
        return replace(asked, content=content)

    def silent_s(self, table: str) -> float | None:
        """Return since when a table has sent nothing, in seconds; `None` if it never did."""
        seen_s = self._seen_s.get(table)
        return None if seen_s is None else self._clock.now_s() - seen_s

    def count_silent(self, after_s: float) -> int:
        """Return how many tables have sent something, and nothing more for this long."""
        now_s = self._clock.now_s()
        return sum(now_s - seen_s > after_s for seen_s in list(self._seen_s.values()))

    def _is_enrolled(self, table: str) -> bool:
        """Return whether a table may send; whether its lines count is for the store to say."""
        if self.is_known(table):
            return True
        found = self._store.read(lambda connection: find_state(connection, table))
        if found in (None, BoxState.PENDING):
            return False
        self._enrolled.add(table)
        return True


def _require_rate(rate: RequestRate, sender: Sender) -> None:
    if wait_s := rate.wait_s(sender.name):
        expected = f"at most {SENDER_RATE.per_s:g} requests a second"
        raise RateError(expected=expected, found=f"more; wait {wait_s:.1f} s")


def _refuse_signature(error: InputError) -> SignatureError:
    return SignatureError(expected=error.expected, found=error.found)
