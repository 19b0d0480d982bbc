# SPDX-License-Identifier: MIT
"""The pages that everybody may open, on a real server with a running event."""

from __future__ import annotations

import csv
import gzip
import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx
from jinja2 import Environment

from controller.base.qr_code import render_qr_svg
from controller.journal.tlog.checkpoint_note import derive_origin, is_signed_by, parse_tree_head
from controller.journal.tlog.signed_note import parse_note
from controller.tournament.entries.event_entries import PenaltyGiven
from controller.tournament.entries.game_entries import ChoiceMade
from controller.tournament.entries.player_entries import PlayerJoined, PlayerLeft, PlayerRenamed
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.server.store import store as store_module
from tests.support.running_event import WAIT_S, RunningEvent, run_event, serve_pages
from webui.tournament.public.snapshot_routes import render_public_pages


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningEvent]:
    # Its journal is signed when a test says so, however slow the machine is.
    monkeypatch.setattr(store_module, "IDLE_S", float("inf"))
    monkeypatch.setattr(store_module, "LONGEST_UNSIGNED_S", float("inf"))
    with run_event(tmp_path) as event:
        yield event


@pytest.fixture
def client(event: RunningEvent, tmp_path: Path) -> Iterator[httpx.Client]:
    with (
        serve_pages(event, tmp_path) as pages,
        httpx.Client(base_url=pages.url, trust_env=False, timeout=60) as client,
    ):
        yield client


def test_first_page_shows_what_is_played(event: RunningEvent, client: httpx.Client) -> None:
    before = client.get("/").text
    assert "The event has not begun" in before
    assert "/play" not in before
    event.begin(name="Cup <1>", games=4)
    event.wait_until(lambda state: state.data.begun)
    after = client.get("/", headers={"Accept-Language": "de"})
    assert "Cup &lt;1&gt;" in after.text
    assert f"{client.base_url.host}:{client.base_url.port}/play" in after.text
    assert '<html lang="de"' in after.text


def test_newest_checkpoint_is_a_note_and_a_code(
    event: RunningEvent, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It becomes one by itself a moment after something was written, and fits the event's key."""
    assert client.get("/checkpoint.svg").status_code == 404
    event.begin()
    monkeypatch.setattr(store_module, "IDLE_S", 0.0)
    end_s = time.monotonic() + WAIT_S
    while (answer := client.get("/checkpoint.note")).status_code == 404:
        assert time.monotonic() < end_s
    note = parse_note(answer.content)
    key = event.store.key.public
    assert is_signed_by(note, derive_origin(key), key)
    assert parse_tree_head(note).size >= 1
    code = client.get("/checkpoint.svg")
    assert code.headers["Content-Type"] == "image/svg+xml"
    assert code.content == render_qr_svg(client.get("/checkpoint.note").text)
    assert "/checkpoint.svg" in client.get("/").text


def test_result_is_a_page_csv_and_json(event: RunningEvent, client: httpx.Client) -> None:
    assert client.get("/result.json").json()["rows"] == []
    event.begin(name="Cup", games=2, scoring="match_points", options={})
    for number, name in enumerate(("=Ada", "Ben"), start=1):
        event.write(PlayerJoined(number, name, f"{number}" * 64))
    event.open_game()
    event.throw("13446")
    event.wait_until(lambda state: state.data.open_roll)
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)))
    event.write(ChoiceMade(1, 1, 2, ("7+7/4",)))
    event.wait_until(lambda state: not state.data.open_roll)
    event.write(PenaltyGiven(2, 10, "Olga", "late"))
    event.wait_until(lambda state: state.data.penalties)
    page = client.get("/result", headers={"Accept-Language": "en"}).text
    assert "Ben: penalty 10" in page
    assert "late (Olga)" in page
    assert event.store.own_key in page
    answer = client.get("/result.json")
    found = answer.json()
    assert (found["unit"], found["is_final"]) == ("millionths", False)
    again = client.get("/result.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    table = list(csv.reader(io.StringIO(client.get("/result.csv").content.decode("utf-8-sig"))))
    assert table[0][:4] == ["place", "player", "name", "score (millionths)"]
    assert {row[2] for row in table[1:]} == {"'=Ada", "Ben"}
    event.write(PlayerRenamed(1, "Ida"))
    event.wait_until(lambda state: state.data.people.find(1).name == "Ida")
    changed = client.get("/result.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert "Ida" in [row["name"] for row in changed.json()["rows"]]


def test_pages_show_what_a_missed_game_counts(event: RunningEvent, client: httpx.Client) -> None:
    event.begin(name="Cup", games=1, options={}, absence="below_mean")
    for number, name in enumerate(("Ada", "Ben"), start=1):
        event.write(PlayerJoined(number, name, f"{number}" * 64))
    event.write(PlayerLeft(2))
    event.open_game()
    event.throw("13446")
    event.wait_until(lambda state: state.data.open_roll)
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)))
    event.wait_until(lambda state: state.data.open_roll is None)
    for address in ("/", "/play", "/result"):
        page = client.get(address, headers={"Accept-Language": "en"}).text
        assert "counts the mean of those who played all of its rolls" in page
    assert "game 1 not played whole: counts −400" in page
    assert '<td class="place">–</td>' in page
    (ada, ben) = client.get("/result.json").json()["rows"]
    assert (ada["absences"], ada["has_place"]) == ([], True)
    assert (ben["absences"], ben["has_place"]) == ([[1, -400]], False)


def test_a_page_for_many_is_compiled_and_compressed_once(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/standings")
    assert first.headers["Content-Encoding"] == "gzip"
    monkeypatch.setattr(Environment, "compile", None)
    monkeypatch.setattr(gzip, "compress", None)
    assert client.get("/standings").text == first.text


def test_screens_name_their_parts(client: httpx.Client) -> None:
    for address, says in (
        ("/tv", 'data-parts="turn dice field ranking" data-width="960"'),
        ("/overlay", 'data-parts="turn dice field ranking" data-width="960"'),
        ("/overlay?show=field,turn&width=400", 'data-parts="turn field" data-width="400"'),
    ):
        assert says in client.get(address).text


def test_wrong_layers_are_refused(client: httpx.Client) -> None:
    for query, found in (
        ("width=19", "width: expected 200 to 3840 pixels, found '19'"),
        ("width=wide", "width: expected 200 to 3840 pixels"),
        ("show=dice,weather", "show: expected some of turn, dice, field, ranking, found"),
    ):
        answer = client.get(f"/overlay?{query}")
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(found)


def test_snapshots_are_checked_by_their_tag(event: RunningEvent, tmp_path: Path) -> None:
    publisher = EventPublisher(event.runner, render_public_pages)
    with (
        serve_pages(event, tmp_path, publisher=publisher) as pages,
        httpx.Client(base_url=pages.url, trust_env=False, timeout=60) as client,
    ):
        early = client.get("/public/event.json")
        assert (early.status_code, early.headers["Retry-After"]) == (503, "1")
        publisher.start()
        try:
            while (first := client.get("/public/event.json")).status_code == 503:
                time.sleep(0.02)
            assert first.json() == {"event": None}
            assert first.headers["Cache-Control"] == "public, max-age=5"
            known = {"If-None-Match": first.headers["ETag"]}
            assert client.get("/public/event.json", headers=known).status_code == 304
            plain = {"Accept-Encoding": "identity"}
            whole = client.get("/public/event.json", headers=plain)
            assert "Content-Encoding" not in whole.headers
            assert whole.headers["ETag"] == first.headers["ETag"]
            event.begin(name="Cup")
            while client.get("/public/event.json", headers=known).status_code == 304:
                time.sleep(0.02)
            assert client.get("/public/event.json").json()["event"]["name"] == "Cup"
            assert "Cup" in client.get("/public/").text
            assert client.get("/public/table.key").status_code == 404
        finally:
            publisher.close()
