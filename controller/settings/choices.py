# SPDX-License-Identifier: MIT
"""The choices of those keys that have few values: drivers, and what phones may do."""

from __future__ import annotations

from enum import Enum


class CameraDriver(Enum):
    """The drivers of cameras."""

    SIMULATED = "simulated"
    PI = "pi"
    USB = "usb"
    FILE = "file"


class PanelDriver(Enum):
    """The drivers of panels."""

    NONE = "none"
    SIMULATED = "simulated"
    GPIO = "gpio"


class Phones(Enum):
    """What phones may do at this table."""

    OFF = "off"
    WATCH = "watch"
    PLAY = "play"
