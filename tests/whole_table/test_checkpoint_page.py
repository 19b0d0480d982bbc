# SPDX-License-Identifier: MIT
"""
A checkpoint as somebody at the kiosk sees it: words at the foot, a code that can be photographed.

A screenshot stands for the photo: what is read off it is what a telephone would read.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from controller.journal.checkpoint import Checkpoint, encode_checkpoint, format_words
from controller.table.events import GameClosed
from controller.table.state import Phase, TableState
from controller.table.view.snapshot import show_checkpoint
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import CONFIRM, finished_table, play, rolled_table, table, throw_of
from tests.whole_table.conftest import OpenPage, box_of, is_inside, screen_of

pytestmark = pytest.mark.browser

SCREENS = [(800, 480), (1280, 800), (1920, 1080)]
ONE = Checkpoint(12_128, bytes(range(32)), 1_700_000_000_000, bytes(range(64)))
TWO = Checkpoint(12_140, bytes(range(1, 33)), 1_700_000_100_000, bytes(range(1, 65)))
SIX = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Bartholomew the Elder")
NEARNESSES = (1.0, 1.5, 2.0, 0.8)
PARTS = ("#header", "#table", "#rail", "#checkpoint")


def signed(state: TableState, checkpoint: Checkpoint = ONE) -> PageTable:
    of = PageTable(state)
    of.show(checkpoint=show_checkpoint(checkpoint))
    return of


def code_on(page: Page) -> str:
    """
    Return what a code in a screenshot says; empty where none can be read.

    A telephone comes as near as it has to, and has more pixels than the screen.
    """
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    assert shot is not None
    for nearness in NEARNESSES:
        near = cv2.resize(shot, None, fx=nearness, fy=nearness, interpolation=cv2.INTER_LINEAR)
        text = cv2.QRCodeDetector().detectAndDecode(near)[0]
        if text:
            return text
    return ""


def wait_for_code(page: Page, selector: str) -> None:
    loaded = f"() => document.querySelector('{selector}').naturalWidth > 0"
    page.wait_for_function(loaded)


def wide_picture() -> bytes:
    return cv2.imencode(".jpg", np.zeros((720, 1280, 3), np.uint8))[1].tobytes()


def boxes(page: Page, *selectors: str) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of what is seen of each."""
    found = []
    for selector in selectors:
        box = box_of(page.locator(selector))
        left, top = box["x"], box["y"]
        found.append((left, top, left + box["width"], top + box["height"]))
    return found


def no_overlap(page: Page, *selectors: str) -> None:
    for name in selectors:
        assert is_inside(box_of(page.locator(name)), screen_of(page), slack_px=0.5), name
    named = list(zip(selectors, boxes(page, *selectors), strict=True))
    for (one, a), (other, b) in itertools.combinations(named, 2):
        is_apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
        assert is_apart, f"{one} {a} lies on {other} {b}"


@pytest.mark.parametrize("size", first_quick(*SCREENS))
def test_during_play_the_words_cover_nothing_and_open_the_code(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    of = signed(play(rolled_table("13446", *SIX), CONFIRM))
    page = open_page(of, size=size)
    words, board = page.locator("#checkpoint-words"), page.locator("#checkpoint-board")
    expect(words).to_have_text(format_words(ONE.size, ONE.root))
    no_overlap(page, *PARTS)
    no_overlap(page, "#tray-frame", "#dice", "#choices", "#sheets", "#buttons", "#checkpoint")
    (line,) = boxes(page, "#checkpoint")
    assert line[3] - line[1] < 0.05 * size[1], "no more than a line"
    assert words.evaluate("node => node.scrollWidth <= node.parentElement.clientWidth")
    assert code_on(page) == "", "no code while people play"

    page.locator("#checkpoint").click()
    wait_for_code(page, "#board-code")
    assert code_on(page) == encode_checkpoint(ONE)
    expect(page.locator("#board-words")).to_have_text(format_words(ONE.size, ONE.root))
    no_overlap(page, "#checkpoint-board")
    no_overlap(page, "#board-code", "#board-words")
    (code,) = boxes(page, "#board-code")
    assert code[2] - code[0] > 0.55 * size[1]
    board.click()
    expect(board).to_be_hidden()
    for key in ("Enter", "Backspace"):
        page.locator("#checkpoint").click()
        expect(board).to_be_visible()
        page.keyboard.press(key)
        expect(board).to_be_hidden()
    assert of.sent == [], "a key that closes the code does nothing else"

    page.locator("#checkpoint").click()
    expect(board).to_be_visible()
    of.show(phase="rolling")
    expect(board).to_be_hidden()
    of.put(play(table("Ada", game="wuerfelspiel"), *throw_of("13446")))
    expect(page.locator("#checkpoint")).to_be_hidden()


@pytest.mark.parametrize("size", first_quick(*SCREENS))
def test_the_result_keeps_the_newest_proof_behind_a_button(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    of = PageTable(finished_table(*SIX))
    page = open_page(of, size=size)
    for selector in ("#checkpoint", "#seal", "#checkpoint-board"):
        expect(page.locator(selector)).to_be_hidden()
    of.show(checkpoint=show_checkpoint(ONE))
    expect(page.locator("#proof-open")).to_be_visible()
    no_overlap(page, "#outcome", "#ranking", "#proof-open", "#finale", "#buttons", "#checkpoint")
    expect(page.locator("#seal")).to_be_hidden()
    page.locator("#proof-open").click()
    wait_for_code(page, "#board-code")
    assert code_on(page) == encode_checkpoint(ONE)
    with page.expect_response(lambda answer: f"size={TWO.size}" in answer.url):
        of.show(checkpoint=show_checkpoint(TWO))
    expect(page.locator("#checkpoint-words")).to_have_text(format_words(TWO.size, TWO.root))
    page.wait_for_function("() => document.querySelector('#board-code').complete")
    assert code_on(page) == encode_checkpoint(TWO)


@pytest.mark.parametrize(
    "seated", first_quick((SIX, SCREENS[2]), (SIX[:1], SCREENS[2]), (SIX[:2], SCREENS[1]))
)
def test_before_a_throw_the_code_fills_the_room_that_is_left(
    open_page: OpenPage, seated: tuple[tuple[str, ...], tuple[int, int]]
) -> None:
    names, size = seated
    of = signed(play(rolled_table("13446", *names), *[CONFIRM] * len(names)))
    assert of.state.phase is Phase.AWAITING_ROLL
    of.frames.shown = (1, wide_picture())
    page = open_page(of, size=size)
    expect(page.locator("#seal-code")).to_be_visible()
    wait_for_code(page, "#seal-code")
    no_overlap(page, *PARTS)
    no_overlap(page, "#tray-frame", "#dice", "#seal", "#sheets", "#buttons", "#checkpoint")
    assert code_on(page) == encode_checkpoint(ONE)
    of.show(phase="rolling")
    expect(page.locator("#seal")).to_be_hidden()


def test_a_code_too_small_for_a_telephone_is_not_shown(open_page: OpenPage) -> None:
    of = signed(play(rolled_table("13446", "Ada"), CONFIRM))
    page = open_page(of, size=SCREENS[0])
    expect(page.locator("#checkpoint-words")).to_be_visible()
    expect(page.locator("#seal-code")).to_be_hidden()


@pytest.mark.parametrize("size", first_quick((390, 844), *SCREENS))
def test_the_code_stays_reachable_after_leaving_the_game(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(signed(play(finished_table("Ada", "Ben"), GameClosed())), size=size)
    expect(page.locator("#lobby")).to_be_visible()
    no_overlap(page, "#checkpoint-words", ".show-code")
    page.get_by_text("Code for a photo").click()
    wait_for_code(page, "#board-code")
    assert code_on(page) == encode_checkpoint(ONE)
