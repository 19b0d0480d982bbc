# SPDX-License-Identifier: MIT
"""What a screen shows of Black'n'White: results, chips, what is to beat, and the end."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.view import BlackNWhiteSheetView
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.games.ui import BoardView
from controller.table.choosing import list_choices
from controller.table.events import TrayDie
from controller.table.game_flow import derive_phase
from controller.table.state import Play, Screen, TableState
from tests.support.table import die, view


def played(*events: tuple[str, str], players: str = "Ada Ben Cleo", chips: int = 1) -> TableState:
    """Return the table after rolls such as ("Ada", "w4 b6") and actions."""
    game: GameState = BLACK_N_WHITE.start(players.split(), {"chips_per_player": chips})
    rolled: tuple[TrayDie, ...] = ()
    for by, text in events:
        is_roll = text.startswith("w")
        game = game.apply(RollEvent(by, text) if is_roll else ActionEvent(by, text))
        if is_roll:
            rolled = (die(int(text[1]), 100.0), die(int(text[4]), 300.0, is_black=True))
    return TableState(derive_phase(game), play=Play("black-n-white", game, roll_dice=rolled))


def sheets_of(state: TableState) -> list[BlackNWhiteSheetView]:
    sheets = [player["sheet"] for player in view(state)["players"]]
    assert all(sheet["kind"] == "black-n-white" for sheet in sheets)
    return [cast("BlackNWhiteSheetView", sheet) for sheet in sheets]


def board_of(state: TableState) -> BoardView:
    board = view(state)["board"]
    assert board is not None
    return board


def hint_of(state: TableState) -> str:
    return view(state)["hint"]


STARTED = (("Ada", "w4 b5"), ("Ada", "throw black"), ("Ada", "w4 b6"), ("Ada", "stop"))
"""Ada stops on white 4, black 6 after two throws; the tens are still to be said."""

SAID = (*STARTED, ("Ada", "tens black"))
PHASE_TWO = (
    *(("Ada", "w1 b2"), ("Ada", "stop"), ("Ada", "tens black"), ("Ben", "w6 b6")),
    *(("Ada", "w1 b2"), ("Ada", "stop"), ("Ada", "tens black"), ("Ben", "w1 b1")),
)
"""Of two players Ada is lowest twice: both chips are hers, and the game is over."""

THROW_OFF = (
    *(("Ada", "w1 b2"), ("Ada", "stop"), ("Ada", "tens black"), ("Ben", "w6 b6")),
    *(("Ada", "w6 b6"), ("Ada", "stop"), ("Ben", "w1 b2"), ("Ben", "tens white")),
)
"""Of two players each takes one of the two chips: they throw off for the start of phase 2."""


def test_a_result_is_shown_as_it_is_said() -> None:
    assert [sheet["result"] for sheet in sheets_of(played())] == ["", "", ""]
    assert sheets_of(played(*STARTED))[0]["result"] == "4 6"
    assert sheets_of(played(*SAID))[0]["result"] == "64"
    assert sheets_of(played(("Ada", "w5 b5")))[0]["result"] == "double 5"


def test_dice_and_throws_stand_before_the_player() -> None:
    sheet = sheets_of(played(*SAID, ("Ben", "w5 b3")))[1]
    assert (sheet["white"], sheet["black"], sheet["throws"]) == (5, 3, 1)
    ada = sheets_of(played(*SAID))[0]
    assert (ada["throws"], ada["tens"]) == (2, "black")
    assert sheets_of(played(*SAID))[1]["tens"] is None


def test_the_result_that_decides_the_round_is_marked() -> None:
    alone = played(*SAID)
    assert [sheet["mark"] for sheet in sheets_of(alone)] == [None, None, None]
    double = played(("Ada", "w6 b6"), ("Ada", "stop"))
    assert [sheet["mark"] for sheet in sheets_of(double)] == [None, None, None]
    lower = played(*SAID, ("Ben", "w5 b3"), ("Ben", "stop"))
    assert [sheet["mark"] for sheet in sheets_of(lower)] == [None, "lowest", None]


def test_the_middle_shows_the_chips_and_what_holds_for_all() -> None:
    start = board_of(played(chips=2))
    assert (start["phase"], start["chips"], start["chips_at_start"], start["limit"]) == (1, 6, 6, 3)
    assert start["tens"] is None
    assert start["text"] == "6 chips are in the middle. The lowest result takes one."
    said = board_of(played(*SAID))
    assert (said["limit"], said["tens"]) == (2, "black")
    assert said["text"].endswith("Black gives the tens.")


def test_the_last_stop_shows_where_the_chip_would_go() -> None:
    state = played(*SAID, ("Ben", "w6 b6"), ("Ben", "stop"), ("Cleo", "w5 b5"))
    actions = [choice.action for choice in list_choices(state)]
    before = sheets_of(replace(state, screen=Screen(actions.index("throw both"))))
    after = sheets_of(replace(state, screen=Screen(actions.index("stop"))))
    assert [sheet["total_after"] for sheet in before] == [0, 0, 0]
    assert [sheet["total_after"] for sheet in after] == [1, 0, 0]
    assert [sheet["chips"] for sheet in after] == [0, 0, 0]


def test_the_hint_says_what_is_to_beat_and_what_is_left() -> None:
    first = played(("Ada", "w4 b5"))
    assert hint_of(first).startswith("2 throws left. The others get no more throws than you use.")
    assert hint_of(played(*SAID)) == "To beat: 64. 2 throws left."
    ben = played(*SAID, ("Ben", "w5 b3"))
    assert hint_of(ben).startswith("To beat: 64. 1 throw left.")
    double = played(("Ada", "w5 b5"), ("Ada", "stop"))
    assert hint_of(double) == "To beat: double 5. 1 throw left."


def test_headlines_name_the_question() -> None:
    assert view(played())["headline"] == "Ada: throw both dice"
    assert view(played(("Ada", "w4 b5")))["headline"] == "Ada: stop or throw again?"
    tens = view(played(*STARTED))
    assert tens["headline"] == "Ada: which die gives the tens?"
    assert tens["hint"].startswith("White makes it 46, black 64.")


def test_every_choice_stands_there_in_words() -> None:
    texts = {one["action"]: one["text"] for one in view(played(("Ada", "w4 b5")))["choices"]}
    assert texts["stop"] == "stop with 4 5"
    assert texts["throw white"] == "throw white again"
    tens = {one["action"]: one["text"] for one in view(played(*STARTED))["choices"]}
    assert tens["tens black"] == "black gives the tens: 64"


def test_dice_show_which_one_is_thrown_again() -> None:
    state = replace(played(("Ada", "w4 b5")), screen=Screen(1))
    groups = [one["group"] for one in view(state)["dice"]]
    assert (view(state)["choices"][1]["action"], groups) == ("throw white", ["thrown", "kept"])


def test_rounds_and_throws_are_counted() -> None:
    assert view(played())["progress"] == "Round 1, throw 1 of 3"
    assert view(played(("Ada", "w4 b5")))["progress"] == "Round 1, throw 1 of 3"
    again = played(("Ada", "w4 b5"), ("Ada", "throw black"))
    assert view(again)["progress"] == "Round 1, throw 2 of 3"
    assert view(played(*SAID))["progress"] == "Round 1, throw 1 of 2"


def test_a_throw_off_shows_the_pips() -> None:
    state = played(*THROW_OFF, players="Ada Ben")
    assert view(state)["headline"] == "Ada: throw for the start"
    assert view(state)["progress"] == "Round 3, throw-off"
    assert [player["state"] for player in view(state)["players"]] == ["rolls", "rolls"]
    board = board_of(state)
    assert (board["is_throw_off"], board["phase"], board["chips"]) == (True, 2, 0)
    one = played(*THROW_OFF, ("Ada", "w3 b4"), players="Ada Ben")
    assert [sheet["result"] for sheet in sheets_of(one)] == ["7", ""]
    assert view(one)["headline"] == "Ben: throw for the start"


def test_in_phase_two_the_highest_is_marked() -> None:
    events = (*THROW_OFF, ("Ada", "w3 b4"), ("Ben", "w1 b1"))
    state = played(*events, ("Ada", "w2 b2"), ("Ada", "stop"), players="Ada Ben")
    assert [sheet["mark"] for sheet in sheets_of(state)] == [None, None]
    assert board_of(state)["text"] == "The highest result puts a chip out of the game."
    assert hint_of(state) == "To beat: double 2. 1 throw left."


def test_the_end_names_who_lost_and_who_won() -> None:
    shown = view(played(*PHASE_TWO, players="Ada Ben"))
    outcome = shown["outcome"]
    assert outcome is not None
    assert (outcome["winners"], outcome["losers"]) == (["Ben"], ["Ada"])
    assert outcome["text"] == "Ada has lost, Ben has won."
    assert [player["state"] for player in shown["players"]] == ["finished", "finished"]
    ada, ben = sheets_of(played(*PHASE_TWO, players="Ada Ben"))
    assert (ada["chips"], ada["is_out"], ben["chips"], ben["is_out"]) == (2, False, 0, True)
