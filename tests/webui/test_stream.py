# SPDX-License-Identifier: MIT
"""A screen gets the whole view once, then only what changed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flask import Flask
from werkzeug.wrappers import Response

from controller.base.languages.catalogue import Catalogue
from controller.base.settings import Phones, WebSettings
from controller.runtime.access.tickets import TicketKind
from tests.webui.fakes import FakeTable, view
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.auth.roles import COOKIES
from webui.stream import EventCache, diff_views, stream_views

HEARTBEAT_S = 0.01
ENGLISH = Catalogue("en", {})


class TicketedAccess(FakeAccess):
    def phone_number(self, ticket: str) -> str:
        return ticket


def app_of(table: FakeTable, *, most_streams: int = 50) -> Flask:
    return create_app(
        table.running, None, FakeAccess(), heartbeat_s=HEARTBEAT_S, most_streams=most_streams
    )


def open_stream(app: Flask) -> Response:
    return app.test_client().get("/events", buffered=False)


def parts(answer: Response) -> Iterator[tuple[str, int, dict[str, object]]]:
    """Yield each event as its name, id and data; what only breaks a silence is left out."""
    for chunk in answer.iter_encoded():
        lines = dict(line.split(": ", 1) for line in chunk.decode().splitlines() if ": " in line)
        if lines.get("event", "here") != "here":
            yield lines["event"], int(lines["id"]), json.loads(lines["data"])


def test_whole_view_comes_first(table: FakeTable) -> None:
    with open_stream(app_of(table)) as answer:
        event, version, data = next(parts(answer))
    assert (event, version) == ("snapshot", 1)
    assert data == view()


def test_a_change_holds_only_the_keys_that_changed(table: FakeTable) -> None:
    with open_stream(app_of(table)) as answer:
        events = parts(answer)
        next(events)
        table.show(headline="Ada throws", cursor=-1)
        assert next(events) == ("change", 2, {"version": 2, "headline": "Ada throws"})


def test_slow_client_skips_to_the_newest_view(table: FakeTable) -> None:
    with open_stream(app_of(table)) as answer:
        events = parts(answer)
        next(events)
        for number in range(100):
            table.show(progress=number)
        table.show(headline="last")
        assert next(events) == ("change", 102, {"version": 102, "progress": 99, "headline": "last"})


def test_coming_back_gives_the_whole_view_again(table: FakeTable) -> None:
    app = app_of(table)
    with open_stream(app) as answer:
        next(parts(answer))
    table.show(headline="Ada throws")
    with open_stream(app) as answer:
        event, version, data = next(parts(answer))
    assert (event, version, data["headline"]) == ("snapshot", 2, "Ada throws")


def test_silence_is_broken_by_an_event_that_a_page_can_hear() -> None:
    waited_s = []

    class NotedTable(FakeTable):
        def wait_for_change(self, version: int, timeout_s: float, viewer: str = "") -> None:
            waited_s.append(timeout_s)

    lines = stream_views(
        NotedTable(), EventCache(), catalogue=ENGLISH, heartbeat_s=60.0, is_gone=lambda: False
    )
    _retry, _snapshot, beat = next(lines), next(lines), next(lines)
    assert beat == b"event: here\nid: 1\ndata: {}\n\n"
    assert waited_s == [60.0]


def test_stream_ends_when_the_table_closes(table: FakeTable) -> None:
    with open_stream(app_of(table)) as answer:
        events = parts(answer)
        next(events)
        table.close()
        assert list(events) == []


def test_stream_ends_when_the_client_hung_up(table: FakeTable) -> None:
    chunks = list(
        stream_views(
            table, EventCache(), catalogue=ENGLISH, heartbeat_s=HEARTBEAT_S, is_gone=lambda: True
        )
    )
    assert len(chunks) == 2


def test_stream_is_never_stored(table: FakeTable) -> None:
    with open_stream(app_of(table)) as answer:
        assert answer.mimetype == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"


def test_head_request_keeps_no_place(table: FakeTable) -> None:
    app = app_of(table, most_streams=1)
    with app.test_client().head("/events") as answer:
        assert (answer.status_code, answer.data) == (200, b"")
    with open_stream(app) as answer:
        assert answer.status_code == 200


def test_changes_of_equal_views_are_none() -> None:
    assert diff_views(view(), view()) == {}


def test_a_key_that_is_new_is_a_change() -> None:
    before = view()
    del before["undo"]  # type: ignore[misc]
    assert diff_views(before, view()) == {"undo": None}


def test_two_phones_behind_one_address_are_two_clients(table: FakeTable) -> None:
    web = WebSettings(host="0.0.0.0", phones=Phones.PLAY)
    app = create_app(table.running, None, access=TicketedAccess(), web=web, heartbeat_s=HEARTBEAT_S)

    def follow(ticket: str) -> int:
        client = app.test_client()
        client.set_cookie(COOKIES[TicketKind.PHONE], ticket)
        return client.get("/events", environ_base={"REMOTE_ADDR": "192.168.1.9"}).status_code

    streams = [follow(ticket) for ticket in ("phone of Ada", "phone of Ben") for _ in range(7)]
    assert streams == [200] * 6 + [503] + [200] * 6 + [503]


def test_clients_at_one_version_share_an_event() -> None:
    events, before, after = EventCache(), view(), view(version=2, headline="Ada throws")
    event = events.format_change(before, after, ENGLISH)
    assert events.format_change(before, after, ENGLISH) is event
    assert events.format_change(None, after, ENGLISH) is not event
    for version in range(3, 40):
        assert f"id: {version}\n".encode() in events.format_change(
            before, view(version=version), ENGLISH
        )
