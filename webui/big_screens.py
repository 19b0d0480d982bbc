# SPDX-License-Identifier: MIT
"""
Serve pages to look at from afar: a big screen, and a layer for a streaming program.

Both follow the table as a watcher does, also on the box's own screen, so they never show a secret
choice. They have no buttons.
"""

from __future__ import annotations

from enum import StrEnum

from flask import Blueprint, render_template, request

from controller.base.errors import InputError
from controller.base.languages.message import message

NARROWEST_PX, WIDEST_PX = 200, 3840
USUAL_WIDTH_PX = 960


class ScreenPart(StrEnum):
    """What a layer may show."""

    TURN = "turn"
    DICE = "dice"
    TOTALS = "totals"
    RANKING = "ranking"


_USUAL_PARTS = (ScreenPart.TURN, ScreenPart.DICE, ScreenPart.TOTALS)
_TV_PARTS = (ScreenPart.TURN, ScreenPart.DICE, ScreenPart.RANKING)


def big_screen_pages() -> Blueprint:
    """Return the pages `/tv` and `/overlay`."""
    pages = Blueprint("big_screens", __name__)

    @pages.get("/tv")
    def tv() -> str:
        return render_template("big_screen.html", kind="tv", parts=_TV_PARTS, width=0)

    @pages.get("/overlay")
    def overlay() -> str:
        parts, width = _read_parts(), _read_width()
        return render_template("big_screen.html", kind="overlay", parts=parts, width=width)

    return pages


def _read_parts() -> tuple[ScreenPart, ...]:
    """Return what `?show=` names, separated by commas; without it the usual parts."""
    named = request.args.get("show")
    if named is None:
        return _USUAL_PARTS
    wanted = [name.strip() for name in named.split(",")]
    if not set(wanted) <= set(ScreenPart):
        expected = message("some of {names}", names=", ".join(ScreenPart))
        raise InputError(expected=expected, found=repr(named), where="show")
    return tuple(part for part in ScreenPart if part in wanted)


def _read_width() -> int:
    """Return the width of the layer in pixels from `?width=`."""
    text = request.args.get("width", str(USUAL_WIDTH_PX))
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(WIDEST_PX))
    if not is_number or not NARROWEST_PX <= int(text) <= WIDEST_PX:
        expected = message("{least} to {most} pixels", least=NARROWEST_PX, most=WIDEST_PX)
        raise InputError(expected=expected, found=repr(text), where="width")
    return int(text)
