# SPDX-License-Identifier: MIT
"""
`dicebell run`: the appliance, with the camera and the panel that the settings name.

A driver that is named and missing is told and tried again, never silently replaced.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.access.tickets import Access, CodePerGame
from controller.calibration.active import ActiveCalibration
from controller.calibration.store import load_calibration
from controller.calibration.wiring import calibration_of, health_by, setup_by
from controller.cli.startup import log_start, log_stop, say, serve_kiosk, stop_asked, tell_begun
from controller.logs import set_up_logs
from controller.maintenance.service_page import service_of
from controller.runtime.drivers import chosen_camera, chosen_fittings
from controller.runtime.recording import WHOLE_FRAMES, Keeping
from controller.runtime.systemd import ServiceManager, SignsOfLife
from controller.runtime.table import House
from controller.settings import Settings, load_settings, settings_text
from hardware.clock import MonotonicClock
from webui import create_app
from webui.server import KioskServer

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "run",
        help="the appliance: camera, panel, kiosk",
        description="Run the table with the camera and the panel that the settings name.",
        epilog="Exit status: 0 when it was stopped, 2 when the settings cannot be used.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings (TOML)")
    parser.add_argument(
        "--print-config", action="store_true", help="print all settings with comments, and end"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Run the table until it is stopped; return the exit status.

    Raises:
        InputError: The settings, the data folder, the port or the panel cannot be used.
    """
    settings = load_settings(args.config) if args.config else Settings()
    if args.print_config:
        sys.stdout.write(settings_text(settings))
        return 0
    _serve(settings, args.config)
    return 0


def _serve(settings: Settings, config: Path | None) -> None:
    """Run a table by these settings until it is stopped."""
    lines = set_up_logs()
    stop = stop_asked()
    manager = ServiceManager.of(os.environ, os.getpid())
    live = ActiveCalibration(load_calibration(settings.data.folder))
    kept = live.calibration
    camera = chosen_camera(settings.camera, calibrated=kept.exposure if kept else None)
    access = Access(settings.data.folder, MonotonicClock())
    house = House.open(
        settings.data.folder,
        live,
        confirm=settings.table.confirm,
        see_every_throw=settings.table.see_every_throw,
        fittings=chosen_fittings(settings),
        health=health_by(live, settings.camera),
        on_view=CodePerGame(access),
        setup=setup_by(live, camera, settings_text(settings)),
        keeping=Keeping(settings.evidence, live.tray_for),
    )
    with contextlib.ExitStack() as closing:
        closing.callback(house.close)
        access.begin()
        page = calibration_of(house, live, camera, settings.data.folder, settings.camera)
        service = service_of(
            house,
            live,
            camera,
            settings,
            lines=lines,
            config=config,
            access=access,
            end_table=stop.set if manager.address else None,
        )
        app = create_app(
            house, None, access=access, web=settings.web, calibration=page, service=service
        )
        kiosk = KioskServer(app, settings.web.host, settings.web.port)
        address = serve_kiosk(kiosk, house, closing)
        opened = house.begin()
        tell_begun(settings.data.folder, opened)
        if kept is None:
            say(WHOLE_FRAMES)
        log_start(settings.data.folder, opened, settings=settings_text(settings))
        say(address)
        house.start(camera)
        closing.enter_context(SignsOfLife(manager, kiosk.url, stuck=house.stuck))
        stop.wait()
        log_stop()
