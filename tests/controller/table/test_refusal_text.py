# SPDX-License-Identifier: MIT
"""Why something is refused, as it is read from afar at a table."""

from __future__ import annotations

import pytest

from controller.base.errors import IllegalActionError
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.table.events import ActionRequested
from controller.table.refusal_text import explain_refusal
from controller.table.state import Phase
from tests.support.table import journalled, play, rolled_table, table


def refused(game: GameState, by: str, text: str) -> str:
    """Return why an action, or a roll such as `roll 13446`, is refused."""
    event = (
        RollEvent(by, text.removeprefix("roll "))
        if text.startswith("roll ")
        else ActionEvent(by, text)
    )
    with pytest.raises(IllegalActionError) as error:
        game.apply(event)
    return explain_refusal(error.value)


def position(key: str, *events: str, jokers: bool = False) -> GameState:
    """Return a game of Ada and Ben after what Ada did, rolls written as `roll 13446`."""
    game = GAMES[key].start(("Ada", "Ben"), {"jokers": True} if jokers else {})
    for text in events:
        roll = text.removeprefix("roll ")
        game = game.apply(RollEvent("Ada", roll) if roll != text else ActionEvent("Ada", text))
    return game


@pytest.mark.parametrize(
    ("by", "text", "words"),
    [
        ("Ada", "6+8/3", "Ada cannot take 6 and 8 and leave 3: the dice do not make it."),
        (
            "Ada",
            "4+10/5",
            "Ada cannot take 4 and 10 and leave 5: the fifth die must be 1, 3, 4 or 6.",
        ),
        ("Ada", "terminator", "Ada cannot use the Terminator: no Terminator is left."),
        ("Zoe", "4+10/4", "Zoe cannot take 4 and 10 and leave 4 now. First: Ada or Ben chooses."),
        ("Ben", "roll 11111", "Ben cannot throw 1 1 1 1 1 now. First: Ada or Ben chooses."),
    ],
)
def test_choice_tells_what_is_wrong(by: str, text: str, words: str) -> None:
    assert refused(position("choice", "roll 13446"), by, text) == words


def test_nonsense_is_told_with_four_of_many_allowed_actions() -> None:
    words = refused(position("choice", "roll 13446"), "Ada", "nonsense")
    named, more = words.removesuffix(" more.").rsplit(" and ", 1)
    assert named.startswith("Ada cannot do “nonsense”: allowed: ")
    legal = position("choice", "roll 13446").legal_actions("Ada")
    assert (named.count(", "), int(more)) == (3, len(legal) - 4)


def test_before_the_roll_nothing_can_be_chosen() -> None:
    words = "Ada cannot take 4 and 10 and leave 4 now. First: Ada throws."
    assert refused(position("choice"), "Ada", "4+10/4") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "3:1 9+5/4",
            "Ada cannot take 9 with three dice and 5 with one and leave 4: "
            "these dice do not make it.",
        ),
        ("corrector 2>6", "Ada cannot turn a 2 to 6: these dice do not make it."),
    ],
)
def test_a_joker_that_does_not_fit_the_dice_is_told(text: str, words: str) -> None:
    assert refused(position("choice", "roll 13446", jokers=True), "Ada", text) == words


def test_a_used_joker_is_told() -> None:
    used = position("choice", "roll 22345", "corrector 2>6", "roll 23456", jokers=True)
    words = "Ada cannot turn a 2 to 6: no Corrector is left."
    assert refused(used, "Ada", "corrector 2>6") == words


def test_set_dice_must_be_the_ones_that_were_asked_for() -> None:
    game = position("choice", "roll 13446", "corrector 1>2", jokers=True)
    words = refused(game, "Ada", "roll 13446")
    assert words == "Ada cannot throw 1 3 4 4 6 now. First: Ada sets the dice to 2 3 4 4 6."


@pytest.mark.parametrize(
    ("events", "text", "words"),
    [
        (
            ("roll 13446",),
            "hold 13446",
            "Ada cannot keep 1 3 4 4 6: all five would be kept; free one, or fill a cell.",
        ),
        (("roll 13446",), "hold 55", "Ada cannot keep 5 5: the dice do not show that."),
        (
            ("roll 13446", "hold", "roll 13446", "hold", "roll 13446"),
            "hold 44",
            "Ada cannot keep 4 4: all throws of this turn are used.",
        ),
        (
            ("roll 13446", "hold", "roll 13446", "hold", "roll 13446"),
            "hold",
            "Ada cannot throw all five again: all throws of this turn are used.",
        ),
        (("roll 13446",), "bonus*1", "Ada cannot fill bonus in column 1: that cell is filled or"),
        (
            ("roll 13446", "hold 44"),
            "roll 13566",
            "Ada cannot throw 1 3 5 6 6: the dice that stay show 4 4.",
        ),
        (
            ("roll 13446", "hold 44"),
            "chance*1",
            "Ada cannot fill Chance in column 1 now. First: Ada",
        ),
    ],
)
def test_wuerfelspiel_tells_what_is_wrong(events: tuple[str, ...], text: str, words: str) -> None:
    assert refused(position("wuerfelspiel", *events), "Ada", text).startswith(words)


@pytest.mark.parametrize(
    ("events", "text", "words"),
    [
        (
            ("roll w4 b6",),
            "tens white",
            "Ada cannot choose white for the tens: that is chosen after stop.",
        ),
        (
            ("roll w4 b6", "stop"),
            "throw black",
            "Ada cannot throw the black die again: the tens come first.",
        ),
        (
            ("roll w4 b6", "throw black"),
            "roll w5 b6",
            "Ada cannot throw white 5 black 6: the dice that stay show white 4.",
        ),
        (
            ("roll w4 b6", "stop", "tens white"),
            "throw white",
            "Ada cannot throw the white die again now. First: Ben throws.",
        ),
    ],
)
def test_black_n_white_tells_what_is_wrong(events: tuple[str, ...], text: str, words: str) -> None:
    assert refused(position("black-n-white", *events), "Ada", text).startswith(words)


def test_a_game_that_is_over_refuses_everything() -> None:
    error = IllegalActionError(player="Ada", action="stop", expected=(), state="finished")
    assert explain_refusal(error) == "Ada cannot stop: the game is over."


def test_a_refused_action_leaves_the_table_as_it_was() -> None:
    state = rolled_table("13446")
    after, effects = journalled(state, ActionRequested("Ada", "2+3/6"))
    assert (after.play.position, after.play.undoable, after.phase) == (
        state.play.position,
        (),
        Phase.CHOOSING,
    )
    assert not effects
    assert after.notice is not None
    assert (after.notice.kind, after.notice.text) == (
        "refused",
        "Ada cannot take 2 and 3 and leave 6: the dice do not make it.",
    )
    assert play(table(), ActionRequested("Ada", "4+10/4")).notice is not None
