# SPDX-License-Identifier: MIT
"""
A game is put together in a real browser: with the four buttons, by keyboard, by fingers.

The table behind the page is the real one without a tray: every event goes straight
through the machine, so nothing has to be waited for.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.table.events import GameLeft
from controller.table.state import Lobby, TableState
from tests.support.page_player import DOUBLE_MS
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import finished_table, lobby_of, play, rolled_table
from tests.whole_table.conftest import (
    OpenPage,
    box_of,
    is_inside,
    let_no_time_pass,
    let_time_pass,
    screen_of,
)

pytestmark = pytest.mark.browser

SCREENS = [(800, 480), (1280, 800), (1920, 1080)]
SIX = ("Ada", "Ben", "Cleo", "Dan", "Eva", "x" * 40)


@pytest.fixture
def table() -> PageTable:
    return PageTable(lobby_of("Ada", "Ben"))


def focused(page: Page) -> str:
    return page.locator("[data-line][data-focus]").inner_text()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_four_buttons_alone_put_a_game_together_and_start_it(
    open_page: OpenPage, table: PageTable
) -> None:
    page = open_page(table)
    assert focused(page) == "Start the game"
    press(page, *["Backspace"] * 7)
    expect(page.locator("#games")).to_have_attribute("data-focus", "")
    press(page, "ArrowRight")
    expect(page.locator("#games [data-game=black-n-white]")).to_have_attribute(
        "aria-pressed", "true"
    )
    press(page, "Enter", "ArrowRight")
    chips = page.locator("[data-option=chips_per_player][data-value='3']")
    expect(chips).to_have_attribute("aria-pressed", "true")
    press(page, *["Enter"] * 4, "ArrowRight", "ArrowRight")
    expect(page.locator("[data-seat='2']")).to_contain_text("Dan")
    press(page, "Enter", "Enter", "Enter")
    expect(page.locator("body")).not_to_have_attribute("data-phase", "lobby")
    assert table.state.play.position is not None
    assert table.state.play.position.players == ("Ada", "Ben", "Dan")
    assert table.state.play.position.options == {"chips_per_player": 3}


def test_a_typed_name_sits_down_and_one_that_sits_is_refused(
    open_page: OpenPage, table: PageTable
) -> None:
    page, other = open_page(table), open_page(table, size=(800, 480))
    page.locator("[data-seat='0']").focus()
    press(page, "Tab")
    expect(page.locator("[data-seat='1']")).to_be_focused()
    ring = "node => getComputedStyle(node).outlineColor"
    assert page.locator("[data-seat='1']").evaluate(ring) == "rgb(255, 255, 255)"

    page.locator("[data-seat='0']").click()
    page.locator("#new-name").fill("  ")
    press(page, "Enter")
    expect(page.locator("#names")).to_be_hidden()
    assert table.sent == [], "an empty name changes nothing"

    page.keyboard.type("Tinx")
    expect(page.locator("#new-name")).to_have_value("Tinx")
    press(page, "Backspace", "ArrowLeft", "ArrowRight", "a", "Enter")
    expect(page.locator("[data-seat='2']")).to_contain_text("Tina")
    expect(page.locator("#names")).to_be_hidden()
    assert table.state.lobby.seats == ("Ada", "Ben", "Tina")
    assert len(table.sent) == 1, "no key of the name reached the table or the tray"
    press(page, "ArrowRight")
    expect(page.locator("[data-seat='2']")).to_contain_text("Cleo")

    page.locator("#games [data-game=wuerfelspiel]").click()
    # The game has the focus now, so the name is typed at a seat that is tapped.
    expect(page.locator("#games [data-game=wuerfelspiel]")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.locator("[data-seat='2']").click()
    page.keyboard.type("Ben")
    press(page, "Enter")
    expect(page.locator("#notice-text")).to_contain_text("Ben is already at the table")
    expect(page.locator("#new-name")).to_have_value("Ben")
    page.keyboard.type("ny")
    press(page, "Enter")
    for screen in (page, other):
        expect(screen.locator("#games [data-game=wuerfelspiel]")).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(screen.locator("[data-seat='2']")).to_contain_text("Benny")
    assert table.state.lobby.seats == ("Ada", "Ben", "Benny")
    page.reload()
    expect(page.locator("[data-seat='2']")).to_contain_text("Benny")
    expect(page.locator("[data-seat='2']")).to_have_attribute("data-focus", "")


def test_fingers_pick_game_option_and_names_and_begin(
    open_page: OpenPage, table: PageTable
) -> None:
    page = open_page(table, size=(800, 480), has_touch=True)
    page.locator("[data-option=jokers][data-value=true]").tap()
    page.locator("[data-seat='1']").tap()
    page.locator("#known-names").get_by_text("Eva").tap()
    expect(page.locator("[data-seat='1']")).to_contain_text("Eva")
    page.locator("[data-seat='2']").tap()
    page.locator("#new-name").tap()
    for letter in ("Ş", "U", "L", "X", "erase", "E"):
        page.locator(f"[data-letter='{letter}']").tap()
    expect(page.locator("#new-name")).to_have_value("Şule")
    page.locator("[data-letter=done]").tap()
    expect(page.locator("[data-seat='2']")).to_contain_text("Şule")
    page.locator("[data-seat='0']").tap()
    page.locator("#free-seat").tap()
    expect(page.locator("[data-seat='0']")).to_contain_text("Eva")
    page.locator("#start").tap()
    expect(page.locator("body")).not_to_have_attribute("data-phase", "lobby")
    assert table.state.play.position is not None
    assert table.state.play.position.players == ("Eva", "Şule")
    assert table.state.play.position.options == {"jokers": True}


def test_too_few_players_are_told_and_start_is_refused(
    open_page: OpenPage, table: PageTable
) -> None:
    table.put(TableState(lobby=Lobby(game="black-n-white", seats=("Ada",))))
    page = open_page(table)
    problem = "Black'n'White is for 2 to 5 players. Add one more."
    expect(page.locator("#lobby-problem")).to_have_text(problem)
    page.locator("#start").click()
    expect(page.locator("#notice-text")).to_have_text(problem)
    press(page, "Enter")
    assert table.state.play.position is None
    page.locator("[data-seat='1']").click()
    page.locator("#known-names").get_by_text("Ben").click()
    expect(page.locator("#lobby-problem")).to_be_hidden()


@pytest.mark.parametrize("size", first_quick(*SCREENS))
def test_nothing_is_cut_off_and_every_line_fits_a_finger(
    open_page: OpenPage, table: PageTable, size: tuple[int, int]
) -> None:
    width, height = size
    table.put(TableState(lobby=Lobby(game="black-n-white", seats=SIX)))
    page = open_page(table, size=size, has_touch=True)
    expect(page.locator("#lobby-problem")).to_be_visible()
    scrolls = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    lines = "#games [data-game], [data-option][data-value], [data-seat], #start, #lobby-problem"
    assert page.evaluate(scrolls) == [width, height]
    assert_inside(page, lines, lowest_px=34 if height == 480 else 44)
    page.locator("[data-seat='1']").tap()
    page.locator("#new-name").tap()
    assert_inside(page, "[data-letter], #new-name, #take-name, #free-seat", lowest_px=34)


def assert_inside(page: Page, selector: str, *, lowest_px: float) -> None:
    frame = box_of(page.locator("#table"))
    boxes = [box_of(one) for one in page.locator(selector).all()]
    assert len(boxes) > 4
    for box in boxes:
        assert is_inside(box, frame, slack_px=0), box
    tappable = page.locator(f":is({selector}):not(p)").all()
    assert min(box_of(one)["height"] for one in tappable) >= lowest_px


@pytest.mark.parametrize("size", first_quick(*SCREENS))
def test_no_game_that_waits_ends_without_an_answer(
    open_page: OpenPage, table: PageTable, size: tuple[int, int]
) -> None:
    """To continue is first, large and green; to start another game asks which one would end."""
    table.put(play(rolled_table("13446"), GameLeft()))
    page = open_page(table, size=size)
    go_on, start = (box_of(page.locator(at))["height"] for at in ("#continue", "#start"))
    assert go_on >= start
    page.locator("#start").click()
    asked = page.get_by_role("alertdialog", name="End the game that waits?")
    expect(asked).to_contain_text("Choice, Ada and Ben, Roll 1")
    for button in page.locator("#ends button").all():
        assert is_inside(box_of(button), screen_of(page))
    page.locator("#ends-keep").click()
    expect(asked).to_be_hidden()
    assert table.state.parked is not None
    page.locator("#start").click()
    page.locator("#ends-continue").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "choosing")
    table.put(play(table.state, GameLeft()))
    let_no_time_pass(page)
    page.locator("#start").click()
    # A second tap of a double tap answers nothing that nobody has seen.
    page.locator("#ends-start").click()
    expect(page.locator("#toast")).to_contain_text("Too late")
    assert table.state.parked is not None
    let_time_pass(page, DOUBLE_MS + 1)
    page.locator("#ends-start").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "awaiting roll")
    assert table.state.parked is None


def test_an_open_game_is_left_by_two_presses_and_continued(
    open_page: OpenPage, table: PageTable
) -> None:
    page = open_page(table)
    table.put(rolled_table("13446"))
    expect(page.locator("body")).to_have_attribute("data-phase", "choosing")
    page.locator("#leave").click()
    expect(page.locator("#leave-dialog")).to_be_visible()
    page.get_by_role("button", name="Stay").click()
    expect(page.locator("#leave-dialog")).to_be_hidden()
    page.locator("#leave").click()
    page.get_by_role("button", name="Leave the game").click()
    offer = page.locator("#continue")
    expect(offer).to_have_text("Continue: Choice, Ada and Ben, Roll 1")
    expect(offer).to_have_attribute("data-focus", "")
    press(page, "ArrowRight")
    expect(page.locator("#start")).to_have_attribute("data-focus", "")
    offer.click()
    expect(page.locator("body")).to_have_attribute("data-phase", "choosing")
    assert table.state.play.position == rolled_table("13446").play.position
    page.locator("#leave").click()
    page.get_by_role("button", name="Count it as it stands").click()
    expect(page.locator("#outcome")).to_contain_text("It was ended early.")

    table.put(finished_table("Ada", "Ben"))
    expect(page.locator("#headline")).to_have_text("The game is over")
    page.locator("#leave").click()
    expect(page.locator("#lobby")).to_be_visible()
