# SPDX-License-Identifier: MIT
"""What the reader said is in the journal: of rolls, and of readings that were not taken."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from controller.base.errors import InputError
from controller.base.settings.choices import Confirm
from controller.journal.hashchain import Body, Value
from controller.table import events as on
from controller.table.effects import PendingEntry
from controller.table.events import Event, TrayDoubt
from controller.table.journal_entries import JournalEntry, restore_table
from controller.table.reading_codec import decode_dice, decode_picture_info
from controller.table.state import TableState
from tests.support.table import (
    COCKED,
    CONFIRM,
    dice_of,
    die,
    doubtful_throw,
    journalled,
    kinds_of,
    play,
    table,
    throw_of,
)

SHOT = on.PictureInfo(
    crop_px=(8, 16, 600, 400),
    frame_wh=(640, 480),
    clip="f" * 64,
    rejected=(on.RejectedShape("no pips", (12.5, 7.25)),),
)
SAID = {
    "picture": "abc",
    "crop_px": [8, 16, 600, 400],
    "frame_px": [640, 480],
    "clip": "f" * 64,
    "rejected": [{"reason": "no pips", "x_mpx": 12500, "y_mpx": 7250}],
}
DICE = tuple(replace(one, confidence_ppm=998_500) for one in dice_of("13446"))
WHOLE_TRAY = TrayDoubt("unsure", "The frames differ.")


def certain(picture: str = "abc") -> tuple[Event, ...]:
    return on.MotionStarted(), on.MotionStopped(), on.DiceRead(DICE, picture, SHOT)


def doubtful(*doubts: TrayDoubt, picture: str = "abc") -> tuple[Event, ...]:
    return (
        on.MotionStarted(),
        on.MotionStopped(),
        on.ReadingDoubtful(doubts, DICE[:4], picture, SHOT),
    )


def plain(effects: Sequence[PendingEntry]) -> list[dict[str, object]]:
    return [json.loads(json.dumps(effect.body)) for effect in effects]


def said_in(body: dict[str, object]) -> dict[str, object]:
    return {key: body[key] for key in SAID}


def test_a_roll_says_all_that_the_reader_said() -> None:
    _, effects = journalled(table(), *certain())
    (body,) = plain(effects)
    assert said_in(body) == SAID
    lie = body["lie"]
    assert isinstance(lie, list)
    assert {(one["confidence_ppm"], one["origin"]) for one in lie} == {(998_500, "thrown")}


@pytest.mark.parametrize("confirm", list(Confirm))
def test_a_doubtful_reading_is_journalled_with_its_doubts(confirm: Confirm) -> None:
    _, effects = journalled(table(confirm=confirm), *doubtful(COCKED, WHOLE_TRAY))
    (body,) = plain(effects)
    assert kinds_of(effects) == ["reading"]
    assert (body["by"], said_in(body)) == ("Ada", SAID)
    assert body["doubts"] == ["cocked: A die leans against the wall.", "unsure: The frames differ."]
    assert body["doubts_at"] == [{"x_mpx": 90000, "y_mpx": 40000, "radius_mpx": 30000}, {}]


def test_a_reading_and_its_confirmation_are_two_entries() -> None:
    state, shown = journalled(table(confirm=Confirm.BUTTON), *certain())
    _, taken = journalled(state, CONFIRM)
    assert (kinds_of(shown), kinds_of(taken)) == (["reading"], ["roll"])
    assert [said_in(body) for body in plain((*shown, *taken))] == [SAID, SAID]


def test_a_hand_over_the_same_rest_in_doubt_writes_it_only_once() -> None:
    state, effects = journalled(
        table(), *doubtful(COCKED), *doubtful(COCKED, picture="2nd"), *doubtful(COCKED)
    )
    assert kinds_of(effects) == ["reading"]
    _, by_hand = journalled(
        play(state, *doubtful(COCKED, picture="4th")), on.FacesEntered("13446", "Eva")
    )
    assert [(one.kind, one.picture) for one in by_hand] == [("roll", "4th")]


@pytest.mark.parametrize(
    "other",
    [
        doubtful(replace(COCKED, center_px=(200.0, 40.0))),
        doubtful(replace(COCKED, kind="glare")),
        doubtful(COCKED, WHOLE_TRAY),
        (
            on.MotionStarted(),
            on.MotionStopped(),
            on.ReadingDoubtful((COCKED,), DICE[:3], "abc", SHOT),
        ),
        doubtful_throw("1344", spot=2),
    ],
)
def test_a_rest_that_differs_is_told_again(other: tuple[Event, ...]) -> None:
    _, effects = journalled(table(), *doubtful(COCKED), *other)
    assert kinds_of(effects) == ["reading", "reading"]


def test_what_lies_there_while_nobody_plays_is_not_written() -> None:
    lying = (on.ReadingDoubtful((COCKED,), DICE, "abc", SHOT), on.DiceRead(DICE, "abc", SHOT))
    assert journalled(TableState(), *lying)[1] == ()


def test_dice_that_were_not_thrown_are_no_reading() -> None:
    state = play(table("Ada"), *throw_of("13446"), CONFIRM)
    assert journalled(state, *throw_of("13446"))[1] == ()


def test_picture_info_survives_a_restart() -> None:
    _, effects = journalled(table(), *certain())
    game: JournalEntry = ("game", {"game": "choice", "players": ["Ada"], "options": {}})
    after = restore_table(TableState(), [game, ("roll", json.loads(json.dumps(effects[0].body)))])
    assert (after.picture_info, after.picture) == (SHOT, "abc")
    assert [one.confidence_ppm for one in after.dice_on_felt] == [998_500] * 5


def test_a_journal_of_format_1_is_restored_without_pictures() -> None:
    old_die: dict[str, Value] = {
        "face": 1,
        "polarity": "light",
        "colour": "white",
        "x_mpx": 0,
        "y_mpx": 0,
    }
    old_die |= {"angle_mdeg": 0, "edge_mpx": 40000}
    roll: Body = {"by": "Ada", "roll": "11111", "lie": [old_die] * 5, "doubts": []}
    roll = {**roll, "by_hand": "", "picture": "abc"}
    game: JournalEntry = ("game", {"game": "choice", "players": ["Ada"], "options": {}})
    after = restore_table(TableState(), [game, ("roll", roll)])
    assert after.play.rolls == 1
    assert (after.picture_info, after.dice_on_felt[0]) == (on.PictureInfo(), die(1, 0.0, 0.0))


@pytest.mark.parametrize(
    "forged",
    [
        {"face": "4"},
        {"polarity": ["light"]},
        {"colour": None},
        {"x_mpx": "12"},
        {"angle_mdeg": 1.5},
        {"origin": {"thrown": 1}},
        {"was": [6]},
        {"confidence_ppm": "all"},
    ],
)
def test_a_die_that_is_none_is_refused(forged: dict[str, Value]) -> None:
    _, effects = journalled(table(), *certain())
    (body,) = plain(effects)
    lie = body["lie"]
    assert isinstance(lie, list)
    with pytest.raises(InputError, match=r"Expected `(int|str)`, got"):
        decode_dice({"lie": [{**lie[0], **forged}, *lie[1:]]})


@pytest.mark.parametrize("place", [[1, 2, 3, "4"], [1, 2, None, 4], "1234"])
def test_a_place_that_is_none_is_refused(place: Value) -> None:
    with pytest.raises(InputError, match=r"Expected `(int|array)`, got"):
        decode_picture_info({"crop_px": place})
