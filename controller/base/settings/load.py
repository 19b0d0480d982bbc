# SPDX-License-Identifier: MIT
"""
Read a settings file completely or refuse it; the first mistake is named by file, line and key.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Any

from controller.base.durable_files import read_regular_file
from controller.base.errors import InputError, refuse_os_errors
from controller.base.settings import schema
from controller.base.settings.choices import CameraDriver
from controller.base.settings.convert import convert_value, describe_allowed, format_toml, get_spec

_MOST_BYTES = 1 << 20  # No settings file is larger; one with all comments has some 10 kB.

_ADDRESS = re.compile(r"https?://(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(:\d{1,5})?/?")
_HOST_NAME = re.compile(r"[\w:-]+(\.[\w-]+)*")
_TOPIC = re.compile(r"[^/+#$\x00-\x1f\x7f][^/+#\x00-\x1f\x7f]*(/[^/+#\x00-\x1f\x7f]+)*")
_LONGEST_TOPIC = 100


def load_settings(path: Path | None) -> schema.Settings:
    """Read a file, or the defaults; InputError names the first mistake by file, line and key."""
    return parse_settings(read_settings_file(path), where=str(path)) if path else schema.Settings()


def read_settings_file(path: Path) -> str:
    """Return the text of a settings file; InputError if it cannot be read or is no UTF-8."""
    with refuse_os_errors(expected := "a settings file", path):
        try:
            content = read_regular_file(path, _MOST_BYTES)
        except FileNotFoundError as error:
            raise InputError(expected=expected, found="nothing there", where=str(path)) from error
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(expected="text in UTF-8", found=str(error), where=str(path)) from error


def parse_settings(text: str, *, where: str = "settings") -> schema.Settings:
    """Read settings from TOML; a missing key keeps its default. InputError as `load_settings`."""
    source = _Source(text, where)
    settings = schema.Settings()
    for name, table in source.tables.items():
        section = schema.list_sections(settings).get(name)
        if section is None or not isinstance(table, dict):
            sections = ", ".join(f"[{known}]" for known in schema.list_sections(settings))
            raise InputError(
                expected=f"one of the sections {sections}", found=name, where=source.locate(name)
            )
        read: dict[str, Any] = {key: _read_value(source, name, section, key) for key in table}
        changes: dict[str, Any] = {name: replace(section, **read)}
        settings = replace(settings, **changes)
    _require_path_for_driver(settings.camera, source)
    _require_own_pins(settings, source)
    _require_host_names(settings.web, source)
    _require_address(settings.tournament, source)
    _require_broker(settings.mqtt, source)
    return settings


class _Source:
    def __init__(self, text: str, where: str) -> None:
        self._lines = text.split("\n")
        self._where = where
        try:
            self.tables = tomllib.loads(text)
        except RecursionError as error:
            found = "values nested too deeply"
            raise InputError(expected="settings in TOML", found=found, where=where) from error
        except tomllib.TOMLDecodeError as error:
            why, _, place = str(error).rstrip(")").partition(" (at ")
            line = re.search(r"line (\d+)", place)
            number = int(line[1]) if line else len(self._lines)
            raise InputError(
                expected="[section] or key = value in TOML, text in quotes",
                found=f"{self._lines[number - 1].strip() or 'nothing more'} ({why})",
                where=f"{where}, line {number}",
            ) from error
        except ValueError as error:
            # Python reads no whole number of more than some thousand digits.
            raise InputError(expected="settings in TOML", found=str(error), where=where) from error

    def is_set(self, section: str, key: str) -> bool:
        return key in self.tables.get(section, {})

    def locate(self, section: str, key: str | None = None) -> str:
        """
        Return the first line of a section or key, and its name.

        The parser reports no lines. So the text is parsed again with one line more each time,
        until the key appears: slow, right for all of TOML, and used only for errors.
        """
        number = next(n for n in range(1, len(self._lines) + 1) if self._has(n, section, key))
        return f"{self._where}, line {number}, {section}{'.' + key if key else ''}"

    def _has(self, count: int, section: str, key: str | None) -> bool:
        try:
            tables = tomllib.loads("\n".join(self._lines[:count]) + "\n")
        except (ValueError, RecursionError):
            return False  # in the middle of a value of several lines
        return section in tables and (key is None or key in tables[section])


def _read_value(source: _Source, name: str, section: schema.Section, key: str) -> schema.Value:
    known: dict[str, Field[schema.Value]] = {each.name: each for each in fields(section)}
    if key not in known:
        expected = _suggest_key(key, tuple(known.values()))
        raise InputError(expected=expected, found=key, where=source.locate(name, key))
    raw = source.tables[name][key]
    value = convert_value(known[key], raw)
    if value is None:
        expected = describe_allowed(known[key])
        raise InputError(expected=expected, found=format_toml(raw), where=source.locate(name, key))
    return value


def _suggest_key(key: str, known: tuple[Field[schema.Value], ...]) -> str:
    """Suggest a key for an unknown one: often the right key has another unit."""
    for other in known:
        unit = get_spec(other).unit.lower()
        stem = other.name.removesuffix(f"_{unit}")
        if unit and (key == stem or key.startswith(f"{stem}_")):
            return f"{other.name}, {describe_allowed(other)}"
    return "one of the keys " + ", ".join(other.name for other in known)


def _require_path_for_driver(camera: schema.CameraSettings, source: _Source) -> None:
    if camera.driver is CameraDriver.AUTO and camera.path:
        # Otherwise another camera might be found, which shows another tray.
        raise InputError(
            expected='camera.driver = "usb" or "file" beside a path',
            found=f"{format_toml(camera.path)} with the driver auto, which finds a camera",
            where=source.locate("camera", "path"),
        )
    if camera.driver is CameraDriver.FILE and not camera.path:
        raise InputError(
            expected="camera.path to name a video or a folder of pictures",
            found="no path",
            where=source.locate("camera", "driver"),
        )


def _require_host_names(web: schema.WebSettings, source: _Source) -> None:
    names = [name.strip() for name in web.host_names.split(",") if name.strip()]
    wrong = next((name for name in names if not _HOST_NAME.fullmatch(name)), None)
    if wrong is not None:
        raise InputError(
            expected='names separated by commas, such as "dicebell.lan, table.home"',
            found=format_toml(wrong),
            where=source.locate("web", "host_names"),
        )


def _require_address(tournament: schema.TournamentSettings, source: _Source) -> None:
    if tournament.address and not _ADDRESS.fullmatch(tournament.address):
        raise InputError(
            expected='an address such as "http://192.168.0.10:8090"',
            found=format_toml(tournament.address),
            where=source.locate("tournament", "address"),
        )


def _require_broker(mqtt: schema.MqttSettings, source: _Source) -> None:
    for key, topic in (("topic", mqtt.topic), ("discovery_topic", mqtt.discovery_topic)):
        if not _TOPIC.fullmatch(topic) or len(topic) > _LONGEST_TOPIC:
            raise InputError(
                expected=f"a topic such as home/table, of at most {_LONGEST_TOPIC} characters,"
                " without + and #, not beginning with $",
                found=format_toml(topic),
                where=source.locate("mqtt", key),
            )
    if not _HOST_NAME.fullmatch(mqtt.host):
        raise InputError(
            expected="the name or address of one machine, such as broker.lan",
            found=format_toml(mqtt.host),
            where=source.locate("mqtt", "host"),
        )
    for key in ("ca_file", "cert_file", "key_file", "password_file"):
        file = getattr(mqtt, key)
        # A relative name means another file to every program that reads the settings.
        if file and not Path(file).expanduser().is_absolute():
            raise InputError(
                expected="a whole path, such as /etc/dicebell/mqtt-password",
                found=format_toml(file),
                where=source.locate("mqtt", key),
            )
    for key, needed in (("password_file", "user"), ("key_file", "cert_file")):
        if getattr(mqtt, key) and not getattr(mqtt, needed):
            raise InputError(
                expected=f"mqtt.{needed} too",
                found=f"{key} alone",
                where=source.locate("mqtt", key),
            )


def _require_own_pins(settings: schema.Settings, source: _Source) -> None:
    """Refuse a pin that is used twice; the error names the key that the file sets."""
    users: dict[int, tuple[str, str]] = {}
    for name, section in schema.list_sections(settings).items():
        for key in (each.name for each in fields(section) if get_spec(each).is_pin):
            pin = getattr(section, key)
            other = users.setdefault(pin, (name, key))
            if pin == schema.NO_PIN or other == (name, key):
                continue
            named, also = ((name, key), other) if source.is_set(name, key) else (other, (name, key))
            also_text = also[1] if also[0] == named[0] else ".".join(also)
            raise InputError(
                expected="an unused pin",
                found=f"{pin}, also used by {also_text}",
                where=source.locate(*named),
            )
