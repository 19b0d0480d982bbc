# SPDX-License-Identifier: MIT
"""The watch hands on pictures of the tray alone, and the clip of the throw where that is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.base.settings import EvidenceSettings
from controller.journal.picture_store import PictureStore, compute_digest
from controller.runtime.frame_events import FrameEvents
from controller.runtime.picture_recorder import RecentPictures, RecordingOptions
from controller.table.events import DiceRead, Event, ReadingDoubtful, RejectedShape
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from tests.vision.mapped import SIMULATED_FOCAL_PX, simulated_map
from vision.decoding.videos import read_video
from vision.frame import Frame, Image
from vision.image_files import load_picture
from vision.reading import Rejected, TrayReading
from vision.tray_crop import crop_to_tray
from vision.tray_map import TrayMap

SIZE_WH = (480, 270)
FPS = 10


class Rejecting(TruthfulReader):
    """Takes a thing in the corner for no die."""

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        found = super().read(image_bgr, expect=expect)
        return replace(found, rejected=(Rejected("no pips", (12.5, 7.25), 9.0),))


class Tray:
    """A simulated tray whose pictures are kept in a folder, with clips or without."""

    def __init__(self, folder: Path) -> None:
        self.camera = SimulatedCamera(SteppedClock(), seed=3, size_wh=SIZE_WH, fps=FPS)
        self.evidence = PictureStore(folder)
        focal_px = SIMULATED_FOCAL_PX * SIZE_WH[0] / 1280
        seen = simulated_map(self.camera)
        self.map: TrayMap | None = replace(seen, picture_wh=SIZE_WH, focal_px=focal_px)
        self.use(EvidenceSettings())

    def use(self, settings: EvidenceSettings) -> None:
        self.recent = RecentPictures()
        keeping = RecordingOptions(settings, lambda frame_wh: self.map)
        self.recorder = keeping.create_recorder(self.recent)
        self.frame_events = FrameEvents(Rejecting(self.camera), self.recorder)

    def rest(self, frames: int = 35) -> DiceRead | ReadingDoubtful:
        """Return the last reading within these frames, its picture kept."""
        events: list[Event] = []
        for _ in range(frames):
            events += self.frame_events.process(self.camera.frame(1.0))
        (*_, rest) = (one for one in events if isinstance(one, DiceRead | ReadingDoubtful))
        self.recent.store(rest.picture, self.evidence)
        return rest

    def clip_s(self, digest: str) -> list[float]:
        return [frame.at_s for frame in read_video(self.evidence.clip_path(digest))]


@pytest.fixture
def tray(tmp_path: Path) -> Iterator[Tray]:
    tray = Tray(tmp_path)
    with tray.camera:
        yield tray


def test_the_kept_picture_is_the_tray_and_says_where_it_was(tray: Tray) -> None:
    rest = tray.rest()
    assert tray.map is not None
    assert rest.picture_info.crop_px == crop_to_tray(tray.map).rectangle_px
    assert rest.picture_info.frame_wh == SIZE_WH
    picture = load_picture(tray.evidence.picture_path(rest.picture))
    x, y, width, height = rest.picture_info.crop_px
    assert picture.shape == (height, width, 3)
    assert width < SIZE_WH[0]
    frame = tray.frame_events.newest
    assert frame is not None
    is_tray = picture.max(axis=2) > 40
    part = frame.image_bgr[y : y + height, x : x + width]
    differs = np.abs(picture.astype(int) - part)[is_tray]
    assert float(differs.mean()) < 6.0


def test_what_the_reader_took_for_no_die_is_handed_on(tray: Tray) -> None:
    assert tray.rest().picture_info.rejected == (RejectedShape("no pips", (12.5, 7.25)),)


def test_without_calibration_whole_frames_are_stored_noted_once(
    tray: Tray, caplog: pytest.LogCaptureFixture
) -> None:
    tray.map = None
    rest = tray.rest()
    tray.camera.throw()
    tray.rest()
    assert [record.message for record in caplog.records] == ["whole frames are kept"]
    assert rest.picture_info.crop_px == (0, 0, *SIZE_WH)
    assert load_picture(tray.evidence.picture_path(rest.picture)).shape == (*SIZE_WH[::-1], 3)


def test_a_new_calibration_counts_from_the_next_picture_on(tray: Tray) -> None:
    before = tray.rest().picture_info.crop_px
    assert tray.map is not None
    tray.map = replace(tray.map, felt_mm=tuple((x / 2, y / 2) for x, y in tray.map.felt_mm))
    tray.camera.throw()
    after = tray.rest().picture_info.crop_px
    assert after[2] < 0.8 * before[2]


def test_there_is_no_clip_unless_it_is_asked_for(tray: Tray, tmp_path: Path) -> None:
    tray.rest()
    tray.camera.throw()
    assert tray.rest().picture_info.clip == ""
    assert not list(tmp_path.rglob("*.avi"))


def test_a_clip_lasts_from_first_movement_to_the_settled_frame(tray: Tray) -> None:
    tray.use(EvidenceSettings(clips=True))
    assert tray.rest().picture_info.clip == ""  # nobody saw these dice being thrown
    tray.camera.throw()
    began = tray.frame_events.newest
    rest = tray.rest()
    assert began is not None
    path = tray.evidence.clip_path(rest.picture_info.clip)
    assert compute_digest(path.read_bytes()) == rest.picture_info.clip
    frames = [frame.image_bgr for frame in read_video(path)]
    assert max(frames[0].shape) <= 480
    # The first frame shows the dice as they lay, the last one as they came to rest.
    picture = load_picture(tray.evidence.picture_path(rest.picture))
    last = cv2.resize(picture, frames[0].shape[1::-1], interpolation=cv2.INTER_AREA)
    differs = [float(np.abs(frame.astype(int) - last).mean()) for frame in frames]
    assert differs[-1] < 4.0
    assert min(differs[0], *differs[2:5]) > 1.5 * differs[-1]
    times_s = tray.clip_s(rest.picture_info.clip)
    assert 0.5 < times_s[-1] < 4.0
    assert len(times_s) <= times_s[-1] * 16 + 2


def test_a_hand_that_straightens_a_die_gets_a_clip_of_its_own(tray: Tray) -> None:
    tray.use(EvidenceSettings(clips=True))
    tray.rest()
    tray.camera.throw()
    tray.camera.tilt(0)
    doubtful = tray.rest()
    assert isinstance(doubtful, ReadingDoubtful)
    assert doubtful.picture_info.clip
    tray.camera.nudge(0)
    straight = tray.rest()
    assert isinstance(straight, DiceRead)
    assert straight.picture_info.clip not in ("", doubtful.picture_info.clip)


def test_a_rest_that_is_read_anew_keeps_the_clip_of_its_throw(tray: Tray) -> None:
    tray.use(EvidenceSettings(clips=True))
    tray.rest()
    tray.camera.throw()
    clip = tray.rest().picture_info.clip
    newest = tray.frame_events.newest
    assert newest is not None
    assert clip
    assert tray.recorder.capture(newest, TrayReading(()))[1].clip == clip
    tray.recorder.start_over()
    assert tray.recorder.capture(newest, TrayReading(()))[1].clip == ""


def test_a_clip_ends_with_the_very_frame_that_was_read(tray: Tray) -> None:
    tray.use(EvidenceSettings(clips=True))
    tray.map = None
    for number in range(11):  # at 50 a second, most of which no clip takes
        grey = np.full((48, 64, 3), 10 * number, np.uint8)
        frame = Frame(grey, number / 50.0, number)
        tray.recorder.add_frame(frame, is_moving=number > 1)
    digest, shot = tray.recorder.capture(frame, TrayReading(()))
    tray.recent.store(digest, tray.evidence)
    film = read_video(tray.evidence.clip_path(shot.clip))
    shades = [round(float(one.image_bgr.mean()), -1) for one in film]
    assert shades == sorted(set(shades))
    assert shades[-1] == 100


def test_a_clip_shows_the_tray_alone(tray: Tray) -> None:
    tray.use(EvidenceSettings(clips=True))
    assert tray.map is not None
    tray.map = replace(tray.map, felt_mm=((-40.0, 0.0), (0.0, -25.0), (40.0, 0.0), (0.0, 25.0)))
    tray.rest()
    tray.camera.throw()
    clip = tray.rest().picture_info.clip
    (first, *_) = read_video(tray.evidence.clip_path(clip))
    corners = [first.image_bgr[y, x] for y in (2, -3) for x in (2, -3)]
    assert max(int(corner.max()) for corner in corners) < 25  # black, but for the JPEG's ringing
