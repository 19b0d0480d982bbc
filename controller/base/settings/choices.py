# SPDX-License-Identifier: MIT
"""The choices of those keys that have few values: drivers, tray, phones, layout, theme, rolls."""

from __future__ import annotations

from enum import Enum


class CameraDriver(Enum):
    """The drivers of cameras; `AUTO` finds the camera itself."""

    AUTO = "auto"
    SIMULATED = "simulated"
    PI = "pi"
    USB = "usb"
    FILE = "file"


class TrayKind(Enum):
    """How dice are thrown: into an open tray, or shaken in a transparent dome."""

    OPEN = "open"
    DOME = "dome"


class PanelDriver(Enum):
    NONE = "none"
    SIMULATED = "simulated"
    GPIO = "gpio"


class Phones(Enum):
    """What phones may do at this table."""

    OFF = "off"
    WATCH = "watch"
    PLAY = "play"


class Layout(Enum):
    """How the pages use the box's own screen."""

    AUTO = "auto"
    BIG = "big"
    NORMAL = "normal"


class Theme(Enum):
    FELT = "felt"
    BURGUNDY = "burgundy"
    NIGHT = "night"


class Confirm(Enum):
    """Whether a certain reading is accepted at once, or a press confirms it."""

    AUTO = "auto"
    BUTTON = "button"
