# SPDX-License-Identifier: MIT
"""The wiring that is drawn is the one that the settings mean, on the pins that a Pi has."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller.base.settings import PanelSettings, Settings, parse_settings
from controller.runtime.devices.drivers import create_peripherals
from docs.generate.wiring.draw import DRAWINGS, PLAYERS, TABLE, draw_wiring
from docs.generate.wiring.header import GROUND, HEADER, POWER, RESERVED, header_svg, wires_of

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
BOTH = pytest.mark.parametrize("settings", [TABLE, PLAYERS], ids=["table", "players"])


def drawn_pins(svg: str) -> dict[str, tuple[int, int]]:
    """Return what a drawing says of each key: its BCM number, and its place on the header."""
    dots = ElementTree.fromstring(svg).iter(f"{SVG}circle")
    return {
        dot.attrib["data-key"]: (int(dot.attrib["data-gpio"]), int(dot.attrib["data-position"]))
        for dot in dots
        if "data-key" in dot.attrib
    }


def pins_of(settings: Settings) -> dict[str, int]:
    """Return every pin that is set, by section and key."""
    return {
        f"{section.name}.{key.name}": getattr(part, key.name)
        for section in fields(settings)
        for part in [getattr(settings, section.name)]
        for key in fields(part)
        if key.name.endswith("pin") and getattr(part, key.name)
    }


def test_the_drawing_shows_the_default_pins_of_the_settings() -> None:
    drawn = drawn_pins((DOCS / "pictures" / "wiring-table.svg").read_text())
    defaults = PanelSettings()
    wanted = {
        f"panel.{key.name}": getattr(defaults, key.name)
        for key in fields(defaults)
        if key.name.endswith("_pin")
    }
    shown = {key: gpio for key, (gpio, _) in drawn.items() if key.startswith("panel.")}
    assert shown == wanted
    assert len(wanted) == 8


@BOTH
def test_every_pin_that_is_set_is_drawn_and_no_other(settings: Settings) -> None:
    drawn = drawn_pins(header_svg(settings, title="Test"))
    assert {key: gpio for key, (gpio, _) in drawn.items()} == pins_of(settings)


@BOTH
def test_a_pin_is_drawn_where_it_is_on_the_board(settings: Settings) -> None:
    # The board that gpiozero takes for itself where there is none is a Pi 3 B; 4 and 5 are alike.
    header = MockFactory().board_info.headers["J8"]
    for gpio, position in drawn_pins(header_svg(settings, title="Test")).values():
        assert header.pins[position].name == f"GPIO{gpio}"


def test_the_header_is_that_of_the_board() -> None:
    words = {POWER: ("3V3", "5V"), GROUND: ("GND",), RESERVED: ("GPIO0", "GPIO1")}
    for position, pin in MockFactory().board_info.headers["J8"].pins.items():
        what = HEADER[position - 1]
        assert pin.name in (words[what] if isinstance(what, str) else (f"GPIO{what}",))


@BOTH
def test_the_wiring_can_be_had_together(settings: Settings) -> None:
    pins = pins_of(settings)
    assert len(set(pins.values())) == len(pins)
    peripherals = create_peripherals(settings, pins=MockFactory(pin_class=MockPWMPin))
    assert peripherals.light is not None
    assert peripherals.buzzer is not None
    peripherals.close()


def test_the_players_wires_say_whose_they_are() -> None:
    labels = {wire.key: wire.label for wire in wires_of(PLAYERS) if wire.section == "panel_3"}
    assert labels == {
        "right_pin": "button right, player 3",
        "confirm_pin": "button confirm, player 3",
        "confirm_lamp_pin": "lamp confirm, player 3",
    }


def test_the_page_shows_every_drawing_as_it_is_drawn_now(tmp_path: Path) -> None:
    draw_wiring(tmp_path)
    page = (DOCS / "building.md").read_text()
    for name in DRAWINGS:
        assert f"(pictures/{name})" in page
        assert (DOCS / "pictures" / name).read_text() == (tmp_path / name).read_text(), (
            f"{name} has changed: run make pictures"
        )


def test_the_settings_on_the_page_are_those_that_are_drawn() -> None:
    page = (DOCS / "building.md").read_text()
    table, players = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert parse_settings(table) == TABLE
    assert parse_settings(table + players) == PLAYERS
