# SPDX-License-Identifier: MIT
"""What the checks look at: the host, the settings, and whether a table runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from controller.appliance.doctor.host import Host
from controller.base.settings import Settings
from controller.runtime.monitoring.health_status import LIVE
from hardware.camera import Camera
from hardware.clock import Clock, MonotonicClock


@dataclass(frozen=True, slots=True)
class DiagnosticContext:
    """A table on its host."""

    host: Host
    settings: Settings  # Its settings; the defaults without a file.
    open_camera: Callable[[], Camera]  # Creates the camera of the settings; may raise `InputError`.
    config: Path | None = None
    # Whether a dicebell serves on the port of the settings; then its camera and its pins are not
    # touched.
    is_running: bool = False
    peripherals: str = LIVE  # What of its peripherals that dicebell cannot use, as in `/healthz`.
    clock: Clock = field(default_factory=MonotonicClock)
