# SPDX-License-Identifier: MIT
"""
Send what happens at a table to a broker, in a thread of its own.

Events follow the journal from the last one that the broker has acknowledged, which is kept on the
disk. So nothing is lost while the broker or the table is away, and the table never waits for
either. An event may come twice, as MQTT's quality of service 1 allows; its id is the same then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from controller.base.languages.message import Message, message
from controller.base.logs import Log
from controller.base.settings import MqttSettings
from controller.integrations.api.entry_queries import EntryQueries
from controller.integrations.mqtt.announcements import TableTopics
from controller.integrations.mqtt.broker_link import BrokerLink
from controller.integrations.mqtt.broker_problems import BrokerError, describe_program_error
from controller.integrations.mqtt.broker_session import BrokerSession
from controller.integrations.mqtt.sent_marker import SentMarker
from controller.runtime.running_table import RunningTable

RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""How long the table waits before it connects again; the last one from then on."""

STEADY_S = 60.0  # A connection that lasted this long was good, so the next try comes soon.

GOODBYE_S = 1.0
"""How long a table that closes waits for the last acknowledgements, so that it repeats nothing."""

ID_DIGITS = 12
CONNECTED = "live"

_LOG = Log("mqtt")


class MqttPublisher:
    """
    Follows one running table.

    Args:
        wait: Waits this many seconds; returns true if the table is being shut down.
        names: Returns what changes whenever screens show another name for somebody.
        public_key: The table's public key in hexadecimal, by which it is known for ever.
    """

    def __init__(
        self,
        settings: MqttSettings,
        table: RunningTable,
        wait: Callable[[float], bool],
        entries: EntryQueries,
        names: Callable[[], object],
        marker: SentMarker,
        public_key: str,
    ) -> None:
        self._settings = settings
        self._table = table
        self._wait = wait
        self._entries = entries
        self._names = names
        self._marker = marker
        self._table_id = f"dicebell_{public_key[:ID_DIGITS]}"
        self._after = ""
        self._failures = 0
        self._reported = "connecting"
        address = f"{settings.host}:{settings.broker_port}"
        self._address = address
        # How the connection stands, in words; any thread may read it.
        self.status = message("The table connects to the broker {address}.", address=address)

    def start(self) -> None:
        """Start the thread; it ends when the table closes. Events from now on are sent."""
        self._table.monitor.report_broker(self._reported, is_connected=False)
        self._after = self._find_start()
        threading.Thread(target=self.run, name="mqtt", daemon=True).start()

    def run(self) -> None:
        """Send until the table closes; connect again whenever the connection is lost."""
        while not self._table.loop.is_closing():
            began_s = time.monotonic()
            try:
                self._serve()
                return
            except BrokerError as error:
                self._report_problem(error)
            except Exception as error:  # A broker is never worth the end of the table.
                _LOG.error("sending failed", error=repr(error))
                self._report_problem(describe_program_error(error))
            if time.monotonic() - began_s > STEADY_S:
                self._failures = 0
            pause_s = RETRY_S[min(self._failures, len(RETRY_S) - 1)]
            self._failures += 1
            if self._wait(pause_s):
                return

    def _serve(self) -> None:
        """Connect, and send until the table closes; BrokerError once the connection is lost."""
        will = TableTopics(self._settings.topic).availability
        with BrokerLink(self._settings, self._table_id, will) as link:
            link.connect()
            session = BrokerSession(
                link,
                self._settings,
                self._table,
                self._entries,
                self._names,
                table_id=self._table_id,
                after=self._after,
                on_acknowledged=self._note_acknowledged,
            )
            session.greet()
            _LOG.info("broker connected", broker=self._address)
            status = message("The broker {address} is connected.", address=self._address)
            self._set_status(status, CONNECTED, is_connected=True)
            while not self._table.loop.is_closing():
                if refused := session.step():
                    _LOG.warning("not sent", why=str(refused.what))
                    self._set_status(refused.what, refused.kind, is_connected=True)
            session.finish(GOODBYE_S)

    def _find_start(self) -> str:
        """Return the id of the event after which sending begins."""
        kept, newest = self._marker.read(), self._entries.newest_id()
        if kept is not None and self._entries.find_entry(kept) is not None:
            return kept
        if kept:
            _LOG.warning("another journal", acknowledged=kept, newest=newest)
        # From now on nothing is lost, even if the broker is not there yet.
        self._marker.write(newest)
        return newest

    def _note_acknowledged(self, event_id: str, events: int) -> None:
        self._after = event_id
        self._failures = 0
        self._marker.write(event_id)
        self._table.monitor.report_broker(self._reported, is_connected=True, acknowledged=events)

    def _report_problem(self, problem: BrokerError) -> None:
        if problem.what != self.status:
            _LOG.warning("no broker", why=str(problem.what))
        self._set_status(problem.what, problem.kind, is_connected=False)

    def _set_status(self, status: Message, reported: str, *, is_connected: bool) -> None:
        self.status, self._reported = status, reported
        self._table.monitor.report_broker(self._reported, is_connected=is_connected)
