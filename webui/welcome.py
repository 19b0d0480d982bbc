# SPDX-License-Identifier: MIT
"""
Serve the idle screen's demonstration, the end of the guide, and the page of the first evening.

On that page only the choice of the camera is its own. The other steps are those of the calibration
page and of the lobby, with their addresses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden

from controller.appliance.welcome.parts import WelcomeParts
from controller.appliance.welcome.setup import SetupParts
from controller.base.languages.message import message
from webui.auth.request_guard import require_own_json
from webui.auth.roles import Role, current_policy, require_official
from webui.commands import Fields, require_text, run_command
from webui.language import find_catalogue, reply_view
from webui.page_responses import forbid_caching

DEMONSTRATIONS = 1000  # So many different games are played before the first one comes again.


def welcome_pages(parts: WelcomeParts) -> Blueprint:
    pages = Blueprint("welcome", __name__)

    @pages.get("/welcome/demonstration/<int:number>.json")
    def demonstration(number: int) -> Response:
        if current_policy().role_of(request) is not Role.BOX:
            raise Forbidden(message("Only the table's own screen shows the demonstration."))
        replay = parts.games.build_json(number % DEMONSTRATIONS, find_catalogue())
        text = b'{"night":%s,"replay":%s}' % (json.dumps(parts.show_night()).encode(), replay)
        return forbid_caching(Response(text, mimetype="application/json"))

    @pages.post("/welcome/guide")
    def guide() -> Response:
        require_official(request)
        actions = {"decline": ((), lambda _, welcome: welcome.guide.decline())}
        run_command(actions, require_own_json(request), parts)
        return jsonify(ok=True)

    return pages


def setup_pages(setup: SetupParts, *, has_tray: bool) -> Blueprint:
    """Return the page of the first evening, for officials and the box itself."""
    pages = Blueprint("setup", __name__)
    pages.before_request(lambda: require_official(request))

    @pages.get("/setup")
    def page() -> str:
        return render_template("setup.html", has_tray=has_tray)

    @pages.get("/setup/status")
    def status() -> Response:
        return reply_view(setup.view())

    @pages.post("/setup")
    def act() -> Response:
        run_command(ACTIONS, require_own_json(request), setup)
        return jsonify(ok=True)

    return pages


ACTIONS: Mapping[str, tuple[tuple[str, ...], Callable[[Fields, SetupParts], None]]] = {
    "camera": (("name",), lambda fields, setup: setup.choose_camera(require_text(fields, "name")))
}
"""Every action of the page: its keys, and its function."""
