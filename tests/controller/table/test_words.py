# SPDX-License-Identifier: MIT
"""What the table says: headlines, the words on the buttons, and how a game ended."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.contract import Outcome
from controller.table.events import DeviceBack, DeviceLost, DieTapped, Key, KeyPressed, PauseAsked
from controller.table.machine import step
from controller.table.state import Confirm, TableState
from controller.table.view.words import buttons_of, headline_of, hint_of, outcome_text, signed
from tests.support.table import (
    CONFIRM,
    any_event,
    doubtful_throw,
    finished_table,
    play,
    rolled_table,
    table,
    throw_of,
)

LOST = DeviceLost("camera", "It is gone.", "Look for it.")


@pytest.mark.parametrize(
    ("state", "headline"),
    [
        (TableState(), "Who plays?"),
        (table("Cleo"), "Cleo: throw the dice"),
        (play(table(), *throw_of("13446")[:1]), "The dice are rolling"),
        (play(table(), *throw_of("13446")[:2]), "Reading the dice"),
        (play(table(confirm=Confirm.BUTTON), *throw_of("13446")), "Ada: is this your roll?"),
        (play(table(), *doubtful_throw()), "Ada: straighten the dice"),
        (play(rolled_table("13446"), CONFIRM), "Ben chooses"),
        (finished_table("Ada"), "The game is over"),
        (play(table(), PauseAsked()), "Play is paused"),
        (play(table(), LOST), "Play waits"),
        (play(table(), LOST, DeviceBack("camera")), "Ready to go on"),
    ],
)
def test_the_headline_says_whose_turn_it_is_and_what_to_do(
    state: TableState, headline: str
) -> None:
    assert headline_of(state) == headline


def test_the_hint_tells_a_newcomer_how() -> None:
    state = rolled_table("13446")
    assert hint_of(TableState()) == "Write your names, then start."
    assert hint_of(table()) == "All 5 dice at once, into the tray."
    assert "What blinks is not marked yet" in hint_of(state)
    assert "Tap a taken die to free it" in hint_of(play(state, DieTapped(0)))


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(min_value=0), confirm=st.sampled_from(Confirm))
def test_a_lit_button_does_something_and_a_dark_one_at_most_says_why_not(
    seed: int, confirm: Confirm
) -> None:
    chance, state = random.Random(seed), TableState(confirm=confirm)
    for _ in range(60):
        state, _ = step(state, any_event(state, chance))
        words = {
            Key.LEFT: buttons_of(state)["left"],
            Key.RIGHT: buttons_of(state)["right"],
            Key.CONFIRM: buttons_of(state)["confirm"],
            Key.BACK: buttons_of(state)["back"],
        }
        for key, word in words.items():
            after, effects = step(state, KeyPressed(key))
            if word is None:
                assert replace(after, notice=state.notice) == state
                assert not effects
            else:
                assert after is not state


def test_back_frees_tapped_dice_before_it_takes_back() -> None:
    state = play(rolled_table("13446"), CONFIRM)
    assert buttons_of(state)["back"] == "take back"
    tapping = buttons_of(play(state, DieTapped(0)))
    assert (tapping["back"], tapping["confirm"]) == ("free all dice", None)


def test_confirm_goes_on_only_after_every_fault_is_gone() -> None:
    lost = play(table(), LOST)
    assert buttons_of(lost)["confirm"] is None
    assert buttons_of(play(lost, DeviceBack("camera")))["confirm"] == "go on"


@pytest.mark.parametrize(
    ("outcome", "totals", "text"),
    [
        (Outcome(("Ada",)), {"Ada": 400}, "Ada: +400 is a win."),
        (Outcome(("Ada",)), {"Ada": 0}, "Ada: 0 is a win."),
        (Outcome((), ("Ada",)), {"Ada": -200}, "Ada: \N{MINUS SIGN}200 is a defeat."),
        (
            Outcome(("Ben",), ("Ada",)),
            {"Ada": -400, "Ben": -200},
            "Ben wins with \N{MINUS SIGN}200.",
        ),
        (
            Outcome(("Ada", "Ben"), ("Cleo",)),
            {"Ada": 60, "Ben": 60, "Cleo": 0},
            "Ada and Ben share the win with +60.",
        ),
    ],
)
def test_how_a_game_ended_is_told_in_one_sentence(
    outcome: Outcome, totals: dict[str, int], text: str
) -> None:
    assert outcome_text(outcome, totals) == text


def test_points_have_a_sign_unless_there_are_none() -> None:
    assert [signed(points) for points in (-30, 0, 30)] == ["\N{MINUS SIGN}30", "0", "+30"]
