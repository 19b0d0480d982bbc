# SPDX-License-Identifier: MIT
"""
Serve pages to look at from afar: a big screen, and a layer for a streaming program.

Both follow the table as a watcher does, also on the box's own screen, so they never show a secret
choice. They have no buttons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request

from controller.base.errors import InputError
from controller.base.languages.message import message

NARROWEST_PX, WIDEST_PX = 200, 3840
USUAL_WIDTH_PX = 960
_PARTS = ("turn", "dice", "totals", "ranking")


@dataclass(frozen=True, slots=True)
class Layer:
    """The width of a layer in pixels, and its parts."""

    width: int
    parts: tuple[str, ...]


def big_screen_pages() -> Blueprint:
    """Return the pages `/tv` and `/overlay`."""
    pages = Blueprint("big_screens", __name__)

    @pages.get("/tv")
    def tv() -> str:
        parts = ("turn", "dice", "ranking")
        return render_template("big_screen.html", kind="tv", parts=parts, width=0)

    @pages.get("/overlay")
    def overlay() -> str:
        layer = read_layer(request.args, _PARTS, usual=("turn", "dice", "totals"))
        return render_template(
            "big_screen.html", kind="overlay", parts=layer.parts, width=layer.width
        )

    return pages


def read_layer(query: Mapping[str, str], known: Sequence[str], *, usual: tuple[str, ...]) -> Layer:
    """
    Return what a query asks for: `width=`, and `show=` with parts that commas separate.

    InputError if a part does not exist, or the width is no number or too small or large.
    """
    width = query.get("width", str(USUAL_WIDTH_PX))
    is_number = width.isascii() and width.isdecimal() and len(width) <= len(str(WIDEST_PX))
    if not is_number or not NARROWEST_PX <= int(width) <= WIDEST_PX:
        expected = message("{least} to {most} pixels", least=NARROWEST_PX, most=WIDEST_PX)
        raise InputError(expected=expected, found=repr(width), where="width")
    if "show" not in query:
        return Layer(int(width), usual)
    wanted = {name.strip() for name in query["show"].split(",")}
    if not wanted <= set(known):
        expected = message("some of {names}", names=", ".join(known))
        raise InputError(expected=expected, found=repr(query["show"]), where="show")
    return Layer(int(width), tuple(part for part in known if part in wanted))
