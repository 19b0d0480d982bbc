# SPDX-License-Identifier: MIT
"""
Redirect the addresses that earlier versions used to the ones they have now.

A page that was open during an update, a bookmark or a script still asks for the old address.
Status 308 keeps the method and the body, so an old command arrives unchanged. The new address
checks who asks.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, request
from werkzeug import Response
from werkzeug.utils import redirect

MOVED = {
    "/door": "/login",
    "/door/sign": "/login/pairing",
    "/door/pin": "/login/pin",
    "/door/code": "/login/code",
    "/door/new-pin": "/login/new-pin",
    "/door/send-away": "/login/send-away",
    "/door/leave": "/login/leave",
    "/alive": "/heartbeat",
    "/tray": "/simulator",
    "/calibrate/look": "/calibrate/status",
}
"""Old address to new address."""


def moved_pages() -> Blueprint:
    pages = Blueprint("moved", __name__)
    for old in MOVED:
        pages.add_url_rule(old, old.replace("/", "-"), _redirect, methods=("GET", "POST"))
    return pages


def _redirect() -> Response:
    query = urlencode(list(request.args.items(multi=True)))
    return redirect(MOVED[request.path] + (f"?{query}" if query else ""), code=308)
