# SPDX-License-Identifier: MIT
"""
A journalled reading, in positions of its stored picture.

The journal has positions in the camera's whole frame, and the part of it that is stored.
Journals of format 1 stored whole frames and have no such part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from controller.base.languages.message import message
from controller.history.report.model import ReportMarker, SeenPicture
from controller.history.report.pictures import ReportPicture, ReportPictures
from controller.journal.entries import DiceEntry
from controller.table.events import TrayDie, TrayLift
from controller.table.reading_codec import build_picture_info, place_dice
from controller.table.view.doubts import describe_lift

_MARKER_PX = 12.0  # Radius of a marker without a size of its own.


def build_seen_picture(entry: DiceEntry, pictures: ReportPictures | None) -> SeenPicture:
    """
    Return the reading of an entry; `pictures` is `None` if a roll shows this one.

    OverflowError if a position is beyond every number.
    """
    left, top, width, height = entry.crop_px
    dice = tuple(
        replace(die, center_px=(die.center_px[0] - left, die.center_px[1] - top))
        for die in place_dice(entry.lie)
    )
    size = (width, height) if width and height else _measure_extent(dice)
    if pictures is None:
        note = message("The picture is beside the roll that was taken from it.")
        picture = ReportPicture(entry.picture, note, "", *size)
    else:
        picture = pictures.picture(entry.picture, size)
    shot = build_picture_info(entry)
    return SeenPicture(
        picture=picture,
        dice=dice,
        doubts=entry.doubts,
        doubted=tuple(_build_doubt_markers(entry, left, top)),
        rejected=tuple(
            ReportMarker(each.reason, each.center_px[0] - left, each.center_px[1] - top, _MARKER_PX)
            for each in shot.rejected
        ),
        lifts=tuple(_build_lift(each, left, top) for each in shot.lifts),
        is_certain_alone=bool(shot.table_model) and not (shot.lifts or entry.doubts),
        clip=shot.clip,
        clip_note=pictures.clip_note(shot.clip) if pictures else "",
    )


def _build_doubt_markers(entry: DiceEntry, left: int, top: int) -> Iterator[ReportMarker]:
    for text, at in zip(entry.doubts, entry.doubts_at, strict=False):
        if at.x_mpx is not None and at.y_mpx is not None:
            radius_px = (at.radius_mpx or 0) / 1000 or _MARKER_PX
            yield ReportMarker(text, at.x_mpx / 1000 - left, at.y_mpx / 1000 - top, radius_px)


def _build_lift(lift: TrayLift, left: int, top: int) -> ReportMarker:
    x, y = lift.center_px
    return ReportMarker(describe_lift(lift), x - left, y - top, lift.radius_px or _MARKER_PX)


def _measure_extent(dice: Sequence[TrayDie]) -> tuple[int, int]:
    """Return a size that contains all dice; 0 if none has a position."""
    if not any(die.edge_px for die in dice):
        return 0, 0
    right, below = (max(die.center_px[axis] + die.edge_px for die in dice) for axis in (0, 1))
    return round(max(right, 1.4 * below)), round(max(below, right / 2))
