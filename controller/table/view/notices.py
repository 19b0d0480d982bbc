# SPDX-License-Identifier: MIT
"""
What screens say of faults and of the journal: what is wrong, and what to do.

The journal and the log keep a driver's own words. Players need to know what to do, and a
helper what the driver reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.table.events import (
    BUTTONS,
    BUZZER,
    CAMERA,
    GROUND,
    LAMPS,
    LIGHT,
    DeviceLost,
    Key,
    PeripheralLost,
)
from controller.table.state import MOVED, JournalNews, Phase, TableState
from controller.table.turns import player_at
from controller.table.view.types import FaultView, NoticeView

GONE = "gone"  # The kind of fault of a camera that delivers nothing.

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
    if not state.troubles.faults:
        return None
    fault = state.troubles.faults[-1]
    return {"device": fault.device, "kind": fault.kind}


def notice_fault(state: TableState) -> NoticeView:
    """Return the notice about the newest fault, with what is lost beside it: it may be dark."""
    what, remedy = _explain(state.troubles.faults[-1])
    mends = [_SEARCHING if state.troubles.is_recalibrating else remedy]
    if _list_lost(state):
        mends.append(_name_lost(state))
    return {"kind": "fault", "text": what, "mend": chain_messages(mends)}


def _explain(fault: DeviceLost) -> tuple[str, str]:
    if fault.device != CAMERA:
        return fault.what, fault.remedy
    if fault.kind == GONE:
        return message("The camera sends no pictures."), fault.remedy
    if fault.kind == MOVED:
        return _MOVED, fault.remedy
    return _CAMERA.get(fault.kind, (fault.what, fault.remedy))


def notice_peripherals(state: TableState) -> NoticeView | None:
    """Return the notice about lost peripherals or stuck buttons; None while play is paused."""
    if state.phase is Phase.PAUSED:
        return None
    return _notice_lost(state) or _notice_stuck(state) or _notice_ground(state)


def _notice_ground(state: TableState) -> NoticeView | None:
    """Return the notice that the table does without the ground that it learnt."""
    if all(one.device != GROUND for one in state.troubles.lost_peripherals):
        return None
    text = message("The tray looks unlike what the table learnt: another light, or a shadow.")
    mend = message("Rolls count. Bring the old light back, or calibrate again if it stays so.")
    return {"kind": "info", "text": text, "mend": mend}


def _list_lost(state: TableState) -> list[PeripheralLost]:
    return [one for one in state.troubles.lost_peripherals if one.device != GROUND]


def _notice_lost(state: TableState) -> NoticeView | None:
    lost = _list_lost(state)
    if not lost:
        return None
    whats, remedies = [one.what for one in lost], [one.remedy for one in lost]
    reported = "; ".join(dict.fromkeys((*whats, *remedies)))
    mend = message("It is tried again by itself. Reported: {reported}.", reported=reported)
    if any(one.device == BUTTONS for one in lost):
        mend = chain_messages([message("Use the screen or a keyboard."), mend])
    return {"kind": "fault", "text": _name_lost(state), "mend": mend}


def _name_lost(state: TableState) -> Message:
    names = [
        _name_with_panel(state, _PERIPHERALS[one.device], one.panel) for one in _list_lost(state)
    ]
    return message("Out of order: {devices}.", devices=join_words(names))


def _notice_stuck(state: TableState) -> NoticeView | None:
    stuck = state.troubles.stuck_buttons
    if not stuck:
        return None
    names = [_name_with_panel(state, _KEYS[one.key], one.panel) for one in stuck]
    text = plural_message(
        "This button is stuck: {buttons}.",
        "These buttons are stuck: {buttons}.",
        len(stuck),
        buttons=join_words(names),
    )
    mend = plural_message(
        "It does nothing until it is released. Check its cable.",
        "They do nothing until they are released. Check their cables.",
        len(stuck),
    )
    return {"kind": "fault", "text": text, "mend": mend}


def _name_with_panel(state: TableState, name: Message, panel: int | None) -> Message:
    if panel is None:
        return name
    if player := player_at(state, panel):
        return message("{button} ({player})", button=name, player=player)
    return message("{button} (panel {number})", button=name, number=panel)


_PERIPHERALS = {
    BUTTONS: message("buttons"),
    LAMPS: message("lamps"),
    LIGHT: message("light"),
    BUZZER: message("buzzer"),
}

_KEYS = {
    Key.LEFT: message("left"),
    Key.RIGHT: message("right"),
    Key.CONFIRM: message("confirm"),
    Key.BACK: message("back"),
}


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
