# SPDX-License-Identifier: MIT
"""
Every way from one phase to another, as one literal table.

An event that does not stand in a phase's row means nothing there and changes nothing.
Where a row names several phases, the event's own facts decide which; that code stands
in `controller.table.machine`, which holds itself to this table.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.table.events import (
    ActionAsked,
    ChoiceTapped,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieTapped,
    Event,
    FacesEntered,
    GameClosed,
    GameStarted,
    KeyPressed,
    MotionSeen,
    MotionStopped,
    PauseAsked,
    ReadingDoubtful,
    ResumeAsked,
    UndoAsked,
)
from controller.table.state import Phase

Row = Mapping[type[Event], tuple[Phase, ...]]

_LOBBY, _AWAITING = Phase.LOBBY, Phase.AWAITING_ROLL
_ROLLING, _SETTLING = Phase.ROLLING, Phase.SETTLING
_READING, _STRAIGHTEN, _CHOOSING = Phase.READING, Phase.STRAIGHTEN, Phase.CHOOSING
_OVER, _PAUSED, _FAULT = Phase.GAME_OVER, Phase.PAUSED, Phase.FAULT

_READ = (_READING, _CHOOSING, _STRAIGHTEN, _AWAITING)

TRANSITIONS: Mapping[Phase, Row] = {
    _LOBBY: {
        GameStarted: (_AWAITING, _LOBBY),
        KeyPressed: (_LOBBY, _AWAITING),
        DiceRead: (_LOBBY,),
        ReadingDoubtful: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _AWAITING: {
        MotionSeen: (_ROLLING,),
        DiceRead: (_AWAITING,),
        ReadingDoubtful: (_AWAITING,),
        KeyPressed: (_AWAITING, _CHOOSING),
        UndoAsked: (_CHOOSING, _AWAITING),
        ActionAsked: (_AWAITING,),
        PauseAsked: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _ROLLING: {
        MotionStopped: (_SETTLING,),
        KeyPressed: (_ROLLING, _CHOOSING),
        UndoAsked: (_CHOOSING, _ROLLING),
        PauseAsked: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _SETTLING: {
        MotionSeen: (_ROLLING,),
        DiceRead: _READ,
        ReadingDoubtful: (_STRAIGHTEN,),
        KeyPressed: (_SETTLING, _CHOOSING),
        UndoAsked: (_CHOOSING, _SETTLING),
        PauseAsked: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _READING: {
        MotionSeen: (_ROLLING,),
        KeyPressed: (_READING, _CHOOSING),
        UndoAsked: (_CHOOSING, _READING),
        PauseAsked: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _STRAIGHTEN: {
        MotionSeen: (_ROLLING,),
        DiceRead: _READ,
        ReadingDoubtful: (_STRAIGHTEN,),
        FacesEntered: (_CHOOSING, _STRAIGHTEN),
        KeyPressed: (_STRAIGHTEN, _CHOOSING),
        UndoAsked: (_CHOOSING, _STRAIGHTEN),
        PauseAsked: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _CHOOSING: {
        DiceRead: (_CHOOSING,),
        ReadingDoubtful: (_CHOOSING,),
        KeyPressed: (_CHOOSING, _AWAITING, _OVER),
        DieTapped: (_CHOOSING,),
        ChoiceTapped: (_CHOOSING,),
        ActionAsked: (_CHOOSING, _AWAITING, _OVER),
        UndoAsked: (_CHOOSING,),
        PauseAsked: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _OVER: {
        KeyPressed: (_LOBBY, _CHOOSING, _OVER),
        UndoAsked: (_CHOOSING,),
        DiceRead: (_OVER,),
        ReadingDoubtful: (_OVER,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _PAUSED: {
        KeyPressed: (_PAUSED, _AWAITING, _CHOOSING, _LOBBY),
        ResumeAsked: (_AWAITING, _CHOOSING),
        DiceRead: (_PAUSED,),
        ReadingDoubtful: (_PAUSED,),
        GameClosed: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _FAULT: {
        DeviceLost: (_FAULT,),
        DeviceBack: (_FAULT,),
        DiceRead: (_FAULT,),
        ReadingDoubtful: (_FAULT,),
        KeyPressed: (_FAULT, _LOBBY, _AWAITING, _CHOOSING, _OVER, _PAUSED),
    },
}
"""For every phase, the events that mean something there and the phases they lead to."""


def diagram() -> str:
    """Return the table as a Mermaid state diagram, for the docs."""
    lines = ["stateDiagram-v2", f"    [*] --> {_word(Phase.LOBBY)}"]
    for phase, row in TRANSITIONS.items():
        ways: dict[Phase, list[str]] = {}
        for event, targets in row.items():
            for target in targets:
                ways.setdefault(target, []).append(event.__name__)
        lines += [
            f"    {_word(phase)} --> {_word(target)}: {', '.join(events)}"
            for target, events in ways.items()
            if target is not phase
        ]
    return "\n".join(lines) + "\n"


def _word(phase: Phase) -> str:
    return phase.value.replace(" ", "_")
