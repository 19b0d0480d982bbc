# SPDX-License-Identifier: MIT
"""
The demo as a table out of its box: no game, and two cameras, of which the first one sees no tray.

That one plays the recording `lid` beside the data folder; the other one sees the simulated tray.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from controller.base.settings import Settings
from controller.cli import demo
from controller.cli.build_table import BuiltTable, Devices, build_table
from controller.cli.main import main
from controller.runtime import confirm_guard
from controller.runtime.devices.found_camera import Candidate, FoundCamera
from hardware.cameras.recording import FileCamera

LID_FPS = 10


def build_new_table(settings: Settings, devices: Devices, **parts: Any) -> BuiltTable:
    folder = settings.data.folder
    lid = Candidate("Camera in the lid", FileCamera(folder.parent / "lid", fps=LID_FPS))
    cameras = [lid, Candidate("Camera above the tray", devices.camera)]
    found = FoundCamera(folder, lambda: cameras)
    return build_table(settings, replace(devices, camera=found), **parts)


if __name__ == "__main__":
    confirm_guard.LOOK_S = 0.0
    with (
        patch.object(demo, "build_table", build_new_table),
        patch.object(demo, "_start_game", lambda *_: None),
    ):
        sys.exit(main())
