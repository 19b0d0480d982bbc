# SPDX-License-Identifier: MIT
"""What is particular to the Pi's camera: formats that change, controls, lent memory."""

from __future__ import annotations

import importlib.util
import threading
from typing import Any

import numpy as np
import pytest

from hardware.camera import CameraLostError, Exposure
from hardware.cameras.pi import PiCamera, Stream
from hardware.clock import SteppedClock
from tests.support.fake_picamera2 import BUFFERS, Rack
from tests.support.recorded import FPS, SIZE_WH, is_bgr, number_of, picture

HANGS_S = 60.0
FORMATS = ["RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "NV21"]


def camera_of(rack: Rack, exposure: Exposure | None = None) -> PiCamera:
    return PiCamera(
        0,
        size_wh=SIZE_WH,
        fps=FPS,
        exposure=exposure,
        clock=SteppedClock(77.0),
        open_device=rack.open_device,
    )


@pytest.mark.parametrize("padding", [0, 32])
@pytest.mark.parametrize("pixels", FORMATS)
def test_whatever_format_comes_blue_is_blue(pixels: str, padding: int) -> None:
    with camera_of(Rack(picture(6), pixels=pixels, padding=padding)) as camera:
        image = camera.frame(1.0).image_bgr
    assert image.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert is_bgr(image)
    assert number_of(image) == 6


def test_format_that_nobody_can_read_is_refused() -> None:
    rack = Rack(picture(1), pixels="MJPEG")
    with pytest.raises(CameraLostError, match="pixels as MJPEG"):
        camera_of(rack).open()
    assert rack.closed == rack.opened


def test_other_size_is_refused_with_the_settings_that_would_do() -> None:
    rack = Rack(picture(1), size_wh=(128, 120))
    with pytest.raises(CameraLostError, match="128x120 instead of 160x120") as told:
        camera_of(rack).open()
    assert "width = 128 and height = 120" in told.value.mend
    assert rack.closed == rack.opened


KNOWN = (
    *("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "AfMode"),
    *("LensPosition", "AeFlickerMode", "AeFlickerPeriod"),
)
CONTROLS: dict[str, tuple[Any, Any, Any]] = dict.fromkeys(KNOWN, (0, 0, 0))


def test_every_automatic_is_off_and_every_value_given_is_set() -> None:
    rack = Rack(picture(1), controls=CONTROLS)
    camera_of(rack, Exposure(20_000, 1.5, 1.9, 1.6, 3.0)).open()
    assert rack.set_controls == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": 1.5,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.6),
        "AfMode": 0,
        "LensPosition": 3.0,
    }


def test_a_value_of_0_leaves_that_to_what_the_camera_has() -> None:
    rack = Rack(picture(1), controls=CONTROLS)
    camera_of(rack, Exposure(10_000, 2.0, 0.0, 0.0, 0.0)).open()
    assert not {"ColourGains", "LensPosition"} & set(rack.set_controls)


def test_exposure_is_whole_pulses_of_the_lamps() -> None:
    rack = Rack(picture(1), controls=CONTROLS)
    camera = PiCamera(size_wh=SIZE_WH, mains_hz=60, open_device=rack.open_device)
    camera.set_exposure(Exposure(15_000, 2.0))
    camera.open()
    assert rack.set_controls["ExposureTime"] == 16_667
    assert rack.set_controls["AnalogueGain"] == pytest.approx(1.8, rel=1e-3)


def test_left_to_itself_the_camera_still_keeps_to_the_pulses() -> None:
    rack = Rack(picture(1), controls=CONTROLS)
    camera = camera_of(rack)
    camera.open()
    camera.set_exposure(None)
    assert rack.set_controls["AeEnable"] is rack.set_controls["AwbEnable"] is True
    assert (rack.set_controls["AfMode"], rack.set_controls["AeFlickerPeriod"]) == (2, 10_000)
    camera.frame(1.0)
    assert camera.exposure() == Exposure(12_345, 3.3, 1.7, 1.9, 0.0)


def test_both_streams_are_read_back_as_they_were_made() -> None:
    camera = camera_of(Rack(picture(1), pixels="NV12", padding=32))
    camera.open()
    assert camera.streams == {
        "main": Stream(SIZE_WH, "NV12", SIZE_WH[0] + 32),
        "lores": Stream(SIZE_WH, "YUV420", SIZE_WH[0] + 32),
    }


@pytest.mark.parametrize("padding", [0, 32])
@pytest.mark.parametrize("pixels", ["YUV420", "NV12"])
def test_small_picture_is_the_large_one_in_grey(pixels: str, padding: int) -> None:
    rack = Rack(np.full((720, 1280, 3), 77, np.uint8), padding=padding, lores={"format": pixels})
    with PiCamera(open_device=rack.open_device) as camera:
        small = camera.frame(1.0).small_grey
    assert small is not None
    assert small.shape == (180, 320)
    assert small.flags.c_contiguous
    assert np.allclose(small, 0.859 * 77 + 16, atol=2)  # luma as video has it, 16 to 235


@pytest.mark.parametrize("lores", [{"format": "RGB888"}, {"size": (80, 60)}])
def test_small_picture_of_another_size_is_left_out(lores: dict[str, Any]) -> None:
    with camera_of(Rack(picture(1), lores=lores)) as camera:
        assert camera.frame(1.0).small_grey is None


@pytest.mark.parametrize(("shortest_us", "asked_us"), [(10_000, 40_000), (50_000, 50_000)])
def test_missing_controls_are_left_out_and_the_rate_is_limited(
    shortest_us: int, asked_us: int
) -> None:
    rack = Rack(picture(1), controls={"FrameDurationLimits": (shortest_us, 66_666, None)})
    camera_of(rack).open()
    assert rack.set_controls == {"FrameDurationLimits": (asked_us, asked_us)}


def test_time_is_the_sensors_own_where_it_tells_one() -> None:
    with camera_of(Rack(picture(1))) as camera:
        assert camera.frame(1.0).at_s == 5.0
    with camera_of(Rack(picture(1), metadata=lambda _taken_ns: {})) as camera:
        assert camera.frame(1.0).at_s == 77.0


def test_memory_is_given_back_at_once() -> None:
    rack = Rack(picture(1))
    with camera_of(rack) as camera:
        for _ in range(3 * BUFFERS):
            camera.frame(0.5)
        assert rack.lent == 0


def test_memory_is_given_back_when_a_picture_cannot_be_read() -> None:
    def failing(_taken_ns: int) -> dict[str, Any]:
        raise RuntimeError("no metadata")

    rack = Rack(picture(1), metadata=failing)
    camera = camera_of(rack)
    camera.open()
    with pytest.raises(CameraLostError, match="no metadata"):
        camera.frame(0.5)
    camera.close()
    assert (rack.lent, rack.closed) == (0, 1)


def test_camera_that_stops_delivering_is_closed() -> None:
    rack = Rack(picture(1))
    camera = camera_of(rack)
    camera.open()
    rack.is_cable_out = True
    with pytest.raises(CameraLostError, match=r"no picture came for 0\.01 s"):
        camera.frame(0.01)
    camera.close()
    assert rack.closed == 1


def test_closing_wakes_whoever_waits() -> None:
    rack = Rack(picture(1))
    camera = camera_of(rack)
    camera.open()
    rack.is_cable_out = True
    rack.on_waiting = camera.close
    with pytest.raises(CameraLostError):
        camera.frame(30.0)


def test_no_such_camera_is_told_by_number() -> None:
    rack = Rack(picture(1))
    camera = PiCamera(3, open_device=rack.open_device)
    with pytest.raises(CameraLostError, match="pi 3: it cannot be opened") as told:
        camera.open()
    assert "rpicam-hello" in told.value.mend


def test_a_hanging_stop_does_not_delay_the_message() -> None:
    rack = Rack(picture(1))
    camera = camera_of(rack)
    camera.open()
    rack.stopping = threading.Event()
    rack.is_cable_out = True
    let_go = threading.Timer(HANGS_S, rack.stopping.set)
    let_go.start()
    with pytest.raises(CameraLostError):
        camera.frame(0.01)
    assert not rack.stopping.is_set(), "the message waited for the stop"
    let_go.cancel()
    rack.stopping.set()
    camera.close()


def test_camera_that_fails_to_close_is_lost() -> None:
    rack = Rack(picture(1), pixels="MJPEG", closing_fails=True)
    camera = camera_of(rack)
    with pytest.raises(CameraLostError, match="MJPEG"):
        camera.open()
    rack.pixels = "RGB888"
    camera.open()
    camera.close()
    assert rack.closed == 2


@pytest.mark.skipif(
    importlib.util.find_spec("picamera2") is not None, reason="picamera2 is installed here"
)
def test_missing_library_names_the_command_that_installs_it() -> None:
    with pytest.raises(CameraLostError) as told:
        PiCamera().open()
    assert told.value.mend == "run: sudo apt install python3-picamera2"
