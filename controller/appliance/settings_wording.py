# SPDX-License-Identifier: MIT
"""
The settings as the service page words them: sections, choices, units, ranges and defaults.

The file has words of its own, which have no other language; `controller.base.settings.convert`
describes those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field
from enum import Enum

from controller.base.languages.catalogue import load_catalogues
from controller.base.languages.codes import AUTO
from controller.base.languages.message import Message, chain_messages, message
from controller.base.settings import (
    CameraDriver,
    Layout,
    PanelDriver,
    Phones,
    Theme,
    TrayKind,
    Value,
)
from controller.base.settings.choices import Confirm
from controller.base.settings.convert import get_spec
from controller.base.settings.schema import NO_PIN

_PANEL = message("Pins are BCM numbers, each used once; 0 for none.")
SECTIONS: Mapping[str, tuple[Message, Message]] = {
    "table": (message("Play"), message("How the table plays.")),
    "camera": (
        message("Camera"),
        message("Which camera looks into the tray, and how. 0 leaves a value to the calibration."),
    ),
    "tray": (message("Tray"), message("How dice are thrown.")),
    "panel": (message("Buttons and lamps for everybody"), _PANEL),
    **{
        f"panel_{seat}": (message("Buttons and lamps of player {seat}", seat=seat), _PANEL)
        for seat in range(1, 7)
    },
    "light": (message("Light"), message("The light over the tray.")),
    "sound": (message("Sound"), message("Sounds of the box.")),
    "night": (
        message("Night"),
        message("The hours in which the table is quieter, and its demonstration darker."),
    ),
    "idle": (
        message("Demonstration"),
        message("The box's own screen while nobody uses the table."),
    ),
    "web": (message("Pages and phones"), message("Where the pages are served, and to whom.")),
    "api": (
        message("Other programs"),
        message("The interface /api/v1; its tokens are made under Machine."),
    ),
    "tournament": (
        message("Tournament"),
        message("Where the desk of a tournament is; the table joins it under Machine."),
    ),
    "mqtt": (
        message("Home Assistant and MQTT"),
        message("A broker that gets rolls, games and health; Machine shows whether it answers."),
    ),
    "data": (message("Data"), message("Where games are kept.")),
    "evidence": (
        message("Pictures of the rolls"),
        message("How long pictures are kept; their digests in the journal stay forever."),
    ),
}
"""Label and purpose of every section."""

CHOICES: Mapping[Enum, Message] = {
    TrayKind.OPEN: message("open tray"),
    TrayKind.DOME: message("transparent dome"),
    Confirm.AUTO: message("automatically"),
    Confirm.BUTTON: message("with the button"),
    CameraDriver.AUTO: message("automatic"),
    CameraDriver.SIMULATED: message("simulated"),
    CameraDriver.PI: message("camera of the Raspberry Pi"),
    CameraDriver.USB: message("USB camera"),
    CameraDriver.FILE: message("file"),
    PanelDriver.NONE: message("no panel"),
    PanelDriver.SIMULATED: message("simulated"),
    PanelDriver.GPIO: message("pins of the Raspberry Pi"),
    Phones.OFF: message("nothing"),
    Phones.WATCH: message("watch"),
    Phones.PLAY: message("watch and play"),
    Layout.AUTO: message("automatic"),
    Layout.BIG: message("big"),
    Layout.NORMAL: message("normal"),
    Theme.FELT: message("Green felt"),
    Theme.BURGUNDY: message("Burgundy"),
    Theme.NIGHT: message("Night"),
}
"""The choices of the keys in words."""

_UNITS: Mapping[str, str] = {"us": "µs", "percent": "%", "days": message("days")}


def describe_unit(key: Field[Value]) -> str:
    """Return the unit of a key as people write it; empty without one."""
    unit = get_spec(key).unit
    return _UNITS.get(unit, unit)


def describe_range(key: Field[Value]) -> str:
    """Return the allowed numbers of a key; empty if its field shows what is allowed."""
    spec = get_spec(key)
    if spec.span is None:
        return ""
    low, high = spec.span
    if spec.is_pin:
        return message("{low} to {high}, or {none} for none", low=low, high=high, none=NO_PIN)
    return _with_unit(message("{low} to {high}", low=low, high=high), key)


def describe_value(key: Field[Value], value: Value) -> str:
    """Return a value of a key in words; empty for an empty text."""
    if isinstance(value, bool):
        return message("yes") if value else message("no")
    if isinstance(value, int | float):
        return _with_unit(f"{value:g}", key)
    return describe_choice(value)


def describe_choice(value: object) -> str:
    """Return a choice in words: of an enumeration, a language by its code, or itself."""
    if isinstance(value, Enum):
        return CHOICES.get(value, str(value.value))
    if value == AUTO:
        return message("automatic")
    catalogue = load_catalogues().get(str(value))
    return catalogue.name if catalogue else str(value)


def _with_unit(text: str, key: Field[Value]) -> str:
    unit = describe_unit(key)
    return chain_messages([text, unit]) if unit else text
