# SPDX-License-Identifier: MIT
"""Dice thrown, set by a hand or pushed: drawn paths from one rest to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.drawn import FIVE, SIZE_WH, DrawnDie, draw_tray, make_frames
from tests.vision.readings import ScriptedReader, make_die, make_reading
from vision.frame import Image
from vision.reading import Origin, TrayReading
from vision.tracking.die_histories import split_blob
from vision.tracking.rest_detector import RestDetector

STILL = 16
"""Frames that decide a rest."""


def read(dice: Sequence[DrawnDie]) -> TrayReading:
    return make_reading(*(replace(make_die(d.x, d.y, d.face), angle_deg=d.angle_deg) for d in dice))


def make_flight(die: DrawnDie, start_xy: tuple[float, float], frames: int = 14) -> list[DrawnDie]:
    """Return the frames of a flying die: fast, slowing down, tumbling."""
    x, y = start_xy
    left = [(1.0 - n / frames) ** 2 for n in range(frames)]
    return [
        DrawnDie(n % 6 + 1, die.x + (x - die.x) * share, die.y + (y - die.y) * share, 37.0 * n)
        for n, share in enumerate(left)
    ]


def with_hand(picture: Image, tip_y: float, x: float) -> Image:
    """Draw a hand that reaches up from the lower edge of the picture."""
    shown = picture.copy()
    tip = (int(x), int(tip_y) + 40)
    cv2.line(shown, tip, (int(x), 500), (120, 150, 205), 90, cv2.LINE_AA)
    return shown


@cache
def make_noises() -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Return a few sensor's noises: new ones for every picture would take most of the time."""
    rng = np.random.default_rng(5)
    return [rng.normal(0.0, 3.0, (*SIZE_WH[::-1], 3)).astype(np.float32) for _ in range(7)]


def with_noise(images: Sequence[Image], *, light: float = 0.0) -> list[Image]:
    """Return the pictures with a sensor's noise, under a lamp that flickers by a share."""
    return [
        np.clip(image * (1.0 + light * (-1.0) ** n) + make_noises()[n % 7], 0, 255).astype(np.uint8)
        for n, image in enumerate(images)
    ]


def find_origins(
    before: Sequence[DrawnDie],
    way: Sequence[Image],
    after: Sequence[DrawnDie],
    *,
    light: float = 0.0,
    fps: float = 30.0,
) -> list[Origin | None]:
    """Show a rest, what happens, and the next rest; return how its dice came there."""
    images = [draw_tray(before)] * STILL + list(way) + [draw_tray(after)] * STILL
    frames = make_frames(with_noise(images, light=light), fps=fps)
    detector = RestDetector(ScriptedReader(*[read(before)] * 3, read(after)))
    reading = [detector.process(frame).reading for frame in frames][-1]
    assert reading is not None
    return [die.origin for die in reading.dice]


KEPT = FIVE[:2]
NEW = DrawnDie(4, 430, 200, 0.0)


@pytest.mark.parametrize("light", [0.0, 0.03])
def test_a_die_that_flies_in_is_thrown_and_the_others_are_kept(light: float) -> None:
    way = [draw_tray([*KEPT, die]) for die in make_flight(NEW, (690, 100))]
    found = find_origins(KEPT, way, [*KEPT, NEW], light=light)
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


def test_a_die_is_thrown_on_a_slow_camera_too() -> None:
    way = [draw_tray([*KEPT, die]) for die in make_flight(NEW, (690, 100))[1::4]]
    assert find_origins(KEPT, way, [*KEPT, NEW])[-1] is Origin.THROWN


def roll_out(places_px: Sequence[float | None]) -> list[Image]:
    """Draw a die that comes in from the right; so far from its place, or not seen."""
    shown = ([] if x is None else [replace(NEW, x=NEW.x + x, angle_deg=x)] for x in places_px)
    return [draw_tray([*KEPT, *die]) for die in shown]


@pytest.mark.parametrize("places_px", [(70, 44, 22, 8), (160, None, 52, 24, 8)])
def test_a_die_that_a_few_frames_show_rolling_out_is_thrown(
    places_px: Sequence[float | None],
) -> None:
    found = find_origins(KEPT, roll_out(places_px), [*KEPT, NEW], fps=6.0)
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


def test_with_few_frames_a_lifted_die_is_not_the_thrown_one() -> None:
    lifted = replace(NEW, x=NEW.x + 95.0, face=6)
    found = find_origins([*KEPT, lifted], roll_out((None, 50, 26, 8)), [*KEPT, NEW], fps=5.0)
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


@pytest.mark.parametrize("fps", [4.0, 6.0, 10.0, 30.0])
def test_a_die_that_appears_under_a_hand_after_a_throw_is_placed(fps: float) -> None:
    lies = DrawnDie(2, 250, 240)
    thrown = [draw_tray([*KEPT, die]) for die in make_flight(lies, (690, 150), 6)]
    before, after = [*KEPT, lies], [*KEPT, lies, NEW]
    hand = with_hand(draw_tray(after), 230, NEW.x + 90)
    sets = [draw_tray(before), *[hand] * max(1, round(0.2 * fps))]
    found = find_origins(KEPT, [*thrown, *sets], after, fps=fps)
    assert found[-1] is Origin.PLACED


def test_a_die_lifted_before_a_throw_does_not_land_beside_it() -> None:
    lands = replace(NEW, x=NEW.x - 45.0, face=2, angle_deg=30.0)
    thrown = [draw_tray([*KEPT, die]) for die in make_flight(lands, (150, -30), 24)[::5]]
    way = [draw_tray(KEPT)] * 2 + thrown
    found = find_origins([*KEPT, NEW], way, [*KEPT, lands], fps=6.0)
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


def test_a_die_that_a_hand_sets_is_placed() -> None:
    comes = [with_hand(draw_tray(KEPT), y, NEW.x) for y in (330, 280, 230, 185, 180, 178)]
    goes = [with_hand(draw_tray([*KEPT, NEW]), y, NEW.x) for y in (182, 230, 290, 340)]
    found = find_origins(KEPT, comes + goes, [*KEPT, NEW])
    assert found == [Origin.KEPT, Origin.KEPT, Origin.PLACED]


def test_a_turned_die_is_turned_and_the_others_are_kept() -> None:
    before, after = [*KEPT, NEW], [*KEPT, replace(NEW, face=2)]
    comes = [with_hand(draw_tray(before), y, NEW.x) for y in (330, 280, 230, 185, 180, 178)]
    goes = [with_hand(draw_tray(after), y, NEW.x) for y in (182, 230, 290, 340)]
    found = find_origins(before, comes + goes, after)
    assert found == [Origin.KEPT, Origin.KEPT, Origin.TURNED]


def test_a_hand_passing_over_a_thrown_die_does_not_place_it() -> None:
    thrown = [draw_tray([*KEPT, die]) for die in make_flight(NEW, (690, 100))]
    lies = draw_tray([*KEPT, NEW])
    passes = [with_hand(lies, y, NEW.x) for y in (330, 240, 180, 175, 230, 320)]
    found = find_origins(KEPT, [*thrown, lies, lies, *passes], [*KEPT, NEW])
    assert found[-1] is Origin.THROWN


def test_a_hand_that_takes_a_die_away_leaves_the_others_kept() -> None:
    before = [*KEPT, NEW]
    comes = [with_hand(draw_tray(before), y, NEW.x) for y in (330, 280, 230, 185, 180)]
    goes = [with_hand(draw_tray(KEPT), y, NEW.x) for y in (182, 230, 290, 340)]
    assert find_origins(before, comes + goes, KEPT) == [Origin.KEPT, Origin.KEPT]


def test_a_die_that_is_pushed_is_kept() -> None:
    pushed = [replace(NEW, x=NEW.x + 3.0 * n) for n in range(6)]
    way = [draw_tray([*KEPT, die]) for die in pushed]
    found = find_origins([*KEPT, NEW], way, [*KEPT, pushed[-1]])
    assert found == [Origin.KEPT] * 3


@pytest.mark.parametrize(("face", "origin"), [(4, Origin.KEPT), (1, Origin.TURNED)])
def test_a_die_that_is_knocked_far_is_followed(face: int, origin: Origin) -> None:
    ends, knocker = DrawnDie(face, 300, 190, 50.0), DrawnDie(6, 445, 200, 10.0)
    strikes = make_flight(knocker, (690, 150), 6)
    knocked = make_flight(ends, (NEW.x, NEW.y), 10)[1:]
    way = [draw_tray([*KEPT, NEW, die]) for die in strikes]
    way += [draw_tray([*KEPT, die, knocker]) for die in knocked]
    found = find_origins([*KEPT, NEW], way, [*KEPT, ends, knocker])
    assert found == [Origin.KEPT, Origin.KEPT, origin, Origin.THROWN]


def straight(start: DrawnDie, end: DrawnDie, frames: int) -> list[DrawnDie]:
    """Return a die that goes evenly from place to place, without the end itself."""
    shares = [n / frames for n in range(frames)]
    return [
        replace(end, x=start.x + (end.x - start.x) * n, y=start.y + (end.y - start.y) * n)
        for n in shares
    ]


def test_dice_whose_paths_cross_are_not_swapped() -> None:
    knocked, thrown = DrawnDie(4, 250, 240), DrawnDie(2, 470, 290, 50.0)
    meets = DrawnDie(4, 352, 250), DrawnDie(2, 374, 262, 50.0)
    comes = DrawnDie(2, 560, 180, 50.0)
    ways = [
        straight(NEW, meets[0], 8) + straight(meets[0], knocked, 8),
        straight(comes, meets[1], 8) + straight(meets[1], thrown, 8),
    ]
    way = [draw_tray([*KEPT, *dice]) for dice in zip(*ways, strict=True)]
    enters = [draw_tray([*KEPT, NEW, die]) for die in make_flight(comes, (690, 130), 8)]
    found = find_origins([*KEPT, NEW], [*enters, *way], [*KEPT, knocked, thrown])
    assert found == [Origin.KEPT, Origin.KEPT, Origin.UNSEEN, Origin.UNSEEN]


def test_a_die_that_is_overtaken_side_by_side_is_followed() -> None:
    """Both are one blob for some frames, too far apart to be swapped."""
    knocked, thrown = DrawnDie(4, 250, 200, 0.0), DrawnDie(2, 150, 240, 0.0)
    comes = DrawnDie(2, 560, 240, 0.0)
    ways = [straight(NEW, knocked, 16), straight(comes, thrown, 16)]
    before, after = [*KEPT[:1], NEW], [*KEPT[:1], knocked, thrown]
    way = [draw_tray([KEPT[0], *dice]) for dice in zip(*ways, strict=True)]
    enters = [draw_tray([KEPT[0], NEW, die]) for die in straight(replace(comes, x=690), comes, 5)]
    found = find_origins(before, [*enters, *way], after)
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


def test_a_die_thrown_onto_a_lifted_equal_die_is_not_kept() -> None:
    lands = replace(NEW, x=NEW.x + 12.0, angle_deg=40.0)
    lifted = [draw_tray(KEPT)] * 3
    way = lifted + [draw_tray([*KEPT, die]) for die in make_flight(lands, (690, 100))]
    found = find_origins([*KEPT, NEW], way, [*KEPT, lands])
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


def test_a_die_that_appears_in_a_gap_is_unseen() -> None:
    assert find_origins(KEPT, [], [*KEPT, NEW])[-1] is Origin.UNSEEN


def test_a_die_that_appears_while_the_view_is_covered_is_unseen() -> None:
    covered = [np.full((*SIZE_WH[::-1], 3), grey, np.uint8) for grey in (30, 90, 40)]
    found = find_origins(KEPT, [draw_tray(KEPT), *covered], [*KEPT, NEW])
    assert found == [Origin.KEPT, Origin.KEPT, Origin.UNSEEN]


@pytest.mark.parametrize("tip_y", [180, 230])
def test_a_die_is_placed_if_one_slow_frame_shows_the_hand(tip_y: float) -> None:
    hand = with_hand(draw_tray([*KEPT, NEW]), tip_y, NEW.x)
    found = find_origins(KEPT, [draw_tray(KEPT), hand], [*KEPT, NEW], fps=4.0)
    assert found[-1] is Origin.PLACED


def test_a_bunch_blurred_to_the_size_of_a_hand_is_thrown() -> None:
    """Only its time of two frames distinguishes it from a hand."""
    way = [draw_tray([*KEPT, die]) for die in make_flight(NEW, (640, 60))]
    arm = with_hand(draw_tray(KEPT), 330, NEW.x)
    found = find_origins(KEPT, [arm, arm, *way], [*KEPT, NEW])
    assert found == [Origin.KEPT, Origin.KEPT, Origin.THROWN]


def test_a_hand_that_holds_still_over_the_tray_is_no_rest() -> None:
    before = [*KEPT, NEW]
    images = [draw_tray(before)] * STILL
    images += [with_hand(draw_tray(before), y, NEW.x) for y in (330, 240)]
    images += [with_hand(draw_tray(before), 180, NEW.x)] * 40
    reader = ScriptedReader(read(before))
    detector = RestDetector(reader)
    for frame in make_frames(with_noise(images)):
        detector.process(frame)
    assert reader.reads == 3


def test_an_object_that_stays_is_read_after_a_while() -> None:
    images = [draw_tray(KEPT)] * STILL + [with_hand(draw_tray(KEPT), 180, NEW.x)] * 90
    reader = ScriptedReader(read(KEPT))
    detector = RestDetector(reader)
    for frame in make_frames(with_noise(images)):
        detector.process(frame)
    assert reader.reads == 6


def square(x: float, y: float) -> list[tuple[float, float]]:
    return [(x + dx, y + dy) for dx in range(-5, 6) for dy in range(-5, 6)]


@pytest.mark.parametrize("expected", [((11, 20), (24, 20)), ((13, 24), (16, 15))])
def test_dice_side_by_side_are_found_from_wrong_guesses(
    expected: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    pixels = np.array([*square(10, 20), *square(21, 20)], np.float64)
    found = split_blob(pixels, [np.array(each, np.float64) for each in expected])
    assert np.allclose(found, [(10, 20), (21, 20)], atol=1.0)


def test_a_die_without_pixels_keeps_its_predicted_position() -> None:
    places = [np.array([10.0, 20.0]), np.array([90.0, 90.0])]
    found = split_blob(np.array(square(10, 20), np.float64), places)
    assert np.allclose(found, places)
