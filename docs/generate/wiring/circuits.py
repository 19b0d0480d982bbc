# SPDX-License-Identifier: MIT
"""What stands between a pin and a button, a lamp, the light and the buzzer: four small circuits."""

from __future__ import annotations

from docs.generate.wiring.svg import BLUE, BRASS, GREEN, INK, PAPER, RED, SOFT, Drawing, Point

_CELL = (400, 250)
_TITLE = "What stands between a pin and a button, a lamp, the light and the buzzer"


def circuits_svg() -> str:
    """Draw the four circuits, two by two."""
    width, height = _CELL
    drawing = Drawing(2 * width, 2 * height, _TITLE)
    _button(drawing, (0, 0))
    _lamp(drawing, (width, 0))
    _light(drawing, (0, height))
    _buzzer(drawing, (width, height))
    return drawing.text()


def _button(drawing: Drawing, at: Point) -> None:
    x, y = at
    notes = ("Pressed connects the pin to ground;", "the resistor that pulls it up is in the Pi.")
    _cell(drawing, at, "Button", BLUE, notes)
    y += 104
    _pin(drawing, (x + 90, y), BLUE)
    drawing.line((x + 96, y), (x + 160, y))
    drawing.dot((x + 164, y), 4, fill=PAPER)
    drawing.line((x + 166, y - 6), (x + 222, y - 28))
    drawing.dot((x + 226, y), 4, fill=PAPER)
    drawing.line((x + 230, y), (x + 300, y))
    _ground(drawing, (x + 300, y))


def _lamp(drawing: Drawing, at: Point) -> None:
    x, y = at
    notes = ("An LED never goes to a pin without its resistor.", "Its long leg is towards the pin.")
    _cell(drawing, at, "Lamp: an LED of 2 V", BRASS, notes)
    y += 104
    _pin(drawing, (x + 60, y), BRASS)
    drawing.line((x + 66, y), (x + 110, y))
    _resistor(drawing, (x + 110, y), "330 Ω")
    drawing.line((x + 170, y), (x + 220, y))
    _led(drawing, (x + 220, y))
    drawing.line((x + 244, y), (x + 300, y))
    _ground(drawing, (x + 300, y))


def _light(drawing: Drawing, at: Point) -> None:
    x, y = at
    notes = (
        "A strip of 12 V or the lamp of a big button: never on a pin.",
        "All grounds are one.",
    )
    _cell(drawing, at, "Light, or a lamp of more than 3 V", GREEN, notes)
    y += 110
    _pin(drawing, (x + 40, y), GREEN)
    drawing.line((x + 46, y), (x + 70, y))
    _resistor(drawing, (x + 70, y), "220 Ω")
    drawing.line((x + 130, y), (x + 186, y))
    drawing.box((x + 186, y - 26), (84, 52), fill="#f1efe8", round_px=6)
    drawing.words("G", (x + 194, y + 5), size_px=12)
    drawing.words("MOSFET", (x + 208, y + 5), size_px=12)
    drawing.words("D", (x + 240, y - 13), size_px=12, anchor="middle")
    drawing.words("S", (x + 240, y + 23), size_px=12, anchor="middle")
    drawing.line((x + 250, y - 26), (x + 250, y - 46), (x + 280, y - 46))
    drawing.box((x + 280, y - 58), (56, 24), round_px=4)
    drawing.words("−  strip  +", (x + 308, y - 42), size_px=10, anchor="middle")
    drawing.line((x + 336, y - 46), (x + 352, y - 46), colour=RED)
    drawing.words("12 V", (x + 356, y - 42), size_px=12, colour=RED)
    drawing.line((x + 250, y + 26), (x + 250, y + 44))
    _ground(drawing, (x + 250, y + 44))
    drawing.dot((x + 152, y), 3, fill=INK)
    drawing.line((x + 152, y), (x + 152, y + 44))
    drawing.box((x + 145, y + 12), (14, 26), round_px=2)
    drawing.words("10 kΩ", (x + 138, y + 30), size_px=12, anchor="end")
    _ground(drawing, (x + 152, y + 44))


def _buzzer(drawing: Drawing, at: Point) -> None:
    x, y = at
    notes = (
        "A passive piezo disc, which plays what it is told.",
        "One with a coil needs a MOSFET.",
    )
    _cell(drawing, at, "Buzzer", GREEN, notes)
    y += 104
    _pin(drawing, (x + 60, y), GREEN)
    drawing.line((x + 66, y), (x + 110, y))
    _resistor(drawing, (x + 110, y), "220 Ω")
    drawing.line((x + 170, y), (x + 216, y))
    drawing.dot((x + 238, y), 22, fill="#f1efe8")
    drawing.dot((x + 238, y), 9, fill=PAPER)
    drawing.line((x + 260, y), (x + 300, y))
    _ground(drawing, (x + 300, y))


def _cell(drawing: Drawing, at: Point, title: str, colour: str, notes: tuple[str, str]) -> None:
    (x, y), (width, height) = at, _CELL
    drawing.box((x + 8, y + 8), (width - 16, height - 16), line="#d8d2c0", round_px=10)
    drawing.words(title, (x + 24, y + 34), size_px=17, colour=colour, is_bold=True)
    for number, note in enumerate(notes):
        drawing.words(note, (x + 24, y + height - 42 + 18 * number), size_px=12, colour=SOFT)


def _pin(drawing: Drawing, at: Point, colour: str) -> None:
    x, y = at
    drawing.dot(at, 6, fill=colour)
    drawing.words("pin", (x, y - 12), size_px=12, anchor="middle", colour=colour)


def _resistor(drawing: Drawing, at: Point, ohms: str) -> None:
    x, y = at
    drawing.box((x, y - 8), (60, 16), round_px=2)
    drawing.words(ohms, (x + 30, y - 14), size_px=12, anchor="middle")


def _led(drawing: Drawing, at: Point) -> None:
    x, y = at
    drawing.area((x, y - 13), (x, y + 13), (x + 22, y), fill=BRASS)
    drawing.line((x + 23, y - 13), (x + 23, y + 13))


def _ground(drawing: Drawing, at: Point) -> None:
    x, y = at
    drawing.line((x, y), (x, y + 10))
    for number, half in enumerate((12, 8, 4)):
        drawing.line((x - half, y + 10 + 5 * number), (x + half, y + 10 + 5 * number))
    drawing.words("ground", (x + 18, y + 22), size_px=12, colour=SOFT)
