# SPDX-License-Identifier: MIT
"""A table that sends too often is slowed down, however many others send."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from controller.journal.signing_key import TableKey
from controller.tournament.entries.entry_base import MOST_TABLES
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.sender_check import SENDER_RATE, SenderCheck
from controller.tournament.server.wire.wire_request import RateError, Sender, WireRequest
from hardware.clock import SteppedClock


def test_no_table_of_a_full_event_is_forgotten(tmp_path: Path) -> None:
    store = JournalStore(Database(tmp_path), TableKey.load_or_create(tmp_path))
    check = SenderCheck(store, time.time, SteppedClock())

    def send(table: str) -> None:
        sender = Sender(table, is_table=True)
        check.add_content(WireRequest("POST", "/", {}, "192.0.2.1", table, sender), b"")

    for _ in range(SENDER_RATE.burst):
        send("the first")
    for number in range(MOST_TABLES - 1):
        send(str(number))
    with pytest.raises(RateError):
        send("the first")
