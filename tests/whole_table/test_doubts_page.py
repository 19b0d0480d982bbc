# SPDX-License-Identifier: MIT
"""Every doubt is ringed where it is in the picture, and says what to do, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from controller.table import events as on
from controller.table.events import Event, TrayDoubt
from controller.table.machine import step
from controller.table.state import TableState
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import CONFIRM, play, table, throw_of, thrown
from tests.whole_table.conftest import OpenPage, box_of, is_inside

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize(
    "size", first_quick((800, 480), (1280, 800)), ids=["small", "large"]
)
PICTURE_WH = (1280, 720)
_, _JPEG = cv2.imencode(".jpg", np.full((PICTURE_WH[1], PICTURE_WH[0], 3), 90, np.uint8))

PLACES = {
    "cocked": (200.0, 200.0),
    "stacked": (640.0, 200.0),
    "glare": (1080.0, 200.0),
    "off the felt": (30.0, 430.0),
    "foreign object": (640.0, 690.0),
    "unsure": (1250.0, 60.0),
}
DOUBTS = tuple(TrayDoubt(kind, f"It is {kind}. Mend it.", at, 60.0) for kind, at in PLACES.items())
LABELS = {"cocked": "leaning", "foreign object": "not a die", "unsure": "unclear"}
COUNT = TrayDoubt("count", "3 of 5 dice are read. Lay all of them apart and flat.")


def page_of(open_page: OpenPage, shown: PageTable, size: tuple[int, int]) -> Page:
    shown.frames.shown = (1, _JPEG.tobytes())
    page = open_page(shown, size=size)
    page.wait_for_function("() => document.getElementById('tray-picture').width > 0")
    return page


def doubtful(*doubts: TrayDoubt) -> TableState:
    return play(table("Ada"), on.MotionStarted(), on.MotionStopped(), on.ReadingDoubtful(doubts))


def place_in_picture(page: Page, node: Locator) -> tuple[float, float]:
    """Return the middle of what is drawn, in pixels of the picture."""
    box, picture = box_of(node), box_of(page.locator("#tray-picture"))
    x = (box["x"] + box["width"] / 2 - picture["x"]) / picture["width"]
    y = (box["y"] + box["height"] / 2 - picture["y"]) / picture["height"]
    return x * PICTURE_WH[0], y * PICTURE_WH[1]


def are_apart(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


@SIZES
def test_every_kind_is_ringed_labelled_and_told_at_its_place(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = page_of(open_page, PageTable(doubtful(*DOUBTS, COUNT)), size)
    for number, (kind, place) in enumerate(PLACES.items(), start=1):
        mark = page.locator(f".doubt[data-kind='{kind}']")
        assert place_in_picture(page, mark.locator("circle")) == pytest.approx(place, abs=8.0)
        expect(mark).to_have_text(f"{number} {LABELS.get(kind, kind)}")
        told = page.locator(f"#doubts li[data-kind='{kind}']")
        expect(told).to_contain_text(f"It is {kind}. Mend it.")
    # The doubtful dice are all five, so their number needs no message of its own.
    expect(page.locator(".doubt[data-kind='count']")).to_have_count(0)
    expect(page.locator("#doubts li")).to_have_count(len(DOUBTS))
    room, picture = box_of(page.locator("#doubts")), box_of(page.locator("#tray-frame"))
    for told in page.locator("#doubts li").all():
        assert is_inside(box_of(told), room)
    labels = [box_of(label) for label in page.locator(".doubt-label span").all()]
    assert all(is_inside(label, picture) for label in labels)
    assert all(are_apart(one, two) for i, one in enumerate(labels) for two in labels[:i])
    for kind, place in PLACES.items():
        mark = page.locator(f".doubt[data-kind='{kind}']")
        x, y = place_in_picture(page, mark.locator(".doubt-label span"))
        assert abs(x - place[0]) < 180.0
        assert abs(y - place[1]) < 150.0


@SIZES
def test_labels_hide_no_die_no_ring_and_each_other_neither(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    """A die leans against the wall, a second one is not sure right beside it, one is missing."""
    leaning = [
        TrayDoubt(kind, "Mend it.", (x, 60.0), 40.0)
        for kind, x in (("cocked", 600.0), ("unsure", 690.0))
    ]
    lying = tuple(
        replace(die, center_px=place, angle_deg=angle)
        for die, place, angle in zip(
            thrown("1234"),
            ((660.0, 165.0), (560.0, 240.0), (930.0, 210.0), (30.0, 690.0)),
            (52.0, 20.0, 58.0, 0.0),
            strict=True,
        )
    )
    state = doubtful(*leaning, COUNT)
    state = replace(state, reading=replace(state.reading, dice=lying))
    page = page_of(open_page, PageTable(state), size)
    expect(page.locator("#tray-marks .die-mark")).to_have_count(4)
    picture = box_of(page.locator("#tray-frame"))
    labels = [box_of(label) for label in page.locator(".doubt-label span").all()]
    hidden = [box_of(mark) for mark in page.locator(".die-mark > rect, .die-mark > circle").all()]
    rings = [box_of(ring) for ring in page.locator(".doubt circle").all()]
    assert all(is_inside(label, picture) for label in labels)
    assert all(are_apart(label, other) for label in labels for other in (*hidden, *rings))
    assert all(are_apart(one, two) for i, one in enumerate(labels) for two in labels[:i])


def test_a_label_without_room_covers_a_die_not_a_label(open_page: OpenPage) -> None:
    page = page_of(open_page, PageTable(doubtful(COUNT)), (800, 480))
    places = page.evaluate(
        """async () => (await import("/static/js/dice_panel/labels.js")).placeLabels(
            [1, 2].map(() => ({ x: 100, y: 50, radius: 10, width: 80, height: 20 })),
            [{ left: 0, top: 0, right: 200, bottom: 100 }], { width: 200, height: 100 }, 2)"""
    )
    boxes = [
        FloatRect(
            x=place["left"],
            y=place["top"],
            width=place["right"] - place["left"],
            height=place["bottom"] - place["top"],
        )
        for place in places
    ]
    assert [(box["width"], box["height"]) for box in boxes] == [(80, 20), (80, 20)]
    assert are_apart(*boxes)
    assert all(is_inside(box, FloatRect(x=0, y=0, width=200, height=100)) for box in boxes)


def test_doubts_are_numbered_and_the_same_is_told_once(open_page: OpenPage) -> None:
    text = "This can't be read for certain. Move it a little."
    unsure = [TrayDoubt("unsure", text, (200.0 * i, 300.0), 60.0) for i in range(1, 6)]
    shown = PageTable(doubtful(DOUBTS[0], *unsure))
    page = page_of(open_page, shown, (1280, 800))
    expect(page.locator("#doubts li")).to_have_count(2)
    rings = page.locator(".doubt[data-kind=unsure]")
    expect(rings).to_have_text([f"{number} unclear" for number in range(2, 7)])
    numbers = page.locator("#doubts li").evaluate_all("all => all.map(x => x.dataset.numbers)")
    assert numbers == ["1", "2 3 4 5 6"]

    text = "A die leans. Lay it flat."
    shown.put(doubtful(*(TrayDoubt("cocked", text, (300.0 * i, 300.0), 60.0) for i in (1, 2))))
    expect(page.locator(".doubt[data-kind=cocked]")).to_have_text(["1 leaning", "2 leaning"])
    expect(page.locator("#headline")).to_have_text("2 dice lean")
    expect(page.locator("#doubts li")).to_have_attribute("data-numbers", "1 2")

    shown.put(play(table("Ada"), *throw_of("1344")))
    expect(page.locator(".doubt")).to_have_text(["1 number"])
    frame, picture = page.locator(".doubt rect"), box_of(page.locator("#tray-picture"))
    assert box_of(frame)["width"] == pytest.approx(picture["width"], rel=0.05)
    expect(page.locator("#doubts")).to_contain_text("One die is missing: 4 of 5 are read.")


def test_a_missing_die_is_ringed_where_it_may_be_hidden(open_page: OpenPage) -> None:
    dice = thrown("1344", spot=3)
    hider = TrayDoubt("count", "", dice[2].center_px, 60.0)
    missing = play(
        table("Ada"), on.MotionStarted(), on.MotionStopped(), on.DiceRead(dice, hider=hider)
    )
    page = page_of(open_page, PageTable(missing), (800, 480))
    expect(page.locator(".doubt")).to_have_text(["1 hidden here?"])
    ring = page.locator(".doubt circle")
    assert place_in_picture(page, ring) == pytest.approx(dice[2].center_px, abs=8.0)
    expect(page.locator("#doubts")).to_contain_text("One die is missing: 4 of 5 are read.")


@SIZES
def test_a_placed_die_is_ringed_confirmed_and_stays_marked(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    dice = thrown("13446", spot=3)
    events: tuple[Event, ...] = (
        on.MotionStarted(),
        on.MotionStopped(),
        on.DiceRead((*dice[:4], replace(dice[4], origin="placed"))),
    )
    state = table("Ada", "Ben")
    for event in events:
        state, _ = step(state, event)
    page = page_of(open_page, PageTable(state), size)
    ring = page.locator(".doubt[data-kind=placed] circle")
    assert place_in_picture(page, ring) == pytest.approx(dice[4].center_px, abs=8.0)
    expect(page.locator("#doubts")).to_contain_text("The 6 here was set by a hand.")
    expect(page.locator("#confirm-here")).to_have_text("let it count")
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_have_text("Ada chooses")
    marked = page.locator("#dice [data-placed=true]")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("data-face", "6")
    assert "set by hand" in str(marked.get_attribute("aria-label"))
    word = marked.evaluate("die => getComputedStyle(die, '::before').content")
    assert word == '"set"'
    assert play(state, CONFIRM).play.rolls == 1
