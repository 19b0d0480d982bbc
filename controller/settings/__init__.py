# SPDX-License-Identifier: MIT
"""
What a machine is set to: one TOML file, frozen into one value at start.

`keys` says what there is, `values` which kinds of values, `reading` takes or refuses a
file, `printing` writes it, `changing` writes back what was changed on a page.
"""

from controller.settings.changing import change_settings
from controller.settings.keys import (
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
from controller.settings.printing import settings_page, settings_text
from controller.settings.reading import load_settings, parse_settings

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
    "settings_page",
    "settings_text",
]
