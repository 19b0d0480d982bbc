# SPDX-License-Identifier: MIT
"""Nothing on the kiosk jumps, sticks out or covers what one must look at, in a real browser."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain, combinations, product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from controller.base.languages.catalogue import load_catalogues
from controller.table.choosing import list_choices
from controller.table.events import (
    ActionRequested,
    DieTapped,
    GameCounted,
    PauseRequested,
    UndoRequested,
)
from controller.table.state import Phase, TableState
from tests.support.page_table import PageTable
from tests.support.phone_table import PhoneTable
from tests.support.quick import first_quick
from tests.support.table import (
    die,
    doubtful_throw,
    lobby_of,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)
from tests.whole_table.conftest import Chromium, OpenPage, box_of, is_inside, wait_for_layout

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize(
    "size", first_quick((800, 480), (1280, 800)), ids=["small", "large"]
)
WHITE_AND_BLACK = (die(4, 100.0), die(5, 300.0, is_black=True))
FOUR = ("Ada", "Ben", "Cleo", "Bartholomew the Elder")


@SIZES
def test_a_long_hint_moves_nothing_below_it(open_page: OpenPage, size: tuple[int, int]) -> None:
    shown = PageTable(table(*FOUR))
    page = open_page(shown, size=size)
    waiting = box_of(page.locator("#table"))
    rolled = rolled_table("13446", *FOUR)
    for state in (
        rolled,
        play(rolled, ActionRequested("Ada", "4+10/4"), ActionRequested("Ben", "4+10/4")),
        play(table(*FOUR, game="black-n-white"), *rest_of(*WHITE_AND_BLACK)),
    ):
        shown.put(state)
        expect(page.locator("#headline")).to_have_text(shown.snapshot()["headline"])
        assert box_of(page.locator("#table")) == waiting, shown.snapshot()["hint"]


@SIZES
def test_who_enters_what_lies_in_the_tray_sees_the_tray(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(PageTable(play(table(), *doubtful_throw("1344"))), size=size)
    page.locator("#enter-by-hand").click()
    dialog, tray = page.locator("#by-hand"), box_of(page.locator("#tray-frame"))
    assert box_of(dialog)["x"] >= tray["x"] + tray["width"]
    page.locator("[data-pad='5']").click()
    page.locator("#hand-next").click()
    inside = box_of(dialog)
    assert inside["x"] >= tray["x"] + tray["width"]
    for field in dialog.locator("select, input, button").filter(visible=True).all():
        box = box_of(field)
        assert box["x"] + box["width"] <= inside["x"] + inside["width"]


def test_a_turned_screen_gets_the_other_layout(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446", *FOUR)), size=(800, 480), screen=(800, 480))
    body, header, buttons = (page.locator(at) for at in ("body", "#header", "#buttons"))
    expect(body).to_have_attribute("data-size", "big")
    page.set_viewport_size({"width": 480, "height": 800})
    expect(body).to_have_attribute("data-size", "normal")
    cut = header.evaluate("node => node.scrollHeight - node.clientHeight")
    assert cut <= 0, "the header is seen whole"
    expect(buttons).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 800, "height": 480})
    expect(body).to_have_attribute("data-size", "big")
    expect(buttons).to_be_in_viewport(ratio=1)


@SIZES
def test_long_words_fit_their_button_and_a_reader_knows_each(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    shown = PageTable(play(table(*FOUR, game="black-n-white"), *rest_of(*WHITE_AND_BLACK)))
    page = open_page(shown, size=size)
    page.locator("#dice [data-die='0']").click()
    confirm = page.locator("#button-confirm")
    expect(confirm).to_contain_text("throw")
    words, inside = box_of(confirm.locator("span")), box_of(confirm)
    assert words["y"] > inside["y"] + 4
    assert words["y"] + words["height"] < inside["y"] + inside["height"] - 4
    for name in (
        "left: previous",
        "confirm: throw white again",
        "back: clear dice",
        "white 4, is thrown again",
        "black 5, stays",
    ):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    for button in page.get_by_role("button").filter(visible=True).all():
        name = button.get_attribute("aria-label") or button.inner_text()
        assert any(sign.isalpha() for sign in name), name


LOW = pytest.mark.parametrize("size", first_quick((844, 390), (800, 480), (1280, 800)))


@LOW
def test_a_shared_win_that_ended_early_covers_no_button(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    state = play(rolled_table("13446", *FOUR[:3]), PauseRequested(), GameCounted())
    page = open_page(PageTable(state), size=size)
    expect(page.locator("#outcome")).to_contain_text("It was ended early.")
    for shown in page.locator("#ranking li, #result .row button").filter(visible=True).all():
        assert is_inside(box_of(shown), box_of(page.locator("#table")))


def test_a_game_of_one_roll_shows_that_roll(open_page: OpenPage) -> None:
    rolled = play(table("Ada", "Ben", game="wuerfelspiel"), *throw_of("44524"))
    chosen = play(rolled, ActionRequested("Ada", "chance*3"))
    page = open_page(PageTable(play(chosen, PauseRequested(), GameCounted())))
    expect(page.locator("#decisive figcaption")).to_contain_text("Roll 1 decided it")
    assert box_of(page.locator("#decisive .evidence-frame"))["height"] > 200


@LOW
def test_a_plot_without_a_picture_has_the_whole_height(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    throws = [throw_of("13446", spot=spot) for spot in range(6)]
    state = play(table(*FOUR, game="dice"), *chain(*throws), PauseRequested(), GameCounted())
    page = open_page(PageTable(state), size=size, screen=size)
    plot = page.locator("#scores svg")
    expect(plot).to_be_visible()
    expect(page.locator("#decisive")).to_be_hidden()
    wait_for_layout(page)
    figure = box_of(page.locator("#scores"))
    assert figure["height"] >= box_of(page.locator("#result"))["height"] - 1
    assert is_inside(box_of(plot), figure)
    assert box_of(plot)["height"] >= 0.75 * figure["height"]


def test_an_end_without_a_course_shows_the_sheets(open_page: OpenPage) -> None:
    rolled = play(table("Ada", "Ben", game="black-n-white"), *rest_of(*WHITE_AND_BLACK))
    page = open_page(PageTable(play(rolled, PauseRequested(), GameCounted())))
    expect(page.locator("#sheets-open")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#sheets .card").first).to_be_visible()


@LOW
def test_the_options_cover_no_game(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(PageTable(lobby_of("Ada", "Ben")), size=size)
    options = box_of(page.locator("#options"))
    for game in page.locator("#games button").all():
        box, name = box_of(game), box_of(game.locator("b"))
        assert box["y"] + box["height"] <= options["y"] + 1
        assert is_inside(name, box)


WINDOW = (1280, 800, 1920, 1080)
"""A page of that size on a screen of that size."""


@pytest.mark.parametrize(
    "sizes",
    first_quick(WINDOW, *(size * 2 for size in ((844, 390), (800, 480), (390, 844), (480, 800)))),
)
def test_undo_names_the_whole_action_in_german(
    open_page: OpenPage, sizes: tuple[int, int, int, int]
) -> None:
    shown = PageTable(TableState())
    page = open_page(shown, size=sizes[:2], screen=sizes[2:], language="de")
    for name in ("Ida", "Maximiliania", LONG):
        shown.put(play(table(name, "Jo", game="black-n-white"), *rest_of(*WHITE_AND_BLACK)))
        for action in ("throw white", "throw black", "throw both"):
            shown.happen(ActionRequested(name, action))
            expect(page.locator("#undo-what")).to_contain_text(f"{name}: ")
            wait_for_layout(page)
            for text in page.locator("#undo > span, #headline").all():
                assert name == LONG or not is_cut(text)
            for text in page.locator("#undo > span").all():
                assert is_inside(box_of(text), box_of(page.locator("#undo")))
            assert_apart(page)
            shown.happen(UndoRequested())
            expect(page.locator("#undo")).to_be_hidden()


LONG = "M" + 39 * "a"
"""As long as a name may be, without a place to break it."""


def is_cut(text: Locator) -> bool:
    return bool(text.evaluate("node => node.scrollHeight - node.clientHeight > 4"))


def assert_apart(page: Page) -> None:
    """Nothing in the header covers anything else there or leaves it."""
    parts = page.locator("#headline, #hint, #notice, #game, #tools > *").filter(visible=True)
    boxes = [box_of(part) for part in parts.all()]
    assert all(is_inside(box, box_of(page.locator("#header"))) for box in boxes)
    for one, other in combinations(boxes, 2):
        assert (
            one["x"] + one["width"] <= other["x"] + 1
            or other["x"] + other["width"] <= one["x"] + 1
            or one["y"] + one["height"] <= other["y"] + 1
            or other["y"] + other["height"] <= one["y"] + 1
        ), (one, other)


@pytest.mark.parametrize("language", first_quick("de", "en"))
def test_an_upright_screen_has_help_beside_the_headline(
    chromium: Chromium, tmp_path: Path, language: str
) -> None:
    names = ("Maximiliania", "Bartholomeus")
    chosen = ActionRequested(names[0], "throw black")
    rolled = play(table(*names, game="black-n-white"), *rest_of(*WHITE_AND_BLACK), chosen)
    ended = play(table(*names, game="dice"), *throw_of("13446"), PauseRequested(), GameCounted())
    with ExitStack() as closing:
        catalogues = {"en": load_catalogues()[language]}
        shown = PhoneTable(TableState(), tmp_path, chromium, closing, catalogues)
        pages = [shown.open(shown.server.url + path) for path in ("", "watch")]
        for state, page in product((rolled, ended), pages):
            shown.table.put(state)
            expect(page.locator("body")).to_have_attribute("data-phase", state.phase.value)
            wait_for_layout(page)
            assert_apart(page)
            headline, helps = box_of(page.locator("#headline")), box_of(page.locator("#help-open"))
            assert helps["x"] >= headline["x"] + headline["width"] - 1
            for tool in page.locator("#tools > :not(#help-open)").filter(visible=True).all():
                assert box_of(tool)["y"] >= helps["y"] + helps["height"]
        assert shown.complaints == []


ASKED = (
    "Ida will ihn noch einmal sehen. Bestätige, wenn er stimmt. "
    "Die Spielleitung kann ihn berichtigen."
)
"""The longest text of its place."""
SAY_BESIDE_ALL_TOOLS = """(node, text) => {
    for (const shown of document.querySelectorAll("#tools > *")) shown.hidden = false;
    for (const one of document.querySelectorAll("#hint, #notice")) one.hidden = one !== node;
    (node.firstElementChild ?? node).textContent = text;
    dispatchEvent(new Event("resize"));
}"""


@pytest.mark.parametrize("place", ["#hint", "#notice"])
@pytest.mark.parametrize("sizes", first_quick(WINDOW, (800, 480, 800, 480)))
def test_a_long_hint_stays_whole_beside_all_tools(
    open_page: OpenPage, place: str, sizes: tuple[int, int, int, int]
) -> None:
    name = "Maximiliania"
    rolled = play(table(name, "Jo", game="black-n-white"), *rest_of(*WHITE_AND_BLACK))
    shown = PageTable(play(rolled, ActionRequested(name, "throw black")))
    page = open_page(shown, size=sizes[:2], screen=sizes[2:], language="de")
    page.locator(place).evaluate(SAY_BESIDE_ALL_TOOLS, ASKED)
    wait_for_layout(page)
    assert not is_cut(page.locator(place))
    assert not is_cut(page.locator("#headline"))
    assert_apart(page)


@pytest.mark.parametrize("players", [("Ida",), ("Ida", "Jo")], ids=["one", "two"])
@LOW
def test_many_dice_leave_no_line_half_seen(
    open_page: OpenPage, size: tuple[int, int], players: tuple[str, ...]
) -> None:
    throws = [throw_of("111222333444555566", spot=spot) for spot in range(20)]
    state = table(*players, game="dice", options={"dice": 18})
    page = open_page(PageTable(play(state, *chain(*throws))), size=size, screen=size)
    card = page.locator(".card.active .past")
    lines = [box_of(line) for line in card.locator("li").all()]
    seen = [line for line in lines if is_inside(line, box_of(card))]
    assert len(seen) >= 3
    assert all(
        line["x"] >= box_of(card)["x"] + box_of(card)["width"] for line in lines[len(seen) :]
    )
    for shown in page.locator("#tray-panel button").filter(visible=True).all():
        assert is_inside(box_of(shown), box_of(page.locator("#table")))
    for name in page.locator("#course b").filter(visible=True).all():
        assert box_of(name)["width"] > 10


@pytest.mark.parametrize("dice", [8, 11])
def test_rows_of_dice_end_at_the_edge(open_page: OpenPage, dice: int) -> None:
    state = play(table(game="dice", options={"dice": dice}), *throw_of(("123456" * 2)[:dice]))
    page = open_page(PageTable(state), size=(844, 390), screen=(844, 390))
    edge = max(
        box_of(one)["x"] + box_of(one)["width"] for one in page.locator("#dice button").all()
    )
    roll = box_of(page.locator("#dice"))
    assert edge == pytest.approx(roll["x"] + roll["width"], abs=1)
    for shown in page.locator("#tray-panel button").filter(visible=True).all():
        assert is_inside(box_of(shown), box_of(page.locator("#table")))


CHOOSING = {
    "choice": lambda: rolled_table("13446", *FOUR),
    "jokers": lambda: play(table(*FOUR, options={"jokers": True}), *throw_of("13446")),
    "black-n-white": lambda: play(table(*FOUR, game="black-n-white"), *rest_of(*WHITE_AND_BLACK)),
    "wuerfelspiel": lambda: play(table(*FOUR, game="wuerfelspiel"), *throw_of("44524")),
    "dice": lambda: play(table(*FOUR, game="dice"), *throw_of("44524")),
}


@pytest.mark.parametrize("game", first_quick(*CHOOSING))
def test_a_phone_on_its_side_shows_tray_and_choices(open_page: OpenPage, game: str) -> None:
    page = open_page(PageTable(CHOOSING[game]()), size=(844, 390), screen=(844, 390))
    expect(page.locator("#choices button").first).to_be_visible()
    wait_for_layout(page)
    assert box_of(page.locator("#tray-frame"))["width"] > 140
    assert box_of(page.locator(".card.active .paper"))["width"] > 200
    for choice in page.locator("#choices button, #dice-count button").filter(visible=True).all():
        choice.scroll_into_view_if_needed()
        assert is_inside(box_of(choice), box_of(page.locator("#offers")))
    assert is_inside(box_of(page.locator("#offers")), box_of(page.locator("#table")))
    if game == "wuerfelspiel":
        expect(page.locator(".card.active .form")).to_be_visible()


@pytest.mark.parametrize("size", first_quick((844, 390), (800, 480)))
def test_no_line_of_the_last_rolls_is_half_seen(open_page: OpenPage, size: tuple[int, int]) -> None:
    throws = [throw_of("13446", spot=spot) for spot in range(9)]
    state = play(table(*FOUR, game="dice"), *chain(*throws))
    page = open_page(PageTable(state), size=size, screen=size)
    room = box_of(page.locator("#course ol"))
    for line in page.locator("#course li").all():
        box = box_of(line)
        assert is_inside(box, room) or box["x"] >= room["x"] + room["width"] - 1


@LOW
def test_no_letter_of_a_hint_of_one_line_is_cut(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(PageTable(lobby_of("Ada", "Ben")), size=size, screen=size)
    hint = page.locator("#hint")
    expect(hint).to_contain_text("Choose a game")
    assert hint.evaluate("node => node.scrollHeight <= node.clientHeight")


def test_an_upright_lobby_has_room_for_the_names_of_games(open_page: OpenPage) -> None:
    page = open_page(PageTable(lobby_of("Ada", "Ben")), size=(390, 844), screen=(390, 844))
    wait_for_layout(page)
    for name in page.locator("#games b").all():
        assert float(name.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")) >= 14


def test_the_key_of_a_plot_leaves_every_name_room(open_page: OpenPage) -> None:
    names = ("Maximilianus", "Bartholomeus", "Wilhelminaki", "Kunigundchen")
    throws = [throw_of("13446", spot=spot) for spot in range(6)]
    state = play(table(*names, game="dice"), *chain(*throws), PauseRequested(), GameCounted())
    page = open_page(PageTable(state), screen=(1280, 800))
    title = box_of(page.locator("#scores figcaption"))
    expect(page.locator("#scores .key")).to_have_count(4)
    keys = [box_of(key) for key in page.locator("#scores .key").all()]
    assert [key.text_content() for key in page.locator("#scores .key").all()] == [*names]
    highest = box_of(page.locator("#scores .tick text").last)
    for one, other in combinations(keys, 2):
        is_beside = other["x"] >= one["x"] + one["width"] + 6
        assert is_beside or other["y"] >= one["y"] + one["height"] - 6
    for key in keys:
        assert key["y"] >= title["y"] + title["height"] - 4
        assert key["y"] + key["height"] <= highest["y"] + highest["height"] / 2


def test_words_on_dice_stand_beside_each_other(open_page: OpenPage) -> None:
    """On the side of a phone the dice are narrow."""
    tapped = play(table(game="wuerfelspiel"), *throw_of("44524"), DieTapped(2))
    page = open_page(PageTable(tapped), size=(844, 390), screen=(844, 390), language="de")
    dice = page.locator("#dice button")
    expect(dice).to_have_count(5)
    wait_for_layout(page)
    spare = "node => node.offsetWidth - parseFloat(getComputedStyle(node, '::after').width)"
    widths = dice.evaluate_all(f"nodes => nodes.map({spare})")
    assert min(widths) >= 0, widths


def test_the_result_of_a_round_covers_no_upright_button(open_page: OpenPage) -> None:
    state = table("Ada", "Ben", game="black-n-white")
    for white, black in ((2, 6), (3, 5)):
        dice = (die(white, 100.0, 100.0 * white), die(black, 300.0, 100.0 * white, is_black=True))
        state = play(state, *rest_of(*dice))
        while state.phase is Phase.CHOOSING:
            stop = list_choices(state)[0].action
            state = play(state, ActionRequested(state.chooser or "", stop))
    page = open_page(PageTable(state), size=(390, 844), screen=(390, 844))
    expect(page.locator("#round-result")).to_be_visible()
    wait_for_layout(page)
    result, rail = (box_of(page.locator(at)) for at in ("#round-result", "#rail"))
    assert result["y"] + result["height"] <= rail["y"]
    expect(page.locator("#course")).to_be_hidden()
