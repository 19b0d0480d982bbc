# SPDX-License-Identifier: MIT
"""When dice at rest are a roll, and when they are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table.events import Event
from controller.table.state import Phase, TableReading, TableState
from tests.support.table import (
    BACK,
    COCKED,
    CONFIRM,
    dice_of,
    doubtful_throw,
    journalled,
    kinds_of,
    notice_of,
    play,
    rolled_table,
    table,
    throw_of,
    thrown,
)

LOST, BACK_AGAIN = on.DeviceLost("camera", "It is gone.", "Plug it in."), on.DeviceBack("camera")


def hand_over(*dice: Event) -> tuple[Event, ...]:
    """A hand passes over the tray and touches nothing."""
    return on.MotionStarted(), on.MotionStopped(), *dice


def awaiting_second_roll() -> TableState:
    return play(rolled_table("13446"), CONFIRM, CONFIRM)


def test_a_throw_that_comes_to_rest_is_a_roll() -> None:
    state, effects = journalled(table("Ada"), *throw_of("64431", picture="abc"))
    assert state.phase is Phase.CHOOSING
    assert state.play.rolls == 1
    (entry,) = effects
    assert (entry.kind, entry.picture) == ("roll", "abc")
    assert (entry.body["by"], entry.body["roll"]) == ("Ada", "13446")


@pytest.mark.parametrize(
    "events",
    [
        (on.DiceRead(dice_of("13446")),),
        (on.MotionStopped(), on.DiceRead(dice_of("13446"))),
        (on.MotionStarted(), on.DiceRead(dice_of("13446"))),
    ],
    ids=["never moved", "motion from before", "still moving"],
)
def test_dice_read_without_motion_and_rest_are_no_roll(events: tuple[Event, ...]) -> None:
    state, effects = journalled(table(), *events)
    assert state.play.rolls == 0
    assert not effects


def test_dice_of_an_unseen_throw_must_be_thrown_again() -> None:
    state = play(awaiting_second_roll(), on.DiceRead(dice_of("13446", spot=2)))
    assert notice_of(state).text == "This throw was not seen from its start."
    assert play(state, *throw_of("22345", spot=1)).play.rolls == 2


def test_a_hand_over_the_dice_that_lie_there_makes_no_roll() -> None:
    state = awaiting_second_roll()
    after = play(state, *hand_over(on.DiceRead(dice_of("13446"))))
    assert (after.phase, after.play.rolls) == (Phase.AWAITING_ROLL, 1)
    assert after.notice is None


def test_lifted_dice_leave_an_empty_tray_that_waits() -> None:
    after = play(awaiting_second_roll(), *throw_of(""))
    assert (after.phase, after.reading.dice, after.reading.doubts) == (Phase.AWAITING_ROLL, (), ())
    assert play(after, *throw_of("13446")).play.rolls == 2


def test_some_lifted_dice_leave_the_others_waiting() -> None:
    after = play(awaiting_second_roll(), *throw_of("134"))
    assert (after.phase, after.reading.doubts) == (Phase.AWAITING_ROLL, ())


@pytest.mark.parametrize(
    ("stayed", "text"), [(1, "One die was not thrown."), (3, "3 dice were not thrown.")]
)
def test_dice_that_were_not_thrown_with_the_others_are_told(stayed: int, text: str) -> None:
    mixed = (*dice_of("13446")[:stayed], *dice_of("55555", spot=2)[stayed:])
    after = play(awaiting_second_roll(), *hand_over(on.DiceRead(mixed)))
    assert (after.phase, after.play.rolls) == (Phase.AWAITING_ROLL, 1)
    assert (notice_of(after).text, notice_of(after).remedy) == (text, "Throw all 5 dice.")


def test_a_roll_thrown_in_two_goes_is_no_roll() -> None:
    first, second = dice_of("13446")[:3], dice_of("55555", spot=2)[3:]
    state = play(awaiting_second_roll(), *hand_over(on.DiceRead((*first, *second))))
    moved = dice_of("222", spot=4)
    after = play(state, *hand_over(on.DiceRead((*moved, *second))))
    assert after.play.rolls == 1
    assert notice_of(after).text == "2 dice were not thrown."


@pytest.mark.parametrize(
    ("faces", "text"),
    [
        ("1344", "One die is missing: 4 of 5 are read. Throw it too."),
        ("134", "2 dice are missing: 3 of 5 are read. Throw them too."),
        ("134466", "There is one die too many: 6 instead of 5. Remove one die."),
    ],
)
def test_a_wrong_number_of_dice_is_a_doubt(faces: str, text: str) -> None:
    after = play(table(), *throw_of(faces))
    assert after.phase is Phase.STRAIGHTEN
    assert [(doubt.kind, doubt.text) for doubt in after.reading.doubts] == [("count", text)]
    assert play(after, *throw_of("13446")).play.rolls == 1


def test_entered_faces_keep_the_picture_of_their_own_reading() -> None:
    state = play(table("Ada"), *throw_of("13446", picture="first"), CONFIRM)
    after, effects = journalled(
        state, *throw_of("1344", spot=1, picture="second"), on.FacesEntered("13446", "Eva")
    )
    assert [(effect.kind, effect.picture) for effect in effects] == [
        ("reading", "second"),
        ("roll", "second"),
    ]
    assert after.picture == "second"


def test_a_doubtful_reading_is_never_taken_by_itself() -> None:
    for confirm in Confirm:
        state, effects = journalled(table(confirm=confirm), *doubtful_throw())
        assert state.phase is Phase.STRAIGHTEN
        assert (state.play.rolls, state.reading.doubts) == (0, (COCKED,))
        assert play(state, CONFIRM) is state
        assert kinds_of(effects) == ["reading"]


def test_straightened_dice_are_the_roll() -> None:
    state = play(table(), *doubtful_throw("1344"))
    by_motion = play(state, *throw_of("13446"))
    by_themselves = play(state, on.DiceRead(dice_of("13446")))
    for after in (by_motion, by_themselves):
        assert (after.phase, after.play.rolls, after.reading.doubts) == (Phase.CHOOSING, 1, ())
    assert play(state, on.ReadingDoubtful((COCKED,))).phase is Phase.STRAIGHTEN


def test_dice_put_back_as_they_lay_are_no_roll_after_a_doubt() -> None:
    state = play(awaiting_second_roll(), *doubtful_throw("1", spot=3))
    assert play(state, *throw_of("13446")).phase is Phase.AWAITING_ROLL


def test_a_throw_while_somebody_chooses_does_not_count() -> None:
    state = play(rolled_table("13446"), CONFIRM)
    after, effects = journalled(state, *throw_of("22222", spot=1))
    assert (after.phase, after.play.position, effects) == (Phase.CHOOSING, state.play.position, ())
    assert notice_of(after).text == "Ben chooses first. This throw does not count."


def test_moved_dice_after_a_restart_are_no_early_throw() -> None:
    state = replace(rolled_table("13446"), reading=TableReading())
    assert play(state, on.DiceRead(dice_of("22222", spot=1))).notice is None


def test_a_second_reading_of_the_roll_is_no_early_throw() -> None:
    state = rolled_table("13446")
    after = play(state, *hand_over(on.DiceRead(dice_of("13446"))))
    assert after.phase == state.phase
    assert (after.play.position, after.notice) == (state.play.position, None)
    hidden = play(state, on.ReadingDoubtful((COCKED,), dice_of("13")))
    assert play(hidden, on.DiceRead(dice_of("13446"))).notice is None


EARLY = throw_of("22222", spot=1)
SAME_DICE = on.DiceRead(dice_of("22222", spot=1))
NOT_THROWN: dict[str, tuple[TableState, tuple[Event, ...]]] = {
    "while somebody chose": (rolled_table("13446"), (*EARLY, CONFIRM, CONFIRM)),
    "before the game": (TableState(), (*EARLY, on.GameStarted("choice", ("Ada", "Ben")))),
    "before the next game": (awaiting_second_roll(), (on.GameClosed(), *EARLY, CONFIRM)),
    "without a motion": (awaiting_second_roll(), (SAME_DICE,)),
    "while play was paused": (
        awaiting_second_roll(),
        (on.PauseRequested(), *EARLY, on.ResumeRequested()),
    ),
    "before play was paused": (
        play(awaiting_second_roll(), *doubtful_throw("2222", spot=1)),
        (on.PauseRequested(), on.ResumeRequested()),
    ),
    "while the camera was lost": (awaiting_second_roll(), (LOST, BACK_AGAIN, SAME_DICE, CONFIRM)),
    "before an undo": (
        play(awaiting_second_roll(), *doubtful_throw("2222", spot=1)),
        (BACK, CONFIRM),
    ),
    "before the game was left": (
        play(awaiting_second_roll(), *doubtful_throw("2222", spot=1)),
        (on.GameClosed(), CONFIRM),
    ),
    "with a doubt and no motion": (
        awaiting_second_roll(),
        (on.ReadingDoubtful((COCKED,), dice_of("2222", spot=1)),),
    ),
}


@pytest.mark.parametrize("case", NOT_THROWN)
def test_a_passing_hand_once_made_a_roll_of_dice_thrown(case: str) -> None:
    state, events = NOT_THROWN[case]
    waiting = play(state, *events)
    assert waiting.phase is Phase.AWAITING_ROLL
    after = play(waiting, *hand_over(SAME_DICE))
    assert (after.phase, after.play.rolls) == (Phase.AWAITING_ROLL, waiting.play.rolls)
    assert play(after, *throw_of("22222", spot=5)).play.rolls == waiting.play.rolls + 1


def test_a_press_confirms_a_certain_reading_where_that_is_set() -> None:
    state, shown = journalled(table(confirm=Confirm.BUTTON), *throw_of("13446", picture="abc"))
    assert (state.phase, state.play.rolls) == (Phase.READING, 0)
    assert [(effect.kind, effect.picture) for effect in shown] == [("reading", "abc")]
    after, effects = journalled(state, CONFIRM)
    assert (after.phase, after.play.rolls) == (Phase.CHOOSING, 1)
    assert [(effect.kind, effect.picture) for effect in effects] == [("roll", "abc")]


def test_dice_thrown_again_before_the_press_replace_the_reading() -> None:
    state = play(table(confirm=Confirm.BUTTON), *throw_of("13446"), *throw_of("22345", spot=1))
    assert state.phase is Phase.READING
    assert play(state, CONFIRM).play.roll_dice == thrown("22345", spot=1)


def test_entered_faces_are_journalled_with_doubts_and_picture() -> None:
    state = play(table("Ada"), *doubtful_throw("1344", picture="abc"))
    after, (entry,) = journalled(state, on.FacesEntered("13446", "Eva"))
    assert (after.phase, after.play.by_hand) == (Phase.CHOOSING, "Eva")
    assert entry.picture == "abc"
    assert entry.body["by_hand"] == "Eva"
    assert (entry.body["by"], entry.body["roll"]) == ("Ada", "13446")
    assert entry.body["doubts"] == ["cocked: A die leans against the wall."]
    assert [one.face for one in after.play.roll_dice] == [1, 3, 4, 4, 6]


@pytest.mark.parametrize(
    ("roll", "by", "reason"),
    [
        ("13446", "  ", "Enter the name of the official."),
        ("1344", "Eva", "5 digits from 1 to 6"),
        ("13447", "Eva", "5 digits from 1 to 6"),
        ("१३४४६", "Eva", "5 digits from 1 to 6"),
        ("", "Eva", "5 digits from 1 to 6"),
    ],
)
def test_faces_that_cannot_be_a_roll_are_refused(roll: str, by: str, reason: str) -> None:
    state = play(table(), *doubtful_throw())
    after, effects = journalled(state, on.FacesEntered(roll, by))
    assert (after.phase, after.play.position, effects) == (state.phase, state.play.position, ())
    assert after.reading.doubts == state.reading.doubts
    assert reason in notice_of(after).text


def test_faces_are_not_entered_by_hand_where_nothing_is_doubtful() -> None:
    for state in (table(), rolled_table("13446"), play(table(), on.MotionStarted())):
        assert play(state, on.FacesEntered("13446", "Eva")) is state
