# SPDX-License-Identifier: MIT
"""Another camera begins its calibration anew, and a calibrated one stays the table's camera."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.appliance.welcome.setup import SetupParts
from controller.base.errors import BusyError
from controller.runtime.calibration.frame_source import CameraFrames
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.page_data import CalibrationParts
from controller.runtime.devices.found_camera import FILE, Candidate, FoundCamera
from hardware.camera import Camera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.controller.runtime.calibration.cameras import desk_at
from tests.webui.fakes import view


class WebCamera(SimulatedCamera):
    """A camera over a tray with corner cards; its seed is in its name."""

    def __init__(self, seed: int) -> None:
        super().__init__(SteppedClock(), seed=seed, fps=10)
        self._seed = seed
        self.lay_cards()

    @property
    def name(self) -> str:
        return f"usb {self._seed}"


def find_camera(folder: Path) -> FoundCamera:
    candidates = [Candidate("", WebCamera(seed)) for seed in (1, 2)]
    found = FoundCamera(folder, lambda: candidates)
    found.open()
    return found


def set_up(camera: Camera, folder: Path) -> tuple[SetupParts, CameraFrames]:
    desk, eye, live = desk_at(camera, folder)
    dice = OwnDiceSession(folder, eye, live)
    return SetupParts(camera, CalibrationParts(desk, dice, lambda: None), view), eye


def test_another_camera_begins_its_calibration_anew(tmp_path: Path) -> None:
    camera = find_camera(tmp_path)
    setup, eye = set_up(camera, tmp_path)
    desk = setup.calibration.session
    desk.lock_exposure()
    assert desk.save().exposure is not None
    desk.set_inputs(corners_px=[(1, 1), (9, 1), (9, 9), (1, 9)], felt_mm=(260.0, 160.0))
    desk.read_trial()
    setup.choose_camera("usb 1")
    assert desk.inputs.corners_px, "it is the same camera"
    setup.choose_camera("usb 2")
    assert (desk.inputs.corners_px, desk.inputs.felt_mm) == ((), (260, 160))
    assert (desk.exposure_result, desk.best_sharpness) == (None, 0.0)
    camera.open()
    eye.next_frame()
    assert desk.save().exposure is None, "that of the other camera does not fit"


def test_no_other_camera_while_the_exposure_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = find_camera(tmp_path)
    setup, _ = set_up(camera, tmp_path)

    def choose_meanwhile(exposure: object) -> None:
        with pytest.raises(BusyError):
            setup.choose_camera("usb 2")

    monkeypatch.setattr(camera, "set_exposure", choose_meanwhile)
    setup.calibration.session.lock_exposure()
    assert not camera.is_chosen


def test_a_calibrated_camera_stays_the_one_of_the_table(tmp_path: Path) -> None:
    camera = find_camera(tmp_path)
    desk, _, _ = desk_at(camera, tmp_path)
    assert not (tmp_path / FILE).exists()
    desk.save()
    assert camera.is_chosen
    assert json.loads((tmp_path / FILE).read_text()) == {"camera": "usb 1"}
