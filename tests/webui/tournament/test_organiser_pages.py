# SPDX-License-Identifier: MIT
"""The page shows everybody what happens, and the organiser the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.journal.hashchain import decode_entry
from tests.support.tournament_client import ServedEvent, make_key, serve_event
from tests.support.tournament_store import list_lines, make_lines


@pytest.fixture
def event(tmp_path: Path) -> Iterator[ServedEvent]:
    with serve_event(tmp_path) as served:
        yield served


def do(event: ServedEvent, **fields: str) -> int:
    return event.client.post("/organiser", data=fields).status_code


def test_only_the_organiser_sees_the_code(event: ServedEvent) -> None:
    code = event.receiver.read_code()
    assert code not in event.client.get("/organiser").text
    assert do(event, do="new code") == 403
    assert do(event, do="log in", pin="000000") == 403
    assert do(event, do="log in", pin=event.pin) == 303
    assert code in event.client.get("/organiser").text
    assert do(event, do="new code") == 303
    assert event.receiver.read_code() != code
    assert do(event, do="dance") == 400
    assert do(event, do="log out") == 303
    assert event.receiver.read_code() not in event.client.get("/organiser").text


def test_forms_of_other_pages_are_refused(event: ServedEvent) -> None:
    fields = {"do": "log in", "pin": event.pin}
    foreign = {"Origin": "http://elsewhere.test"}
    assert event.client.post("/organiser", data=fields, headers=foreign).status_code == 400
    own = {"Origin": str(event.client.base_url).rstrip("/")}
    answer = event.client.post("/organiser", data=fields, headers=own)
    assert answer.status_code == 303
    assert all("samesite=strict" in each.lower() for each in answer.headers.get_list("set-cookie"))


def test_a_second_key_for_a_name_waits_for_the_organiser(
    event: ServedEvent, tmp_path: Path
) -> None:
    old, new, code = make_key(tmp_path / "1"), make_key(tmp_path / "2"), event.receiver.read_code()
    assert event.enrol(old, "Table 1", code).json()["state"] == "enrolled"
    assert event.enrol(new, "Table  1", code).json()["state"] == "pending"
    assert event.post_lines(new, 0, make_lines(1)).status_code == 403
    assert do(event, do="accept", box=new.public_hex) == 403
    do(event, do="log in", pin=event.pin)
    assert "another key has this name" in event.client.get("/organiser").text
    assert do(event, do="accept", box=new.public_hex) == 303
    assert do(event, do="accept", box=new.public_hex) == 400
    assert event.post_lines(new, 0, make_lines(1)).json() == {"next": 1}
    kinds = [decode_entry(line.line).kind for line in list_lines(event.store)]
    assert kinds.count("enrolled") == 2


def test_a_table_that_waits_can_be_sent_away(event: ServedEvent, tmp_path: Path) -> None:
    old, new, code = make_key(tmp_path / "1"), make_key(tmp_path / "2"), event.receiver.read_code()
    event.enrol(old, "Table 1", code)
    event.enrol(new, "Table 1", code)
    do(event, do="log in", pin=event.pin)
    assert do(event, do="refuse", box=old.public_hex) == 400
    assert do(event, do="refuse", box=new.public_hex) == 303
    assert "another key has this name" not in event.client.get("/organiser").text
    assert event.post_lines(new, 0, make_lines(1)).status_code == 403


def test_health_and_the_page_say_that_the_database_is_away(event: ServedEvent) -> None:
    assert event.client.get("/healthz").json() == {"ok": True, "database": "live", "open": False}
    event.store._problem = "the disk is full"
    assert event.client.get("/healthz").status_code == 503
    assert "the disk is full" in event.client.get("/organiser").text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"do=log+in&name=%ED%A0%80", "expected a form in UTF-8, found other bytes"),
        (b"do=log+in&name=\xff", "expected a form in UTF-8, found other bytes"),
        (b"&".join(b"a%d=1" % n for n in range(33)), "expected a form with 32 fields at most"),
        (b"do=log+in&name=Ol%E2%80%AEga", "turns the direction of writing (U+202E"),
    ],
)
def test_a_form_that_cannot_be_read_is_refused(
    event: ServedEvent, content: bytes, reason: str
) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = event.client.post("/organiser", content=content, headers=headers)
    assert answer.status_code == 400
    assert reason in answer.text
