# SPDX-License-Identifier: MIT
"""
Refuse forged requests and add security headers to every reply.

The table is in a home network, and the same browser may have any page of the internet open.
Such a page must not press buttons. So commands must be JSON, which a plain form cannot send,
and come from the box's own pages; and the box answers only to its own names. Pages of the origins
in the settings may read the interface for programs (CORS): no cookie counts there, only a token.
`roles` decides who may do what.
"""

from __future__ import annotations

import json

from flask import Flask, Request, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
    HTTPException,
    MethodNotAllowed,
    NotFound,
    UnsupportedMediaType,
)
from werkzeug.http import HTTP_STATUS_CODES

from controller.base.errors import RefusedError
from controller.base.languages.message import Message, message
from controller.base.logs import Log
from controller.base.strict_json import HalfCharacterError, parse_json
from controller.runtime.access.request_rate import RefusalLog
from webui.auth.hosts import OwnNames, client_key, is_proxied
from webui.auth.refusals import TEMPLATE, describe_refusal, find_page_policy, wants_page
from webui.commands import StaleCommandError
from webui.language import find_catalogue

LARGEST_BODY_BYTES = 16 * 1024
DEEPEST_BODY = 8
"""Most lists and objects around a value; quoting deeper ones would exceed Python's stack."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}

_LOG_KEY = "dicebell refusal log"
_KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")

API_PREFIX = "/api/v1/"
PROBLEM_TYPE = "application/problem+json"
PREFLIGHT_S = 600
_CROSS_ORIGIN = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
    "Access-Control-Max-Age": str(PREFLIGHT_S),
}

READING_METHODS = ("GET", "HEAD", "OPTIONS")
_OWN_SITES = ("same-origin", "none")  # none: a person typed the address


def require_own_json(asked: Request) -> object:
    """Return the decoded body of a command; UnsupportedMediaType or BadRequest if it is none."""
    if asked.mimetype != "application/json":
        found = asked.mimetype or "none"
        raise UnsupportedMediaType(
            message("expected Content-Type application/json, found {found}", found=found)
        )
    data = asked.get_data()
    if not data.strip():
        raise BadRequest(message("expected a JSON object, found an empty body"))
    try:
        body: object = parse_json(data, _require_unique_keys)
        is_too_deep = _is_deeper(body, DEEPEST_BODY)
    except RecursionError:
        is_too_deep = True
    except json.JSONDecodeError as error:
        raise BadRequest(
            message(
                "expected a JSON object, found no valid JSON at character {place}",
                place=error.pos + 1,
            )
        ) from error
    except UnicodeDecodeError as error:
        raise BadRequest(message("expected a JSON object in UTF-8, found other bytes")) from error
    except HalfCharacterError as error:
        raise BadRequest(
            message("expected whole characters, found {found}", found=error.args[0])
        ) from error
    if is_too_deep:
        raise BadRequest(
            message(
                "expected a JSON object at most {most} deep, found a deeper one", most=DEEPEST_BODY
            )
        )
    if body is None:
        raise BadRequest(message("expected a JSON object, found null"))
    return body


def _require_unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; of two values for a key, programs would take another one each."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadRequest(
            message("expected each key once, found {key} again", key=json.dumps(twice[:40]))
        )
    return found


def _is_deeper(value: object, limit: int) -> bool:
    """Return whether lists and objects are nested deeper than a limit, without recursion."""
    level = [value]
    for _ in range(limit + 1):
        nested = [part for part in level if isinstance(part, list | dict)]
        level = [
            inner
            for part in nested
            for inner in (part.values() if isinstance(part, dict) else part)
        ]
        if not nested:
            return False
    return True


def install_request_guard(
    app: Flask, names: OwnNames, api_origins: frozenset[str] = frozenset()
) -> None:
    """Refuse foreign names and pages, add the headers to every reply, and format every error."""

    def refuse_foreign() -> None:
        host = request.headers.get("Host", "")
        if reason := names.find_refusal(host):
            if not wants_page(request.headers.get("Accept")):
                log.note_name(host=host, client=client_key(request.remote_addr or ""))
            raise Forbidden(reason)
        if _find_api_origin(api_origins) is None:
            _require_own_page(request)

    def add_headers(answer: Response) -> Response:
        if api_origins and is_api(request):
            _add_cross_origin_headers(answer, _find_api_origin(api_origins))
        for name, value in SECURITY_HEADERS.items():
            answer.headers.setdefault(name, value)
        return answer

    log = app.extensions[_LOG_KEY] = RefusalLog(Log("access"))
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY_BYTES
    app.before_request(refuse_foreign)
    app.after_request(add_headers)
    busy = message("The table is busy, so nothing was done. Try again.")
    app.register_error_handler(RefusedError, lambda error: _reply(error.args[0], 400))
    app.register_error_handler(StaleCommandError, lambda error: _reply(error.args[0], 409))
    app.register_error_handler(TimeoutError, lambda error: _reply(busy, 503))
    app.register_error_handler(HTTPException, _reply_http_error)


def _require_own_page(asked: Request) -> None:
    """Refuse requests from other sites' pages; following a link to a page is allowed."""
    origin, site = asked.headers.get("Origin"), asked.headers.get("Sec-Fetch-Site")
    if origin is not None and origin.partition("://")[2] != asked.host:
        if is_api(asked):
            raise Forbidden(f"expected an origin in the settings, [api] origins, found {origin}")
        raise Forbidden(_foreign_words(asked, origin))
    follows_a_link = asked.headers.get("Sec-Fetch-Mode") == "navigate"
    if site not in (None, *_OWN_SITES) and not (follows_a_link and asked.method in READING_METHODS):
        raise Forbidden(_foreign_words(asked, site))


def _foreign_words(asked: Request, found: str | None) -> Message:
    return message(
        "expected a request from {host}, found one from {found}", host=asked.host, found=found
    )


def is_api(asked: Request) -> bool:
    """Return whether a request is one of a program, which expects JSON also as an error."""
    return asked.path.startswith(API_PREFIX)


def _find_api_origin(origins: frozenset[str]) -> str | None:
    """Return the listed foreign origin that a request to the interface comes from."""
    origin = request.headers.get("Origin", "").lower()
    return origin if is_api(request) and origin in origins else None


def _add_cross_origin_headers(answer: Response, origin: str | None) -> None:
    """Tell the browser that the page of a listed origin may read this reply."""
    answer.headers.add("Vary", "Origin")
    if origin is None:
        return
    answer.headers["Access-Control-Allow-Origin"] = origin
    answer.headers["Access-Control-Expose-Headers"] = "Location, Retry-After"
    if request.method == "OPTIONS":
        answer.headers.update(_CROSS_ORIGIN)
        if "Access-Control-Request-Private-Network" in request.headers:
            answer.headers["Access-Control-Allow-Private-Network"] = "true"


def _reply_http_error(error: HTTPException) -> tuple[Response, int]:
    code = error.code or 500
    reason = _explain(error) if is_api(request) else error.description
    answer, _ = _reply(reason, code, is_plain=request.method != "POST")
    kept = {name: value for name, value in error.get_headers() if name in _KEPT_HEADERS}
    answer.headers.update(kept)
    return answer, code


def _explain(error: HTTPException) -> str | None:
    """Return why an address or a method is refused, in place of words for people at a browser."""
    if isinstance(error, MethodNotAllowed):
        allowed = " or ".join(sorted({*(error.valid_methods or ())} - {"HEAD", "OPTIONS"}))
        return f"expected {allowed}, found {request.method}"
    if error.description == NotFound.description:
        path = json.dumps(request.path[:80], ensure_ascii=False)
        return f"expected an address that {API_PREFIX}openapi.json lists, found {path}"
    return error.description


def _reply(reason: str | None, status: int, *, is_plain: bool = False) -> tuple[Response, int]:
    """Return a refusal as its reader expects, in text for scripts that want it plain."""
    name = HTTP_STATUS_CODES[status]
    if is_api(request):
        # An error for a program, as RFC 9457 has it.
        line = " ".join(str(reason or name).split())
        body = {"type": "about:blank", "title": name, "status": status, "detail": line}
        return Response(current_app.json.dumps(body), content_type=PROBLEM_TYPE), status
    if wants_page(request.headers.get("Accept")):
        return _build_page(reason, status), status
    words = find_catalogue().translate(reason)
    if not is_plain:
        return jsonify(error=words), status
    lines = f"{status} {name}\n" + (f"{words}\n" if isinstance(reason, Message) else "")
    return Response(lines, mimetype="text/plain"), status


def _build_page(reason: str | None, status: int) -> Response:
    log = current_app.extensions[_LOG_KEY]
    assert isinstance(log, RefusalLog)
    host, client = request.headers.get("Host", ""), client_key(request.remote_addr or "")
    log.note_page(status=status, host=host, path=request.path, client=client)
    view = describe_refusal(status, reason, is_proxied=is_proxied(request.headers.get))
    page = render_template(TEMPLATE, **find_catalogue().translate(view))
    return Response(page, headers={"Cache-Control": "no-store", **find_page_policy()})
