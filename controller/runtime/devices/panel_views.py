# SPDX-License-Identifier: MIT
"""The panels as plain values that go to a browser as JSON."""

from __future__ import annotations

from typing import TypedDict


class ButtonView(TypedDict):
    """A button; `down` is `None` without a button, `lamp` is `None` without a lamp."""

    button: str
    down: bool | None
    stuck: bool
    presses: int
    lamp: bool | None


class PanelView(TypedDict):
    """A panel; seat 0 is the shared one."""

    seat: int
    simulated: bool
    buttons: list[ButtonView]


class PanelsView(TypedDict):
    """
    All peripherals; `apart` is the test mode, in which presses do not play.

    `lost` is why something on pins cannot be used.
    """

    panels: list[PanelView]
    light: bool
    buzzer: bool
    lost: list[str]
    apart: bool
