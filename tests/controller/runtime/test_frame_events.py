# SPDX-License-Identifier: MIT
"""The watch tells what the frames say, once, and nothing from before a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from controller.journal.picture_store import PictureStore, compute_digest
from controller.runtime.frame_events import FrameEvents, to_seen_die, to_seen_doubt
from controller.runtime.picture_recorder import PictureRecorder, RecentPictures
from controller.table import events as on
from controller.table.events import Event, TrayDoubt
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from vision.frame import Image
from vision.reading import Doubt, DoubtKind, Origin, TrayReading

FPS = 10


class Tray:
    def __init__(self) -> None:
        self.camera = SimulatedCamera(SteppedClock(), seed=3, size_wh=(640, 360), fps=FPS)
        self.reader = TruthfulReader(self.camera)
        self.recent = RecentPictures()
        self.recorder = PictureRecorder(self.recent)
        self.frame_events = FrameEvents(self.reader, self.recorder)

    def look(self, seconds: float) -> list[Event]:
        return [
            event
            for _ in range(round(seconds * FPS))
            for event in self.frame_events.process(self.camera.frame(1.0))
        ]

    def truth(self) -> list[int]:
        return sorted(die.face for die in self.camera.truth())


@pytest.fixture
def tray() -> Iterator[Tray]:
    tray = Tray()
    with tray.camera:
        yield tray


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def test_dice_that_lie_there_at_first_are_told_without_motion(tray: Tray) -> None:
    events = tray.look(1)
    assert kinds(events) == [on.DiceRead]
    assert tray.frame_events.is_ready


def test_a_throw_is_motion_then_calm_then_a_reading(tray: Tray) -> None:
    tray.look(1)
    tray.camera.throw([1, 2, 3, 4, 6])
    events = tray.look(3)
    assert kinds(events)[0] is on.MotionStarted
    assert kinds(events)[-2:] == [on.MotionStopped, on.DiceRead]
    assert isinstance(events[-1], on.DiceRead)
    assert sorted(die.face for die in events[-1].dice) == [1, 2, 3, 4, 6] == tray.truth()


def test_a_frame_on_which_nothing_changed_is_not_read_again(tray: Tray) -> None:
    tray.look(1)
    count = tray.reader.read_count
    assert tray.look(2) == []
    assert tray.reader.read_count == count


def test_a_leaning_die_is_a_doubt_with_its_place(tray: Tray) -> None:
    tray.look(1)
    tray.camera.tilt(0)
    events = tray.look(3)
    assert isinstance(events[-1], on.ReadingDoubtful)
    assert [doubt.kind for doubt in events[-1].doubts] == ["cocked"]
    assert len(events[-1].dice) == 4


class Telling:
    """A reader that knows more of every die than one picture can tell."""

    def __init__(self, reader: TruthfulReader, origin: Origin, *doubts: Doubt) -> None:
        self._reader, self._origin, self._doubts = reader, origin, doubts

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        reading = self._reader.read(image_bgr, expect=expect)
        dice = tuple(replace(die, origin=self._origin) for die in reading.dice)
        return replace(reading, dice=dice, doubts=(*reading.doubts, *self._doubts))


def test_the_place_of_a_die_that_may_hide_one_is_no_doubt(tray: Tray) -> None:
    count = Doubt(DoubtKind.COUNT, "4 of 5", (40.0, 60.0), 9.0)
    tray.frame_events = FrameEvents(Telling(tray.reader, Origin.THROWN, count), tray.recorder)
    (event,) = tray.look(1)
    assert isinstance(event, on.DiceRead)
    assert event.hider == TrayDoubt("count", "4 of 5", (40.0, 60.0), 9.0)
    assert to_seen_doubt(count) == TrayDoubt("count", "4 of 5")


@dataclass
class Shadowed:
    """A reader whose table learnt its ground; a shadow may lie over it."""

    reader: TruthfulReader
    is_sick: bool = False

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        reading = self.reader.read(image_bgr, expect=expect)
        return replace(reading, is_background_sick=self.is_sick, table_model="ab" * 32)


def test_a_tray_unlike_the_learnt_one_is_told_once(tray: Tray) -> None:
    """One rest may be a hand's shadow; two of them are told."""
    reader = Shadowed(tray.reader)
    tray.frame_events = FrameEvents(reader, tray.recorder)
    told = []
    for is_sick in (False, True, False, True, True, True, False, True, False, False, False):
        reader.is_sick = is_sick
        tray.camera.throw((1, 2, 3, 4, 5))
        events = tray.look(1 / FPS)
        while tray.camera.is_moving:
            events += tray.look(1 / FPS)
        events += tray.look(1)
        told.append(
            [one for one in events if isinstance(one, on.PeripheralLost | on.PeripheralBack)]
        )
    assert not any(told[:4])
    lost, back = (event for events in told for event in events)
    assert isinstance(lost, on.PeripheralLost)
    assert lost.device == on.GROUND
    assert back == on.PeripheralBack(on.GROUND)


PLACED = Doubt(DoubtKind.PLACED, "A hand set this die.", (320.0, 180.0), 30.0)


def test_that_a_die_was_placed_is_for_the_table_to_judge(tray: Tray) -> None:
    tray.frame_events = FrameEvents(Telling(tray.reader, Origin.PLACED, PLACED), tray.recorder)
    (event,) = tray.look(1)
    assert isinstance(event, on.DiceRead)


@pytest.mark.parametrize(("origin", "word"), [(Origin.PLACED, "placed"), (None, "")])
def test_how_a_die_came_there_is_handed_on(tray: Tray, origin: Origin | None, word: str) -> None:
    (die, *_) = tray.reader.read(tray.camera.frame(1.0).image_bgr).dice
    assert to_seen_die(replace(die, origin=origin)).origin == word


def test_a_doubt_that_needs_a_hand_hides_doubts_of_placed_dice(tray: Tray) -> None:
    glare = Doubt(DoubtKind.GLARE, "Shine may hide pips. Dim the light.", (320.0, 180.0), 30.0)
    tray.frame_events = FrameEvents(
        Telling(tray.reader, Origin.PLACED, glare, PLACED), tray.recorder
    )
    (event,) = tray.look(1.5)
    assert isinstance(event, on.ReadingDoubtful)
    assert [doubt.kind for doubt in event.doubts] == ["glare"]


def test_too_few_dice_are_passed_on_for_the_table_to_judge(tray: Tray) -> None:
    tray.frame_events = FrameEvents(tray.reader, tray.recorder, dice_wanted=lambda: 5)
    tray.look(1)
    tray.camera.take_out([0])
    event = tray.look(2)[-1]
    assert isinstance(event, on.DiceRead)
    assert len(event.dice) == 4


def test_a_dark_picture_is_told_once_and_its_end_too(tray: Tray) -> None:
    tray.look(1)
    tray.camera.set_fault("dark")
    lost = tray.look(3)
    assert kinds(lost) == [on.DeviceLost]
    assert isinstance(lost[0], on.DeviceLost)
    assert lost[0].device == on.CAMERA
    assert lost[0].remedy
    tray.camera.set_fault(None)
    assert kinds(tray.look(1)) == [on.DeviceBack, on.DiceRead]


def test_dice_thrown_while_the_camera_was_blind_are_no_motion(tray: Tray) -> None:
    tray.look(1)
    tray.camera.set_fault("dark")
    tray.look(2)
    tray.camera.throw()
    tray.look(3)
    tray.camera.set_fault(None)
    assert kinds(tray.look(2)) == [on.DeviceBack, on.DiceRead]


def test_a_lens_that_is_being_covered_is_no_empty_tray(tray: Tray) -> None:
    tray.look(1)
    tray.camera.set_fault("blocked")
    assert kinds(tray.look(3)) == [on.DeviceLost]


@pytest.mark.parametrize("fault", ["blurred", "moved"])
def test_a_view_that_changes_at_a_quiet_table_is_a_fault(tray: Tray, fault: str) -> None:
    tray.look(7)
    assert tray.frame_events.is_quiet
    tray.camera.set_fault(fault)
    events = tray.look(2)
    assert on.DeviceLost in kinds(events)
    assert on.DiceRead not in kinds(events)


def test_a_lost_camera_is_told_once_however_often_it_is_tried(tray: Tray) -> None:
    gone = on.DeviceLost(on.CAMERA, "the device is gone", "plug it in")
    assert list(tray.frame_events.camera_lost(gone)) == [gone]
    assert list(tray.frame_events.camera_lost(gone)) == []
    assert tray.look(0.4) == []  # a picture or two may be chance
    assert kinds(tray.look(0.4)) == [on.DeviceBack]


def test_a_camera_that_repeats_itself_wants_to_be_opened_anew(tray: Tray) -> None:
    tray.look(1)
    tray.camera.set_fault("frozen")
    assert kinds(tray.look(3)) == [on.DeviceLost]
    assert (tray.frame_events.needs_reopening, tray.frame_events.is_healthy) == (True, False)


def test_the_picture_that_was_read_is_the_one_that_is_kept(tray: Tray, tmp_path: Path) -> None:
    (event,) = tray.look(1)
    assert isinstance(event, on.DiceRead)
    evidence = PictureStore(tmp_path)
    tray.recent.store(event.picture, evidence)
    assert compute_digest(evidence.picture_path(event.picture).read_bytes()) == event.picture


def test_a_picture_that_fell_off_the_shelf_is_told() -> None:
    recent = RecentPictures()
    first = recent.add(b"first")
    for number in range(20):
        recent.add(b"%d" % number)
    with pytest.raises(KeyError):
        recent.store(first, PictureStore(Path("unused")))


def test_the_newest_frame_is_encoded_once_for_all_screens(tray: Tray) -> None:
    assert tray.frame_events.picture() == (0, b"", 1)
    tray.look(0.2)
    number, jpeg, _ = tray.frame_events.picture()
    assert number == 1
    assert jpeg.startswith(b"\xff\xd8")
    assert tray.frame_events.picture()[1] is jpeg
