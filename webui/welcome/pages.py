# SPDX-License-Identifier: MIT
"""Serve the demonstration games of the idle screen, and take it that the guide is declined."""

from __future__ import annotations

import json

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden

from controller.appliance.welcome.parts import WelcomeParts
from controller.base.languages.message import message
from webui.auth.request_guard import require_own_json
from webui.auth.roles import Role, current_policy, require_official
from webui.commands import Fields, run_command
from webui.language import find_catalogue

DEMONSTRATIONS = 1000  # So many different games are played before the first one comes again.


def welcome_pages(parts: WelcomeParts) -> Blueprint:
    pages = Blueprint("welcome", __name__)

    @pages.get("/welcome/demonstration/<int:number>.json")
    def demonstration(number: int) -> Response:
        if current_policy().role_of(request) is not Role.BOX:
            raise Forbidden(message("Only the table's own screen shows the demonstration."))
        replay = parts.games.build_json(number % DEMONSTRATIONS, find_catalogue())
        text = b'{"night":%s,"replay":%s}' % (json.dumps(parts.show_night()).encode(), replay)
        answer = Response(text, mimetype="application/json")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.post("/welcome/guide")
    def guide() -> Response:
        require_official(request)
        run_command(_GUIDE_ACTIONS, require_own_json(request), parts)
        return jsonify(ok=True)

    return pages


def _decline(_: Fields, parts: WelcomeParts) -> None:
    parts.guide.decline()


_GUIDE_ACTIONS = {"decline": ((), _decline)}
