# SPDX-License-Identifier: MIT
"""Under a dome a roll is a shake, and nobody is asked to touch a die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.table import events as on
from controller.table.events import Event, TrayDie, TrayDoubt
from controller.table.state import Phase, Setup, TableState
from tests.support.table import CONFIRM, dice_of, play, view
from vision.checks.messages import NO_DOME


def table() -> TableState:
    return play(
        TableState(setup=Setup(under_dome=True)), on.GameStarted("choice", ("Ada", "Ben"), {})
    )


def rest_of(faces: str, origin: str, *, spot: int = 0) -> Sequence[Event]:
    """Return what the camera tells of a rest in which all dice have this origin."""
    dice = tuple(_from(die, origin) for die in dice_of(faces, spot=spot))
    return on.MotionStarted(), on.MotionStopped(), on.DiceRead(dice)


def _from(die: TrayDie, origin: str) -> TrayDie:
    return replace(die, origin=origin, was=die.face if origin == "kept" else 0)


def awaiting_second_roll() -> TableState:
    return play(table(), *rest_of("13446", "thrown"), CONFIRM, CONFIRM)


def said(state: TableState) -> str:
    shown = view(state)
    return f"{shown['headline']} {shown['hint']} {shown['notice']}"


def test_a_shake_counts_although_a_die_is_where_one_was() -> None:
    """The dome stands elsewhere, so an old position on the felt says nothing."""
    state = play(awaiting_second_roll(), *rest_of("13556", "thrown"))
    assert state.play.rolls == 2


def test_a_pushed_dome_is_no_roll() -> None:
    state = play(awaiting_second_roll(), *rest_of("13446", "kept", spot=3))
    assert (state.phase, state.play.rolls) == (Phase.AWAITING_ROLL, 1)


def test_a_knocked_dome_is_shaken_again() -> None:
    dice = [_from(die, "kept") for die in dice_of("13446", spot=3)]
    dice[4] = replace(dice[4], face=5, origin="turned", was=6)
    state = awaiting_second_roll()
    state = play(state, on.MotionStarted(), on.MotionStopped(), on.DiceRead(tuple(dice)))
    assert state.play.rolls == 1
    assert "Throw" not in said(state)


def test_a_missing_die_is_shaken_out() -> None:
    state = play(awaiting_second_roll(), *rest_of("1344", "thrown", spot=2))
    assert state.phase is Phase.STRAIGHTEN
    assert "Shake the dome again." in said(state)
    texts = [doubt.text for doubt in state.reading.doubts]
    assert texts == ["One die is missing: 4 of 5 are read. Shake the dome again."]


def test_a_lost_dome_is_asked_for() -> None:
    doubt = TrayDoubt(NO_DOME.kind.value, NO_DOME.text, None, 0.0)
    state = play(table(), on.MotionStarted(), on.MotionStopped(), on.ReadingDoubtful((doubt,), ()))
    assert said(state).startswith("Move the dome into the picture")


def test_the_prompts_speak_of_the_dome() -> None:
    state = table()
    assert "Shake the dome" in said(state)
    assert "Leave the dome where it stands" in said(play(state, on.MotionStarted()))
