# SPDX-License-Identifier: MIT
"""What the table says whatever is played: headlines, hints, the words on the buttons."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.games import GAMES
from controller.table import events as on
from controller.table.events import Key
from controller.table.machine import step
from controller.table.state import TableState
from controller.table.view.types import ButtonsView
from tests.support.table import (
    BACK,
    CONFIRM,
    any_event,
    dice_of,
    die,
    doubtful_throw,
    finished_table,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
    view,
)

LOST = on.DeviceLost("camera", "It is gone.", "Look for it.")
ROLL = dice_of("13445")
WHITE, BLACK = die(4, 100.0), die(6, 300.0, is_black=True)


def said(state: TableState) -> tuple[str, str]:
    shown = view(state)
    return shown["headline"], shown["hint"]


def buttons_of(state: TableState) -> ButtonsView:
    return view(state)["buttons"]


def wuerfelspiel() -> TableState:
    return play(table(game="wuerfelspiel"), *rest_of(*ROLL))


def black_n_white() -> TableState:
    return play(table(game="black-n-white"), *rest_of(WHITE, BLACK))


def jokers(faces: str) -> TableState:
    return play(table("Ada", options={"jokers": True}), *throw_of(faces))


@pytest.mark.parametrize(
    ("state", "headline"),
    [
        (TableState(), "Who is playing?"),
        (table("Cleo"), "Cleo: throw the dice"),
        (play(table(), *throw_of("13446")[:1]), "The dice are rolling"),
        (play(table(), *throw_of("13446")[:2]), "Reading the dice"),
        (play(table(confirm=Confirm.BUTTON), *throw_of("13446")), "Ada: is this your roll?"),
        (play(table(), *doubtful_throw()), "A die leans"),
        (play(rolled_table("13446"), CONFIRM), "Ben chooses"),
        (finished_table("Ada"), "The game is over"),
        (play(table(), on.PauseRequested()), "The game is paused"),
        (play(table(), LOST), "Check the camera"),
        (play(table(), LOST, on.DeviceBack("camera")), "Ada: throw the dice"),
    ],
)
def test_the_headline_says_whose_turn_it_is_and_what_to_do(
    state: TableState, headline: str
) -> None:
    assert said(state)[0] == headline


def test_the_hint_tells_a_newcomer_how() -> None:
    state = rolled_table("13446")
    assert said(TableState())[1] == "Choose a game and the players, then start."
    assert said(table())[1] == "All 5 dice at once, into the tray."
    assert "What blinks is not marked yet" in said(state)[1]
    assert "Tap a chosen die again to free it" in said(play(state, on.DieTapped(0)))[1]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("hold 445", ("Ada: throw the other 2 dice", "Leave 4 4 5 as they lie.")),
        ("hold 1345", ("Ada: throw the other die", "Leave 1 3 4 5 as they lie.")),
        ("hold 4", ("Ada: throw the other 4 dice", "Leave the 4 as it lies.")),
        ("hold", ("Ada: throw all five again", "All 5 dice at once, into the tray.")),
    ],
)
def test_after_a_hold_the_others_are_thrown(action: str, words: tuple[str, str]) -> None:
    assert said(play(wuerfelspiel(), on.ActionRequested("Ada", action))) == words


@pytest.mark.parametrize(
    ("action", "headline", "hint"),
    [
        ("throw black", "Ada: throw the black die again", "Leave the white 4 as it lies."),
        ("throw white", "Ada: throw the white die again", "Leave the black 6 as it lies."),
        ("throw both", "Ada: throw both dice again", "2 throws left. "),
    ],
)
def test_a_die_that_lies_on_is_named_by_its_colour(action: str, headline: str, hint: str) -> None:
    words = said(play(black_n_white(), on.ActionRequested("Ada", action)))
    assert words[0] == headline
    assert words[1].startswith(hint)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (play(wuerfelspiel(), *rest_of(*ROLL[2:])), ("Ada keeps 4 4 5", "Throw the other 2 dice.")),
        (play(wuerfelspiel(), *rest_of(*ROLL[1:])), ("Ada keeps 3 4 4 5", "Throw the other die.")),
        (play(wuerfelspiel(), *rest_of()), ("Ada throws all five again", "All of them at once.")),
        (play(black_n_white(), *rest_of(WHITE)), ("Ada keeps white 4", "Throw the black die.")),
        (play(black_n_white(), *rest_of(BLACK)), ("Ada keeps black 6", "Throw the white die.")),
        (play(black_n_white(), *rest_of()), ("Ada throws both dice again", "All of them at once.")),
    ],
)
def test_dice_in_the_hand_say_what_is_kept(state: TableState, words: tuple[str, str]) -> None:
    assert said(state) == words
    assert buttons_of(state)["back"] == "put back"


@pytest.mark.parametrize("players", [("Ada",), ("Ada", "Ben")], ids=["one", "two"])
def test_in_just_dice_a_motion_is_a_throw_of_anybody(players: tuple[str, ...]) -> None:
    rolled = play(table(*players, game="dice"), *throw_of("13446"))
    assert said(play(rolled, on.MotionStarted()))[0] == "The dice are rolling"


def test_while_a_hand_reaches_for_the_dice_nothing_is_rolling() -> None:
    moving = play(wuerfelspiel(), on.MotionStarted())
    assert said(moving)[0] == "Ada takes dice"
    assert said(play(moving, on.MotionStopped()))[0] == "Reading the dice"
    returning = play(wuerfelspiel(), *rest_of(*ROLL[2:]), BACK, on.MotionStarted())
    assert said(returning)[0] == "Ada puts dice back"


def test_dice_that_are_put_back_are_named() -> None:
    back = play(wuerfelspiel(), *rest_of(*ROLL[2:]), BACK)
    assert said(back) == ("Ada: put the dice back", "Put the 1 and 3 back as they lay.")
    one = play(black_n_white(), *rest_of(WHITE), BACK)
    assert said(one) == ("Ada: put the dice back", "Put the black 6 back as it lay.")
    all_back = play(back, *rest_of(*ROLL))
    assert said(all_back) == said(wuerfelspiel())


def test_other_dice_in_their_place_make_the_whole_roll_named() -> None:
    state = play(wuerfelspiel(), *rest_of(*ROLL[2:]), BACK)
    wrong = replace(state, dice_on_felt=dice_of("66", spot=7))
    assert said(wrong)[1] == "The dice were 1 3 4 4 5."


def test_the_terminator_asks_for_five_new_dice() -> None:
    state = play(jokers("13446"), on.ActionRequested("Ada", "terminator"))
    assert said(state)[0] == "Ada: throw all five again (Terminator)"
    assert said(play(state, on.MotionStarted()))[0] == "The dice are rolling"


def test_the_corrector_asks_to_turn_the_die_that_lies_there() -> None:
    state = play(jokers("13446"), on.ActionRequested("Ada", "corrector 4>2"))
    assert said(state) == ("Ada: turn the 4 to 2", "Turn only this die, then take your hands away.")
    assert said(play(state, on.MotionStarted()))[0] == "Ada turns a die"


def test_the_corrector_asks_for_all_the_dice_where_others_lie() -> None:
    state = play(
        jokers("13446"), on.ActionRequested("Ada", "corrector 4>2"), *rest_of(*dice_of("66665"))
    )
    headline, hint = said(state)
    assert headline == "Ada: set the dice (Corrector)"
    assert hint == "Set the dice to 1 2 3 4 6, then take your hands away."


def test_a_dispute_is_settled_by_saying_that_they_were_thrown() -> None:
    turned = replace(ROLL[2], face=6)
    state = play(wuerfelspiel(), *rest_of(turned, *ROLL[3:], *dice_of("26", spot=3)))
    assert said(state)[0] == "Ada: were these dice thrown?"
    assert buttons_of(state)["confirm"] == "yes, thrown"


@pytest.mark.parametrize("game", GAMES)
def test_lit_buttons_act_and_dark_ones_at_most_explain(game: str) -> None:
    for seed in range(6):
        chance = random.Random(seed)
        confirm = Confirm.BUTTON if seed % 3 == 2 else Confirm.AUTO
        state = table(game=game, confirm=confirm)
        for _ in range(60):
            state = play(state, any_event(state, chance))
            buttons = buttons_of(state)
            words = {
                Key.LEFT: buttons["left"],
                Key.RIGHT: buttons["right"],
                Key.CONFIRM: buttons["confirm"],
                Key.BACK: buttons["back"],
            }
            for key, word in words.items():
                after, effects = step(state, on.KeyPressed(key))
                if word is None:
                    assert replace(after, notice=state.notice) == state
                    assert not effects
                else:
                    assert after is not state


def test_back_frees_tapped_dice_before_it_takes_back() -> None:
    state = play(rolled_table("13446"), CONFIRM)
    assert buttons_of(state)["back"] == "undo"
    tapping = buttons_of(play(state, on.DieTapped(0)))
    assert (tapping["back"], tapping["confirm"]) == ("clear dice", None)


def test_no_button_does_anything_about_a_fault() -> None:
    assert set(buttons_of(play(table(), LOST)).values()) == {None}


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (rolled_table("13446"), "mark it"),
        (play(wuerfelspiel(), *map(on.DieTapped, (0, 1, 4))), "keep 4 4"),
        (play(wuerfelspiel(), on.ChoiceTapped(0)), "enter it"),
        (play(black_n_white(), on.DieTapped(1)), "throw black again"),
        (play(black_n_white(), on.ChoiceTapped(0)), "stop"),
        (play(black_n_white(), on.ActionRequested("Ada", "stop"), on.DieTapped(0)), "tens: white"),
    ],
)
def test_the_confirm_label_fits_the_choice_under_the_cursor(state: TableState, word: str) -> None:
    assert buttons_of(state)["confirm"] == word
