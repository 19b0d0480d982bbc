# SPDX-License-Identifier: MIT
"""The panels as pages show them, as plain values that go to a browser as JSON."""

from __future__ import annotations

from typing import TypedDict


class ButtonView(TypedDict):
    """A button: down now (none: there is only a lamp), stuck, times pressed, lamp lit (or none)."""

    button: str
    down: bool | None
    stuck: bool
    presses: int
    lamp: bool | None


class PanelView(TypedDict):
    """A panel; seat 0 is everybody's."""

    seat: int
    simulated: bool
    buttons: list[ButtonView]


class PanelsView(TypedDict):
    """Everything on pins; `apart`: presses play nothing now."""

    panels: list[PanelView]
    light: bool
    buzzer: bool
    apart: bool
