# SPDX-License-Identifier: MIT
"""Players without a phone, in real browsers: a shared tablet, and an official who chooses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import find_barriers
from tests.support.running_event import RunningEvent, ServedPages, run_event, serve_pages
from tests.whole_table.conftest import (
    Chromium,
    box_of,
    choose_action,
    expect_phase,
    join_event,
    log_in_organiser,
    say_name,
)

pytestmark = pytest.mark.browser

TABLET = {"width": 820, "height": 1180}
FINGER_PX = 48


@pytest.fixture
def event(tmp_path: Path) -> Iterator[RunningEvent]:
    with run_event(tmp_path) as event:
        event.begin(games=1, clock_s=3600)
        yield event


@pytest.fixture
def pages(event: RunningEvent, tmp_path: Path) -> Iterator[ServedPages]:
    with serve_pages(event, tmp_path) as pages:
        yield pages


def test_a_tablet_is_passed_on(event: RunningEvent, pages: ServedPages, chromium: Chromium) -> None:
    """The next player sees who has chosen, and nothing of what."""
    page = chromium.new_context(viewport=TABLET, has_touch=True).new_page()
    page.goto(f"{pages.url}play")
    join_event(page, "Ada")
    expect_phase(page, "hall")
    page.locator("#menu-open").click()
    page.locator("#share").click()
    join_event(page, "Ben")
    expect_phase(page, "who")
    event.open_game()
    event.throw("13446")
    expect(page.locator("#headline")).to_have_text("Roll 1: who are you?")
    assert find_barriers(page) == []
    for link in page.locator("#who-names a").all():
        assert box_of(link)["height"] >= FINGER_PX
    say_name(page, "Ada")
    expect(page.locator("#headline")).to_contain_text("Ada")
    choose_action(page, "4+10/4")
    expect_phase(page, "who")
    ada = page.locator("#who-names a", has_text="Ada")
    expect(ada).to_have_attribute("data-state", "chosen")
    assert ada.get_attribute("href") is None
    assert "4+10" not in page.content()
    # Who knows the address of her page does not see her choice there either.
    page.goto(f"{pages.url}play?player=1")
    expect_phase(page, "who")
    say_name(page, "Ben")
    expect(page.locator("#headline")).to_contain_text("Ben")
    expect(page.locator("#choices [aria-current=true]")).to_have_count(0)
    choose_action(page, "5+9/4")
    event.wait_until(lambda state: state.data.open_roll is None)
    expect_phase(page, "who")
    say_name(page, "Ada")
    expect(page.locator("#field-choices li.mine")).to_contain_text("50 %")


def test_an_official_chooses_for_who_has_no_phone(
    event: RunningEvent, pages: ServedPages, chromium: Chromium
) -> None:
    page = chromium.new_page()
    page.goto(f"{pages.url}play?official")
    log_in_organiser(page, pages.pin)
    for name in ("Ada", "Ben"):
        page.locator("form:has([value='enter player']) [name=name]").fill(name)
        page.get_by_role("button", name="Enter a player without a phone").click()
    event.open_game()
    event.throw("13446")
    event.wait_until(lambda state: state.data.open_roll)
    page.goto(f"{pages.url}organiser")
    page.get_by_role("link", name="Ada").click()
    choose_action(page, "4+10/4")
    expect_phase(page, "who")
    say_name(page, "Ben")
    choose_action(page, "5+9/4")
    event.wait_until(lambda state: state.data.open_roll is None)
    expect_phase(page, "who")
    say_name(page, "Ada")
    expect(page.locator("#field-mine")).to_have_text("Olga entered this choice.")
    assert find_barriers(page) == []
