# SPDX-License-Identifier: MIT
"""The table of phases: whole, true, drawn in the docs, and kept by every random table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.settings.choices import Confirm
from controller.games.contract import COUNT, JOIN
from controller.table import events as on
from controller.table.events import PLACED, Event, Key, TrayDie
from controller.table.machine import step
from controller.table.state import Lobby, Phase, Setup, TableState, require_game
from controller.table.transitions import TRANSITIONS, diagram
from tests.support.table import (
    BACK,
    COCKED,
    CONFIRM,
    LEFT,
    RIGHT,
    any_event,
    dice_of,
    die,
    doubtful_throw,
    finished_table,
    journalled,
    legal_actions,
    lobby_of,
    play,
    rest_of,
    right_dice,
    rolled_table,
    table,
    throw_of,
)

PAGE = Path(__file__).parents[3] / "docs" / "table.md"
DIAGRAM = PAGE.with_name("phases.mmd")

ASKED = on.DiceRequested(3, "Ada", "The dragon wakes.", "a program")
LOST = on.DeviceLost("camera", "It is gone.", "Look for it.")
SAMPLES: tuple[Event, ...] = (
    on.GameStarted("choice", ("Ada", "Ben")),
    on.GameStarted("halma", ("Ada",)),
    on.GamePicked("wuerfelspiel"),
    on.OptionPicked("jokers", True),
    on.SeatTaken(0, "Zoe"),
    on.StartRequested(),
    on.MotionStarted(),
    on.MotionStopped(),
    on.DiceRead(dice_of("22345", spot=7)),
    on.ReadingDoubtful((COCKED,), dice_of("2234", spot=7)),
    on.FacesEntered("13446", "Eva"),
    on.FacesEntered("7", "Eva"),
    on.RollCorrected("23456", "Eva", "The six was seen as a one."),
    on.RollCorrected("w3 b4", "Eva", "The six was seen as a one."),
    on.RollCorrected("7", "Eva", "No such die."),
    on.ReviewRequested(),
    on.ReviewRequested(6),
    LEFT,
    RIGHT,
    CONFIRM,
    BACK,
    on.KeyPressed(Key.CONFIRM, 2),
    on.KeyPressed(Key.BACK, 6),
    on.ButtonStuck(Key.LEFT, 2),
    on.ButtonReleased(Key.LEFT, 2),
    on.PeripheralLost("buttons", "pin 5 is in use", "choose another", 2),
    on.PeripheralBack("buttons", 2),
    on.DieTapped(0),
    on.ChoiceTapped(1),
    on.JokerTapped("3:1"),
    on.PlayerTapped("Ben"),
    on.PhonesBound(("Ada",)),
    on.NamesChanged(frozenset({"ben"})),
    on.KeyPressed(Key.CONFIRM, by="Ben"),
    on.KeyPressed(Key.BACK, by="Ada"),
    on.DieTapped(0, by="Ben"),
    on.UndoRequested(by="Ada"),
    on.ActionRequested("Ada", "4+10/4"),
    on.UndoRequested(),
    on.PauseRequested(),
    on.PauseRequested(6),
    on.ResumeRequested(),
    on.GameClosed(),
    on.GameLeft(),
    on.GameCounted(),
    on.PlayerJoined("Zoe"),
    on.GameContinued(),
    LOST,
    on.DeviceBack("camera"),
    on.RecalibrationRequested(),
    ASKED,
    replace(ASKED, dice=0),
    on.RequestEnded("expired"),
    on.RequestEnded("answered"),
    on.PlayersSeated("Autumn cup", 2, 3, "wuerfelspiel", (), ("Eva", "Uma")),
    on.DealingChanged(True),
    on.PartChanged("deals", "Autumn cup", 1, 3, 1),
    on.RoundSeen(1),
    on.ScreenIdled(),
    on.ScreenTouched(),
)
REACHED: dict[Phase, TableState] = {
    Phase.LOBBY: lobby_of("Ada", "Ben"),
    Phase.AWAITING_ROLL: table(),
    Phase.AWAITING_JOKER: play(
        table(options={"jokers": True}),
        *throw_of("13446"),
        on.ActionRequested("Ada", "corrector 3>2"),
    ),
    Phase.IN_HAND: play(table(game="wuerfelspiel"), *throw_of("13446"), *rest_of()),
    Phase.ROLLING: play(table(), on.MotionStarted()),
    Phase.SETTLING: play(table(), on.MotionStarted(), on.MotionStopped()),
    Phase.READING: play(table(confirm=Confirm.BUTTON), *throw_of("13446")),
    Phase.STRAIGHTEN: play(table(), *doubtful_throw()),
    Phase.CHOOSING: rolled_table("13446"),
    Phase.GAME_OVER: finished_table("Ada"),
    Phase.REVIEW: play(rolled_table("13446"), on.ReviewRequested()),
    Phase.PAUSED: play(rolled_table("13446"), on.PauseRequested()),
    Phase.FAULT: play(rolled_table("13446"), LOST),
}

every_phase = pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)

Way = tuple[Phase, type[Event], Phase]


def ways_listed() -> set[Way]:
    return {
        (phase, event, target)
        for phase, row in TRANSITIONS.items()
        for event, targets in row.items()
        for target in targets
    }


def tables_to_try() -> Iterator[TableState]:
    """Every phase, what is rare in a random game, and each of them interrupted."""
    rare = (state for confirm in Confirm for state in rare_tables(confirm))
    for state in (*REACHED.values(), play(finished_table("Ada"), BACK), *rare, *requested_tables()):
        yield state
        paused = play(state, on.PauseRequested())
        yield paused
        for running in (state, paused):
            yield play(running, LOST)
            yield play(running, LOST, on.DeviceBack("camera"))
        yield play(state, on.ReviewRequested())
        yield play(state, on.GameCounted())
    yield play(REACHED[Phase.REVIEW], LOST)
    yield play(REACHED[Phase.FAULT], on.DeviceLost("disk", "It is full.", "Make room."))
    for phase in (Phase.AWAITING_ROLL, Phase.AWAITING_JOKER, Phase.CHOOSING):
        yield play(REACHED[phase], on.GameLeft())


def requested_tables() -> Iterator[TableState]:
    """A program asks for dice: they are thrown, read, doubted, confirmed, and shown."""
    for confirm in Confirm:
        asked = play(TableState(setup=Setup(confirm=confirm)), ASKED)
        yield from under_way(asked, dice_of("223", spot=3))
        yield play(asked, *throw_of("223", spot=3), *pressed(confirm))


def rare_tables(confirm: Confirm) -> Iterator[TableState]:
    """Jokers of several players at once, and throws that end a round or a game."""
    players = ("Ada", "Ben", "Cleo")
    jokers = table(*players, options={"jokers": True}, confirm=confirm)
    rolled = play(jokers, *throw_of("13446"), *pressed(confirm))
    yield play(rolled, on.JokerTapped("terminator"))
    for player in ("Ben", "Ada"):
        asked = [on.ActionRequested("Ben", "4+10/4"), on.ActionRequested("Ben", "terminator")]
        waiting = play(rolled, on.ActionRequested("Ada", "terminator"), asked[player == "Ada"])
        yield from under_way(waiting, dice_of("22345", spot=1))
        first, *others = dice_of("22345", spot=1)
        yield play(waiting, *rest_of(replace(first, origin=PLACED), *others))
        one_threw = play(waiting, *throw_of("22345", spot=1), *pressed(confirm))
        yield from under_way(one_threw, dice_of("23456", spot=2))
    yield play(
        jokers, *throw_of("13446"), *pressed(confirm), on.ActionRequested("Ada", "corrector 3>2")
    )
    yield TableState(lobby=Lobby("black-n-white", (), ("Ada",)))
    yield play(before_the_last_throw(confirm, throws=2), *rest_of(*black_n_white(1, 2, spot=30)))
    yield from under_way(before_the_last_throw(confirm), black_n_white(2, 2, spot=20))
    yield disputed(before_the_last_throw(confirm, throws=2), confirm)
    for throws in (1, 2):
        second = before_the_second(confirm, throws=throws)
        yield from under_way(second, black_n_white(2, 2, spot=20))
        yield disputed(second, confirm)
    for roll in ((1, 1), (3, 3), (5, 4)):
        decided = play(before_the_decider(confirm), *rest_of(*black_n_white(*roll, spot=30)))
        yield from under_way(play(decided, *pressed(confirm)), black_n_white(2, 2, spot=20))
    wuerfelspiel = play(table(game="wuerfelspiel", confirm=confirm), *throw_of("13446"))
    yield from under_way(play(wuerfelspiel, *pressed(confirm)), dice_of("22345", spot=1))


def under_way(state: TableState, dice: tuple[TrayDie, ...]) -> Iterator[TableState]:
    """The table while dice are thrown, come to rest, and are read or doubted."""
    for events in (
        (),
        (on.MotionStarted(),),
        (on.MotionStarted(), on.MotionStopped()),
        rest_of(*dice),
        (on.MotionStarted(), on.MotionStopped(), on.ReadingDoubtful((COCKED,), dice)),
    ):
        yield play(state, *events)


def black_n_white(white: int, black: int, *, spot: int) -> tuple[TrayDie, ...]:
    return die(white, 0.0, 100.0 * spot), die(black, 200.0, 100.0 * spot, is_black=True)


def pressed(confirm: Confirm) -> tuple[Event, ...]:
    return (CONFIRM,) if confirm is Confirm.BUTTON else ()


def before_the_last_throw(confirm: Confirm, *, throws: int = 1) -> TableState:
    """A game where Ada stopped on 1 1 and Ben, the other one with a chip, is to throw."""
    state = table(game="black-n-white", options={"chips_per_player": 1}, confirm=confirm)
    # Ben takes the first chip, Ada the second; Ada wins the throw for the start.
    rolls = ((6, 6), (1, 2), (6, 6), (1, 2), (6, 6), (1, 1), *((1, 1),) * throws)
    for spot, roll in enumerate(rolls):
        state = play(state, *rest_of(*black_n_white(*roll, spot=spot)), *pressed(confirm))
        if state.chooser and spot != len(rolls) - throws:
            state = play(state, on.ActionRequested(*last_or(state, "stop")))
        elif state.chooser and throws == 1:
            state = play(state, on.ActionRequested(state.chooser, "stop"))
    return state


def last_or(state: TableState, action: str) -> tuple[str, str]:
    """Who is on, and `action` if the rules offer it, else whatever they offer first."""
    (player, actions), *_ = require_game(state).expects().do.items()
    return player, action if action in actions else actions[0]


def before_the_decider(confirm: Confirm) -> TableState:
    """
    A game where Ben, who has three chips, stopped on 2 2, and Ada with her last one is to throw.

    A better double ends the game, a lower one the round, and anything else asks for the tens.
    """
    state = table(game="black-n-white", confirm=confirm)
    rolls = ((6, 6), (1, 2), *((1, 2), (6, 6)) * 2, (6, 6), (1, 2), (2, 2))
    for spot, roll in enumerate(rolls):
        state = play(state, *rest_of(*black_n_white(*roll, spot=spot)), *pressed(confirm))
        while state.chooser is not None:
            state = play(state, on.ActionRequested(*last_or(state, "stop")))
    assert {name: require_game(state).totals()[name] for name in ("Ada", "Ben")} == {
        "Ada": 1,
        "Ben": 3,
    }
    return state


def before_the_second(confirm: Confirm, *, throws: int) -> TableState:
    """A round of three in which the first one stopped on 6 6 after so many throws."""
    state = table("Ada", "Ben", "Cleo", game="black-n-white", confirm=confirm)
    for spot in range(throws):
        state = play(state, *rest_of(*black_n_white(6, 6, spot=spot)), *pressed(confirm))
    return play(state, on.ActionRequested("Ada", "stop"))


def disputed(state: TableState, confirm: Confirm) -> TableState:
    """Ben's throw, and another one in which the white die that stayed shows another face."""
    white, black = black_n_white(1, 2, spot=30)
    state = play(state, *rest_of(white, black), *pressed(confirm), *rest_of(white))
    return play(state, *rest_of(replace(white, face=3), *black_n_white(3, 3, spot=31)[1:]))


def rests_to_try(state: TableState) -> Iterator[Event]:
    """Dice that lie there at last: none, some, those that are wanted, one that stayed."""
    pair = black_n_white(2, 2, spot=40)
    for dice in (
        (),
        dice_of("134", spot=7),
        pair,
        state.dice_on_felt[:1],
        (*state.dice_on_felt[:1], *pair[1:]),
    ):
        yield on.DiceRead(dice)
    yield from right_dice(state)
    yield on.FacesEntered("w2 b2", "Eva")
    for roll in ("w2 b2", "w3 b3", "w5 b4"):
        yield on.RollCorrected(roll, "Eva", "It was misread.")


def ways_gone() -> set[Way]:
    ways = set()
    # Many of them are the same table, reached by other events.
    for state in dict.fromkeys(tables_to_try()):
        actions = [on.ActionRequested(by, action) for by, action in legal_actions(state)]
        for event in (*SAMPLES, *rests_to_try(state), *actions):
            ways.add((state.phase, type(event), play(state, event).phase))
    return ways


def test_every_event_has_a_sample() -> None:
    kinds = {
        each for each in vars(on).values() if isinstance(each, type) and issubclass(each, Event)
    }
    assert {type(event) for event in SAMPLES} == kinds - {Event}


def test_every_phase_is_listed_and_reached_by_playing() -> None:
    assert set(TRANSITIONS) == set(Phase)
    assert {phase: state.phase for phase, state in REACHED.items()} == {
        phase: phase for phase in Phase
    }


@every_phase
def test_an_event_leads_to_a_listed_phase_or_changes_nothing(phase: Phase) -> None:
    state = REACHED[phase]
    for event in SAMPLES:
        after, effects = journalled(state, event)
        if type(event) in TRANSITIONS[phase]:
            assert after.phase in TRANSITIONS[phase][type(event)], event
        else:
            assert after is state, event
            assert effects == (), event


@every_phase
@pytest.mark.parametrize("action", [COUNT, JOIN])
def test_no_action_ends_a_game_or_joins_one(phase: Phase, action: str) -> None:
    state = REACHED[phase]
    for by, from_phone in product(("Ada", "Ben", "Zoe"), (True, False)):
        after, effects = step(state, on.ActionRequested(by, action, from_phone=from_phone))
        assert (after.phase, after.play, effects) == (phase, state.play, ())


@every_phase
def test_every_phase_can_be_left(phase: Phase) -> None:
    state = REACHED[phase]
    ways_out = [event for event in SAMPLES if step(state, event)[0].phase is not phase]
    assert ways_out
    assert all(play(state, event).phase is not phase for event in ways_out)


def test_every_listed_way_is_one_that_a_table_really_goes() -> None:
    missing = ways_listed() - ways_gone()
    assert {f"{a.value}, {event.__name__}: {b.value}" for a, event, b in missing} == set()


@settings(max_examples=40)
@given(seed=st.integers(min_value=0), confirm=st.sampled_from(Confirm))
def test_no_order_of_events_raises_or_leaves_the_table_of_phases(
    seed: int, confirm: Confirm
) -> None:
    chance = random.Random(seed)
    state = TableState(setup=Setup(confirm=confirm))
    for _ in range(150):
        event = any_event(state, chance)
        after, effects = step(state, event)
        assert after.phase in (*TRANSITIONS[state.phase].get(type(event), ()), state.phase)
        assert effects == () or after is not state
        assert (after.play.position is None) == (
            after.phase is Phase.LOBBY or not after.play.game_key
        )
        assert not after.troubles.faults or after.phase is Phase.FAULT
        state = after


def test_the_documents_have_the_diagram_of_the_code() -> None:
    assert DIAGRAM.read_text(encoding="utf-8") == diagram(), (
        f"The phases have changed. Write this into {DIAGRAM.name}:\n\n{diagram()}"
    )


def test_the_page_about_the_table_names_every_phase() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [phase.value for phase in Phase if f"**{phase.value}**" not in page] == []
