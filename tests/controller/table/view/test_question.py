# SPDX-License-Identifier: MIT
"""The name of what is asked: another one as soon as an old answer would mean something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table.events import Event
from controller.table.state import TableState
from controller.table.view.question import find_refusal, is_current, name_question
from tests.support.table import (
    BACK,
    CONFIRM,
    RIGHT,
    doubtful_throw,
    finished_table,
    lobby_of,
    play,
    rolled_table,
    table,
    throw_of,
    view,
)

LOBBY, ROLLED = lobby_of("Ada", "Ben"), rolled_table("13446")
CHOSEN = play(ROLLED, CONFIRM)
CHOSEN_TWICE = play(CHOSEN, CONFIRM)
READING = play(table(confirm=Confirm.BUTTON), *throw_of("13446"))
DOUBTFUL = play(table(), *doubtful_throw("1344"))
REVIEW = play(ROLLED, on.ReviewRequested())
CORRECTED = on.RollCorrected("63446", "Eva", "A six.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LOBBY, play(LOBBY, CONFIRM)),
        (ROLLED, CHOSEN),
        (CHOSEN, CHOSEN_TWICE),
        (ROLLED, CHOSEN_TWICE),
        (CHOSEN_TWICE, play(CHOSEN_TWICE, BACK)),
        (READING, play(READING, *throw_of("13445", spot=2))),
        (DOUBTFUL, play(DOUBTFUL, *doubtful_throw("1345", spot=2))),
        (finished_table("Ada"), play(finished_table("Ada"), CONFIRM)),
        (ROLLED, play(ROLLED, on.PauseRequested())),
        (ROLLED, REVIEW),
        (REVIEW, play(REVIEW, CORRECTED)),
    ],
)
def test_what_an_old_answer_would_not_mean_is_another_question(
    before: TableState, after: TableState
) -> None:
    assert name_question(before) != name_question(after)


@pytest.mark.parametrize(
    ("before", "events"),
    [
        (LOBBY, (BACK, BACK, RIGHT, CONFIRM, on.SeatTaken(1, "Cleo"))),
        (ROLLED, (RIGHT, RIGHT, on.DieTapped(0))),
        (ROLLED, (CONFIRM, BACK)),
        (ROLLED, (on.PauseRequested(), CONFIRM)),
    ],
)
def test_walking_and_what_was_taken_back_stay_one_question(
    before: TableState, events: tuple[Event, ...]
) -> None:
    assert name_question(before) == name_question(play(before, *events))


def test_a_command_on_the_last_roll_fits_until_the_next() -> None:
    rolled = ROLLED
    last_roll = view(rolled)["last_roll"]
    assert last_roll is not None
    name = last_roll["name"]
    assert name != name_question(rolled)
    for events, fits in (
        ((), True),
        ((CONFIRM, CONFIRM), True),
        ((on.ReviewRequested(),), True),
        ((CORRECTED,), False),
        ((CONFIRM, CONFIRM, *throw_of("22345", spot=1)), False),
    ):
        shown = view(play(rolled, *events))
        assert is_current(shown, name) is fits
        assert is_current(shown, shown["question"])
        assert is_current(shown, None)
        assert not is_current(shown, "something else")


class TestRefusal:
    def test_what_changes_nothing_means_nothing(self) -> None:
        rolled = rolled_table("13446")
        assert find_refusal(rolled, rolled) == "Not now: the table is waiting for something else."
        assert find_refusal(rolled, play(rolled, RIGHT)) == ""

    def test_a_refusal_belongs_to_this_event_only(self) -> None:
        rolled = rolled_table("13446")
        refused = play(rolled, on.RollCorrected("13446", "Eva", "No."))
        assert find_refusal(rolled, refused) == "The roll already counts as 1 3 4 4 6."
        assert find_refusal(refused, replace(refused, play=replace(refused.play, rolls=2))) == ""
