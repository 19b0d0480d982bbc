# SPDX-License-Identifier: MIT
"""A calibration session as plain values that go to a browser as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from controller.base.languages.catalogue import Catalogue
from controller.base.languages.message import message
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.session import CalibrationSession
from controller.runtime.calibration.views import (
    DieMark,
    DomeView,
    ExposureView,
    InspectionView,
    ReadingView,
    SpotMark,
    TrayView,
)
from controller.table.view.doubts import describe_doubt
from vision.calibration.card_sheet import build_corner_sheet
from vision.calibration.inspection import Inspection
from vision.calibration.lighting import LightFault
from vision.calibration.print_page import encode_pdf, encode_png
from vision.reading import DieReading, Doubt, Rejected


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
        "corners_are_said": bool(inputs.corners_px),
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
        return {"state": "open", "text": message("Exposure and white balance are not locked yet.")}
    return {"state": "fixed" if fixed.is_well else "odd", "text": fixed.text}
