# SPDX-License-Identifier: MIT
"""
What screens say of a fault: what is wrong with a device, and what to do.

The journal and the log keep a driver's own words. Players need to know what to do, and a
helper what the driver reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.languages.message import Message, message
from controller.table.devices import CAMERA
from controller.table.events import DeviceLost
from controller.table.state import MOVED, TableState
from controller.table.view.types import FaultView, NoticeView

GONE = "gone"
"""The kind of fault of a camera that delivers nothing."""

_CAMERA: Mapping[str, tuple[Message, Message]] = {
    "dark": (
        message("The picture is dark."),
        message("Take the cover off the camera, or switch the light on."),
    ),
    "frozen": (
        message("The camera repeats the same picture."),
        message("Unplug the camera and plug it in again."),
    ),
    "blocked": (
        message("Something in front of the lens hides the tray."),
        message("Clear the view between the camera and the tray."),
    ),
    "out of focus": (
        message("The picture is out of focus."),
        message("Wipe the lens, or turn its ring until the picture is sharp."),
    ),
}
"""What is wrong and what to do, by the kind of a camera's fault."""

_MOVED = message("The camera or the tray was moved.")
MOVE_BACK = message("Move it back, or calibrate again.")
WAIT_AFTER_MOVE = message("Leave both as they are now. The game goes on in a moment.")
"""The remedy for a moved camera without a calibration: its new view is accepted."""

_SEARCHING = message("Looking for the corner cards …")


def describe_loss(reported: str) -> Message:
    """Return the remedy for a camera that delivers nothing, with what its driver reported."""
    return message(
        "Check its cable, or unplug the camera and plug it in again. Reported: {reported}.",
        reported=reported,
    )


def show_fault(state: TableState) -> FaultView | None:
    """Return the newest fault as screens know it; `None` if there is none."""
    if not state.faults:
        return None
    fault = state.faults[-1]
    return {"device": fault.device, "kind": fault.kind}


def notice_fault(fault: DeviceLost, *, is_recalibrating: bool) -> NoticeView:
    """Return the notice about a fault."""
    what, remedy = _explain(fault)
    return {"kind": "fault", "text": what, "mend": _SEARCHING if is_recalibrating else remedy}


def _explain(fault: DeviceLost) -> tuple[str, str]:
    if fault.device != CAMERA:
        return fault.what, fault.remedy
    if fault.kind == GONE:
        return message("The camera sends no pictures."), fault.remedy
    if fault.kind == MOVED:
        return _MOVED, fault.remedy
    return _CAMERA.get(fault.kind, (fault.what, fault.remedy))
