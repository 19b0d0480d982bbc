# SPDX-License-Identifier: MIT
"""
What the reader said of a rest, as the journal writes it down, and back.

Whoever looks at a game later has the picture and these lines: every die with its place and
how it came there, everything that was in doubt and where, and what was taken for no die.
Places are in thousandths of a pixel of the camera's whole frame, whatever part of it is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from controller.errors import InputError
from controller.journal.hashchain import Body, Value
from controller.table.events import SeenDie, SeenDoubt, SeenRejected, Shot

_Kind = TypeVar("_Kind")


def said_values(
    dice: Sequence[SeenDie], doubts: Sequence[SeenDoubt], picture: str, shot: Shot
) -> Body:
    """Return what an entry says of a rest; `doubts_at` holds a place for each of the doubts."""
    return {
        "lie": [_die_value(die) for die in dice],
        "doubts": [f"{doubt.kind}: {doubt.text}" for doubt in doubts],
        "doubts_at": [_place_value(doubt) for doubt in doubts],
        "rejected": [_rejected_value(each) for each in shot.rejected],
        "picture": picture,
        "crop_px": list(shot.crop_px),
        "frame_px": list(shot.frame_wh),
        "clip": shot.clip,
    }


def dice_in(body: Body) -> tuple[SeenDie, ...]:
    """
    Return the dice that an entry says lay there.

    Raises:
        InputError, KeyError, TypeError: It says nothing of the kind.
    """
    return tuple(_die(value) for value in of_kind(list, body["lie"]))


def shot_in(body: Body) -> Shot:
    """
    Return what an entry says of its picture; journals of format 1 say nothing.

    Raises:
        InputError, KeyError, TypeError, ValueError: What it says is not of the kind.
    """
    x, y, width, height = _lengths(body.get("crop_px", [0, 0, 0, 0]))
    frame_width, frame_height = _lengths(body.get("frame_px", [0, 0]))
    return Shot(
        crop_px=(x, y, width, height),
        frame_wh=(frame_width, frame_height),
        clip=of_kind(str, body.get("clip", "")),
        rejected=tuple(_rejected(value) for value in of_kind(list, body.get("rejected", []))),
    )


def of_kind(kind: type[_Kind], value: Value) -> _Kind:
    """
    Return a value of an entry that has to be of this kind.

    Raises:
        InputError: It is of another.
    """
    if not isinstance(value, kind):
        raise InputError(expected=f"a {kind.__name__}", found=repr(value))
    return value


def _die_value(die: SeenDie) -> dict[str, Value]:
    x, y = die.center_px
    return {
        "face": die.face,
        "polarity": die.polarity,
        "colour": die.colour,
        "x_mpx": round(x * 1000),
        "y_mpx": round(y * 1000),
        "angle_mdeg": round(die.angle_deg * 1000),
        "edge_mpx": round(die.edge_px * 1000),
        "origin": die.origin,
        "was": die.was,
        "confidence_ppm": die.confidence_ppm,
    }


def _die(value: Value) -> SeenDie:
    die = of_kind(dict, value)
    return SeenDie(
        face=of_kind(int, die["face"]),
        polarity=of_kind(str, die["polarity"]),
        colour=of_kind(str, die["colour"]),
        center_px=_place(die),
        angle_deg=of_kind(int, die["angle_mdeg"]) / 1000,
        edge_px=of_kind(int, die["edge_mpx"]) / 1000,
        origin=of_kind(str, die.get("origin", "")),
        was=of_kind(int, die.get("was", 0)),
        confidence_ppm=of_kind(int, die.get("confidence_ppm", 0)),
    )


def _place_value(doubt: SeenDoubt) -> dict[str, Value]:
    """Return where a doubt is; nothing where it concerns the whole tray."""
    if doubt.center_px is None:
        return {}
    x, y = doubt.center_px
    return {
        "x_mpx": round(x * 1000),
        "y_mpx": round(y * 1000),
        "radius_mpx": round(doubt.radius_px * 1000),
    }


def _rejected_value(each: SeenRejected) -> dict[str, Value]:
    x, y = each.center_px
    return {"reason": each.reason, "x_mpx": round(x * 1000), "y_mpx": round(y * 1000)}


def _rejected(value: Value) -> SeenRejected:
    each = of_kind(dict, value)
    return SeenRejected(of_kind(str, each["reason"]), _place(each))


def _lengths(value: Value) -> list[int]:
    return [of_kind(int, length) for length in of_kind(list, value)]


def _place(value: Body) -> tuple[float, float]:
    return of_kind(int, value["x_mpx"]) / 1000, of_kind(int, value["y_mpx"]) / 1000
