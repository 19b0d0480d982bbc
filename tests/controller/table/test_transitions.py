# SPDX-License-Identifier: MIT
"""The table of phases: whole, true, drawn in the docs, and kept by every random table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    MotionSeen,
    MotionStopped,
    PauseAsked,
    ReadingDoubtful,
    ResumeAsked,
    UndoAsked,
)
from controller.table.machine import step
from controller.table.state import Confirm, Phase, TableState
from controller.table.transitions import TRANSITIONS, diagram
from tests.support.table import (
    BACK,
    COCKED,
    CONFIRM,
    LEFT,
    RIGHT,
    any_event,
    dice_of,
    doubtful_throw,
    finished_table,
    journalled,
    legal_actions,
    play,
    rolled_table,
    table,
    throw_of,
)

PAGE = Path(__file__).parents[3] / "docs" / "table.md"
BEGIN, END = "<!-- diagram: begin -->\n```mermaid\n", "```\n<!-- diagram: end -->"

LOST = DeviceLost("camera", "It is gone.", "Look for it.")
SAMPLES: tuple[Event, ...] = (
    GameStarted("choice", ("Ada", "Ben")),
    GameStarted("halma", ("Ada",)),
    MotionSeen(),
    MotionStopped(),
    DiceRead(dice_of("22345", spot=7)),
    ReadingDoubtful((COCKED,), dice_of("2234", spot=7)),
    FacesEntered("13446", "Eva"),
    FacesEntered("7", "Eva"),
    LEFT,
    RIGHT,
    CONFIRM,
    BACK,
    DieTapped(0),
    ChoiceTapped(1),
    ActionAsked("Ada", "4+10/4"),
    UndoAsked(),
    PauseAsked(),
    ResumeAsked(),
    GameClosed(),
    LOST,
    DeviceBack("camera"),
)
REACHED: dict[Phase, TableState] = {
    Phase.LOBBY: TableState(),
    Phase.AWAITING_ROLL: table(),
    Phase.ROLLING: play(table(), MotionSeen()),
    Phase.SETTLING: play(table(), MotionSeen(), MotionStopped()),
    Phase.READING: play(table(confirm=Confirm.BUTTON), *throw_of("13446")),
    Phase.STRAIGHTEN: play(table(), *doubtful_throw()),
    Phase.CHOOSING: rolled_table("13446"),
    Phase.GAME_OVER: finished_table("Ada"),
    Phase.PAUSED: play(rolled_table("13446"), PauseAsked()),
    Phase.FAULT: play(rolled_table("13446"), LOST),
}

Way = tuple[Phase, type[Event], Phase]


def ways_listed() -> set[Way]:
    return {
        (phase, event, target)
        for phase, row in TRANSITIONS.items()
        for event, targets in row.items()
        for target in targets
    }


def tables_to_try() -> Iterator[TableState]:
    """Every phase, with and without something to take back, and each of them interrupted."""
    undoable = [
        play(table("Ada", confirm=confirm), *throw_of("13446"), CONFIRM, CONFIRM, *events)
        for confirm in Confirm
        for events in (
            (),
            (MotionSeen(),),
            (MotionSeen(), MotionStopped()),
            throw_of("22345", spot=1),
            doubtful_throw(spot=1),
        )
    ]
    for state in (*REACHED.values(), *undoable, play(finished_table("Ada"), BACK)):
        yield state
        for events in ((), (PauseAsked(),)):
            yield play(state, *events)
            yield play(state, *events, LOST)
            yield play(state, *events, LOST, DeviceBack("camera"))


def ways_gone() -> set[Way]:
    ways = set()
    for state in tables_to_try():
        actions = [ActionAsked(by, action) for by, action in legal_actions(state)]
        dice = (DiceRead(()), DiceRead(dice_of("134", spot=7)))
        for event in (*SAMPLES, *dice, *actions):
            ways.add((state.phase, type(event), step(state, event)[0].phase))
    return ways


def test_every_event_has_a_sample() -> None:
    assert {type(event) for event in SAMPLES} == set(get_args(Event))


def test_every_phase_is_listed_and_reached_by_playing() -> None:
    assert set(TRANSITIONS) == set(Phase)
    assert {phase: state.phase for phase, state in REACHED.items()} == {
        phase: phase for phase in Phase
    }


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_leads_to_a_listed_phase_or_changes_nothing(phase: Phase, event: Event) -> None:
    state = REACHED[phase]
    after, effects = journalled(state, event)
    if type(event) in TRANSITIONS[phase]:
        assert after.phase in TRANSITIONS[phase][type(event)]
    else:
        assert after is state
        assert effects == ()


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_every_phase_can_be_left(phase: Phase) -> None:
    state = REACHED[phase]
    ways_out = [event for event in SAMPLES if step(state, event)[0].phase is not phase]
    if phase is Phase.FAULT:
        state = play(state, DeviceBack("camera"))
        ways_out = [CONFIRM]
    assert ways_out
    assert all(play(state, event).phase is not phase for event in ways_out)


def test_every_listed_way_is_one_that_a_table_really_goes() -> None:
    missing = ways_listed() - ways_gone()
    assert {f"{a.value}, {event.__name__}: {b.value}" for a, event, b in missing} == set()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(min_value=0), confirm=st.sampled_from(Confirm))
def test_no_order_of_events_raises_or_leaves_the_table_of_phases(
    seed: int, confirm: Confirm
) -> None:
    chance = random.Random(seed)
    state = TableState(confirm=confirm)
    for _ in range(150):
        event = any_event(state, chance)
        after, effects = step(state, event)
        assert after.phase in (*TRANSITIONS[state.phase].get(type(event), ()), state.phase)
        assert effects == () or after is not state
        assert (after.game is None) == (after.phase is Phase.LOBBY or not after.game_key)
        assert not after.faults or after.phase is Phase.FAULT
        state = after


def test_the_page_about_the_table_shows_the_diagram_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    drawn = page.partition(BEGIN)[2].partition(END)[0]
    assert drawn == diagram(), (
        f"The phases have changed. Put this between the marks in {PAGE.name}:\n\n{diagram()}"
    )


def test_the_page_about_the_table_names_every_phase() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [phase.value for phase in Phase if f"**{phase.value}**" not in page] == []
