# SPDX-License-Identifier: MIT
"""
What the page of the first evening shows: which of its steps are done.

That follows from what the table has, such as its calibration, so the page continues after a
restart and a step counts wherever it was done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from controller.base.errors import UnavailableError
from controller.base.languages.message import message
from controller.runtime.calibration.page_data import CalibrationParts
from controller.runtime.devices.found_camera import CandidateView, FoundCamera
from controller.table.view.types import Snapshot
from hardware.camera import Camera


class SetupView(TypedDict):
    camera: str  # The name of the camera.
    cameras: list[CandidateView]  # Those that may be chosen; empty if the settings name one.
    done: list[str]  # The steps that are done.


@dataclass(frozen=True, slots=True)
class SetupParts:
    """The parts of a running table that the page shows and drives."""

    camera: Camera
    calibration: CalibrationParts
    snapshot: Callable[[], Snapshot]

    def view(self) -> SetupView:
        """Return the state of the set-up now."""
        found = self.camera if isinstance(self.camera, FoundCamera) else None
        session = self.calibration.session
        is_calibrated = session.calibration is not None
        view = self.snapshot()
        lobby = view["lobby"]
        is_done = {
            "camera": found is None or found.is_chosen,
            "picture": is_calibrated or session.exposure_result is not None,
            "tray": is_calibrated,
            "dice": self.calibration.own_dice.kept_throws > 0,
            "names": bool(view["game"])
            or (
                lobby is not None
                and any(line["kind"] == "seat" and line["value"] for line in lobby["lines"])
            ),
        }
        return {
            "camera": self.camera.name,
            "cameras": found.list_choices() if found else [],
            "done": [step for step, done in is_done.items() if done],
        }

    def choose_camera(self, name: str) -> None:
        """
        Use this camera from now on; BusyError while the old one's exposure is being locked.

        InputError for an unknown one; UnavailableError if the settings name one, or the disk
        refuses.
        """
        if not isinstance(self.camera, FoundCamera):
            raise UnavailableError(
                expected=message("a table that finds its camera"),
                found=message("one whose settings name it. Change [camera] there."),
            )
        choose = partial(self.camera.choose, name)
        if name == self.camera.name:
            choose()
        else:
            self.calibration.session.start_over(choose)
