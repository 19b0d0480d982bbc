# SPDX-License-Identifier: MIT
"""
Serve two addresses for machines: `/healthz` for the health of the table, `/metrics` for counts.

Status 200 means that every part of the program works, also while the camera is unplugged: that
is a fault of the tray, which a restart would not fix. A hanging thread or a disk that refuses
entries is 503. Anybody who reaches the page can read both, so neither names the players.
"""

from __future__ import annotations

from dataclasses import asdict

from flask import Blueprint, Response, jsonify

from controller.runtime.monitoring.health import HealthMonitor
from webui.page_responses import forbid_caching

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def health_pages(monitor: HealthMonitor) -> Blueprint:
    pages = Blueprint("health", __name__)

    @pages.get("/healthz")
    def healthz() -> tuple[Response, int]:
        health = monitor.health()
        answer = jsonify(ok=not health.wrong, **asdict(health))
        return forbid_caching(answer), 503 if health.wrong else 200

    @pages.get("/metrics")
    def metrics() -> Response:
        return forbid_caching(Response(monitor.metrics.text(), content_type=METRICS_TYPE))

    return pages
