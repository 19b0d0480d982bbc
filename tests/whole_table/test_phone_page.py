# SPDX-License-Identifier: MIT
"""
Players with phones of their own, in real browsers: joining, playing together, and coming back.

The box's screen and every phone are browsers of their own. A phone calls the box by another name
or address than its own screen does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.base.settings.choices import Confirm
from controller.runtime.access.tickets import LASTS_S, CodePerGame, TicketKind
from controller.table import events as on
from controller.table.state import Phase, TableState
from controller.table.view.viewer import WATCHER
from tests.support.cut_relay import CutRelay
from tests.support.demo_process import DemoProcess
from tests.support.phone_table import BOX_SCREEN, SIDEWAYS, UPRIGHT, PhoneTable, say_who
from tests.support.quick import first_quick
from tests.support.run_process import free_port
from tests.support.table import (
    die,
    doubtful_throw,
    finished_table,
    lobby_of,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)
from tests.whole_table.conftest import Chromium, box_of, is_inside, wait_for_layout

pytestmark = pytest.mark.browser

FINGER_PX = 48
SIX = tuple(enumerate(("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")))

OpenTable = Callable[[TableState], PhoneTable]


@pytest.fixture
def open_table(chromium: Chromium, tmp_path: Path) -> Iterator[OpenTable]:
    opened: list[PhoneTable] = []
    with ExitStack() as closing:

        def open_it(state: TableState) -> PhoneTable:
            opened.append(PhoneTable(state, tmp_path, chromium, closing))
            return opened[-1]

        yield open_it
        for table in opened:
            print(f"--- the table: {table.table.state.phase}, {table.table.sent}")  # noqa: T201
    assert [table.complaints for table in opened] == [[] for _ in opened]


def current(page: Page) -> str:
    return page.locator("#choices [aria-current='true']").get_attribute("data-choice") or ""


def test_two_phones_and_the_box_play_one_roll_together(open_table: OpenTable) -> None:
    at = open_table(rolled_table("13446", "Ada", "Ben", "Cleo"))
    box, ada, ben = at.box(), at.phone("Ada"), at.phone("Ben")
    assert "code" not in ada.url
    ada.locator("[data-choice='3']").tap()
    expect(ada.locator("[data-choice='3']")).to_have_attribute("aria-current", "true")
    ben.locator("[data-choice='1']").tap()
    expect(ben.locator("[data-choice='1']")).to_have_attribute("aria-current", "true")
    assert current(ada) == "3"
    expect(ada.locator("#own-sheet .card")).to_have_attribute("data-player", "Ada")
    expect(ada.locator("#own-sheet [data-pending]:not([data-pending='0'])")).not_to_have_count(0)
    assert ada.evaluate("vibrations") == 1

    ben.locator("#do-confirm").tap()
    expect(ada.locator("#table-row [data-name='Ben']")).to_have_attribute("data-state", "done")
    assert current(ada) == "3"
    assert ada.evaluate("vibrations") == 1
    # On a computer, Enter confirms the choice that was clicked, not the button clicked last.
    ada.keyboard.press("Enter")
    # A key that answers an older question is refused.
    for name in ("Ada", "Ben"):
        expect(box.locator(f"[data-player='{name}']")).to_have_attribute("data-state", "done")
    box.keyboard.press("Enter")
    expect(ada.locator("body")).to_have_attribute("data-phase", "awaiting roll")
    expect(box.locator("body")).to_have_attribute("data-phase", "awaiting roll")


def test_a_seat_is_asked_for_once_and_freed_at_the_box(open_table: OpenTable) -> None:
    at = open_table(rolled_table("13446"))
    thief, ada, box = at.phone("Ada"), at.phone(), at.box()
    expect(ada.locator("#who-names [data-name='Ada']")).to_contain_text("has a phone")
    ada.locator("#who-names [data-name='Ada']").tap()
    expect(ada.locator("#who-why")).to_contain_text("Another phone plays for Ada")
    box.locator("#phones-open").click()
    box.get_by_role("button", name="Free Ada's phone").click()
    expect(thief.locator("#who-why")).to_contain_text("Your seat was freed")
    expect(thief.locator("#choices")).to_be_hidden()
    say_who(ada, "Ada")
    expect(box.locator("#seats-with-phones")).to_contain_text("Ada")


def test_the_lobby_shows_the_link_and_a_phone_adds_a_name(open_table: OpenTable) -> None:
    at = open_table(TableState())
    box = at.box()
    expect(box.locator("#join-card")).to_contain_text(f"Code {at.access.pairing_code()}")
    expect(box.locator("#join-card")).to_contain_text(f":{at.server.port}/join")
    expect(box.locator("#join-card img")).to_have_js_property("complete", value=True)
    expect(box.locator("#join-card img")).not_to_have_js_property("naturalWidth", 0)
    zoe = at.phone()
    zoe.locator("#new-name").fill("Zoë")
    zoe.get_by_role("button", name="Sit down").tap()
    expect(zoe.locator("#own-players")).to_contain_text("Zoë")
    expect(box.locator("#seats")).to_contain_text("Zoë")
    zoe.locator("#own-games button").first.tap()
    zoe.locator("#start").tap()
    expect(box.locator("body")).to_have_attribute("data-phase", "awaiting roll")
    assert at.table.state.phase is Phase.AWAITING_ROLL


def test_a_shown_code_is_large_enough_for_a_phone(open_table: OpenTable) -> None:
    """Where there is no space for it, the address is shown."""
    at = open_table(play(TableState(), *(on.SeatTaken(seat, name) for seat, name in SIX)))
    box = at.box()
    card, code = box.locator("#join-card"), box.locator("#join-card img")
    shown: dict[tuple[int, int], bool] = {}
    for width, height in ((800, 480), BOX_SCREEN, SIDEWAYS, UPRIGHT, (480, 800)):
        box.set_viewport_size({"width": width, "height": height})
        wait_for_layout(box)
        shown[width, height] = code.is_visible()
        if code.is_visible():
            assert box_of(code)["width"] >= 110
        else:
            address = card.locator("[data-join=address]")
            assert is_inside(box_of(address), box_of(card))
    assert [size for size, is_shown in shown.items() if is_shown] == [UPRIGHT, (480, 800)]
    box.locator("#start").focus()
    box.keyboard.press("Tab")
    expect(card).to_be_focused()


def test_who_started_the_game_pauses_and_leaves_it(open_table: OpenTable) -> None:
    at = open_table(lobby_of("Ada", "Ben"))
    ada, ben = at.phone("Ada"), at.phone("Ben")
    ada.locator("#start").tap()
    for phone, count in ((ada, 1), (ben, 0)):
        expect(phone.locator("body")).to_have_attribute("data-phase", "awaiting roll")
        phone.locator("#menu-open").tap()
        expect(phone.locator("#give-up")).to_be_visible()
        for name in ("pause", "leave"):
            expect(phone.locator(f"#{name}:visible")).to_have_count(count)
    ada.locator("#pause").tap()
    expect(ben.locator("body")).to_have_attribute("data-phase", "paused")
    expect(ben.locator("#acts button:visible")).to_have_count(0)
    for answer in ("leave", "continue"):
        if answer == "leave":
            ada.locator("#menu-open").tap()
        expect(ben.locator(f"#{answer}")).to_be_hidden()
        ada.locator(f"#{answer}").tap()
        expect(ben.locator("#own-lobby")).to_be_visible(visible=answer == "leave")
    assert at.table.state.phase is Phase.AWAITING_ROLL


def test_who_started_the_game_plays_again_from_the_phone(open_table: OpenTable) -> None:
    at = open_table(lobby_of("Ada", "Ben"))
    ada, ben = at.phone("Ada"), at.phone("Ben")
    ada.locator("#start").tap()
    expect(ada.locator("body")).to_have_attribute("data-phase", "awaiting roll")
    at.table.happen(*throw_of("13446"))
    ada.locator("#menu-open").tap()
    ada.locator("#count").tap()
    expect(ada.locator("#again")).to_have_text("Play again: Ben begins")
    expect(ben.locator("#own-next")).to_have_text("If the table plays again, Ben begins.")
    expect(ben.locator("#again")).to_be_hidden()
    ada.locator("#again").tap()
    expect(ben.locator("body")).to_have_attribute("data-phase", "awaiting roll")
    expect(ada.locator("#finale")).to_be_hidden()
    position = at.table.state.play.position
    assert position is not None
    assert position.players == ("Ben", "Ada")


def test_a_phone_has_a_roll_reviewed_until_its_seat_expires(open_table: OpenTable) -> None:
    at = open_table(rolled_table("13446"))
    box, ada, ben = at.box(), at.phone("Ada"), at.phone("Ben")
    ben.locator("#menu-open").tap()
    ben.locator("#review").tap()
    expect(box.locator("#hint")).to_contain_text("Ben asked to see it again")
    expect(ada.locator("#own-review")).to_be_visible()
    expect(ada.locator("#acts button:visible")).to_have_count(0)
    ben.locator("#do-confirm").tap()
    expect(ada.locator("#own-review")).to_be_hidden()
    for phone in (ada, ben):
        phone.locator("#menu-open").tap()
        expect(phone.locator("#give-up")).to_be_visible()
        expect(phone.locator("#review")).to_be_hidden()

    at.now_s += LASTS_S[TicketKind.PHONE] + 1.0
    CodePerGame(at.access).on_idle()
    expect(ada.locator("#code-why")).to_contain_text("a day has passed")
    assert at.table.state.setup.phone_players == ()


ROLLED = rolled_table("13446")
JOKERS = play(
    TableState(), on.GameStarted("choice", ("Ada", "Ben"), {"jokers": True}), *throw_of("13446")
)
NINES = play(TableState(), on.GameStarted("wuerfelspiel", ("Ada", "Ben"), {}), *throw_of("13446"))
TWO_COLOURS = play(
    TableState(),
    on.GameStarted("black-n-white", ("Ada", "Ben"), {"chips_per_player": 3}),
    *rest_of(die(4, 100.0), die(6, 300.0, is_black=True)),
)
MOVED = on.DeviceLost("camera", "The camera was moved.", "Put it back.", "moved")
EVERY_PHASE = (
    play(ROLLED, on.GameLeft()),
    table(),
    ROLLED,
    NINES,
    TWO_COLOURS,
    JOKERS,
    play(JOKERS, on.ActionRequested("Ada", "terminator")),
    play(NINES, *rest_of(*NINES.dice_on_felt[:2])),
    play(table(), *doubtful_throw()),
    play(table(confirm=Confirm.BUTTON), *throw_of("13446")),
    play(ROLLED, on.ReviewRequested(by="Ada")),
    play(ROLLED, on.PauseRequested()),
    play(ROLLED, MOVED),
    finished_table(),
)
ENABLED_BUTTONS = """() => [...document.querySelectorAll("button, select, input, a")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
    .map((one) => one.id || one.className || one.textContent)"""


def test_a_phone_throws_what_it_marks_without_a_confirm(open_table: OpenTable) -> None:
    at = open_table(NINES)
    ada = at.phone("Ada")
    expect(ada.locator("#do-throw")).to_be_hidden()
    ada.locator("#dice [data-die='1']").tap()
    expect(ada.locator("#dice [data-die='1']")).to_have_attribute("data-tag", "again")
    ada.locator("#do-throw").tap()
    expect(ada.locator("body")).to_have_attribute("data-phase", "awaiting roll")
    assert at.table.state.play.undoable[-1].action == "hold 1446"


def test_crosses_beyond_the_boxes_do_not_cover_the_points(open_table: OpenTable) -> None:
    ada = open_table(finished_table("Ada", "Ben")).phone("Ada", SIDEWAYS)
    line = ada.locator("#own-sheet [data-sum='2']")
    more, points = line.locator(".more").bounding_box(), line.locator(".points").bounding_box()
    assert more
    assert points
    assert more["x"] + more["width"] <= points["x"]


def test_the_plot_of_a_game_names_six_players_in_full(open_table: OpenTable) -> None:
    six = ("Ada", "Ben", "Clementine", "Dragoslav", "Eva-Maria", "Finn")
    ada = open_table(finished_table(*six)).phone("Ada")
    expect(ada.locator("#scores .key text")).to_have_text(six)


def test_the_plot_of_a_game_grows_with_the_box_screen(open_table: OpenTable) -> None:
    box = open_table(finished_table("Ada", "Ben")).box()
    plot = box.locator("#scores svg")
    low = plot.bounding_box()
    box.set_viewport_size({"width": 1920, "height": 1080})
    box.wait_for_function(
        "low => document.querySelector('#scores svg').getBoundingClientRect().height > low * 1.2",
        arg=low["height"] if low else 0,
    )


def test_a_watcher_sees_no_button_that_does_nothing(open_table: OpenTable) -> None:
    at = open_table(TableState())
    watcher = at.open(at.phone_url)
    guest = at.phone()
    guest.get_by_role("link", name="Just watch").tap()
    for state in EVERY_PHASE:
        at.table.put(state)
        for page in (watcher, guest):
            expect(page.locator("body")).to_have_attribute("data-phase", state.phase.value)
            expect(page.locator("#headline")).to_have_text(at.table.snapshot(WATCHER)["headline"])
            assert set(page.evaluate(ENABLED_BUTTONS)) <= {
                "language",
                "help-open",
                "join",
                "look-open",
                "mute",
                "sheets-open",
            }


def test_a_wrong_code_is_told_and_the_right_one_typed(open_table: OpenTable) -> None:
    at = open_table(rolled_table("13446"))
    old = at.link
    at.access.new_code()
    phone = at.open(old)
    expect(phone.locator("#code-why")).to_have_text("That is not the code.")
    expect(phone.locator("#stage-code")).to_contain_text("A new game has a new code")
    assert "code" not in phone.url
    for _ in range(3):
        phone.locator("#code").fill("0")
        phone.get_by_role("button", name="Join").tap()
        expect(phone.locator("#code")).to_have_value("")
    expect(phone.locator("#code-why")).to_contain_text("Wait 5 s")
    other = at.open(f"{at.phone_url}join?code={at.access.pairing_code()}")
    expect(other.locator("#code-why")).to_contain_text("Too many wrong tries")


def test_phones_that_were_sent_away_are_asked_for_the_new_code(open_table: OpenTable) -> None:
    at = open_table(rolled_table("13446"))
    ada = at.phone("Ada")
    at.access.revoke_phone_tickets()
    expect(ada.locator("#code-why")).to_contain_text("All phones were sent away")
    ada.locator("#code").fill(at.access.pairing_code())
    ada.get_by_role("button", name="Join").tap()
    say_who(ada, "Ada")


HOLD_TIMERS = "() => { window.setTimeout = () => 0; window.setInterval = () => 0; }"
WAKE = """(wake) => {
    const began = performance.now();
    const seen = document.body.dataset.version;
    new MutationObserver(() => {
        const { dataset } = document.body;
        if (dataset.version !== seen) dataset.backMs ??= performance.now() - began;
    }).observe(document.body, { attributes: true });
    const now = Date.now;
    Date.now = () => now() + 60_000; // a long sleep
    (wake === "online" ? window : document).dispatchEvent(new Event(wake));
}"""


@pytest.mark.parametrize("wake", ["online", "visibilitychange"])
def test_a_phone_that_wakes_up_is_back_in_its_seat_at_once(
    open_table: OpenTable, wake: str
) -> None:
    """No timer of the page runs after the cut, so only the event can bring it back."""
    at = open_table(rolled_table("13446"))
    with CutRelay(at.server.port) as relay:
        phone = at.open(at.link.replace(f":{at.server.port}", f":{relay.port}"))
        expect(phone.locator("#stage-who")).to_be_visible()
        say_who(phone, "Ada")
        expect(phone.locator("body")).to_have_attribute("data-player", "Ada")
        phone.evaluate(HOLD_TIMERS)
        relay.cut()
        index = len(relay.asked)
        at.table.happen(on.PhonesBound(("Ada",)))
        at.table.happen(on.PhonesBound(("Ada", "Ben")))
        phone.evaluate(WAKE, wake)
        expect(phone.locator("body")).to_have_attribute("data-back-ms", re.compile(r"\d"))
        took_ms = float(phone.locator("body").get_attribute("data-back-ms") or "")
        print(f"--- back after {took_ms:.0f} ms")  # noqa: T201
        assert any(line.startswith("GET /events") for line in relay.asked[index:])
        expect(phone.locator("body")).to_have_attribute("data-player", "Ada")
        expect(phone.locator("#stage-seat")).to_be_visible()
        assert not phone.locator("#lost").is_visible()


def test_a_restart_of_the_box_keeps_every_seat(chromium: Chromium, tmp_path: Path) -> None:
    """The page stays open while the table is killed and started again."""
    options = ("--port", str(free_port()), "--phones", "play", "--seed", "5")
    with DemoProcess(tmp_path, *options) as demo:
        box = chromium.new_page(viewport={"width": 1280, "height": 800})
        box.goto(demo.url)
        code = box.evaluate("fetch('/login/pairing').then(answer => answer.json())")["code"]
        url = f"http://localhost:{options[1]}/"
        phone = chromium.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
        phone.goto(f"{url}join#code={code}")
        say_who(phone, "Ada")
        demo.kill()
        expect(phone.locator("#lost")).to_be_visible()
    with DemoProcess(tmp_path, *options):
        expect(phone.locator("#lost")).to_be_hidden()
        expect(phone.locator("body")).to_have_attribute("data-player", "Ada")
        phone.reload()
        expect(phone.locator("#stage-seat")).to_be_visible()
        expect(phone.locator("#own-sheet .card")).to_have_attribute("data-player", "Ada")
        phone.context.close()
        box.context.close()


SCROLLS = "() => document.documentElement.scrollWidth > innerWidth"
SMALL_BUTTONS = f"""() => [...document.querySelectorAll(
    "#acts button, #choices button, #who-names button, #menu-open, #others-open, #menu button"
)].filter((one) => {{
    const box = one.getBoundingClientRect();
    return box.width > 0 && (box.height < {FINGER_PX - 0.5} || box.width < {FINGER_PX - 0.5});
}}).map((one) => one.id || one.textContent)"""

SHOWS_WHOLE_SHEET = """() => {
    const { bottom } = document.querySelector("#own-sheet .card").getBoundingClientRect();
    return bottom <= innerHeight && document.querySelector("#own-sheet .jokers button") !== null;
}"""

GAMES = {"choice": JOKERS, "black-n-white": TWO_COLOURS, "wuerfelspiel": NINES}


@pytest.mark.parametrize("size", first_quick((360, 640), UPRIGHT, SIDEWAYS))
@pytest.mark.parametrize("game", GAMES)
def test_a_phones_page_fits_its_screen_and_fingers(
    open_table: OpenTable, game: str, size: tuple[int, int]
) -> None:
    at = open_table(GAMES[game])
    phone = at.phone(size=size)
    assert not phone.evaluate(SCROLLS)
    say_who(phone, "Ada")
    expect(phone.locator("#own-sheet .card")).to_be_visible()
    assert not phone.evaluate(SCROLLS)
    assert phone.evaluate(SMALL_BUTTONS) == []
    if (game, size) == ("choice", SIDEWAYS):
        assert phone.evaluate(SHOWS_WHOLE_SHEET), "with its jokers, without scrolling"
    phone.locator("#others-open").tap()
    expect(phone.locator("#others [data-player='Ben']")).to_be_visible()
    assert not phone.evaluate(SCROLLS)
    assert phone.locator("kbd").count() == 0
