# SPDX-License-Identifier: MIT
"""Every page at every size in a language whose texts are 40 % longer: nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect

from controller.languages.catalogue import Catalogue
from controller.table.events import DeviceLost, PauseRequested, ReviewRequested
from controller.table.state import TableState
from tests.support.long_texts import find_cut_texts, lengthen, make_long_catalogue
from tests.support.page_table import PageTable
from tests.support.table import (
    CONFIRM,
    die,
    doubtful_throw,
    finished_table,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)
from tests.webui.fakes import FakeTray
from tests.webui.visitors import FakeAccess
from tests.whole_table.conftest import Chromium, wait_for_layout
from webui import create_app
from webui.server import KioskServer

LONG = make_long_catalogue()
pytestmark = pytest.mark.browser

SIX = ("Ada", "Ben", "Clementine", "Dragoslav", "Eva-Maria", "Finn")
JOKERS = {"jokers": True}
WUERFELSPIEL = play(table(*SIX[:3], game="wuerfelspiel"), *throw_of("44524"))
BLACK_N_WHITE = play(
    table(*SIX[:3], game="black-n-white"),
    *rest_of(die(4, 100.0), die(6, 300.0, is_black=True)),
)
REVIEWED = play(rolled_table("13446", "Ada", "Ben"), ReviewRequested())

STATES: dict[str, Callable[[], TableState]] = {
    "lobby": TableState,
    "waiting for a roll": lambda: table(*SIX[:3]),
    "waiting in black-n-white": lambda: table(*SIX[:3], game="black-n-white"),
    "waiting in wuerfelspiel": lambda: table(*SIX[:3], game="wuerfelspiel"),
    "choice": lambda: rolled_table("13446", *SIX),
    "choice, second player": lambda: play(rolled_table("13446", "Ada", "Ben"), CONFIRM),
    "jokers": lambda: play(table(*SIX[:4], options=JOKERS), *throw_of("13446")),
    "wuerfelspiel": lambda: WUERFELSPIEL,
    "black-n-white": lambda: BLACK_N_WHITE,
    "black-n-white, second throw": lambda: play(BLACK_N_WHITE, CONFIRM),
    "doubt": lambda: play(table(), *doubtful_throw("1344")),
    "paused": lambda: play(rolled_table("13446"), PauseRequested()),
    "covered": lambda: play(
        rolled_table("13446"), DeviceLost("camera", "something is wrong", "fix it", "blocked")
    ),
    "review": lambda: REVIEWED,
    "game over": lambda: finished_table("Ada", "Ben"),
}

SCREENS = {
    "big 7 inch": ((800, 480), (800, 480)),
    "big 10 inch": ((1280, 800), (1280, 800)),
    "window": ((1280, 800), (1920, 1080)),
    "large": ((1920, 1080), (1920, 1080)),
    "phone": ((390, 844), (390, 844)),
    "sideways phone": ((844, 390), (844, 390)),
}


@pytest.fixture(scope="module")
def long_texts() -> Catalogue:
    return make_long_catalogue()


def lengthened_headline(shown: PageTable) -> str:
    from controller.table.view.types import Snapshot
    h = shown.snapshot()["headline"]
    return LONG.translate(h)


def test_words_grow_and_values_stay() -> None:
    assert lengthen("Start the game, {player}") == "Staaart thee gaame, {player}"


@pytest.fixture
def kiosk(long_texts: Catalogue) -> Iterator[tuple[PageTable, str]]:
    shown = PageTable(TableState())
    app = create_app(shown, FakeTray(), access=FakeAccess(), catalogues={"en": long_texts})
    server = KioskServer(app, "127.0.0.1", 0)
    server.start()
    yield shown, server.url
    shown.close()
    server.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_kiosk_cuts_no_text_off(
    chromium: Chromium, kiosk: tuple[PageTable, str], screen: str
) -> None:
    shown, url = kiosk
    (width, height), (screen_width, screen_height) = SCREENS[screen]
    page = chromium.new_page(
        viewport={"width": width, "height": height},
        screen={"width": screen_width, "height": screen_height},
    )
    page.emulate_media(reduced_motion="reduce")
    page.goto(url)
    found: list[str] = []
    for name, make in STATES.items():
        shown.put(make())
        expect(page.locator("#headline")).to_have_text(
            lengthened_headline(shown), use_inner_text=False
        )
        wait_for_layout(page)
        found += [f"{name}: {text}" for text in find_cut_texts(page)]
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/{screen}-{name}.png".replace(" ", "_"))
    page.close()
    assert not found, "\n".join(found)


import os
SHOTS = os.environ.get("SHOTS", "")
