# SPDX-License-Identifier: MIT
"""
Define what every camera does: open, deliver its newest frame, close.

A camera keeps no queue. A late caller gets what is in the tray now, not what was there before.
The calibration finds the `Exposure` and fixes it, because a correct reading must stay correct
when the shadow of a hand falls on the felt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, Self

from vision.frame import Frame


class CameraLostError(OSError):
    """The camera is missing or has stopped delivering; its name is as in the settings."""

    def __init__(self, *, camera: str, what: str, mend: str) -> None:
        self.camera = camera
        self.what = what
        self.mend = mend
        super().__init__(f"{camera}: {what}; {mend}")


@dataclass(frozen=True, slots=True)
class Exposure:
    """
    The fixed settings of every picture; the defaults are a good start.

    A camera leaves a value of 0 unchanged, and returns 0 for an unknown value.
    """

    exposure_us: int = 10_000  # Shutter time in microseconds.
    gain: float = 2.0  # Amplification of the sensor, 1 or more; noise grows with it.
    red_gain: float = 2.0  # White balance: gain of red against green.
    blue_gain: float = 1.8  # White balance: gain of blue against green.
    focus_dioptre: float = 2.5  # 1 / distance in metres, for lenses that move; 2.5 is 40 cm.


def without_flicker(exposure: Exposure, *, mains_hz: int, longest_us: float) -> Exposure:
    """
    Return an exposure of the same brightness under which lamps on the mains do not flicker.

    Such a lamp pulses twice in every period of the mains. A shutter that is open for whole pulses
    gets the same light every time. The gain makes up for the changed time. The time is at most
    `longest_us`, but at least one pulse; a time of 0 stays 0.
    """
    if not exposure.exposure_us:
        return exposure
    pulse_us = 1e6 / (2 * mains_hz)
    most = max(1, int(longest_us / pulse_us + 1e-6))
    pulses = min(max(1, round(exposure.exposure_us / pulse_us)), most)
    steady_us = round(pulses * pulse_us)
    gain = exposure.gain and max(1.0, exposure.gain * exposure.exposure_us / steady_us)
    return replace(exposure, exposure_us=steady_us, gain=gain)


class Camera(Protocol):
    """
    A source of frames; drivers inherit the context manager.

    `open` may be called again after `close` and after a loss; numbers then start from 0 again.
    One thread calls the methods; `close`, `exposure` and `set_exposure` may come from any.
    """

    @property
    def name(self) -> str:
        """The name for people: `simulated`, `usb 0`, `pi 0`, a file's name."""

    def open(self) -> None:
        """Prepare to deliver frames; CameraLostError if it is missing or cannot be used."""

    def frame(self, timeout_s: float) -> Frame:
        """
        Return the newest frame that was not returned before, waiting for it.

        CameraLostError if none came within `timeout_s` seconds, or the camera is gone.
        """

    def close(self) -> None:
        """Release the device; safe to call twice."""

    def exposure(self) -> Exposure | None:
        """Return the exposure read back with the newest picture; None if none is reported."""
        return None

    def set_exposure(self, exposure: Exposure | None) -> None:
        """
        Use this exposure from the next pictures on, and after every later opening.

        A camera without such settings ignores it. None leaves it to the camera, which only
        calibration does.
        """
        return None

    @property
    def is_replaced(self) -> bool:
        """Whether the next opening takes another camera, because a person chose it."""
        return False

    def lost_error(self, what: str, mend: str) -> CameraLostError:
        """Return the error about this camera."""
        return CameraLostError(camera=self.name, what=what, mend=mend)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
