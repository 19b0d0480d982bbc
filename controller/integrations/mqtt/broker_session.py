# SPDX-License-Identifier: MIT
"""
What one connection to a broker sends: events in the order of the journal, and retained topics.

At most one batch of events is on its way, and one message of each retained topic. So a slow
broker makes nothing grow: what it does not take stays in the journal.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from controller.base.settings import MqttSettings
from controller.integrations.api.entry_queries import ApiEvent, EntryQueries
from controller.integrations.api.entry_views import ShowName
from controller.integrations.api.table_view import view_table
from controller.integrations.mqtt.announcements import TableTopics, build_announcements
from controller.integrations.mqtt.broker_link import BrokerLink
from controller.integrations.mqtt.broker_problems import BrokerError, describe_refused_message
from controller.runtime.monitoring.health import Health
from controller.runtime.running_table import RunningTable
from controller.table.view.types import Snapshot
from controller.table.view.viewer import WATCHER

# The retained topics say how the table stands, and whether it works.
_ACTS = ("rolls", "chooses")
_WORKING_CAMERA = ("live", "starting")
# The keys of the health that do not change by themselves, so that a message means something.
_STEADY = ("loop", "camera", "journal", "version")


@dataclass(frozen=True, slots=True)
class JournalState:
    """What the state of a table takes from its journal, which changes less often than the view."""

    request: dict[str, object] | None  # The open request for dice.
    last_id: str
    last_roll: dict[str, object] | None  # The last roll, with the faces that count now.


def read_journal_state(entries: EntryQueries) -> JournalState:
    rolls, _ = entries.list_rolls(before=None, limit=1)
    last_roll = {**rolls[0], **_count_faces(rolls[0])} if rolls else None
    return JournalState(entries.find_open_request(), entries.newest_id(), last_roll)


def describe_state(view: Snapshot, journal: JournalState, show_name: ShowName) -> dict[str, object]:
    """Return what `/api/v1/table` has for a watcher, whose turn it is, and the last roll."""
    return {
        **view_table(view, journal.request, journal.last_id, show_name),
        "turn": [
            show_name(player["name"]) or None
            for player in view["players"]
            if player["state"] in _ACTS
        ],
        "last_roll": journal.last_roll,
    }


def describe_health(health: Health, view: Snapshot) -> dict[str, object]:
    """Return what works, and whether anything does not."""
    values = asdict(health)
    is_blind = health.camera not in _WORKING_CAMERA
    return {
        "problem": bool(health.wrong) or is_blind or view["fault"] is not None,
        "wrong": list(health.wrong),
        **{key: values[key] for key in _STEADY},
        "fault": view["fault"],
    }


def encode_payload(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _count_faces(roll: dict[str, object]) -> dict[str, object]:
    corrected = roll["corrected"]
    counted = corrected["faces"] if isinstance(corrected, dict) else roll["faces"]
    assert isinstance(counted, list)
    return {"counted": counted, "sum": sum(counted)}


class BrokerSession:
    """
    Sends over one connection.

    Args:
        settings: How the table is announced, and its topics.
        names: Returns what changes whenever screens show another name for somebody.
        after: The id of the last event that the broker has; empty for none.
        on_acknowledged: Gets the id of the last event that the broker has now, and how many
            events it has acknowledged since the last call.
    """

    def __init__(
        self,
        link: BrokerLink,
        settings: MqttSettings,
        table: RunningTable,
        entries: EntryQueries,
        names: Callable[[], object],
        *,
        table_id: str,
        after: str,
        on_acknowledged: Callable[[str, int], None],
    ) -> None:
        self._link = link
        self._settings = settings
        self._table = table
        self._entries = entries
        self._names = names
        self._table_id = table_id
        self._on_acknowledged = on_acknowledged
        self._topics = TableTopics(settings.topic)
        self._feed = entries.follow(entries.find_entry(after))
        self._waiting: list[int] = []
        self._is_behind = False
        self._events = 0
        self._journal_of: object = None
        self._journal: JournalState | None = None
        self._view_of = -1
        self._state_payload = b""
        self._state = _RetainedTopic(link, self._topics.state)
        self._health = _RetainedTopic(link, self._topics.health)

    def greet(self) -> None:
        """Say that the table is there and how it stands, and announce it to Home Assistant."""
        self._link.publish(self._topics.availability, b"online", retain=True)
        announced = build_announcements(
            self._topics,
            self._settings.discovery_topic,
            self._table_id,
            self._table.monitor.health().version,
        )
        for topic, content in announced.items():
            # An empty message removes what an earlier setting had announced.
            payload = encode_payload(content) if self._settings.discovery else b""
            self._link.publish(topic, payload, retain=True)
        self._offer_state()

    def step(self) -> BrokerError | None:
        """Send what is new, wait, and return a refusal; BrokerError for an event or a lost link."""
        if not self._waiting:
            self._is_behind = self._send_events()
        if not self._is_behind:
            self._offer_state()
        return self._exchange()

    def finish(self, timeout_s: float) -> None:
        """Wait this long for the acknowledgement of every event; BrokerError as in `step`."""
        end_s = time.monotonic() + timeout_s
        while self._waiting and time.monotonic() < end_s:
            self._exchange()

    def _exchange(self) -> BrokerError | None:
        self._link.turn()
        problem = self._find_refusal()
        self._waiting = [each for each in self._waiting if not self._link.is_acknowledged(each)]
        if self._events and not self._waiting:
            self._on_acknowledged(self._feed.last_id, self._events)
            self._events = 0
        return problem

    def _send_events(self) -> bool:
        """Send the next events; return whether there may be more."""
        events = self._feed.read_events()
        for event in events or ():
            self._events += 1
            self._waiting += [
                self._link.publish(topic, payload) for topic, payload in self._encode(event)
            ]
        return events is not None

    def _encode(self, event: ApiEvent) -> list[tuple[str, bytes]]:
        """Return the messages of an event: two if it ended a game."""
        found = [event.data] if event.result is None else [event.data, event.result]
        return [
            (self._topics.event(str(each["type"])), encode_payload({**each, "id": event.id}))
            for each in found
        ]

    def _offer_state(self) -> None:
        self._state.offer(self._describe_state())
        health = describe_health(self._table.monitor.health(), self._table.loop.snapshot())
        self._health.offer(encode_payload(health))

    def _describe_state(self) -> bytes:
        """Return the state of the table; it is built only if something has changed."""
        now, version = (self._feed.last_id, self._names()), self._table.loop.snapshot()["version"]
        if now != self._journal_of or self._journal is None:
            self._journal_of, self._view_of = now, -1
            self._journal = read_journal_state(self._entries)
        if version != self._view_of:
            view, self._view_of = self._table.loop.snapshot(WATCHER), version
            state = describe_state(view, self._journal, self._entries.show_name)
            self._state_payload = encode_payload(state)
        return self._state_payload

    def _find_refusal(self) -> BrokerError | None:
        """Return why an announcement or a state is refused; BrokerError if it is an event."""
        problem = None
        for topic, reason in self._link.take_refusals():
            problem = describe_refused_message(topic, reason)
            if topic.startswith(self._topics.event("")):
                raise problem
        return problem


class _RetainedTopic:
    """Sends the newest content of a topic, one message at a time."""

    def __init__(self, link: BrokerLink, topic: str) -> None:
        self._link = link
        self._topic = topic
        self._sent: bytes | None = None
        self._number = 0

    def offer(self, payload: bytes) -> None:
        """Send this, unless it was sent or the last message is still on its way."""
        if payload != self._sent and self._link.is_acknowledged(self._number):
            self._sent = payload
            self._number = self._link.publish(self._topic, payload, retain=True)
