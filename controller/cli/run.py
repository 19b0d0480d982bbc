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

from controller.access.tickets import AccessControl, CodePerGame
from controller.calibration.active import ActiveCalibration
from controller.calibration.store import load_calibration
from controller.calibration.wiring import calibration_of, health_by, setup_by
from controller.cli.startup import (
    install_stop_handler,
    log_start,
    log_stop,
    print_line,
    print_startup,
    serve_kiosk,
)
from controller.logs import set_up_logs
from controller.maintenance.service_page import build_service
from controller.runtime.drivers import create_camera, create_peripherals
from controller.runtime.recording import UNCALIBRATED_NOTICE, RecordingOptions
from controller.runtime.systemd import SystemdNotifier, SystemdWatchdog
from controller.runtime.table import TableRuntime
from controller.settings import Settings, load_settings, render_settings
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
        sys.stdout.write(render_settings(settings))
        return 0
    _serve(settings, args.config)
    return 0


def _serve(settings: Settings, config: Path | None) -> None:
    """Run a table by these settings until it is stopped."""
    lines = set_up_logs()
    stop = install_stop_handler()
    manager = SystemdNotifier.of(os.environ, os.getpid())
    live = ActiveCalibration(load_calibration(settings.data.folder))
    kept = live.calibration
    camera = create_camera(settings.camera, calibrated=kept.exposure if kept else None)
    access = AccessControl(settings.data.folder, MonotonicClock())
    runtime = TableRuntime.open(
        settings.data.folder,
        live,
        confirm=settings.table.confirm,
        see_every_throw=settings.table.see_every_throw,
        peripherals=create_peripherals(settings),
        health=health_by(live, settings.camera),
        on_view=CodePerGame(access),
        setup=setup_by(live, camera, render_settings(settings)),
        keeping=RecordingOptions(settings.evidence, live.tray_for),
    )
    with contextlib.ExitStack() as closing:
        closing.callback(runtime.close)
        access.begin()
        page = calibration_of(runtime, live, camera, settings.data.folder, settings.camera)
        service = build_service(
            runtime,
            live,
            camera,
            settings,
            lines=lines,
            config=config,
            access=access,
            end_table=stop.set if manager.address else None,
        )
        app = create_app(
            runtime, None, access=access, web=settings.web, calibration=page, service=service
        )
        kiosk = KioskServer(app, settings.web.host, settings.web.port)
        address = serve_kiosk(kiosk, runtime, closing)
        opened = runtime.begin()
        print_startup(settings.data.folder, opened)
        if kept is None:
            print_line(UNCALIBRATED_NOTICE)
        log_start(settings.data.folder, opened, settings=render_settings(settings))
        print_line(address)
        runtime.start(camera)
        closing.enter_context(SystemdWatchdog(manager, kiosk.url, stuck=runtime.stuck_threads))
        stop.wait()
        log_stop()
