# SPDX-License-Identifier: MIT
"""What a desk refuses: foreign names everywhere, and pages for people in their language."""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from tests.support.running_event import RunningEvent, run_event, serve_pages
from webui.auth.hosts import find_machine_names
from webui.tournament.public import pages

PAGE = {"Accept": "text/html,*/*;q=0.8"}
GERMAN = {**PAGE, "Accept-Language": "de"}
BOX = "a" * 64
ADDRESSES = (
    *("/", "/tv", "/play", "/organiser", "/event/stream", "/event/offers", "/static/css/base.css"),
    *("/healthz", "/result.json", "/none", f"/boxes/{BOX}", f"/pictures/{BOX}"),
)


@pytest.fixture
def event(tmp_path: Path) -> Iterator[RunningEvent]:
    with run_event(tmp_path) as event:
        yield event


@pytest.fixture
def client(event: RunningEvent, tmp_path: Path) -> Iterator[httpx.Client]:
    with (
        serve_pages(event, tmp_path, host_names="Cup.Example.org") as served,
        httpx.Client(base_url=served.url, trust_env=False, timeout=60) as client,
    ):
        yield client


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "cup.example"])
def test_a_foreign_name_reaches_nothing(client: httpx.Client, host: str) -> None:
    """A page of the internet can let its own name point here (DNS rebinding)."""
    for address in ADDRESSES:
        answer = client.get(address, headers={"Host": host})
        assert answer.status_code == 403, address
        assert f"found {host}" in answer.json()["error"]
    own = {"Host": host, "Origin": f"http://{host}"}
    for address in ("/event/players", "/organiser", f"/boxes/{BOX}"):
        assert client.post(address, headers=own, content=b"{}").status_code == 403, address


def test_own_names_and_addresses_are_answered(client: httpx.Client) -> None:
    names = ("localhost:8090", "127.0.0.1", "[::1]:8090", "192.168.1.5:8090", "203.0.113.5")
    for host in (*names, *find_machine_names(), "cup.example.org", "CUP.example.org:443"):
        assert client.get("/healthz", headers={"Host": host}).status_code == 200, host


def read_lines(answer: httpx.Response) -> list[str]:
    found = re.findall(r"<(?:h1|p)>(?:<a [^>]*>)?([^<]+)<", answer.text)
    return [html.unescape(each) for each in found]


REFUSED = {
    "/none": 404,
    "/static/none.css": 404,
    "/pictures/none": 404,
    "/event/players": 405,
    "/overlay?width=none": 400,
}


@pytest.mark.parametrize("address", REFUSED)
def test_a_refused_page_is_in_the_readers_language(client: httpx.Client, address: str) -> None:
    english, german = client.get(address, headers=PAGE), client.get(address, headers=GERMAN)
    assert english.status_code == german.status_code == REFUSED[address]
    assert '<html lang="de"' in german.text
    assert len(read_lines(german)) >= 3
    assert not set(read_lines(english)) & set(read_lines(german))


def test_programs_get_json(client: httpx.Client) -> None:
    for address, status in REFUSED.items():
        answer = client.get(address)
        assert answer.status_code == status, address
        assert answer.json()["error"]
    assert client.get("/event/players").headers["Allow"] == "POST"


def test_a_foreign_name_gets_a_page_with_the_remedy(
    client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    answer = client.get("/tv", headers={**GERMAN, "Host": "dice.example"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (403, "text/html; charset=utf-8")
    assert any("dice.example" in line and "--host-names" in line for line in read_lines(answer))
    assert not re.findall(r'(?:src|href)="/', answer.text)
    assert [record.getMessage() for record in caplog.records] == ["a page was refused"]


def test_a_program_with_a_foreign_name_is_logged_once(
    client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    for _ in range(3):
        client.get("/healthz", headers={"Host": "dice.example"})
    assert [record.getMessage() for record in caplog.records] == ["a foreign name was refused"]


def test_a_failure_of_the_program_is_a_page(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(pages, "render_qr_svg", fail)
    answer = client.get("/play", headers=PAGE)
    assert answer.status_code == 500
    assert len(read_lines(answer)) >= 3
    assert "secret inside" not in answer.text
