# SPDX-License-Identifier: MIT
"""
An owner calibrates a table at its page, in a real browser, and the table goes by it.

The whole demo runs: the corner cards are laid on the simulated felt, found in the pixels
of its camera, and what is saved is what the next throw is read by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.runtime.calibration.store import load_calibration
from tests.support.axe import find_barriers
from tests.support.demo_process import DemoProcess
from tests.whole_table.conftest import box_of, eventually

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def demo(data: Path) -> Iterator[DemoProcess]:
    with DemoProcess(data, "--players", "Ada", "--seed", "4") as demo:
        yield demo
        assert demo.stop() == 0, demo.output


def is_good(page: Page, step: str) -> None:
    expect(page.locator(f"#step-{step}")).to_have_attribute("data-state", "good")


def test_corners_are_dragged_and_only_calibrating_pauses(page: Page, demo: DemoProcess) -> None:
    page.goto(f"{demo.url}calibrate")
    eventually(page, "#tray-says", "No card is visible")
    page.locator("#by-hand").click()
    eventually(page, "#tray-says", r"measured by the dice: 2[4-7]\d × 1[4-7]\d mm")
    page.locator("#felt-wide").fill("260")
    page.locator("#felt-deep").fill("160")
    page.locator("#felt-deep").press("Tab")
    eventually(page, "#tray-says", "By its four corners: 260 × 160 mm")
    assert find_barriers(page) == []
    picture = box_of(page.locator("#tray-picture"))

    def drag(corner: int, x_share: float, y_share: float) -> None:
        handle = box_of(page.locator(f"[data-handle='{corner}']"))
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        x, y = (
            (picture["x"] + picture["width"] * x_share),
            (picture["y"] + picture["height"] * y_share),
        )
        page.mouse.move(x, y, steps=4)
        page.mouse.up()

    drag(2, 0.3, 0.3)
    eventually(page, "#tray-says", "One corner lies between the others")
    expect(page.locator("#save")).to_be_disabled()
    drag(2, 0.88, 0.92)
    eventually(page, "#tray-says", "By its four corners: 260 × 160 mm")
    page.locator("#by-hand").click()
    eventually(page, "#tray-says", "No card is visible")

    for width, height in ((1280, 800), (800, 480), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        save, shown = (box_of(page.locator(name)) for name in ("#save", "#tray-frame"))
        assert save["y"] + save["height"] <= height
        assert shown["width"] > 0.5 * width
        assert shown["y"] + shown["height"] < save["y"]

    assert demo.post("/calibrate", {"do": "begin"}) == 200
    page.goto(demo.url)
    eventually(page, "#headline", "Ada: throw the dice")
    assert demo.post("/calibrate", {"do": "fix_light"}) == 200
    eventually(page, "#headline", "The game is paused")
    eventually(page, "#notice", "The table is being calibrated")
    page.locator("#go-on").click()
    eventually(page, "#headline", "Ada: throw the dice")
    expect(page.locator("#notice")).not_to_contain_text("calibrated")


def test_corners_of_another_page_are_shown_and_not_given_up(page: Page, demo: DemoProcess) -> None:
    page.goto(f"{demo.url}calibrate")
    eventually(page, "#tray-says", "No card is visible")
    page.locator("#by-hand").click()
    corner = page.locator("[data-handle='0']")
    expect(corner).to_be_visible()
    for x in (101, 111):
        elsewhere = [[x, 100], [1000, 100], [1000, 600], [100, 600]]
        assert demo.post("/calibrate", {"do": "corners", "corners": elsewhere}) == 200
        expect(corner).to_have_attribute("cx", str(x))
    # The page asks again only once it has its answer, so none that knows the next corner is left.
    with page.expect_request("**/calibrate/status"):
        page.route("**/calibrate/status", lambda _: None)
    elsewhere[0] = [121, 100]
    assert demo.post("/calibrate", {"do": "corners", "corners": elsewhere}) == 200
    page.locator("#by-hand").click()
    eventually(page, "#toast", "others, which somebody has set since")
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    expect(corner).to_have_attribute("cx", "121")
    page.locator("#by-hand").click()
    eventually(page, "#tray-says", "No card is visible")


def test_a_table_is_calibrated_learns_dice_and_notices_a_knock(
    page: Page, demo: DemoProcess, data: Path
) -> None:
    page.goto(f"{demo.url}calibrate")
    eventually(page, "#tray-says", "No card is visible")
    expect(page.locator("#save")).to_be_disabled()
    page.locator("[data-hand=lay_cards]").click()
    expect(page.locator(".found-card")).to_have_count(4)
    eventually(page, "#tray-says", r"Found by its four cards: 26\d × 160 mm")
    is_good(page, "tray")
    is_good(page, "focus")
    eventually(page, "#light-says", "bright enough and even")
    page.locator("#fix-light").click()
    eventually(page, "#exposure-says", "Fixed: shutter 10.0 ms")
    is_good(page, "light")
    eventually(page, "#dice-says", r"Edge 1[567]\.\d mm, as measured")
    expect(page.locator("#tray-marks .die-mark")).to_have_count(5)
    assert page.evaluate("document.getElementById('tray-picture').width") == 1280
    eventually(page, "#own-says", "Save the calibration first")
    expect(page.locator("#own-throw")).to_be_disabled()
    page.locator("#save").click()
    eventually(page, "#saved", "Saved. The table uses it")
    first = load_calibration(data)
    assert first is not None
    assert first.tray.picture_wh == (1280, 720)

    confirm_own_dice(page)
    kept = load_calibration(data)
    assert kept is not None
    assert kept.table_model is None

    page.goto(demo.url)
    eventually(page, "#headline", "The game is paused")
    page.locator("#go-on").click()
    eventually(page, "#headline", "Ada: throw the dice")
    assert demo.post("/simulator", {"do": "knock"}) == 200
    eventually(page, "#panel-text", "was moved")
    page.locator("#go-on").filter(has_text="calibrate again").click()
    eventually(page, "#headline", "Ada: throw the dice")
    second = load_calibration(data)
    assert second is not None
    assert second.tray.felt_from_px != first.tray.felt_from_px
    # What is thrown before the table has seen the tray at rest is no throw to it.
    expect(page.locator("#dice [data-face]")).to_have_count(5)
    page.locator("[data-hand=throw]").click()
    expect(page.locator("body")).to_have_attribute("data-phase", re.compile("choosing|straighten"))


def confirm_own_dice(page: Page) -> None:
    """Confirm a throw of the owner's dice; too few of them are not kept, and are forgotten."""
    eventually(page, "#own-says", "Throw all your dice and read them")
    page.locator("#own-throw").click()
    eventually(page, "#own-says", "Compare each face with its die")
    expect(page.locator("#tray-marks .own-face")).to_have_count(5)
    assert find_barriers(page) == []
    expect(page.locator("#tray-marks .die-mark")).to_have_count(0)
    page.locator("#own-faces select").nth(1).select_option("0")
    left_out = page.locator("#tray-marks [data-face='1'][data-state=left-out]")
    expect(left_out).to_have_count(1)
    page.locator("#own-confirm").click()
    eventually(page, "#own-says", "1 throw is confirmed. 4 more are wanted")
    page.locator("#own-throw").click()
    eventually(page, "#toast", "dice in the same positions")
    page.locator("#own-keep").click()
    eventually(page, "#toast", "4 confirmed throws")
    page.locator("#own-forget").click()
    eventually(page, "#own-says", "Throw all your dice and read them")
    expect(page.locator("#own-forget")).to_be_hidden()
