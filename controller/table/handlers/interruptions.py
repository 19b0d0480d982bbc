# SPDX-License-Identifier: MIT
"""Play stops and goes on: pauses, and devices that are lost and come back."""

from __future__ import annotations

from dataclasses import replace

from controller.table import game_flow, journal_entries, turns
from controller.table.dice.positions import together
from controller.table.events import (
    ButtonFreed,
    ButtonStuck,
    DeviceBack,
    DeviceLost,
    Event,
    PauseAsked,
)
from controller.table.handlers import Step
from controller.table.state import Notice, Phase, TableState, require_game


def on_pause(state: TableState, event: Event) -> Step:
    """Play is paused, unless on the panel of a player whose turn it is not."""
    assert isinstance(event, PauseAsked)
    if event.panel is not None and not turns.may_pause(state, event.panel):
        return turns.hinted_whose_turn(state, event.panel), ()
    return _interrupted(state, Phase.PAUSED), (journal_entries.pause_entry(),)


def _interrupted(state: TableState, phase: Phase) -> TableState:
    """Stop whatever is under way; dice of a throw that was not taken lie there from now on."""
    lie = together(state.lie, state.seen)
    return replace(state, phase=phase, lie=lie, seen=(), doubts=(), held="", notice=None)


def on_resume(state: TableState, event: Event) -> Step:
    """Play goes on after a pause."""
    return resumed(state)


def resumed(state: TableState) -> Step:
    """Return the table as it stood before the pause."""
    return replace(state, phase=game_flow.calm_phase(state)), (journal_entries.resume_entry(),)


def on_device_lost(state: TableState, event: Event) -> Step:
    """A camera or disk is lost."""
    assert isinstance(event, DeviceLost)
    others = tuple(fault for fault in state.faults if fault.device != event.device)
    stopped = _interrupted(state, Phase.FAULT)
    after = replace(
        stopped, resume=_after_fault(state), faults=(*others, event), is_recalibrating=False
    )
    return after, (journal_entries.fault_entry(event),)


def _after_fault(state: TableState) -> Phase:
    if state.phase is Phase.FAULT:
        return state.resume
    # A pause is ended by those who paused, a review by those who asked for it, and neither by
    # whoever mended the camera.
    is_kept = state.phase in (Phase.PAUSED, Phase.REVIEW)
    return state.phase if is_kept else game_flow.calm_phase(state)


def on_device_back(state: TableState, event: Event) -> Step:
    """A lost device works again; once all of them do, play goes on by itself."""
    assert isinstance(event, DeviceBack)
    faults = tuple(fault for fault in state.faults if fault.device != event.device)
    if faults == state.faults:
        return state, ()
    after = replace(state, faults=faults, is_recalibrating=False)
    if not faults:
        again = _again(state) if state.resume is Phase.AWAITING_ROLL else ""
        notice = Notice("info", f"The {event.device} is back.", again)
        after = replace(after, phase=state.resume, notice=notice)
    return after, (journal_entries.back_entry(event),)


def on_recalibrate(state: TableState, event: Event) -> Step:
    """Somebody wants the tray looked for where it is now."""
    return recalibrating(state)


def recalibrating(state: TableState) -> Step:
    """Return the table while it is looked for; what comes of it is told by the camera."""
    return (replace(state, is_recalibrating=True) if state.may_recalibrate else state), ()


def _again(state: TableState) -> str:
    staying = require_game(state).staying(state.roller or "")
    return "Throw again what does not stay." if staying else "Throw all the dice again."


def on_button_stuck(state: TableState, event: Event) -> Step:
    """A button is stuck; it is told, and play goes on without it."""
    assert isinstance(event, ButtonStuck)
    return (state if event in state.stuck else replace(state, stuck=(*state.stuck, event))), ()


def on_button_freed(state: TableState, event: Event) -> Step:
    """A button that was stuck works again."""
    assert isinstance(event, ButtonFreed)
    stuck = tuple(one for one in state.stuck if (one.key, one.panel) != (event.key, event.panel))
    return (state if stuck == state.stuck else replace(state, stuck=stuck)), ()
