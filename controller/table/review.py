# SPDX-License-Identifier: MIT
"""
Review the last roll, or correct it by hand.

A review stops play and changes nothing. A correction applies the roll again with other
faces, from the position before it. Actions since then followed a wrong roll, so they are
undone; who joined since then stays. A restart takes the same steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.base.errors import InputError
from controller.games.contract import JOIN, ActionEvent, GameEvent, RollEvent
from controller.table import game_flow
from controller.table.dice.positions import list_unmoved, merge_dice
from controller.table.events import TrayDie
from controller.table.state import LastRoll, Phase, Play, Review, TableReading, TableState
from controller.table.transitions import TRANSITIONS


def require_last_roll(state: TableState) -> LastRoll:
    """Return the last taken roll; InputError before the first."""
    if state.play.last_roll is None:
        raise InputError(expected="a roll before it", found="none")
    return state.play.last_roll


def allows_event(state: TableState, event: type[object]) -> bool:
    """Return whether this type of event may review or correct the last roll now."""
    return state.play.last_roll is not None and event in TRANSITIONS[state.phase]


def start_review(state: TableState, by: str) -> TableState:
    """Return the table that shows its last roll again; InputError without one, or in a review."""
    require_last_roll(state)
    if state.play.review is not None:
        raise InputError(expected="the open review to end first", found="another one")
    play = replace(state.play, review=Review(by, state.phase))
    return replace(state, phase=Phase.REVIEW, play=play, notice=None)


def end_review(state: TableState) -> TableState:
    """Return the table where play goes on as it was; InputError without a review."""
    review, last = require_review(state), replace(require_last_roll(state), is_reviewed=True)
    phase = review.resume
    if phase is Phase.IN_HAND and len(state.dice_on_felt) >= len(state.play.polarities):
        # The dice that were in the hand are in the tray by now.
        phase = game_flow.phase_after_interruption(state)
    play = replace(state.play, review=None, last_roll=last)
    return replace(state, phase=phase, play=play, notice=None)


def require_review(state: TableState) -> Review:
    """Return the open review; InputError without one."""
    if state.play.review is None:
        raise InputError(expected="a review before it", found="none")
    return state.play.review


def correct_roll(state: TableState, *, by: str, roll: str, reason: str) -> TableState:
    """Return the table with other faces for its last roll; InputError, IllegalActionError."""
    last = require_last_roll(state)
    state.play.rules.parse_roll(roll)
    dice = _assign_faces(last.dice, [int(sign) for sign in roll if sign.isdigit()])
    was = last.was or last.roll
    anew = replace(last, roll=roll, dice=dice, was=was, reason=reason, is_reviewed=False)
    seen = _correct_faces(state.reading.dice, last.dice, dice)
    lie = merge_dice(_correct_faces(state.dice_on_felt, last.dice, dice), seen)
    seen_table = replace(state, dice_on_felt=lie, reading=TableReading(seen))
    steps = _list_steps_before_roll(state.play)
    if last.before.faces:
        # What was taken back since is not in the position before a private roll either.
        anew = replace(anew, before=game_flow.replay_steps(state.play, steps))
    after = game_flow.with_roll(seen_table, anew, steps)
    for step in state.play.steps[len(steps) :]:
        if isinstance(step, ActionEvent) and step.action == JOIN:
            after = game_flow.apply_action(after, by=step.by, action=JOIN)
    return _resume_wait(state, replace(after, play=replace(after.play, by_hand=by)))


def _list_steps_before_roll(play: Play) -> tuple[GameEvent, ...]:
    """Return the steps before the last roll; none before a shared one."""
    rolls = [index for index, step in enumerate(play.steps) if isinstance(step, RollEvent)]
    return play.steps[: rolls[-1]] if rolls else ()


def _resume_wait(before: TableState, after: TableState) -> TableState:
    if before.play.review is not None:
        review = replace(before.play.review, resume=after.phase, is_corrected=True)
        return replace(after, phase=before.phase, play=replace(after.play, review=review))
    return replace(after, phase=Phase.PAUSED) if before.phase is Phase.PAUSED else after


def _assign_faces(dice: Sequence[TrayDie], faces: Sequence[int]) -> tuple[TrayDie, ...]:
    """
    Return the dice with these faces, so that as few dice as possible change.

    A die whose face is unchanged at its index in the roll keeps it. So an official who enters
    the faces in the order of the screen shows which die was wrong. InputError for another
    number.
    """
    if len(faces) != len(dice):
        raise InputError(expected=f"{len(dice)} faces, one for each die", found=str(len(faces)))
    left, free = list(faces), dict(enumerate(dice))
    has_colours = len({die.polarity for die in dice}) == len(dice)
    found = dict[int, TrayDie]()
    for index, face in enumerate(faces):
        if dice[index].face == face:
            found[index] = free.pop(index)
            left.remove(face)
    for index, die in list(free.items()):
        if die.face in left and not has_colours:
            found[index] = free.pop(index)
            left.remove(die.face)
    for index, die in free.items():
        found[index] = replace(die, face=left.pop(0))
    return tuple(found[index] for index in range(len(dice)))


def _correct_faces(
    lying: Sequence[TrayDie], before: Sequence[TrayDie], after: Sequence[TrayDie]
) -> tuple[TrayDie, ...]:
    """Return dice in the tray; those of the corrected roll show its new faces."""
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old.face != new.face]
    shown = []
    for die in lying:
        face = next((new.face for old, new in pairs if list_unmoved((old,), (die,))), die.face)
        shown.append(replace(die, face=face))
    return tuple(shown)
