# SPDX-License-Identifier: MIT
"""A shake throws all dice under a dome; a push, a turn or a knock of it throws none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.vision.drawn import draw_tray, make_frames
from tests.vision.readings import EDGE_PX, ScriptedReader, make_die, make_reading
from vision.checks.messages import NO_DOME
from vision.frame import Image
from vision.reading import DieReading, DomeFoot, Origin, Point, TrayReading
from vision.tracking.rest_detector import RestDetector
from vision.tracking.shaken import assign_origins_under_dome

FACES = (1, 3, 4, 4, 6)
PLACES = ((-60.0, -20.0), (10.0, -70.0), (55.0, 10.0), (0.0, 50.0), (-40.0, 45.0))
ELSEWHERE = ((40.0, -45.0), (-15.0, 10.0), (-65.0, 20.0), (30.0, 60.0), (70.0, 20.0))


def under(
    faces: Sequence[int] = FACES,
    places: Sequence[Point] = PLACES,
    *,
    middle: Point = (300.0, 180.0),
    turn_deg: float = 0.0,
) -> TrayReading:
    """Return a reading of dice at these places from the middle of a turned dome."""
    turn = np.deg2rad(turn_deg)
    ways = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    seen = np.array(places).reshape(-1, 2) @ ways + middle
    dice = [make_die(float(x), float(y), face) for (x, y), face in zip(seen, faces, strict=True)]
    return replace(make_reading(*dice), dome=DomeFoot(middle, (middle,) * 3, 1.0))


def origins(before: TrayReading | None, now: TrayReading) -> list[Origin | None]:
    return [die.origin for die in assign_origins_under_dome(before, now).dice]


def test_a_shake_throws_every_die() -> None:
    """Also if one of them comes to rest where it was, with its old face."""
    moved = (PLACES[0], *ELSEWHERE[1:])
    for places in (ELSEWHERE, moved):
        now = under((1, 2, 2, 5, 6), places, middle=(360.0, 150.0))
        assert origins(under(), now) == [Origin.THROWN] * 5


def test_a_pushed_or_turned_dome_keeps_its_dice() -> None:
    for now in (under(), under(middle=(370.0, 150.0)), under(middle=(280.0, 200.0), turn_deg=130)):
        found = assign_origins_under_dome(under(), now).dice
        assert [die.origin for die in found] == [Origin.KEPT] * 5
        assert [die.was for die in found] == list(FACES)


def test_a_knock_that_tips_a_die_is_no_throw() -> None:
    now = under((1, 3, 4, 4, 5), (*PLACES[:4], (-30.0, 60.0)))
    found = assign_origins_under_dome(under(), now).dice
    assert [die.origin for die in found] == [Origin.KEPT] * 4 + [Origin.TURNED]
    assert found[4].was == 6


def test_one_die_with_its_old_face_elsewhere_was_shaken() -> None:
    assert origins(under((4,), PLACES[:1]), under((4,), ELSEWHERE[:1])) == [Origin.THROWN]
    assert origins(under((4,), PLACES[:1]), under((4,), PLACES[:1])) == [Origin.KEPT]


def test_dice_of_the_first_rest_are_present() -> None:
    assert origins(None, under()) == [Origin.PRESENT] * 5


def rests(readings: Sequence[TrayReading]) -> list[TrayReading]:
    """Return the rests that a detector decides if these readings follow on each other."""
    images: list[Image] = []
    script: list[TrayReading] = []
    for number, reading in enumerate(readings):
        images += [draw_tray(noise_seed=n % 5, camera_xy=(40.0 * number, 0.0)) for n in range(12)]
        script += [reading] * 3
    reader, found = ScriptedReader(*script), []
    detector = RestDetector(reader)
    for frame in make_frames(images):
        seen = detector.process(frame, expect=5)
        if seen.is_new_rest and seen.reading is not None:
            found.append(seen.reading)
    return found


def test_a_dome_that_was_out_of_view_was_not_shaken_by_that() -> None:
    """The dice are those of the last certain rest, so putting the dome back throws none."""
    gone = TrayReading((), (NO_DOME,))
    _, away, back = rests([under(), gone, under(middle=(360.0, 150.0))])
    assert away.dice == ()
    assert [die.origin for die in back.dice] == [Origin.KEPT] * 5


def test_a_shake_after_a_doubtful_one_throws_every_die() -> None:
    doubtful = under((1, 2), ELSEWHERE[:2])
    doubtful = replace(doubtful, doubts=(replace(NO_DOME),))
    *_, last = rests([under(), doubtful, under((2, 2, 3, 5, 5), ELSEWHERE)])
    assert {die.origin for die in last.dice} == {Origin.THROWN}


def test_dice_are_compared_in_their_own_size() -> None:
    def grow(die: DieReading) -> DieReading:
        x, y = die.center_px
        return replace(die, center_px=(2 * x, 2 * y), edge_px=2 * EDGE_PX)

    large = replace(under(middle=(600.0, 360.0)), dice=tuple(map(grow, under().dice)))
    assert origins(under(), large) == [Origin.KEPT] * 5
