# SPDX-License-Identifier: MIT
"""Held dice without buttons: the action follows from the dice that stayed."""

from __future__ import annotations

from dataclasses import replace

from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table.events import TrayDie
from controller.table.journal_entries import game_entry, restore_table
from controller.table.state import Phase, TableState, require_game
from tests.support.table import (
    BACK,
    COCKED,
    CONFIRM,
    dice_of,
    die,
    entries_of,
    journalled,
    kinds_of,
    only,
    play,
    pushed,
    rest_of,
    table,
)

ONE, THREE, FOUR, OTHER_FOUR, FIVE = dice_of("13445")
ALL = (ONE, THREE, FOUR, OTHER_FOUR, FIVE)
KEPT = (FOUR, OTHER_FOUR, FIVE)
TWO_NEW = dice_of("26", spot=3)

WHITE, BLACK = die(4, 100.0), die(6, 300.0, is_black=True)


def turned(old: TrayDie, face: int) -> TrayDie:
    return replace(old, face=face)


def wuerfelspiel() -> TableState:
    """Return a table where Ada has thrown 1 3 4 4 5 and may throw twice more."""
    return play(table(game="wuerfelspiel"), *rest_of(*ALL))


def black_n_white(*players: str) -> TableState:
    """Return a table where the first player has thrown white 4 and black 6."""
    return play(table(*players, game="black-n-white"), *rest_of(WHITE, BLACK))


def told(state: TableState) -> str:
    """Return what a person is told: the notice, or what is doubted."""
    notice = f"{state.notice.text} {state.notice.remedy}" if state.notice else ""
    return " ".join((notice, *(doubt.text for doubt in state.reading.doubts)))


class TestDiceInTheHand:
    def test_more_may_be_taken_while_some_are_in_the_hand(self) -> None:
        state = play(wuerfelspiel(), *rest_of(*KEPT), *rest_of(FOUR, OTHER_FOUR))
        assert (state.phase, state.reading.held_action) == (Phase.IN_HAND, "hold 44")

    def test_a_hand_that_only_passes_over_changes_nothing(self) -> None:
        before = wuerfelspiel()
        after = play(before, *rest_of(*ALL))
        assert after.phase is Phase.CHOOSING
        assert after.play.position == before.play.position
        assert after.screen.cursor == before.screen.cursor

    def test_after_a_restart_the_hand_is_known_again(self) -> None:
        _, effects = journalled(table(game="wuerfelspiel"), *rest_of(*ALL))
        start = game_entry("wuerfelspiel", require_game(table(game="wuerfelspiel")))
        state = restore_table(TableState(), entries_of((start, *effects)))
        assert play(state, on.DiceRead(KEPT)).reading.held_action == "hold 445"


class TestTheHoldFollows:
    def test_kept_dice_and_new_ones_are_a_hold_and_a_roll(self) -> None:
        state, effects = journalled(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*KEPT, *TWO_NEW))
        assert state.phase is Phase.CHOOSING
        assert state.play.position is not None
        assert state.play.position.faces == (2, 4, 4, 5, 6)
        body = only(effects).body
        assert (body["held"], sorted(str(body["roll"]))) == ("hold 445", list("24456"))

    def test_a_kept_die_that_was_pushed_a_little_stays_kept(self) -> None:
        beside = (pushed(FOUR, 20.0), OTHER_FOUR, pushed(FIVE, -25.0))
        state, effects = journalled(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*beside, *TWO_NEW))
        assert only(effects).body["held"] == "hold 445"
        assert state.phase is Phase.CHOOSING

    def test_pushes_from_rest_to_rest_add_up(self) -> None:
        first = tuple(pushed(old, 25.0) for old in KEPT)
        second = tuple(pushed(old, 50.0) for old in KEPT)
        _, effects = journalled(
            wuerfelspiel(), *rest_of(*first), *rest_of(*second), *rest_of(*second, *TWO_NEW)
        )
        assert only(effects).body["held"] == "hold 445"

    def test_all_thrown_again_keep_nothing(self) -> None:
        _, effects = journalled(wuerfelspiel(), *rest_of(), *rest_of(*dice_of("11234", spot=5)))
        assert only(effects).body["held"] == "hold"

    def test_a_throw_onto_old_positions_throws_all_dice(self) -> None:
        scattered = (die(2, 10.0, 40.0), *dice_of("1234", spot=7))
        _, effects = journalled(wuerfelspiel(), *rest_of(*scattered))
        assert only(effects).body["held"] == "hold"

    def test_where_a_press_confirms_the_hold_waits_with_the_roll(self) -> None:
        before = wuerfelspiel()
        before = replace(before, setup=replace(before.setup, confirm=Confirm.BUTTON))
        shown = play(before, *rest_of(*KEPT), *rest_of(*KEPT, *TWO_NEW))
        assert shown.phase is Phase.READING
        assert (shown.reading.held_action, shown.play.rolls) == ("hold 445", 1)
        _, effects = journalled(shown, CONFIRM)
        assert only(effects).body["held"] == "hold 445"

    def test_too_few_dice_keep_the_kept_ones_known(self) -> None:
        few = play(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*KEPT, TWO_NEW[0]))
        assert few.phase is Phase.STRAIGHTEN
        assert "4 of 5 are read" in told(few)
        _, effects = journalled(few, *rest_of(*KEPT, *TWO_NEW))
        assert only(effects).body["held"] == "hold 445"

    def test_straightening_keeps_the_kept_dice(self) -> None:
        doubtful = (on.MotionStarted(), on.MotionStopped(), on.ReadingDoubtful((COCKED,), KEPT))
        _, effects = journalled(
            wuerfelspiel(), *rest_of(*KEPT), *doubtful, *rest_of(*KEPT, *TWO_NEW)
        )
        assert kinds_of(effects) == ["reading", "roll"]
        assert effects[-1].body["held"] == "hold 445"


class TestWhatIsRefused:
    def test_a_kept_die_with_another_face_is_a_doubt(self) -> None:
        now = (turned(FOUR, 6), OTHER_FOUR, FIVE, *TWO_NEW)
        state, effects = journalled(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*now))
        assert state.phase is Phase.STRAIGHTEN
        assert "4 here was kept and now shows 6" in told(state)
        assert state.reading.doubts[0].center_px == FOUR.center_px
        assert kinds_of(effects) == ["reading"]

    def test_turning_it_back_resolves_the_doubt(self) -> None:
        now = (turned(FOUR, 6), OTHER_FOUR, FIVE, *TWO_NEW)
        state = play(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*now))
        _, effects = journalled(state, *rest_of(*KEPT, *TWO_NEW))
        assert only(effects).body["held"] == "hold 445"

    def test_a_person_may_say_that_it_was_thrown(self) -> None:
        now = (turned(FOUR, 6), OTHER_FOUR, FIVE, *TWO_NEW)
        state = play(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*now))
        after, effects = journalled(state, CONFIRM)
        body = only(effects).body
        assert body["held"] == "hold 45"
        assert "turned" in str(body["doubts"])
        assert after.phase is Phase.CHOOSING

    def test_a_missing_kept_die_is_a_doubt_until_it_is_back(self) -> None:
        far = replace(FIVE, center_px=(900.0, 900.0))
        state = play(wuerfelspiel(), *rest_of(*KEPT), *rest_of(FOUR, OTHER_FOUR, far, *TWO_NEW))
        assert state.phase is Phase.STRAIGHTEN
        assert "The 5 was kept" in told(state)
        assert state.reading.doubts[0].center_px == FIVE.center_px
        _, effects = journalled(state, *rest_of(*KEPT, *TWO_NEW))
        assert only(effects).body["held"] == "hold 445"

    def test_a_fourth_throw_does_not_count(self) -> None:
        second = play(wuerfelspiel(), *rest_of(*KEPT, *TWO_NEW))
        third = play(second, *rest_of(*dice_of("11111", spot=9)))
        after, effects = journalled(third, *rest_of(*dice_of("66666", spot=12)))
        assert after.phase is Phase.CHOOSING
        assert (after.play.position, effects) == (third.play.position, ())
        assert play(third, on.DiceRead(dice_of("66666", spot=12))).notice is not None

    def test_a_throw_that_was_not_seen_does_not_count(self) -> None:
        state = play(wuerfelspiel(), on.DiceRead(dice_of("66666", spot=12)))
        assert "not seen from its start" in told(state)
        assert (state.phase, state.play.rolls) == (Phase.CHOOSING, 1)

    def test_faces_by_hand_must_hold_the_kept_ones(self) -> None:
        few = play(wuerfelspiel(), *rest_of(*KEPT), *rest_of(*KEPT, TWO_NEW[0]))
        refused = play(few, on.FacesEntered("11112", "Eva"))
        assert (refused.play.position, refused.phase) == (few.play.position, Phase.STRAIGHTEN)
        assert "kept must be among" in told(refused)
        _, effects = journalled(few, on.FacesEntered("44526", "Eva"))
        assert only(effects).body["held"] == "hold 445"
        assert only(effects).body["by_hand"] == "Eva"


class TestPutBack:
    def test_dice_in_the_hand_can_be_put_back(self) -> None:
        returning = play(wuerfelspiel(), *rest_of(*KEPT), BACK)
        assert returning.is_returning
        beside = (pushed(ONE, 60.0), pushed(THREE, 400.0))
        state, effects = journalled(returning, *rest_of(*KEPT, *beside))
        assert (state.phase, state.is_returning, effects) == (Phase.CHOOSING, False, ())

    def test_other_faces_are_not_what_was_there(self) -> None:
        returning = play(wuerfelspiel(), *rest_of(*KEPT), BACK)
        state, effects = journalled(returning, *rest_of(*KEPT, *TWO_NEW))
        assert state.is_returning
        assert "1 3 4 4 5" in told(state)
        assert effects == ()


class TestAnnounced:
    def announced(self, action: str = "hold 445") -> TableState:
        return play(wuerfelspiel(), on.ActionRequested("Ada", action))

    def test_the_others_are_thrown(self) -> None:
        state = play(self.announced(), *rest_of(*KEPT))
        assert (state.phase, told(state).strip()) == (Phase.AWAITING_ROLL, "")
        after, effects = journalled(state, *rest_of(*KEPT, *TWO_NEW))
        assert only(effects).body["held"] == ""
        assert after.phase is Phase.CHOOSING

    def test_which_of_equal_dice_stay_is_the_players_choice(self) -> None:
        state = self.announced("hold 4")
        _, effects = journalled(
            state, *rest_of(OTHER_FOUR), *rest_of(*dice_of("1122", spot=4), OTHER_FOUR)
        )
        assert only(effects).kind == "roll"

    def test_a_die_that_was_to_stay_is_asked_back(self) -> None:
        state = play(self.announced(), *rest_of(FOUR, FIVE))
        assert state.phase is Phase.AWAITING_ROLL
        assert "The 4 was to stay" in told(state)
        assert told(play(state, *rest_of(*KEPT))).strip() == ""

    def test_a_die_that_was_to_stay_and_was_thrown_is_a_doubt(self) -> None:
        state, effects = journalled(self.announced(), *rest_of(FOUR, FIVE, *dice_of("126", spot=4)))
        assert state.phase is Phase.STRAIGHTEN
        assert "The 4 was to stay" in told(state)
        assert play(state, CONFIRM).play.position == state.play.position
        assert kinds_of(effects) == ["reading"]

    def test_a_die_that_was_to_be_thrown_and_stayed_is_named(self) -> None:
        state = play(self.announced(), *rest_of(*KEPT, ONE, TWO_NEW[1]))
        assert state.phase is Phase.AWAITING_ROLL
        assert "The 1 was to be thrown too" in told(state)
        after = play(state, *rest_of(*KEPT, *TWO_NEW))
        assert after.play.rolls == 2

    def test_taking_it_back_asks_for_the_dice_as_they_lay(self) -> None:
        state = play(self.announced(), *rest_of(*KEPT), on.UndoRequested())
        assert (state.phase, state.is_returning) == (Phase.CHOOSING, True)
        after, effects = journalled(state, *rest_of(*ALL))
        assert (after.is_returning, effects) == (False, ())

    def test_undo_before_a_die_is_touched_asks_for_nothing(self) -> None:
        assert not play(self.announced(), on.UndoRequested()).is_returning


class TestBlackNWhite:
    def test_the_die_that_stays_says_which_is_thrown(self) -> None:
        hand = play(black_n_white(), *rest_of(WHITE))
        assert (hand.phase, hand.reading.held_action) == (Phase.IN_HAND, "throw black")
        again = die(2, 500.0, 300.0, is_black=True)
        state, effects = journalled(hand, *rest_of(again, WHITE))
        body = only(effects).body
        assert (body["held"], body["roll"]) == ("throw black", "w4 b2")
        assert [seen.polarity for seen in state.play.roll_dice] == ["light", "dark"]

    def test_the_white_die_taken_though_only_black_was_announced(self) -> None:
        state = play(black_n_white(), on.ActionRequested("Ada", "throw black"))
        told_in_hand = play(state, *rest_of(BLACK))
        assert "The white 4 was to stay" in told(told_in_hand)
        thrown = play(told_in_hand, *rest_of(die(1, 700.0, 300.0), BLACK))
        assert thrown.phase is Phase.STRAIGHTEN
        assert "The white 4 was to stay" in told(thrown)
        assert thrown.play.rolls == 1
        # Nothing is lost: the white die is set back, and the black one thrown.
        back = play(thrown, *rest_of(WHITE, BLACK))
        assert back.phase is Phase.AWAITING_ROLL
        after = play(back, *rest_of(WHITE, die(2, 500.0, 300.0, is_black=True)))
        assert after.play.rolls == 2

    def test_two_white_dice_are_not_the_dice_of_this_game(self) -> None:
        state = play(table(game="black-n-white"), *rest_of(WHITE, die(5, 300.0)))
        assert state.phase is Phase.STRAIGHTEN
        assert "This game needs one white die and one black die" in told(state)
