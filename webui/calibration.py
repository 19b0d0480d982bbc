# SPDX-License-Identifier: MIT
"""
The page on which a table is calibrated: the live picture, what it says, and what to do.

The page decides nothing. It asks again and again what the newest picture says (`look`),
less often what would be read in it (`reading`), and posts what a person says or wants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from flask import Blueprint, Response, jsonify, render_template, request

from controller.calibration.views import InspectionView, Place, ReadingView
from controller.errors import InputError
from webui.auth.request_guard import require_own_json
from webui.auth.roles import require_official
from webui.commands import Fields, quote_json, run_command
from webui.own_dice import OwnDiceApi, add_own_dice

MOST_PX = 100_000.0
MOST_MM = 10_000.0
SHEETS = {"pdf": "application/pdf", "png": "image/png"}


class CalibrationApi(Protocol):
    """A calibration under way; every method may be called from any thread."""

    @property
    def own_dice(self) -> OwnDiceApi:
        """The step that learns the owner's own dice."""
        ...

    def begin(self) -> None:
        """Somebody opened the page: play is paused, the best sharpness forgotten."""
        ...

    def look(self) -> InspectionView:
        """Return what the newest picture says."""
        ...

    def reading(self) -> ReadingView:
        """Return what the table would read in it."""
        ...

    def set_corners(self, corners_px: tuple[Place, ...]) -> None:
        """Take the felt's corners from a person; none of them goes back to the cards."""
        ...

    def set_felt(self, felt_mm: Place) -> None:
        """Take the felt's width and depth; zeros leave it to the cards."""
        ...

    def set_edge(self, edge_mm: float) -> None:
        """Take the edge of the dice; 0 leaves it to be measured."""
        ...

    def fix_light(self) -> None:
        """Fix exposure and white balance; returns when it is done, seconds later."""
        ...

    def save(self) -> None:
        """Keep it; the table goes by it from then on."""
        ...

    def sheet(self, kind: str) -> bytes:
        """Return the printed sheet of corner cards as `pdf` or `png`."""
        ...


def calibrate_pages(calibration: CalibrationApi, *, has_tray: bool) -> Blueprint:
    """
    Return the calibration's pages, for officials and the box itself.

    Args:
        calibration: What they show and drive.
        has_tray: Whether the tray is a simulated one, whose cards the page can lay.
    """
    pages = Blueprint("calibrate", __name__)

    @pages.before_request
    def only_officials() -> None:
        require_official(request)

    @pages.get("/calibrate")
    def page() -> str:
        return render_template("calibrate.html", has_tray=has_tray)

    @pages.get("/calibrate/status")
    def status() -> Response:
        return _forbid_caching(jsonify(calibration.look()))

    @pages.get("/calibrate/reading")
    def reading() -> Response:
        return _forbid_caching(jsonify(calibration.reading()))

    @pages.get("/calibrate/cards.<any(pdf, png):kind>")
    def cards(kind: str) -> Response:
        return Response(calibration.sheet(kind), mimetype=SHEETS[kind])

    @pages.post("/calibrate")
    def act() -> Response:
        run_command(ACTIONS, require_own_json(request), calibration)
        return jsonify(ok=True)

    add_own_dice(pages, calibration.own_dice)
    return pages


def _corners(fields: Fields, calibration: CalibrationApi) -> None:
    given = fields["corners"]
    places = given if isinstance(given, list) else [given]
    if len(places) not in (0, 4):
        raise InputError(
            expected="corners: 4 places, or none for the cards", found=quote_json(given)
        )
    calibration.set_corners(tuple(_pair(place, "corners", MOST_PX) for place in places))


def _felt(fields: Fields, calibration: CalibrationApi) -> None:
    given = fields["mm"]
    calibration.set_felt((0.0, 0.0) if given is None else _pair(given, "mm", MOST_MM))


def _edge(fields: Fields, calibration: CalibrationApi) -> None:
    given = fields["mm"]
    calibration.set_edge(0.0 if given is None else _number(given, "mm", MOST_MM))


def _pair(value: object, key: str, most: float) -> Place:
    if not isinstance(value, list) or len(value) != 2:
        raise InputError(expected=f"{key}: two numbers each", found=quote_json(value))
    return _number(value[0], key, most), _number(value[1], key, most)


def _number(value: object, key: str, most: float) -> float:
    # Endless numbers and those that are none are within no limits.
    if isinstance(value, int | float) and not isinstance(value, bool) and -most <= value <= most:
        return float(value)
    raise InputError(expected=f"{key}: a number", found=quote_json(value))


def _forbid_caching(answer: Response) -> Response:
    answer.headers["Cache-Control"] = "no-store"
    return answer


_Do = Callable[[Fields, CalibrationApi], None]
ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "begin": ((), lambda _, calibration: calibration.begin()),
    "corners": (("corners",), _corners),
    "felt": (("mm",), _felt),
    "edge": (("mm",), _edge),
    "fix_light": ((), lambda _, calibration: calibration.fix_light()),
    "save": ((), lambda _, calibration: calibration.save()),
}
"""What the page can ask for: the keys that go with it, and what is done."""
