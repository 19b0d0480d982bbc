# SPDX-License-Identifier: MIT
"""Which die is which after a throw, and the rests of a whole recording."""

from __future__ import annotations

from tests.vision.drawn import FIVE, DrawnDie, draw_tray, frames_of
from tests.vision.readings import ScriptedReader, die_at, doubt_at, reading_of
from vision.reading import Origin, Polarity, TrayReading
from vision.watching.settle import TrayWatcher
from vision.watching.track import origins, rests


def told(reading: TrayReading) -> list[tuple[int, Origin | None]]:
    return [(die.face, die.origin) for die in reading.dice]


def test_what_lies_there_at_the_first_rest_was_present() -> None:
    now = reading_of(die_at(100, 100, 3), die_at(200, 100, 4))
    assert told(origins(None, now)) == [(3, Origin.PRESENT), (4, Origin.PRESENT)]


def test_dice_in_a_tray_that_was_empty_are_thrown() -> None:
    assert told(origins(reading_of(), reading_of(die_at(100, 100, 3)))) == [(3, Origin.THROWN)]


def test_a_die_in_its_place_is_kept_even_when_pushed_a_little() -> None:
    before = reading_of(die_at(100, 100, 3), die_at(200, 100, 4))
    now = reading_of(die_at(100, 100, 3), die_at(212, 108, 4))
    assert told(origins(before, now)) == [(3, Origin.KEPT), (4, Origin.KEPT)]


def test_another_face_in_the_same_place_is_turned() -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(101, 99, 6))
    assert told(origins(before, now)) == [(6, Origin.TURNED)]


def test_a_die_tipped_over_its_edge_is_turned() -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(131, 102, 1))
    assert told(origins(before, now)) == [(1, Origin.TURNED)]


def test_the_same_face_far_away_is_thrown() -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(150, 100, 3))
    assert told(origins(before, now)) == [(3, Origin.THROWN)]


def test_kept_dice_and_thrown_ones_are_told_apart() -> None:
    before = reading_of(die_at(100, 100, 2), die_at(300, 100, 5))
    now = reading_of(die_at(100, 100, 2), die_at(200, 250, 5), die_at(300, 101, 5))
    assert told(origins(before, now)) == [
        (2, Origin.KEPT),
        (5, Origin.THROWN),
        (5, Origin.KEPT),
    ]


def test_one_die_before_is_at_most_one_die_now() -> None:
    before = reading_of(die_at(100, 100, 2))
    now = reading_of(die_at(100, 100, 2), die_at(132, 100, 4))
    assert told(origins(before, now)) == [(2, Origin.KEPT), (4, Origin.THROWN)]


def test_a_black_die_does_not_become_a_white_one() -> None:
    before = reading_of(die_at(100, 100, 2))
    now = reading_of(die_at(100, 100, 2, polarity=Polarity.DARK))
    assert told(origins(before, now)) == [(2, Origin.THROWN)]


def test_a_cocked_die_set_straight_was_placed() -> None:
    before = reading_of(die_at(100, 100, 2), doubts=[doubt_at(300, 100)])
    now = reading_of(die_at(100, 100, 2), die_at(310, 105, 6))
    assert told(origins(before, now)) == [(2, Origin.KEPT), (6, Origin.PLACED)]


def test_distances_are_counted_in_edges_of_the_die() -> None:
    before, now = (reading_of(die_at(x, 100, 3, edge_px=120.0)) for x in (100, 160))
    assert told(origins(before, now)) == [(3, Origin.KEPT)]


def test_a_recording_gives_its_rests_with_frames_and_origins() -> None:
    thrown = [DrawnDie(2, 100 + 90 * n, 180 + 10 * n) for n in range(5)]
    images = [draw_tray([], noise_seed=n) for n in range(12)]
    images += [draw_tray(thrown, noise_seed=n) for n in range(14)]
    images += [draw_tray([FIVE[0], *thrown], noise_seed=n) for n in range(13)]
    first = reading_of(die_at(300, 200, 2))
    second = reading_of(die_at(120, 90, 1), die_at(300, 200, 2))
    reader = ScriptedReader(*[reading_of()] * 3, *[first] * 3, second)
    found = list(rests(frames_of(images), TrayWatcher(reader)))
    assert [(rest.first_frame, rest.last_frame) for rest in found] == [(0, 11), (12, 25), (26, 38)]
    assert [told(rest.reading) for rest in found] == [
        [],
        [(2, Origin.THROWN)],
        [(1, Origin.THROWN), (2, Origin.KEPT)],
    ]


def test_a_recording_of_movement_alone_has_no_rest() -> None:
    images = [draw_tray([DrawnDie(2, 60 + 12 * n, 200)]) for n in range(30)]
    assert not list(rests(frames_of(images), TrayWatcher(ScriptedReader(reading_of()))))
