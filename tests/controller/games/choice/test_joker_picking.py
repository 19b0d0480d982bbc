# SPDX-License-Identifier: MIT
"""How jokers are found: by cursor, and by a finger on the joker and the dice."""

from __future__ import annotations

import pytest

from controller.games.choice.jokers import JOKERS
from controller.games.ui import EMPTY_SELECTION, Selection
from controller.table.choosing import list_choices
from controller.table.events import (
    ActionRequested,
    ChoiceTapped,
    DieTapped,
    JokerTapped,
    KeyPressed,
)
from controller.table.state import Phase, TableState
from controller.table.view.snapshot import build_snapshot
from tests.support.table import BACK, CONFIRM, LEFT, RIGHT, play, table, throw_of


def joker_table(faces: str, *players: str) -> TableState:
    state = table(*(players or ("Ada",)), options={"jokers": True})
    return play(state, *throw_of(faces))


def tapped(state: TableState, *things: int | str) -> TableState:
    """Return the table after taps on dice (numbers) and jokers (names)."""
    taps = (DieTapped(one) if isinstance(one, int) else JokerTapped(one) for one in things)
    return play(state, *taps)


def chosen(state: TableState) -> str:
    return list_choices(state)[state.screen.cursor].action if state.screen.cursor >= 0 else ""


def notice_of(state: TableState) -> str:
    return state.notice.text if state.notice else ""


def full_fifth_table(faces: str) -> TableState:
    """Ada alone, with 1, 2 and 3 in her fifth-die table and all her jokers."""
    state = table("Ada", options={"jokers": True})
    for spot, (roll, action) in enumerate(
        (("11144", "2+8/1"), ("22244", "4+8/2"), ("33344", "6+8/3"))
    ):
        state = play(state, *throw_of(roll, spot=spot), ActionRequested("Ada", action))
    return play(state, *throw_of(faces, spot=9))


def test_dice_of_its_own_never_come_before_what_marks_the_sheet() -> None:
    choices = list_choices(joker_table("13446"))
    kinds = [choice.kind for choice in choices]
    marking = [choice.gain or 0 for choice in choices if choice.kind != "joker"]
    assert marking == sorted(marking, reverse=True)
    assert kinds == sorted(kinds, key=lambda kind: kind == "joker")
    jokers = [choice.action for choice in choices if choice.kind == "joker"]
    assert jokers[:2] == ["terminator", "corrector 1>2"]


def test_a_joker_costs_what_it_would_count_unused() -> None:
    gains = {choice.action: choice.gain for choice in list_choices(joker_table("13446"))}
    assert gains["4+10/4"] == -400
    assert gains["3:1 11+4/3"] == -500
    assert gains["terminator"] == gains["corrector 1>2"] == -100


def test_the_terminator_is_under_the_cursor_at_once() -> None:
    state = tapped(joker_table("13446"), "terminator")
    assert (chosen(state), state.screen.selection) == ("terminator", Selection(joker="terminator"))
    assert play(state, CONFIRM).phase is Phase.AWAITING_JOKER


def test_the_corrector_asks_for_a_die_and_then_for_its_face() -> None:
    state = tapped(joker_table("13446"), "corrector")
    assert (state.screen.cursor, state.screen.selection) == (-1, Selection(joker="corrector"))
    state = tapped(state, 3)
    assert (state.screen.cursor, state.screen.selection) == (-1, Selection((3,), "corrector"))
    actions = [choice.action for choice in list_choices(state)]
    state = play(state, ChoiceTapped(actions.index("corrector 4>2")))
    assert chosen(state) == "corrector 4>2"
    assert state.screen.selection == Selection((3,), "corrector")
    assert play(state, CONFIRM).phase is Phase.AWAITING_JOKER


def test_another_die_may_be_turned_instead_or_none() -> None:
    state = tapped(joker_table("13446"), "corrector", 3, 0)
    assert state.screen.selection == Selection((0,), "corrector")
    assert tapped(state, 0).screen.selection == Selection(joker="corrector")


def arrow_round(state: TableState, key: KeyPressed) -> list[str]:
    """Return the actions that a button goes through until it is back at the first one."""
    found = list[str]()
    while (chosen(state := play(state, key))) not in found:
        assert state.screen.selection.joker, "the joker was dropped"
        found.append(chosen(state))
    return found


def test_arrows_go_through_the_faces_of_the_die_to_turn() -> None:
    state = tapped(joker_table("13446"), "corrector", 3)
    faces = [f"corrector 4>{face}" for face in (1, 2, 3, 5, 6)]
    assert arrow_round(state, RIGHT) == faces
    assert arrow_round(state, LEFT) == faces[::-1]
    assert play(state, RIGHT, RIGHT).screen.selection == Selection((3,), "corrector")


@pytest.mark.parametrize("joker", ["corrector", "3:1"])
def test_arrows_stay_within_the_tapped_joker(joker: str) -> None:
    state = tapped(joker_table("13446"), joker)
    wanted = [one.action for one in list_choices(state) if one.action.startswith(joker)]
    assert arrow_round(state, RIGHT) == wanted
    after = play(state, RIGHT)
    assert (after.screen.selection, after.notice) == (Selection(joker=joker), None)
    back = play(after, BACK)
    assert (back.screen.selection, back.screen.cursor) == (EMPTY_SELECTION, 0)


def test_arrows_keep_the_joker_after_two_tapped_pairs() -> None:
    state = play(tapped(joker_table("13446"), 0, 1, 2, 3, "3:1", 0), RIGHT)
    assert (chosen(state)[:3], state.screen.selection) == ("3:1", Selection(joker="3:1"))
    hint = "Confirm, or tap two pairs and the die that moves to the other pair."
    assert build_snapshot(state, version=1)["hint"] == hint


def test_no_arrow_leads_away_from_the_terminator() -> None:
    state = tapped(joker_table("13446"), "terminator")
    assert play(state, RIGHT) == play(state, LEFT) == state
    buttons = build_snapshot(state, version=1)["buttons"]
    assert (buttons["left"], buttons["right"]) == (None, None)


def test_a_tapped_choice_of_another_die_keeps_only_the_joker() -> None:
    state = tapped(joker_table("13446"), "corrector", 3)
    actions = [choice.action for choice in list_choices(state)]
    other = play(state, ChoiceTapped(actions.index("corrector 1>2")))
    assert other.screen.selection == Selection(joker="corrector")
    pairs = play(state, ChoiceTapped(actions.index("4+10/4")))
    assert pairs.screen.selection == EMPTY_SELECTION


def test_after_two_pairs_a_die_goes_over_to_the_other_total() -> None:
    state = tapped(joker_table("13446"), 0, 1, 2, 3, "3:1")
    assert (state.screen.cursor, notice_of(state)) == (-1, "")
    assert chosen(tapped(state, 0)) == "3:1 9+3/6"
    assert chosen(tapped(state, 3)) == "3:1 8+4/6"


def test_the_last_die_that_was_sent_over_counts() -> None:
    state = tapped(joker_table("12345"), 0, 1, 2, 3, "3:1")
    assert chosen(tapped(state, 0)) == "3:1 8+2/5"
    assert chosen(tapped(state, 0, 2)) == "3:1 6+4/5"
    assert tapped(state, 0, 2).screen.selection == Selection((0, 1, 2, 3, 2), "3:1")


def test_the_joker_may_be_tapped_before_the_pairs() -> None:
    state = tapped(joker_table("12345"), "3:1", 0, 1, 2, 3)
    assert (state.screen.cursor, state.screen.selection) == (-1, Selection((0, 1, 2, 3), "3:1"))
    assert chosen(tapped(state, 3)) == "3:1 7+3/5"


def test_the_fifth_die_is_not_sent_over() -> None:
    state = tapped(joker_table("12345"), 0, 1, 2, 3, "3:1", 4)
    assert notice_of(state) == "That is the fifth die."
    assert state.screen.selection == Selection((0, 1, 2, 3), "3:1")


@pytest.mark.parametrize(
    ("faces", "taps", "reason"),
    [
        ("13446", (0, 1, 2, 3, "3:1", 1), "A single 1 is no sum: the sheet begins at 2."),
        ("24556", (0, 1, 2, 3, "3:1", 1), "The three dice make 14: the sheet ends at 12."),
    ],
)
def test_totals_off_the_sheet_are_refused(
    faces: str, taps: tuple[int | str, ...], reason: str
) -> None:
    state = tapped(joker_table(faces), *taps)
    assert notice_of(state) == reason
    assert (state.screen.cursor, state.screen.selection) == (-1, Selection((0, 1, 2, 3), "3:1"))


def test_a_forced_fifth_die_holds_for_the_3_1_as_well() -> None:
    state = tapped(full_fifth_table("12244"), 0, 1, 2, 3, "3:1", 0)
    assert notice_of(state) == "The fifth die must be 1 or 2."
    assert (state.screen.cursor, state.screen.selection) == (-1, Selection((0, 1, 2, 3), "3:1"))


def test_a_joker_that_is_tapped_again_is_left_and_the_pairs_stay() -> None:
    state = tapped(joker_table("12345"), 0, 1, 2, 3, "3:1", 0, "3:1")
    assert (chosen(state), state.screen.selection) == ("3+7/5", Selection((0, 1, 2, 3)))
    for joker in JOKERS:
        twice = tapped(joker_table("12345"), joker, joker)
        assert (twice.screen.selection, twice.screen.cursor) == (EMPTY_SELECTION, 0)


def test_back_leaves_the_joker_before_it_takes_anything_back() -> None:
    for joker in JOKERS:
        state = play(tapped(joker_table("12345"), joker), BACK)
        assert state.screen.selection == EMPTY_SELECTION
        assert (state.screen.cursor, state.play.undoable) == (0, ())


def test_a_used_joker_is_refused_and_the_dice_stay_tapped() -> None:
    state = play(
        joker_table("12345"), ActionRequested("Ada", "3:1 6+4/5"), *throw_of("12345", spot=2)
    )
    state = tapped(state, 0, 1, "3:1")
    assert notice_of(state) == "Ada has used the 3:1 already."
    assert state.screen.selection == Selection((0, 1, None, None))


def test_jokers_that_are_not_there_are_refused_in_words() -> None:
    assert notice_of(tapped(joker_table("13446"), "ace")) == "There is no such joker: ace."
    plain = play(table("Ada"), *throw_of("13446"))
    assert notice_of(tapped(plain, "3:1")) == "This game is played without jokers."
    assert notice_of(tapped(joker_table("66666"), "3:1")).startswith("These dice make no 3:1")


def test_own_dice_are_tapped_after_a_joker() -> None:
    state = play(joker_table("13446", "Ada", "Ben"), JokerTapped("terminator"), CONFIRM)
    state = play(state, *throw_of("22345", spot=3))
    assert chosen(tapped(state, 0, 1, 2, 3)) == "4+7/5"
    assert play(state, CONFIRM).shown_dice == play(joker_table("13446")).shown_dice


def limits_of(state: TableState) -> list[str | None]:
    return [die["limit"] for die in build_snapshot(state, version=1)["dice"]]


def test_dice_that_may_be_the_fifth_are_marked_from_the_start() -> None:
    assert limits_of(joker_table("13446")) == [None] * 5
    state = full_fifth_table("12446")
    assert limits_of(state) == ["may", "may", None, None, None]
    assert limits_of(tapped(state, 2)) == ["may", "may", None, None, None]
    assert limits_of(tapped(state, 2, 0)) == [None, "must", None, None, None]
    assert limits_of(full_fifth_table("24456")) == ["must", None, None, None, None]


def test_a_free_roll_or_another_throw_limits_no_die() -> None:
    assert limits_of(full_fifth_table("44566")) == [None] * 5
    assert limits_of(tapped(full_fifth_table("12446"), "terminator")) == [None] * 5
