# SPDX-License-Identifier: MIT
"""
Pages of a table: they show its view and send its players' wishes, and decide nothing.

`create_app` makes the Flask application for one table, `KioskServer` puts it on a port.
The way of a view: `stream` sends it to the page, `static/js/main.js` hands every part of
it to the module that shows it. The way of a wish: `static/js/send.js` posts it,
`commands` turns it into an event, the table's loop takes it.
"""

from __future__ import annotations

from flask import Flask

from webui.alive import alive_pages
from webui.gate import TableGate, TrayControls
from webui.guard import guard
from webui.health import health_pages
from webui.kiosk import kiosk_pages

HEARTBEAT_S = 2.0
MOST_STREAMS = 50

__all__ = ["TableGate", "TrayControls", "create_app"]


def create_app(
    table: TableGate,
    tray: TrayControls | None,
    *,
    heartbeat_s: float = HEARTBEAT_S,
    most_streams: int = MOST_STREAMS,
) -> Flask:
    """
    Return the web application of one table.

    Args:
        table: The table it shows and drives.
        tray: The simulated tray's controls; none on a real table.
        heartbeat_s: Longest silence of a stream, in seconds.
        most_streams: How many screens may follow the table at the same time; fewer than the
            server has threads, so that commands and pictures always find one.
    """
    app = Flask(__name__)
    guard(app)
    pages = kiosk_pages(table, tray, heartbeat_s=heartbeat_s, most_streams=most_streams)
    app.register_blueprint(pages)
    app.register_blueprint(health_pages(table))
    app.register_blueprint(alive_pages())
    return app
