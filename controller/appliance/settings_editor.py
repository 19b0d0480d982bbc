# SPDX-License-Identifier: MIT
"""
Show and change the settings on the service page.

Some keys apply at once; the file is written too. The others apply from the next start, and the
page shows that until then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, fields
from enum import Enum
from pathlib import Path
from typing import Literal

from controller.appliance.settings_wording import (
    SECTIONS,
    describe_choice,
    describe_range,
    describe_unit,
    describe_value,
)
from controller.appliance.views import CameraView, SectionView, SettingsView, SettingView
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.base.settings import Settings, Value, change_settings, load_settings
from controller.base.settings.convert import format_toml, get_spec
from controller.base.settings.schema import Section, list_sections
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.devices.exposure_settings import effective_exposure
from hardware.camera import Camera, Exposure

APPLIED = message("Saved. It applies at once.")
NEXT_START = message("Saved. It applies from the next start of the table.")
NO_FILE = message(
    "This table runs without a settings file. Start it with: dicebell run --config FILE"
)
DEVICE_KEYS = frozenset(
    {
        "idle.minutes",
        "idle.night_brightness_percent",
        "light.brightness_percent",
        "night.from_hour",
        "night.to_hour",
        "sound.call_aloud",
        "sound.night_volume_percent",
        "sound.volume_percent",
    }
)
EXPOSURE_KEYS = frozenset(f"camera.{key.name}" for key in fields(Exposure))
LIVE_KEYS = EXPOSURE_KEYS | DEVICE_KEYS

FIXED_KEYS = frozenset({"data.folder", "mqtt.password_file", "web.pin_at_box"})
"""Keys that are changed in the file alone: root's backup and restore use the data folder; the
first line of the password's file goes to the broker, so it must not be any file; and people
at the box must not lift the PIN that is asked for there."""

BROKER_KEYS = frozenset(f"mqtt.{key}" for key in ("host", "port", "tls", "ca_file", "user"))
"""Fixed too while there is a password, which must not go to another broker."""

_LOG = Log("service")


class SettingsEditor:
    """
    Shows and changes the settings of a running table, if it has a file; from any thread.

    A changed exposure goes to `camera` over the calibrated one of `live`; `apply` sets light
    and sounds.
    """

    def __init__(
        self,
        config: Path | None,
        running: Settings,
        camera: Camera,
        live: ActiveCalibration,
        apply: Callable[[Settings], None],
    ) -> None:
        self._config = config
        self._running = running
        self._camera = camera
        self._live = live
        self._apply = apply

    def camera(self) -> CameraView:
        exposure = self._camera.exposure()
        values = {key.name: getattr(exposure, key.name) for key in fields(Exposure)}
        return {"name": self._camera.name, "exposure": values if exposure else {}}

    def view(self) -> SettingsView:
        """Return every key from the file; from the running table if the file is broken."""
        settings, problem = self._running, ""
        try:
            settings = self._from_file()
        except InputError as error:
            problem = error.args[0]
        sections = list_sections(settings)
        return {
            "file": str(self._config or ""),
            "problem": problem if self._config else NO_FILE,
            "sections": [self._section(name, each, settings) for name, each in sections.items()],
        }

    def change(self, name: str, value: bool | int | float | str) -> str:
        """Write a setting `section.key`, and return when it applies; InputError if not allowed."""
        if self._config is None:
            raise InputError(expected=message("a settings file"), found=message("none"), where=name)
        if _is_fixed(name, self._from_file()):
            expected = message(
                "a setting of this page; {name} is changed in {file}", name=name, file=self._config
            )
            raise InputError(expected=expected, found=name)
        settings = change_settings(self._config, {name: value})
        if name in EXPOSURE_KEYS:
            kept = self._live.calibration
            calibrated = kept.exposure if kept else None
            self._camera.set_exposure(effective_exposure(settings.camera, calibrated))
        elif name in DEVICE_KEYS:
            self._apply(settings)
        _LOG.info("setting changed", key=name)
        return APPLIED if name in LIVE_KEYS else NEXT_START

    def _from_file(self) -> Settings:
        there = self._config is not None and self._config.exists()
        return load_settings(self._config) if self._config and there else self._running

    def _section(self, name: str, section: Section, whole: Settings) -> SectionView:
        used = list_sections(self._running)[name]
        settings = [
            _setting(name, key, getattr(section, key.name), getattr(used, key.name), whole)
            for key in fields(section)
        ]
        label, about = SECTIONS[name]
        return {"name": name, "label": label, "about": about, "settings": settings}


def _is_fixed(name: str, settings: Settings) -> bool:
    return name in FIXED_KEYS or (name in BROKER_KEYS and bool(settings.mqtt.password_file))


def _setting(
    section: str, key: Field[Value], value: Value, used: Value, whole: Settings
) -> SettingView:
    name = f"{section}.{key.name}"
    choices = _choices(key)
    return {
        "name": name,
        "key": key.name,
        "label": get_spec(key).label,
        "about": get_spec(key).what,
        "unit": describe_unit(key),
        "allowed": describe_range(key),
        "default": format_toml(key.default),
        "default_text": describe_value(key, key.default),
        "kind": "choice" if choices else _kind(value),
        "choices": [_text(choice) for choice in choices],
        "choice_labels": [describe_choice(choice) for choice in choices],
        "value": _text(value),
        "fixed": _is_fixed(name, whole),
        "live": name in LIVE_KEYS,
        "waits": value != used and name not in LIVE_KEYS,
    }


def _kind(value: Value) -> Literal["number", "text", "flag"]:
    if isinstance(value, bool):
        return "flag"
    return "number" if isinstance(value, int | float) else "text"


def _choices(key: Field[Value]) -> list[Value]:
    return [*type(key.default)] if isinstance(key.default, Enum) else [*get_spec(key).choices]


def _text(value: Value) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    return str(value).lower() if isinstance(value, bool) else str(value)
