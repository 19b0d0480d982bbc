# SPDX-License-Identifier: MIT
"""A big screen and a layer for streaming programs, in a real browser, with every game."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from controller.base.settings.choices import Confirm
from controller.table.events import ActionRequested
from controller.table.state import Setup, TableState
from tests.support.page_table import PageTable
from tests.support.table import CONFIRM, dice_of, die, play, rest_of, table, throw_of
from tests.whole_table.conftest import OpenPage, box_of
from tests.whole_table.test_review_page import rolled

pytestmark = pytest.mark.browser

FULL_HD = (1920, 1080)


def just_dice() -> TableState:
    """Return a table where Cleo left three twos lying, and Ada comes next."""
    start = table("Ada", "Ben", "Cleo", game="dice", options={"dice": 4})
    thrown = (die(1, 0.0), die(3, 100.0), die(4, 200.0), die(6, 300.0))
    state = play(start, *rest_of(*thrown), *throw_of("6665", spot=3), *throw_of("2222", spot=5))
    return play(state, *rest_of(*dice_of("2222", spot=5)[1:], die(6, 0.0, 900.0)))


def black_n_white() -> TableState:
    return play(
        table("Ada", "Ben", game="black-n-white"),
        *rest_of(die(4, 0.0), die(6, 90.0, is_black=True)),
    )


def read_standing(page: Page) -> list[str]:
    return page.locator("#standing li").all_inner_texts()


def is_transparent(page: Page) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return which pixels of the page let a picture behind it through, shape (height, width)."""
    png = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    picture = np.asarray(cv2.imdecode(png, cv2.IMREAD_UNCHANGED))
    return np.asarray(picture[:, :, 3] == 0)


def test_big_screen_and_layer_follow_every_game(open_page: OpenPage) -> None:
    """One table, looked at from both pages, goes from one game to the next."""
    live = PageTable(just_dice())
    page = open_page(live, size=FULL_HD)
    page.goto(f"{page.url}tv")
    expect(page.locator("#headline")).to_have_text("Cleo throws 12")
    assert page.locator("#dice > div").evaluate_all("all => all.map(die => die.dataset.face)") == [
        *"2226"
    ]
    assert page.locator("#dice [data-group=kept]").count() == 3
    assert [text.split() for text in read_standing(page)] == [
        ["1.", "Ben", "23"],
        ["2.", "Ada", "14"],
        ["3.", "Cleo", "12"],
    ]
    expect(page.locator("#standing .active")).to_have_attribute("data-player", "Ada")
    live.happen(ActionRequested("Ada", "dice 20"), *throw_of("123456" * 3 + "66", spot=9))
    expect(page.locator("#dice > div")).to_have_count(20)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.set_viewport_size({"width": 390, "height": 844})
    headline = page.locator("#headline")
    assert box_of(headline)["width"] > 200, "whole words stand in a line"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#standing li").last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": FULL_HD[0], "height": FULL_HD[1]})
    live.put(black_n_white())
    expect(page.locator("#dice > div")).to_have_count(2)
    assert [text.split()[1:] for text in read_standing(page)] == [["Ada", "0"], ["Ben", "0"]]

    page.goto(f"{page.url.removesuffix('tv')}overlay?width=800&show=dice,totals&language=de")
    expect(page.locator("#standing li")).to_have_count(2)
    expect(page.locator("#turn")).to_be_hidden()
    box = box_of(page.locator("body"))
    assert box["width"] == 800
    clear = is_transparent(page)
    assert clear[:, 801:].all()
    assert clear[int(box["height"]) + 1 :].all()
    assert clear[0, 0]
    assert 0.1 < clear[: int(box["height"]), :800].mean() < 0.7
    live.put(play(table("Ada", "Ben"), *throw_of("13446")))
    expect(page.locator("#dice > div")).to_have_count(5)
    live.put(TableState())
    expect(page.locator("#dice")).to_be_hidden()
    assert is_transparent(page).all()


def test_big_screen_shows_the_picture_of_the_roll(open_page: OpenPage) -> None:
    live = rolled()
    rolled_state = live.state
    page = open_page(live, size=FULL_HD)
    page.goto(f"{page.url}tv")
    picture = page.locator("#evidence img")
    expect(picture).to_be_visible()
    assert box_of(picture)["height"] > 200
    expect(page.locator("#standing")).to_be_in_viewport(ratio=1)
    expect(picture).to_be_in_viewport(ratio=1)
    expect(page.locator("#course")).to_be_hidden()
    live.happen(ActionRequested("Ben", "7+7/4"), *throw_of("22356", spot=9))
    expect(page.locator("#course polyline[data-seat]")).to_have_count(2)
    expect(page.locator("#course")).to_be_in_viewport(ratio=1)
    live.put(rolled_state)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(picture).to_be_visible()
    assert box_of(picture)["height"] > 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    live.put(just_dice())
    expect(picture).to_be_hidden()


@pytest.mark.parametrize("size", [FULL_HD, (1280, 720)])
def test_big_screen_shows_the_sheets_of_two(open_page: OpenPage, size: tuple[int, int]) -> None:
    live = rolled()
    page = open_page(live, size=size)
    page.goto(f"{page.url}tv")
    sheets = page.locator("#papers .sheet")
    expect(sheets).to_have_count(2)
    live.happen(ActionRequested("Ben", "7+7/4"), *throw_of("22356", spot=9))
    expect(page.locator("#papers [data-sum='7']:not([data-marks='0'])")).to_have_count(1)
    for shown in (*sheets.all(), page.locator("#standing"), page.locator("#course")):
        expect(shown).to_be_in_viewport(ratio=1)
    sheet = box_of(sheets.first)
    assert sheet["y"] + sheet["height"] <= box_of(page.locator("#course"))["y"]
    cards = page.locator("#papers .card")
    names = cards.evaluate_all("all => all.map(card => card.dataset.player)")
    assert [row.split()[1] for row in read_standing(page)] == names
    live.put(black_n_white())
    expect(page.locator("#papers .card .paper > *")).to_have_count(2)
    live.put(just_dice())
    expect(page.locator("#papers")).to_be_hidden()


def test_big_screen_hides_an_old_picture_of_a_new_throw(open_page: OpenPage) -> None:
    live = rolled()
    waits = play(replace(live.state, setup=Setup(confirm=Confirm.BUTTON)), CONFIRM)
    live.put(waits)
    page = open_page(live, size=FULL_HD)
    page.goto(f"{page.url}tv")
    picture = page.locator("#evidence img")
    for happened, phase in zip(
        throw_of("22356", spot=9), ("rolling", "settling", "reading"), strict=True
    ):
        live.put(rolled().state)
        expect(picture).to_be_visible()
        waits = play(waits, happened)
        live.put(waits)
        expect(page.locator("body")).to_have_attribute("data-phase", phase)
        expect(picture).to_be_hidden()
