# SPDX-License-Identifier: MIT
"""What the doctor is shown: the machine, how the table is set, and whether it plays now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from controller.maintenance.doctor.host import Host
from controller.settings import Settings
from hardware.camera import Camera
from hardware.clock import Clock, MonotonicClock


@dataclass(frozen=True, slots=True)
class DiagnosticContext:
    """
    A table on its machine.

    Attributes:
        machine: Where it stands.
        settings: How it is set; the defaults where no file is.
        open_camera: Makes the camera that the settings name; may raise `InputError`.
        config: The settings file; `None` if there is none.
        is_running: Whether a dicebell plays on the port of the settings now: then the camera
            and the pins are its own, and are not touched.
        clock: Measures how fast things are.
    """

    host: Host
    settings: Settings
    open_camera: Callable[[], Camera]
    config: Path | None = None
    is_running: bool = False
    clock: Clock = field(default_factory=MonotonicClock)
