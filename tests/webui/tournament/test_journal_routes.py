# SPDX-License-Identifier: MIT
"""What tables send arrives once and is answered by the right server, or is refused in one line."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.base.errors import InputError
from controller.tournament.server.wire.enrolment import prove_server
from controller.tournament.server.wire.http_signature import SIGNATURE, sign_request, verify_answer
from controller.tournament.server.wire.receiver import LINES_TYPE
from tests.support.tournament_client import ServedEvent, make_key, serve_event
from tests.support.tournament_store import count_lines, list_lines, make_lines
from webui.tournament.app import OPEN_HEADER

BOX = "a" * 64


@pytest.fixture
def event(tmp_path: Path) -> Iterator[ServedEvent]:
    with serve_event(tmp_path) as served:
        yield served


@pytest.fixture
def open_event(tmp_path: Path) -> Iterator[ServedEvent]:
    with serve_event(tmp_path, is_open=True) as served:
        yield served


def test_lines_of_an_enrolled_table_get_a_signed_answer(event: ServedEvent, tmp_path: Path) -> None:
    key, lines = make_key(tmp_path / "table"), make_lines(5)
    assert event.post_lines(key, 0, lines).status_code == 403
    answer = event.enrol(key, "Table 1", event.receiver.read_code())
    assert answer.json()["state"] == "enrolled"
    assert answer.json()["proof"] == prove_server(
        event.receiver.read_code(), key.public_hex, event.store.own_key
    )
    answer = event.post_lines(key, 0, lines[:3])
    assert (answer.status_code, answer.json()) == (200, {"next": 3})
    signature = answer.request.headers[SIGNATURE]
    said = verify_answer(answer.headers, 200, answer.content, signature)
    assert said.key == event.store.own_key
    with pytest.raises(InputError):
        verify_answer(answer.headers, 200, answer.content, signature.swapcase())
    answer = event.post_lines(key, 4, lines[4:])
    assert (answer.status_code, answer.json()) == (409, {"next": 3})
    answer = event.post_lines(key, 1, make_lines(3, kind="other")[1:])
    assert (answer.status_code, answer.json()) == (409, {"next": 3, "fork": 1})
    about = event.client.get(f"/boxes/{key.public_hex}").json()
    assert (about["next"], about["size"], about["checkpoint"]) == (3, 3, None)


def test_a_request_counts_once_and_only_as_it_was_signed(
    event: ServedEvent, tmp_path: Path
) -> None:
    key, other, lines = make_key(tmp_path / "1"), make_key(tmp_path / "2"), make_lines(3)
    for each, name in ((key, "Table 1"), (other, "Table 2")):
        event.enrol(each, name, event.receiver.read_code())
    path, content = f"/boxes/{key.public_hex}/journal/0", b"\n".join(lines)

    def post(signed: dict[str, str], body: bytes = content) -> tuple[int, str]:
        headers = {"Content-Type": LINES_TYPE, **signed}
        answer = event.client.post(path, content=body, headers=headers)
        return answer.status_code, answer.text

    now_s = int(time.time())
    good = sign_request(key, "POST", path, content, now_s)
    assert post({})[0] == 401
    assert post(good, lines[0])[0] == 401
    assert post(good | {SIGNATURE: good[SIGNATURE].swapcase()})[0] == 401
    assert post(sign_request(key, "PUT", path, content, now_s))[0] == 401
    assert post(sign_request(other, "POST", path, content, now_s))[0] == 401
    for wrong_s in (now_s - 1000, now_s + 1000):
        status, text = post(sign_request(key, "POST", path, content, wrong_s))
        assert (status, '"now"' in text) == (401, True)
    assert count_lines(event.store, key.public_hex) == 0
    assert post(good)[0] == 200
    assert "nonce that was not used before" in post(good)[1]


def test_codes_cannot_be_guessed(event: ServedEvent, tmp_path: Path) -> None:
    key = make_key(tmp_path / "table")
    statuses = [event.enrol(key, "Table 1", "0000-0000-0000").status_code for _ in range(4)]
    assert statuses == [400, 400, 429, 429]
    # The right code does not shorten the wait.
    assert event.enrol(key, "Table 1", event.receiver.read_code()).status_code == 429
    assert event.post_lines(key, 0, make_lines(1)).status_code == 403


def test_pictures_are_taken_if_they_were_asked_for(event: ServedEvent, tmp_path: Path) -> None:
    key, picture = make_key(tmp_path / "table"), b"jpeg"
    digest = hashlib.sha256(picture).hexdigest()
    event.enrol(key, "Table 1", event.receiver.read_code())
    assert event.post_lines(key, 0, make_lines(1, picture=digest)).json()["pictures"] == [digest]

    def put(content: bytes) -> int:
        path = f"/boxes/{key.public_hex}/pictures/{digest}"
        signed = sign_request(key, "PUT", path, content, int(time.time()))
        return event.client.put(path, content=content, headers=signed).status_code

    assert [put(b"other"), put(picture), put(picture)] == [400, 200, 200]
    assert event.client.get(f"/boxes/{key.public_hex}").json()["pictures"] == []


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/boxes/ab/journal/0", b"{}", 400),
        (f"/boxes/{BOX}/journal/-1", b"{}", 400),
        (f"/boxes/{BOX}/journal/00", b"{}", 400),
        (f"/boxes/{BOX}/journal/{'9' * 30}", b"{}", 400),
        (f"/boxes/{BOX}/journal/0", b"", 400),
        (f"/boxes/{BOX}/journal/0", b"\n\n", 400),
        (f"/boxes/{BOX}/journal/0", b"\xff\x00", 400),
        (f"/boxes/{BOX}/journal/0", b"[" * 100_000, 400),
        (f"/boxes/{BOX}/journal/0", b"\n".join(make_lines(200, text="x" * 2000)), 413),
        (f"/boxes/{BOX}/journal/0", b"x" * 10_000_000, 413),
    ],
)
def test_what_is_no_journal_is_refused_in_one_line(
    open_event: ServedEvent, path: str, content: bytes, status: int
) -> None:
    answer = open_event.client.post(path, content=content, headers={"Content-Type": LINES_TYPE})
    assert answer.status_code == status
    assert answer.json()["error"].startswith(("expected ", "line 0: expected "))
    assert "\n" not in answer.json()["error"]
    assert {line.box for line in list_lines(open_event.store)} == {open_event.store.own_key}


def test_the_other_type_of_content_is_refused(open_event: ServedEvent) -> None:
    answer = open_event.client.post(f"/boxes/{BOX}/journal/0", content=make_lines(1)[0])
    assert "Content-Type: expected application/x-ndjson" in answer.json()["error"]


def test_a_body_without_a_length_is_read_to_the_limit(open_event: ServedEvent) -> None:
    def flood() -> Iterator[bytes]:
        for _ in range(50):
            yield b"x" * 100_000

    headers = {"Content-Type": LINES_TYPE}
    answer = open_event.client.post(f"/boxes/{BOX}/journal/0", content=flood(), headers=headers)
    assert answer.status_code == 413


def test_refused_requests_of_one_address_become_short(open_event: ServedEvent) -> None:
    answers = [open_event.client.get("/boxes/ab") for _ in range(40)]
    assert [answer.status_code for answer in answers[:2]] == [400, 400]
    assert answers[-1].status_code == 429
    assert "Retry-After" in answers[-1].headers


def test_an_open_server_says_so_everywhere(open_event: ServedEvent) -> None:
    for path in ("/", "/healthz", f"/boxes/{BOX}", "/nothing"):
        assert OPEN_HEADER in open_event.client.get(path).headers
    assert "nobody enrolled" in open_event.client.get("/organiser").text
