# SPDX-License-Identifier: MIT
"""Why something is refused, as it is read from afar at a table."""

from __future__ import annotations

from functools import reduce

import pytest

from controller.base.errors import IllegalActionError
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.table.events import ActionRequested
from controller.table.refusal_text import explain_refusal
from controller.table.state import Phase
from tests.support.table import journalled, notice_of, play, rolled_table, table


def apply(game: GameState, by: str, text: str) -> GameState:
    """Return the position after an action, or after a roll such as `roll 13446`."""
    roll = text.removeprefix("roll ")
    return game.apply(RollEvent(by, roll) if roll != text else ActionEvent(by, text))


def position(key: str, *events: str) -> GameState:
    """Return a game of Ada and Ben after what Ada did."""
    game = GAMES[key.removesuffix(" jokers")]
    state = game.start(("Ada", "Ben"), {"jokers": True} if key.endswith("jokers") else {})
    return reduce(lambda state, text: apply(state, "Ada", text), events, state)


THRICE = "roll 13446, hold, roll 13446, hold, roll 13446"
HELD, SAID = "roll 13446, hold 44", "roll w4 b6, stop, tens white"
CORRECTED = "roll 22345, corrector 2>6, roll 23456"
SETS = "Ada sets the dice to 2 3 4 4 6."
AFTER_STOP, TENS = "that is chosen after stop.", "the tens come first."
STAYS = "the dice that stay show white 4."
CHOICE, JOKERS = "choice", "choice jokers"
WUERFELSPIEL, BLACK_N_WHITE = "wuerfelspiel", "black-n-white"
NOT_MADE = "these dice do not make it."


@pytest.mark.parametrize(
    ("key", "story", "words"),
    [
        (CHOICE, "4+10/4", "take 4 and 10 and leave 4 now. First: Ada throws."),
        (CHOICE, "roll 13446, 6+8/3", "take 6 and 8 and leave 3: the dice do not make it."),
        (CHOICE, "roll 13446, 4+10/5", "take 4 and 10 and leave 5: the fifth die must be 1, "),
        (CHOICE, "roll 13446, terminator", "use the Terminator: no Terminator is left."),
        (JOKERS, "roll 13446, corrector 2>6", f"turn a 2 to 6: {NOT_MADE}"),
        (JOKERS, "roll 13446, 3:1 9+5/4", "take 9 with three dice and 5 with one and leave"),
        (JOKERS, f"{CORRECTED}, corrector 2>6", "turn a 2 to 6: no Corrector is left."),
        (JOKERS, "roll 13446, corrector 1>2, roll 13446", f"throw 1 3 4 4 6 now. First: {SETS}"),
        (WUERFELSPIEL, "roll 13446, hold 13446", "keep 1 3 4 4 6: all five would be kept; free "),
        (WUERFELSPIEL, "roll 13446, hold 55", "keep 5 5: the dice do not show that."),
        (WUERFELSPIEL, f"{THRICE}, hold 44", "keep 4 4: all throws of this turn are used."),
        (WUERFELSPIEL, f"{THRICE}, hold", "throw all five again: all throws of this turn are"),
        (WUERFELSPIEL, "roll 13446, bonus*1", "fill bonus in column 1: that cell is filled or"),
        (WUERFELSPIEL, f"{HELD}, roll 13566", "throw 1 3 5 6 6: the dice that stay show 4 4."),
        (WUERFELSPIEL, f"{HELD}, chance*1", "fill Chance in column 1 now. First: Ada"),
        (BLACK_N_WHITE, "roll w4 b6, tens white", f"choose white for the tens: {AFTER_STOP}"),
        (BLACK_N_WHITE, "roll w4 b6, stop, throw black", f"throw the black die again: {TENS}"),
        (BLACK_N_WHITE, "roll w4 b6, throw black, roll w5 b6", f"throw white 5 black 6: {STAYS}"),
        (
            BLACK_N_WHITE,
            f"{SAID}, throw white",
            "throw the white die again now. First: Ben",
        ),
    ],
)
def test_every_game_tells_what_is_wrong(key: str, story: str, words: str) -> None:
    *events, last = story.split(", ")
    with pytest.raises(IllegalActionError) as error:
        apply(position(key, *events), "Ada", last)
    assert explain_refusal(error.value).startswith(f"Ada cannot {words}")


@pytest.mark.parametrize(
    ("by", "text", "words"),
    [
        ("Zoe", "4+10/4", "Zoe cannot take 4 and 10 and leave 4 now. First: Ada or Ben chooses."),
        ("Ben", "roll 11111", "Ben cannot throw 1 1 1 1 1 now. First: Ada or Ben chooses."),
    ],
)
def test_who_is_to_choose_first_is_named(by: str, text: str, words: str) -> None:
    with pytest.raises(IllegalActionError) as error:
        apply(position(CHOICE, "roll 13446"), by, text)
    assert explain_refusal(error.value) == words


def test_nonsense_is_told_with_four_of_many_allowed_actions() -> None:
    game = position(CHOICE, "roll 13446")
    with pytest.raises(IllegalActionError) as error:
        apply(game, "Ada", "nonsense")
    named, more = explain_refusal(error.value).removesuffix(" more.").rsplit(" and ", 1)
    assert named.startswith("Ada cannot do “nonsense”: allowed: ")
    assert (named.count(", "), int(more)) == (3, len(game.legal_actions("Ada")) - 4)


def test_a_game_that_is_over_refuses_everything() -> None:
    error = IllegalActionError(player="Ada", action="stop", expected=(), state="finished")
    assert explain_refusal(error) == "Ada cannot stop: the game is over."


def test_a_refused_action_leaves_the_table_as_it_was() -> None:
    state = rolled_table("13446")
    after, effects = journalled(state, ActionRequested("Ada", "2+3/6"))
    assert after.play.position == state.play.position
    assert (after.play.undoable, after.phase) == ((), Phase.CHOOSING)
    assert not effects
    assert notice_of(after).kind == "refused"
    assert notice_of(after).text == "Ada cannot take 2 and 3 and leave 6: the dice do not make it."
    assert play(table(), ActionRequested("Ada", "4+10/4")).notice is not None
