# SPDX-License-Identifier: MIT
"""
The 40 pins of a Raspberry Pi as one looks down on them, and what the settings put on each.

Pins are counted row by row, pin 1 at the end with the card slot; the settings call them by
their BCM numbers, which follow no order on the board. So both stand in the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from controller.base.settings import Settings
from docs.generate.wiring.svg import BLUE, BRASS, GREEN, INK, PAPER, RED, SOFT, Anchor, Drawing

GROUND, POWER, RESERVED = "ground", "power", "reserved"

HEADER: tuple[int | str, ...] = (
    *(POWER, POWER, 2, POWER, 3, GROUND, 4, 14, GROUND, 15),
    *(17, 18, 27, GROUND, 22, 23, POWER, 24, 10, GROUND),
    *(9, 25, 11, 8, GROUND, 7, RESERVED, RESERVED, 5, GROUND),
    *(6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21),
)
"""What each pin is, from pin 1 on: its BCM number, or what else it is for."""

_WORDS = {GROUND: "ground", RESERVED: "leave free"}
_VOLTS = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
_COLOURS = {"button": BLUE, "lamp": BRASS, "light": GREEN, "buzzer": GREEN}

_WIDTH, _TOP, _ROW, _FOOT = 760, 92, 32, 40
_LEFT, _RIGHT = 356, 404
_WIRE, _DOT = 70, 10


@dataclass(frozen=True, slots=True)
class Wire:
    """
    A pin of the settings: its section and key, its BCM number, and what hangs on it.

    `kind` is `button`, `lamp`, `light` or `buzzer`.
    """

    section: str
    key: str
    gpio: int
    kind: str
    label: str


def wires_of(settings: Settings) -> Iterator[Wire]:
    """Yield every pin that the settings name, in their order."""
    for section in (one.name for one in fields(settings)):
        part = getattr(settings, section)
        for key in (one.name for one in fields(part) if one.name.endswith("pin")):
            gpio = getattr(part, key)
            if gpio:
                kind, label = _meant(section, key)
                yield Wire(section, key, gpio, kind, label)


def header_svg(settings: Settings, *, title: str) -> str:
    """
    Draw the header with everything that the settings put on it.

    Args:
        settings: They name the pins.
        title: What stands above it.
    """
    wires = {wire.gpio: wire for wire in wires_of(settings)}
    drawing = Drawing(_WIDTH, _TOP + 20 * _ROW + _FOOT, title)
    drawing.words(title, (_WIDTH / 2, 34), size_px=20, anchor="middle", is_bold=True)
    edge = "The edge of the board is on the right, pin 1 at the end with the card slot."
    drawing.words(edge, (_WIDTH / 2, 58), anchor="middle", colour=SOFT)
    drawing.box((_LEFT - 30, _TOP - 20), (108, 20 * _ROW + 8), fill="#f1efe8", round_px=8)
    for number, what in enumerate(HEADER, start=1):
        wire = wires.get(what) if isinstance(what, int) else None
        _draw_pin(drawing, number, what, wire)
    return drawing.text()


def _meant(section: str, key: str) -> tuple[str, str]:
    """Return what hangs on a pin: its kind, and how people call it."""
    if section in ("light", "sound"):
        return ("light", "light over the tray") if section == "light" else ("buzzer", "buzzer")
    kind = "lamp" if key.endswith("_lamp_pin") else "button"
    name = key.removesuffix("_pin").removesuffix("_lamp")
    seat = section.removeprefix("panel").lstrip("_")
    return kind, f"{kind} {name}" + (f", player {seat}" if seat else "")


def _draw_pin(drawing: Drawing, number: int, what: int | str, wire: Wire | None) -> None:
    is_left = number % 2 == 1
    x, y = (_LEFT if is_left else _RIGHT), _TOP + (number - 1) // 2 * _ROW
    fill = _COLOURS[wire.kind] if wire else {GROUND: INK, POWER: RED}.get(str(what), PAPER)
    if wire:
        end = x + (-_WIRE if is_left else _WIRE)
        drawing.line((x, y), (end, y), colour=fill)
        key = f"{wire.section}.{wire.key}"
        drawing.dot((x, y), _DOT, fill=fill, key=key, gpio=wire.gpio, position=number)
    else:
        drawing.dot((x, y), _DOT, fill=fill)
    colour = PAPER if fill != PAPER else SOFT
    drawing.words(str(number), (x, y + 4), size_px=10, anchor="middle", colour=colour)
    _label(drawing, number, what, wire, is_left=is_left)


def _label(
    drawing: Drawing, number: int, what: int | str, wire: Wire | None, *, is_left: bool
) -> None:
    y = _TOP + (number - 1) // 2 * _ROW + 5
    far = _LEFT - _WIRE - 8 if is_left else _RIGHT + _WIRE + 8
    near = _LEFT - 40 if is_left else _RIGHT + 40
    anchor: Anchor = "end" if is_left else "start"
    if wire:
        text = f"{wire.label}: GPIO{wire.gpio}"
        drawing.words(text, (far, y), anchor=anchor, colour=_COLOURS[wire.kind], is_bold=True)
    elif isinstance(what, int):
        drawing.words(f"GPIO{what}", (near, y), size_px=12, anchor=anchor, colour="#a19c8c")
    else:
        colour = RED if what == POWER else SOFT
        text = _VOLTS.get(number) or _WORDS[what]
        drawing.words(text, (near, y), size_px=12, anchor=anchor, colour=colour)
