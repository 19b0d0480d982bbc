# SPDX-License-Identifier: MIT
"""
Pages of a table: they show its view and send its players' wishes, and decide nothing.

`create_app` makes the Flask application for one table, `KioskServer` puts it on a port.
The way of a view: `stream` sends it to the page, `static/js/main.js` hands every part of
it to the module that shows it. The way of a wish: `static/js/send.js` posts it,
`commands` turns it into an event, the table's loop takes it.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Request

from controller.maintenance.views import ServiceGate
from controller.settings import WebSettings
from webui.auth.hosts import is_loopback, listed_names, machine_names
from webui.auth.login import door_pages
from webui.auth.request_guard import guard
from webui.auth.roles import AccessGate, Doors, hang_doors, is_the_box
from webui.calibration import CalibrationGate, calibrate_pages
from webui.gate import TableGate, TrayControls
from webui.health import health_pages
from webui.kiosk import kiosk_pages
from webui.kiosk_heartbeat import alive_pages
from webui.service_pages import service_pages

HEARTBEAT_S = 2.0
MOST_STREAMS = 50

__all__ = ["AccessGate", "TableGate", "TrayControls", "create_app"]


def create_app(
    table: TableGate,
    tray: TrayControls | None,
    *,
    access: AccessGate | None = None,
    web: WebSettings | None = None,
    calibration: CalibrationGate | None = None,
    service: ServiceGate | None = None,
    is_box: Callable[[Request], bool] = is_the_box,
    heartbeat_s: float = HEARTBEAT_S,
    most_streams: int = MOST_STREAMS,
) -> Flask:
    """
    Return the web application of one table.

    Args:
        table: The table it shows and drives.
        tray: The simulated tray's controls; none on a real table.
        access: The table's PIN and code; none for a table that only the box itself may use.
        calibration: What the calibration page drives; none for a table that has none.
        service: What the service page shows and drives; none for a table that has none.
        web: By which names it is called and what phones may do; none for the defaults.
        is_box: Tells whether a browser on the box itself asks.
        heartbeat_s: Longest silence of a stream, in seconds.
        most_streams: How many screens may follow the table at the same time; fewer than the
            server has threads, so that commands and pictures always find one.
    """
    app = Flask(__name__)
    web = web or WebSettings()
    guard(app, {*machine_names(), *listed_names(f"{web.host},{web.host_names}")})
    hang_doors(app, Doors(access, web.phones, not is_loopback(web.host), is_box))
    pages = kiosk_pages(table, tray, heartbeat_s=heartbeat_s, most_streams=most_streams)
    app.register_blueprint(pages)
    app.register_blueprint(health_pages(table))
    app.register_blueprint(alive_pages())
    app.register_blueprint(door_pages())
    if calibration is not None:
        app.register_blueprint(calibrate_pages(calibration, has_tray=tray is not None))
    if service is not None:
        app.register_blueprint(service_pages(service))
    return app
