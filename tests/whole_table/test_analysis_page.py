# SPDX-License-Identifier: MIT
"""A game is over: the table and a phone show what was luck and what the choices cost."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.history.analysis.analysis_view import PlayerAnalysis
from tests.support.axe import find_barriers
from tests.support.ended_game import end_game
from tests.support.long_texts import find_cut_texts
from tests.support.phone_table import PhoneTable
from tests.whole_table.conftest import Chromium, wait_for_layout

pytestmark = pytest.mark.browser

SMALL = (800, 480)
NAMES = ("Ada", "Ben", "Cleo")


def describe(player: PlayerAnalysis) -> str:
    luck, play = (
        f"{round(value):+d}".replace("+0", "0") for value in (player["luck"], player["play"])
    )
    return f"luck {luck}, play {play} points".replace("-", "−")


def check_panel(page: Page, player: PlayerAnalysis) -> None:
    expect(page.locator("#analysis-title")).to_contain_text(player["name"])
    choices = page.locator("#analysis-dearest > li")
    expect(choices).to_have_count(len(player["dearest"]))
    for item, choice in zip(choices.all(), player["dearest"], strict=True):
        expect(item.locator(".cost")).to_have_text(f"−{round(choice['cost'])}")
        expect(item.locator(".made")).to_have_text(choice["chosen"])
        expect(item.locator(".best")).to_have_text(f"better: {choice['best']}")
        expect(item.locator("svg")).to_have_count(len(choice["dice"]))


def test_the_end_shows_luck_and_play(tmp_path: Path, chromium: Chromium) -> None:
    ended = end_game(tmp_path, "choice", *NAMES, seed=4)
    parts = ended.parts()
    with ExitStack() as closing:
        table = PhoneTable(ended.state, tmp_path, chromium, closing, history=parts)
        box = table.open(table.server.url, SMALL)
        expect(box.locator("#analysis-open")).to_be_visible()
        view = parts.analyse_game(1)
        assert view is not None
        players = view["players"]
        for seat, player in enumerate(players):
            line = box.locator(f"#ranking [data-seat='{seat}'] .sums")
            expect(line).to_have_text(describe(player))
        box.locator("#analysis-open").click()
        expect(box.locator("#finale")).not_to_be_visible()
        check_panel(box, players[0])
        box.locator("#analysis-players [data-seat='2']").click()
        check_panel(box, players[2])
        expect(box.locator("#analysis-plots polyline").first).to_be_attached()
        wait_for_layout(box)
        assert find_cut_texts(box) == []
        assert find_barriers(box) == []
        box.locator("#sheets-open").click()
        expect(box.locator("#analysis")).not_to_be_visible()
        phone = table.phone("Ben")
        expect(phone.locator("#analysis")).to_be_visible()
        check_panel(phone, players[1])
        expect(phone.locator("#analysis-players button").first).to_contain_text("Ben")
        assert find_barriers(phone) == []
        box.goto(f"{table.server.url}history/1")
        box.locator("#analysis-open").click()
        check_panel(box, players[0])
        dearest = players[0]["dearest"][0]
        box.locator("#analysis-dearest .roll").first.click()
        expect(box.locator("#whose")).to_have_text(re.compile(f"^Roll {dearest['roll']}: "))
        expect(box.locator("#analysis")).not_to_be_visible()
        box.goto(f"{table.server.url}history/player?name=Ada")
        adjusted = str(round(players[0]["adjusted"], 1)).replace("-", "−")
        expect(box.get_by_text("Result without luck").locator("+ dd")).to_have_text(adjusted)
        assert table.complaints == []
