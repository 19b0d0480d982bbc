# SPDX-License-Identifier: MIT
"""Settings as text: the whole file with comments, and the page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, fields
from itertools import groupby

from controller.base.settings.convert import describe_allowed, format_toml, get_spec
from controller.base.settings.key_spec import FIRST_PIN, LAST_PIN
from controller.base.settings.schema import NO_PIN, Section, Settings, Value, list_sections


def render_settings(settings: Settings) -> str:
    """Write settings as a whole TOML file with comments; `parse_settings` gives them back."""
    parts = ["# Settings of dicebell. A key that is left out keeps its default.\n"]
    for name, section, is_first in _with_first_of_kind(settings):
        if not is_first and section == type(section)():
            continue
        parts.append(f"\n# {_about_section(section)}\n[{name}]\n" if is_first else f"\n[{name}]\n")
        for key in fields(section):
            if is_first:
                parts.append(f"# {_about_key(key)} Allowed: {describe_allowed(key)}\n")
            parts.append(f"{key.name} = {format_toml(getattr(section, key.name))}\n")
    return "".join(parts)


def render_reference() -> str:
    """Write the page of the documentation that describes every key."""
    parts = [
        "# Settings\n\n"
        "One TOML file, read once at the start: `dicebell run --config FILE`. A key that is left\n"
        "out keeps its default; `dicebell run --print-config` prints the whole file. What the\n"
        "service page changes is written back into it; comments and order stay as they are.\n"
        "After the default stands what a key may be. One without that is true or false, or\n"
        "any text in quotes. A number is whole if its default is; a pin is from\n"
        f"{FIRST_PIN} to {LAST_PIN}, or {NO_PIN} for none.\n"
    ]
    for name, section, is_first in _with_first_of_kind(Settings()):
        if not is_first:
            continue
        parts.append(f"\n## [{name}]\n\n{_about_section(section)}\n\n")
        parts.append("| key | default; may be | what for |\n| --- | --- | --- |\n")
        for (allowed, what), alike in groupby(fields(section), _describe_value):
            keys = list(alike)
            names = " ".join(f"`{key.name}`" for key in keys)
            defaults = " ".join(f"`{format_toml(key.default)}`" for key in keys)
            labels = ", ".join(get_spec(key).label for key in keys)
            parts.append(f"| {names} | {defaults}{allowed} | {labels}. {what} |\n")
    return "".join(parts)


def _with_first_of_kind(settings: Settings) -> Iterator[tuple[str, Section, bool]]:
    """Yield the sections, and whether one is the first of its kind: that one is described."""
    seen: set[type[Section]] = set()
    for name, section in list_sections(settings).items():
        yield name, section, type(section) not in seen
        seen.add(type(section))


def _describe_value(key: Field[Value]) -> tuple[str, str]:
    """Return what a key may be, empty if its default shows that, and what it is for."""
    allowed = "a pin" if get_spec(key).is_pin else describe_allowed(key)
    for words in ("a whole number from ", "a number from ", " in quotes"):
        allowed = allowed.replace(words, "")
    is_clear = allowed in ("true or false", "text")
    return "" if is_clear else f"; {allowed}", get_spec(key).what


def _about_key(key: Field[Value]) -> str:
    return f"{get_spec(key).label}. {get_spec(key).what}"


def _about_section(section: Section) -> str:
    return str(section.__doc__)
