# SPDX-License-Identifier: MIT
"""The last roll once more: a review stops play, a correction takes the roll anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.base.errors import InputError
from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table.effects import PendingEntry
from controller.table.events import Event, Key
from controller.table.review import correct_roll
from controller.table.state import Phase, TableState, require_game
from controller.table.view.question import name_question
from controller.table.view.snapshot import build_snapshot, list_lamps
from tests.support.table import (
    BACK,
    CONFIRM,
    RIGHT,
    dice_of,
    die,
    doubtful_throw,
    finished_table,
    journalled,
    only,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)

WHY = "The one is a six."
CORRECTED = on.RollCorrected("63446", "Eva", WHY)
JOKERS = table(options={"jokers": True})
LOST = on.DeviceLost("camera", "It is gone.", "Look for it.")


def roll_of(state: TableState) -> str:
    assert state.play.last_roll is not None
    return state.play.last_roll.roll


def notice_of(state: TableState) -> tuple[str, str]:
    assert state.notice is not None
    return state.notice.kind, state.notice.text


def reviewed(state: TableState) -> TableState:
    assert state.play.last_roll is not None
    last = replace(state.play.last_roll, is_reviewed=True)
    return replace(state, play=replace(state.play, last_roll=last))


def is_reviewed(state: TableState) -> bool:
    assert state.play.last_roll is not None
    return state.play.last_roll.is_reviewed


class TestReview:
    def test_it_stops_play_and_goes_on_exactly_where_it_was(self) -> None:
        state = play(rolled_table("13446"), RIGHT, RIGHT)
        review, effects = journalled(state, on.ReviewRequested())
        assert (review.phase, only(effects)) == (Phase.REVIEW, PendingEntry("review", {"by": ""}))
        after, effects = journalled(review, CONFIRM)
        assert only(effects) == PendingEntry("reviewed", {"outcome": "stands"})
        assert after == reviewed(state)

    @pytest.mark.parametrize(
        "state",
        [
            play(table("Ada"), *throw_of("13446"), CONFIRM),
            play(
                table(options={"jokers": True}),
                *throw_of("13446"),
                on.ActionRequested("Ada", "terminator"),
            ),
            play(table(game="wuerfelspiel"), *throw_of("13446"), *rest_of(*dice_of("134"))),
            finished_table("Ada"),
        ],
        ids=lambda state: state.phase.value,
    )
    def test_it_is_asked_for_wherever_dice_lie_still(self, state: TableState) -> None:
        calm = replace(state, notice=None)
        review = play(calm, on.ReviewRequested())
        assert review.phase is Phase.REVIEW
        assert play(review, CONFIRM) == reviewed(calm)

    def test_faces_that_were_corrected_since_are_not_reviewed_yet(self) -> None:
        seen = play(rolled_table("13446"), on.ReviewRequested(), CONFIRM)
        assert is_reviewed(seen)
        corrected = play(seen, on.RollCorrected("63446", "Eva", "A six."))
        assert not is_reviewed(corrected)
        assert is_reviewed(play(corrected, on.ReviewRequested(), CONFIRM))
        in_review = (on.ReviewRequested(), on.RollCorrected("63446", "Eva", "A six."), CONFIRM)
        assert is_reviewed(play(rolled_table("13446"), *in_review))

    @pytest.mark.parametrize(
        "events",
        [
            (on.MotionStarted(),),
            (on.MotionStarted(), on.MotionStopped()),
            doubtful_throw(spot=1),
            (on.PauseRequested(),),
            (LOST,),
        ],
        ids=["rolling", "settling", "straighten", "paused", "fault"],
    )
    def test_a_review_waits_for_throws_doubts_and_stops(self, events: tuple[Event, ...]) -> None:
        state = play(table("Ada"), *throw_of("13446"), CONFIRM, *events)
        assert play(state, on.ReviewRequested()) is state

    def test_before_the_first_roll_there_is_nothing_to_review(self) -> None:
        state, effects = journalled(table(), on.ReviewRequested())
        assert (state.phase, effects) == (Phase.AWAITING_ROLL, ())
        assert notice_of(state) == ("info", "There is no roll to review yet.")

    def test_no_roll_is_taken_and_nobody_acts_until_it_is_over(self) -> None:
        review = play(table("Ada"), *throw_of("13446"), CONFIRM, on.ReviewRequested())
        thrown = play(
            review, *throw_of("22345", spot=3), on.UndoRequested(), BACK, on.PauseRequested()
        )
        assert (thrown.phase, thrown.play.rolls) == (Phase.REVIEW, 1)
        after = play(thrown, CONFIRM)
        assert (after.phase, after.play.rolls) == (Phase.AWAITING_ROLL, 1)
        assert play(after, *throw_of("22345", spot=3)).play.rolls == 1, (
            "it was thrown in the review"
        )
        assert play(after, *throw_of("22345", spot=4)).play.rolls == 2

    def test_dice_that_come_back_from_a_hand_are_in_the_hand_no_more(self) -> None:
        whole = dice_of("13446")
        state = play(table(game="wuerfelspiel"), *throw_of("13446"), *rest_of(*whole[:3]))
        assert state.phase is Phase.IN_HAND
        after = play(state, on.ReviewRequested(), on.DiceRead(whole), CONFIRM)
        assert after.phase is Phase.CHOOSING

    def test_a_lost_camera_does_not_end_it(self) -> None:
        state = play(rolled_table("13446"), on.ReviewRequested(), LOST, on.DeviceBack("camera"))
        assert state.phase is Phase.REVIEW
        assert play(state, CONFIRM).phase is Phase.CHOOSING

    def test_players_may_leave_the_game_in_the_middle_of_it(self) -> None:
        state = play(rolled_table("13446"), on.ReviewRequested(), on.GameClosed())
        assert (state.phase, state.play.review, state.play.last_roll) == (Phase.LOBBY, None, None)


class TestPanels:
    def test_only_who_asked_ends_a_review_on_an_own_panel(self) -> None:
        review, effects = journalled(rolled_table("13446"), on.ReviewRequested(2))
        assert only(effects).body == {"by": "Ben"}
        ada = play(review, on.KeyPressed(Key.CONFIRM, 1))
        assert ada.phase is Phase.REVIEW
        assert notice_of(ada) == ("info", "Ben asked for this review and ends it.")
        assert play(review, on.KeyPressed(Key.CONFIRM, 2)).phase is Phase.CHOOSING
        assert play(review, CONFIRM).phase is Phase.CHOOSING, "the table's panel is everybody's"

    @pytest.mark.parametrize(
        ("viewer", "hint"),
        [
            ("", "Ben asked to see it again. Confirm if it is right. An official can correct it."),
            (
                "Ben",
                "Ben asked to see it again. Confirm if it is right. An official can correct it.",
            ),
            ("Ada", "Ben asked to see it again."),
        ],
    )
    def test_only_who_can_end_it_is_told_how(self, viewer: str, hint: str) -> None:
        review = play(rolled_table("13446"), on.ReviewRequested(2))
        assert build_snapshot(review, version=1, viewer=viewer)["hint"] == hint

    def test_where_nobody_sits_nobody_asks(self) -> None:
        state, effects = journalled(rolled_table("13446"), on.ReviewRequested(5))
        assert (state.phase, effects) == (Phase.CHOOSING, ())
        assert notice_of(state) == ("info", "No player sits at panel 5.")

    def test_the_lamps_say_who_can_end_it(self) -> None:
        review = play(rolled_table("13446"), on.ReviewRequested(2))
        view = build_snapshot(review, version=1)
        assert view["buttons"] == {
            "left": None,
            "right": None,
            "confirm": "roll is right",
            "back": None,
        }
        assert list_lamps(review, view["buttons"]) == [[], ["confirm"], [], [], [], []]
        asked_at_the_table = play(rolled_table("13446"), on.ReviewRequested())
        assert list_lamps(asked_at_the_table, view["buttons"]) == [["confirm"]] * 6


class TestCorrection:
    def test_the_game_follows_from_the_corrected_roll(self) -> None:
        state, effects = journalled(rolled_table("13446"), CORRECTED)
        right = rolled_table("63446")
        assert (state.phase, state.play.position) == (Phase.CHOOSING, right.play.position)
        assert (state.play.rolls, state.play.by_hand) == (1, "Eva")
        entry = only(effects)
        assert (entry.kind, entry.picture) == ("correction", "")
        assert entry.body == {
            "by": "Eva",
            "reason": WHY,
            "was": "13446",
            "roll": "63446",
            "picture": "",
            "undone": [],
        }

    def test_what_was_done_since_is_taken_back_listed_and_told(self) -> None:
        actions = (on.ActionRequested("Ada", "4+10/4"), on.ActionRequested("Ben", "5+7/6"))
        before = play(table(), *throw_of("13446", picture="abc"), *actions)
        state, effects = journalled(before, CORRECTED)
        body = only(effects).body
        assert body["undone"] == [{"by": "Ada", "do": "4+10/4"}, {"by": "Ben", "do": "5+7/6"}]
        assert body["picture"] == "abc"
        assert require_game(state).acted == ()
        assert state.play.undoable == ()
        assert state.notice is not None
        assert state.notice.text == "Eva corrected the roll: 3 4 4 6 6."
        assert state.notice.remedy == "Taken back: Ada: 4+10/4 and Ben: 5+7/6."

    def test_the_roll_that_ended_the_game_is_corrected_too(self) -> None:
        over = finished_table("Ada")
        state, effects = journalled(over, on.RollCorrected("11112", "Eva", WHY))
        assert (over.phase, state.phase) == (Phase.GAME_OVER, Phase.CHOOSING)
        assert "result" not in only(effects).body
        assert play(state, CONFIRM).phase is Phase.AWAITING_ROLL, "a two is left out instead"

    def test_several_corrections_keep_what_was_read_first(self) -> None:
        state, effects = journalled(
            rolled_table("13446"), CORRECTED, on.RollCorrected("53446", "Eva", "No, a five.")
        )
        assert [entry.body["was"] for entry in effects] == ["13446", "63446"]
        assert state.play.last_roll is not None
        assert (state.play.last_roll.was, roll_of(state)) == ("13446", "53446")

    def test_only_the_die_that_was_wrong_shows_another_face(self) -> None:
        state = play(rolled_table("14346"), on.RollCorrected("14356", "Eva", WHY))
        assert [one.face for one in state.play.roll_dice] == [1, 3, 4, 5, 6]
        places = {one.center_px: one.face for one in state.play.roll_dice}
        lying = [places[one.center_px] for one in dice_of("14346")]
        assert lying in ([1, 5, 3, 4, 6], [1, 4, 3, 5, 6]), "one of the fours is a five now"
        assert [one.face for one in state.dice_on_felt] == lying
        in_another_order = play(rolled_table("14346"), on.RollCorrected("65431", "Eva", WHY))
        assert in_another_order.play.roll_dice == state.play.roll_dice

    def test_dice_of_a_corrected_roll_are_no_new_roll(self) -> None:
        state = play(table("Ada"), *throw_of("13446"), CORRECTED, CONFIRM)
        for faces in ("13446", "63446"):
            assert play(state, *throw_of(faces)).play.rolls == 1
        assert play(state, *throw_of("22345", spot=1)).play.rolls == 2

    @pytest.mark.parametrize(
        ("roll", "by", "reason", "words"),
        [
            ("1344", "Eva", WHY, "5 digits from 1 to 6"),
            ("13447", "Eva", WHY, "5 digits from 1 to 6"),
            ("w1 b3", "Eva", WHY, "5 digits from 1 to 6"),
            ("64431", "Eva", WHY, "The roll already counts as 1 3 4 4 6."),
            ("63446", " ", WHY, "Enter the name of the official."),
            ("63446", "Eva", " ", "Enter the reason."),
        ],
    )
    def test_what_is_wrong_is_refused_in_words_and_changes_nothing(
        self, roll: str, by: str, reason: str, words: str
    ) -> None:
        before = rolled_table("13446")
        state, effects = journalled(before, on.RollCorrected(roll, by, reason))
        kind, text = notice_of(state)
        assert (kind, words in text, effects) == ("refused", True, ())
        assert replace(state, notice=None) == before

    def test_a_roll_without_its_dice_is_not_corrected(self) -> None:
        state = rolled_table("13446")
        assert state.play.last_roll is not None
        last = replace(state.play.last_roll, dice=())
        broken = replace(state, play=replace(state.play, last_roll=last))
        refused, effects = journalled(broken, CORRECTED)
        kind, text = notice_of(refused)
        assert (kind, "expected 0 faces" in text, effects) == ("refused", True, ())

    def test_a_kept_die_is_of_the_roll_before_and_stays(self) -> None:
        kept = dice_of("13446")[2:4]
        thrown = tuple(die(face, 900.0, 100.0 * face) for face in (1, 2, 6))
        state = play(table(game="wuerfelspiel"), *throw_of("13446"), *rest_of(*kept, *thrown))
        assert (state.play.rolls, roll_of(state)) == (2, "12446")
        refused, effects = journalled(state, on.RollCorrected("12346", "Eva", WHY))
        assert (refused.play.position, effects) == (state.play.position, ())
        assert notice_of(refused)[0] == "refused"
        assert roll_of(play(state, on.RollCorrected("44126", "Eva", WHY))) == "12446"
        assert roll_of(play(state, on.RollCorrected("44125", "Eva", WHY))) == "44125"

    def test_dice_that_were_taken_because_of_it_come_back_first(self) -> None:
        state = play(
            table(game="wuerfelspiel"), *throw_of("13446"), *rest_of(*dice_of("13446")[2:])
        )
        assert state.phase is Phase.IN_HAND
        state = play(state, on.RollCorrected("63446", "Eva", WHY))
        assert (state.phase, state.is_returning) == (Phase.CHOOSING, True)

    def test_dice_of_two_colours_keep_them(self) -> None:
        dice = (die(6, 0.0, is_black=True), die(4, 200.0))
        state = play(table(game="black-n-white"), *rest_of(*dice))
        state = play(state, on.RollCorrected("w6 b4", "Eva", WHY))
        assert [(one.face, one.polarity) for one in state.play.roll_dice] == [
            (6, "light"),
            (4, "dark"),
        ]
        assert require_game(state).player_dice("Ada") == ("w6", "b4")

    def test_a_jokers_own_dice_are_corrected_for_that_player_alone(self) -> None:
        rolled = play(JOKERS, *throw_of("13446"))
        waiting = play(rolled, on.ActionRequested("Ada", "terminator"))
        state = play(waiting, *throw_of("22345", spot=1))
        assert state.chooser == "Ada"
        state = play(state, on.RollCorrected("22346", "Eva", WHY))
        assert require_game(state).player_dice("Ada") == tuple("22346")
        assert require_game(state).player_dice("Ben") == tuple("13446")
        assert [one.face for one in state.play.roll_dice] == [1, 3, 4, 4, 6]

    def test_a_correction_keeps_a_pause_and_repeats_a_throw(self) -> None:
        state = play(rolled_table("13446"), on.PauseRequested(), CORRECTED)
        assert (state.phase, roll_of(state)) == (Phase.PAUSED, "63446")
        assert play(state, on.ResumeRequested()).phase is Phase.CHOOSING
        rolling = play(table("Ada"), *throw_of("13446"), CONFIRM, on.MotionStarted(), CORRECTED)
        assert rolling.phase is Phase.CHOOSING
        assert (
            play(rolling, on.MotionStopped(), on.DiceRead(dice_of("22345", spot=1))).play.rolls == 1
        )

    def test_a_roll_that_waits_for_its_press_is_not_the_last_one(self) -> None:
        first = play(table("Ada", confirm=Confirm.BUTTON), *throw_of("13446"), CONFIRM, CONFIRM)
        state = play(first, *throw_of("22345", spot=1), CORRECTED)
        assert (state.play.rolls, roll_of(state), state.phase) == (1, "63446", Phase.CHOOSING)

    def test_faces_that_were_entered_by_hand_are_corrected_too(self) -> None:
        state = play(
            table(), *doubtful_throw(), on.FacesEntered("13446", "Eva", "It leans."), CORRECTED
        )
        assert (roll_of(state), state.play.by_hand) == ("63446", "Eva")
        assert all(one.edge_px == 0 for one in state.play.roll_dice)

    def test_in_a_review_everybody_sees_it_before_play_goes_on(self) -> None:
        chosen = play(
            rolled_table("13446"), on.ActionRequested("Ada", "4+10/4"), on.ReviewRequested(2)
        )
        state = play(chosen, CORRECTED)
        shown = [one.face for one in state.shown_dice]
        assert (state.phase, shown) == (Phase.REVIEW, [3, 4, 4, 6, 6])
        assert name_question(state) != name_question(chosen), "who pressed has not seen it"
        assert build_snapshot(state, version=1)["buttons"]["confirm"] == "continue"
        after, effects = journalled(state, CONFIRM)
        assert only(effects) == PendingEntry("reviewed", {"outcome": "corrected"})
        assert (after.phase, after.chooser) == (Phase.CHOOSING, "Ada")


def test_a_corrected_roll_of_a_journal_is_a_roll_of_its_game() -> None:
    """A raised two is a digit, but no number."""
    with pytest.raises(InputError, match="expected 5 digits from 1 to 6"):
        correct_roll(rolled_table("13446"), by="Eva", roll="\u00b23446", reason=WHY)


def test_a_reason_for_entered_faces_is_journalled() -> None:
    state = play(table(), *doubtful_throw())
    for reason, told in (("It leans.", {"reason": "It leans."}), ("", {})):
        _, effects = journalled(state, on.FacesEntered("13446", "Eva", reason))
        body = effects[-1].body
        assert {key: body[key] for key in body if key == "reason"} == told


def test_the_view_says_all_that_a_correction_is_about() -> None:
    rolled = play(table(), *throw_of("13446", picture="c0ffee00" * 8))
    view = build_snapshot(play(rolled, on.ActionRequested("Ada", "4+10/4")), version=1)
    last_roll = view["last_roll"]
    assert last_roll is not None
    assert (last_roll["name"], last_roll["since"]) == ("roll 1, 13446 in c0ffee00", ["Ada: 4+10/4"])
    assert (last_roll["may_review"], last_roll["may_correct"]) == (True, True)
    assert [die["face"] for die in last_roll["dice"]] == [1, 3, 4, 4, 6]
    assert (view["corrected"], view["review"]) == (False, None)
    corrected = build_snapshot(play(rolled, CORRECTED), version=2)
    assert (corrected["corrected"], corrected["by_hand"]) == (True, True)
    assert corrected["last_roll"] is not None
    assert corrected["last_roll"]["name"] != last_roll["name"]
