# SPDX-License-Identifier: MIT
"""
A journalled reading, in positions of its stored picture.

The journal has positions in the camera's whole frame, and the part of it that is stored.
Journals of format 1 stored whole frames and have no such part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.base.languages.message import Message, Number, chain_messages, message
from controller.history.report.model import ReportDie, ReportMarker, SeenPicture
from controller.history.report.pictures import ReportPicture, ReportPictures
from controller.journal.hashchain import Body, Value
from controller.table.events import TrayDie, TrayLift
from controller.table.reading_codec import decode_dice, decode_picture_info
from controller.table.view.doubts import describe_lift

_MARKER_PX = 12.0
"""Radius of a marker without a size of its own."""


def build_seen_picture(body: Body, pictures: ReportPictures | None) -> SeenPicture:
    """
    Return the reading of an entry.

    Args:
        body: The entry's body.
        pictures: The stored pictures; `None` if a roll shows this one.

    Raises:
        InputError, KeyError, TypeError, ValueError: It holds no valid reading.
    """
    shot = decode_picture_info(body)
    left, top, width, height = shot.crop_px
    dice = tuple(_build_die(die, left, top) for die in decode_dice(body))
    size = (width, height) if width and height else _measure_extent(dice)
    digest = str(body.get("picture", ""))
    if pictures is None:
        picture = ReportPicture(
            digest, message("The picture is beside the roll that was taken from it."), "", *size
        )
    else:
        picture = pictures.picture(digest, size)
    rejected = (
        ReportMarker(each.reason, each.center_px[0] - left, each.center_px[1] - top, _MARKER_PX)
        for each in shot.rejected
    )
    return SeenPicture(
        picture=picture,
        dice=dice,
        doubts=_get_doubts(body),
        doubted=tuple(_build_doubt_markers(body, left, top)),
        rejected=tuple(rejected),
        lifts=tuple(_build_lift(each, left, top) for each in shot.lifts),
        is_certain_alone=bool(shot.table_model) and not (shot.lifts or _get_doubts(body)),
        clip=shot.clip,
        clip_note=pictures.clip_note(shot.clip) if pictures else "",
    )


def _build_lift(lift: TrayLift, left: int, top: int) -> ReportMarker:
    x, y = lift.center_px
    return ReportMarker(describe_lift(lift), x - left, y - top, lift.radius_px or _MARKER_PX)


def _build_die(die: TrayDie, left: int, top: int) -> ReportDie:
    x, y = die.center_px
    ppm = die.confidence_ppm
    return ReportDie(
        face=die.face,
        polarity=die.polarity,
        x_px=x - left,
        y_px=y - top,
        angle_deg=die.angle_deg,
        edge_px=die.edge_px,
        origin=die.origin,
        confidence=_write_percent(ppm) if ppm else "",
    )


def _write_percent(ppm: int) -> Message:
    return chain_messages([Number(ppm / 10_000, ".1f"), "%"], "\u202f")


def _measure_extent(dice: Sequence[ReportDie]) -> tuple[int, int]:
    """Return a size that contains all dice; 0 if none has a position."""
    if not any(die.edge_px for die in dice):
        return 0, 0
    right = max(die.x_px + die.edge_px for die in dice)
    below = max(die.y_px + die.edge_px for die in dice)
    return round(max(right, 1.4 * below)), round(max(below, right / 2))


def _get_doubts(body: Body) -> tuple[str, ...]:
    """Return the doubts in words, each with its kind before a colon."""
    doubts = body.get("doubts")
    return tuple(map(str, doubts)) if isinstance(doubts, Sequence) else ()


def _build_doubt_markers(body: Body, left: int, top: int) -> list[ReportMarker]:
    places = body.get("doubts_at")
    if not isinstance(places, Sequence):
        return []
    pairs = zip(_get_doubts(body), places, strict=False)
    return [_build_marker(text, place, left, top) for text, place in pairs if place]


def _build_marker(text: str, place: Value, left: int, top: int) -> ReportMarker:
    if not isinstance(place, Mapping):
        raise TypeError(f"expected a place, found {place!r}")
    x, y, radius = (_parse_px(place.get(key)) for key in ("x_mpx", "y_mpx", "radius_mpx"))
    return ReportMarker(text, x - left, y - top, radius or _MARKER_PX)


def _parse_px(value: Value) -> float:
    if not isinstance(value, int):
        raise TypeError(f"expected thousandths of a pixel, found {value!r}")
    return value / 1000
