# SPDX-License-Identifier: MIT
"""
Let listed foreign pages use the interface for programs, and word its errors.

A browser asks the table whether a page of another origin may read the reply (CORS). Only origins
in the settings get a yes, and only below `/api/v1/`. No cookie counts there, so a page gets no
more than the token that it was given.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Request, Response, json

API_PREFIX = "/api/v1/"
PROBLEM_TYPE = "application/problem+json"
PREFLIGHT_S = 600

_ALLOWED = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
    "Access-Control-Max-Age": str(PREFLIGHT_S),
}
_EXPOSED = "Location, Retry-After"


def is_api(request: Request) -> bool:
    """Return whether a request is one of a program, which expects JSON also as an error."""
    return request.path.startswith(API_PREFIX)


def find_api_origin(request: Request, origins: frozenset[str]) -> str | None:
    """Return the listed foreign origin that a request to the interface comes from."""
    origin = request.headers.get("Origin", "").lower()
    return origin if is_api(request) and origin in origins else None


def add_cross_origin_headers(request: Request, answer: Response, origins: frozenset[str]) -> None:
    """Tell the browser that the page of a listed origin may read this reply."""
    if not is_api(request) or not origins:
        return
    answer.headers.add("Vary", "Origin")
    origin = find_api_origin(request, origins)
    if origin is None:
        return
    answer.headers["Access-Control-Allow-Origin"] = origin
    answer.headers["Access-Control-Expose-Headers"] = _EXPOSED
    if request.method == "OPTIONS":
        answer.headers.update(_ALLOWED)
        if "Access-Control-Request-Private-Network" in request.headers:
            answer.headers["Access-Control-Allow-Private-Network"] = "true"


def build_problem(
    status: int, title: str, detail: str | None, headers: Mapping[str, str] | None = None
) -> tuple[Response, int]:
    """Return an error for a program (RFC 9457): its status, its name, and one line about it."""
    line = " ".join(str(detail or title).split())
    body = {"type": "about:blank", "title": title, "status": status, "detail": line}
    answer = Response(json.dumps(body), content_type=PROBLEM_TYPE)
    answer.headers.update(headers or {})
    return answer, status
