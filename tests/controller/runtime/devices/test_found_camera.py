# SPDX-License-Identifier: MIT
"""A table without settings finds its camera, keeps it, and lets a person choose another."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.base.errors import InputError, UnavailableError
from controller.runtime.devices.found_camera import FILE, Candidate, FoundCamera
from hardware.camera import Camera, CameraLostError, Exposure
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera

EXPOSURE = Exposure(20_000, 1.0, 1.0, 1.0, 0.0)


class NamedCamera(SimulatedCamera):
    """A camera that may be broken: `gone` at once, `dropped` once it is open."""

    def __init__(self, name: str, fault: str | None = None) -> None:
        super().__init__(SteppedClock(), seed=1, size_wh=(320, 180))
        self._name = name
        self.set_fault(fault)

    @property
    def name(self) -> str:
        return self._name


class Machine:
    def __init__(self, folder: Path, *cameras: NamedCamera) -> None:
        self.folder = folder
        self.cameras = [*cameras]

    def start(self) -> FoundCamera:
        return FoundCamera(
            self.folder, lambda: [Candidate(camera.name.upper(), camera) for camera in self.cameras]
        )


def next_number(camera: Camera) -> int:
    """Open a camera again, as the table does after a loss, and return the number of a frame."""
    camera.open()
    return camera.frame(1.0).number


def test_the_first_camera_with_a_picture_is_taken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    broken, silent = NamedCamera("pi 0", "gone"), NamedCamera("usb 0", "dropped")
    machine = Machine(tmp_path, broken, silent, NamedCamera("usb 2"), NamedCamera("usb 3"))
    camera = machine.start()
    assert (camera.name, camera.exposure(), camera.is_chosen) == ("auto", None, False)
    camera.set_exposure(EXPOSURE)
    camera.open()
    assert camera.name == "usb 0"
    with pytest.raises(CameraLostError, match="no frame came"):
        camera.frame(1.0)
    assert next_number(camera) == 0
    assert (camera.name, camera.exposure()) == ("usb 2", EXPOSURE)
    found = [record for record in caplog.records if record.getMessage() == "camera found"]
    assert "no frame came for 1 s" in str(vars(found[-1])["fields"]["not_taken"])
    assert [(one["label"], one["is_used"]) for one in camera.list_choices()] == [
        ("PI 0", False),
        ("USB 0", False),
        ("USB 2", True),
        ("USB 3", False),
    ]
    assert camera.list_choices()[0]["problem"] == "the device is gone"


def test_a_lost_camera_is_not_replaced_by_another(tmp_path: Path) -> None:
    machine = Machine(tmp_path, NamedCamera("usb 0"), NamedCamera("usb 1"))
    camera = machine.start()
    next_number(camera)
    pulled = machine.cameras.pop(0)
    with pytest.raises(CameraLostError, match="usb 0: it is not connected; plug it in again"):
        camera.open()
    machine.cameras.insert(0, pulled)
    assert next_number(camera) == 0
    assert not (tmp_path / FILE).exists(), "no person chose it"
    machine.cameras.pop(0)
    assert next_number(machine.start()) == 0, "after a restart any camera will do"


def test_a_choice_counts_at_once_and_after_a_restart(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "data", NamedCamera("usb 0"), NamedCamera("usb 1"))
    machine.cameras[1].set_exposure(EXPOSURE)
    camera = machine.start()
    next_number(camera)
    camera.set_exposure(EXPOSURE)
    with pytest.raises(InputError, match="a camera of this machine: usb 0, usb 1"):
        camera.choose("usb 7")
    camera.choose("usb 1")
    assert camera.is_replaced
    with pytest.raises(CameraLostError, match="another camera was chosen"):
        camera.frame(1.0)
    next_number(camera)
    assert (camera.name, camera.is_chosen, camera.is_replaced) == ("usb 1", True, False)
    assert camera.exposure() != EXPOSURE, "the other camera has its own exposure"
    again = machine.start()
    assert (again.name, again.is_chosen) == ("usb 1", True)
    machine.cameras.pop()
    with pytest.raises(CameraLostError, match="usb 1: it is not connected"):
        again.open()


def test_a_choice_that_does_not_open_is_shown_as_the_used_one(tmp_path: Path) -> None:
    machine = Machine(tmp_path, NamedCamera("usb 0"), NamedCamera("usb 1", "gone"))
    camera = machine.start()
    next_number(camera)
    camera.choose("usb 1")
    with pytest.raises(CameraLostError, match="usb 1: the device is gone"):
        camera.open()
    assert [(one["is_used"], one["problem"]) for one in camera.list_choices()] == [
        (False, ""),
        (True, "the device is gone"),
    ]
    chosen = machine.cameras.pop()
    assert not camera.list_choices()[0]["is_used"]
    machine.cameras.append(chosen)
    chosen.set_fault(None)
    assert next_number(camera) == 0
    assert [(one["is_used"], one["problem"]) for one in camera.list_choices()] == [
        (False, ""),
        (True, ""),
    ]


def test_every_reason_is_told_if_no_camera_is_found(tmp_path: Path) -> None:
    machine = Machine(tmp_path, NamedCamera("pi 0", "gone"))
    camera = machine.start()
    with pytest.raises(CameraLostError, match=r"no camera was found \(pi 0: the device is gone\)"):
        camera.open()
    machine.cameras[0].set_fault(None)
    assert next_number(camera) == 0
    with pytest.raises(CameraLostError, match="auto: no camera was found; plug a webcam in"):
        Machine(tmp_path).start().open()


def test_a_choice_that_cannot_be_kept_or_read_is_refused(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "data", NamedCamera("usb 0"))
    camera = machine.start()
    machine.folder.touch()
    with pytest.raises(UnavailableError):
        camera.choose("usb 0")
    assert not camera.is_chosen
    (tmp_path / FILE).write_text("[]")
    with pytest.raises(InputError, match="the name of a camera"):
        Machine(tmp_path).start()
