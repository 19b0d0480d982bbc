# SPDX-License-Identifier: MIT
"""Exposures under which lamps on the mains do not flicker."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera import Exposure, without_flicker

LONGEST_US = 1e6 / 30


@pytest.mark.parametrize(
    ("mains_hz", "wanted_us", "steady_us"),
    [
        (50, 10_000, 10_000),
        (50, 14_000, 10_000),
        (50, 16_000, 20_000),
        (50, 3_000, 10_000),
        (50, 90_000, 30_000),
        (60, 10_000, 8_333),
        (60, 16_000, 16_667),
        (60, 90_000, 33_333),
    ],
)
def test_time_is_whole_pulses_of_the_lamps_within_a_picture(
    mains_hz: int, wanted_us: int, steady_us: int
) -> None:
    steady = without_flicker(Exposure(wanted_us), mains_hz=mains_hz, longest_us=LONGEST_US)
    assert steady.exposure_us == steady_us


def test_one_pulse_is_taken_even_where_pictures_are_shorter() -> None:
    steady = without_flicker(Exposure(5_000), mains_hz=50, longest_us=1e6 / 120)
    assert steady.exposure_us == 10_000


def test_what_is_left_to_the_camera_stays_so() -> None:
    nothing = Exposure(0, 0.0, 0.0, 0.0, 0.0)
    assert without_flicker(nothing, mains_hz=50, longest_us=LONGEST_US) == nothing
    assert without_flicker(Exposure(15_000, 0.0), mains_hz=50, longest_us=LONGEST_US).gain == 0.0


@given(
    exposure_us=st.integers(1, 60_000),
    gain=st.floats(1.0, 16.0),
    mains_hz=st.sampled_from((50, 60)),
)
def test_brightness_stays_as_far_as_the_gain_reaches(
    exposure_us: int, gain: float, mains_hz: int
) -> None:
    wanted = Exposure(exposure_us, gain, 1.7, 1.9, 2.2)
    steady = without_flicker(wanted, mains_hz=mains_hz, longest_us=LONGEST_US)
    light = steady.exposure_us * steady.gain
    assert steady.gain == 1.0 or light == pytest.approx(exposure_us * gain)
    assert steady.gain >= 1.0
    kept = (steady.red_gain, steady.blue_gain, steady.focus_dioptre)
    assert kept == (1.7, 1.9, 2.2)
    again = without_flicker(steady, mains_hz=mains_hz, longest_us=LONGEST_US)
    assert again.exposure_us == steady.exposure_us
