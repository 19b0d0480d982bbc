# SPDX-License-Identifier: MIT
"""Call an official of the tournament from a table: its own screen, and the phones at it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden

from controller.appliance.service_page import ServiceParts
from controller.base.languages.message import message
from webui.auth.request_guard import require_own_json
from webui.auth.roles import Role, current_policy
from webui.language import reply_view


def official_call_pages(service: ServiceParts) -> Blueprint:
    """Return the address that says whether a table is in a tournament, and calls an official."""
    pages = Blueprint("official_call", __name__)

    @pages.get("/official")
    def can_call() -> Response:
        answer = jsonify(is_joined=service.uplink is not None and service.uplink.is_joined)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.post("/official")
    def call() -> Response:
        require_own_json(request)
        if current_policy().role_of(request) < Role.PLAYER:
            raise Forbidden(message("expected somebody who plays at this table"))
        return reply_view({"said": service.require_uplink().call_official()})

    return pages
