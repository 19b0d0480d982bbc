# SPDX-License-Identifier: MIT
"""
Encode a reading for the journal, and decode it.

An entry holds every die with its position and origin, every doubt, and the shapes that are
no dice. If the table had learnt anything, the entry names that, and every doubt that it removed.
Positions are in thousandths of a pixel of the camera's whole frame, whichever part of it is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from controller.base.errors import InputError
from controller.journal.hashchain import Body, Value
from controller.table.events import PictureInfo, RejectedShape, TrayDie, TrayDoubt, TrayLift

_Kind = TypeVar("_Kind")


def encode_reading(
    dice: Sequence[TrayDie], doubts: Sequence[TrayDoubt], picture: str, shot: PictureInfo
) -> Body:
    """Return the fields of a reading; `doubts_at` holds a position for each of the doubts."""
    body: dict[str, Value] = {
        "lie": [_encode_die(die) for die in dice],
        "doubts": [f"{doubt.kind}: {doubt.text}" for doubt in doubts],
        "doubts_at": [_encode_doubt_position(doubt) for doubt in doubts],
        "rejected": [_encode_rejected(each) for each in shot.rejected],
        "picture": picture,
        "crop_px": list(shot.crop_px),
        "frame_px": list(shot.frame_wh),
        "clip": shot.clip,
    }
    if shot.table_model:
        body["table_model"] = shot.table_model
        body["lifts"] = [_encode_lift(each) for each in shot.lifts]
    if shot.background:
        body["background"] = shot.background
    return body


def decode_dice(body: Body) -> tuple[TrayDie, ...]:
    """
    Return the dice of an entry.

    Raises:
        InputError, KeyError, TypeError: The entry holds no dice, or broken ones.
    """
    return tuple(_decode_die(value) for value in require_type(list, body["lie"]))


def decode_picture_info(body: Body) -> PictureInfo:
    """
    Return what an entry holds of its picture; journals of format 1 hold nothing.

    Raises:
        InputError, KeyError, TypeError, ValueError: A field has another shape.
    """
    x, y, width, height = _decode_lengths(body.get("crop_px", [0, 0, 0, 0]))
    frame_width, frame_height = _decode_lengths(body.get("frame_px", [0, 0]))
    return PictureInfo(
        crop_px=(x, y, width, height),
        frame_wh=(frame_width, frame_height),
        clip=require_type(str, body.get("clip", "")),
        rejected=tuple(
            _decode_rejected(value) for value in require_type(list, body.get("rejected", []))
        ),
        table_model=require_type(str, body.get("table_model", "")),
        background=require_type(str, body.get("background", "")),
        lifts=tuple(_decode_lift(value) for value in require_type(list, body.get("lifts", []))),
    )


def require_type(kind: type[_Kind], value: Value) -> _Kind:
    """
    Return a value of an entry that must have this type.

    Raises:
        InputError: It has another type.
    """
    if not isinstance(value, kind):
        raise InputError(expected=f"a {kind.__name__}", found=repr(value))
    return value


def _encode_die(die: TrayDie) -> dict[str, Value]:
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


def _decode_die(value: Value) -> TrayDie:
    die = require_type(dict, value)
    return TrayDie(
        face=require_type(int, die["face"]),
        polarity=require_type(str, die["polarity"]),
        colour=require_type(str, die["colour"]),
        center_px=_decode_position(die),
        angle_deg=require_type(int, die["angle_mdeg"]) / 1000,
        edge_px=require_type(int, die["edge_mpx"]) / 1000,
        origin=require_type(str, die.get("origin", "")),
        was=require_type(int, die.get("was", 0)),
        confidence_ppm=require_type(int, die.get("confidence_ppm", 0)),
    )


def _encode_doubt_position(doubt: TrayDoubt) -> dict[str, Value]:
    """Return the position of a doubt; empty if it concerns the whole tray."""
    if doubt.center_px is None:
        return {}
    x, y = doubt.center_px
    return {
        "x_mpx": round(x * 1000),
        "y_mpx": round(y * 1000),
        "radius_mpx": round(doubt.radius_px * 1000),
    }


def _encode_rejected(each: RejectedShape) -> dict[str, Value]:
    x, y = each.center_px
    return {"reason": each.reason, "x_mpx": round(x * 1000), "y_mpx": round(y * 1000)}


def _decode_rejected(value: Value) -> RejectedShape:
    each = require_type(dict, value)
    return RejectedShape(require_type(str, each["reason"]), _decode_position(each))


def _encode_lift(lift: TrayLift) -> dict[str, Value]:
    x, y = lift.center_px
    return {
        "kind": lift.kind,
        "x_mpx": round(x * 1000),
        "y_mpx": round(y * 1000),
        "radius_mpx": round(lift.radius_px * 1000),
        "share_ppm": lift.share_ppm,
    }


def _decode_lift(value: Value) -> TrayLift:
    lift = require_type(dict, value)
    return TrayLift(
        require_type(str, lift["kind"]),
        _decode_position(lift),
        require_type(int, lift["radius_mpx"]) / 1000,
        require_type(int, lift["share_ppm"]),
    )


def _decode_lengths(value: Value) -> list[int]:
    return [require_type(int, length) for length in require_type(list, value)]


def _decode_position(value: Body) -> tuple[float, float]:
    return require_type(int, value["x_mpx"]) / 1000, require_type(int, value["y_mpx"]) / 1000
