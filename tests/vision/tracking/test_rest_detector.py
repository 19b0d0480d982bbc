# SPDX-License-Identifier: MIT
"""When a tray is at rest, and which reading of it counts."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from tests.vision.drawn import FIVE, DrawnDie, draw_tray, make_frames
from tests.vision.readings import ScriptedReader, make_die, make_doubt, make_reading
from vision.frame import Frame, Image
from vision.reading import DoubtKind, Origin, Status, TrayReading
from vision.tracking.die_histories import Arrival, FrameHistory
from vision.tracking.rest_detector import RestDetector, TrayObservation, TrayState, find_rests

FIVE_READ = make_reading(*(make_die(die.x, die.y, die.face) for die in FIVE))
OTHER_FACE = make_reading(make_die(120, 90, 6), *FIVE_READ.dice[1:])
COCKED = make_reading(*FIVE_READ.dice[1:], doubts=[make_doubt(120, 90)])


@cache
def still_tray(noise_seed: int, light: float = 1.0) -> Image:
    return draw_tray(noise_seed=noise_seed, light=light)


def still_frames(count: int, *, fps: float = 30.0, first: int = 0) -> list[Frame]:
    images = [still_tray(n % 5, (1.0, 0.96, 1.04)[n % 3]) for n in range(count)]
    return make_frames(images, fps=fps, first=first)


def process_all(detector: RestDetector, frames: Iterable[Frame]) -> list[TrayObservation]:
    return [detector.process(frame) for frame in frames]


def without_origins(reading: TrayReading | None) -> TrayReading | None:
    """Return what was read, without how the dice came there."""
    if reading is None:
        return None
    dice = tuple(replace(die, origin=None, was=0) for die in reading.dice)
    return replace(reading, dice=dice)


def select_new_rests(seen: Sequence[TrayObservation]) -> list[TrayObservation]:
    return [observation for observation in seen if observation.is_new_rest]


def make_sliding_frames(count: int, *, step_px: float) -> list[Frame]:
    places = [replace(FIVE[0], x=FIVE[0].x + step_px * n) for n in range(count)]
    return make_frames(
        [draw_tray([die, *FIVE[1:]], noise_seed=n % 7) for n, die in enumerate(places)]
    )


def test_a_rest_is_reported_once_with_its_reading() -> None:
    seen = process_all(RestDetector(ScriptedReader(FIVE_READ)), still_frames(40))
    [rest] = select_new_rests(seen)
    assert rest.state is TrayState.AT_REST
    assert without_origins(rest.reading) == FIVE_READ
    assert seen[-1].state is TrayState.AT_REST
    assert without_origins(seen[-1].reading) == FIVE_READ


def test_a_rest_holds_few_pictures_however_long_it_lasts() -> None:
    """The last one, and the one with which it is compared; at 1280x720 each has 2.8 MB."""
    detector, held = RestDetector(ScriptedReader(FIVE_READ)), []
    for frame in still_frames(90):
        own = replace(frame, image_bgr=frame.image_bgr.copy())
        held.append(weakref.ref(own.image_bgr))
        detector.process(own)
    del own
    assert sum(each() is not None for each in held) <= 2


def test_a_rest_is_read_while_the_table_waits_for_it() -> None:
    """Two of the three readings are over when the dice have been still for long enough."""
    reader = ScriptedReader(FIVE_READ)
    seen = process_all(RestDetector(reader), still_frames(6))
    assert [observation.is_new_rest for observation in seen] == [False] * 5 + [True]
    assert reader.reads == 3


def test_dice_that_are_read_early_and_move_on_are_not_believed() -> None:
    reader = ScriptedReader(FIVE_READ)
    moved = make_frames([draw_tray([replace(FIVE[0], x=160), *FIVE[1:]])] * 5, first=5)
    seen = process_all(RestDetector(reader), [*still_frames(5), *moved])
    assert reader.reads == 4
    assert not select_new_rests(seen)


@pytest.mark.parametrize(("off_px", "traced"), [(1.0, 1), (40.0, 2)])
def test_the_arrival_of_dice_is_traced_once_while_readings_agree(
    monkeypatch: pytest.MonkeyPatch, off_px: float, traced: int
) -> None:
    calls: list[int] = []
    explain = FrameHistory.explain_arrivals

    def count(self: FrameHistory, *args: object) -> tuple[Arrival, ...]:
        calls.append(1)
        return explain(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(FrameHistory, "explain_arrivals", count)
    dice = [make_die(100 + 90 * n, 180 + 10 * n, 2) for n in range(5)]
    first = make_reading(make_die(100 + off_px, 180, 2), *dice[1:])
    reader = ScriptedReader(*[FIVE_READ] * 3, first, *[make_reading(*dice)] * 3)
    thrown = [DrawnDie(2, 100 + 90 * n, 180 + 10 * n) for n in range(5)]
    landed = make_frames([draw_tray(thrown, noise_seed=n) for n in range(15)], first=15)
    rests = select_new_rests(process_all(RestDetector(reader), [*still_frames(15), *landed]))
    assert len(rests) == 2
    assert sum(calls) == traced


def test_before_the_rest_is_decided_there_is_no_reading() -> None:
    seen = process_all(RestDetector(ScriptedReader(FIVE_READ)), still_frames(4))
    assert [(observation.state, observation.reading) for observation in seen] == [
        (TrayState.SETTLING, None)
    ] * 4


def test_noise_and_flicker_neither_end_a_rest_nor_reread_it() -> None:
    reader = ScriptedReader(FIVE_READ)
    seen = process_all(RestDetector(reader), still_frames(150))
    assert len(select_new_rests(seen)) == 1
    assert reader.reads == 3


@pytest.mark.parametrize("step_px", [0.3, 1.0, 5.0])
def test_a_sliding_die_is_never_at_rest(step_px: float) -> None:
    reader = ScriptedReader(FIVE_READ)
    seen = process_all(RestDetector(reader), make_sliding_frames(40, step_px=step_px))
    assert not select_new_rests(seen)


def test_nothing_is_read_while_dice_move() -> None:
    reader = ScriptedReader(FIVE_READ)
    process_all(RestDetector(reader), make_sliding_frames(40, step_px=3.0))
    assert reader.reads == 0


def test_a_die_that_stops_for_a_blink_is_not_believed() -> None:
    way = [0.0] * 5 + [8.0] * 5 + [16.0] * 5
    images = [
        draw_tray([replace(FIVE[0], x=120 + x), *FIVE[1:]], noise_seed=n) for n, x in enumerate(way)
    ]
    assert not select_new_rests(
        process_all(RestDetector(ScriptedReader(FIVE_READ)), make_frames(images))
    )


def test_a_rest_reaches_from_the_first_still_frame_to_the_last() -> None:
    moving = make_sliding_frames(10, step_px=6.0)
    still = make_frames([moving[-1].image_bgr] * 20, first=10)
    gone = make_frames([draw_tray(FIVE[1:])], first=30)
    seen = process_all(RestDetector(ScriptedReader(FIVE_READ)), [*moving, *still, *gone])
    assert (seen[29].first_frame, seen[29].last_frame) == (9, 29)
    assert seen[30].state is TrayState.MOVING
    assert seen[30].reading is None


def test_every_rest_after_movement_is_new() -> None:
    thrown = [DrawnDie(2, 100 + 90 * n, 180 + 10 * n) for n in range(5)]
    frames = [
        *still_frames(15),
        *make_frames([draw_tray(thrown, noise_seed=n) for n in range(15)], first=15),
    ]
    seen = process_all(RestDetector(ScriptedReader(*[FIVE_READ] * 3, OTHER_FACE)), frames)
    assert [without_origins(rest.reading) for rest in select_new_rests(seen)] == [
        FIVE_READ,
        OTHER_FACE,
    ]


def test_one_misread_frame_does_not_count() -> None:
    reader = ScriptedReader(FIVE_READ, OTHER_FACE, FIVE_READ)
    [rest] = select_new_rests(process_all(RestDetector(reader), still_frames(30)))
    assert without_origins(rest.reading) == FIVE_READ
    assert reader.reads == 5


def test_a_die_that_one_frame_showed_is_not_given_up() -> None:
    four_read = make_reading(*FIVE_READ.dice[1:])
    reader = ScriptedReader(four_read, FIVE_READ, four_read)
    rest = select_new_rests(process_all(RestDetector(reader), still_frames(20)))[0]
    assert rest.reading is not None
    assert rest.reading.status is Status.UNSURE


def test_frames_that_keep_disagreeing_make_the_rest_unsure() -> None:
    reader = ScriptedReader(*[FIVE_READ, OTHER_FACE] * 20)
    rest = select_new_rests(process_all(RestDetector(reader), still_frames(20)))[0]
    assert rest.reading is not None
    assert rest.reading.status is Status.UNSURE
    assert [doubt.kind for doubt in rest.reading.doubts] == [DoubtKind.UNSURE]
    assert without_origins(rest.reading) == replace(rest.reading, dice=FIVE_READ.dice[1:])


def test_dice_that_are_read_in_other_places_disagree() -> None:
    shifted = make_reading(make_die(132, 90, 1), *FIVE_READ.dice[1:])
    reader = ScriptedReader(*[FIVE_READ, shifted] * 20)
    rest = select_new_rests(process_all(RestDetector(reader), still_frames(20)))[0]
    assert rest.reading is not None
    assert rest.reading.status is Status.UNSURE


def test_a_doubt_on_which_all_frames_agree_is_the_reading() -> None:
    [rest] = select_new_rests(process_all(RestDetector(ScriptedReader(COCKED)), still_frames(30)))
    assert without_origins(rest.reading) == COCKED


def test_a_doubtful_rest_that_becomes_certain_is_reported_again() -> None:
    reader = ScriptedReader(*[COCKED] * 4, FIVE_READ)
    seen = process_all(RestDetector(reader), still_frames(90))
    assert [without_origins(rest.reading) for rest in select_new_rests(seen)] == [COCKED, FIVE_READ]
    assert without_origins(seen[-1].reading) == FIVE_READ
    assert seen[-1].first_frame == 0


def test_a_doubtful_rest_is_read_again_only_now_and_then() -> None:
    reader = ScriptedReader(COCKED)
    process_all(RestDetector(reader), still_frames(90))
    assert 5 <= reader.reads <= 9


def test_a_rest_in_dispute_is_read_again_only_now_and_then() -> None:
    reader = ScriptedReader(*[FIVE_READ, OTHER_FACE] * 40)
    process_all(RestDetector(reader), still_frames(90))
    assert 10 <= reader.reads <= 20


def test_one_certain_frame_does_not_make_a_doubtful_rest_certain() -> None:
    reader = ScriptedReader(*[COCKED] * 4, FIVE_READ, COCKED)
    seen = process_all(RestDetector(reader), still_frames(90))
    assert [without_origins(rest.reading) for rest in select_new_rests(seen)] == [COCKED]


def test_an_empty_tray_is_a_rest_too() -> None:
    frames = make_frames([draw_tray([], noise_seed=n) for n in range(15)])
    [rest] = select_new_rests(process_all(RestDetector(ScriptedReader(make_reading())), frames))
    assert rest.reading is not None
    assert rest.reading.status is Status.EMPTY


def test_a_hand_held_camera_finds_its_rest() -> None:
    way = [(0.4 * n, 1.5 * ((n % 6) / 6)) for n in range(25)]
    frames = make_frames([draw_tray(noise_seed=n, camera_xy=xy) for n, xy in enumerate(way)])
    seen = process_all(RestDetector(ScriptedReader(FIVE_READ)), frames)
    assert len(select_new_rests(seen)) == 1
    assert seen[-1].state is TrayState.AT_REST


def test_a_moving_camera_delays_a_rest_less_than_a_hand() -> None:
    before = [draw_tray([], noise_seed=n) for n in range(12)]
    shaken = [(12.0 + 0.5 * n, 9.0 - 0.4 * n) for n in range(40)]
    after = [draw_tray(noise_seed=n, camera_xy=xy) for n, xy in enumerate(shaken)]
    reader = ScriptedReader(*[make_reading()] * 3, FIVE_READ)
    seen = process_all(RestDetector(reader), make_frames([*before, *after]))
    first, second = select_new_rests(seen)
    assert without_origins(first.reading) == make_reading()
    assert without_origins(second.reading) == FIVE_READ
    assert seen.index(second) - len(before) <= 22


def test_a_slow_camera_needs_three_readings_too() -> None:
    seen = process_all(RestDetector(ScriptedReader(FIVE_READ)), still_frames(10, fps=4))
    assert seen.index(select_new_rests(seen)[0]) == 3


def test_a_camera_opened_again_begins_from_the_start() -> None:
    detector = RestDetector(ScriptedReader(FIVE_READ))
    process_all(detector, still_frames(20))
    seen = process_all(detector, still_frames(20))
    assert seen[0].state is TrayState.SETTLING
    assert len(select_new_rests(seen)) == 1


def test_a_camera_that_changes_its_size_begins_from_the_start() -> None:
    detector = RestDetector(ScriptedReader(FIVE_READ))
    process_all(detector, still_frames(20))
    smaller = make_frames([still_tray(0)[:200, :300]], first=20)
    assert process_all(detector, smaller)[0].state is TrayState.SETTLING


def test_the_reader_gets_the_number_of_expected_dice() -> None:
    reader = ScriptedReader(FIVE_READ)
    detector = RestDetector(reader)
    for frame in still_frames(15):
        detector.process(frame, expect=5)
    assert reader.expected == [5, 5, 5]


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
