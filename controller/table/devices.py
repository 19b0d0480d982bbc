# SPDX-License-Identifier: MIT
"""
The devices that can be lost.

Play waits for the camera and the disk, and goes on without the others.
"""

from __future__ import annotations

from dataclasses import dataclass

CAMERA = "camera"
DISK = "disk"
BUTTONS = "buttons"
LAMPS = "lamps"
LIGHT = "light"
BUZZER = "buzzer"
GROUND = "ground"
"""The felt as the table learnt it: lost while light or camera are not as they were."""


@dataclass(frozen=True, slots=True)
class PeripheralLost:
    """
    Buttons, lamps, light, buzzer or learnt ground cannot be used; play goes on without them.

    What happened and what to do are the driver's own words; `panel` as in `KeyPressed`.
    """

    device: str
    what: str
    remedy: str
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class PeripheralBack:
    """That peripheral works again."""

    device: str
    panel: int | None = None
