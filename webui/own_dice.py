# SPDX-License-Identifier: MIT
"""
Serve the step of the calibration page that learns the owner's dice.

The page shows the faces of a throw and posts the owner's corrections. Each reply says in words
what to do next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify, request

from controller.calibration.own_dice import OwnDiceSession
from controller.calibration.own_dice_page import view_own_dice
from controller.errors import InputError
from webui.auth.request_guard import require_own_json
from webui.commands import Fields, quote_json, run_command

MOST_FACES = 50


def add_own_dice(pages: Blueprint, own_dice: OwnDiceSession) -> None:
    """Add the step to the calibration's pages, which are for officials."""

    @pages.get("/calibrate/dice")
    def dice() -> Response:
        answer = jsonify(view_own_dice(own_dice))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.post("/calibrate/dice")
    def act_on_dice() -> Response:
        run_command(DICE_ACTIONS, require_own_json(request), own_dice)
        return jsonify(ok=True)


def _face(fields: Fields, own_dice: OwnDiceSession) -> None:
    index = _whole(fields["index"], "index", MOST_FACES)
    own_dice.correct(index, _whole(fields["number"], "number", 6))


def _whole(value: object, key: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise InputError(
            expected=f"{key}: a whole number from 0 to {most}", found=quote_json(value)
        )
    return value


_Do = Callable[[Fields, OwnDiceSession], object]
DICE_ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "throw": ((), lambda _, own_dice: own_dice.read_throw()),
    "face": (("index", "number"), _face),
    "confirm": ((), lambda _, own_dice: own_dice.confirm()),
    "discard": ((), lambda _, own_dice: own_dice.discard()),
    "keep": ((), lambda _, own_dice: own_dice.keep()),
    "forget": ((), lambda _, own_dice: own_dice.forget()),
}
"""Every action of the step: its keys, and its function."""
