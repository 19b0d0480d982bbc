# SPDX-License-Identifier: MIT
"""
Every page at every size in a language whose texts are 40 % longer: nothing is cut off.

On the pages of phones and owners, whose states are reached here only, barriers are sought too.
Texts that are in no catalogue are sought at one size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.base.languages.catalogue import Catalogue
from controller.table.events import (
    DealingChanged,
    DeviceLost,
    GameLeft,
    PartChanged,
    PauseRequested,
    PlayersSeated,
    ReviewRequested,
)
from controller.table.state import TableState
from tests.support.axe import find_barriers
from tests.support.demo_process import DemoProcess
from tests.support.long_texts import (
    find_cut_texts,
    find_untranslated,
    lengthen,
    make_long_catalogue,
)
from tests.support.phone_table import BOX_SCREEN, SIDEWAYS, UPRIGHT, PhoneTable
from tests.support.quick import first_quick
from tests.support.table import (
    CONFIRM,
    die,
    doubtful_throw,
    finished_table,
    lobby_of,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)
from tests.whole_table.conftest import Chromium, wait_for_layout

pytestmark = pytest.mark.browser

SIX = ("Ada", "Ben", "Clementine", "Dragoslav", "Eva-Maria", "Finn")
BLACK_N_WHITE = play(
    table(*SIX[:3], game="black-n-white"), *rest_of(die(4, 100.0), die(6, 300.0, is_black=True))
)


def _part(state: str) -> PartChanged:
    return PartChanged(state, "Autumn cup", 12, 24, 48, "https://cup.example.org/result")


ROUND = PlayersSeated("Autumn cup", 12, 48, "choice", (), SIX[:2])
ROUND_OVER = finished_table(*SIX[:2])
DEALS = play(table("Hall", game="dice"), DealingChanged(True), _part("deals"))

STATES: dict[str, Callable[[], TableState]] = {
    "new": TableState,
    "lobby": lambda: lobby_of(*SIX[:2]),
    "parked": lambda: play(rolled_table("13446", "Ada", "Ben"), GameLeft()),
    "waiting": lambda: table(*SIX[:3]),
    "waiting, black-n-white": lambda: table(*SIX[:3], game="black-n-white"),
    "waiting, wuerfelspiel": lambda: table(*SIX[:3], game="wuerfelspiel"),
    "choice": lambda: rolled_table("13446", *SIX),
    "choice, second player": lambda: play(rolled_table("13446", "Ada", "Ben"), CONFIRM),
    "jokers": lambda: play(table(*SIX[:4], options={"jokers": True}), *throw_of("13446")),
    "wuerfelspiel": lambda: play(table(*SIX[:3], game="wuerfelspiel"), *throw_of("44524")),
    "black-n-white": lambda: BLACK_N_WHITE,
    "black-n-white, tens": lambda: play(BLACK_N_WHITE, CONFIRM),
    "doubt": lambda: play(table(), *doubtful_throw("1344")),
    "paused": lambda: play(rolled_table("13446"), PauseRequested()),
    "covered": lambda: play(
        rolled_table("13446"), DeviceLost("camera", "something is wrong", "fix it", "blocked")
    ),
    "review": lambda: play(rolled_table("13446", "Ada", "Ben"), ReviewRequested()),
    "game over": lambda: finished_table("Ada", "Ben"),
    "event before": lambda: play(TableState(), _part("before")),
    "event over": lambda: play(TableState(), _part("over")),
    "event seated": lambda: play(TableState(), ROUND, _part("seated")),
    "event round": lambda: play(TableState(), ROUND, _part("seated"), CONFIRM),
    "event round over": lambda: play(ROUND_OVER, ROUND, _part("played")),
    "event deals": lambda: DEALS,
    "event deals, rolled": lambda: play(DEALS, *throw_of("13446")),
    "event deals, over": lambda: play(DEALS, DealingChanged(False), _part("dealt")),
    "event draws": lambda: play(DEALS, _part("draws"), *throw_of("13446")),
}
KNOWN = (
    *SIX,
    "Autumn cup",
    "Hall",
    "dicebell",
    "A die leans against the wall.",
    "English",
    "Deutsch",
    "mm",
)
"""What a page shows beside its texts: names, the camera's own words, a unit."""
DIALOGS = {"help-open": "help", "leave": "leave-dialog", "phones-open": "phones"}

LARGE = (1920, 1080)
KIOSKS = {
    "7 inch": ((800, 480), (800, 480)),
    "10 inch": (BOX_SCREEN, BOX_SCREEN),
    "window": (BOX_SCREEN, LARGE),
    "large": (LARGE, LARGE),
    "upright": (UPRIGHT, UPRIGHT),
    "sideways": (SIDEWAYS, SIDEWAYS),
}
SIZES = ((800, 480), BOX_SCREEN, LARGE, UPRIGHT, SIDEWAYS)


@pytest.fixture(scope="module")
def long_texts() -> Catalogue:
    return make_long_catalogue()


@pytest.fixture
def shown(chromium: Chromium, tmp_path: Path, long_texts: Catalogue) -> Iterator[PhoneTable]:
    with ExitStack() as closing:
        yield PhoneTable(TableState(), tmp_path, chromium, closing, {"en": long_texts})


def _show(page: Page, at: PhoneTable, state: TableState, long_texts: Catalogue) -> None:
    at.table.put(state)
    headline = long_texts.translate(at.table.snapshot()["headline"])
    expect(page.locator("#headline")).to_have_text(headline)
    wait_for_layout(page)


def test_words_grow_and_values_stay() -> None:
    assert lengthen("Start the game, {player}") == "Staaart thee gaame, {player}"


@pytest.mark.parametrize("screen", first_quick(*KIOSKS))
def test_kiosk_cuts_no_text_off(shown: PhoneTable, long_texts: Catalogue, screen: str) -> None:
    size, screen_size = KIOSKS[screen]
    page = shown.open(
        shown.server.url, size, screen={"width": screen_size[0], "height": screen_size[1]}
    )
    found = []
    for name, make in STATES.items():
        _show(page, shown, make(), long_texts)
        found += [f"{name}: {text}" for text in find_cut_texts(page)]
        if screen == "large":
            found += [f"{name}: {text}" for text in find_untranslated(page, *KNOWN)]
    _show(page, shown, STATES["jokers"](), long_texts)
    for button, dialog in DIALOGS.items():
        page.locator(f"#{button}").click()
        expect(page.locator(f"#{dialog}")).to_be_visible()
        found += [f"{dialog}: {text}" for text in find_cut_texts(page)]
        page.evaluate("dialog => document.getElementById(dialog).close()", dialog)
    for name in ("waiting", "waiting, black-n-white", "waiting, wuerfelspiel"):
        _show(page, shown, STATES[name](), long_texts)
        found += [f"example, {name}: {text}" for text in _find_cut_in_example(page)]
    assert not found, "\n".join(found)


def _find_cut_in_example(page: Page) -> Iterator[str]:
    page.locator("#help-open").click()
    page.locator("[data-page=example]").click()
    forward = page.locator("[data-step='1']")
    while True:
        wait_for_layout(page)
        yield from find_cut_texts(page)
        if forward.is_disabled():
            break
        forward.click()
    page.locator("#help-close").click()


@pytest.mark.parametrize("size", first_quick(SIDEWAYS, UPRIGHT))
def test_phone_cuts_no_text_off(shown: PhoneTable, size: tuple[int, int]) -> None:
    page = shown.open(f"{shown.phone_url}join", size)
    expect(page.locator("#stage-code")).to_be_visible()
    found = [f"code: {text}" for text in find_cut_texts(page) + find_barriers(page)]
    shown.table.put(STATES["choice"]())
    page = shown.phone(size=size)
    found += [f"who: {text}" for text in find_cut_texts(page) + find_barriers(page)]
    page.locator("#who-names [data-name='Ada']").tap()
    for name, make in STATES.items():
        shown.table.put(make())
        page.wait_for_function(
            "version => Number(document.body.dataset.version) >= version",
            arg=shown.table.snapshot()["version"],
        )
        wait_for_layout(page)
        found += [f"{name}: {text}" for text in find_cut_texts(page)]
        if size == UPRIGHT:
            found += [f"{name}: {barrier}" for barrier in find_barriers(page)]
            found += [f"{name}: {text}" for text in find_untranslated(page, *KNOWN)]
    page.locator("#menu-open").tap()
    expect(page.locator("#menu .looks")).to_be_visible()
    found += [f"menu: {text}" for text in find_cut_texts(page) + find_barriers(page)]
    assert not found, "\n".join(found)


@pytest.mark.long
def test_the_owners_pages_cut_no_text_off(chromium: Chromium, tmp_path: Path) -> None:
    with DemoProcess(tmp_path, "--seed", "4", program="tests.support.long_program") as demo:
        page = chromium.new_page()
        found = []
        for path in ("login", "calibrate", "service"):
            page.goto(f"{demo.url}{path}")
            if path == "service":
                expect(page.locator("#tabs a")).to_have_count(7)
            tabs = page.locator("#tabs a").all()
            for tab in tabs or [page.locator("h1")]:
                tab.click()
                for width, height in SIZES:
                    page.set_viewport_size({"width": width, "height": height})
                    wait_for_layout(page)
                    name = f"{path} {tab.inner_text()} {width}"
                    found += [f"{name}: {text}" for text in find_cut_texts(page)]
                    if width == BOX_SCREEN[0]:
                        found += [f"{name}: {barrier}" for barrier in find_barriers(page)]
                        found += [f"{name}: {text}" for text in find_untranslated(page, *KNOWN)]
        page.close()
    assert not found, "\n".join(found)
