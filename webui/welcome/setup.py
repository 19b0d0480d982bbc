# SPDX-License-Identifier: MIT
"""
Serve the page of the first evening: camera, picture, tray, dice, names, and the first game.

Only the choice of the camera is its own. The other steps are those of the calibration page and of
the lobby, with their addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify, render_template, request

from controller.appliance.welcome.setup import SetupParts
from webui.auth.request_guard import require_own_json
from webui.auth.roles import require_official
from webui.commands import Fields, require_text, run_command
from webui.language import reply_view


def setup_pages(setup: SetupParts, *, has_tray: bool) -> Blueprint:
    """Return the page of the first evening, for officials and the box itself."""
    pages = Blueprint("setup", __name__)

    @pages.before_request
    def only_officials() -> None:
        require_official(request)

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


def _choose_camera(fields: Fields, setup: SetupParts) -> None:
    setup.choose_camera(require_text(fields, "name"))


ACTIONS: Mapping[str, tuple[tuple[str, ...], Callable[[Fields, SetupParts], None]]] = {
    "camera": (("name",), _choose_camera)
}
"""Every action of the page: its keys, and its function."""
