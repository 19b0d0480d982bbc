# SPDX-License-Identifier: MIT
"""The screen of Choice: choices and jokers by cursor or taps, and what a hint says of them."""

from __future__ import annotations

import pytest

from controller.games.choice.game import CHOICE
from controller.games.choice.jokers import JOKERS
from controller.games.contract import ActionEvent
from controller.games.ui import EMPTY_SELECTION, Selection
from controller.table import events as on
from controller.table.choosing import list_choices, list_offers
from controller.table.state import Phase, TableState, require_game
from tests.controller.games.choice.positions import sheet_of, table_of
from tests.controller.games.playing import played
from tests.support.table import (
    BACK,
    CONFIRM,
    LEFT,
    RIGHT,
    chosen,
    finished_table,
    journalled,
    notice_of,
    play,
    rolled_table,
    table,
    tapped,
    throw_of,
    view,
)


def full_fifth_table(faces: str = "14566", *, jokers: bool = False) -> TableState:
    """Ada alone, with 1, 2 and 3 in her fifth-die table, and a roll."""
    state = table("Ada", options={"jokers": jokers})
    for spot, pair in enumerate((("11144", "2+8/1"), ("22244", "4+8/2"), ("33344", "6+8/3"))):
        roll, action = pair
        state = play(state, *throw_of(roll, spot=spot), on.ActionRequested("Ada", action))
    return play(state, *throw_of(faces, spot=9))


def test_choices_are_offered_best_result_first() -> None:
    state = full_fifth_table()
    choices = list_choices(state)
    gains = [one.gain or 0 for one in choices]
    assert gains == sorted(gains, reverse=True)
    assert {one.action for one in choices} == set(require_game(state).legal_actions("Ada"))


def test_a_choice_tells_what_the_game_makes_of_it() -> None:
    state = full_fifth_table()
    game = require_game(state)
    before = game.totals()["Ada"]
    for one in list_offers(state, "Ada"):
        after = game.apply(ActionEvent("Ada", one.action)).totals()["Ada"]
        assert (one.total, one.gain) == (after, after - before)


def test_nobody_is_offered_anything_while_a_roll_is_awaited() -> None:
    assert list_choices(TableState()) == list_choices(table()) == ()
    assert list_choices(finished_table("Ada")) == ()


def test_the_cursor_goes_round_at_both_ends() -> None:
    state = rolled_table("13446")
    last = len(list_choices(state)) - 1
    assert play(state, LEFT).screen.cursor == last
    assert play(state, LEFT, RIGHT).screen.cursor == 0
    assert play(state, RIGHT, RIGHT, LEFT).screen.cursor == 1


def test_confirm_applies_the_choice_under_the_cursor() -> None:
    state = play(rolled_table("13446"), RIGHT, RIGHT)
    wanted = chosen(state)
    after, (entry,) = journalled(state, CONFIRM)
    assert (entry.kind, dict(entry.body)) == ("action", {"by": "Ada", "do": wanted})
    assert (after.chooser, after.screen.cursor) == ("Ben", 0)


def test_a_tapped_choice_gets_the_cursor_and_is_not_confirmed() -> None:
    state, effects = journalled(rolled_table("13446"), on.ChoiceTapped(3))
    assert (state.screen.cursor, state.chooser, effects) == (3, "Ada", ())


@pytest.mark.parametrize("index", [-1, 99])
def test_a_choice_that_is_not_there_is_refused(index: int) -> None:
    state = play(rolled_table("13446"), RIGHT)
    after = play(state, on.ChoiceTapped(index))
    assert after.screen.cursor == state.screen.cursor
    assert notice_of(after).kind == "refused"


def test_four_tapped_dice_make_two_pairs_and_leave_the_fifth() -> None:
    state = tapped(rolled_table("13446"), 0, 1, 2, 4)
    assert chosen(state) == "4+10/4"
    assert state.screen.selection.dice == (0, 1, 2, 4)
    assert play(state, CONFIRM).play.undoable[-1].action == "4+10/4"


def test_nothing_is_under_the_cursor_while_dice_are_being_tapped() -> None:
    for taps in ((0,), (0, 1), (0, 1, 2)):
        state = tapped(rolled_table("13446"), *taps)
        assert state.screen.cursor == -1
        after, effects = journalled(state, CONFIRM)
        assert after.screen.selection == state.screen.selection
        assert (after.play.position, effects) == (state.play.position, ())
        assert notice_of(after).text == "Nothing is selected yet."


@pytest.mark.parametrize(
    ("freed", "slots"),
    [(0, (None, 1, 2, 4)), (1, (0, None, 2, 4)), (2, (0, 1, None, 4)), (4, (0, 1, 2, None))],
)
def test_freeing_a_die_keeps_the_other_pair(
    freed: int, slots: tuple[int | None, int | None, int | None, int | None]
) -> None:
    state = tapped(rolled_table("13446"), 0, 1, 2, 4, freed)
    assert (state.screen.selection.dice, state.screen.cursor) == (slots, -1)
    refilled = tapped(state, 3)
    assert refilled.screen.selection.dice == tuple(3 if place is None else place for place in slots)


def test_freeing_the_last_taken_die_brings_the_cursor_back() -> None:
    state = tapped(rolled_table("13446"), 2, 2)
    assert (state.screen.selection, state.screen.cursor) == (EMPTY_SELECTION, 0)


def test_tapping_the_fifth_die_changes_nothing() -> None:
    state = tapped(rolled_table("13446"), 0, 1, 2, 4)
    assert tapped(state, 3) == state


def test_an_impossible_fifth_die_keeps_the_taps() -> None:
    state = tapped(full_fifth_table(), 0, 1, 2, 3)
    assert (state.screen.selection.dice, state.screen.cursor) == ((0, 1, 2, 3), -1)
    assert notice_of(state).text == "The fifth die must be 1."
    after, effects = journalled(state, CONFIRM)
    assert (after.play.position, effects) == (state.play.position, ())
    mended = tapped(state, 0, 4)
    assert (mended.notice, chosen(mended)) == (None, "10+11/1")


@pytest.mark.parametrize("index", [-1, 5])
def test_a_die_that_is_not_there_is_refused(index: int) -> None:
    state = tapped(rolled_table("13446"), 0)
    after = tapped(state, index)
    assert after.screen.selection == state.screen.selection
    assert notice_of(after).text == f"There is no die number {index + 1}."


def test_left_goes_to_the_last_choice_while_dice_are_tapped() -> None:
    state = tapped(rolled_table("13446"), 0, 1)
    last = len(list_choices(state)) - 1
    assert (play(state, LEFT).screen.cursor, play(state, RIGHT).screen.cursor) == (last, 0)
    assert play(state, LEFT).screen.selection == EMPTY_SELECTION


def test_back_frees_tapped_dice_before_it_undoes() -> None:
    first = play(rolled_table("13446"), CONFIRM)
    state, effects = journalled(tapped(first, 0, 1), BACK)
    assert (state.screen.selection, state.chooser, effects) == (EMPTY_SELECTION, "Ben", ())
    assert play(state, BACK).chooser == "Ada"


def test_tapped_dice_are_forgotten_with_the_choice() -> None:
    state = play(tapped(rolled_table("13446"), 0, 1, 2, 4), CONFIRM)
    assert state.screen.selection == EMPTY_SELECTION
    assert (state.screen.cursor, state.phase) == (0, Phase.CHOOSING)


def test_players_may_choose_out_of_turn_from_their_own_pages() -> None:
    state = play(rolled_table("13446"), on.ActionRequested("Ben", "4+10/4"))
    assert (state.phase, state.chooser) == (Phase.CHOOSING, "Ada")
    assert play(state, CONFIRM).phase is Phase.AWAITING_ROLL


def test_another_players_choice_keeps_tapped_dice() -> None:
    state = tapped(rolled_table("13446"), 0, 1)
    after = play(state, on.ActionRequested("Ben", "4+10/4"))
    assert after.screen.selection == state.screen.selection
    assert (after.screen.cursor, after.chooser) == (-1, "Ada")


def test_dice_are_shown_and_tapped_in_rising_order() -> None:
    state = rolled_table("64431")
    assert [die.face for die in state.play.roll_dice] == [1, 3, 4, 4, 6]
    assert [die.center_px[0] for die in state.play.roll_dice] == [400.0, 300.0, 100.0, 200.0, 0.0]
    assert chosen(tapped(state, 0, 1, 4, 2)) == "4+10/4"


def joker_table(faces: str, *players: str) -> TableState:
    state = table(*(players or ("Ada",)), options={"jokers": True})
    return play(state, *throw_of(faces))


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
    state = play(state, on.ChoiceTapped(actions.index("corrector 4>2")))
    assert chosen(state) == "corrector 4>2"
    assert state.screen.selection == Selection((3,), "corrector")
    assert play(state, CONFIRM).phase is Phase.AWAITING_JOKER


def test_another_die_may_be_turned_instead_or_none() -> None:
    state = tapped(joker_table("13446"), "corrector", 3, 0)
    assert state.screen.selection == Selection((0,), "corrector")
    assert tapped(state, 0).screen.selection == Selection(joker="corrector")


def arrow_round(state: TableState, key: on.KeyPressed) -> list[str]:
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
    assert view(state)["hint"] == hint


def test_no_arrow_leads_away_from_the_terminator() -> None:
    state = tapped(joker_table("13446"), "terminator")
    assert play(state, RIGHT) == play(state, LEFT) == state
    buttons = view(state)["buttons"]
    assert (buttons["left"], buttons["right"]) == (None, None)


def test_a_tapped_choice_of_another_die_keeps_only_the_joker() -> None:
    state = tapped(joker_table("13446"), "corrector", 3)
    actions = [choice.action for choice in list_choices(state)]
    other = play(state, on.ChoiceTapped(actions.index("corrector 1>2")))
    assert other.screen.selection == Selection(joker="corrector")
    pairs = play(state, on.ChoiceTapped(actions.index("4+10/4")))
    assert pairs.screen.selection == EMPTY_SELECTION


def test_after_two_pairs_a_die_goes_over_to_the_other_total() -> None:
    state = tapped(joker_table("13446"), 0, 1, 2, 3, "3:1")
    assert (state.screen.cursor, state.notice) == (-1, None)
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
    assert notice_of(state).text == "That is the fifth die."
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
    assert notice_of(state).text == reason
    assert (state.screen.cursor, state.screen.selection) == (-1, Selection((0, 1, 2, 3), "3:1"))


def test_a_forced_fifth_die_holds_for_the_3_1_as_well() -> None:
    state = tapped(full_fifth_table("12244", jokers=True), 0, 1, 2, 3, "3:1", 0)
    assert notice_of(state).text == "The fifth die must be 1 or 2."
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
        joker_table("12345"), on.ActionRequested("Ada", "3:1 6+4/5"), *throw_of("12345", spot=2)
    )
    state = tapped(state, 0, 1, "3:1")
    assert notice_of(state).text == "Ada has used the 3:1 already."
    assert state.screen.selection == Selection((0, 1, None, None))


def test_jokers_that_are_not_there_are_refused_in_words() -> None:
    assert notice_of(tapped(joker_table("13446"), "ace")).text == "There is no such joker: ace."
    plain = play(table("Ada"), *throw_of("13446"))
    assert notice_of(tapped(plain, "3:1")).text == "This game is played without jokers."
    assert notice_of(tapped(joker_table("66666"), "3:1")).text.startswith("These dice make no 3:1")


def test_own_dice_are_tapped_after_a_joker() -> None:
    state = play(joker_table("13446", "Ada", "Ben"), on.JokerTapped("terminator"), CONFIRM)
    state = play(state, *throw_of("22345", spot=3))
    assert chosen(tapped(state, 0, 1, 2, 3)) == "4+7/5"
    assert play(state, CONFIRM).shown_dice == play(joker_table("13446")).shown_dice


def limits_of(state: TableState) -> list[str | None]:
    return [die["limit"] for die in view(state)["dice"]]


def test_dice_that_may_be_the_fifth_are_marked_from_the_start() -> None:
    assert limits_of(joker_table("13446")) == [None] * 5
    state = full_fifth_table("12446", jokers=True)
    assert limits_of(state) == ["may", "may", None, None, None]
    assert limits_of(tapped(state, 2)) == ["may", "may", None, None, None]
    assert limits_of(tapped(state, 2, 0)) == [None, "must", None, None, None]
    assert limits_of(full_fifth_table("24456", jokers=True)) == ["must", None, None, None, None]


def test_a_free_roll_or_another_throw_limits_no_die() -> None:
    assert limits_of(full_fifth_table("44566", jokers=True)) == [None] * 5
    assert limits_of(tapped(full_fifth_table("12446", jokers=True), "terminator")) == [None] * 5


USED = "The joker is used up: unused it counts 100 points at the end."


@pytest.mark.parametrize(
    ("sums", "fifth", "action", "reason"),
    [
        (
            {},
            {},
            "7+7/4",
            "Begins the 7 with 2 crosses: minus 200 until it has 5. "
            "Makes 4 fifth die number 1 of 3. "
            "In 40 of 100 rolls there is no 4: then number 2 begins.",
        ),
        (
            {5: 1},
            {3: 1, 4: 1, 6: 1},
            "5+9/4",
            "Brings the 5 to 2 of 5 crosses. Begins the 9 with 1 cross: minus 200 until it has 5. "
            "The fifth die 4 has 2 of 8 crosses.",
        ),
        (
            {4: 4, 10: 1},
            {4: 2},
            "4+10/4",
            "Completes 5 crosses on the 4: plus 200 points. Brings the 10 to 2 of 5 crosses. "
            "The fifth die 4 has 3 of 8 crosses.",
        ),
        (
            {7: 4},
            {4: 6},
            "7+7/4",
            "Completes 5 crosses on the 7: plus 230 points. One more fifth die 4 ends the game.",
        ),
        (
            {4: 5, 10: 10},
            {4: 7},
            "4+10/4",
            "Plus 60 points on the 4. The 10 is full: its cross counts nothing. "
            "The fifth die 4 is full: the game ends here.",
        ),
        (
            {7: 9},
            {2: 1, 5: 1},
            "7+7/4",
            "Plus 30 points on the 7. "
            "Makes 4 the last fifth die: from now on it is 2, 4 or 5, if the roll has one.",
        ),
        (
            {7: 5, 12: 1},
            {1: 1},
            "3:1 11+4/3",
            "Begins the 4 with 1 cross: minus 200 until it has 5. "
            "Begins the 11 with 1 cross: minus 200 until it has 5. "
            "Makes 3 fifth die number 2 of 3. In 13 of 100 rolls there is no 1 or 3: "
            f"then number 3 begins. {USED}",
        ),
        (
            {total: 5 for total in range(2, 13) if total not in (8, 12)},
            {1: 1, 4: 6, 6: 2},
            "7+7/4",
            "Plus 60 points on the 7. Keeps 8 and 12 open. One more fifth die 4 ends the game.",
        ),
        ({}, {}, "terminator", f"Throws five new dice. {USED}"),
        ({}, {}, "corrector 1>2", f"Makes the 1 a 2. {USED}"),
    ],
)
def test_a_reason_is_what_the_rules_make_of_a_choice(
    sums: dict[int, int], fifth: dict[int, int], action: str, reason: str
) -> None:
    state = played(table_of(sheet_of(sums, fifth)), "Ada 13446")
    assert str(CHOICE.ui.explain_action(state, "Ada", action)) == reason


def test_a_free_roll_crosses_off_no_fifth_die() -> None:
    state = played(table_of(sheet_of({8: 2, 10: 2}, {1: 1, 2: 1, 3: 1})), "Ada 44466")
    assert str(CHOICE.ui.explain_action(state, "Ada", "8+10/6")) == (
        "Brings the 8 to 3 of 5 crosses. Brings the 10 to 3 of 5 crosses. "
        "A free roll: no fifth die is crossed off."
    )
