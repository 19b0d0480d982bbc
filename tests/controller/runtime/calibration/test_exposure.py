# SPDX-License-Identifier: MIT
"""The camera chooses its light, and is held to it without flicker; what goes wrong is told."""

from __future__ import annotations

import pytest

from controller.runtime.calibration.exposure import ExposureResult, lock_exposure
from hardware.camera import Exposure
from tests.controller.runtime.calibration.cameras import ChoosyCamera

OWN = Exposure(12_300, 1.7, 2.1, 1.7, 2.2)


def fixed(camera: ChoosyCamera, mains_hz: int = 50) -> ExposureResult:
    with camera:
        return lock_exposure(
            camera, lambda: camera.frame(1.0), mains_hz=mains_hz, longest_us=33_333.0
        )


@pytest.mark.parametrize(("mains_hz", "shutter_us"), [(50, 10_000), (60, 8_333)])
def test_the_shutter_is_open_for_whole_pulses_of_the_lamps(mains_hz: int, shutter_us: int) -> None:
    camera = ChoosyCamera(OWN)
    result = fixed(camera, mains_hz)
    assert camera.asked[0] is None
    assert result.exposure == camera.asked[-1]
    assert result.exposure is not None
    assert result.exposure.exposure_us == shutter_us
    assert result.exposure.gain * shutter_us == pytest.approx(1.7 * 12_300, rel=1e-3)
    assert (result.exposure.red_gain, result.exposure.focus_dioptre) == (2.1, 2.2)
    assert result.is_well
    assert f"no flicker at {mains_hz} Hz" in result.text


def test_a_camera_that_tells_nothing_goes_on_as_it_is() -> None:
    result = fixed(ChoosyCamera(None))
    assert result == ExposureResult(
        None,
        "This camera does not let its exposure be read or set. It stays automatic.",
        is_well=True,
    )


def test_a_camera_that_does_not_do_as_told_is_found_out() -> None:
    result = fixed(ChoosyCamera(OWN, taken=Exposure(31_000, 1.0, 2.1, 1.7, 2.2)))
    assert not result.is_well
    assert "did not accept the shutter time and uses 31.0 ms" in result.text


def test_light_too_bright_for_a_flicker_free_shutter_is_refused() -> None:
    class Glaring(ChoosyCamera):
        """Chooses a thousandth of a second, and sees as much as usual in that."""

        def set_exposure(self, exposure: Exposure | None) -> None:
            super().set_exposure(exposure)
            if exposure is None:
                return
            share = exposure.exposure_us * exposure.gain / 1_000
            self._exposure = Exposure(10_000, 2.0 * share, 2.0, 1.8, 2.2)

    result = fixed(Glaring(Exposure(1_000, 1.0, 2.0, 1.8, 2.2)))
    assert not result.is_well
    assert "too bright. Dim the lamp" in result.text
