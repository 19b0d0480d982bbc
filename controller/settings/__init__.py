# SPDX-License-Identifier: MIT
"""
What a machine is set to: one TOML file, frozen into one value at start.

`schema` says what there is, `convert` which kinds of values, `load` takes or refuses a
file, `render` writes it, `edit` writes back what was changed on a page.
"""

from controller.settings.edit import change_settings
from controller.settings.load import load_settings, parse_settings
from controller.settings.render import render_reference, render_settings
from controller.settings.schema import (
    CameraDriver,
    CameraSettings,
    DataSettings,
    EvidenceSettings,
    LightSettings,
    PanelDriver,
    PanelSettings,
    Phones,
    PlayerPanelSettings,
    Settings,
    SoundSettings,
    TableSettings,
    Value,
    WebSettings,
)

__all__ = [
    "CameraDriver",
    "CameraSettings",
    "DataSettings",
    "EvidenceSettings",
    "LightSettings",
    "PanelDriver",
    "PanelSettings",
    "Phones",
    "PlayerPanelSettings",
    "Settings",
    "SoundSettings",
    "TableSettings",
    "Value",
    "WebSettings",
    "change_settings",
    "load_settings",
    "parse_settings",
    "render_reference",
    "render_settings",
]
