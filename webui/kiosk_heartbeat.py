# SPDX-License-Identifier: MIT
"""
Record the heartbeat of the kiosk's own page and report its age.

A blank screen or a crashed page looks like a working one to the program. So the page posts a
heartbeat while it runs and has a table to show, and the kiosk script asks for the age of the
last one. Only the box's own screen counts; a phone proves nothing about that screen.

The reply names a digest of the page files. A page that an update has replaced reloads itself.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Request, Response, jsonify, request

from webui.auth.request_guard import require_own_json
from webui.auth.roles import is_box_browser
from webui.page_responses import forbid_caching

NEVER = "never"


class KioskHeartbeat:
    """The time of the last heartbeat; any thread may use it."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._at_s: float | None = None

    def beat(self) -> None:
        self._at_s = self._now_s()

    def age_text(self) -> str:
        """Return the age of the last one in seconds, or `never` if none came since the start."""
        return NEVER if self._at_s is None else f"{self._now_s() - self._at_s:.1f}"


def heartbeat_pages(
    *,
    folder: Path = Path(__file__).parent,
    now_s: Callable[[], float] = time.monotonic,
    is_own_screen: Callable[[Request], bool] = is_box_browser,
) -> Blueprint:
    """Return the address that records heartbeats and reports the age of the last one."""
    pages = Blueprint("heartbeat", __name__)
    heartbeat, digest = KioskHeartbeat(now_s), compute_pages_digest(folder)

    @pages.post("/heartbeat")
    def beat() -> Response:
        require_own_json(request)
        if is_own_screen(request):
            heartbeat.beat()
        return jsonify(pages=digest)

    @pages.get("/heartbeat")
    def age() -> Response:
        return forbid_caching(Response(f"{heartbeat.age_text()}\n", mimetype="text/plain"))

    return pages


def compute_pages_digest(folder: Path) -> str:
    """Return a short digest of all page files in a folder."""
    digest = hashlib.sha256()
    for part in ("static", "templates"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file():
                digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
