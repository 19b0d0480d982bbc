# SPDX-License-Identifier: MIT
"""A table keeps the tray of every roll, says so in its journal, and tidies up at its start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.base.settings import EvidenceSettings
from controller.journal.hashchain import Entry
from controller.journal.journal import read_journal
from controller.journal.picture_store import PictureStore, compute_digest
from controller.runtime.picture_recorder import RecordingOptions
from controller.runtime.table import TableRuntime
from controller.table.events import GameStarted
from controller.table.state import Phase
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from tests.vision.mapped import SIMULATED_FOCAL_PX, simulated_map
from vision.image_files import load_picture
from vision.tray_crop import crop_to_tray

SIZE_WH = (480, 270)
MOST_FRAMES = 150


class Home:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.camera = SimulatedCamera(SteppedClock(), seed=5, size_wh=SIZE_WH, fps=10)
        focal_px = SIMULATED_FOCAL_PX * SIZE_WH[0] / 1280
        self.map = replace(simulated_map(self.camera), picture_wh=SIZE_WH, focal_px=focal_px)
        keeping = RecordingOptions(EvidenceSettings(clips=True), lambda frame_wh: self.map)
        self.runtime = TableRuntime.open(folder, TruthfulReader(self.camera), keeping=keeping)
        self.runtime.begin()

    def see(self, phase: Phase) -> None:
        for _ in range(MOST_FRAMES):
            for event in self.runtime.frame_events.process(self.camera.frame(1.0)):
                self.runtime.loop.handle(event)
            if self.runtime.loop.state.phase is phase and self.runtime.loop.state.reading.dice:
                return
        pytest.fail(f"still {self.runtime.loop.state.phase}")

    def entries(self, kind: str) -> list[Entry]:
        return [entry for entry in read_journal(self.folder).entries if entry.kind == kind]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    with home.camera:
        yield home
    home.runtime.close()


def test_picture_clip_and_crop_of_a_roll_match_its_entry(home: Home) -> None:
    home.runtime.loop.handle(GameStarted("choice", ("Ada",)))
    home.see(Phase.AWAITING_ROLL)
    home.camera.throw([1, 3, 4, 4, 6])
    home.see(Phase.CHOOSING)
    (roll,) = home.entries("roll")
    picture, clip = str(roll.body["picture"]), str(roll.body["clip"])
    evidence = PictureStore(home.folder)
    assert compute_digest(evidence.picture_path(picture).read_bytes()) == picture
    assert compute_digest(evidence.clip_path(clip).read_bytes()) == clip
    assert roll.body["crop_px"] == list(crop_to_tray(home.map).rectangle_px)
    assert roll.body["frame_px"] == list(SIZE_WH)
    assert (
        load_picture(evidence.picture_path(picture)).shape[:2][::-1]
        == crop_to_tray(home.map).rectangle_px[2:]
    )
    lie = roll.body["lie"]
    assert isinstance(lie, list)
    assert [die["confidence_ppm"] for die in lie] == [1_000_000] * 5


def test_a_doubtful_throw_is_recorded_with_its_picture(home: Home) -> None:
    home.runtime.loop.handle(GameStarted("choice", ("Ada",)))
    home.see(Phase.AWAITING_ROLL)
    home.camera.throw()
    home.camera.tilt(0)
    home.see(Phase.STRAIGHTEN)
    (reading,) = home.entries("reading")
    assert PictureStore(home.folder).picture_path(str(reading.body["picture"])).exists()
    doubts = reading.body["doubts"]
    assert isinstance(doubts, list)
    assert doubts[0].startswith("cocked: ")
    assert home.entries("roll") == []


def test_dice_that_lie_there_while_nobody_plays_are_not_kept(home: Home) -> None:
    home.see(Phase.LOBBY)
    assert not list(home.folder.rglob("*.jpg"))


def test_what_a_cut_left_behind_is_gone_after_the_next_start(tmp_path: Path) -> None:
    Home(tmp_path).runtime.close()
    part = PictureStore(tmp_path).picture_path("ab" * 32).with_suffix(".part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"half a pict")
    Home(tmp_path).runtime.close()
    assert not part.exists()
