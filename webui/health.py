# SPDX-License-Identifier: MIT
"""
Two addresses for machines: `/healthz` answers whether the table is well, `/metrics` counts.

A table is well when every part of the program does its work: 200. A camera that was
pulled out is a fault of the tray, not of the program, which tells people about it and
looks for it again; so the answer names it and is 200 all the same: starting the program
anew would mend nothing. A thread that hangs, or a disk that refuses entries, is 503.
Both can be read by whoever reaches the page, so neither tells who plays.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Protocol

from flask import Blueprint, Response, jsonify

from controller.runtime.health_status import Health

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class HealthApi(Protocol):
    """What tells how a table is; every method may be called from any thread."""

    def health(self) -> Health:
        """Return how the table is now."""
        ...

    def metrics_text(self) -> str:
        """Return its numbers as a Prometheus server reads them."""
        ...

    def set_follower_count(self, count: int) -> None:
        """Be told how many screens follow the table now."""
        ...


def health_pages(table: HealthApi) -> Blueprint:
    """Return the two addresses for one table."""
    pages = Blueprint("health", __name__)

    @pages.get("/healthz")
    def healthz() -> tuple[Response, int]:
        health = table.health()
        answer = jsonify(ok=not health.wrong, **asdict(health))
        answer.headers["Cache-Control"] = "no-store"
        return answer, 503 if health.wrong else 200

    @pages.get("/metrics")
    def metrics() -> Response:
        answer = Response(table.metrics_text(), content_type=METRICS_TYPE)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return pages
