# SPDX-License-Identifier: MIT
"""
The thread that sends a table's journal; play never waits for it.

It follows the file that the table writes. Whatever fails is tried again, first after 0.2 s, then
up to every 3 s; where a person has to decide, every half a minute.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from controller.base.errors import InputError, UnavailableError
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.table.events import PartChanged, TournamentNews
from controller.tournament.sending.event_witness import EventWitness, forget_seen
from controller.tournament.sending.journal_sender import JournalSender, SendingStoppedError
from controller.tournament.sending.server_client import (
    ForeignKeyError,
    ServerAwayError,
    ServerClient,
    enrol_table,
)
from controller.tournament.sending.server_pin import PinnedServer, load_pin, remove_pin, save_pin

POLL_S = 0.1
FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 3.0
STOPPED_RETRY_S = 30.0
JOINED = "joined"
LEFT = "left"
CALLED = "called"
SCREEN_TIMEOUT_S = 4.0  # Of a request while somebody waits at the screen.
CALL_PAUSE_S = 10.0  # Further presses until then are the same call.

_LOG = Log("tournament")


class UplinkState(Enum):
    """
    How it goes.

    `STOPPED` needs a person: nothing is sent to a foreign key, or after a fork. `AWAY` ends by
    itself. `CONTRADICTED` sends on, but the server showed two pasts of the event.
    """

    OFF = "off"
    CONNECTING = "connecting"
    LIVE = "live"
    CONTRADICTED = "contradicted"
    AWAY = "away"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class UplinkStatus:
    """How the sending goes, and why."""

    state: UplinkState = UplinkState.OFF
    reason: str = ""  # Why it does not go on, in a sentence; empty if all is well.
    address: str = ""  # Of the server; empty for none.
    sent: int = 0  # Entries that the server has confirmed.

    def describe(self) -> str:
        """Return it in a few words, as in `/healthz`."""
        return f"{self.state.value}: {self.reason}" if self.reason else self.state.value


class TournamentUplink:
    """
    Sends the journal of a running table to the server that it has joined, if any.

    Args:
        wait: Waits this many seconds; returns true once the table closes.
        write_entry: Writes an entry to the journal, some time later.
        send_event: Takes what the tournament says about this table.
        offered: The address that the settings name.
    """

    def __init__(
        self,
        folder: Path,
        entries: EntryReader,
        wait: Callable[[float], bool],
        write_entry: Callable[[str, Body], None],
        *,
        send_event: Callable[[TournamentNews], None] = lambda event: None,
        offered: str = "",
        sends_pictures: bool = True,
    ) -> None:
        self._folder = folder
        self._entries = entries
        self._wait = wait
        self._write_entry = write_entry
        self._pictures = PictureStore(folder) if sends_pictures else None
        self._send_event = send_event
        self.offered = offered
        self._lock = threading.Lock()
        self._sender: JournalSender | None = None
        # A choice that is sent again after a restart may come before the thread that sends runs.
        self._use(self._load_pin())
        self._retry_s = FIRST_RETRY_S
        self._called_s: float | None = None

    def start(self) -> None:
        """Start the thread; it ends when the table closes."""
        threading.Thread(target=self.run, name="tournament", daemon=True).start()

    def status(self) -> UplinkStatus:
        """Return how it goes; any thread may ask."""
        return self._status

    def count_waiting(self) -> int:
        """Return how many entries the server has not confirmed yet; 0 without a server."""
        status = self._status
        if status.state is UplinkState.OFF:
            return 0
        newest = self._entries.newest()
        return max(0, newest.seq + 1 - status.sent) if newest else 0

    @property
    def is_joined(self) -> bool:
        """Whether the table is in a tournament that gets its lines; any thread may ask."""
        return self._status.state not in (UplinkState.OFF, UplinkState.STOPPED)

    @property
    def plays_here(self) -> bool:
        """Whether players of the tournament choose at the own screen; any thread may ask."""
        sender = self._sender
        return self.is_joined and sender is not None and sender.kiosk_players > 0

    def wait(self, seconds: float) -> bool:
        """Wait; return whether the table closes. Any thread may call it."""
        return self._wait(seconds)

    def open_client(self) -> ServerClient:
        """Return another connection to the server; UnavailableError without a tournament."""
        server = self._server
        if server is None or not self.is_joined:
            raise _refuse_apart()
        key = TableKey.load_or_create(self._folder)
        return ServerClient(server.address, key, server.key, timeout_s=SCREEN_TIMEOUT_S)

    def call_official(self) -> str:
        """Call an official; return a sentence, UnavailableError without a tournament."""
        with self._lock:
            if not self.is_joined:
                raise _refuse_apart()
            now_s, before_s = time.monotonic(), self._called_s
            is_new = before_s is None or now_s - before_s > CALL_PAUSE_S
            if is_new:
                self._called_s = now_s
        if is_new:
            self._write_entry(CALLED, {})
        return message("An official has been called.")

    def join(self, address: str, code: str, name: str) -> str:
        """Join a tournament; return a sentence, RefusedError if the server refuses."""
        server, must_wait = enrol_table(address, code, name, TableKey.load_or_create(self._folder))
        try:
            forget_seen(self._folder)
            save_pin(self._folder, server)
        except OSError as error:
            found = error.strerror or str(error)
            expected = message("room to keep the key of the desk")
            raise UnavailableError(expected=expected, found=found) from error
        self._write_entry(JOINED, {"address": server.address, "key": server.key, "name": name})
        self._use(server)
        if must_wait:
            return message("Another key has this name. The organiser must accept the new one.")
        return message("This table has joined the tournament.")

    def leave(self) -> str:
        """Forget the server; return a sentence for the official."""
        server = self._server
        remove_pin(self._folder)
        forget_seen(self._folder)
        if server is not None:
            self._write_entry(LEFT, {"key": server.key})
        self._use(None)
        return message("This table has left the tournament.")

    def run(self) -> None:
        pause_s = 0.0
        while not self._rest(pause_s):
            try:
                pause_s = self._do_round()
            except Exception as error:  # A tournament is never worth the end of the table.
                _LOG.error("tournament not used", error=repr(error))
                pause_s = STOPPED_RETRY_S
        self._disconnect()

    def _do_round(self) -> float:
        """Send what there is to send now; return the pause after it, in seconds."""
        server = self._server
        if self._sender is not None and self._sender.server is not server:
            self._disconnect()
        if server is None:
            return POLL_S
        self._sender = self._sender or self._connect(server)
        return self._step(self._sender)

    def _disconnect(self) -> None:
        if self._sender is not None:
            self._sender.set_dealing(False)
            self._sender.set_part(PartChanged())
            self._sender.client.close()
            self._sender = None

    def _rest(self, pause_s: float) -> bool:
        """Wait, but not if the server changes meanwhile; return whether the table closes."""
        server = self._server
        end_s = time.monotonic() + pause_s
        while (left_s := end_s - time.monotonic()) > POLL_S and server is self._server:
            if self._wait(POLL_S):
                return True
        return self._wait(max(0.0, min(left_s, POLL_S)))

    def _step(self, sender: JournalSender) -> float:
        """Do one round; return the pause after it, in seconds."""
        try:
            has_done = sender.step()
        except (SendingStoppedError, ForeignKeyError) as error:
            sender.forget_position()
            self._show(sender, UplinkState.STOPPED, str(error))
            return STOPPED_RETRY_S
        except (ServerAwayError, OSError) as error:
            sender.forget_position()
            self._show(sender, UplinkState.AWAY, str(error))
            pause_s, self._retry_s = self._retry_s, min(self._retry_s * 2, LONGEST_RETRY_S)
            return pause_s
        self._retry_s = FIRST_RETRY_S
        contradiction = sender.witness.contradiction
        state = UplinkState.CONTRADICTED if contradiction else UplinkState.LIVE
        self._show(sender, state, contradiction or "")
        return 0.0 if has_done else POLL_S

    def _connect(self, server: PinnedServer) -> JournalSender:
        key = TableKey.load_or_create(self._folder)
        client = ServerClient(server.address, key, server.key)
        witness = EventWitness(self._folder, key, server.key, self._write_entry)
        return JournalSender(
            server,
            key,
            self._entries,
            self._pictures,
            self._write_entry,
            client,
            witness,
            self._send_event,
        )

    def _use(self, server: PinnedServer | None) -> None:
        state = UplinkState.CONNECTING if server else UplinkState.OFF
        with self._lock:
            self._server = server
            self._status = UplinkStatus(state, address=server.address if server else "")

    def _show(self, sender: JournalSender, state: UplinkState, reason: str) -> None:
        with self._lock:
            if sender.server is not self._server:
                return
            before = self._status
            sent = before.sent if sender.next is None else sender.next
            self._status = replace(before, state=state, reason=reason, sent=sent)
        if (before.state, before.reason) != (state, reason):
            level = logging.INFO if state is UplinkState.LIVE else logging.WARNING
            _LOG.write(level, "tournament", state=state.value, reason=reason)

    def _load_pin(self) -> PinnedServer | None:
        try:
            return load_pin(self._folder)
        except InputError as error:
            _LOG.error("tournament not used", error=str(error))
            return None


def _refuse_apart() -> UnavailableError:
    """Return the error of a table that is in no tournament."""
    expected = message("a table that has joined a tournament")
    return UnavailableError(expected=expected, found=message("one that has not"))
