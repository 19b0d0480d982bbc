# SPDX-License-Identifier: MIT
"""Players without a phone choose at the own screen of a real table, which is killed meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection
from math import ceil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.tournament.entries.player_entries import KioskSeated, PlayerJoined, PlayerLeft
from controller.tournament.server.wire.receiver import WireReceiver
from tests.support.axe import find_barriers
from tests.support.demo_process import DemoProcess
from tests.support.running_event import RunningEvent, run_event, serve_pages
from tests.whole_table.conftest import Chromium, box_of, choose_action, expect_phase, say_name
from webui import MOST_STREAMS
from webui.auth.stream_slots import OWN_SHARE

pytestmark = pytest.mark.browser

SMALL = {"width": 800, "height": 480}
FINGER_PX = 48


@dataclass
class Hall:
    """An event, its address, and the code with which tables join."""

    event: RunningEvent
    url: str
    code: str

    def join(self, table: DemoProcess) -> str:
        """Let a table join, and return its key."""
        about = {"address": self.url, "code": self.code, "name": "Window"}
        assert table.post("/service", {"do": "join tournament", **about}) == 200
        tables = self.event.runner.read(lambda state: state.data.boxes.list_tables())
        return next(each.box for each in tables if each.name == "Window")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    folder = tmp_path / "event"
    folder.mkdir()
    with run_event(folder) as event:
        event.begin(games=1, clock_s=3600)
        for number, name in enumerate(("Ada", "Ben"), start=1):
            event.write(PlayerJoined(number, name, by="Olga"))
        receiver = WireReceiver(event.store)
        with serve_pages(event, folder, receiver=receiver) as pages:
            yield Hall(event, pages.url.rstrip("/"), receiver.read_code())


def test_players_choose_at_the_tables_screen(
    hall: Hall, chromium: Chromium, tmp_path: Path
) -> None:
    """The table is killed between two players, and its screen goes on by itself."""
    event, page = hall.event, chromium.new_page(viewport=SMALL)
    errors: list[object] = []
    page.on("pageerror", lambda error: errors.append(error))
    with DemoProcess(tmp_path / "table") as table:
        port = table.port
        page.goto(table.url)
        box = hall.join(table)
        expect(page.locator("#play-here")).to_be_hidden()
        for player in (1, 2):
            event.write(KioskSeated(player, "Olga", box))
        page.locator("#play-here").click()
        expect_phase(page, "who")
        expect(page.locator("#headline")).to_have_text("Who are you?")
        event.open_game()
        event.throw("13446")
        expect(page.locator("#headline")).to_have_text("Roll 1: who are you?")
        assert find_barriers(page) == []
        for link in [*page.locator("#who-names a").all(), page.locator("#to-table")]:
            assert box_of(link)["height"] >= FINGER_PX
        expect(page.locator("#menu-open")).to_be_hidden()
        say_name(page, "Ada")
        choose_action(page, "4+10/4")
        expect_phase(page, "who")
        ada = page.locator("#who-names a", has_text="Ada")
        expect(ada).to_have_attribute("data-state", "chosen")
        assert "4+10" not in page.content()
        page.goto(f"{table.url}play?player=1")
        expect_phase(page, "who")
        say_name(page, "Ben")
        expect_phase(page, "choose")
        table.kill()
        expect(page.locator("#lost")).to_be_visible()
        page.locator("#choices [data-action='5+9/4']").click()
        page.locator("#do-confirm").click()
    with DemoProcess(tmp_path / "table", "--port", str(port)):
        event.wait_until(lambda state: state.data.open_roll is None)
        expect_phase(page, "who")
        say_name(page, "Ada")
        expect(page.locator("#field-choices li.mine")).to_contain_text("50 %")
        event.write(PlayerLeft(1, "Olga"))
        expect_phase(page, "away")
        assert find_barriers(page) == []
        assert box_of(page.locator("#back-again"))["height"] >= FINGER_PX
        page.locator("#back-again").click()
        expect_phase(page, "between")
        expect(page.locator("#back-again")).to_be_hidden()
        assert event.runner.read(lambda state: state.data.people.find(1).is_present)
        page.locator("#to-table").click()
        expect(page.locator("#play-here")).to_be_visible()
        for player in (1, 2):
            event.write(KioskSeated(player, "Olga"))
        expect(page.locator("#play-here")).to_be_hidden()
        page.goto(f"{page.url}play")
        expect(page.locator("#who-nobody")).to_be_visible()
        assert find_barriers(page) == []
    assert errors == []
    chosen = event.runner.read(lambda state: dict(state.data.chosen_at))
    assert chosen == {(1, 1, 1): box, (1, 1, 2): box}


def test_a_table_without_a_tournament_offers_nothing(chromium: Chromium, tmp_path: Path) -> None:
    page = chromium.new_page(viewport=SMALL)
    with DemoProcess(tmp_path) as table:
        page.goto(f"{table.url}play")
        expect(page).to_have_url(table.url)
        expect(page.locator("#play-here")).to_be_hidden()
        assert table.request("/event/stream").status == 400


def test_its_streams_share_the_room_of_the_tables_screens(hall: Hall, tmp_path: Path) -> None:
    """So they cannot use all threads of the server."""
    with DemoProcess(tmp_path / "table") as table, ExitStack() as closing:
        hall.join(table)

        def follow(address: str) -> int:
            line = HTTPConnection("127.0.0.1", table.port, timeout=30)
            closing.callback(line.close)
            line.request("GET", address)
            answer = line.getresponse()
            closing.callback(answer.close)
            return answer.status

        assert follow("/event/stream") == 200
        found = [follow("/events") for _ in range(ceil(MOST_STREAMS * OWN_SHARE) - 1)]
        assert set(found) == {200}
        assert (follow("/event/stream"), follow("/events")) == (503, 503)
