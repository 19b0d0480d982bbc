# SPDX-License-Identifier: MIT
"""
What a machine is set to: one TOML file, frozen into one value at start.

Every key is one field below, and the field says all there is to know of it: its
default, what it is for, and what it may be. Reading, refusing, printing and the
page in the documentation all come from there, so they cannot disagree.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import Field, dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

from controller.errors import InputError
from controller.table.state import Confirm

Value: TypeAlias = str | int | Enum | Path


class CameraDriver(Enum):
    """Which camera looks into the tray."""

    SIMULATED = "simulated"
    PI = "pi"
    USB = "usb"
    FILE = "file"


class PanelDriver(Enum):
    """Which buttons and lamps there are."""

    NONE = "none"
    SIMULATED = "simulated"
    GPIO = "gpio"


_PINS = (2, 27)  # 0 and 1 belong to the board's own memory


def _about(what: str, span: tuple[int, int] | None = None, unit: str = "") -> dict[str, object]:
    """Describe a key: what it is for, and of a number the range and the unit."""
    return {"about": what, "span": span, "unit": unit}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How the table plays."""

    confirm: Confirm = field(
        default=Confirm.AUTO, metadata=_about("what takes a certain reading: itself, or the button")
    )


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Which camera looks into the tray, and how."""

    driver: CameraDriver = field(
        default=CameraDriver.SIMULATED, metadata=_about("which kind of camera")
    )
    index: int = field(
        default=0, metadata=_about("which one, where there are several (pi, usb)", (0, 63))
    )
    path: str = field(
        default="",
        metadata=_about("video or folder of pictures (file), or device such as /dev/video0 (usb)"),
    )
    width: int = field(default=1280, metadata=_about("width of its pictures", (160, 4656), "px"))
    height: int = field(default=720, metadata=_about("height of its pictures", (120, 3496), "px"))
    fps: int = field(default=30, metadata=_about("pictures a second", (1, 120)))


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """Buttons and lamps; pins are BCM numbers, each used once."""

    driver: PanelDriver = field(default=PanelDriver.NONE, metadata=_about("which kind of panel"))
    left_pin: int = field(default=5, metadata=_about("button left", _PINS))
    right_pin: int = field(default=6, metadata=_about("button right", _PINS))
    confirm_pin: int = field(default=13, metadata=_about("button confirm", _PINS))
    back_pin: int = field(default=19, metadata=_about("button back", _PINS))
    left_lamp_pin: int = field(default=12, metadata=_about("lamp of the button left", _PINS))
    right_lamp_pin: int = field(default=16, metadata=_about("lamp of the button right", _PINS))
    confirm_lamp_pin: int = field(default=20, metadata=_about("lamp of the button confirm", _PINS))
    back_lamp_pin: int = field(default=21, metadata=_about("lamp of the button back", _PINS))
    bounce_ms: int = field(
        default=20, metadata=_about("how long a contact must rest to count", (1, 100), "ms")
    )
    hold_ms: int = field(
        default=1000, metadata=_about("how long a press must last to be a hold", (200, 5000), "ms")
    )


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served."""

    host: str = field(
        default="127.0.0.1", metadata=_about("address to listen on; 0.0.0.0 lets phones in")
    )
    port: int = field(default=8080, metadata=_about("port to listen on", (1, 65535)))


@dataclass(frozen=True, slots=True)
class DataSettings:
    """Where games are kept."""

    folder: Path = field(
        default=Path("dicebell-data"), metadata=_about("folder for journals and pictures")
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; the defaults make a table without any hardware."""

    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    panel: PanelSettings = field(default_factory=PanelSettings)
    web: WebSettings = field(default_factory=WebSettings)
    data: DataSettings = field(default_factory=DataSettings)


_Section: TypeAlias = TableSettings | CameraSettings | PanelSettings | WebSettings | DataSettings


def load_settings(path: Path) -> Settings:
    """
    Read the settings in a file.

    Raises:
        InputError: The file cannot be read, is no TOML, or says what no setting may be;
            the first such place is named by file, line and key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(expected="a settings file", found=found, where=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError(expected="text in UTF-8", found=str(error), where=str(path)) from error
    return parse_settings(text, where=str(path))


def parse_settings(text: str, *, where: str = "settings") -> Settings:
    """
    Read settings from TOML; what is not said there keeps its default.

    Args:
        text: The file's text.
        where: Its name, for messages.

    Raises:
        InputError: As `load_settings`.
    """
    source = _Source(text, where)
    settings = Settings()
    for name, table in source.tables.items():
        section = _sections(settings).get(name)
        if section is None or not isinstance(table, dict):
            sections = ", ".join(f"[{known}]" for known in _sections(settings))
            raise InputError(
                expected=f"one of the sections {sections}", found=name, where=source.place(name)
            )
        read: dict[str, Any] = {key: _read(source, name, section, key) for key in table}
        settings = _with_section(settings, name, replace(section, **read))
    _require_file_path(settings.camera, source)
    _require_own_pins(settings.panel, source)
    return settings


def settings_text(settings: Settings) -> str:
    """Write settings as a whole TOML file with comments; `parse_settings` gives them back."""
    parts = ["# Settings of dicebell. A key that is left out keeps its default.\n"]
    for name, section in _sections(settings).items():
        parts.append(f"\n# {_about_section(section)}\n[{name}]\n")
        for key in fields(section):
            about = f"{key.metadata['about']}: {_allowed(key)}"
            parts.append(f"# {about}\n{key.name} = {_toml(getattr(section, key.name))}\n")
    return "".join(parts)


def settings_page() -> str:
    """Write the page of the documentation that describes every key."""
    parts = [
        "# Settings\n\n"
        "One TOML file, read once at the start: `dicebell run --config FILE`. A key that is left\n"
        "out keeps its default; `dicebell run --print-config` prints the whole file.\n"
    ]
    for name, section in _sections(Settings()).items():
        parts.append(f"\n## [{name}]\n\n{_about_section(section)}\n\n")
        parts.append("| key | default | may be | what for |\n| --- | --- | --- | --- |\n")
        for key in fields(section):
            cells = (f"`{key.name}`", f"`{_toml(key.default)}`", _allowed(key))
            parts.append(f"| {' | '.join(cells)} | {key.metadata['about']} |\n")
    return "".join(parts)


class _Source:
    """The tables of a file, and where in its text they stand."""

    def __init__(self, text: str, where: str) -> None:
        self._lines = text.split("\n")
        self._where = where
        try:
            self.tables = tomllib.loads(text)
        except RecursionError as error:
            found = "values nested too deeply"
            raise InputError(expected="settings in TOML", found=found, where=where) from error
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            number = line[1] if line else str(len(self._lines))
            raise InputError(
                expected="TOML", found=f"this: {error}", where=f"{where}, line {number}"
            ) from error

    def place(self, section: str, key: str | None = None) -> str:
        """
        Name the line where a section or key first stands, and the key itself.

        The parser tells no lines. So the text is parsed again with one line more each
        time, until the key is there: slow, right for all of TOML, and only for errors.
        """
        number = next(n for n in range(1, len(self._lines) + 1) if self._has(n, section, key))
        return f"{self._where}, line {number}, {section}{'.' + key if key else ''}"

    def _has(self, count: int, section: str, key: str | None) -> bool:
        try:
            tables = tomllib.loads("\n".join(self._lines[:count]) + "\n")
        except tomllib.TOMLDecodeError:
            return False  # in the middle of a value of several lines
        return section in tables and (key is None or key in tables[section])


def _sections(settings: Settings) -> dict[str, _Section]:
    return {section.name: getattr(settings, section.name) for section in fields(settings)}


def _with_section(settings: Settings, name: str, section: _Section) -> Settings:
    changes: dict[str, Any] = {name: section}
    return replace(settings, **changes)


def _about_section(section: _Section) -> str:
    return str(section.__doc__)


def _read(source: _Source, name: str, section: _Section, key: str) -> Value:
    """Read the value of one key, or say what it should have been."""
    known = {each.name: each for each in fields(section)}
    if key not in known:
        expected = _expected_instead(key, tuple(known.values()))
        raise InputError(expected=expected, found=key, where=source.place(name, key))
    raw = source.tables[name][key]
    value = _value(known[key], raw)
    if value is None:
        expected = _allowed(known[key])
        raise InputError(expected=expected, found=_toml(raw), where=source.place(name, key))
    return value


def _value(key: Field[Value], raw: object) -> Value | None:
    """Turn what the file says into what the key holds; none if it may not be that."""
    default, span = key.default, key.metadata["span"]
    if isinstance(default, Enum):
        return next((choice for choice in type(default) if choice.value == raw), None)
    if isinstance(default, int):
        if not isinstance(raw, int) or isinstance(raw, bool):
            return None
        return raw if span[0] <= raw <= span[1] else None
    if not isinstance(raw, str) or (default and not raw):
        return None
    # A folder named "~" would be made without a word, so the sign is taken as a shell does.
    return Path(os.path.expanduser(raw)) if isinstance(default, Path) else raw


def _expected_instead(key: str, known: tuple[Field[Value], ...]) -> str:
    """Say what an unknown key should have been: often the right one with a wrong unit."""
    for other in known:
        unit = other.metadata["unit"]
        stem = other.name.removesuffix(f"_{unit}")
        if unit and (key == stem or key.startswith(f"{stem}_")):
            return f"{other.name}, {_allowed(other)}"
    return "one of the keys " + ", ".join(other.name for other in known)


def _allowed(key: Field[Value]) -> str:
    """Say what a key may be."""
    if isinstance(key.default, Enum):
        return " or ".join(_toml(choice) for choice in type(key.default))
    if isinstance(key.default, int):
        low, high = key.metadata["span"]
        unit = f" ({key.metadata['unit']})" if key.metadata["unit"] else ""
        return f"a whole number from {low} to {high}{unit}"
    return "text in quotes" + (", not empty" if key.default else "")


def _toml(value: object) -> str:
    if isinstance(value, Enum):
        return _toml(value.value)
    if not isinstance(value, str | Path):
        return str(value).lower() if isinstance(value, bool) else str(value)
    # A JSON string is a TOML string, but for the one sign that only TOML wants written out.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _require_file_path(camera: CameraSettings, source: _Source) -> None:
    if camera.driver is CameraDriver.FILE and not camera.path:
        raise InputError(
            expected="camera.path to name a video or a folder of pictures",
            found="no path",
            where=source.place("camera", "driver"),
        )


def _require_own_pins(panel: PanelSettings, source: _Source) -> None:
    users: dict[int, str] = {}
    for key in (each.name for each in fields(panel) if each.name.endswith("_pin")):
        pin = getattr(panel, key)
        other = users.setdefault(pin, key)
        if other != key:
            said, also = (key, other) if key in source.tables["panel"] else (other, key)
            raise InputError(
                expected="a pin of its own",
                found=f"{pin}, which is {also} too",
                where=source.place("panel", said),
            )
