# SPDX-License-Identifier: MIT
"""What the address of the layer for streaming programs chooses: its width and its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from controller.base.errors import InputError
from controller.base.languages.message import message

NARROWEST_PX, WIDEST_PX = 200, 3840


class LayerPart(StrEnum):
    """What a layer may show."""

    TURN = "turn"
    DICE = "dice"
    FIELD = "field"
    RANKING = "ranking"


@dataclass(frozen=True, slots=True)
class LayerAddress:
    """The width of a layer in pixels, and its parts."""

    width: int = 960
    parts: tuple[LayerPart, ...] = tuple(LayerPart)


def read_layer_address(query: Mapping[str, str]) -> LayerAddress:
    """
    Return what a query asks for: `width=`, and `show=` with parts that commas separate.

    Raises:
        InputError: A part does not exist, or the width is no number or too small or large.
    """
    usual = LayerAddress()
    width = query.get("width", str(usual.width))
    is_number = width.isascii() and width.isdecimal() and len(width) <= len(str(WIDEST_PX))
    if not is_number or not NARROWEST_PX <= int(width) <= WIDEST_PX:
        expected = message("{least} to {most} pixels", least=NARROWEST_PX, most=WIDEST_PX)
        raise InputError(expected=expected, found=repr(width), where="width")
    if "show" not in query:
        return LayerAddress(int(width))
    wanted = {name.strip() for name in query["show"].split(",")}
    if not wanted <= set(LayerPart):
        expected = message("some of {names}", names=", ".join(LayerPart))
        raise InputError(expected=expected, found=repr(query["show"]), where="show")
    return LayerAddress(int(width), tuple(part for part in LayerPart if part in wanted))
