# SPDX-License-Identifier: MIT
"""
Every game played to its end at the kiosk by a real browser, and a turn on a small screen.

Dice are thrown, taken and turned in the picture of the simulated tray; choices are made
with the keys of the four buttons; what happened is read off the page. Of a long game the
table played most before the browser came.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.table.events import GameStarted
from tests.support.begun_game import Choose, begin_game
from tests.support.demo_process import DemoProcess
from tests.support.page_player import PagePlayer
from tests.whole_table.conftest import Chromium, box_of, is_inside, screen_of

pytestmark = pytest.mark.browser

LARGE, SMALL = (1280, 800), (800, 480)
STEPS_MOST = 400


def a_pair(actions: list[str]) -> str:
    return next(action for action in actions if "/" in action and ":" not in action)


def a_cell(actions: list[str]) -> str:
    return next(action for action in actions if "*" in action)


def a_stop(actions: list[str]) -> str:
    return "stop" if "stop" in actions else actions[0]


@dataclass(frozen=True)
class Evening:
    """A game at a table, and the rolls of it that were played before; how, `choose` says."""

    start: GameStarted
    rolls: tuple[str, ...] = ()
    choose: Choose = a_stop


CHANCE = random.Random(5)
CHOICE = Evening(GameStarted("choice", ("Ada", "Ben"), {"jokers": True}))
NEARLY_CHOICE = Evening(CHOICE.start, ("11111",) * 6, a_pair)
BLACK_N_WHITE = Evening(
    GameStarted("black-n-white", ("Ada", "Ben", "Cleo"), {"chips_per_player": 1})
)
NEARLY_BLACK_N_WHITE = Evening(BLACK_N_WHITE.start, ("w1 b2", "w4 b6", "w5 b6") * 2, a_stop)
WUERFELSPIEL = Evening(GameStarted("wuerfelspiel", ("Ida",), {}))
NEARLY_WUERFELSPIEL = Evening(
    WUERFELSPIEL.start,
    tuple("".join(map(str, CHANCE.choices(range(1, 7), k=5))) for _ in range(36)),
    a_cell,
)


@pytest.fixture
def player(
    chromium: Chromium, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[PagePlayer]:
    size, evening = request.param
    begin_game(tmp_path, evening.start, evening.rolls, evening.choose)
    with DemoProcess(tmp_path, "--seed", "23") as demo:
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(demo.url)
        expect(page.locator("body")).to_have_attribute("data-phase", "awaiting roll")
        yield PagePlayer(page)
        page.close()
        assert complaints == []
        assert demo.stop() == 0, demo.output


def at(size: tuple[int, int], evening: Evening) -> pytest.MarkDecorator:
    game = evening.start.game
    return pytest.mark.parametrize("player", [(size, evening)], indirect=True, ids=[game])


def play_to_the_end(player: PagePlayer, choose: Callable[[PagePlayer], None]) -> None:
    for _ in range(STEPS_MOST):
        if player.phase == "game over":
            break
        if player.phase == "choosing":
            choose(player)
        else:
            player.throw()
    expect(player.page.locator("#headline")).to_have_text("The game is over")
    expect(player.page.locator("#outcome")).not_to_be_empty()


def no_overflow(page: Page) -> None:
    screen = screen_of(page)
    scrolls = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(scrolls) == [screen["width"], screen["height"]]
    for selector in ("#headline", "#sheets", "#button-confirm"):
        assert is_inside(box_of(page.locator(selector)), screen), selector


def fifth_die_first(player: PagePlayer) -> None:
    """Choose two pairs that leave the face that is farthest in the table, so that it ends."""
    name = player.headline.split()[0]
    rows = player.page.locator(f"[data-player='{name}'] [data-fifth]")
    marks = dict(rows.evaluate_all("all => all.map(x => [x.dataset.fifth, +x.dataset.marks])"))
    pairs = [action for action in player.actions() if "/" in action and ":" not in action]
    player.choose(max(pairs, key=lambda action: marks.get(action[-1], 0)))


def use_all_jokers(player: PagePlayer) -> None:
    """Ada uses every joker on her first roll; Ben's dice stay as they were thrown."""
    page = player.page
    ben = player.faces()
    old = ben[0]
    new = old % 6 + 1
    player.choose(f"corrector {old}>{new}")
    expect(page.locator("#headline")).to_have_text(f"Ada: turn the {old} to {new}")
    player.turn(0, 1)
    expect(page.locator("#headline")).to_have_text("Ada chooses")
    assert sorted(player.faces()) == sorted([*ben[1:], new])
    player.choose("terminator")
    assert player.throw() == "choosing"
    expect(page.locator("#headline")).to_have_text("Ada chooses")
    expect(page.locator("[data-player=Ada] [data-joker=corrector]")).to_have_attribute(
        "data-state", "used"
    )
    triples = [action for action in player.actions() if action.startswith("3:1 ")]
    # Where the new dice offer no triple that a sheet has, pairs are marked.
    player.choose(triples[0] if triples else player.actions()[0])
    expect(page.locator("#headline")).to_have_text("Ben chooses")
    assert sorted(player.faces()) == sorted(ben)


@pytest.mark.long
@at(LARGE, NEARLY_CHOICE)
def test_choice_with_jokers(player: PagePlayer) -> None:
    assert player.throw() == "choosing"
    use_all_jokers(player)
    play_to_the_end(player, fifth_die_first)
    assert player.sheet_total("Ben") % 10 == 0


def stop_at_once(player: PagePlayer) -> None:
    player.choose(a_stop(player.actions()))


@pytest.mark.long
@at(LARGE, NEARLY_BLACK_N_WHITE)
def test_black_n_white(player: PagePlayer) -> None:
    page = player.page
    expect(page.locator("#board")).to_have_attribute("data-chips", "1")
    assert player.throw() == "choosing"
    white = player.faces()[0]
    assert player.take(1) == "in hand"
    expect(page.locator("#headline")).to_have_text(f"Ada keeps white {white}")
    assert player.throw() == "choosing"
    assert player.faces()[0] == white
    play_to_the_end(player, stop_at_once)
    held = page.locator("[data-player] [data-chips]")
    chips = held.evaluate_all("all => all.map(x => +x.dataset.chips)")
    assert sum(1 for count in chips if count) == 1, "one player is left with chips"
    expect(page.locator("#outcome")).to_contain_text("lost")


def write_the_best(player: PagePlayer) -> None:
    """Write the roll where it counts most, or a zero where no cell counts anything."""
    player.choose(a_cell(player.actions()))


@pytest.mark.long
@at(LARGE, NEARLY_WUERFELSPIEL)
def test_wuerfelspiel(player: PagePlayer) -> None:
    page = player.page
    assert player.throw() == "choosing"
    kept = sorted(player.faces()[2:])
    assert player.take(0, 1) == "in hand"
    expect(page.locator("#headline")).to_have_text(f"Ida keeps {' '.join(map(str, kept))}")
    assert player.throw() == "choosing"
    held = sorted(player.faces()[1:])
    player.choose(f"hold {''.join(map(str, held))}")
    assert player.phase == "awaiting roll"
    assert player.take(0) == "awaiting roll"
    assert player.throw() == "choosing"
    write_the_best(player)
    player.take_back()
    assert player.phase == "choosing"
    play_to_the_end(player, write_the_best)
    cells = page.locator("[data-cell]")
    written = dict(cells.evaluate_all("all => all.map(x => [x.dataset.cell, +x.dataset.points])"))
    assert len(written) == 39
    assert player.sheet_total("Ida") >= sum(
        int(cell[-1]) * points for cell, points in written.items()
    )


@at(SMALL, WUERFELSPIEL)
def test_a_turn_of_wuerfelspiel_on_a_small_screen(player: PagePlayer) -> None:
    assert player.throw() == "choosing"
    no_overflow(player.page)
    player.take(0)
    no_overflow(player.page)
    assert player.throw() == "choosing"
    write_the_best(player)
    expect(player.page.locator("#headline")).to_have_text("Ida: throw the dice")
