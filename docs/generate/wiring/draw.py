# SPDX-License-Identifier: MIT
"""
The wiring in `docs/building.md`, drawn from the very settings that it is for.

`header` draws which pin of a Raspberry Pi goes where, `circuits` what stands between a pin
and a button, a lamp, a light or a buzzer. `make pictures` draws them anew.
"""

from __future__ import annotations

from pathlib import Path

from controller.base.settings import (
    LightSettings,
    PanelDriver,
    PanelSettings,
    PlayerPanelSettings,
    Settings,
    SoundSettings,
)
from docs.generate.wiring.circuits import circuits_svg
from docs.generate.wiring.header import header_svg

TABLE = Settings(
    panel=PanelSettings(driver=PanelDriver.GPIO),
    light=LightSettings(pin=18),
    sound=SoundSettings(buzzer_pin=23),
)
"""One panel for everybody on its default pins, with a light and a buzzer."""

PLAYERS = Settings(
    panel=TABLE.panel,
    panel_1=PlayerPanelSettings(right_pin=4, confirm_pin=17, confirm_lamp_pin=27),
    panel_2=PlayerPanelSettings(right_pin=22, confirm_pin=10, confirm_lamp_pin=9),
    panel_3=PlayerPanelSettings(right_pin=24, confirm_pin=25, confirm_lamp_pin=8),
    panel_4=PlayerPanelSettings(right_pin=11, confirm_pin=7, confirm_lamp_pin=26),
    light=TABLE.light,
    sound=TABLE.sound,
)
"""The same with two buttons and a lamp for each of four players: all that is free for it."""

DRAWINGS = ("wiring-table.svg", "wiring-players.svg", "wiring-circuits.svg")


def draw_wiring(folder: Path) -> None:
    """
    Draw the wiring into a folder.

    Raises:
        OSError: A drawing cannot be written.
    """
    texts = (
        header_svg(TABLE, title="One panel for everybody, a light and a buzzer"),
        header_svg(PLAYERS, title="The same, with a small panel for each of four players"),
        circuits_svg(),
    )
    for name, text in zip(DRAWINGS, texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
