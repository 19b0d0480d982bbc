# SPDX-License-Identifier: MIT
"""The screen of a real table says what its tournament asks of it, and offers nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.tournament.entries.draw_entries import DrawMade, DrawPublished, TableResult
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.entries.game_entries import GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.wire.receiver import WireReceiver
from controller.tournament.state.next_draw import compute_draw
from tests.controller.tournament.event_tables import BOX, duplicate_event
from tests.support.demo_process import DemoProcess
from tests.support.page_player import DOUBLE_MS
from tests.support.running_event import RunningEvent, run_event, serve_pages
from tests.whole_table.conftest import Chromium, let_time_pass

pytestmark = pytest.mark.browser

SMALL = {"width": 800, "height": 480}


@contextmanager
def join_table(
    folder: Path, *args: str, is_second: bool = False, **about: object
) -> Iterator[tuple[RunningEvent, str, str]]:
    """Give an event of three players, the address of a table that has joined, and its key."""
    (desk := folder / "event").mkdir()
    with run_event(desk) as event:
        event.write(duplicate_event(**about))
        for number, name in enumerate(("Ada", "Ben", "Cem"), start=1):
            event.write(PlayerJoined(number, name, by="Olga"))
        if is_second:
            event.store.enrol(BOX, "Table 1").result()
        receiver = WireReceiver(event.store)
        with (
            serve_pages(event, desk, receiver=receiver) as pages,
            DemoProcess(folder / "table", *args) as table,
        ):
            body: dict[str, object] = {
                "address": pages.url.rstrip("/"),
                "code": receiver.read_code(),
            }
            asked: dict[str, object] = {"do": "join tournament", **body, "name": "Window"}
            assert table.post("/service", asked) == 200
            tables = event.runner.read(lambda state: state.data.boxes.list_tables())
            yield event, table.url, next(each.box for each in tables if each.name == "Window")


def expect_words(page: Page, headline: str, hint: str) -> None:
    expect(page.locator("#headline")).to_contain_text(headline)
    expect(page.locator("#hint")).to_contain_text(hint)


def test_a_table_that_deals_offers_nothing_but_throws(chromium: Chromium, tmp_path: Path) -> None:
    page = chromium.new_page(viewport=SMALL)
    game = ("--game", "dice", "--players", "Hall")
    with join_table(tmp_path, *game, games=2) as (event, url, box):
        page.goto(url)
        expect(page.locator("#join-game")).to_be_visible()
        event.write(GameOpened(1, box, 0, by="Olga"))
        expect(page.locator("#progress")).to_have_text("Game 1 of 2")
        expect(page.locator("#title")).to_have_text("Autumn cup")
        expect(page.locator("#sheets h2")).to_have_text("Table 1")
        expect_words(page, "Throw 5 dice", "The roll is for all players.")
        expect(page.locator("#join-game")).to_be_hidden()
        expect(page.locator("#button-left span")).to_be_empty()
        page.locator("[data-hand=throw]").click()
        expect_words(page, "All players choose", "Throw again when all have chosen.")
        expect(page.locator("#choices [data-action]")).to_have_count(1)
        expect(page.locator("#dice-count")).to_be_hidden()
        expect(page.locator("#join-game")).to_be_hidden()


def leave_game(page: Page) -> None:
    page.locator("#leave").click()
    page.locator("#leave-dialog [value=leave]").click()


def draw(event: RunningEvent) -> None:
    source = event.table.source(event.table.throw("13446"))
    drawn = event.runner.read(lambda state: compute_draw(state.data, "13446"))
    event.write(DrawMade(1, drawn.tables, "13446", (source,), drawn.byes))
    event.write(DrawPublished(1, "Olga"))


def test_a_table_follows_a_round_from_its_draw_to_the_result(
    chromium: Chromium, tmp_path: Path
) -> None:
    """The players wait for the draw, sit down, play, pause, and read where the result is."""
    page = chromium.new_page(viewport=SMALL)
    with join_table(tmp_path, style="tables", table_size=3, games=2) as (event, url, _):
        event.store.enrol(BOX, "Table that seeds").result()
        page.goto(url)
        leave_game(page)
        hint = "Autumn cup: The draw says who sits here."
        expect_words(page, "Wait for the draw", hint)
        draw(event)
        expect(page.locator("#headline")).to_contain_text(re.compile("^Table 1: .*Ada"))
        expect(page.locator("#hint")).to_contain_text("Autumn cup, round 1.")
        page.locator("#start").click()
        expect(page.locator("#ends-start")).to_be_visible()
        let_time_pass(page, DOUBLE_MS + 1)
        page.locator("#ends-start").click()
        expect(page.locator("#title")).to_have_text("Autumn cup")
        expect(page.locator("#progress")).to_have_text("Round 1 of 2, table 1")
        expect(page.locator("#join-game")).to_be_hidden()
        page.locator("#pause").click()
        expect(page.locator("#headline")).to_have_text("The game is paused")
        expect(page.locator("#progress")).to_have_text("Round 1 of 2, table 1")
        page.locator("#leave").click()
        expect(page.locator("#count")).to_be_hidden()
        page.locator("#leave-dialog [value=leave]").click()
        event.write(TableResult(1, 1, (3, 2, 1), by="Olga", reason="on paper"))
        expect_words(page, "Round 1 is played", "Autumn cup: What comes next appears here.")
        rows = event.runner.read(lambda state: state.compute_standings().rows)
        places = tuple((row.player, row.place, row.score) for row in rows)
        event.write(EventResult(places, by="Olga"))
        expect_words(page, "The event is over", "Autumn cup: The result: http")


def test_a_table_without_players_is_free(chromium: Chromium, tmp_path: Path) -> None:
    page = chromium.new_page(viewport=SMALL)
    with join_table(tmp_path, is_second=True, style="tables", table_size=3) as (event, url, _):
        page.goto(url)
        leave_game(page)
        draw(event)
        expect_words(page, "Round 1: this table is free", "What comes next appears here.")
