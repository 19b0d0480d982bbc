# SPDX-License-Identifier: MIT
"""The idle screen plays itself until somebody comes; the guide leads to a first roll."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.appliance.welcome.parts import WelcomeParts, create_welcome
from controller.base.settings import DataSettings, Settings
from controller.table.events import DiceRead, GameLeft, MotionStarted, MotionStopped, ScreenIdled
from controller.table.state import Lobby, TableState
from hardware.clock import SteppedClock
from tests.support.axe import find_barriers
from tests.support.page_table import PageTable
from tests.support.table import dice_of, doubtful_throw, play, rolled_table, throw_of
from tests.vision.drawn import draw_tray
from tests.whole_table.conftest import OpenPage, box_of, wait_for_layout
from vision.image_files import encode_jpeg

pytestmark = pytest.mark.browser

TRAY = encode_jpeg(draw_tray(()), quality=90)
EVENING, MIDNIGHT, MORNING = (
    f"2026-11-23T{time}" for time in ("19:41:00", "23:59:59.900", "07:00:00")
)
PLAY_FAST = """() => {
    window.delays = [];
    const wait = setTimeout;
    window.setTimeout = (call, ms, ...rest) => {
        const isStep = [3000, 4500].includes(ms);
        if (isStep) delays.push(ms);
        return wait(call, isStep ? 100 : ms, ...rest);
    };
}"""
OVER = "#guide-steps [data-state=over]"


def _welcome(folder: Path, *, is_calibrated: bool = True) -> WelcomeParts:
    settings = Settings(data=DataSettings(folder))
    return create_welcome(settings, SteppedClock(), lambda: is_calibrated)


def test_idle_screen_plays_itself_until_a_press(open_page: OpenPage, tmp_path: Path) -> None:
    live = PageTable(TableState())
    page = open_page(live, welcome=_welcome(tmp_path))
    idle, scene, clock = (page.locator(at) for at in ("#idle", "#idle .scene", "#idle-clock"))
    page.clock.set_fixed_time(EVENING)
    page.evaluate(PLAY_FAST)
    live.happen(ScreenIdled())
    expect(page.locator("#idle-text li")).not_to_have_count(0)
    expect(page.locator("#idle-title")).to_contain_text("Demonstration: ")
    expect(clock).to_have_text("19:41")
    expect(page.locator("#idle-begin")).to_be_visible()
    wait_for_layout(page)
    assert find_barriers(page) == []
    assert page.evaluate("delays") == [], "with less motion it is a still picture"

    with page.expect_response("**/command"):
        page.keyboard.press("Enter")
    expect(idle).to_be_hidden()
    expect(page.locator("#lobby")).to_be_visible()
    assert live.state == TableState()
    page.emulate_media(reduced_motion="no-preference")
    page.clock.set_fixed_time(MIDNIGHT)
    live.happen(ScreenIdled())
    expect(clock).to_have_text("23:59")
    expect(scene).to_have_css("opacity", "0.3")
    expect(page.locator("#idle-text")).not_to_be_empty()
    assert 3000 in page.evaluate("delays")
    place, thrown = idle.get_attribute("style"), page.locator("#idle-dice").inner_html()
    expect(page.locator("#idle-dice")).not_to_have_js_property("innerHTML", thrown)
    expect(idle).not_to_have_attribute("style", place or "")
    page.clock.set_fixed_time(MORNING)
    expect(clock).to_have_text("07:00")
    expect(scene).to_have_css("opacity", "1")
    # A tap wakes the screen and hits nothing that lies below.
    box = box_of(page.locator("#start"))
    with page.expect_response("**/command"):
        page.mouse.click(box["x"] + 5, box["y"] + 5)
    expect(idle).to_be_hidden()
    assert live.state == TableState()

    live.happen(ScreenIdled())
    expect(idle).to_be_visible()
    live.happen(MotionStarted())
    expect(idle).to_be_hidden()


def test_guide_follows_the_first_roll(open_page: OpenPage, tmp_path: Path) -> None:
    live, welcome = PageTable(TableState()), _welcome(tmp_path, is_calibrated=False)
    page = open_page(live, welcome=welcome)
    guide, text, later = (page.locator(f"#guide{part}") for part in ("", "-text", "-next"))
    expect(page.locator("#guide-offer")).to_be_visible()
    wait_for_layout(page)
    assert find_barriers(page) == []
    page.locator("#guide-start").click()
    expect(page.locator("#guide-calibrate")).to_have_attribute("href", "/calibrate")
    expect(page.locator("#guide .main:visible")).to_have_count(1)
    later.click()
    expect(text).to_contain_text("Wait for the picture")
    live.frames.shown = (1, TRAY)
    expect(text).to_contain_text("Lay your dice")
    live.happen(DiceRead(dice_of("146")))
    expect(text).to_contain_text("3 dice are read")
    expect(page.locator("#tray")).to_be_visible()
    wait_for_layout(page)
    assert find_barriers(page) == []
    live.happen(DiceRead(()))
    expect(page.locator("body")).to_have_attribute("data-guide", "throw")
    assert (live.state.play.game_key, len(live.state.play.polarities)) == ("dice", 3)
    live.happen(MotionStarted())
    expect(page.locator("body")).to_have_attribute("data-guide", "read")
    # A doubt has the screen for itself; then the guide goes on.
    live.happen(*doubtful_throw("14")[1:])
    expect(page.locator("#straighten")).to_be_visible()
    expect(guide).to_be_hidden()
    live.happen(MotionStarted(), MotionStopped(), *throw_of("146", spot=2)[2:])
    expect(page.locator("body")).to_have_attribute("data-guide", "confirm")
    expect(page.locator(OVER)).to_have_count(5)
    page.keyboard.press("Enter")
    expect(later).to_have_text("To the games")
    later.click()
    expect(page.locator("#lobby")).to_be_visible()
    expect(page.locator("#guide-offer")).to_be_hidden()
    expect(page.locator("#games [aria-pressed=true]")).to_have_attribute("data-game", "choice")
    expect(page.locator("#seats > *")).to_have_count(1)  # The guide seats nobody for good.

    page.locator("#help-open").click()
    page.locator("#guide-open").click()
    expect(guide).to_be_visible()
    page.locator("#guide-skip").click()
    expect(guide).to_be_hidden()
    expect(page.locator("#lobby")).to_be_visible()


def test_guide_plays_beside_opponents_and_restores_the_lobby(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """Just dice has no opponents: people throw, and the lobby is afterwards as it was."""
    before = Lobby(
        "choice",
        (("jokers", True),),
        ("Pascal", "Ada"),
        grades=(("Pascal", "strong"),),
        has_hints=True,
    )
    waits = play(rolled_table("13446"), GameLeft())
    live = PageTable(replace(waits, lobby=replace(before, has_parked=True)))
    live.frames.shown = (1, TRAY)
    page = open_page(live, welcome=_welcome(tmp_path))
    page.locator("#help-open").click()
    page.locator("#guide-open").click()
    expect(page.locator("#guide-text")).to_contain_text("The guide would end it.")
    page.locator("#guide-next").click()
    live.happen(DiceRead(dice_of("146")))
    expect(page.locator("#guide-text")).to_contain_text("3 dice are read")
    live.happen(DiceRead(()))
    expect(page.locator("body")).to_have_attribute("data-guide", "throw")
    assert live.state.play.position is not None
    assert (live.state.play.game_key, live.state.play.position.players) == ("dice", ("Ada",))
    live.happen(*throw_of("146", spot=2))
    expect(page.locator("body")).to_have_attribute("data-guide", "confirm")
    page.keyboard.press("Enter")
    expect(page.locator("#guide-next")).to_have_text("To the games")
    with page.expect_response(lambda answer: (answer.request.post_data or "").find('"Ada"') > 0):
        page.locator("#guide-next").click()
    expect(page.locator("#lobby")).to_be_visible()
    after = live.state.lobby
    assert (after.game, after.options, after.seats) == (before.game, before.options, before.seats)
    assert (after.grades, after.has_hints) == (before.grades, before.has_hints)
