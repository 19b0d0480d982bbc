# SPDX-License-Identifier: MIT
"""
Encode a reading for the journal, and decode it.

An entry holds every die with its position and origin, every doubt, and the shapes that are
no dice. If the table had learnt anything, the entry names that, and every doubt that it removed.
Positions are in thousandths of a pixel of the camera's whole frame, whichever part of it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.journal import entries as written
from controller.journal.hashchain import Body, Value
from controller.table.events import PictureInfo, RejectedShape, TrayDie, TrayDoubt, TrayLift


def encode_reading(
    dice: Sequence[TrayDie], doubts: Sequence[TrayDoubt], picture: str, shot: PictureInfo
) -> Body:
    """Return the fields of a reading; `doubts_at` holds a position for each of the doubts."""
    body: dict[str, Value] = {
        "lie": [_encode_die(die) for die in dice],
        "doubts": [f"{doubt.kind}: {doubt.text}" for doubt in doubts],
        "doubts_at": [_encode_doubt_position(doubt) for doubt in doubts],
        "rejected": [
            written.encode_part(written.EntryReject(each.reason, *_to_mpx(each.center_px)))
            for each in shot.rejected
        ],
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
    """Return an entry's dice alone; InputError, KeyError or OverflowError if they are broken."""
    return place_dice(written.decode_part(body["lie"], tuple[written.EntryDie, ...]))


def decode_picture_info(body: Body) -> PictureInfo:
    """Return what an entry holds of its picture; InputError or OverflowError for another shape."""
    return build_picture_info(written.decode_part(body, written.PictureEntry))


def place_dice(dice: Iterable[written.EntryDie]) -> tuple[TrayDie, ...]:
    """Return dice with positions in pixels; OverflowError if one is beyond every number."""
    return tuple(
        TrayDie(
            face=die.face,
            polarity=die.polarity,
            colour=die.colour,
            center_px=(die.x_mpx / 1000, die.y_mpx / 1000),
            angle_deg=die.angle_mdeg / 1000,
            edge_px=die.edge_mpx / 1000,
            origin=die.origin,
            was=die.was,
            confidence_ppm=die.confidence_ppm,
        )
        for die in dice
    )


def build_picture_info(entry: written.PictureEntry) -> PictureInfo:
    """Return what an entry holds of its picture, with positions in pixels."""
    return PictureInfo(
        crop_px=entry.crop_px,
        frame_wh=entry.frame_px,
        clip=entry.clip,
        rejected=tuple(
            RejectedShape(each.reason, (each.x_mpx / 1000, each.y_mpx / 1000))
            for each in entry.rejected
        ),
        table_model=entry.table_model,
        background=entry.background,
        lifts=tuple(
            TrayLift(
                each.kind,
                (each.x_mpx / 1000, each.y_mpx / 1000),
                each.radius_mpx / 1000,
                each.share_ppm,
            )
            for each in entry.lifts
        ),
    )


def _encode_die(die: TrayDie) -> Body:
    x_mpx, y_mpx = _to_mpx(die.center_px)
    return written.encode_part(
        written.EntryDie(
            face=die.face,
            polarity=die.polarity,
            colour=die.colour,
            x_mpx=x_mpx,
            y_mpx=y_mpx,
            angle_mdeg=round(die.angle_deg * 1000),
            edge_mpx=round(die.edge_px * 1000),
            origin=die.origin,
            was=die.was,
            confidence_ppm=die.confidence_ppm,
        )
    )


def _encode_doubt_position(doubt: TrayDoubt) -> Body:
    """Return the position of a doubt; empty if it concerns the whole tray."""
    if doubt.center_px is None:
        return {}
    return written.encode_part(
        written.DoubtPlace(*_to_mpx(doubt.center_px), round(doubt.radius_px * 1000))
    )


def _encode_lift(lift: TrayLift) -> Body:
    place, radius_mpx = _to_mpx(lift.center_px), round(lift.radius_px * 1000)
    return written.encode_part(written.EntryLift(lift.kind, *place, radius_mpx, lift.share_ppm))


def _to_mpx(center_px: tuple[float, float]) -> tuple[int, int]:
    x, y = center_px
    return round(x * 1000), round(y * 1000)
