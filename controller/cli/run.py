# SPDX-License-Identifier: MIT
"""
`dicebell run`: the appliance, with the camera and the panels that the settings name.

A missing camera, panel, light or buzzer is reported and tried again, never replaced.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from controller.base.logs import set_up_logs
from controller.base.settings import Settings, load_settings, render_settings
from controller.cli import startup
from controller.cli.arguments import Subparsers, print_line
from controller.cli.build_table import Devices, build_table, create_kiosk
from controller.cli.stopping import StopRequest, handle_stop
from controller.runtime.access.box_key import BoxKeyFile
from controller.runtime.calibration.store import load_calibration
from controller.runtime.devices.drivers import create_camera, create_peripherals
from controller.runtime.monitoring.systemd import SystemdNotifier, SystemdWatchdog
from controller.runtime.picture_recorder import UNCALIBRATED_NOTICE

_SET_UP = "?to=/setup", "Set the table up in a browser of this machine"


def add_parser(subparsers: Subparsers) -> None:
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


def run(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    if args.print_config:
        sys.stdout.write(render_settings(settings))
        return 0
    with handle_stop() as stop:
        _serve(settings, args.config, stop)
    return 0


def _serve(settings: Settings, config: Path | None, stop: StopRequest) -> None:
    """Run a table by these settings until it is stopped."""
    startup.spare_the_machine(settings.camera.width * settings.camera.height * 3)
    lines = set_up_logs()
    manager = SystemdNotifier.from_environment(os.environ, os.getpid())
    calibration = load_calibration(settings.data.folder)
    exposure = calibration.exposure if calibration else None
    key_file = BoxKeyFile(settings.data.folder, os.environ)
    camera = create_camera(settings, calibrated=exposure)
    with contextlib.ExitStack() as closing:
        peripherals = create_peripherals(settings)
        closing.callback(peripherals.close)
        table = build_table(
            settings,
            Devices(camera, peripherals),
            calibration=calibration,
            lines=lines,
            settings_text=render_settings(settings),
            config=config,
            observers=(key_file,),
            end_table=stop.set if manager.address else None,
        )
        runtime = table.runtime
        closing.callback(runtime.close)
        startup.tighten_secrets(settings.data.folder)
        table.access.begin()
        key = table.access.box_key()
        key_file.write(key)
        web = settings.web
        kiosk = create_kiosk(table, web, own_port=web.own_port, needs_key=True)
        address = startup.serve_kiosk(kiosk, runtime, closing)
        opened = runtime.begin()
        startup.print_startup(settings.data.folder, opened)
        if not table.is_calibrated:
            print_line(UNCALIBRATED_NOTICE)
        startup.log_start(settings.data.folder, opened, settings=render_settings(settings))
        print_line(address)
        if sys.stdout.isatty():
            is_new = not table.is_calibrated or table.welcome.guide.is_offered
            to, use = _SET_UP if is_new else ("", "As the box's own screen")
            print_line(f"{use}: {kiosk.url}login{to}#box={key}")
        table.start()
        closing.enter_context(
            SystemdWatchdog(manager, kiosk.url, stuck=runtime.monitor.stuck_threads)
        )
        stop.wait()
        startup.log_stop()
        runtime.close_journal()  # before anything that may hang
