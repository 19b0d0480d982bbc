# SPDX-License-Identifier: MIT
"""What an official has to decide on, as the journals of the tables report it."""

from __future__ import annotations

import pytest

from controller.tournament.entries.event_entries import KeyAccepted, KeyChanged
from controller.tournament.entries.game_entries import ReserveAsked, RollRuling
from controller.tournament.state.state import RollReview
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event

WHY = "seen by two officials"
DECIDED = "ruling.cause: expected what nobody has decided on, found what is decided"


def begin_event() -> PlayedEvent:
    event = PlayedEvent(duplicate_event(), players=2)
    event.open_game()
    return event


def correct(event: PlayedEvent, was: str, faces: str) -> None:
    event.send(
        event.table.add(
            "correction", by="Olga", reason="a glare", was=was, roll=faces, picture="", undone=[]
        )
    )


def describe(review: RollReview) -> tuple[int, int, str, str, str, str]:
    concern = review.concern
    return (review.game, review.roll, concern.concern, concern.was, concern.faces, review.counts)


def test_a_correction_of_an_opened_roll_waits_for_a_ruling() -> None:
    event = begin_event()
    event.throw("13446")
    assert event.state.list_reviews() == ()
    correct(event, "13446", "13445")
    (review,) = event.state.list_reviews()
    assert describe(review) == (1, 1, "corrected", "13446", "13445", "13446")
    assert review.is_contradiction
    event.write(RollRuling(1, 1, "keep", "Olga", WHY, cause=review.concern.cause))
    assert event.state.list_reviews() == ()
    assert event.state.data.games[0].rolls[0].faces == "13446"


def test_what_an_annulment_ended_waits_when_it_is_taken_back() -> None:
    event = begin_event()
    event.throw("13446")
    event.run_out()
    correct(event, "13446", "13445")
    (review,) = event.state.list_reviews()
    cause = review.concern.cause
    event.write(RollRuling(1, 1, "annul", "Olga", WHY, cause=cause))
    assert event.state.list_reviews() == ()
    event.write(RollRuling(1, 1, "restore", "Olga", "the wrong button", cause=cause))
    (again,) = event.state.list_reviews()
    assert again.concern == review.concern
    event.write(RollRuling(1, 1, "recompute", "Olga", WHY, faces="13445", cause=cause))
    assert event.state.data.games[0].rolls[0].faces == "13445"


def test_a_roll_corrected_before_it_is_opened_has_its_true_faces() -> None:
    event = begin_event()
    event.throw("13446")
    event.throw("12245")
    correct(event, "12245", "12246")
    event.run_out()
    second = event.state.data.games[0].rolls[1]
    assert second.faces == "12246"
    assert second.source == event.table.source(event.table.entries[-1])
    event.run_out()
    assert len(event.state.data.games[0].rolls) == 2


def test_faces_entered_by_hand_and_doubts_are_reviewed() -> None:
    event = begin_event()
    event.throw("13446", by_hand="Olga")
    event.run_out()
    event.send(
        event.table.add(
            "roll",
            by="Hall",
            roll="22345",
            by_hand="",
            doubts=["glare: die 2"],
            picture="",
            held="",
        )
    )
    event.write_due()
    assert [describe(review)[:3] for review in event.state.list_reviews()] == [
        (1, 1, "by_hand"),
        (1, 2, "doubted"),
    ]
    event.write(RollRuling(1, 1, "annul", "Olga", WHY))
    assert [describe(review)[1] for review in event.state.list_reviews()] == [2]


def test_a_decision_ends_what_was_asked_before() -> None:
    """Otherwise an older item, with the old faces filled in, reverts the ruling."""
    event = begin_event()
    event.throw("13446", by_hand="Olga")
    event.run_out()
    correct(event, "13446", "13445")
    by_hand, corrected = event.state.list_reviews()
    assert by_hand.concern.faces == "13445", "the table has other faces since"
    cause = corrected.concern.cause
    event.write(RollRuling(1, 1, "recompute", "Olga", WHY, faces="13445", cause=cause))
    assert event.state.list_reviews() == ()
    for stale in (by_hand.concern.cause, cause):
        ruling = RollRuling(1, 1, "recompute", "Eve", WHY, faces="13446", cause=stale)
        refusal = event.refuse(ruling)
        assert (refusal.code, refusal.text) == ("twice", DECIDED)
    assert event.state.data.games[0].rolls[0].faces == "13445"


def test_a_correction_after_a_decision_waits_again() -> None:
    event = begin_event()
    event.throw("13446", by_hand="Olga")
    event.run_out()
    (review,) = event.state.list_reviews()
    event.write(RollRuling(1, 1, "keep", "Olga", WHY, cause=review.concern.cause))
    correct(event, "13446", "13445")
    assert [describe(each)[2] for each in event.state.list_reviews()] == ["corrected"]


def test_a_review_that_ends_after_its_decision_ends_no_other() -> None:
    event = begin_event()
    event.throw("13446", by_hand="Olga")
    event.run_out()
    event.send(event.table.add("review", by="Player 1"))
    asked = event.state.list_reviews()[-1].concern.cause
    event.write(RollRuling(1, 1, "keep", "Olga", WHY, cause=asked))
    event.send(event.table.add("reviewed", outcome="stands"))
    assert event.state.list_reviews() == ()


def test_a_review_that_the_table_ended_is_over() -> None:
    event = begin_event()
    event.throw("13446")
    event.send(event.table.add("review", by="Player 1"))
    assert [review.concern.concern for review in event.state.list_reviews()] == ["review"]
    event.send(event.table.add("reviewed", outcome="stands"))
    assert event.state.list_reviews() == ()


def test_a_reserve_roll_can_be_corrected() -> None:
    event = begin_event()
    event.throw("13446")
    event.write(ReserveAsked(1, 1, 1))
    event.throw("11112")
    event.choose(1, "2+2/2")
    event.choose(2, "4+10/4")
    correct(event, "11112", "11113")
    (review,) = event.state.list_reviews()
    assert review.is_reserve
    ruling = RollRuling(
        1, 1, "recompute", "Olga", WHY, is_reserve=True, faces="11113", cause=review.concern.cause
    )
    event.write(ruling)
    played = event.state.data.games[0].rolls[0].played
    assert (played[1].do, played[1].is_automatic) == (("2+2/3",), True)
    assert (played[2].do, played[2].is_automatic) == (("4+10/4",), False)
    assert event.state.data.rulings == [ruling]


def test_private_rolls_and_other_dice_are_no_rolls_of_the_event() -> None:
    event = begin_event()
    event.throw("13446")
    event.run_out()
    event.send(event.table.add("action", by="Hall", do="terminator"))
    event.throw("11111")
    assert event.state.data.open_roll is None
    event.send(event.table.add("roll", by="Hall", roll="1234", by_hand="", doubts=[]))
    event.write_due()
    assert event.state.data.open_roll is None
    event.send(event.table.begin("dice"))
    event.send(event.table.add("roll", by="Hall", roll="12345", by_hand="", held="again"))
    event.send(event.table.add("action", by="Hall", do="again"))
    event.throw("12345")
    assert event.state.data.open_roll is None
    event.send(event.table.begin("wuerfelspiel"))
    event.throw("12345")
    assert event.state.data.open_roll is None
    event.send(event.table.begin("dice"))
    event.throw("22345")
    assert event.state.data.open_roll is not None


@pytest.mark.parametrize("begun", [{"hints": True}, {"opponents": [{"name": "Pascal"}]}])
def test_a_game_for_training_has_no_rolls_of_the_event(begun: dict[str, object]) -> None:
    event = begin_event()
    event.send(event.table.begin(**begun))  # type: ignore[arg-type]
    event.throw("13446")
    assert event.state.data.open_roll is None
    event.send(event.table.begin())
    event.throw("13446")
    assert event.state.data.open_roll is not None


def test_odd_lines_of_a_table_change_nothing() -> None:
    event = begin_event()
    for kind, body in (
        ("roll", {"roll": 7}),
        ("roll", {}),
        ("game", {"game": ["choice"]}),
        ("correction", {"roll": "1"}),
        ("action", {"do": {"a": 1}, "result": {"totals": [1]}}),
        ("action", {"result": "x"}),
        ("weather", {"sky": "blue"}),
    ):
        event.send(event.table.add(kind, **body))
    assert event.write_due() == []
    assert event.state.list_reviews() == ()


def test_a_review_survives_a_new_key_once() -> None:
    """The table sends its whole journal again under its new key."""
    other = "b" * 64
    event = begin_event()
    event.throw("13446", by_hand="Olga")
    event.write(KeyChanged("a" * 64, other))
    event.write(KeyAccepted("a" * 64, other, "Olga", "a new card"))
    for line in event.table.entries:
        event.send(line, other)
    assert len(event.state.list_reviews()) == 1


def test_a_line_that_comes_again_is_read_once() -> None:
    event = PlayedEvent(duplicate_event(), players=1)
    event.open_game()
    thrown = event.throw("13446", by_hand="Olga")
    event.send(thrown)
    assert len(event.state.list_reviews()) == 1
