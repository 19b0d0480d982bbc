# SPDX-License-Identifier: MIT
"""
The journal as other programs read it: a stream of events, rolls, and requests for dice.

An event's id is the number of its entry and the first digits of its link: `128.3f2a9c1e`. So a
program continues after any break and any restart where it stopped, and another journal in the
same place is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from controller.integrations.api.entry_views import EntryContext, EntryViews, ShowName
from controller.journal.entries import ENDS_A_REQUEST, PLAYED, ROLLS
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Entry

MOST_SCANNED = 20_000  # Entries that one question reads at most.

MOST_AT_ONCE = 100
LINK_DIGITS = 8

_EVENT_ID = re.compile(r"([0-9]{1,15})\.([0-9a-f]{8})")
_NO_OPEN_REQUEST = ENDS_A_REQUEST | PLAYED | {"game", "closed", "parked"}
_REQUESTS = _NO_OPEN_REQUEST | {"request"}
_OF_A_REQUEST = ENDS_A_REQUEST | {"reading"}  # The kinds of entries that may belong to a request.


@dataclass(frozen=True, slots=True)
class ApiEvent:
    """An event for programs."""

    id: str  # By which a program continues after it.
    type: str  # One of `EVENT_TYPES`.
    data: dict[str, object]
    result: dict[str, object] | None = None  # The result of the game, if this ended one.


class EntryQueries:
    """Answers questions about a journal, with names as screens show them; for any thread."""

    def __init__(self, reader: EntryReader, show_name: ShowName) -> None:
        self.show_name = show_name  # Turns names of the journal into those that screens show.
        self._reader = reader
        self._views = EntryViews(show_name)

    def newest_id(self) -> str:
        """Return the id of the newest entry, after which a new program begins."""
        newest = self._reader.newest()
        return format_event_id(newest) if newest else ""

    def find_entry(self, event_id: str) -> Entry | None:
        """Return the entry that an event came from; None if this journal has no such entry."""
        found = _EVENT_ID.fullmatch(event_id)
        entry = self._reader.read(int(found[1])) if found else None
        is_same = found is not None and entry is not None and entry.link.startswith(found[2])
        return entry if is_same else None

    def follow(self, after: Entry | None) -> EventFeed:
        """Return the events after an entry, or all if it is None; see `EventFeed`."""
        return EventFeed(self._reader, self._views, after)

    def list_rolls(
        self, *, before: int | None, limit: int
    ) -> tuple[list[dict[str, object]], int | None]:
        """Return rolls, the newest first, and the number below which the next ones are, if any."""
        rolls: list[tuple[Entry, Entry | None]] = []
        described: list[dict[str, object]] = []
        correction = self._find_correction(before) if before is not None else None
        entry: Entry | None = None
        for entry in islice(self._reader.read_back(before), MOST_SCANNED):
            if entry.kind == "correction":
                correction = correction or entry
            elif entry.kind in ROLLS and len(described) + len(rolls) < limit:
                rolls.append((entry, correction))
                correction = None
            elif entry.kind == "game":
                described += self._describe_rolls(rolls, entry)
                rolls = []
            if len(described) == limit:
                break
        described += self._describe_rolls(rolls, None)
        if not described:
            return [], entry.seq if entry and entry.seq else None
        last = described[-1]["entry"]
        assert isinstance(last, int)
        return described, last if entry and entry.seq else None

    def read_roll(self, seq: int) -> dict[str, object] | None:
        """Return the roll of an entry; None if the entry is no roll."""
        entry = self._reader.read(seq)
        if entry is None or entry.kind not in ROLLS:
            return None
        before = islice(self._reader.read_back(seq), MOST_SCANNED if entry.kind == "roll" else 0)
        game = next((each for each in before if each.kind == "game"), None)
        return self._describe_rolls([(entry, self._find_correction(seq + 1))], game)[0]

    def read_request(self, seq: int) -> dict[str, object] | None:
        """Return a request for dice with its answer; None if the entry is none."""
        entry = self._reader.read(seq)
        if entry is None or entry.kind != "request":
            return None
        end = next((each for each in self._read_on(seq + 1) if each.kind in _REQUESTS), None)
        about = EntryContext(request=seq)
        is_answer = end is not None and end.kind == "answer"
        is_ended = end is not None and end.kind == "request_ended"
        state = "answered" if is_answer else end.body.get("outcome") if end and is_ended else "open"
        event = self._views.describe_event(entry, about) or {}
        return {
            "id": seq,
            **{key: event[key] for key in ("at_ms", "dice", "for", "why", "asked_by")},
            "state": state,
            "answer": self._views.describe_roll(end, about) if end and is_answer else None,
        }

    def find_open_request(self) -> dict[str, object] | None:
        """Return the request that waits for its dice; None without one."""
        request = _find_request(self._reader, None)
        return None if request is None else self.read_request(request)

    def find_newest_request(self) -> dict[str, object] | None:
        """Return the newest request, whatever became of it; None before the first."""
        entries = islice(self._reader.read_back(), MOST_SCANNED)
        found = next((entry for entry in entries if entry.kind == "request"), None)
        return self.read_request(found.seq) if found else None

    def _describe_rolls(
        self, rolls: list[tuple[Entry, Entry | None]], game: Entry | None
    ) -> list[dict[str, object]]:
        return [
            self._views.describe_roll(
                entry,
                EntryContext(
                    game if entry.kind == "roll" else None,
                    _find_request(self._reader, entry.seq) if entry.kind in _OF_A_REQUEST else None,
                    correction,
                ),
            )
            for entry, correction in rolls
        ]

    def _find_correction(self, seq: int) -> Entry | None:
        """Return the newest correction of the last roll before this number."""
        newest: Entry | None = None
        for entry in self._read_on(seq):
            if entry.kind in ROLLS | {"game", "request"}:
                break
            newest = entry if entry.kind == "correction" else newest
        return newest

    def _read_on(self, seq: int) -> Iterator[Entry]:
        return islice(self._reader.read_from(seq), MOST_SCANNED)


class EventFeed:
    """The events of one program, in the order of the journal; for one thread."""

    def __init__(self, reader: EntryReader, views: EntryViews, after: Entry | None) -> None:
        # The id of the entry that was read last, which need not be an event.
        self.last_id = format_event_id(after) if after else ""
        self._reader = reader
        self._views = views
        self._cursor = reader.follow(after.seq + 1 if after else 0)
        self._game: Entry | None = None
        self._request: int | None = None
        self._knows_request = False

    def read_events(self) -> list[ApiEvent] | None:
        """Return the next events, perhaps none of the next entries is one; None at the end."""
        entries = self._cursor.read_more(MOST_AT_ONCE)
        if not entries:
            return None
        events = [self._describe(entry) for entry in entries]
        self.last_id = format_event_id(entries[-1])
        return [event for event in events if event is not None]

    def _describe(self, entry: Entry) -> ApiEvent | None:
        about = self._find_context(entry)
        data = self._views.describe_event(entry, about)
        if data is None:
            return None
        result = self._views.describe_result(entry, about)
        return ApiEvent(format_event_id(entry), str(data["type"]), data, result)

    def _find_context(self, entry: Entry) -> EntryContext:
        """Follow the entries; what was before the first one is searched when it is needed."""
        if entry.kind == "game":
            self._game = entry
        if entry.kind == "request":
            self._request, self._knows_request = entry.seq, True
        if entry.kind in PLAYED and self._game is None:
            before = self._reader.read_back(entry.seq)
            self._game = next((each for each in before if each.kind == "game"), None)
        if entry.kind in _OF_A_REQUEST and not self._knows_request:
            self._request, self._knows_request = _find_request(self._reader, entry.seq), True
        about = EntryContext(self._game if entry.kind in PLAYED else None, self._request)
        if entry.kind in _NO_OPEN_REQUEST:
            self._request, self._knows_request = None, True
        return about


def _find_request(reader: EntryReader, before: int | None) -> int | None:
    """Return the number of the request that is open before an entry, or now; None without one."""
    entries = islice(reader.read_back(before), MOST_SCANNED)
    last = next((each for each in entries if each.kind in _REQUESTS), None)
    return last.seq if last and last.kind == "request" else None


def format_event_id(entry: Entry) -> str:
    """Return the id of an entry's event."""
    return f"{entry.seq}.{entry.link[:LINK_DIGITS]}"
