# SPDX-License-Identifier: MIT
"""The rests of a whole recording."""

from __future__ import annotations

from tests.vision.drawn import FIVE, DrawnDie, draw_tray, make_frames
from tests.vision.readings import ScriptedReader, make_die, make_reading
from vision.reading import Origin, TrayReading
from vision.tracking.recording import find_rests
from vision.tracking.rest_detector import RestDetector


def summarize(reading: TrayReading) -> list[tuple[int, Origin | None]]:
    return [(die.face, die.origin) for die in reading.dice]


def test_dice_appearing_between_frames_are_not_thrown() -> None:
    thrown = [DrawnDie(2, 100 + 90 * n, 180 + 10 * n) for n in range(5)]
    images = [draw_tray([], noise_seed=n) for n in range(12)]
    images += [draw_tray(thrown, noise_seed=n) for n in range(14)]
    images += [draw_tray([FIVE[0], *thrown], noise_seed=n) for n in range(13)]
    first = make_reading(make_die(300, 200, 2))
    second = make_reading(make_die(120, 90, 1), make_die(300, 200, 2))
    reader = ScriptedReader(*[make_reading()] * 3, *[first] * 3, second)
    found = list(find_rests(make_frames(images), RestDetector(reader)))
    assert [(rest.first_frame, rest.last_frame) for rest in found] == [(0, 11), (12, 25), (26, 38)]
    assert [summarize(rest.reading) for rest in found] == [
        [],
        [(2, Origin.UNSEEN)],
        [(1, Origin.UNSEEN), (2, Origin.KEPT)],
    ]


def test_a_recording_of_movement_alone_has_no_rest() -> None:
    images = [draw_tray([DrawnDie(2, 60 + 12 * n, 200)]) for n in range(30)]
    assert not list(find_rests(make_frames(images), RestDetector(ScriptedReader(make_reading()))))
