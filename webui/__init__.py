# SPDX-License-Identifier: MIT
"""
Serve the pages of a table: they show its view and send its players' commands.

The pages decide nothing. `create_app` makes the Flask application of one table, `KioskServer`
serves it. `stream` sends a view to the page; `static/js/main.js` passes each part to the
module that shows it. `static/js/send.js` posts a command; `commands` turns it into an event
for the table's loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from flask import Flask, Request

from controller.appliance.service_page import ServiceParts
from controller.appliance.welcome.parts import WelcomeParts
from controller.appliance.welcome.setup import SetupParts
from controller.base.languages.catalogue import Catalogue, load_catalogues
from controller.base.languages.message import message
from controller.base.settings import WebSettings
from controller.history.replays.parts import HistoryParts
from controller.integrations.api.parts import ApiParts
from controller.runtime.access.tickets import AccessControl
from controller.runtime.calibration.page_data import CalibrationParts
from controller.runtime.running_table import RunningTable
from hardware.simulated.hands import SimulatedHands
from webui.api.pages import api_pages
from webui.auth.hosts import OwnNames, is_loopback, parse_host_names
from webui.auth.joining import joining_pages
from webui.auth.login import login_pages
from webui.auth.request_guard import install_request_guard
from webui.auth.roles import AccessPolicy, init_auth, is_box_browser
from webui.auth.stream_slots import StreamSlots
from webui.big_screens import big_screen_pages
from webui.calibration import calibrate_pages
from webui.health import health_pages
from webui.history import history_pages
from webui.kiosk import kiosk_pages
from webui.kiosk_heartbeat import heartbeat_pages
from webui.kiosk_play import kiosk_play_pages
from webui.language import Languages, init_appearance, init_languages
from webui.moved_urls import moved_pages
from webui.page_responses import init_page_files
from webui.service_pages import official_call_pages, service_pages
from webui.welcome import setup_pages, welcome_pages

HEARTBEAT_S = 2.0
MOST_STREAMS = 80  # Enough for fifty phones that play, beside watchers and officials.


def create_app(
    table: RunningTable,
    tray: SimulatedHands | None,
    access: AccessControl,
    *,
    web: WebSettings | None = None,
    calibration: CalibrationParts | None = None,
    setup: SetupParts | None = None,
    service: ServiceParts | None = None,
    history: HistoryParts | None = None,
    welcome: WelcomeParts | None = None,
    api: ApiParts | None = None,
    catalogues: Mapping[str, Catalogue] | None = None,
    is_box: Callable[[Request], bool] = is_box_browser,
    needs_key: bool = False,
    heartbeat_s: float = HEARTBEAT_S,
    most_streams: int = MOST_STREAMS,
) -> Flask:
    """
    Return the web application of one table; parts that are None leave their pages out.

    `tray` are the hands at the simulated tray. `needs_key` makes the box's own screen prove itself
    with its key too. `most_streams` of screens at a port are fewer than its threads.
    """
    app, web = Flask(__name__, static_folder=None), web or WebSettings()
    init_page_files(app)
    names = parse_host_names(f"{web.host},{web.host_names}")
    own_names = OwnNames(names, message("[web] host_names in the settings"))
    install_request_guard(app, own_names, api.origins if api else frozenset())
    is_reached = not is_loopback(web.host)
    policy = AccessPolicy(
        access, web.phones, is_reached, is_box, needs_key, pin_at_box=web.pin_at_box
    )
    init_auth(app, policy)
    known = catalogues or load_catalogues()
    init_languages(app, Languages(known, web.language, policy.is_own_screen))
    init_appearance(app, web)
    slots = StreamSlots(most_streams, on_change=partial(table.monitor.metrics.set, "followers"))
    has_tray = tray is not None
    pages = [
        kiosk_pages(table, tray, web.layout, welcome, heartbeat_s, slots),
        joining_pages(table.loop, has_tray=has_tray),
        heartbeat_pages(is_own_screen=policy.is_own_screen),
        health_pages(table.monitor),
        *(big_screen_pages(), login_pages(), moved_pages()),
    ]
    if api:
        pages.append(api_pages(table, api, heartbeat_s))
    if calibration:
        pages.append(calibrate_pages(calibration, has_tray=has_tray))
    if setup:
        pages.append(setup_pages(setup, has_tray=has_tray))
    if history:
        pages.append(history_pages(history))
    if service:
        pages += service_pages(service), official_call_pages(service)
        pages.append(kiosk_play_pages(service.uplink, slots))
    if welcome:
        pages.append(welcome_pages(welcome))
    for each in pages:
        app.register_blueprint(each)
    return app
