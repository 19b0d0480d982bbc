# SPDX-License-Identifier: MIT
"""
What screens say of faults and of the journal: what is wrong, and what to do.

The journal and the log keep a driver's own words. Players need to know what to do, and a
helper what the driver reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.languages.message import Message, message
from controller.table.devices import CAMERA
from controller.table.events import DeviceLost
from controller.table.state import MOVED, JournalNews, TableState
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


def show_journal_news(news: JournalNews | None) -> NoticeView | None:
    """
    Return the notice about a journal that was restored, was rolled back, or is not remembered.

    It stays on the screen until a game that began with it is left, so that the players of that
    game have seen it. The entry stays in the journal. `None` if there is no news.
    """
    if news is None:
        return None
    if news.kind == "rollback":
        mend = message("Signed games are missing or changed. The journal keeps a note of it.")
        return {"kind": "fault", "text": _describe_rollback(news), "mend": mend}
    if news.kind == "restored":
        day = str(news.body.get("made_at", ""))[:10]
        text = message("The games come from a backup.")
        if day:
            text = message("The games come from a backup of {day}.", day=day)
        mend = message("Games that were played after it are not in the journal.")
        return {"kind": "info", "text": text, "mend": mend}
    text = message("The table does not remember what it signed before.")
    mend = message("Compare the journal with a checkpoint that somebody has noted.")
    return {"kind": "info", "text": text, "mend": mend}


def _describe_rollback(news: JournalNews) -> str:
    if news.body.get("how") == "older":
        size = news.body.get("size")
        return message("The journal has fewer than the {size} entries signed here.", size=size)
    return message("The journal is not the one that was signed here.")
