# SPDX-License-Identifier: MIT
"""A calibration session as plain values that go to a browser as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from controller.base.languages.catalogue import Catalogue
from controller.base.languages.message import Message, chain_messages, message, plural_message
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.session import CalibrationSession
from controller.table.view.doubts import describe_doubt
from vision.calibration.card_sheet import build_corner_sheet
from vision.calibration.inspection import Inspection
from vision.calibration.lighting import LightFault
from vision.calibration.print_page import encode_pdf, encode_png
from vision.reading import DieReading, Doubt, Rejected

Place = tuple[float, float]


class MarkerView(TypedDict):
    """A visible corner card: its number and its marker's corners in the picture."""

    number: int
    corners_px: list[Place]


class TrayView(TypedDict):
    """The tray: its felt's corners in the picture, its size, and how it was found."""

    corners_px: list[Place]
    felt_mm: Place
    by: Literal["cards", "hand"]
    remark: str  # Something odd that is no error; may be empty.


class DomeView(TypedDict):
    """The dome: its outline and middle in the picture, its inner diameter, how it was found."""

    middle_px: Place
    outline_px: list[Place]
    diameter_mm: float
    by: Literal["sight", "hand"]


class ExposureView(TypedDict):
    """The state of locking exposure and white balance, and its result in words."""

    state: Literal["open", "running", "fixed", "odd"]
    text: str


class InspectionView(TypedDict):
    picture_wh: tuple[int, int]  # Its size; zeros while there is none.
    markers: list[MarkerView]
    tray: TrayView | None
    outline_px: list[Place]  # Where the corners of an unknown felt may be; mostly empty.
    problem: str  # Why there is no tray.
    sharpness: float
    best: float  # The best `sharpness` since the page was opened.
    light: list[SpotMark]  # Faults of the light, and what to do.
    exposure: ExposureView
    edge_mm: float  # The edge of the dice; 0 if unknown.
    edge_is_said: bool  # Whether a person entered it; the same for corners and felt.
    corners_px: list[Place]  # The corners that are set, in the order in which they were.
    corners_are_said: bool
    corners_are_proposed: bool  # Whether they are set, and no person has set them.
    felt_is_said: bool
    saved_at: str  # When the current calibration was made; empty before the first.
    under_dome: bool  # Whether this table has a dome.
    dome: DomeView | None  # `None` if it was not found.


class DieMark(TypedDict):
    """A die and the position of its face in the picture."""

    face: int
    center_px: Place
    corners_px: list[Place]


class SpotMark(TypedDict):
    """A doubt, a rejected candidate or a fault of the light; `None`: in the whole tray."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class ReadingView(TypedDict):
    status: str  # Empty while there is no tray.
    dice: list[DieMark]
    doubts: list[SpotMark]
    remark: str  # Something odd that is no error; may be empty.


class FaceView(TypedDict):
    """A face of the throw that waits for its confirmation."""

    number: int  # What it counts as; 0 if it is left out.
    read: int  # What was read; 0 if the reader was in doubt.
    doubt: str  # Why it was; empty without a doubt.
    center_px: tuple[float, float]
    edge_px: float


class OwnDiceView(TypedDict):
    """How far the owner's dice are known."""

    text: str
    kept: int  # The number of throws that the table learnt from.
    throws: int  # The number of those confirmed since.
    is_enough: bool  # No more throws are wanted.
    faces: list[FaceView]  # Those of the throw that waits for confirmation; empty without one.
    picture_wh: tuple[int, int]  # The size of its picture; zeros without one.


@dataclass(frozen=True, slots=True)
class CalibrationParts:
    """The parts of a running table that the calibration page shows and drives."""

    session: CalibrationSession
    own_dice: OwnDiceSession  # The throws of the owner's dice.
    # Pauses play, if there is any, and shows why; before what a game would notice.
    pause: Callable[[], None]


def view_inspection(session: CalibrationSession) -> InspectionView:
    seen = session.inspect()
    inspection = seen[1] if seen else None
    inputs, kept = session.inputs, session.calibration
    return {
        "picture_wh": inspection.picture_wh if inspection else (0, 0),
        "markers": [
            {"number": marker.number, "corners_px": list(marker.corners_px)}
            for marker in (inspection.markers if inspection else ())
        ],
        "tray": _tray(inspection, by_hand=bool(inputs.corners_px)),
        "outline_px": session.propose_corners() if inspection and not inspection.found else [],
        "problem": inspection.problem if inspection else message("There is no picture yet."),
        "sharpness": round(inspection.sharpness, 1) if inspection else 0.0,
        "best": round(session.best_sharpness, 1),
        "light": [
            mark_spot(fault.kind.value, fault.text, fault)
            for fault in (inspection.light if inspection else ())
        ],
        "exposure": _exposure(session),
        "edge_mm": round(session.edge_mm or 0.0, 1),
        "edge_is_said": inputs.die_edge_mm is not None,
        "corners_px": list(inputs.corners_px),
        "corners_are_said": bool(inputs.corners_px),
        "corners_are_proposed": bool(inputs.corners_px) and inputs.is_proposal,
        "felt_is_said": inputs.felt_mm is not None,
        "saved_at": kept.made_at if kept else "",
        "under_dome": session.under_dome,
        "dome": _dome(inspection, by_hand=bool(inputs.dome_px)),
    }


def view_reading(session: CalibrationSession) -> ReadingView:
    """Return what the table would read in the newest picture."""
    tried = session.read_trial()
    if tried is None:
        return {"status": "", "dice": [], "doubts": [], "remark": ""}
    reading = tried.reading
    return {
        "status": reading.status.value,
        "dice": [mark_die(die) for die in reading.dice],
        "doubts": [mark_doubt(doubt) for doubt in reading.doubts],
        "remark": tried.remark,
    }


def mark_die(die: DieReading) -> DieMark:
    return {"face": die.face, "center_px": die.center_px, "corners_px": list(die.corners_px)}


def mark_doubt(doubt: Doubt) -> SpotMark:
    kind = doubt.kind.value
    return mark_spot(kind, describe_doubt(kind, doubt.text, doubt.center_px), doubt)


def mark_spot(kind: str, text: str, at: Doubt | LightFault | Rejected) -> SpotMark:
    return {"kind": kind, "text": text, "center_px": at.center_px, "radius_px": at.radius_px}


def encode_sheet(session: CalibrationSession, kind: str, catalogue: Catalogue) -> bytes:
    """Return the sheet of corner cards as `pdf` or `png`, in a language."""
    page = build_corner_sheet(session.inputs.felt_mm, catalogue.translate)
    return encode_pdf(page) if kind == "pdf" else encode_png(page)


def _tray(inspection: Inspection | None, *, by_hand: bool) -> TrayView | None:
    if inspection is None or inspection.found is None:
        return None
    found = inspection.found
    corners = found.tray.to_px(np.array(found.tray.felt_mm)).tolist()
    return {
        "corners_px": [(x, y) for x, y in corners],
        "felt_mm": (round(found.felt_mm[0], 1), round(found.felt_mm[1], 1)),
        "by": "hand" if by_hand else "cards",
        "remark": found.remark,
    }


def _dome(inspection: Inspection | None, *, by_hand: bool) -> DomeView | None:
    if inspection is None or inspection.dome is None:
        return None
    foot = inspection.dome.foot
    return {
        "middle_px": foot.center_px,
        "outline_px": list(foot.outline_px),
        "diameter_mm": round(inspection.dome.diameter_mm, 1),
        "by": "hand" if by_hand else "sight",
    }


def _exposure(session: CalibrationSession) -> ExposureView:
    if session.is_locking_exposure:
        return {"state": "running", "text": message("The camera is choosing its exposure …")}
    fixed = session.exposure_result
    if fixed is None:
        return {
            "state": "open",
            "text": message("The camera still changes its brightness and colours by itself."),
        }
    return {"state": "fixed" if fixed.is_well else "odd", "text": fixed.text}


def view_own_dice(session: OwnDiceSession) -> OwnDiceView:
    """Return how far the dice are known."""
    throw = session.throw
    return {
        "text": describe_next_step(session),
        "kept": session.kept_throws,
        "throws": session.throws,
        "is_enough": not session.wanted,
        "faces": [
            {
                "number": face.number,
                "read": face.read,
                "doubt": face.doubt,
                "center_px": face.center_px,
                "edge_px": face.edge_px,
            }
            for face in (throw.faces if throw else ())
        ],
        "picture_wh": throw.picture_wh if throw else (0, 0),
    }


def describe_next_step(session: OwnDiceSession) -> Message:
    """Return how far the dice are known and what to do next, in words."""
    if session.throw is not None:
        return message(
            "Compare each face with its die. Correct a wrong number, enter the number of a doubted"
            " die that lies flat, and confirm."
        )
    if not session.throws:
        if session.kept_throws:
            learnt = plural_message(
                "The table has learnt from {count} throw of your dice.",
                "The table has learnt from {count} throws of your dice.",
                session.kept_throws,
            )
            if session.is_legible:
                return learnt
            hard = message("Most of them are not read here: take other dice, or change the light.")
            return chain_messages([learnt, hard])
        return message("Throw all your dice and read them; five throws are enough.")
    throws = plural_message(
        "{count} throw is confirmed.", "{count} throws are confirmed.", session.throws
    )
    if wanted := session.wanted:
        missing = plural_message(
            "{count} more is wanted. Throw to other positions.",
            "{count} more are wanted. Throw to other positions.",
            wanted,
        )
        return chain_messages([throws, missing])
    return chain_messages([throws, message("That is enough: keep the dice, or throw again.")])
