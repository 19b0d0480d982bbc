# SPDX-License-Identifier: MIT
"""
Who may ask, and what every answer carries.

The table stands in somebody's home network, without log-in. What must not happen is that
a foreign page, open in the same browser, presses its buttons: commands are taken only as
JSON (which a plain form cannot send) and only from the kiosk's own origin.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Request, Response, jsonify, request
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, UnsupportedMediaType

from controller.errors import InputError
from webui.commands import StaleError

LARGEST_BODY_BYTES = 16 * 1024

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}


def require_own_json(asked: Request) -> object:
    """
    Return the decoded body of a command.

    Raises:
        Forbidden: A page from somewhere else sent it.
        UnsupportedMediaType: It is not marked as JSON.
        BadRequest: It is marked as JSON, but is none.
    """
    origin = asked.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != asked.host:
        raise Forbidden(f"expected a request from {asked.host}, found one from {origin}")
    if asked.mimetype != "application/json":
        found = asked.mimetype or "none"
        raise UnsupportedMediaType(f"expected Content-Type application/json, found {found}")
    body: object = asked.get_json(silent=True)
    if body is None:
        raise BadRequest("expected a JSON object, found something else")
    return body


def guard(app: Flask) -> None:
    """Put the headers on every answer and make every error a plain one."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY_BYTES
    app.after_request(_with_headers)
    app.register_error_handler(InputError, _input_refused)
    app.register_error_handler(StaleError, _stale_refused)
    app.register_error_handler(TimeoutError, _busy_refused)
    app.register_error_handler(HTTPException, _http_refused)


def _with_headers(answer: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        answer.headers.setdefault(name, value)
    return answer


def _stale_refused(error: StaleError) -> tuple[Response, int]:
    return jsonify(error=str(error)), 409


def _busy_refused(error: TimeoutError) -> tuple[Response, int]:
    return jsonify(error="The table is busy, so nothing was done. Try again."), 503


def _input_refused(error: InputError) -> tuple[Response, int]:
    return jsonify(error=str(error)), 400


def _http_refused(error: HTTPException) -> tuple[Response, int]:
    code = error.code or 500
    if request.method == "POST":
        return jsonify(error=error.description), code
    return Response(f"{code} {error.name}\n", mimetype="text/plain"), code
