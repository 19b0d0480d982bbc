# SPDX-License-Identifier: MIT
"""The name of what is asked: another one as soon as an old answer would mean something else."""

from __future__ import annotations

from dataclasses import replace

from controller.base.settings.choices import Confirm
from controller.table.events import (
    DieTapped,
    PauseRequested,
    ReviewRequested,
    RollCorrected,
    SeatTaken,
)
from controller.table.state import Phase, TableState
from controller.table.view.question import find_refusal, is_current, name_question
from controller.table.view.snapshot import build_snapshot
from tests.support.table import (
    BACK,
    CONFIRM,
    RIGHT,
    doubtful_throw,
    finished_table,
    play,
    rolled_table,
    table,
    throw_of,
)


def changes(before: TableState, after: TableState) -> bool:
    return name_question(before) != name_question(after)


def test_walking_through_the_lobby_stays_one_question() -> None:
    lobby = TableState()
    walked = play(lobby, BACK, BACK, RIGHT, CONFIRM, SeatTaken(1, "Cleo"))
    assert walked != lobby
    assert not changes(lobby, walked)


def test_a_game_that_starts_is_another_question() -> None:
    assert changes(TableState(), play(TableState(), CONFIRM))


def test_walking_and_tapping_through_choices_stays_one_question() -> None:
    rolled = rolled_table("13446")
    assert not changes(rolled, play(rolled, RIGHT, RIGHT, DieTapped(0)))


def test_every_confirmed_action_changes_the_question() -> None:
    rolled = rolled_table("13446")
    first = play(rolled, CONFIRM)
    second = play(first, CONFIRM)
    assert changes(rolled, first)
    assert changes(first, second)
    assert changes(rolled, second)


def test_what_was_taken_back_is_asked_again() -> None:
    rolled = rolled_table("13446")
    assert not changes(rolled, play(rolled, CONFIRM, BACK))


def test_a_second_press_of_back_would_take_back_something_else() -> None:
    twice = play(rolled_table("13446"), CONFIRM, CONFIRM)
    assert changes(twice, play(twice, BACK))


def test_another_reading_to_be_confirmed_is_another_question() -> None:
    asking = table(confirm=Confirm.BUTTON)
    first = play(asking, *throw_of("13446"))
    second = play(first, *throw_of("13445", spot=2))
    assert first.phase is second.phase is Phase.READING
    assert changes(first, second)


def test_other_doubts_are_another_question() -> None:
    first = play(table(), *doubtful_throw("1344"))
    assert first.phase is Phase.STRAIGHTEN
    second = play(first, *doubtful_throw("1345", spot=2))
    assert changes(first, second)


def test_a_finished_game_and_its_lobby_ask_differently() -> None:
    finished = finished_table("Ada")
    assert changes(finished, play(finished, CONFIRM))


def test_a_pause_and_what_it_interrupts_are_two_questions() -> None:
    rolled = rolled_table("13446")
    paused = play(rolled, PauseRequested())
    assert changes(rolled, paused)
    assert not changes(rolled, play(paused, CONFIRM))


def test_in_a_review_a_corrected_roll_is_another_question() -> None:
    review = play(rolled_table("13446"), ReviewRequested())
    assert changes(rolled_table("13446"), review)
    assert changes(review, play(review, RollCorrected("63446", "Eva", "A six.")))


def test_a_command_on_the_last_roll_fits_until_the_next() -> None:
    rolled = rolled_table("13446")
    last_roll = build_snapshot(rolled, version=1)["last_roll"]
    assert last_roll is not None
    name = last_roll["name"]
    assert name != name_question(rolled)
    for events, fits in (
        ((), True),
        ((CONFIRM, CONFIRM), True),
        ((ReviewRequested(),), True),
        ((RollCorrected("63446", "Eva", "A six."),), False),
        ((CONFIRM, CONFIRM, *throw_of("22345", spot=1)), False),
    ):
        view = build_snapshot(play(rolled, *events), version=2)
        assert is_current(view, name) is fits
        assert is_current(view, view["question"])
        assert is_current(view, None)
        assert not is_current(view, "something else")


class TestRefusal:
    def test_what_changes_nothing_means_nothing(self) -> None:
        rolled = rolled_table("13446")
        assert find_refusal(rolled, rolled) == "Not now: the table is waiting for something else."
        assert find_refusal(rolled, play(rolled, RIGHT)) == ""

    def test_a_refusal_belongs_to_this_event_only(self) -> None:
        rolled = rolled_table("13446")
        refused = play(rolled, RollCorrected("13446", "Eva", "No."))
        assert find_refusal(rolled, refused) == "The roll already counts as 1 3 4 4 6."
        assert find_refusal(refused, replace(refused, play=replace(refused.play, rolls=2))) == ""
