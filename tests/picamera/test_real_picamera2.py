# SPDX-License-Identifier: MIT
"""
The contract of all cameras, held against the real picamera2 on libcamera's virtual camera.

It runs only where `make picamera` runs it: in the folder that `make_root.sh` made. No stand-in
shows what the library really does with formats, sizes, buffers and losses.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import cv2
import pytest

from hardware.camera import Camera, CameraLostError, Exposure
from hardware.cameras.pi import Device, PiCamera, wait_with_events
from tests.hardware.cameras.test_contract import CameraContract, Rig, benched
from tests.support.recorded import FPS, SIZE_WH, picture

FRAMES = Path("/camera/frames")
TRAY_WH = (1280, 720)

if not FRAMES.is_dir():
    pytest.skip("only in the root of `make picamera`", allow_module_level=True)


def show_pictures() -> None:
    """Put pictures where libcamera finds them, before it looks there for the first time."""
    for number in range(5):
        wide = cv2.resize(picture(number), (640, 480), interpolation=cv2.INTER_NEAREST)
        cv2.imwrite(str(FRAMES / f"{number}.jpg"), wide)


show_pictures()
# The library's way to a screen: not in the Python index, and nobody looks at one here.
sys.modules.setdefault("pykms", MagicMock())

from libcamera import StreamRole  # noqa: E402
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators import LibcameraAllocator  # noqa: E402


class VirtualPicamera2(Picamera2):  # type: ignore[misc]
    """The library on a camera that has no sensor: no raw pictures, no memory of its own."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.allocator = LibcameraAllocator(self.camera)

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        offered = self.camera.generate_configuration([StreamRole.Viewfinder]).at(0).formats
        return [
            {"format": str(pixels), "size": (size.width, size.height)}
            for pixels in offered.pixel_formats
            for size in offered.sizes(pixels)
        ]


class RealRig:
    """The virtual camera; it is lost by being stopped behind the library's back."""

    tells_exposure = False
    is_exact = False

    def __init__(self, _folder: Path) -> None:
        self._device: VirtualPicamera2 | None = None
        self._is_plugged = True
        self.camera: Camera = PiCamera(0, size_wh=SIZE_WH, fps=FPS, open_device=self.open_device)

    def open_device(self, index: int) -> Device:
        # A number that no camera has is how the library sees one that was pulled out.
        self._device = VirtualPicamera2(index if self._is_plugged else 9)
        return wait_with_events(self._device)

    def ready(self) -> None: ...

    def flow(self) -> None: ...

    def miss(self, count: int) -> None:
        assert self._device is not None
        end = self._device.frames + count
        while self._device.frames < end:
            threading.Event().wait(0.005)

    def lose(self) -> None:
        assert self._device is not None
        self._is_plugged = False
        self._device.camera.stop()

    def bring_back(self) -> None:
        self._is_plugged = True


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    yield from benched(RealRig, tmp_path)


class TestRealPicamera2(CameraContract):
    """The promises, of the library itself."""


@pytest.fixture
def tray() -> Iterator[PiCamera]:
    """A camera of the usual size."""
    rig = RealRig(Path())
    camera = PiCamera(0, size_wh=TRAY_WH, open_device=rig.open_device)
    yield camera
    camera.close()


def test_both_streams_are_what_was_found_when_read_back(tray: PiCamera) -> None:
    tray.open()
    main, lores = tray.streams["main"], tray.streams["lores"]
    assert (main.size_wh, lores.size_wh) == (TRAY_WH, (320, 180))
    # Asked for RGB888, this camera gives what it has.
    assert (main.pixels, lores.pixels) == ("NV12", "NV12")
    assert (main.stride, lores.stride) >= (1280, 320)
    frame = tray.frame(5.0)
    assert frame.small_grey is not None
    assert (frame.image_bgr.shape, frame.small_grey.shape) == ((720, 1280, 3), (180, 320))


def test_controls_that_it_lacks_are_no_loss(tray: PiCamera) -> None:
    tray.open()
    tray.set_exposure(Exposure())
    tray.set_exposure(None)
    for _ in range(5):
        tray.frame(5.0)
    assert tray.exposure() is None


def test_hundreds_of_pictures_do_not_run_out_of_memory_lent(tray: PiCamera) -> None:
    tray.open()
    for _ in range(200):
        tray.frame(5.0)


def test_size_that_it_lacks_is_refused_with_one_that_it_has() -> None:
    camera = PiCamera(0, size_wh=(1000, 700), open_device=RealRig(Path()).open_device)
    with pytest.raises(CameraLostError, match="instead of 1000x700") as told:
        camera.open()
    assert "set width =" in told.value.mend


def test_camera_that_is_not_there_is_told_by_number() -> None:
    camera = PiCamera(7, open_device=VirtualPicamera2)
    with pytest.raises(CameraLostError, match="pi 7: it cannot be opened"):
        camera.open()


def test_camera_in_use_is_a_loss_and_free_again_afterwards(tray: PiCamera) -> None:
    tray.open()
    other = PiCamera(0, open_device=VirtualPicamera2)
    with pytest.raises(CameraLostError):
        other.open()
    assert tray.frame(5.0).number == 0


@pytest.mark.parametrize("act", [PiCamera.close, lambda camera: camera._device.camera.stop()])
def test_whoever_waits_is_woken_by_closing_or_told_of_a_stall(
    tray: PiCamera, act: Callable[[PiCamera], None]
) -> None:
    tray.open()
    tray.frame(5.0)
    actor = threading.Timer(0.1, act, [tray])
    actor.start()
    with pytest.raises(CameraLostError):
        look_on(tray)
    actor.join()


def look_on(camera: PiCamera) -> None:
    for _ in range(100_000):
        camera.frame(0.5)
