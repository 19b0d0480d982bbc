# SPDX-License-Identifier: MIT
"""The desk as the page sees it: everything as plain values that go to a browser as JSON."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from controller.calibration.own_dice import OwnDiceSession
from controller.calibration.own_dice_page import OwnDicePage
from controller.calibration.session import CalibrationSession
from controller.calibration.views import ExposureView, InspectionView, ReadingView, TrayView
from controller.table.events import Event, PauseRequested
from vision.calibration.card_sheet import build_corner_sheet
from vision.calibration.inspection import Inspection
from vision.calibration.pdf import encode_pdf
from vision.calibration.png import encode_png
from vision.reading import Point


class CalibrationPage:
    """
    What the calibration page shows and drives (`webui.calibration.CalibrationApi`).

    Args:
        desk: The calibration.
        session: The throws of the owner's dice.
        send: Puts an event in the table's line.
    """

    def __init__(
        self, desk: CalibrationSession, session: OwnDiceSession, send: Callable[[Event], None]
    ) -> None:
        self.own_dice = OwnDicePage(session)
        self._desk = desk
        self._send = send

    def begin(self) -> None:
        """Pause play, where there is any, and look for the best sharpness anew."""
        self._send(PauseRequested())
        self._desk.forget_best()

    def look(self) -> InspectionView:
        """Return what the newest picture says."""
        desk = self._desk
        seen = desk.look()
        look = seen[1] if seen else None
        said, kept = desk.said, desk.kept
        return {
            "picture_wh": look.picture_wh if look else (0, 0),
            "markers": [
                {"number": marker.number, "corners_px": list(marker.corners_px)}
                for marker in (look.markers if look else ())
            ],
            "tray": _tray(look, by_hand=bool(said.corners_px)),
            "problem": look.problem if look else "There is no picture yet.",
            "sharpness": round(look.sharpness, 1) if look else 0.0,
            "best": round(desk.best_sharpness, 1),
            "light": [
                {
                    "kind": fault.kind.value,
                    "text": fault.text,
                    "center_px": fault.center_px,
                    "radius_px": fault.radius_px,
                }
                for fault in (look.light if look else ())
            ],
            "exposure": _exposure(desk),
            "edge_mm": round(desk.edge_mm or 0.0, 1),
            "edge_is_said": said.die_edge_mm is not None,
            "corners_are_said": bool(said.corners_px),
            "felt_is_said": said.felt_mm is not None,
            "saved_at": kept.made_at if kept else "",
        }

    def reading(self) -> ReadingView:
        """Return what the table would read in the newest picture."""
        tried = self._desk.read_trial()
        if tried is None:
            return {"status": "", "dice": [], "doubts": [], "remark": ""}
        reading = tried.reading
        return {
            "status": reading.status.value,
            "dice": [
                {
                    "face": die.face,
                    "center_px": die.center_px,
                    "corners_px": list(die.corners_px),
                }
                for die in reading.dice
            ],
            "doubts": [
                {
                    "kind": doubt.kind.value,
                    "text": doubt.text,
                    "center_px": doubt.center_px,
                    "radius_px": doubt.radius_px,
                }
                for doubt in reading.doubts
            ],
            "remark": tried.remark,
        }

    def set_corners(self, corners_px: tuple[Point, ...]) -> None:
        """Take the felt's corners from a person; none of them goes back to the cards."""
        self._desk.say(corners_px=corners_px)

    def set_felt(self, felt_mm: Point) -> None:
        """Take the felt's width and depth; zeros leave it to the cards."""
        self._desk.say(felt_mm=felt_mm)

    def set_edge(self, edge_mm: float) -> None:
        """Take the edge of the dice; 0 leaves it to be measured."""
        self._desk.say(die_edge_mm=edge_mm)

    def fix_light(self) -> None:
        """Fix exposure and white balance."""
        self._desk.fix_light()

    def save(self) -> None:
        """Keep the calibration; the table goes by it from then on."""
        self._desk.save()

    def sheet(self, kind: str) -> bytes:
        """Return the sheet of corner cards as `pdf` or `png`."""
        page = build_corner_sheet(self._desk.said.felt_mm)
        return encode_pdf(page) if kind == "pdf" else encode_png(page)


def _tray(look: Inspection | None, *, by_hand: bool) -> TrayView | None:
    if look is None or look.found is None:
        return None
    found = look.found
    corners = found.tray.to_px(np.array(found.tray.felt_mm)).tolist()
    return {
        "corners_px": [(x, y) for x, y in corners],
        "felt_mm": (round(found.felt_mm[0], 1), round(found.felt_mm[1], 1)),
        "by": "hand" if by_hand else "cards",
        "remark": found.remark,
    }


def _exposure(desk: CalibrationSession) -> ExposureView:
    if desk.is_fixing:
        return {"state": "running", "text": "The camera finds the light by itself ..."}
    fixed = desk.fixed
    if fixed is None:
        return {"state": "open", "text": "Exposure and white balance are not fixed yet."}
    return {"state": "fixed" if fixed.is_well else "odd", "text": fixed.text}
