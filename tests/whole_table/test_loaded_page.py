# SPDX-License-Identifier: MIT
"""What a page loads later is never shown for another game, choice or player."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from controller.table.events import OptionPicked, RollCorrected, StartRequested
from tests.support.ended_game import end_game
from tests.support.page_table import PageTable
from tests.support.phone_table import PhoneTable
from tests.support.table import finished_table, lobby_of, play, table, throw_of
from tests.whole_table.conftest import Chromium, OpenPage

pytestmark = pytest.mark.browser

SMALL = (800, 480)

# Loads answer when the test says so; the last answer is the one of the key that came first.
LATE_ANSWERS = """async () => {
    const { mountLoaded } = await import("/static/js/loaded.js");
    const answers = {}, seen = [];
    const loaded = mountLoaded({
        load: (key) => new Promise((resolve) => { answers[key] = resolve; }),
        show: (value) => seen.push(value),
        clear: () => seen.push("nothing"),
    });
    loaded.want("game 1");
    loaded.want("game 2");
    answers["game 2"]("luck of game 2");
    answers["game 1"]("luck of game 1");
    await new Promise(setTimeout);
    loaded.want("game 2");
    loaded.want(null);
    const older = loaded.again();
    const first = answers["null"];
    const newer = loaded.again();
    answers["null"]("newest");
    first("oldest");
    const isThere = await Promise.all([older, newer]);
    return [...seen, ...isThere];
}"""

# A stream whose events the test makes: a phone goes from Ada to Ben.
OTHER_PLAYER = """async () => {
    const streams = [];
    window.EventSource = class extends EventTarget {
        constructor() { super(); streams.push(this); }
        close() { this.isClosed = true; }
    };
    const [{ Store }, { follow }] = await Promise.all(
        ["store", "stream"].map((name) => import(`/static/js/${name}.js`)));
    const store = new Store(), shown = [];
    store.watch([], ({ viewer, seats }) => shown.push([viewer, seats?.mine]));
    follow(store, "/events?seat");
    await null;  // The view that came with this page is shown by then.
    shown.length = 0;
    const say = (name, part) => streams.at(-1).dispatchEvent(
        new MessageEvent(name, { data: JSON.stringify(part) }));
    say("snapshot", { viewer: "Ada" });
    say("seats", { seats: { mine: "Ada" } });
    say("change", { dice: [] });
    say("seats", { seats: { mine: "Ben" } });
    say("snapshot", { viewer: "Ben" });
    say("seats", { seats: { mine: "Ben" } });
    return [streams.length, shown];
}"""


def test_the_end_shows_no_luck_of_the_game_before(tmp_path: Path, chromium: Chromium) -> None:
    ended = end_game(tmp_path, "choice", "Ada", "Ben", seed=4)
    with ExitStack() as closing:
        table = PhoneTable(ended.state, tmp_path, chromium, closing, history=ended.parts())
        box, phone = table.open(table.server.url, SMALL), table.phone("Ben")
        expect(box.locator("#ranking .sums")).to_have_count(2)
        expect(phone.locator("#analysis")).to_be_visible()
        other = finished_table("Cleo", "Ben")
        assert other.play.last_roll is not None
        last = replace(other.play.last_roll, picture="c0ffee00" * 8)
        other = replace(other, play=replace(other.play, last_roll=last))
        with box.expect_response("**/analysis.json*") as asked:
            table.table.put(other)
        asked.value.finished()
        for page in (box, phone):
            expect(page.locator("#finale")).to_be_visible()
            expect(page.locator("#analysis")).to_be_hidden()
        expect(box.locator("#ranking")).to_contain_text("Cleo")
        expect(box.locator("#ranking .sums")).to_have_count(0)
        expect(box.locator("#analysis-open")).to_be_hidden()
        expect(box.locator("#take")).to_be_hidden()
        assert asked.value.status == 404, "the history knows only the game before"
        table.table.put(ended.state)
        expect(box.locator("#ranking .sums")).to_have_count(2)
        assert table.complaints == []


def test_an_answer_for_another_key_is_dropped(open_page: OpenPage) -> None:
    page = open_page(PageTable(table("Ada")))
    seen = ["nothing", "nothing", "luck of game 2", "nothing", "newest"]
    assert page.evaluate(LATE_ANSWERS) == [*seen, True, True]


def test_no_view_of_a_player_is_shown_to_another(open_page: OpenPage) -> None:
    page = open_page(PageTable(table("Ada")))
    shown = [["Ada", "Ada"], ["Ada", "Ada"], ["Ben", "Ben"]]
    assert page.evaluate(OTHER_PLAYER) == [2, shown]


def test_late_hints_for_other_dice_are_dropped(open_page: OpenPage) -> None:
    """A correction asks the same question of other dice."""
    training = play(lobby_of("Ada", "Ben"), OptionPicked("hints", value=True), StartRequested())
    live = PageTable(play(training, *throw_of("13446")))
    page = open_page(live)
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/hints.json", lambda route: held.append((route, route.fetch())))
    page.locator("#coach-open").click()
    while not held:
        page.evaluate("() => new Promise(requestAnimationFrame)")
    question = live.snapshot()["question"]
    live.happen(RollCorrected("23446", "Official", "A die was misread"))
    assert live.snapshot()["question"] == question
    expect(page.locator("#dice [data-die]").first).to_have_attribute("data-face", "2")
    route, answer = held[0]
    assert answer.ok
    with page.expect_response("**/hints.json") as late:
        route.fulfill(response=answer)
    late.value.finished()
    check_no_hints(page)
    page.unroute("**/hints.json")
    page.locator("#coach-open").click()
    expect(page.locator("#coach-list li").first).to_be_visible()


def check_no_hints(page: Page) -> None:
    """Check it after everything that the late answer has led to."""
    page.evaluate("() => new Promise(setTimeout)")
    expect(page.locator("#coach")).to_be_hidden()
