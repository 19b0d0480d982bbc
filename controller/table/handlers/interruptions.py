# SPDX-License-Identifier: MIT
"""Play stops and resumes: pauses, lost devices; or goes on: stuck buttons, lost peripherals."""

from __future__ import annotations

from dataclasses import replace

from controller.base.languages.message import Message, message
from controller.table import events as on
from controller.table import game_flow, turns
from controller.table.dice.positions import merge_dice
from controller.table.effects import PendingEntry
from controller.table.events import CAMERA, DISK, GROUND
from controller.table.handlers import Step, handles
from controller.table.state import Notice, Phase, TableReading, TableState, require_game

_CALIBRATING = Notice(
    "info",
    message("The table is being calibrated."),
    message("Go on when that is done and the dice are back."),
)

_GROUND_AS_BEFORE = Notice("info", message("The tray looks again as the table learnt it."))

_WORKS_AGAIN = {CAMERA: message("The camera works again."), DISK: message("The disk works again.")}


@handles(on.PauseRequested)
def on_pause_requested(state: TableState, event: on.PauseRequested) -> Step:
    """Pause play, unless the panel belongs to a player whose turn it is not."""
    if event.panel is not None and not turns.may_pause(state, event.panel):
        return turns.hint_whose_turn(state, event.panel), ()
    paused = _interrupt(state, Phase.PAUSED)
    if event.is_for_calibration:
        paused = replace(paused, notice=_CALIBRATING)
    return paused, (PendingEntry("pause"),)


def _interrupt(state: TableState, phase: Phase) -> TableState:
    """Stop play; the dice of a throw that was not taken count as known from now on."""
    lie = merge_dice(state.dice_on_felt, state.reading.dice)
    return replace(state, phase=phase, dice_on_felt=lie, reading=TableReading(), notice=None)


@handles(on.ResumeRequested)
def on_resume_requested(state: TableState, event: on.ResumeRequested) -> Step:
    return resume_play(state)


def resume_play(state: TableState) -> Step:
    return replace(state, phase=game_flow.phase_after_interruption(state), notice=None), (
        PendingEntry("resume"),
    )


@handles(on.DeviceLost)
def on_device_lost(state: TableState, event: on.DeviceLost) -> Step:
    others = tuple(fault for fault in state.troubles.faults if fault.device != event.device)
    stopped = _interrupt(state, Phase.FAULT)
    troubles = replace(state.troubles, faults=(*others, event), is_recalibrating=False)
    after = replace(stopped, resume=_phase_after_fault(state), troubles=troubles)
    return after, (PendingEntry("fault", {"device": event.device, "what": event.what}),)


def _phase_after_fault(state: TableState) -> Phase:
    if state.phase is Phase.FAULT:
        return state.resume
    # The players end a pause or a review; a repaired camera does not.
    is_kept = state.phase in (Phase.PAUSED, Phase.REVIEW)
    return state.phase if is_kept else game_flow.phase_after_interruption(state)


@handles(on.DeviceBack)
def on_device_back(state: TableState, event: on.DeviceBack) -> Step:
    """Forget the fault; play resumes when no device is lost any more."""
    faults = tuple(fault for fault in state.troubles.faults if fault.device != event.device)
    if faults == state.troubles.faults:
        return state, ()
    troubles = replace(state.troubles, faults=faults, is_recalibrating=False)
    after = replace(state, troubles=troubles)
    if not faults:
        again = _rethrow_hint(state) if state.resume is Phase.AWAITING_ROLL else ""
        notice = Notice("info", _WORKS_AGAIN[event.device], again)
        after = replace(after, phase=state.resume, notice=notice)
    return after, (PendingEntry("back", {"device": event.device}),)


@handles(on.RecalibrationRequested)
def on_recalibration_requested(state: TableState, event: on.RecalibrationRequested) -> Step:
    return start_recalibration(state)


def start_recalibration(state: TableState) -> Step:
    """Return the table that searches for its tray; the camera reports the result."""
    if not state.troubles.may_recalibrate:
        return state, ()
    return replace(state, troubles=replace(state.troubles, is_recalibrating=True)), ()


def _rethrow_hint(state: TableState) -> Message:
    staying = require_game(state).dice_to_leave(state.play.roller or "")
    if staying:
        return message("Throw the dice that do not stay once more.")
    return message("Throw all the dice again.")


@handles(on.ButtonStuck)
def on_button_stuck(state: TableState, event: on.ButtonStuck) -> Step:
    """Show the stuck button; play goes on without it."""
    stuck = state.troubles.stuck_buttons
    if event in stuck:
        return state, ()
    return replace(state, troubles=replace(state.troubles, stuck_buttons=(*stuck, event))), ()


@handles(on.ButtonReleased)
def on_button_released(state: TableState, event: on.ButtonReleased) -> Step:
    before = state.troubles.stuck_buttons
    stuck = tuple(one for one in before if (one.key, one.panel) != (event.key, event.panel))
    if stuck == before:
        return state, ()
    return replace(state, troubles=replace(state.troubles, stuck_buttons=stuck)), ()


@handles(on.PeripheralLost)
def on_peripheral_lost(state: TableState, event: on.PeripheralLost) -> Step:
    """Show what cannot be used; play goes on without it."""
    if event in state.troubles.lost_peripherals:
        return state, ()
    lost = (*_without(state, event), event)
    return replace(state, troubles=replace(state.troubles, lost_peripherals=lost)), ()


@handles(on.PeripheralBack)
def on_peripheral_back(state: TableState, event: on.PeripheralBack) -> Step:
    lost = _without(state, event)
    if lost == state.troubles.lost_peripherals:
        return state, ()
    notice = _GROUND_AS_BEFORE if event.device == GROUND else state.notice
    troubles = replace(state.troubles, lost_peripherals=lost)
    return replace(state, troubles=troubles, notice=notice), ()


def _without(
    state: TableState, event: on.PeripheralLost | on.PeripheralBack
) -> tuple[on.PeripheralLost, ...]:
    which = event.device, event.panel
    return tuple(one for one in state.troubles.lost_peripherals if (one.device, one.panel) != which)
