# SPDX-License-Identifier: MIT
"""Just dice at a table: every rest in which a die was thrown is a roll, without any press."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.games.free_dice.rules import FreeDiceState
from controller.table import events as on
from controller.table.events import Key
from controller.table.journal_entries import game_entry, restore_table
from controller.table.state import Phase, TableState, require_game
from tests.support.table import (
    BACK,
    COCKED,
    CONFIRM,
    LEFT,
    RIGHT,
    dice_of,
    die,
    entries_of,
    journalled,
    play,
    rest_of,
    table,
    throw_of,
    view,
)

ONE, THREE, FOUR, SIX = dice_of("1346")
LYING = (ONE, THREE, FOUR, SIX)


def dice_table(*players: str, count: int = 4) -> TableState:
    return table(*(players or ("Ada",)), game="dice", options={"dice": count})


def rolled(*players: str) -> TableState:
    """Return a table where Ada has thrown 1 3 4 6."""
    return play(dice_table(*players), *rest_of(*LYING))


def position(state: TableState) -> FreeDiceState:
    game = require_game(state)
    assert isinstance(game, FreeDiceState)
    return game


def last_entry(state: TableState, *events: Any) -> tuple[TableState, dict[str, Any]]:
    after, effects = journalled(state, *events)
    return after, {} if not effects else {**effects[-1].body}


def test_throw_follows_throw_without_any_press() -> None:
    state = play(rolled(), *throw_of("2222", spot=3), *throw_of("5551", spot=5))
    assert state.phase is Phase.CHOOSING
    assert (state.play.rolls, position(state).faces) == (3, (1, 5, 5, 5))
    shown = view(state)
    assert shown["headline"] == "Sum: 16"
    sheet = shown["players"][0]["sheet"]
    assert (sheet["sum"], sheet["counts"]) == (16, [2, 4, 1, 1, 3, 1])
    assert sheet["sets"] == [{"face": 5, "count": 3}]
    assert [roll["sum"] for roll in sheet["recent"]] == [16, 8, 14]


def test_the_turn_goes_round_with_throws_of_all_dice() -> None:
    state = rolled("Ada", "Ben")
    assert view(state)["hint"] == "Ben throws next."
    after, entry = last_entry(state, *throw_of("2222", spot=3))
    assert (entry["by"], entry["held"]) == ("Ben", "throw")
    assert require_game(after).totals() == {"Ada": 14, "Ben": 8}


def test_dice_that_stay_belong_to_a_new_roll_of_the_same_player() -> None:
    state = rolled("Ada", "Ben")
    state, entry = last_entry(state, *rest_of(FOUR, SIX, *dice_of("55", spot=3)))
    assert (entry["by"], entry["held"], entry["roll"]) == ("Ada", "again", "4556")
    assert [one["origin"] for one in entry["lie"]].count("kept") == 2
    shown = view(state)
    assert sorted(die["face"] for die in shown["dice"] if die["group"] == "kept") == [4, 6]
    assert shown["players"][0]["sheet"]["recent"][0]["again"]
    assert (state.chooser, shown["hint"]) == ("Ben", "Ben throws next.")


def test_dice_are_lifted_pushed_and_turned_without_a_roll() -> None:
    """Who puts kept dice aside or takes some out has thrown nothing yet."""
    aside = replace(ONE, center_px=(700.0, 300.0), origin="placed")
    turned = replace(ONE, face=2)
    for rest in ((FOUR, SIX), (aside, *LYING[1:]), (), (turned, *LYING[1:])):
        state = play(rolled(), *rest_of(*rest))
        assert (state.play.rolls, state.phase) == (1, Phase.CHOOSING)
        assert not state.is_returning
    lifted = play(rolled(), *rest_of(FOUR, SIX))
    assert play(lifted, *rest_of(FOUR, SIX, *dice_of("55", spot=3))).play.rolls == 2


@pytest.mark.parametrize(
    ("faces", "headline"), [("223", "One die is missing"), ("22334", "One die too many")]
)
def test_another_number_of_dice_is_a_doubt(faces: str, headline: str) -> None:
    state = play(rolled(), *throw_of(faces, spot=3))
    assert state.phase is Phase.STRAIGHTEN
    assert view(state)["headline"] == headline
    assert play(state, *throw_of("2233", spot=4)).play.rolls == 2


def test_a_single_leaning_die_is_laid_flat_and_counts() -> None:
    """The hand was asked for, so the only die on the felt is a roll although it was placed."""
    leaning = on.ReadingDoubtful((COCKED,), ())
    state = play(dice_table(count=1), on.MotionStarted(), on.MotionStopped(), leaning)
    assert state.phase is Phase.STRAIGHTEN
    state = play(state, *rest_of(replace(die(5, 90.0, 40.0), origin="placed")))
    assert (state.play.rolls, position(state).faces) == (1, (5,))


def test_a_die_turned_beside_thrown_ones_is_asked_about() -> None:
    turned = replace(ONE, face=2)
    state = play(rolled(), *rest_of(turned, THREE, *dice_of("55", spot=3)))
    assert (state.phase, state.reading.held_action) == (Phase.STRAIGHTEN, "again")
    assert position(play(state, CONFIRM)).faces == (2, 3, 5, 5)


def test_no_die_stayed_means_that_all_were_thrown() -> None:
    """A die that stops where another one lay is not that one, turned."""
    state, entry = last_entry(rolled(), *rest_of(replace(ONE, face=2), *dice_of("555", spot=3)))
    assert (entry["held"], position(state).faces) == ("throw", (2, 5, 5, 5))


def test_the_number_of_dice_changes_between_rolls() -> None:
    """Right is one more, left one fewer; back undoes it, and dice may stay in the next throw."""
    state = rolled()
    assert view(state)["buttons"]["confirm"] == "throw 4 dice again"
    fewer = play(state, LEFT, CONFIRM)
    assert (fewer.phase, position(fewer).dice_count) == (Phase.AWAITING_ROLL, 3)
    assert play(fewer, BACK).phase is Phase.CHOOSING
    more = play(state, RIGHT, RIGHT, CONFIRM)
    assert view(more)["headline"] == "Throw 6 dice"
    after = play(more, *rest_of(*LYING, *dice_of("25", spot=3)))
    assert position(after).faces == (1, 2, 3, 4, 5, 6)
    twenty = play(
        state, on.ActionRequested("Ada", "dice 20"), *throw_of("123456" * 3 + "66", spot=4)
    )
    assert sum(position(twenty).faces) == 75


def test_the_number_of_dice_changes_before_a_throw() -> None:
    """Each arrow counts at once, it is journalled, and the throw stays that player's."""
    start = dice_table("Ada", "Ben")
    state, effects = journalled(start, RIGHT, RIGHT, LEFT)
    assert [entry.body["do"] for entry in effects] == ["dice 5", "dice 6", "dice 5"]
    shown = view(state)
    assert shown["headline"] == "Ada: throw 5 dice"
    assert (shown["phase"], shown["choices"], shown["dice_wanted"]) == ("awaiting roll", [], 5)
    assert play(state, BACK) == play(start, RIGHT, RIGHT)
    assert play(state, *throw_of("13446")).play.rolls == 1
    assert play(state, *throw_of("1344")).phase is Phase.STRAIGHTEN
    again = restore_table(play(start), entries_of(effects))
    assert (again.play.position, again.phase) == (state.play.position, state.phase)
    # After a roll too: the number was chosen, and may be chosen otherwise.
    rolled = play(state, *throw_of("13446"), on.ActionRequested("Ben", "dice 3"), RIGHT)
    assert view(rolled)["headline"] == "Ben: throw 4 dice"


def test_the_number_of_dice_ends_at_one_and_twenty() -> None:
    for count, dark, lit in ((1, "left", "right"), (20, "right", "left")):
        shown = view(dice_table(count=count))["buttons"]
        assert shown == {"left": None, "right": None, "confirm": None, "back": None} | {
            lit: "more dice" if lit == "right" else "fewer dice"
        }
        key = LEFT if dark == "left" else RIGHT
        assert play(dice_table(count=count), key) == dice_table(count=count)


def test_own_devices_change_the_number_of_their_own_throw_only() -> None:
    state = dice_table("Ada", "Ben")
    for key in (Key.LEFT, Key.RIGHT):
        by_ada = play(state, on.KeyPressed(key, by="Ada"))
        assert position(by_ada).dice_count != 4
        assert position(play(state, on.KeyPressed(key, panel=1))).dice_count != 4
        for of_ben in (on.KeyPressed(key, by="Ben"), on.KeyPressed(key, panel=2)):
            assert position(play(state, of_ben)).dice_count == 4
    refused = play(state, on.ActionRequested("Ben", "dice 3"))
    assert refused.notice is not None
    assert position(refused).dice_count == 4
    stays = play(rolled("Ada", "Ben"), on.ActionRequested("Ada", "again"))
    assert play(stays, LEFT) == stays


def test_the_number_of_a_request_stays() -> None:
    asked = play(TableState(), on.DiceRequested(3, "Zoe", "", "Dungeon"))
    for event in (LEFT, RIGHT, on.ActionRequested("Zoe", "dice 4")):
        assert journalled(asked, event) == (asked, ())
    shown = view(asked)["buttons"]
    assert (shown["left"], shown["right"]) == (None, None)


def test_left_beyond_one_die_is_the_end() -> None:
    state = play(rolled(), *[LEFT] * 4)
    assert view(state)["buttons"]["confirm"] == "end"
    over = play(state, CONFIRM)
    assert over.phase is Phase.GAME_OVER
    outcome = view(over)["outcome"]
    assert outcome is not None
    assert (outcome["winners"], outcome["losers"]) == ([], [])
    assert outcome["text"] == "One roll was thrown."
    assert play(over, BACK).phase is Phase.CHOOSING


def test_entered_and_corrected_faces_count() -> None:
    doubtful = on.ReadingDoubtful((COCKED,), (FOUR, SIX))
    state = play(rolled(), on.MotionStarted(), on.MotionStopped(), doubtful)
    refused = play(state, on.FacesEntered("13446", "Eva"))
    assert refused.play.rolls == 1
    entered = play(state, on.FacesEntered("4622", "Eva"))
    assert entered.play.rolls == 2
    assert (entered.play.by_hand, position(entered).faces) == ("Eva", (2, 2, 4, 6))
    corrected = play(rolled(), on.RollCorrected("1345", "Eva", "It was misread."))
    assert position(corrected).totals() == {"Ada": 13}
    assert position(corrected).tallies[0].counts == (1, 0, 1, 1, 1, 0)


def test_a_restart_and_a_return_from_the_lobby_lead_back_to_it() -> None:
    start = dice_table("Ada", "Ben")
    state, effects = journalled(
        start,
        *rest_of(*LYING),
        *rest_of(FOUR, SIX, *dice_of("55", spot=3)),
        on.ActionRequested("Ben", "dice 2"),
        *throw_of("66", spot=6),
    )
    begun = game_entry("dice", require_game(start))
    again = restore_table(TableState(), entries_of((begun, *effects)))
    assert again.play.position == state.play.position
    assert (again.phase, again.play.roll_dice) == (state.phase, state.play.roll_dice)
    assert play(state, on.GameLeft(), on.GameContinued()).play.position == state.play.position


def test_an_unseen_throw_is_thrown_again() -> None:
    state = play(rolled(), on.DiceRead(dice_of("2222", spot=3)))
    assert (state.play.rolls, state.is_returning) == (1, False)
    assert state.notice is not None
    assert state.notice.remedy == "Throw the dice again."
