# SPDX-License-Identifier: MIT
"""
Serve the calibration page: the live picture, its analysis, the controls, and the owner's dice.

The page decides nothing. It polls the analysis of the newest picture (`status`), less often a
test reading (`reading`), and posts what a person sets or requests. To learn the owner's dice it
shows the faces of a throw, and each reply says in words what to do next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from flask import Blueprint, Response, jsonify, render_template, request

from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.runtime.calibration.page_data import (
    CalibrationParts,
    Place,
    encode_sheet,
    view_inspection,
    view_own_dice,
    view_reading,
)
from webui.auth.request_guard import require_own_json
from webui.auth.roles import require_official
from webui.commands import Fields, quote_json, run_command
from webui.language import find_catalogue, reply_view

MOST_PX = 100_000.0
MOST_MM = 10_000.0
MOST_FACES = 50
SHEETS = {"pdf": "application/pdf", "png": "image/png"}


def calibrate_pages(calibration: CalibrationParts, *, has_tray: bool) -> Blueprint:
    """Return the calibration's pages, for officials and the box itself."""
    pages = Blueprint("calibrate", __name__)
    pages.before_request(lambda: require_official(request))

    @pages.get("/calibrate")
    def page() -> str:
        return render_template("calibrate.html", has_tray=has_tray)

    @pages.get("/calibrate/status")
    def status() -> Response:
        return reply_view(view_inspection(calibration.session))

    @pages.get("/calibrate/reading")
    def reading() -> Response:
        return reply_view(view_reading(calibration.session))

    @pages.get("/calibrate/cards.<any(pdf, png):kind>")
    def cards(kind: str) -> Response:
        return Response(
            encode_sheet(calibration.session, kind, find_catalogue()), mimetype=SHEETS[kind]
        )

    @pages.post("/calibrate")
    def act() -> Response:
        run_command(ACTIONS, require_own_json(request), calibration)
        return jsonify(ok=True)

    @pages.get("/calibrate/dice")
    def dice() -> Response:
        return reply_view(view_own_dice(calibration.own_dice))

    @pages.post("/calibrate/dice")
    def act_on_dice() -> Response:
        run_command(DICE_ACTIONS, require_own_json(request), calibration)
        return jsonify(ok=True)

    return pages


def _corners(fields: Fields, calibration: CalibrationParts, *, is_proposal: bool = False) -> None:
    expected = message("corners: 4 positions, or [] for the cards")
    corners = _places(fields, "corners", 4, expected)
    calibration.session.set_inputs(corners_px=corners, is_proposal=is_proposal)


def _return_to_cards(fields: Fields, calibration: CalibrationParts) -> None:
    expected = message("seen: the 4 positions that the page showed, or []")
    calibration.session.return_to_cards(_places(fields, "seen", 4, expected))


def _dome(fields: Fields, calibration: CalibrationParts) -> None:
    expected = message("places: the dome's middle and a point on its rim, or []")
    calibration.session.set_inputs(dome_px=_places(fields, "places", 2, expected))


def _places(fields: Fields, key: str, count: int, expected: Message) -> tuple[Place, ...]:
    """Return this number of positions in the picture, or none."""
    given = fields[key]
    places = given if isinstance(given, list) else [given]
    if len(places) not in (0, count):
        raise InputError(expected=expected, found=quote_json(given))
    return tuple(_pair(place, key, MOST_PX) for place in places)


def _felt(fields: Fields, calibration: CalibrationParts) -> None:
    given = fields["mm"]
    felt_mm = (0.0, 0.0) if given is None else _pair(given, "mm", MOST_MM)
    calibration.session.set_inputs(felt_mm=felt_mm)


def _edge(fields: Fields, calibration: CalibrationParts) -> None:
    given = fields["mm"]
    edge_mm = 0.0 if given is None else _number(given, "mm", MOST_MM)
    calibration.session.set_inputs(die_edge_mm=edge_mm)


def _pair(value: object, key: str, most: float) -> Place:
    if not isinstance(value, list) or len(value) != 2:
        expected = message("{key}: two numbers each", key=key)
        raise InputError(expected=expected, found=quote_json(value))
    return _number(value[0], key, most), _number(value[1], key, most)


def _number(value: object, key: str, most: float) -> float:
    # Infinity and NaN fail this comparison too.
    if isinstance(value, int | float) and not isinstance(value, bool) and -most <= value <= most:
        return float(value)
    raise InputError(expected=message("{key}: a number", key=key), found=quote_json(value))


def _face(fields: Fields, calibration: CalibrationParts) -> None:
    index = _whole(fields["index"], "index", MOST_FACES)
    calibration.own_dice.correct(index, _whole(fields["number"], "number", 6))


def _whole(value: object, key: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise InputError(
            expected=message("{key}: a whole number from 0 to {most}", key=key, most=most),
            found=quote_json(value),
        )
    return value


_Do = Callable[[Fields, CalibrationParts], object]


def _while_paused(act: _Do) -> _Do:
    """Return an action that pauses play first: the game would notice it."""

    def pause_and_act(fields: Fields, calibration: CalibrationParts) -> object:
        calibration.pause()
        return act(fields, calibration)

    return pause_and_act


DICE_ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "throw": ((), _while_paused(lambda _, parts: parts.own_dice.read_throw())),
    "face": (("index", "number"), _face),
    "confirm": ((), lambda _, parts: parts.own_dice.confirm()),
    "discard": ((), lambda _, parts: parts.own_dice.discard()),
    "keep": ((), _while_paused(lambda _, parts: parts.own_dice.keep())),
    "forget": ((), _while_paused(lambda _, parts: parts.own_dice.forget())),
}
"""Every action of the step that learns the owner's dice."""

ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "begin": ((), lambda _, calibration: calibration.session.forget_best()),
    "corners": (("corners",), _corners),
    "propose": (("corners",), partial(_corners, is_proposal=True)),
    "cards": (("seen",), _return_to_cards),
    "felt": (("mm",), _felt),
    "dome": (("places",), _dome),
    "edge": (("mm",), _edge),
    "fix_light": ((), _while_paused(lambda _, parts: parts.session.lock_exposure())),
    "save": ((), _while_paused(lambda _, parts: parts.session.save())),
}
"""Every action of the page: its keys, and its function."""
