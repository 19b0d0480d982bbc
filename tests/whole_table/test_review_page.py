# SPDX-License-Identifier: MIT
"""A roll that somebody doubts, in a real browser: reviewed, corrected with the PIN, played on."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from controller.journal.hashchain import Body
from controller.journal.journal import read_journal
from controller.journal.picture_store import PictureStore
from controller.table import events as on
from controller.table.events import TrayDie
from controller.table.state import Phase
from tests.support.demo_process import DemoProcess
from tests.support.page_player import PagePlayer, press_anew
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import CONFIRM, dice_of, play, table
from tests.webui.visitors import PIN
from tests.whole_table.conftest import Chromium, OpenPage, box_of, is_inside, screen_of

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize(
    "size", first_quick((412, 915), (800, 480), (1280, 800)), ids=["phone", "small", "large"]
)
PICTURE, CROP_PX = "c0ffee00" * 8, (100, 50, 640, 360)
_, _TRAY = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))
_, _JPEG = cv2.imencode(".jpg", np.full((CROP_PX[3], CROP_PX[2], 3), 90, np.uint8))
DICE = tuple(
    replace(die, center_px=(180.0 + 110.0 * place, 200.0), edge_px=60.0)
    for place, die in enumerate(dice_of("13446"))
)
FINGER_PX = 38
BADGES = "all => all.map(({ cx, cy, r }) => [cx, cy, r].map(one => one.baseVal.value))"


def rolled() -> PageTable:
    """A table where Ada has rolled and chosen, and Ben is to choose."""
    read = on.DiceRead(DICE, PICTURE, on.PictureInfo(crop_px=CROP_PX, frame_wh=(1280, 720)))
    events = (on.MotionStarted(), on.MotionStopped(), read, on.ActionRequested("Ada", "4+10/4"))
    shown = PageTable(play(table(), *events))
    shown.pictures.stored[PICTURE] = _JPEG.tobytes()
    return shown


def in_reach(page: Page, *selectors: str) -> bool:
    boxes = [box_of(node) for one in selectors for node in page.locator(one).all()]
    return all(
        is_inside(box, screen_of(page), slack_px=0)
        and min(box["width"], box["height"]) >= FINGER_PX
        for box in boxes
    )


def type_pin(page: Page, pin: str) -> None:
    for digit in pin:
        page.locator(f"[data-digit='{digit}']").click()


@SIZES
def test_a_roll_is_reviewed_and_corrected_by_touch(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    live = rolled()
    page = open_page(live, size=size)
    page.locator("#review-open").click()
    expect(page.locator("#headline")).to_have_text("Was this Ada's roll?")
    faces = page.locator("#review-dice span").evaluate_all("all => all.map(x => x.dataset.face)")
    assert faces == ["1", "3", "4", "4", "6"]
    expect(page.locator("#review-evidence .die-mark")).to_have_count(5)
    assert in_reach(page, "#review-correct", "#review-stands")
    page.locator("#review-correct").click()
    page.locator("#hand-slots button").first.click()
    page.locator("[data-pad='6']").click()
    assert in_reach(page, "#hand-slots button", "#hand-pad button", "#by-hand .row button:visible")
    page.locator("#hand-next").click()
    page.locator("#hand-reason").select_option("The picture is not clear")
    type_pin(page, PIN)
    assert in_reach(page, "#pin-pad button", "#by-hand .row button:visible")
    page.locator("#hand-take").click()
    expect(page.locator("#headline")).to_have_text("Ada's roll was corrected")
    expect(page.locator("#notice")).to_contain_text("Taken back: Ada: 4+10/4.")
    expect(page.locator("#review-mark")).to_have_text("corrected by hand")
    expect(page.locator("#review-why")).to_have_text(
        "Official, read as 1 3 4 4 6: The picture is not clear"
    )
    page.locator("#review-stands").click()
    expect(page.locator("#headline")).to_have_text("Ada chooses")
    expect(page.locator("#by-hand-mark")).to_have_text("corrected by hand")
    assert live.state.phase is Phase.CHOOSING
    shown = page.locator("#dice [data-die]").evaluate_all("all => all.map(x => x.dataset.face)")
    assert shown == ["3", "4", "4", "6", "6"]


@SIZES
def test_no_badge_covers_the_pips_of_a_die(open_page: OpenPage, size: tuple[int, int]) -> None:
    """Dice that lie close together are where people check what was read."""
    lying = tuple(
        replace(die, center_px=(200.0 + 66.0 * (place % 3), 150.0 + 66.0 * (place // 3)))
        for place, die in enumerate(DICE)
    )
    read = on.DiceRead(lying, PICTURE, on.PictureInfo(crop_px=CROP_PX, frame_wh=(1280, 720)))
    shown = PageTable(play(table(), on.MotionStarted(), on.MotionStopped(), read))
    shown.pictures.stored[PICTURE] = _JPEG.tobytes()
    shown.frames.shown = (1, _TRAY.tobytes())
    page = open_page(shown, size=size)
    for place in ("#tray-marks", "#review-evidence", "#hand-evidence"):
        if place == "#review-evidence":
            page.locator("#review-open").click()
        if place == "#hand-evidence":
            page.locator("#review-correct").click()
        badges = page.locator(f"{place} .die-mark circle")
        expect(badges).to_have_count(len(lying))
        for badge in badges.evaluate_all(BADGES):
            assert_beside(badge, lying)


def assert_beside(badge: list[float], lying: tuple[TrayDie, ...]) -> None:
    """Check that a badge (x, y, radius) reaches into no die as far as its outermost pips."""
    x, y, radius = badge
    for die in lying:
        (die_x, die_y), reach = die.center_px, 0.4 * die.edge_px
        gap = math.hypot(*(max(abs(by) - reach, 0) for by in (x - die_x, y - die_y)))
        assert gap >= radius, (badge, die.center_px)


def test_a_review_marks_the_dice_of_its_own_picture_only(open_page: OpenPage) -> None:
    """A picture that is on its way leaves its place empty, without the marks of its dice."""
    live = rolled()
    page = open_page(live)
    page.evaluate("async () => (await import('/static/js/toast.js')).toast('It was refused.')")
    expect(page.locator("#toast")).to_be_visible()
    press_anew(page, "r")
    expect(page.locator("#review")).to_be_visible()
    expect(page.locator("#toast")).to_be_hidden()
    picture = page.locator("#review-evidence img")
    expect(picture).to_be_visible()
    expect(page.locator("#review-evidence .die-mark")).to_have_count(5)
    mark = box_of(page.locator("#review-evidence .die-mark rect").first)
    shown = box_of(picture)
    x = (mark["x"] + mark["width"] / 2 - shown["x"]) / shown["width"] * CROP_PX[2]
    assert x + CROP_PX[0] == pytest.approx(DICE[0].center_px[0], abs=6.0)
    other, held = "beefcafe" * 8, list[Route]()
    live.pictures.stored[other] = _JPEG.tobytes()
    page.route(f"**/evidence/{other}.jpg", lambda route: held.append(route))
    read = on.DiceRead(dice_of("22345", spot=4), other, on.PictureInfo(crop_px=CROP_PX))
    with page.expect_request(f"**/evidence/{other}.jpg"):
        live.happen(
            CONFIRM, on.ActionRequested("Ben", "4+10/4"), on.MotionStarted(), on.MotionStopped()
        )
        live.happen(read, on.ReviewRequested())
    expect(page.locator("#review-whose")).to_have_text("Ben threw this")
    expect(picture).to_be_hidden()
    expect(page.locator("#review-evidence svg")).to_be_hidden()
    held[0].continue_()
    expect(picture).to_be_visible()
    expect(page.locator("#review-evidence .die-mark").first).to_be_visible()


def test_what_is_wrong_is_told_in_the_dialog_and_faces_stay(open_page: OpenPage) -> None:
    live = rolled()
    page = open_page(live)
    open_dialog(page)
    page.locator("#hand-next").click()
    type_pin(page, PIN)
    page.locator("#hand-take").click()
    expect(page.locator("#hand-wrong")).to_have_text("The roll already counts as 1 3 4 4 6.")
    page.keyboard.press("Escape")
    expect(page.locator("#by-hand")).to_be_hidden()

    open_dialog(page)
    page.locator("#hand-slots button").nth(4).click()
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    page.keyboard.type("000000")
    page.keyboard.press("Enter")
    expect(page.locator("#hand-wrong")).to_have_text("That is not the PIN.")
    expect(page.locator("#pin-typed")).to_be_empty()
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#by-hand")).to_be_hidden()
    expect(page.locator("#by-hand-mark")).to_have_text("corrected by hand")
    assert live.state.play.last_roll is not None
    assert live.state.play.last_roll.roll == "13445"


def open_dialog(page: Page) -> None:
    page.locator("#help-open").click()
    page.locator("#correct-open").click()
    expect(page.locator("#by-hand")).to_be_visible()


def test_keys_go_through_the_faces_until_the_next_roll(open_page: OpenPage) -> None:
    """Typing starts at the first die and goes on; the arrows go to another one."""
    live = rolled()
    page = open_page(live)
    open_dialog(page)
    current = page.locator("#hand-slots [aria-current='true']")
    expect(current).to_have_count(1)
    page.keyboard.type("65")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("2")
    slots = page.locator("#hand-slots button")
    assert slots.evaluate_all("all => all.map(x => x.dataset.face)") == ["6", "5", "4", "2", "6"]
    expect(page.locator("#hand-next")).to_be_enabled()
    next_roll = on.DiceRead(dice_of("22345", spot=4))
    live.happen(
        on.ActionRequested("Ben", "5+7/6"), on.MotionStarted(), on.MotionStopped(), next_roll
    )
    expect(page.locator("#by-hand")).to_be_hidden()


@SIZES
def test_a_real_table_hides_its_first_pin_during_a_game(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(rolled(), size=size, has_tray=False)
    page.locator("#review-open").click()
    page.locator("#review-correct").click()
    page.locator("#hand-next").click()
    expect(page.locator("#pin-first")).to_have_text("The lobby shows the first PIN.")
    assert PIN not in page.content()
    assert in_reach(page, "#pin-pad button", "#by-hand .row button:visible")


def test_a_review_and_a_correction_survive_a_pulled_plug(
    chromium: Chromium, tmp_path: Path
) -> None:
    with DemoProcess(tmp_path, "--players", "Ada,Ben", "--seed", "11") as demo:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(demo.url)
        expect(page.locator("#headline")).to_have_text("Ada: throw the dice")
        player = PagePlayer(page)
        player.throw()
        read = player.faces()
        player.confirm()
        expect(page.locator("#headline")).to_have_text("Ben chooses")
        press_anew(page, "r")
        expect(page.locator("[data-phase=review]")).to_be_visible()
        demo.kill()
        page.close()
    with DemoProcess(tmp_path, "--players", "Ada,Ben", "--seed", "12") as demo:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(demo.url)
        expect(page.locator("[data-phase=review]")).to_be_visible()
        expect(page.locator("#review-evidence .die-mark")).to_have_count(5)
        corrected = [7 - read[0], *read[1:]]
        correct_first(page, corrected[0])
        expect(page.locator("#headline")).to_have_text("Ada's roll was corrected")
        press_anew(page, "Enter")
        expect(page.locator("#headline")).to_have_text("Ada chooses")
        assert PagePlayer(page).faces() == sorted(corrected)
        page.close()
        assert demo.stop() == 0, demo.output
    assert_journalled(tmp_path, read, corrected)


def correct_first(page: Page, face: int) -> None:
    """Correct the first die with the PIN that the table came with, as its own screen shows it."""
    page.locator("#review-correct").click()
    page.locator("#hand-slots button").first.click()
    page.locator(f"[data-pad='{face}']").click()
    page.locator("#hand-next").click()
    expect(page.locator("#pin-first")).to_contain_text("The first PIN is")
    told = re.search(r"\d{6}", page.locator("#pin-first").inner_text())
    assert told is not None
    type_pin(page, told[0])
    page.locator("#hand-take").click()


def assert_journalled(data: Path, read: list[int], corrected: list[int]) -> None:
    entries = [(entry.kind, entry.body) for entry in read_journal(data).entries]
    kinds = [kind for kind, _ in entries]
    assert [kind for kind in kinds if kind in ("review", "correction", "reviewed")] == [
        "review",
        "correction",
        "reviewed",
    ]
    bodies: dict[str, Body] = dict(entries)
    correction, roll = bodies["correction"], bodies["roll"]
    assert sorted(str(correction["was"])) == sorted(map(str, read))
    assert str(correction["roll"]) == "".join(map(str, corrected))
    assert correction["picture"] == roll["picture"]
    assert PictureStore(data).picture_path(str(roll["picture"])).exists()
    undone = correction["undone"]
    assert isinstance(undone, list)
    assert [one["by"] for one in undone] == ["Ada"]
    assert bodies["reviewed"]["outcome"] == "corrected"
