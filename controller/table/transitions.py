# SPDX-License-Identifier: MIT
"""
Every transition from one phase to another, as one literal table.

An event that is not in a phase's row changes nothing there. If a row names several phases,
a handler decides (`controller.table.handlers`), and the machine checks its result against
this table.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.table.devices import PeripheralBack, PeripheralLost
from controller.table.events import (
    ActionRequested,
    ButtonReleased,
    ButtonStuck,
    ChoiceTapped,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieTapped,
    Event,
    FacesEntered,
    GameClosed,
    GameContinued,
    GameLeft,
    GamePicked,
    GameStarted,
    JokerTapped,
    KeyPressed,
    MotionStarted,
    MotionStopped,
    NamesChanged,
    OptionPicked,
    PauseRequested,
    PhonesBound,
    PlayerTapped,
    ReadingDoubtful,
    RecalibrationRequested,
    ResumeRequested,
    ReviewRequested,
    RollCorrected,
    SeatTaken,
    StartRequested,
    UndoRequested,
)
from controller.table.request_events import DiceRequested, PlayersSeated, RequestEnded
from controller.table.screen_events import RoundSeen, ScreenIdled
from controller.table.state import Phase

Row = Mapping[type[Event], tuple[Phase, ...]]

_LOBBY, _AWAITING, _JOKER = Phase.LOBBY, Phase.AWAITING_ROLL, Phase.AWAITING_JOKER
_IN_HAND, _ROLLING, _SETTLING = Phase.IN_HAND, Phase.ROLLING, Phase.SETTLING
_READING, _STRAIGHTEN, _CHOOSING = Phase.READING, Phase.STRAIGHTEN, Phase.CHOOSING
_OVER, _REVIEW, _PAUSED, _FAULT = Phase.GAME_OVER, Phase.REVIEW, Phase.PAUSED, Phase.FAULT

_PLAYED = (_CHOOSING, _AWAITING, _JOKER, _OVER)
"""Phases after a roll or an action."""
_BACK = (_CHOOSING, _JOKER)
"""Phases after an undo while dice move."""
_CORRECTED = (_CHOOSING, _AWAITING, _OVER)
"""Phases after an official has corrected the last roll."""
_READ = (*_PLAYED, _READING, _STRAIGHTEN, _IN_HAND)

_REQUESTED = (_AWAITING, _ROLLING, _SETTLING, _READING, _STRAIGHTEN)
"""Phases of a request for dice before its answer."""

_IN_A_GAME = frozenset(Phase) - {_LOBBY, _OVER, _REVIEW, _PAUSED, _FAULT}


def _chosen_elsewhere(phase: Phase) -> Row:
    """Return what players do on their own phones while another one throws for themselves."""
    return dict.fromkeys((DieTapped, ChoiceTapped, JokerTapped, ActionRequested), (phase,))


_ROWS: Mapping[Phase, Row] = {
    _LOBBY: {
        GameStarted: (_AWAITING, _LOBBY),
        StartRequested: (_AWAITING, _LOBBY),
        GamePicked: (_LOBBY,),
        OptionPicked: (_LOBBY,),
        SeatTaken: (_LOBBY,),
        DiceRequested: (_AWAITING, _LOBBY),
        PlayersSeated: (_LOBBY,),
        KeyPressed: (_LOBBY, _AWAITING, *_BACK),
        GameContinued: (_LOBBY, _AWAITING, *_BACK),
        DiceRead: (_LOBBY,),
        ReadingDoubtful: (_LOBBY,),
        ScreenIdled: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _AWAITING: {
        RoundSeen: (_AWAITING,),
        MotionStarted: (_ROLLING,),
        DiceRead: (_AWAITING,),
        ReadingDoubtful: (_AWAITING,),
        KeyPressed: (_AWAITING, _CHOOSING, _LOBBY),
        UndoRequested: (_AWAITING, _CHOOSING),
        ActionRequested: (_AWAITING,),
        RollCorrected: _CORRECTED,
        ReviewRequested: (_REVIEW, _AWAITING),
    },
    _JOKER: {
        MotionStarted: (_ROLLING,),
        DiceRead: (_JOKER, _READING, _CHOOSING),
        ReadingDoubtful: (_JOKER,),
        KeyPressed: _BACK,
        UndoRequested: _BACK,
        **_chosen_elsewhere(_JOKER),
        PlayerTapped: (_JOKER,),
        RollCorrected: (_JOKER, _CHOOSING),
        ReviewRequested: (_REVIEW, _JOKER),
    },
    _IN_HAND: {
        MotionStarted: (_ROLLING,),
        KeyPressed: (_IN_HAND, _CHOOSING),
        RollCorrected: (_IN_HAND, _CHOOSING),
        ReviewRequested: (_REVIEW, _IN_HAND),
    },
    _ROLLING: {
        MotionStopped: (_SETTLING,),
        KeyPressed: (_ROLLING, _CHOOSING, _LOBBY),
        UndoRequested: (_ROLLING, _CHOOSING),
        RollCorrected: (_ROLLING, *_PLAYED),
        **_chosen_elsewhere(_ROLLING),
    },
    _SETTLING: {
        MotionStarted: (_ROLLING,),
        DiceRead: _READ,
        ReadingDoubtful: (_STRAIGHTEN,),
        KeyPressed: (_SETTLING, _CHOOSING, _LOBBY),
        UndoRequested: (_SETTLING, _CHOOSING),
        RollCorrected: (_SETTLING, *_PLAYED),
        **_chosen_elsewhere(_SETTLING),
    },
    _READING: {
        MotionStarted: (_ROLLING,),
        KeyPressed: (_READING, _LOBBY, *_PLAYED),
        UndoRequested: (_READING, _CHOOSING),
        RollCorrected: (_READING, *_PLAYED),
        **_chosen_elsewhere(_READING),
    },
    _STRAIGHTEN: {
        MotionStarted: (_ROLLING,),
        DiceRead: _READ,
        ReadingDoubtful: (_STRAIGHTEN,),
        FacesEntered: (_STRAIGHTEN, *_PLAYED),
        KeyPressed: (_STRAIGHTEN, _LOBBY, *_PLAYED),
        UndoRequested: (_STRAIGHTEN, _CHOOSING),
        RollCorrected: (_STRAIGHTEN, *_PLAYED),
        **_chosen_elsewhere(_STRAIGHTEN),
    },
    _CHOOSING: {
        MotionStarted: (_CHOOSING, _ROLLING),
        DiceRead: (_CHOOSING, _IN_HAND, _STRAIGHTEN),
        ReadingDoubtful: (_CHOOSING,),
        KeyPressed: _PLAYED,
        DieTapped: (_CHOOSING,),
        ChoiceTapped: (_CHOOSING,),
        JokerTapped: (_CHOOSING,),
        PlayerTapped: (_CHOOSING,),
        ActionRequested: _PLAYED,
        UndoRequested: (_CHOOSING,),
        RollCorrected: _CORRECTED,
        ReviewRequested: (_REVIEW, _CHOOSING),
    },
    _OVER: {
        KeyPressed: (_AWAITING, _LOBBY, _OVER, _CHOOSING),
        UndoRequested: (_OVER, _CHOOSING),
        RollCorrected: _CORRECTED,
        ReviewRequested: (_REVIEW, _OVER),
        DiceRead: (_OVER,),
        ReadingDoubtful: (_OVER,),
        GameClosed: (_LOBBY,),
        GameLeft: (_LOBBY,),
        RequestEnded: (_LOBBY, _OVER),
        DeviceLost: (_FAULT,),
    },
    _REVIEW: {
        KeyPressed: (_REVIEW, _IN_HAND, *_PLAYED),
        RollCorrected: (_REVIEW,),
        DiceRead: (_REVIEW,),
        ReadingDoubtful: (_REVIEW,),
        GameClosed: (_LOBBY,),
        GameLeft: (_LOBBY,),
        DeviceLost: (_FAULT,),
    },
    _PAUSED: {
        KeyPressed: (_PAUSED, _AWAITING, _LOBBY, *_BACK),
        ResumeRequested: (_AWAITING, *_BACK),
        RollCorrected: (_PAUSED,),
        DiceRead: (_PAUSED,),
        ReadingDoubtful: (_PAUSED,),
        GameClosed: (_LOBBY,),
        GameLeft: (_LOBBY,),
        RequestEnded: (_LOBBY, _PAUSED),
        DeviceLost: (_FAULT,),
    },
    _FAULT: {
        DeviceLost: (_FAULT,),
        KeyPressed: (_FAULT,),
        RecalibrationRequested: (_FAULT,),
        DeviceBack: (_FAULT, _LOBBY, _AWAITING, _OVER, _REVIEW, _PAUSED, *_BACK),
        DiceRead: (_FAULT,),
        ReadingDoubtful: (_FAULT,),
    },
}
"""Events that mean something in some phases only."""


_STAYING = (
    ButtonStuck,
    ButtonReleased,
    PeripheralLost,
    PeripheralBack,
    PhonesBound,
    NamesChanged,
)
"""Events that mean something at any time and change no phase."""


def _always(phase: Phase) -> Row:
    """Return the events that mean something at any time, or at any time in a game."""
    row: Row = dict.fromkeys(_STAYING, (phase,))
    if phase in _IN_A_GAME:
        # A pause from a panel of a player whose turn it is not is refused.
        row = {
            **row,
            PauseRequested: (_PAUSED, phase),
            GameClosed: (_LOBBY,),
            GameLeft: (_LOBBY,),
            DeviceLost: (_FAULT,),
        }
    if phase in _REQUESTED:
        row = {**row, RequestEnded: (_LOBBY, phase)}
    return row


TRANSITIONS: Mapping[Phase, Row] = {
    phase: {**_always(phase), **row} for phase, row in _ROWS.items()
}
"""For every phase, its events and the phases that they lead to."""


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
