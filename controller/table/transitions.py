# SPDX-License-Identifier: MIT
"""
Every transition from one phase to another, as one literal table.

An event that is not in a phase's row changes nothing there. If a row names several phases,
a handler decides (`controller.table.handlers`), and the machine checks its result against
this table.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.table import events as on
from controller.table.events import Event
from controller.table.state import Phase

Row = Mapping[type[Event], tuple[Phase, ...]]

_LOBBY, _AWAITING, _JOKER = Phase.LOBBY, Phase.AWAITING_ROLL, Phase.AWAITING_JOKER
_IN_HAND, _ROLLING, _SETTLING = Phase.IN_HAND, Phase.ROLLING, Phase.SETTLING
_READING, _STRAIGHTEN, _CHOOSING = Phase.READING, Phase.STRAIGHTEN, Phase.CHOOSING
_OVER, _REVIEW, _PAUSED, _FAULT = Phase.GAME_OVER, Phase.REVIEW, Phase.PAUSED, Phase.FAULT

_PLAYED = (_CHOOSING, _AWAITING, _JOKER, _OVER)  # Phases after a roll or an action.
_BACK = (_CHOOSING, _JOKER)  # Phases after an undo while dice move.
_CORRECTED = (_CHOOSING, _AWAITING, _OVER)  # Phases after an official has corrected the last roll.
_READ = (*_PLAYED, _READING, _STRAIGHTEN, _IN_HAND)

_REQUESTED = (_AWAITING, _ROLLING, _SETTLING, _READING, _STRAIGHTEN)
"""Phases of a request for dice before its answer."""

_IN_A_GAME = frozenset(Phase) - {_LOBBY, _OVER, _REVIEW, _PAUSED, _FAULT}


def _chosen_elsewhere(phase: Phase) -> Row:
    """Return what players do on their own phones while another one throws for themselves."""
    return dict.fromkeys(
        (on.DieTapped, on.ChoiceTapped, on.JokerTapped, on.ActionRequested), (phase,)
    )


_ROWS: Mapping[Phase, Row] = {
    _LOBBY: {
        on.GameStarted: (_AWAITING, _LOBBY),
        on.StartRequested: (_AWAITING, _LOBBY),
        on.GamePicked: (_LOBBY,),
        on.OptionPicked: (_LOBBY,),
        on.SeatTaken: (_LOBBY,),
        on.DiceRequested: (_AWAITING, _LOBBY),
        on.PlayersSeated: (_LOBBY,),
        on.KeyPressed: (_LOBBY, _AWAITING, *_BACK),
        on.GameContinued: (_LOBBY, _AWAITING, *_BACK),
        on.DiceRead: (_LOBBY,),
        on.ReadingDoubtful: (_LOBBY,),
        on.ScreenIdled: (_LOBBY,),
        on.DeviceLost: (_FAULT,),
    },
    _AWAITING: {
        on.RoundSeen: (_AWAITING,),
        on.MotionStarted: (_ROLLING,),
        on.DiceRead: (_AWAITING,),
        on.ReadingDoubtful: (_AWAITING,),
        on.KeyPressed: (_AWAITING, _CHOOSING, _LOBBY),
        on.UndoRequested: (_AWAITING, _CHOOSING),
        on.ActionRequested: (_AWAITING,),
        on.RollCorrected: _CORRECTED,
        on.ReviewRequested: (_REVIEW, _AWAITING),
    },
    _JOKER: {
        on.MotionStarted: (_ROLLING,),
        on.DiceRead: (_JOKER, _READING, _CHOOSING),
        on.ReadingDoubtful: (_JOKER,),
        on.KeyPressed: _BACK,
        on.UndoRequested: _BACK,
        **_chosen_elsewhere(_JOKER),
        on.PlayerTapped: (_JOKER,),
        on.RollCorrected: (_JOKER, _CHOOSING),
        on.ReviewRequested: (_REVIEW, _JOKER),
    },
    _IN_HAND: {
        on.MotionStarted: (_ROLLING,),
        on.KeyPressed: (_IN_HAND, _CHOOSING),
        on.RollCorrected: (_IN_HAND, _CHOOSING),
        on.ReviewRequested: (_REVIEW, _IN_HAND),
    },
    _ROLLING: {
        on.MotionStopped: (_SETTLING,),
        on.KeyPressed: (_ROLLING, _CHOOSING, _LOBBY),
        on.UndoRequested: (_ROLLING, _CHOOSING),
        on.RollCorrected: (_ROLLING, *_PLAYED),
        **_chosen_elsewhere(_ROLLING),
    },
    _SETTLING: {
        on.MotionStarted: (_ROLLING,),
        on.DiceRead: _READ,
        on.ReadingDoubtful: (_STRAIGHTEN,),
        on.KeyPressed: (_SETTLING, _CHOOSING, _LOBBY),
        on.UndoRequested: (_SETTLING, _CHOOSING),
        on.RollCorrected: (_SETTLING, *_PLAYED),
        **_chosen_elsewhere(_SETTLING),
    },
    _READING: {
        on.MotionStarted: (_ROLLING,),
        on.KeyPressed: (_READING, _LOBBY, *_PLAYED),
        on.UndoRequested: (_READING, _CHOOSING),
        on.RollCorrected: (_READING, *_PLAYED),
        **_chosen_elsewhere(_READING),
    },
    _STRAIGHTEN: {
        on.MotionStarted: (_ROLLING,),
        on.DiceRead: _READ,
        on.ReadingDoubtful: (_STRAIGHTEN,),
        on.FacesEntered: (_STRAIGHTEN, *_PLAYED),
        on.KeyPressed: (_STRAIGHTEN, _LOBBY, *_PLAYED),
        on.UndoRequested: (_STRAIGHTEN, _CHOOSING),
        on.RollCorrected: (_STRAIGHTEN, *_PLAYED),
        **_chosen_elsewhere(_STRAIGHTEN),
    },
    _CHOOSING: {
        on.MotionStarted: (_CHOOSING, _ROLLING),
        on.DiceRead: (_CHOOSING, _IN_HAND, _STRAIGHTEN),
        on.ReadingDoubtful: (_CHOOSING,),
        on.KeyPressed: _PLAYED,
        on.DieTapped: (_CHOOSING,),
        on.ChoiceTapped: (_CHOOSING,),
        on.JokerTapped: (_CHOOSING,),
        on.PlayerTapped: (_CHOOSING,),
        on.ActionRequested: _PLAYED,
        on.UndoRequested: (_CHOOSING,),
        on.RollCorrected: _CORRECTED,
        on.ReviewRequested: (_REVIEW, _CHOOSING),
    },
    _OVER: {
        on.KeyPressed: (_LOBBY, *_PLAYED),
        # An early end is undone to where the game was.
        on.UndoRequested: _PLAYED,
        on.RollCorrected: _PLAYED,
        on.ReviewRequested: (_REVIEW, _OVER),
        on.DiceRead: (_OVER,),
        on.ReadingDoubtful: (_OVER,),
        on.GameClosed: (_LOBBY,),
        on.GameLeft: (_LOBBY,),
        on.RequestEnded: (_LOBBY, _OVER),
        on.DeviceLost: (_FAULT,),
    },
    _REVIEW: {
        on.KeyPressed: (_REVIEW, _IN_HAND, *_PLAYED),
        on.RollCorrected: (_REVIEW,),
        on.DiceRead: (_REVIEW,),
        on.ReadingDoubtful: (_REVIEW,),
        on.GameClosed: (_LOBBY,),
        on.GameLeft: (_LOBBY,),
        on.DeviceLost: (_FAULT,),
    },
    _PAUSED: {
        on.KeyPressed: (_PAUSED, _AWAITING, _LOBBY, *_BACK),
        on.ResumeRequested: (_AWAITING, *_BACK),
        on.GameCounted: (_OVER, _PAUSED),
        on.RollCorrected: (_PAUSED,),
        on.DiceRead: (_PAUSED,),
        on.ReadingDoubtful: (_PAUSED,),
        on.GameClosed: (_LOBBY,),
        on.GameLeft: (_LOBBY,),
        on.RequestEnded: (_LOBBY, _PAUSED),
        on.DeviceLost: (_FAULT,),
    },
    _FAULT: {
        on.DeviceLost: (_FAULT,),
        on.KeyPressed: (_FAULT,),
        on.RecalibrationRequested: (_FAULT,),
        on.DeviceBack: (_FAULT, _LOBBY, _AWAITING, _OVER, _REVIEW, _PAUSED, *_BACK),
        on.DiceRead: (_FAULT,),
        on.ReadingDoubtful: (_FAULT,),
    },
}
"""Events that mean something in some phases only."""


_STAYING = (
    on.ButtonStuck,
    on.ButtonReleased,
    on.PeripheralLost,
    on.PeripheralBack,
    on.PhonesBound,
    on.NamesChanged,
    on.DealingChanged,
    on.PartChanged,
)
"""Events that mean something at any time and change no phase."""


def _always(phase: Phase) -> Row:
    """Return the events that mean something at any time, or at any time in a game."""
    row: Row = dict.fromkeys(_STAYING, (phase,))
    if phase in _IN_A_GAME:
        # A pause from a panel of a player whose turn it is not is refused.
        row = {
            **row,
            on.PauseRequested: (_PAUSED, phase),
            on.GameClosed: (_LOBBY,),
            on.GameLeft: (_LOBBY,),
            # In these a roll counts, so that the game can end.
            on.GameCounted: (_OVER,) if phase in (_JOKER, _IN_HAND) else (_OVER, phase),
            on.PlayerJoined: (phase,),
            on.PlayersSeated: (phase,),
            on.DeviceLost: (_FAULT,),
        }
    if phase in _REQUESTED:
        row = {**row, on.RequestEnded: (_LOBBY, phase)}
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
