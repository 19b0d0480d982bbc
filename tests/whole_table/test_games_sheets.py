# SPDX-License-Identifier: MIT
"""
What a real browser shows of every game: its sheet, its dice, its choices, by touch.

The table behind the page is the real one; dice are put before it instead of a camera, so
nothing has to be waited for and every case can be set up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from controller.games import GAMES
from controller.table import events as on
from controller.table.events import Event, TrayDie
from controller.table.state import Phase, TableState
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import COCKED, die, play, rest_of, table, throw_of
from tests.webui.visitors import PIN
from tests.whole_table.conftest import OpenPage, box_of, is_inside, wait_for_layout

pytestmark = pytest.mark.browser

SCREENS = [(800, 480), (1280, 800), (1920, 1080)]
NAMES = ("Ada", "Ben", "Clementine", "Dragoslav", "Eva-Maria", "Finn")
JOKERS = {"jokers": True}


def two_dice(white: int, black: int, *, spot: int = 0) -> tuple[TrayDie, TrayDie]:
    y = 100.0 * spot
    return die(white, 0.0, y), die(black, 100.0, y, is_black=True)


def black_n_white(*results: tuple[int, int]) -> TableState:
    """Return a round of three in which these results were thrown and kept."""
    state = table("Ada", "Ben", "Cleo", game="black-n-white")
    for spot, (white, black) in enumerate(results):
        state = play(state, *rest_of(*two_dice(white, black, spot=spot)))
        if state.phase is Phase.CHOOSING:
            state = play(state, on.ActionRequested(NAMES[0], "stop"))
        if state.phase is Phase.CHOOSING:
            state = play(state, on.ActionRequested(NAMES[0], "tens black"))
    return state


def wuerfelspiel(*players: str) -> TableState:
    return play(table(*players, game="wuerfelspiel"), *throw_of("44524"))


def cell(page: Page, player: str, name: str) -> str:
    return f"[data-player={player}] [data-cell='{name}']"


class TestWuerfelspiel:
    def test_empty_cells_show_points_and_taps_and_arrows_choose(self, open_page: OpenPage) -> None:
        live = PageTable(wuerfelspiel())
        page = open_page(live)
        three = page.locator(cell(page, "Ada", "three*2"))
        expect(page.locator(cell(page, "Ada", "fours*1"))).to_have_text("12")
        expect(page.locator(cell(page, "Ben", "fours*1"))).to_have_text("")
        three.click()
        expect(three).to_have_attribute("data-state", "pending")
        expect(page.locator("#choices [aria-current=true]")).to_have_attribute(
            "data-action", "three*2"
        )
        expect(page.locator("[data-player=Ada] .after")).to_have_text("→ 38")
        page.locator(cell(page, "Ada", "twos*2")).click()
        for key, name in (
            ("ArrowDown", "threes*2"),
            ("ArrowRight", "threes*3"),
            ("ArrowUp", "twos*3"),
            ("ArrowLeft", "twos*2"),
        ):
            page.keyboard.press(key)
            expect(page.locator(cell(page, "Ada", name))).to_have_attribute("data-state", "pending")
        expect(page.locator("#button-left")).to_contain_text("↓")

    def test_written_cells_count_in_columns_that_may_be_short(self, open_page: OpenPage) -> None:
        live = PageTable(play(wuerfelspiel(), on.ActionRequested("Ada", "three*2")))
        live.happen(*throw_of("12346", spot=1), on.ActionRequested("Ben", "five*3"))
        page = open_page(live)
        written = page.locator(cell(page, "Ada", "three*2"))
        expect(written).to_have_attribute("data-points", "19")
        expect(page.locator("[data-player=Ada] [data-column='2']")).to_have_attribute(
            "data-points", "19"
        )
        expect(page.locator("[data-player=Ada] [data-total]")).to_have_text("0 + 38 + 0 = 38")
        struck = page.locator(cell(page, "Ben", "five*3"))
        expect(struck).to_have_attribute("data-points", "0")
        expect(struck).to_have_class("zero")

        live.put(play(wuerfelspiel(*NAMES[:4]), on.ActionRequested("Ada", "chance*3")))
        expect(page.locator("[data-player=Ada] .short-form")).to_be_visible()
        expect(page.locator("[data-player=Ada] .short-form [data-column='3']")).to_have_text("19")
        expect(page.locator("[data-player=Ben] .form")).to_be_visible()

    def test_a_low_screen_names_the_rows_above_their_cells(self, open_page: OpenPage) -> None:
        page = open_page(PageTable(wuerfelspiel(*NAMES)), size=(844, 390), screen=(844, 390))
        chance = page.locator(cell(page, "Ada", "chance*2"))
        label = page.locator("[data-player=Ada] .label", has_text="Chance")
        above, below = box_of(label), box_of(chance)
        assert above["x"] == pytest.approx(below["x"], abs=2)
        assert above["y"] + above["height"] <= below["y"]
        chance.click()
        expect(chance).to_have_attribute("data-state", "pending")
        last = box_of(page.locator("[data-player=Finn]"))
        assert last["y"] + last["height"] <= box_of(page.locator("#rail"))["y"]

    def test_tapped_dice_are_thrown_again_and_the_others_stay(self, open_page: OpenPage) -> None:
        live = PageTable(wuerfelspiel())
        page = open_page(live)
        expect(page.locator("#button-confirm")).to_have_attribute("aria-disabled", "true")
        dice = page.locator("#dice button")
        dice.nth(0).click()
        dice.nth(4).click()
        expect(dice.nth(4)).to_have_attribute("data-group", "thrown")
        words = "all => all.map(x => x.dataset.tag)"
        assert dice.evaluate_all(words) == ["again", "keep", "keep", "keep", "again"]
        expect(page.locator("#button-confirm")).to_contain_text("keep 4 4 4")
        lying = [replace(one, origin=on.KEPT) for one in live.state.dice_on_felt if one.face == 4]
        live.happen(*rest_of(*lying))
        expect(page.locator("#headline")).to_have_text("Ada keeps 4 4 4")
        assert page.locator("#dice .empty").count() == 2
        assert page.locator("#dice [data-group=kept]").count() == 3


class TestChoice:
    def test_a_sheet_that_changes_is_as_one_drawn_anew(self, open_page: OpenPage) -> None:
        live = PageTable(table("Ada"))
        page = open_page(live)
        live.happen(*throw_of("13446"), on.ChoiceTapped(2), on.KeyPressed(on.Key.CONFIRM))
        live.happen(*throw_of("22355", spot=1), on.ChoiceTapped(1), on.ChoiceTapped(3))
        drawings = 'all => all.map(x => x.outerHTML.replace(/ style="[^"]*"/g, \'\'))'
        for event in (on.ChoiceTapped(0), on.UndoRequested(), on.ChoiceTapped(1)):
            live.happen(event)
            expect(page.locator("body")).to_have_attribute(
                "data-version", str(live.snapshot()["version"])
            )
            anew = open_page(live)
            shown, fresh = (
                at.locator("#sheets .sheet").evaluate_all(drawings) for at in (page, anew)
            )
            assert shown == fresh
            anew.close()


class TestBlackNWhite:
    def test_chips_go_from_the_middle_to_whoever_is_lowest(self, open_page: OpenPage) -> None:
        live = PageTable(black_n_white((4, 6), (5, 5)))
        page = open_page(live)
        board = page.locator("#board")
        for name, value in {"phase": "1", "chips": "6", "limit": "1", "tens": "black"}.items():
            expect(board).to_have_attribute(f"data-{name}", value)
        results = page.locator("#sheets [data-result]").evaluate_all(
            "all => all.map(x => x.dataset.result)"
        )
        assert results == ["64", "double 5", ""]
        expect(page.locator("[data-player=Ada] [data-mark=lowest] .mark")).to_have_text("lowest")
        faces = page.locator("[data-player=Ada] [data-die]").evaluate_all(
            "all => all.map(x => `${x.dataset.die} ${x.dataset.face}`)"
        )
        assert faces == ["black 6", "white 4"], "the tens come first"
        live.happen(*rest_of(*two_dice(1, 2, spot=9)))
        expect(board).to_have_attribute("data-chips", "5")
        expect(page.locator("[data-player=Cleo] [data-chips]")).to_have_attribute("data-chips", "1")
        assert page.locator("#middle .chip.gone").count() == 1

    @pytest.mark.parametrize(
        "size", first_quick((1280, 800), (800, 480), (844, 390), (390, 844), (1920, 1080))
    )
    def test_the_rows_of_the_chips_are_even(
        self, open_page: OpenPage, size: tuple[int, int]
    ) -> None:
        live = PageTable(TableState())
        page = open_page(live, size=size, screen=size)
        for count, chips in product((2, 3, 4, 5), (1, 2, 3, 5)):
            options = {"chips_per_player": chips}
            live.put(table(*NAMES[:count], game="black-n-white", options=options))
            expect(page.locator("#middle span")).to_have_count(count * chips)
            wait_for_layout(page)
            tops = [box_of(chip)["y"] for chip in page.locator("#middle span").all()]
            rows = [tops.count(top) for top in {*tops}]
            assert max(rows) - min(rows) <= 1, (count, chips, rows)
            assert is_inside(box_of(page.locator("#middle")), box_of(page.locator("#board")))

    def test_dice_are_entered_by_hand_in_their_colours(self, open_page: OpenPage) -> None:
        live = PageTable(table("Ada", "Ben", game="black-n-white"))
        dice = (die(6, 100.0, is_black=True),)
        live.happen(*rest_of()[:2], on.ReadingDoubtful((COCKED,), dice))
        page = open_page(live)
        page.locator("#enter-by-hand").click()
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        page.keyboard.type(PIN)
        page.locator("#hand-take").click()
        expect(page.locator("[data-phase=choosing]")).to_be_visible()
        assert [event for event in live.sent if isinstance(event, on.FacesEntered)] == [
            on.FacesEntered("w4 b6", "Official")
        ]


class TestJokers:
    def test_the_corrector_by_touch_asks_for_the_die_and_its_face(
        self, open_page: OpenPage
    ) -> None:
        live = PageTable(play(table(), *throw_of("13446")))
        page = open_page(live)
        expect(page.locator("[data-player=Ada] [data-sum='4']")).to_be_visible()
        assert page.locator("[data-joker]").count() == 0, "only with the option"
        live.put(play(table(options=JOKERS), *throw_of("13446")))
        corrector = page.locator("[data-player=Ada] [data-joker=corrector]")
        expect(corrector).to_have_attribute("data-state", "unused")
        listed = page.locator("#choices [data-action]")
        actions = "all => all.map(x => x.dataset.action)"
        corrector.click()
        expect(listed).to_have_count(20)
        assert all(text.startswith("corrector ") for text in listed.evaluate_all(actions))
        page.locator("#dice [data-die='0']").click()
        expect(listed).to_have_count(5)
        page.locator("[data-turn-to='5']").click()
        expect(page.locator("#choices [aria-current=true]")).to_have_attribute(
            "data-action", "corrector 1>5"
        )
        expect(corrector).to_have_attribute("data-state", "pending")
        page.locator("#button-confirm").click()
        expect(corrector).to_have_attribute("data-state", "used")
        expect(page.locator("[data-player=Ben] [data-joker=corrector]")).to_have_attribute(
            "data-state", "unused"
        )

    def test_three_to_one_by_touch_sends_a_die_to_the_other_pair(self, open_page: OpenPage) -> None:
        live = PageTable(play(table(options=JOKERS), *throw_of("13446")))
        page = open_page(live)
        dice = page.locator("#dice [data-die]")
        for index in (0, 2, 1, 3):
            dice.nth(index).click()
        page.locator("[data-player=Ada] [data-joker='3:1']").click()
        triples = page.locator("#choices [data-action^='3:1 ']")
        expect(page.locator("#choices [data-action]").nth(0)).to_have_attribute(
            "data-kind", "three"
        )
        assert triples.count() == page.locator("#choices [data-action]").count()
        dice.nth(0).click()
        expect(page.locator("#choices [aria-current=true]")).to_have_attribute(
            "data-action", "3:1 8+4/6"
        )
        assert dice.evaluate_all("all => all.map(x => x.dataset.group)") == [
            *("a", "a", "b", "a", "fifth")
        ]


class TestJustDice:
    def test_the_number_of_dice_goes_by_minus_and_plus(self, open_page: OpenPage) -> None:
        rolled = play(table("Ada", game="dice", options={"dice": 2}), *throw_of("46"))
        live = PageTable(rolled)
        page = open_page(live, size=(800, 480))
        count = page.locator("#dice-count output")
        fewer, more = (page.locator("#dice-count button").nth(index) for index in (0, 1))
        actions = page.locator("#choices [data-action]")
        assert actions.evaluate_all("all => all.map(x => x.dataset.action)") == ["throw", "end"]
        for button, number in ((more, 3), (more, 4), (fewer, 3), (fewer, 2), (fewer, 1)):
            button.click()
            expect(count).to_have_attribute("data-count", f"{number}")
        expect(fewer).to_be_disabled()
        assert live.state.play.position == rolled.play.position
        page.locator("#button-confirm").click()
        expect(page.locator("#headline")).to_have_text("Throw one die")


class TestHelp:
    def test_keys_and_touch_open_it_and_back_only_closes_it(self, open_page: OpenPage) -> None:
        live = PageTable(wuerfelspiel())
        page = open_page(live, size=(800, 480))
        for key in ("h", "?"):
            page.keyboard.press(key)
            expect(page.locator("#help-title")).to_have_text("Würfelspiel")
            assert page.locator("#help-parts li").count() > 4
            for pressed in ("ArrowRight", "Backspace"):
                page.keyboard.press(pressed)
            expect(page.locator("#help")).to_be_hidden()
        live.put(TableState())
        expect(page.locator("#lobby")).to_be_visible()
        page.locator("#help-open").click()
        expect(page.locator("#help")).to_be_visible()
        page.locator("#help-close").click()
        expect(page.locator("#help")).to_be_hidden()
        assert live.sent == []

    @pytest.mark.parametrize("size", first_quick(*SCREENS), ids=lambda size: f"{size[0]}x{size[1]}")
    def test_the_rules_of_every_game_are_seen_whole(
        self, open_page: OpenPage, size: tuple[int, int]
    ) -> None:
        live = PageTable(table(options=JOKERS))
        page = open_page(live, size=size)
        page.keyboard.press("h")
        for game in GAMES:
            live.put(table(game=game, options=JOKERS if game == "choice" else {}))
            expect(page.locator("#help-title")).to_have_text(GAMES[game].title)
            sizes = (
                "node => [node.scrollHeight, node.scrollWidth, node.clientHeight, node.clientWidth]"
            )
            wait_for_layout(page)
            seen = page.locator("#help-parts").evaluate(sizes)
            assert seen[:2] == seen[2:], game

    @pytest.mark.parametrize("size", first_quick(*SCREENS), ids=lambda size: f"{size[0]}x{size[1]}")
    def test_keys_and_touch_go_through_the_example(
        self, open_page: OpenPage, size: tuple[int, int]
    ) -> None:
        page = open_page(PageTable(table()), size=size)
        example = page.locator("#help-example")
        heading, sheet = example.locator("h3"), example.locator("svg.sheet:not(.small)")
        page.keyboard.press("h")
        expect(example).to_be_hidden()
        for text in ("Roll 1", "Roll 3", "Roll 4: a free roll", "The end"):
            page.keyboard.press("ArrowRight")
            expect(heading).to_have_text(text)
            expect(sheet).to_be_visible()
        expect(example.locator(".total")).to_have_text("400")
        page.locator("#help-steps [data-step='-1']").click()
        expect(heading).to_have_text("Roll 4: a free roll")
        expect(sheet.locator("[data-sum='9']")).to_have_attribute("data-pending", "1")
        page.locator("#help-pages [data-page=rules]").click()
        expect(page.locator("#help-parts")).to_be_visible()
        page.locator("#help-close").click()
        expect(page.locator("#help")).to_be_hidden()

    def test_just_dice_has_no_example(self, open_page: OpenPage) -> None:
        page = open_page(PageTable(table(game="dice")))
        page.keyboard.press("h")
        expect(page.locator("#help-parts")).to_be_visible()
        expect(page.locator("#help-pages")).to_be_hidden()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#help-parts")).to_be_visible()


def choosing_tables(count: int) -> Mapping[str, tuple[TableState, tuple[Event, ...]]]:
    names = NAMES[:count]
    games: dict[str, tuple[TableState, tuple[Event, ...]]] = {
        "choice": (table(*names), throw_of("13446")),
        "jokers": (table(*names, options=JOKERS), throw_of("13446")),
        "wuerfelspiel": (table(*names, game="wuerfelspiel"), throw_of("44524")),
    }
    if 2 <= count <= 5:
        chips = {"chips_per_player": 5}
        games["black-n-white"] = (
            table(*names, game="black-n-white", options=chips),
            rest_of(*two_dice(4, 6)),
        )
    return games


OUTSIDE = """() => [...document.querySelectorAll("#table *, #header *, #rail *")].filter((node) => {
  const box = node.getBoundingClientRect();
  const isSeen = box.width > 0 && node.closest("#choices, svg, [hidden]") === null;
  return isSeen && (box.left < -1 || box.top < -1
    || box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
}).map((node) => node.outerHTML.slice(0, 80))"""

CUT = """() => [...document.querySelectorAll(
    "#sheets .form *, #board p, #choices em, .jokers span, .seat p, #headline")]
  .filter((node) => node.children.length === 0 && node.clientWidth > 0
    && (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 3))
  .map((node) => node.textContent)"""


@pytest.mark.parametrize("size", first_quick(*SCREENS), ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut_off_with_any_number_of_players(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    live = PageTable(TableState())
    page = open_page(live, size=size)
    for count in range(1, len(NAMES) + 1):
        for name, (before, roll) in choosing_tables(count).items():
            live.put(before)
            expect(page.locator("body")).to_have_attribute("data-phase", "awaiting roll")
            live.happen(*roll)
            expect(page.locator("#choices [data-choice]").first).to_be_visible()
            wait_for_layout(page)
            assert page.evaluate(OUTSIDE) == [], (name, count)
            assert page.evaluate(CUT) == [], (name, count)
