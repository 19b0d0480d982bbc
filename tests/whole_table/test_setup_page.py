# SPDX-License-Identifier: MIT
"""
The first evening in a real browser: from a table out of its box to the first scored roll.

The whole demo runs. Its first camera plays a recording that shows no tray; the other one sees the
simulated tray.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from controller.runtime.calibration.store import load_calibration
from tests.support.axe import find_barriers
from tests.support.demo_process import DemoProcess
from tests.support.run_process import free_port
from tests.whole_table.conftest import box_of, eventually

pytestmark = pytest.mark.browser

StartTable = Callable[[], DemoProcess]
THROWS = 5
MOST_PRESSES = 16
"""All that a first evening needs, with the choice of the first roll."""


class NewTable(DemoProcess):
    """`dicebell run` without settings, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, program="tests.support.first_evening")
        self._command, self._hands = ["run"], folder / "hands"

    @property
    def link(self) -> str:
        """The address that it prints for the person who started it."""
        return self.find(r"Set the table up in a browser of this machine: (\S+)")[1]

    def throw(self) -> None:
        self._hands.write_text("throw\n")


def film_lid(folder: Path) -> None:
    """Record what a camera in the lid of a laptop sees: no tray."""
    noise = np.random.default_rng(1)
    folder.mkdir()
    for number in range(13):  # More than the check for a frozen camera remembers.
        picture = noise.integers(60, 200, (360, 640, 3), np.uint8)
        cv2.imwrite(str(folder / f"{number}.png"), picture)


@pytest.fixture
def start_table(tmp_path: Path) -> Iterator[StartTable]:
    film_lid(tmp_path / "lid")
    started: list[DemoProcess] = []

    def start() -> DemoProcess:
        for before in started:
            assert before.stop() == 0, before.output
        demo = DemoProcess(tmp_path / "data", "--seed", "4", program="tests.support.new_table")
        started.append(demo.__enter__())
        return demo

    yield start
    for demo in started:
        demo.__exit__(None, None, None)


def is_at(page: Page, step: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-step", step)


def press_main(page: Page, label: str) -> None:
    page.locator("#next").filter(has_text=re.compile(f"^{label}$")).click()


def are_done(page: Page, *steps: str) -> None:
    done = page.locator("#stations [data-done]")
    expect(done).to_have_count(len(steps))
    assert [button.get_attribute("data-station") for button in done.all()] == [*steps]


def set_up_tray(page: Page, demo: DemoProcess) -> None:
    """Choose the camera that sees the tray, fix the light, and save the tray without cards."""
    page.goto(demo.url)
    page.locator("#guide-offer a").click()
    is_at(page, "camera")
    cameras = page.locator("#cameras button")
    expect(cameras.nth(0)).to_have_attribute("aria-pressed", "true")
    cameras.nth(1).click()
    expect(cameras.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#tray-picture")).to_have_js_property("width", 1280)
    assert find_barriers(page) == []
    press_main(page, "That is my tray")
    press_main(page, "Fix the light")
    press_main(page, "Go on")
    is_at(page, "tray")
    expect(page.locator(".camera-name:visible")).to_have_text("Camera: Camera above the tray")
    eventually(page, "#tray-says", r"measured by the dice: 2[4-7]\d × 1[4-7]\d mm")
    enter_edge(page, "16", "16.0")
    page.locator("#save").click()
    is_at(page, "dice")


def enter_edge(page: Page, mm: str, stored: str) -> None:
    """Enter the edge of the dice, which the felt is measured by."""
    page.locator("#edge").fill(mm)
    page.locator("#edge").press("Enter")
    eventually(page, "#dice-says", stored)


def test_a_new_table_is_set_up_and_scores_a_roll(
    page: Page, start_table: StartTable, tmp_path: Path
) -> None:
    demo = start_table()
    set_up_tray(page, demo)
    assert json.loads((tmp_path / "data" / "camera.json").read_text()) == {"camera": "simulated"}

    demo = start_table()
    page.goto(f"{demo.url}setup")
    is_at(page, "dice")
    are_done(page, "camera", "picture", "tray")
    press_main(page, "Read this throw")
    for number in range(1, THROWS + 1):
        press_main(page, "That is right")
        eventually(page, "#own-says", f"{number} throws? (is|are) confirmed")
        if number < THROWS:
            page.locator("[data-hand=throw]").click()
    assert find_barriers(page) == []
    press_main(page, "Keep these dice")
    is_at(page, "names")
    learnt = load_calibration(tmp_path / "data")
    assert learnt is not None
    assert learnt.table_model is not None

    page.get_by_role("button", name="Later").click()
    eventually(page, "#setup-problem", "Nobody sits here yet. Add a player.")
    expect(page.locator("#next")).to_be_disabled()
    page.get_by_role("button", name="Back").click()
    fields = page.locator("#setup-seats input")
    fields.nth(0).fill("Ida")
    fields.nth(0).press("Enter")
    expect(fields.nth(1)).to_be_focused()
    expect(fields).to_have_count(2)
    assert find_barriers(page) == []
    press_main(page, "Go on")
    are_done(page, "camera", "picture", "tray", "dice", "names")
    page.locator("#setup-games button").nth(0).click()
    press_main(page, "Start the game")
    eventually(page, "#headline", "Ida: throw the dice")
    page.locator("[data-hand=throw]").click()
    eventually(page, "#headline", "Ida chooses")
    page.locator("#choices button").first.click()
    page.locator("#button-confirm").click()
    eventually(page, "#headline", "Ida: throw the dice")
    assert "roll taken" in demo.output


def test_a_first_evening_needs_no_document_and_no_settings(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It survives a pulled plug, and the only things typed are names."""
    film_lid(tmp_path / "lid")
    os.mkfifo(tmp_path / "hands")
    monkeypatch.setenv("HERE", str(tmp_path))
    monkeypatch.setenv("PORT", str(free_port()))
    main, save = page.locator("#next"), page.locator("#save")
    presses: list[str] = []

    def press(button: Locator) -> None:
        presses.append(button.inner_text())
        button.click()

    def press_when(label: str) -> None:
        press(main.filter(has_text=re.compile(f"^{label}$")))

    with NewTable(tmp_path) as table:
        page.goto(table.link)
        is_at(page, "camera")
        expect(page.locator("#used-camera")).to_have_text("If not, choose another camera.")
        press(page.get_by_role("button", name="Camera above the tray"))
        expect(page.locator("#tray-picture")).to_have_js_property("width", 1280)
        press_when("That is my tray")
        press_when("Fix the light")
        press_when("Go on")
        eventually(page, "#tray-says", r"measured by the dice: 2[4-7]\d × 1[4-7]\d mm")
        press(save)
        is_at(page, "dice")
    # The plug was pulled: the page that is still open waits, and goes on.
    expect(page.locator("#lost")).to_be_visible()
    with NewTable(tmp_path) as table:
        expect(page.locator("#lost")).to_be_hidden()
        page.goto(table.link)
        is_at(page, "dice")
        press_when("Read this throw")
        for number in range(1, THROWS + 1):
            press_when("That is right")
            eventually(page, "#own-says", f"{number} throws? (is|are) confirmed")
            if number < THROWS:
                expect(main).to_have_text(f"Throw again: {number + 1} of {THROWS}")
                expect(main).to_be_disabled()
                table.throw()
        press_when("Keep these dice")
        expect(page.locator("#setup-seats input").nth(0)).to_be_focused()
        page.keyboard.type("Ida\n")
        page.keyboard.type("Jo\n")
        expect(page.locator("#setup-seats input").nth(2)).to_be_focused()
        press_when("Go on")
        expect(page.locator("#setup-aim")).to_contain_text("One roll of five dice")
        press_when("Start the game")
        eventually(page, "#headline", "Ida: throw the dice")
        table.throw()
        eventually(page, "#headline", "Ida chooses")
        press(page.locator("#choices button").first)
        press(page.locator("#button-confirm"))
        eventually(page, "#headline", "Jo chooses")
        assert "roll taken" in table.output
    assert len(presses) <= MOST_PRESSES, presses


def test_cards_take_the_place_of_a_frame_that_was_found(
    page: Page, start_table: StartTable
) -> None:
    demo = start_table()
    page.request.post(f"{demo.url}setup", data={"do": "camera", "name": "simulated"})
    page.goto(f"{demo.url}setup#tray")
    eventually(page, "#tray-says", "By its four corners")
    page.reload()
    eventually(page, "#tray-says", "By its four corners")
    page.locator("[data-hand=lay_cards]").click()
    eventually(page, "#tray-says", "Found by its four cards")
    expect(page.locator("#by-hand")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-hand=take_cards]").click()
    eventually(page, "#tray-says", "By its four corners")
    page.locator("#by-hand").click()
    eventually(page, "#tray-says", "No card is visible")


def test_a_suggested_name_is_no_player(page: Page, start_table: StartTable) -> None:
    demo = start_table()
    page.goto(f"{demo.url}setup#names")
    fields = page.locator("#setup-seats input")
    expect(fields).to_have_count(2)
    for field, name in zip(fields.all(), ("Ada", "Ben"), strict=True):
        expect(field).to_have_attribute("placeholder", f"such as {name}")
        expect(field).to_have_value("")
    expect(page.locator("#setup-seats button:visible")).to_have_count(0)
    expect(page.locator("#next")).to_be_disabled()
    assert find_barriers(page) == []
    expect(fields.nth(1)).to_be_disabled()
    fields.nth(0).focus()
    page.keyboard.type("Ben\nJo\n")
    expect(fields.nth(2)).to_be_focused()
    assert [field.input_value() for field in fields.all()] == ["Ben", "Jo", ""]
    are_done(page, "names")
    page.keyboard.type("Jo\n")
    expect(page.locator("#setup-refused")).to_contain_text("Jo")
    assert find_barriers(page) == []
    page.reload()
    expect(fields).to_have_count(3)
    assert [field.input_value() for field in fields.all()] == ["Ben", "Jo", ""]


def test_a_name_takes_no_seat_that_was_taken_meanwhile(page: Page, start_table: StartTable) -> None:
    """Somebody sits down at another screen while the first name is being typed here."""
    demo = start_table()
    page.goto(f"{demo.url}setup#names")
    fields = page.locator("#setup-seats input")
    fields.nth(0).press_sequentially("Ida")
    taken = {"do": "seat", "seat": 0, "name": "Eva", "about": "lobby"}
    assert demo.post("/command", taken) == 200
    eventually(page, "#setup-seats", "Remove")
    fields.nth(0).press("Enter")
    expect(fields).to_have_count(3)
    page.reload()
    expect(fields).to_have_count(3)
    assert [field.input_value() for field in fields.all()] == ["Eva", "Ida", ""]


def test_the_edge_of_the_dice_is_optional(page: Page, start_table: StartTable) -> None:
    page.goto(f"{start_table().url}setup#tray")
    expect(page.locator("#edge")).to_have_accessible_description("Optional: the table measures it.")
    expect(page.locator("#edge-about")).to_be_visible()


def test_corners_of_a_person_outlast_a_reload(page: Page, start_table: StartTable) -> None:
    demo = start_table()
    page.request.post(f"{demo.url}setup", data={"do": "camera", "name": "simulated"})
    sent: list[str] = []
    outline = [[200, 100], [1000, 100], [1000, 600], [200, 600]]

    def show(*, is_said: bool) -> None:
        def answer(route: Route) -> None:
            look = route.fetch().json()
            seen = {"tray": None, "markers": [], "outline_px": outline, "picture_wh": [1280, 720]}
            route.fulfill(json={**look, **seen, "corners_are_said": is_said})

        page.unroute_all(behavior="ignoreErrors")
        page.route("**/calibrate/status", answer)

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/calibrate"):
            sent.append((request.post_data_json or {})["do"])

    page.on("request", note)
    show(is_said=True)
    page.goto(f"{demo.url}setup#tray")
    for _ in range(4):
        page.wait_for_event("requestfinished", lambda one: one.url.endswith("/calibrate/status"))
    assert not {"corners", "propose"} & {*sent}
    show(is_said=False)
    page.wait_for_event("request", lambda one: '"propose"' in (one.post_data or ""))
    assert "felt" not in sent
    page.unroute_all(behavior="ignoreErrors")


def test_every_step_fits_and_may_be_left_for_later(page: Page, start_table: StartTable) -> None:
    demo = start_table()
    page.goto(f"{demo.url}setup")
    is_at(page, "camera")
    for step in ("picture", "tray", "dice", "names", "play"):
        page.locator("#skip").click()
        is_at(page, step)
        for width, height in ((1920, 1080), (1280, 800), (800, 480), (390, 844), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            main = box_of(page.locator("#rail .main:not([hidden])"))
            assert main["y"] + main["height"] <= height
    expect(page.locator("#skip")).to_be_hidden()
    page.locator("#back").click()
    is_at(page, "names")
    page.locator("[data-station=tray]").click()
    expect(page.locator("#save")).to_be_disabled()
    page.reload()
    is_at(page, "tray")
    page.goto(f"{demo.url}service#machine")
    page.get_by_role("link", name="Set up the table").click()
    is_at(page, "camera")
    are_done(page)
    leads_to_the_set_up_by_a_fault(page, demo)


def leads_to_the_set_up_by_a_fault(page: Page, demo: DemoProcess) -> None:
    def set_fault(name: str | None) -> None:
        page.request.post(f"{demo.url}simulator", data={"do": "fault", "name": name})

    page.request.post(f"{demo.url}setup", data={"do": "camera", "name": "simulated"})
    page.goto(demo.url)
    expect(page.locator("#guide-offer")).to_be_visible()
    expect(page.locator("#panel-setup")).to_be_hidden()
    set_fault("dark")
    page.locator("#panel-setup").click()
    is_at(page, "picture")
    page.locator("#back").click()
    expect(page.locator("#used-camera")).to_contain_text("The picture is dark.")
    expect(page.locator("#next")).to_be_enabled()
    set_fault("gone")
    expect(page.locator("#used-camera")).to_contain_text("The camera sends no pictures.")
    expect(page.locator("#next")).to_be_disabled()
    set_fault(None)
    expect(page.locator("#next")).to_be_enabled()

    page.locator("[data-station=names]").click()
    field = page.locator("#setup-seats input").nth(0)
    field.fill("Ida")
    field.press("Enter")
    set_fault("gone")
    page.locator("[data-station=play]").click()
    expect(page.locator("#setup-problem")).to_contain_text("The camera sends no pictures.")
    page.locator("[data-station=names]").click()
    expect(field).to_have_value("Ida")
