# SPDX-License-Identifier: MIT
"""
What every camera is: opened, asked for its newest frame, closed.

Newest frame wins. A camera keeps no queue: whoever asks late gets what is in
the tray now, not what was there before.

How pictures are taken is one value, `Exposure`, found by the calibration and fixed
from then on: a reading that was right must stay right when a hand's shadow falls on
the felt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame


class CameraLostError(OSError):
    """
    The camera is not there, or has stopped delivering.

    Args:
        camera: Its name as the settings and the kiosk show it.
        what: What happened, in words.
        mend: What a person can do about it.
    """

    def __init__(self, *, camera: str, what: str, mend: str) -> None:
        self.camera = camera
        self.what = what
        self.mend = mend
        super().__init__(f"{camera}: {what}; {mend}")


@dataclass(frozen=True, slots=True)
class Exposure:
    """
    How every picture is taken; the defaults are good to begin with.

    A camera leaves alone what is 0, and tells 0 for what it does not know.

    Attributes:
        exposure_us: Shutter time in microseconds.
        gain: Amplification of the sensor, 1 or more; noise grows with it.
        red_gain: White balance: gain of red against green.
        blue_gain: And of blue against green.
        focus_dioptre: 1 / distance in metres, for lenses that move; 2.5 is 40 cm.
    """

    exposure_us: int = 10_000
    gain: float = 2.0
    red_gain: float = 2.0
    blue_gain: float = 1.8
    focus_dioptre: float = 2.5


def without_flicker(exposure: Exposure, *, mains_hz: int, longest_us: float) -> Exposure:
    """
    Return an exposure of the same brightness under which lamps on the mains do not flicker.

    Such a lamp pulses twice in every period of the mains. A shutter that is open for whole
    pulses sees the same light every time; what it loses or wins in time is made up by the gain.

    Args:
        exposure: The one that is wanted; a time of 0 is left alone.
        mains_hz: 50 or 60.
        longest_us: No longer than this, as far as one pulse allows: a picture's length.
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
    A source of frames; drivers inherit the way in and out of a `with` block.

    `open` may be called again after `close`, and after a loss; numbers then start from 0
    again. All methods are called from one thread, but `close`, `exposure` and `set_exposure`
    may be called from any.
    """

    @property
    def name(self) -> str:
        """How people call it: `simulated`, `usb 0`, `pi 0`, a file's name."""
        ...

    def open(self) -> None:
        """
        Make ready to deliver frames.

        Raises:
            CameraLostError: It is not there or cannot be used.
        """
        ...

    def frame(self, timeout_s: float) -> Frame:
        """
        Return the newest frame that was not returned before, waiting for it.

        Raises:
            CameraLostError: None came within `timeout_s` seconds, or the camera is gone.
            EOFError: A recording has ended; live cameras never raise it.
        """
        ...

    def close(self) -> None:
        """Release the device; safe to call twice."""
        ...

    def exposure(self) -> Exposure | None:
        """Return how the newest picture was taken, as read back; none where nothing is told."""
        return None

    def set_exposure(self, exposure: Exposure | None) -> None:
        """
        Take pictures like this from the next ones on, and after every later opening.

        A camera that has nothing to set takes no notice.

        Args:
            exposure: How; none leaves it to the camera: only to calibrate by.
        """
        return None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
