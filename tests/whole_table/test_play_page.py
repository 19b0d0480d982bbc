# SPDX-License-Identifier: MIT
"""An evening of two players with phones, in real browsers at a real server of an event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.tournament.entries.draw_entries import DrawMade, DrawPublished, TableResult
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.entries.game_entries import GameClosed, RollRuling
from controller.tournament.entries.player_entries import PlayerJoined, SectionNamed, TeamNamed
from controller.tournament.state.next_draw import compute_draw
from tests.support.axe import find_barriers
from tests.support.cut_relay import CutRelay
from tests.support.running_event import RunningEvent, ServedPages, run_event, serve_pages
from tests.whole_table.conftest import Chromium, box_of, expect_phase, join_event

pytestmark = pytest.mark.browser

UPRIGHT = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
FINGER_PX = 48
LONG_SILENCE_MS = 40_000
LONG_CLOCK_MS = 600_000


@pytest.fixture
def event(tmp_path: Path) -> Iterator[RunningEvent]:
    with run_event(tmp_path) as event:
        yield event


@pytest.fixture
def pages(event: RunningEvent, tmp_path: Path) -> Iterator[ServedPages]:
    with serve_pages(event, tmp_path) as pages:
        yield pages


def check_fingers(page: Page) -> None:
    """Whatever is tapped is large enough, and nothing is wider than the phone."""
    for button in page.locator("#choices button, #jokers button, #acts button:visible").all():
        assert box_of(button)["height"] >= FINGER_PX
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def relay(pages: ServedPages) -> Iterator[CutRelay]:
    with CutRelay(pages.server.port) as relay:
        yield relay


def test_two_players_play_an_event_on_their_phones(
    event: RunningEvent, pages: ServedPages, relay: CutRelay, chromium: Chromium
) -> None:
    errors: list[str] = []
    ada, ben = (
        chromium.new_context(viewport=size, has_touch=True).new_page() for size in (UPRIGHT, SMALL)
    )
    ben.clock.install()
    for page, url in ((ada, pages.url), (ben, f"http://127.0.0.1:{relay.port}/")):
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{url}play")
        expect_phase(page, "no event")
    event.begin(games=1)
    join_event(ada, "Ada")
    expect_phase(ada, "hall")
    join_event(ben, "ada")
    expect(ben.locator("#join-why")).to_contain_text("ada is taken")
    join_event(ben, "Ben")
    expect_phase(ben, "hall")
    event.open_game()
    event.throw("13445")
    see_changed_dice(ada, event)
    miss_the_clock(ben)
    for page in (ada, ben):
        expect_phase(page, "choose")
        check_fingers(page)
    assert find_barriers(ada) == []
    begin_without_a_stream(ada)
    expect(ben.locator("#dice [data-face]")).to_have_count(5)
    choose_by_dice(ada)
    choose_without_network(ben)
    for page in (ada, ben):
        expect_phase(page, "between")
        expect(page.locator("#field-choices li.mine")).to_contain_text("50 %")
    relay.cut()
    event.throw("22356")
    expect_phase(ada, "choose")
    # A line that died without a word is opened again after a long silence; looked at before the
    # silence of a slow machine becomes one.
    expect_phase(ben, "between")
    ben.clock.fast_forward(LONG_SILENCE_MS)
    expect_phase(ben, "choose")
    use_corrector(ada)
    use_terminator(ben, event)
    expect_phase(ada, "between")
    expect(ada.locator("#own-sheet .jokers [data-state=used]")).to_have_count(1)
    assert find_barriers(ada) == []
    take_a_break(ben)
    for player in (1, 2):
        event.write(SectionNamed(player, "Ladies", "Olga"))
    event.write(TeamNamed(1, "Owls", "Olga"))
    event.write(GameClosed(1, by="Olga", reason="the evening is over"))
    rows = event.runner.read(lambda state: state.compute_standings().rows)
    event.write(EventResult(tuple((r.player, r.place, r.score) for r in rows), by="Olga"))
    expect_phase(ada, "final")
    mine = next(row.place for row in rows if row.name == "Ada")
    expect(ada.locator("#my-place")).to_have_text(f"{mine}")
    expect(ada.locator("#my-groups")).to_have_text(f"place {mine} in Ladies · Team Owls: place 1")
    total = ada.locator("#my-total")
    assert total.evaluate("all => all.offsetWidth <= all.parentElement.clientWidth")
    assert errors == []


def see_changed_dice(page: Page, event: RunningEvent) -> None:
    """Who has chosen from dice that an official changes is told so, and asked again."""
    expect_phase(page, "choose")
    page.locator("#choices button").first.click()
    page.locator("#do-confirm").click()
    expect_phase(page, "chosen")
    until_ms = event.runner.now_ms() + LONG_CLOCK_MS
    event.write(RollRuling(1, 1, "recompute", "Olga", "a glare", faces="13446", until_ms=until_ms))
    expect_phase(page, "choose")
    expect(page.locator("#news")).to_contain_text("The dice of this roll were changed.")


def begin_without_a_stream(page: Page) -> None:
    """A page shows the roll before its stream is there."""
    page.route("**/event/stream*", lambda route: None)
    page.reload()
    expect_phase(page, "choose")
    page.unroute("**/event/stream*")
    page.reload()
    expect_phase(page, "choose")


def miss_the_clock(page: Page) -> None:
    """A phone without a network offers nothing that the clock has closed."""
    expect(page.locator("#dice [data-die='4']")).to_have_attribute("data-face", "6")
    page.context.set_offline(True)
    page.clock.fast_forward(2 * LONG_CLOCK_MS)
    expect(page.locator("#taken")).to_have_text("Too late: the clock had run out.")
    expect(page.locator("#do-confirm")).to_be_hidden()
    page.context.set_offline(False)
    page.reload()


def choose_by_dice(page: Page) -> None:
    """Two taps make a pair; the sheet shows what the choice would mark."""
    for place in (0, 1, 2, 3):
        page.locator(f"#dice [data-die='{place}']").click()
    expect(page.locator("#choices [aria-current=true]")).to_have_attribute("data-action", "4+8/6")
    expect(page.locator("#own-sheet .after")).to_have_text("→ −100")
    page.keyboard.press("Enter")
    expect(page.locator("#taken[data-safe=true]")).to_be_visible()
    expect(page.locator("#hint")).to_have_text("1 of 2 has chosen")


def choose_without_network(page: Page) -> None:
    """A choice waits on the phone for its network, through a reload."""
    page.context.set_offline(True)
    page.locator("#choices [data-action='5+9/4']").click()
    page.locator("#do-confirm").click()
    expect(page.locator("#taken[data-safe=false]")).to_be_visible()
    page.context.set_offline(False)
    page.reload()


def use_corrector(page: Page) -> None:
    page.locator("#jokers [data-joker=corrector]").click()
    page.locator("#dice [data-die='2']").click()
    page.locator("#turn-to [data-turn-to='6']").click()
    expect(page.locator("#dice [data-die='2']")).to_have_attribute("data-face", "6")
    page.locator("#choices [data-action='4+12/5'], #choices [data-action='4+11/6']").first.click()
    page.locator("#do-confirm").click()
    expect_phase(page, "chosen")


def use_terminator(page: Page, event: RunningEvent) -> None:
    page.locator("#jokers [data-joker=terminator]").click()
    page.locator("#do-confirm").click()
    expect_phase(page, "reserve")
    event.throw("11666")
    expect_phase(page, "choose")
    expect(page.locator("#dice [data-die='4']")).to_have_attribute("data-face", "6")
    page.locator("#choices button").first.click()
    page.locator("#do-confirm").click()
    expect_phase(page, "between")


def take_a_break(page: Page) -> None:
    page.locator("#menu-open").click()
    page.locator("#leave").click()
    expect_phase(page, "away")
    page.locator("#back-again").click()
    expect_phase(page, "between")


def test_a_player_takes_a_round_off(
    event: RunningEvent, pages: ServedPages, chromium: Chromium
) -> None:
    page = chromium.new_context(viewport=SMALL, has_touch=True).new_page()
    event.begin(style="swiss", options={}, games=3, half_byes=1)
    page.goto(f"{pages.url}play")
    join_event(page, "Ada")
    expect_phase(page, "hall")
    rounds = page.locator("#rounds-off li")
    page.locator("#menu-open").click()
    expect(rounds).to_have_text([f"Round {number}Take it off" for number in (1, 2, 3)])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert find_barriers(page) == []
    rounds.nth(1).locator("button").tap()
    expect(page.locator("#menu")).to_be_hidden()
    event.wait_until(lambda state: 1 in state.data.rounds.asked[2])
    page.locator("#menu-open").click()
    expect(rounds).to_have_text(["I take round 2 offPlay it"])
    rounds.locator("button").tap()
    event.wait_until(lambda state: 1 not in state.data.rounds.asked[2])
    page.locator("#menu-open").click()
    expect(rounds).to_have_count(3)


def test_a_phone_on_its_side_shows_the_place_in_a_round(
    event: RunningEvent, pages: ServedPages, chromium: Chromium
) -> None:
    page = chromium.new_context(viewport={"width": 844, "height": 390}).new_page()
    event.begin(style="swiss", options={}, games=3)
    page.goto(f"{pages.url}play")
    join_event(page, "Ada")
    expect_phase(page, "hall")
    expect(page.locator("#papers")).to_be_hidden()
    event.write(PlayerJoined(2, "Ben", by="Olga"))
    thrown = event.table.throw("12345")
    event.send(thrown)
    drawn = event.runner.read(lambda state: compute_draw(state.data, "12345"))
    event.write(DrawMade(1, drawn.tables, "12345", (event.table.source(thrown),)))
    event.write(DrawPublished(1, "Olga"))
    expect(page.locator("#my-place-of")).to_have_text("shared, of 2")
    expect(page.locator("#standing")).to_be_in_viewport()
    event.write(TableResult(1, 1, (5, 3), by="Olga", reason="paper"))
    rows = event.runner.read(lambda state: state.compute_standings().rows)
    event.write(EventResult(tuple((r.player, r.place, r.score) for r in rows), by="Olga"))
    expect_phase(page, "final")
    box = box_of(page.locator("#standing"))
    assert abs(box["x"] + box["width"] / 2 - 422) < 10, "no empty column is beside it"


def draw_round(event: RunningEvent, number: int, faces: str = "") -> DrawMade:
    """Draw and publish a round; by dice if there are faces."""
    sources = []
    if faces:
        event.send(thrown := event.table.throw(faces))
        sources.append(event.table.source(thrown))
    drawn = event.runner.read(lambda state: compute_draw(state.data, faces))
    draw = DrawMade(number, drawn.tables, faces, tuple(sources), drawn.byes)
    event.write(draw)
    event.write(DrawPublished(number, "Olga"))
    return draw


def test_phones_say_who_is_free_won_or_is_out(
    event: RunningEvent, pages: ServedPages, chromium: Chromium
) -> None:
    event.begin(style="knock_out", options={}, games=1)
    phones = {}
    for number, name in enumerate(("Ada", "Ben", "Cleo"), start=1):
        page = phones[number] = chromium.new_context(viewport=SMALL).new_page()
        page.goto(f"{pages.url}play")
        join_event(page, name)
        expect_phase(page, "hall")

    def says(player: int, text: str) -> None:
        expect(phones[player].locator("#news")).to_have_text(re.compile(text))

    draw = draw_round(event, 1, "12345")
    ((winner, loser),), (free,) = draw.tables, draw.byes
    says(free, r"^Round 1: you are free\.$")
    for player in (winner, loser):
        says(player, "^Round 1: Table 1, with ")
    event.write(TableResult(1, 1, (5, 3), (loser,), by="Olga", reason="paper"))
    for player in (winner, loser):
        says(player, r"^Round 1 is played\. What comes next appears here\.\s.*: 5\s.*: 3$")
    says(free, r"^Round 1: you are free\.$")
    draw_round(event, 2)
    says(loser, r"^You are out\. The others play round 2\.$")
    for player in (winner, free):
        says(player, "^Round 2: Table 1, with ")
