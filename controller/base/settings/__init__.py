# SPDX-License-Identifier: MIT
"""
The settings of a machine: one TOML file, read into one frozen value at start.

`schema` defines the keys, `convert` the kinds of values, `load` reads a file, `render` writes
one, `edit` changes single keys in it.
"""

from controller.base.settings.choices import (
    CameraDriver,
    Layout,
    PanelDriver,
    Phones,
    Theme,
    TrayKind,
)
from controller.base.settings.edit import change_settings
from controller.base.settings.load import load_settings, parse_settings
from controller.base.settings.render import render_reference, render_settings
from controller.base.settings.schema import (
    ApiSettings,
    CameraSettings,
    DataSettings,
    EvidenceSettings,
    IdleSettings,
    LightSettings,
    MqttSettings,
    NightSettings,
    PanelSettings,
    PlayerPanelSettings,
    Settings,
    SoundSettings,
    TableSettings,
    TournamentSettings,
    TraySettings,
    Value,
    WebSettings,
)

__all__ = [
    "ApiSettings",
    "CameraDriver",
    "CameraSettings",
    "DataSettings",
    "EvidenceSettings",
    "IdleSettings",
    "Layout",
    "LightSettings",
    "MqttSettings",
    "NightSettings",
    "PanelDriver",
    "PanelSettings",
    "Phones",
    "PlayerPanelSettings",
    "Settings",
    "SoundSettings",
    "TableSettings",
    "Theme",
    "TournamentSettings",
    "TrayKind",
    "TraySettings",
    "Value",
    "WebSettings",
    "change_settings",
    "load_settings",
    "parse_settings",
    "render_reference",
    "render_settings",
]
