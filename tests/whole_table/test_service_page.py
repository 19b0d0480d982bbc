# SPDX-License-Identifier: MIT
"""
Somebody looks after a running table on its service page, in a real browser.

The appliance runs as a process by a settings file, with a simulated tray and simulated
panels; what is changed on the page is looked for in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.axe import find_barriers
from tests.support.run_process import RunProcess, free_port
from tests.whole_table.conftest import eventually

pytestmark = pytest.mark.browser

SCREENS = ((1280, 800), (800, 480), (390, 844))
TABS = ("reading", "camera", "panel", "settings", "log", "machine")
SETTINGS = """# The table in the hall.
[camera]
driver = "simulated"
gain = 2.0  # as the evening wants it

[panel]
driver = "simulated"  # until the buttons come

[panel_2]
confirm_pin = 17
"""


NOTE_PRESS = """push => new MutationObserver(() => {
    if (push.classList.contains("pressed")) push.dataset.wasPressed = "";
}).observe(push, { attributeFilter: ["class"] })"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    config = tmp_path / "dicebell.toml"
    own = f"[web]\nport = {free_port()}\nbox_port = {free_port()}\n"
    own += f'[data]\nfolder = "{tmp_path / "data"}"\n'
    config.write_text(SETTINGS + own)
    return config


@pytest.fixture
def run(config: Path) -> Iterator[RunProcess]:
    with RunProcess(config) as run:
        yield run
        assert run.stop() == 0, run.output


@pytest.fixture
def page(run: RunProcess, page: Page) -> Page:
    page.goto(run.box_url)
    page.wait_for_url(run.url)
    return page


def open_tab(page: Page, name: str) -> None:
    page.locator(f"#tabs [data-tab={name}]").click()
    expect(page.locator("body")).to_have_attribute("data-tab", name)


def reads_german(page: Page) -> None:
    for language, tab in (("de", "Einstellungen"), ("en", "Settings")):
        # The script that makes the button work fills in the hint.
        expect(page.locator("#hint")).not_to_be_empty()
        page.locator(f"#tools [data-language={language}]").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("#tabs [data-tab=settings]")).to_have_text(tab)


def looks_at_the_reading(page: Page) -> None:
    page.locator("#help-open").click()
    page.locator("#help #service").click()
    expect(page.locator("#tray-marks .die-mark")).to_have_count(5)
    expect(page.locator("#tray-picture")).to_have_js_property("width", 1280)
    eventually(page, "#stages", "finder.*together")
    page.locator("#trace").click()
    last = page.locator("#trace-pictures img").last
    expect(last).to_be_visible()
    page.wait_for_function("() => document.querySelector('#trace-pictures img').naturalWidth > 0")


def names_other_dice(page: Page, journal: Path) -> None:
    eventually(page, "#dice-sets", "The first dice, on the table now: No throw yet.")
    page.locator("#dice-form [name=name]").fill("Casino")
    page.locator("#dice-form button").click()
    eventually(page, "#toast", "every throw counts for “Casino”")
    eventually(page, "#dice-sets", "Casino, on the table now: No throw yet.")
    assert '"kind":"dice_set"' in journal.read_text()


def presses_a_button(page: Page) -> None:
    open_tab(page, "panel")
    push = page.locator("#panels .panel").nth(1).locator(".push[data-button=left]")
    eventually(page, "#panels .panel:nth-child(2)", "Player 2, simulated")
    page.locator("#apart").check()
    # The mark of a press goes out soon; it is noted however late this test looks.
    push.evaluate(NOTE_PRESS)
    push.locator(".cap").click()
    expect(push).to_have_attribute("data-was-pressed", "")
    expect(push).to_contain_text("pressed once")
    everybodys = page.locator("#panels .panel").first
    expect(everybodys.locator(".push[data-button=right] .lamp")).to_have_class(re.compile("lit"))


def changes_settings(page: Page, config: Path) -> None:
    open_tab(page, "camera")
    gain = page.locator("#camera-settings [data-name='camera.gain']")
    expect(gain).to_have_value("2.0")
    gain.fill("3.25")
    gain.press("Tab")
    eventually(page, "#toast", "It applies at once")
    eventually(page, "#camera-settings", "Reported: 3.25")
    assert "gain = 3.25  # as the evening wants it" in config.read_text()

    open_tab(page, "settings")
    bounce = page.locator("#settings [data-name='panel.bounce_ms']")
    bounce.fill("400")
    bounce.press("Tab")
    eventually(page, "#settings .refused:not(:empty)", "a whole number from 1 to 100 .*, found 400")
    bounce.fill("40")
    bounce.press("Tab")
    eventually(page, "#toast", "from the next start")
    expect(page.locator("#settings .waits")).to_have_count(1)
    text = config.read_text()
    assert "bounce_ms = 40" in text
    assert '"simulated"  # until the buttons come' in text


def looks_after_the_machine(page: Page) -> None:
    open_tab(page, "log")
    eventually(page, "#log", "service: setting changed key=panel.bounce_ms")
    open_tab(page, "machine")
    page.locator("#show-note").click()
    eventually(page, "#toast", "There is no checkpoint yet")
    page.locator("#examine").click()
    eventually(page, "#findings", "OK · Port")
    expect(page.locator("[data-act='restart table']")).to_be_disabled()
    with page.expect_download() as download:
        page.locator("a.button").last.click()
    assert re.fullmatch(r"dicebell-\d{8}-\d{6}\.zip", download.value.suggested_filename)


def is_asked_twice_before_it_switches_off(page: Page) -> None:
    asked: list[object] = []

    def answer(route: Route) -> None:
        # This very machine is not to be switched off.
        asked.append(route.request.post_data_json)
        route.fulfill(json={"ok": True, "said": "It is done."})

    page.route("**/service", answer)
    # Where the tests run there may be nobody who switches off, and then the button says so.
    press = """() => {
        const button = document.querySelector("[data-act=reboot]");
        button.disabled = false;
        button.click();
    }"""
    for value, said in (("no", []), ("yes", [{"do": "machine", "act": "reboot"}])):
        page.evaluate(press)
        eventually(page, "#sure-what", r"Restart the machine\?")
        assert find_barriers(page) == []
        page.locator(f"#sure [value={value}]").click()
        expect(page.locator("#sure")).to_be_hidden()
        if said:
            eventually(page, "#toast", "It is done")
        assert asked == said
    page.unroute("**/service")


@pytest.mark.long
def test_an_official_looks_changes_and_finds_it_in_the_file(page: Page, config: Path) -> None:
    looks_at_the_reading(page)
    names_other_dice(page, config.parent / "data" / "journal.jsonl")
    reads_german(page)
    presses_a_button(page)
    changes_settings(page, config)
    looks_after_the_machine(page)
    is_asked_twice_before_it_switches_off(page)
    fits_every_screen(page)


def fits_every_screen(page: Page) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for name in TABS:
            open_tab(page, name)
            size = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert size[0] <= width
            assert size[1] <= height
