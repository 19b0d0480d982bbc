# SPDX-License-Identifier: MIT
"""
The kiosk's own sign of life: its page says every few seconds that it shows a table.

A screen that stays blank, or whose page crashed, looks like a working one to everybody but
the people before it. So the page gives a sign as long as it runs and has a table to show,
and whoever watches over the browser asks how old the last sign is. Only the machine's own
screen counts; a phone in somebody's pocket says nothing about it.

The answer names what the pages are made of. A page that was made of something else, before
an update, loads itself anew.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Response, jsonify, request

from webui.auth.request_guard import require_own_json
from webui.auth.roles import is_the_box

NEVER = "never"


class LastSign:
    """
    When the last sign came; given and asked for by any thread.

    Args:
        now_s: The time, from a clock that never runs backwards.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._at_s: float | None = None

    def give(self) -> None:
        """Give a sign."""
        self._at_s = self._now_s()

    def age_text(self) -> str:
        """Return how many seconds ago it came, or that none came since the start."""
        return NEVER if self._at_s is None else f"{self._now_s() - self._at_s:.1f}"


def alive_pages(
    *, folder: Path = Path(__file__).parent, now_s: Callable[[], float] = time.monotonic
) -> Blueprint:
    """
    Return the address at which the kiosk gives its signs, and tells how old the last one is.

    Args:
        folder: Where the parts of the pages lie.
        now_s: The time, from a clock that never runs backwards.
    """
    pages = Blueprint("alive", __name__)
    sign, made_of = LastSign(now_s), digest_of_pages(folder)

    @pages.post("/alive")
    def give() -> Response:
        require_own_json(request)
        if is_the_box(request):
            sign.give()
        return jsonify(pages=made_of)

    @pages.get("/alive")
    def age() -> Response:
        answer = Response(f"{sign.age_text()}\n", mimetype="text/plain")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return pages


def digest_of_pages(folder: Path) -> str:
    """Return what the pages in a folder are made of, as one short word."""
    digest = hashlib.sha256()
    for part in ("static", "templates"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file():
                digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
