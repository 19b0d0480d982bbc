# SPDX-License-Identifier: MIT
"""The big screen, the layer and the standings of an event, in a real browser."""

from __future__ import annotations

import contextlib
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from playwright.sync_api import Page, expect

from controller.tournament.entries.draw_entries import (
    DrawAnnounced,
    DrawMade,
    DrawPublished,
    TableResult,
)
from controller.tournament.entries.event_entries import (
    EventResult,
    PenaltyGiven,
    TableEnrolled,
)
from controller.tournament.entries.game_entries import ChoiceMade, GameClosed, ReserveAsked
from controller.tournament.entries.player_entries import (
    PlayerJoined,
    PlayerRenamed,
    SectionNamed,
    TeamNamed,
)
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.state.next_draw import compute_draw
from tests.controller.tournament.event_tables import BOX
from tests.support.axe import find_barriers
from tests.support.running_event import RunningEvent, run_event, serve_pages
from tests.support.sending_table import wait_for
from tests.whole_table.conftest import box_of
from webui.tournament.public.snapshot_routes import render_public_pages

pytestmark = pytest.mark.browser

LONG_NAME = "Anneliese Wurzelbacher"


@pytest.fixture
def screen(page: Page) -> Page:
    page.set_viewport_size({"width": 1920, "height": 1080})
    return page


def join(event: RunningEvent, *names: str) -> None:
    for number, name in enumerate(names, start=1):
        event.write(PlayerJoined(number, name, f"{number:064x}"))


def list_dice(page: Page) -> str:
    faces = page.locator("#dice > div").evaluate_all("all => all.map(die => die.dataset.look[0])")
    return "".join(faces)


def assert_nothing_overflows(page: Page) -> None:
    outside = page.locator("main *:visible").evaluate_all(
        """all => all.filter(node => {
            const { left, right, top, bottom } = node.getBoundingClientRect();
            return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
        }).map(node => node.id || node.tagName)"""
    )
    assert outside == []


def test_screens_follow_a_duplicate_event(screen: Page, tmp_path: Path) -> None:
    """One event, from the code to join to the final standings, on every page that shows it."""
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        screen.goto(f"{pages.url}tv")
        event.begin(name="Cup", games=1)
        join(event, "Ada", LONG_NAME, "Cleo")
        expect(screen.locator("#joined")).to_have_text("3 players are here")
        expect(screen.locator("#standing")).to_be_hidden()
        assert_nothing_overflows(screen)
        event.open_game()
        event.throw("13446")
        expect(screen.locator("#dice > div")).to_have_count(5)
        assert list_dice(screen) == "13446"
        event.write(ChoiceMade(1, 1, 1, ("4+10/4",)))
        expect(screen.locator("#count-text")).to_have_text("1 of 3 has chosen")
        expect(screen.locator("#clock")).to_be_visible()
        event.write(ChoiceMade(1, 1, 2, ("7+7/4",)))
        event.write(ReserveAsked(1, 1, 3))
        expect(screen.locator("#remark")).to_contain_text("the next throw is the reserve roll")
        event.throw("13446")
        expect(screen.locator("#remark")).to_have_text("Reserve roll for the Terminator: 1 3 4 4 6")
        event.write(ChoiceMade(1, 1, 3, ("7+7/4",)))
        expect(screen.locator("#field li")).to_have_text(["7+7/467\u202f%", "4+10/433\u202f%"])
        expect(screen.locator("#clock")).to_be_hidden()
        expect(screen.locator("#standing li")).to_have_count(3)
        assert_nothing_overflows(screen)

        screen.goto(f"{pages.url}overlay?width=800&show=dice,ranking&language=de")
        expect(screen.locator("#standing li")).to_have_count(3)
        expect(screen.locator("#turn")).to_be_hidden()
        box = box_of(screen.locator("body"))
        assert box["width"] == 800
        png = np.frombuffer(screen.screenshot(omit_background=True), np.uint8)
        clear = np.asarray(cv2.imdecode(png, cv2.IMREAD_UNCHANGED))[:, :, 3] == 0
        assert clear[:, 801:].all()
        assert 0.1 < clear[: int(box["height"]), :800].mean() < 0.7

        for page in ("", "result"):
            screen.goto(f"{pages.url}{page}")
            assert find_barriers(screen) == []
        screen.goto(f"{pages.url}standings")
        expect(screen.locator("#rows tr")).to_have_count(3)
        event.write(PlayerRenamed(3, "Cleo <b>"))
        expect(screen.locator("#rows")).to_contain_text("Cleo <b>")
        assert find_barriers(screen) == []
        screen.locator("#search").fill("anneliese")
        expect(screen.locator("#rows tr")).to_have_count(1)

        screen.goto(f"{pages.url}tv")
        event.write(GameClosed(1, by="Olga", reason="late"))
        event.wait_until(lambda state: state.data.open_game is None)
        places = event.runner.read(lambda state: state.compute_standings().list_places())
        event.write(EventResult(places, "Olga"))
        expect(screen.locator("body")).to_have_attribute("data-shows", "final")
        expect(screen.locator("#stage")).to_be_hidden()
        assert_nothing_overflows(screen)


def test_big_screen_shows_an_announced_draw(screen: Page, tmp_path: Path) -> None:
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(name="Cup", style="tables", seeding="announced", games=2)
        join(event, *(f"Player {number}" for number in range(1, 9)))
        event.send(event.table.begin("dice"))
        screen.goto(f"{pages.url}tv")
        expect(screen.locator("#announced")).to_be_hidden()
        event.write(DrawAnnounced(1, BOX, len(event.table.entries), "Olga"))
        expect(screen.locator("#announced h2")).to_have_text("Draw of round 1")
        said = screen.locator("#announced p")
        expect(said).to_contain_text("The next 3 rolls at table 1 · Table 1")
        event.throw("13446")
        expect(said).to_contain_text("The next 2 rolls")
        expect(screen.locator("#announced .die-face")).to_have_count(5)
        event.throw("22356")
        expect(said).to_contain_text("The next roll at table")
        assert_nothing_overflows(screen)
        event.throw("12345")
        expect(screen.locator("#announced")).to_be_hidden()


def test_big_screen_shows_who_sits_where(screen: Page, tmp_path: Path) -> None:
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(name="Cup of the dice friends of the north", style="tables", games=2)
        screen.goto(pages.url)
        expect(screen.locator("#join")).to_contain_text("at which table you play")
        join(event, *(f"{LONG_NAME} {number}" for number in range(1, 53)))
        thrown = event.table.throw("12345")
        event.send(thrown)
        event.wait_until(lambda state: len(state.data.people) == 52)
        drawn = event.runner.read(lambda state: compute_draw(state.data, "12345"))
        source = event.table.source(thrown)
        event.write(DrawMade(1, drawn.tables, "12345", (source,), drawn.byes))
        screen.goto(f"{pages.url}tv")
        expect(screen.locator("#draw")).to_be_hidden()
        event.write(DrawPublished(1, "Olga"))
        expect(screen.locator("#draw-title")).to_contain_text("Round 1: who sits where (1/2)")
        expect(screen.locator("#tables > li")).to_have_count(12)
        expect(screen.locator("#tables > li").first.locator("li")).to_have_count(4)
        head = screen.locator("#tables h3").first
        expect(head).to_have_text("Table 1")
        event.write(TableEnrolled(BOX, "Under the window of the old town hall"))
        event.write(TableResult(1, 1, (300, 200, 100, 0), by="Olga", reason="paper"))
        expect(head).to_have_text("Table 1 · Under the window of the old town hall")
        assert_nothing_overflows(screen)
        expect(screen.locator("#tables > li").first.locator("output").first).to_have_text("300")
        assert head.evaluate("head => head.scrollWidth <= head.clientWidth"), "all of it shows"
        screen.set_viewport_size({"width": 390, "height": 844})
        assert box_of(screen.locator("#turn"))["width"] <= 390
        screen.goto(pages.url)
        expect(screen.locator("#join")).to_contain_text("The players are drawn")


def test_big_screen_shows_sections_and_teams_in_turn(screen: Page, tmp_path: Path) -> None:
    screen.clock.install()
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(name="Cup", games=1)
        join(event, "Ada", "Ben", "Cleo")
        event.open_game()
        event.throw("13446")
        event.wait_until(lambda state: state.data.open_roll is not None)
        for number, choice in enumerate(("4+10/4", "7+7/4", "4+10/4"), start=1):
            event.write(ChoiceMade(1, 1, number, (choice,)))
        screen.goto(f"{pages.url}tv")
        expect(screen.locator("#standing li")).to_have_count(3)
        expect(screen.locator("#standing-title")).to_be_hidden()
        for number, section, team in ((1, "Juniors", "B"), (2, "Ladies", "A"), (3, "Juniors", "A")):
            event.write(SectionNamed(number, section, "Olga"))
            event.write(TeamNamed(number, team, "Olga"))
        for title, names in (
            ("Everybody", 3 * [""]),
            ("Juniors", ["Ada", "Cleo"]),
            ("Ladies", ["Ben"]),
            ("Teams", ["B", "A"]),
        ):
            expect(screen.locator("#standing-title")).to_have_text(title)
            expect(screen.locator("#standing .name")).to_contain_text(names)
            assert_nothing_overflows(screen)
            screen.clock.fast_forward(12_000)
        screen.goto(f"{pages.url}overlay")
        expect(screen.locator("#standing li")).to_have_count(3)
        expect(screen.locator("#standing-title")).to_be_hidden()


def test_no_title_stands_alone_before_the_first_roll(screen: Page, tmp_path: Path) -> None:
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(name="Cup", games=1)
        join(event, "Ada", "Ben")
        event.write(SectionNamed(1, "Juniors", "Olga"))
        screen.goto(f"{pages.url}tv")
        expect(screen.locator("#joined")).to_have_text("2 players are here")
        expect(screen.locator("body")).to_have_attribute("data-shows", "before")
        expect(screen.locator("#standing-title")).to_have_text("Everybody")
        expect(screen.locator("#standing-title")).to_be_hidden()


def test_published_page_is_a_big_screen_too(screen: Page, tmp_path: Path) -> None:
    with run_event(tmp_path) as event, contextlib.ExitStack() as closing:
        publisher = EventPublisher(event.runner, render_public_pages)
        publisher.start()
        closing.callback(publisher.close)
        pages = closing.enter_context(serve_pages(event, tmp_path, publisher=publisher))
        event.begin(name="Cup", games=1)
        join(event, *(f"Player {number}" for number in range(1, 31)))
        event.open_game()
        event.throw("13446")
        event.wait_until(lambda state: state.data.open_roll is not None)
        for number in range(1, 31):
            event.write(ChoiceMade(1, 1, number, ("4+10/4",)))
        wait_for(lambda: b'"is_open":false' in publisher.files["rolls.json"].content)
        screen.clock.install()
        screen.goto(f"{pages.url}public/#tv")
        expect(screen.locator("main tbody tr:visible")).to_have_count(10)
        assert find_barriers(screen) == []
        assert_nothing_overflows(screen)
        event.write(PlayerRenamed(1, "Ada"))
        wait_for(lambda: b"Ada" in publisher.files["standings.json"].content)
        screen.clock.fast_forward(5000)
        expect(screen.locator("main")).to_contain_text("Ada")
        screen.locator("html").evaluate("() => { location.hash = ''; }")
        expect(screen.locator("main tbody tr:visible")).to_have_count(30)


def test_standings_of_sections_and_teams(screen: Page, tmp_path: Path) -> None:
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(name="Cup", games=1, team_best=1)
        join(event, "Ada", "Ben", "Cleo")
        screen.goto(f"{pages.url}standings")
        expect(screen.locator("#rows tr")).to_have_count(3)
        expect(screen.locator("#group")).to_be_hidden()
        for number, section, team in ((1, "Juniors", "B"), (2, "Ladies", "A"), (3, "Juniors", "A")):
            event.write(SectionNamed(number, section, "Olga"))
            event.write(TeamNamed(number, team, "Olga"))
            event.write(PenaltyGiven(number, number, "Olga", "late"))
        cleo = screen.locator("#rows tr").nth(2)
        expect(cleo).to_contain_text("Penalty −3 · place 2 in Juniors · A")
        expect(screen.locator("#group option")).to_have_text(
            ["Everybody", "Juniors", "Ladies", "Teams"]
        )
        screen.locator("#group").select_option("Juniors")
        expect(screen.locator("#rows tr")).to_have_count(2)
        expect(cleo).to_have_count(0)
        expect(screen.locator("#rows tr").nth(1)).to_contain_text("place 3 of all")
        expect(screen.locator("#rows td.place")).to_have_text(["1.", "2."])
        expect(screen).to_have_url(f"{pages.url}standings?section=Juniors")
        screen.reload()
        expect(screen.locator("#title")).to_have_text("Standings · Juniors")
        expect(screen.locator("#rows tr")).to_have_count(2)
        screen.locator("#group").select_option("Teams")
        expect(screen).to_have_url(f"{pages.url}standings?teams=")
        teams = screen.locator("#rows tr")
        expect(teams).to_have_text(["1.BAda −1−1", "2.ABen −2 · (Cleo −3)−2"])
        screen.locator("#search").fill("cle")
        expect(teams).to_have_count(1)
        assert find_barriers(screen) == []
        screen.emulate_media(media="print")
        expect(screen.locator("#group")).to_be_hidden()


def test_standings_show_what_breaks_ties(screen: Page, tmp_path: Path) -> None:
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        ties = ("direct", "buchholz", "wins", "total")
        event.begin(name="Cup", style="swiss", options={}, games=2, tie_breaks=ties)
        join(event, "Ada", "Ben")
        thrown = event.table.throw("12345")
        event.send(thrown)
        event.wait_until(lambda state: len(state.data.people) == 2)
        drawn = event.runner.read(lambda state: compute_draw(state.data, "12345"))
        event.write(DrawMade(1, drawn.tables, "12345", (event.table.source(thrown),)))
        event.write(DrawPublished(1, "Olga"))
        event.write(TableResult(1, 1, (-30, -40), by="Olga", reason="paper"))
        screen.goto(f"{pages.url}standings")
        expect(screen.locator("#rows tr")).to_have_count(2)
        heads = ["Place", "Player", "1", "Points", "Buchholz", "wins", "sum of the results"]
        expect(screen.locator("#head th")).to_have_text(heads)
        winner = screen.locator("#rows tr").first.locator("td:not(.name)")
        expect(winner).to_have_text(["1.", "−30", "2", "0", "1", "−30"])
        assert find_barriers(screen) == []
