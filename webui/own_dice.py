# SPDX-License-Identifier: MIT
"""
Serve the step of the calibration page that learns the owner's dice.

The page shows the faces of a throw and posts the owner's corrections. Each reply says in words
what to do next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify, request

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.runtime.calibration.own_dice_page import view_own_dice
from controller.runtime.calibration.page_data import CalibrationParts
from webui.auth.request_guard import require_own_json
from webui.commands import Fields, quote_json, run_command
from webui.language import reply_view

MOST_FACES = 50


def add_own_dice(pages: Blueprint, calibration: CalibrationParts) -> None:
    """Add the step to the calibration's pages, which are for officials."""

    @pages.get("/calibrate/dice")
    def dice() -> Response:
        return reply_view(view_own_dice(calibration.own_dice))

    @pages.post("/calibrate/dice")
    def act_on_dice() -> Response:
        run_command(DICE_ACTIONS, require_own_json(request), calibration)
        return jsonify(ok=True)


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


def while_paused(act: _Do) -> _Do:
    """Return an action that pauses play first: the game would notice it."""

    def pause_and_act(fields: Fields, calibration: CalibrationParts) -> object:
        calibration.pause()
        return act(fields, calibration)

    return pause_and_act


DICE_ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "throw": ((), while_paused(lambda _, parts: parts.own_dice.read_throw())),
    "face": (("index", "number"), _face),
    "confirm": ((), lambda _, parts: parts.own_dice.confirm()),
    "discard": ((), lambda _, parts: parts.own_dice.discard()),
    "keep": ((), while_paused(lambda _, parts: parts.own_dice.keep())),
    "forget": ((), while_paused(lambda _, parts: parts.own_dice.forget())),
}
"""Every action of the step: its keys, and its function."""
