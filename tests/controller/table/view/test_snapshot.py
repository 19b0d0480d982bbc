# SPDX-License-Identifier: MIT
"""What a screen is shown: whole, plain, and never more than the rules would do."""

from __future__ import annotations

import json
import random
from functools import cache
from types import UnionType
from typing import Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from controller.base.settings.choices import Confirm
from controller.games import GAMES
from controller.games.black_n_white.view import BlackNWhiteBoardView, BlackNWhiteSheetView
from controller.games.choice.rules import ChoiceState
from controller.games.choice.view import ChoiceSheetView, SumRow
from controller.games.contract import ActionEvent
from controller.games.free_dice.view import FreeDiceSheetView
from controller.games.ui import SheetView
from controller.games.wuerfelspiel.view import WuerfelspielSheetView
from controller.table import events as on
from controller.table.choosing import list_choices
from controller.table.events import Event
from controller.table.journal_entries import JournalEntry, restore_table
from controller.table.state import Phase, TableState
from controller.table.view.types import PlayerView, Snapshot
from tests.controller.base.languages.bare_texts import find_bare_texts, find_unknown_templates
from tests.support.table import (
    BACK,
    CONFIRM,
    RIGHT,
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

SHEETS = ChoiceSheetView | BlackNWhiteSheetView | WuerfelspielSheetView | FreeDiceSheetView
"""The shapes of the games' own sheets; the table's types leave them open."""

hints_of = cache(get_type_hints)
"""The shape of each key of a typed dictionary."""


def fits(value: object, shape: object) -> bool:
    """Tell whether a value is exactly of a shape: every key there, and none too many."""
    if shape == SheetView:
        return fits(value, SHEETS) or fits(value, BlackNWhiteBoardView)
    if is_typeddict(shape):
        hints = hints_of(shape)
        return (
            isinstance(value, dict)
            and value.keys() == hints.keys()
            and all(fits(value[key], hint) for key, hint in hints.items())
        )
    origin, args = get_origin(shape), get_args(shape)
    if origin is Literal:
        return value in args
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in args)
    if origin is dict:
        return isinstance(value, dict) and all(fits(one, args[1]) for one in value.values())
    if origin is list:
        return isinstance(value, list) and all(fits(one, args[0]) for one in value)
    if origin is tuple:
        return isinstance(value, tuple) and all(map(fits, value, args))
    if shape is str:
        return isinstance(value, str)
    return type(value) is (type(None) if shape is None else shape)


def choice_sheet(player: PlayerView) -> ChoiceSheetView:
    sheet = player["sheet"]
    assert sheet["kind"] == "choice"
    return cast("ChoiceSheetView", sheet)


def rows_of(player: PlayerView) -> dict[int, SumRow]:
    return {row["sum"]: row for row in choice_sheet(player)["rows"]}


DICE = dice_of("13446")
PAIR = (die(4, 100.0), die(6, 300.0, is_black=True))

OPENINGS: dict[str, tuple[tuple[Event, ...], ...]] = {
    "choice": (
        (*rest_of(*DICE), on.ActionRequested("Ada", "terminator")),
        (*rest_of(*DICE), on.ActionRequested("Ada", "corrector 1>2")),
        doubtful_throw(),
    ),
    "black-n-white": (
        (*rest_of(*PAIR), *rest_of(PAIR[0])),
        (*rest_of(*PAIR), on.ActionRequested("Ada", "throw white")),
        (*rest_of(*PAIR), on.ReviewRequested()),
    ),
    "wuerfelspiel": (
        (*rest_of(*DICE), *rest_of(*DICE[2:])),
        (*rest_of(*DICE), on.ActionRequested("Ada", "hold 44")),
        (*rest_of(*DICE), on.ReviewRequested()),
    ),
    "dice": (
        (*rest_of(*DICE), on.ActionRequested("Ben", "dice 3")),
        (*rest_of(*DICE), on.ActionRequested("Ada", "end")),
        (*rest_of(*DICE), on.ReviewRequested()),
    ),
}
"""What chance alone seldom brings: dice of a joker, dice in the hand, dice that are to stay."""


@cache
def states_of(game: str) -> tuple[TableState, ...]:
    """Return the states that tables with this game went through, whatever happened to them."""
    found: dict[TableState, None] = {}
    openings = OPENINGS[game]
    for seed in range(12):
        chance = random.Random(seed)
        options = {"jokers": True} if game == "choice" else None
        confirm = Confirm.BUTTON if seed % 4 == 2 else Confirm.AUTO
        state = table("Ada", "Ben", "Cleo", game=game, options=options, confirm=confirm)
        state = play(state, *(openings[seed // 2 % len(openings)] if seed % 2 else ()))
        for _ in range(50):
            found[state] = None
            state = play(state, any_event(state, chance))
            if state.play.game_key != game:
                break
    return tuple(found)


@cache
def views_of(game: str) -> tuple[Snapshot, ...]:
    return tuple(view(state) for state in states_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_view_is_of_its_shape_and_plain_json(game: str) -> None:
    for state, shown in zip(states_of(game), views_of(game), strict=True):
        assert fits(shown, Snapshot)
        assert json.loads(json.dumps(shown))["phase"] in (state.phase.value, "choosing")
        assert (shown["phase"] == "choosing") >= bool(shown["choices"])
        assert shown["cursor"] < max(len(shown["choices"]), 1)
        assert shown["headline"]
        assert (shown["notice"] is not None) >= bool(state.reading.doubts)


@pytest.mark.parametrize(
    ("game", "own"),
    [
        ("choice", Phase.AWAITING_JOKER),
        ("black-n-white", Phase.IN_HAND),
        ("wuerfelspiel", Phase.IN_HAND),
        ("dice", Phase.GAME_OVER),
    ],
)
def test_those_tables_came_through_every_phase(game: str, own: Phase) -> None:
    elsewhere = {Phase.LOBBY, Phase.GAME_OVER, Phase.AWAITING_JOKER, Phase.IN_HAND}
    wanted = (set(Phase) - elsewhere) | {own}
    assert {state.phase for state in states_of(game)} >= wanted


@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_view_can_be_translated(game: str) -> None:
    """What the tests themselves send in, such as the fault of a camera, is plain English."""
    sent = ("It is gone.", "Look for it.", "A die leans against the wall.", "ace", "'w4 b6'")
    names = ("Ada", "Ben", "Cleo", "Dora", "Eva", *sent)
    views = views_of(game)
    assert set(find_bare_texts(views, names)) == set()
    assert find_unknown_templates(views, ("controller",)) == set()


def test_pending_marks_match_the_choice_under_the_cursor() -> None:
    state = play(rolled_table("13446", "Ada", "Ben"), CONFIRM)
    for _ in list_choices(state):
        state = play(state, RIGHT)
        game = cast(ChoiceState, state.play.position)
        action = list_choices(state)[state.screen.cursor].action
        now, after = game.sheet_of("Ben"), game.apply(ActionEvent("Ben", action)).sheet_of("Ben")
        ada, ben = view(state)["players"]
        for total, row in rows_of(ben).items():
            assert row["marks"] == now.marks_on(total)
            assert row["marks"] + row["pending"] == after.marks_on(total)
        marks = [(one["face"], one["marks"] + one["pending"]) for one in choice_sheet(ben)["fifth"]]
        assert marks[: len(after.fifth)] == [(one.face, one.marks) for one in after.fifth]
        assert choice_sheet(ben)["total_after"] == after.score().total
        assert choice_sheet(ben)["total"] == ben["total"] == now.score().total
        assert not any(row["pending"] for row in rows_of(ada).values())


def test_the_dice_show_the_groups_of_the_choice_under_the_cursor() -> None:
    state = rolled_table("13446", "Ada")
    for _ in list_choices(state):
        state = play(state, RIGHT)
        shown = view(state)
        low, high, fifth = (
            sum(one["face"] for one in shown["dice"] if one["group"] == group)
            for group in ("a", "b", "fifth")
        )
        assert shown["choices"][shown["cursor"]]["action"] == f"{low}+{high}/{fifth}"


def test_tapped_dice_show_their_pairs_and_the_die_that_is_left() -> None:
    shown = view(play(rolled_table("13446"), on.DieTapped(4), on.DieTapped(0), on.DieTapped(1)))
    assert [one["group"] for one in shown["dice"]] == ["a", "b", None, None, "a"]
    assert [one["taken"] for one in shown["dice"]] == [True, True, False, False, True]
    assert view(play(rolled_table("13446"), *map(on.DieTapped, (4, 0, 1, 2))))["dice"][3][
        "group"
    ] == ("fifth")


def test_the_tones_of_a_total_are_those_of_the_printed_block() -> None:
    state, tones = table("Ada"), []
    for spot in range(1, 7):
        state = play(state, *throw_of("11666", spot=spot))
        index = [one.action for one in list_choices(state)].index("2+12/6")
        state = play(state, *[RIGHT] * index)
        row = rows_of(view(state)["players"][0])[2]
        tones.append((row["tone"], row["tone_after"]))
        state = play(state, CONFIRM)
    reds = [("red", "red")] * 3
    assert tones == [("none", "red"), *reds, ("red", "grey"), ("grey", "green")]


def test_players_are_told_what_they_are_to_do() -> None:
    def states(state: TableState) -> list[str]:
        return [player["state"] for player in view(state)["players"]]

    start = table("Ada", "Ben", "Cleo")
    assert states(start) == ["rolls", "idle", "idle"]
    rolled = play(start, *throw_of("13446"))
    assert states(rolled) == ["chooses", "waits", "waits"]
    assert states(play(rolled, CONFIRM)) == ["done", "chooses", "waits"]
    assert states(play(rolled, CONFIRM, CONFIRM, CONFIRM)) == ["idle", "rolls", "idle"]
    assert states(finished_table("Ada", "Ben")) == ["finished", "finished"]


def test_a_free_roll_is_told_in_the_words_of_the_choice() -> None:
    state = table("Ada")
    for spot, faces in enumerate(("11144", "22244", "33344"), start=1):
        state = play(state, *throw_of(faces, spot=spot))
        actions = [one.action for one in list_choices(state)]
        wanted = next(action for action in actions if action.endswith(faces[0]))
        state = play(state, *[RIGHT] * actions.index(wanted), CONFIRM)
    free = view(play(state, *throw_of("44556", spot=8)))
    listed = view(play(state, *throw_of("14456", spot=9)))
    assert all("free roll: leave" in one["text"] for one in free["choices"])
    assert not any("free roll" in one["text"] for one in listed["choices"])
    assert not any(row["pending"] for row in choice_sheet(free["players"][0])["fifth"])


def test_a_roll_entered_by_hand_stays_visible_as_such() -> None:
    state = play(table("Ada"), *doubtful_throw(), on.FacesEntered("13446", "Eva"))
    assert view(state)["by_hand"]
    assert [one["face"] for one in view(state)["dice"]] == [1, 3, 4, 4, 6]
    assert view(play(state, on.PauseRequested()))["by_hand"]


def test_the_reading_after_an_entered_roll_is_not_by_hand() -> None:
    entered = play(
        table("Ada", confirm=Confirm.BUTTON), *doubtful_throw(), on.FacesEntered("13446", "Eva")
    )
    state = play(entered, CONFIRM, *throw_of("22345", spot=1))
    assert (state.phase, view(state)["by_hand"]) == (Phase.READING, False)


def test_a_pause_once_hid_the_roll_that_was_being_chosen_from() -> None:
    state = rolled_table("13446")
    for events in (
        (on.PauseRequested(),),
        (on.DeviceLost("camera", "It is gone.", "Look for it."),),
    ):
        faces = [one["face"] for one in view(play(state, *events))["dice"]]
        assert faces == [1, 3, 4, 4, 6]


def test_a_moved_die_loses_its_outline_while_choosing() -> None:
    state = rolled_table("13446")
    moved = (die(1, 50.0), *dice_of("13446")[1:])
    dice = view(play(state, on.DiceRead(moved, "")))["dice"]
    assert [shown["edge_px"] for shown in dice] == [0.0, 40.0, 40.0, 40.0, 40.0]
    assert [shown["face"] for shown in dice] == [1, 3, 4, 4, 6]


def test_dice_in_doubt_are_shown_with_what_is_wrong_and_where() -> None:
    shown = view(play(table(), *doubtful_throw("1344")))
    assert len(shown["dice"]) == 4
    (doubt,) = shown["doubts"]
    assert (doubt["kind"], doubt["center_px"], doubt["radius_px"]) == ("cocked", (90, 40), 30)
    assert shown["notice"] == {"kind": "doubt", "text": "A die leans against the wall.", "mend": ""}


def test_nothing_is_drawn_while_dice_move() -> None:
    state = play(rolled_table("13446", "Ada"), CONFIRM, on.MotionStarted())
    assert view(state)["dice"] == view(play(state, on.MotionStopped()))["dice"] == []


def test_the_newest_of_two_faults_is_shown_with_its_mend() -> None:
    camera = on.DeviceLost("camera", "The camera is gone.", "Plug it in.")
    disk = on.DeviceLost("disk", "The disk is full.", "Make room.")
    shown = view(play(table(), camera, disk))
    assert shown["fault"] == {"device": "disk", "kind": ""}
    assert shown["notice"] == {"kind": "fault", "text": "The disk is full.", "mend": "Make room."}


def test_news_of_the_journal_stays_until_a_later_game_is_left() -> None:
    restored: JournalEntry = ("restored", {"made_at": "2026-07-04T10:00:00", "software": "1.0"})
    left = play(restore_table(table(), [restored]), on.GameClosed())
    notice = view(left)["notice"]
    assert notice is not None
    assert notice["text"] == "The games come from a backup of 2026-07-04."
    assert view(play(left, on.StartRequested(), on.GameClosed()))["notice"] is None


def test_undo_names_no_player_who_plays_alone() -> None:
    state = play(table("Ada", game="dice"), *throw_of("13446"))
    assert view(play(state, on.ActionRequested("Ada", "dice 2")))["undo"] == "throw 2 dice"
    state = play(rolled_table("13446", "Ada"), on.ActionRequested("Ada", "4+10/4"))
    assert view(state)["undo"] == "4+10/4"


def test_undo_names_what_can_be_taken_back_and_only_where_it_can() -> None:
    state = play(rolled_table("13446"), *map(on.DieTapped, (0, 1, 2, 4)), CONFIRM)
    assert view(state)["undo"] == "Ada: 4+10/4"
    assert view(play(state, on.PauseRequested()))["undo"] is None
    assert view(play(state, on.PauseRequested(), on.ResumeRequested()))["undo"] == "Ada: 4+10/4"
    assert view(play(state, BACK))["undo"] is None


@pytest.mark.parametrize(
    ("players", "winners", "text"),
    [
        (("Ada",), ["Ada"], "Ada wins with +500 points."),
        (("Ada", "Ben"), ["Ada", "Ben"], "Ada and Ben share the win with +500 points."),
    ],
)
def test_the_end_names_the_winners(players: tuple[str, ...], winners: list[str], text: str) -> None:
    shown = view(finished_table(*players))
    outcome = shown["outcome"]
    assert outcome is not None
    assert (outcome["winners"], outcome["losers"], outcome["text"]) == (winners, [], text)
    assert outcome["scores"][-1] == [one["total"] for one in shown["players"]]
    assert outcome["decisive"] is None
    assert [one["name"] for one in shown["players"] if one["winner"]] == winners
    assert (shown["progress"], shown["choices"], shown["cursor"]) == ("Roll 8", [], -1)


def test_the_lobby_shows_what_is_picked_and_no_game() -> None:
    shown = view(play(TableState(), on.GamePicked("black-n-white")))
    assert (shown["game"], shown["players"], shown["dice_wanted"]) == (None, [], 0)
    assert (shown["title"], shown["help"]["title"]) == ("Black'n'White", "Black'n'White")
    assert shown["lobby"] is not None
    assert shown["lobby"]["games"] == list(GAMES)
    assert view(table())["lobby"] is None


@pytest.mark.parametrize("game", GAMES)
def test_the_view_names_the_game_and_its_dice(game: str) -> None:
    shown = view(table(game=game))
    rules = GAMES[game]
    assert (shown["game"], shown["title"]) == (game, rules.title)
    assert shown["polarities"] == list(rules.polarities)
    assert shown["dice_wanted"] == len(rules.polarities)
    assert shown["help"]["title"] == rules.title


def test_the_end_names_the_roll_that_decided_it() -> None:
    """Ben leaves out the fifth die that costs him, once; Ada is ahead from then on."""
    state, spot = table("Ada", "Ben"), 0
    while state.phase is not Phase.GAME_OVER:
        if state.phase is Phase.AWAITING_ROLL:
            spot += 1
            state = play(state, *throw_of("11112" if spot == 2 else "11111", spot=spot))
        is_second = spot == 2 and state.chooser == "Ben"
        state = play(state, *([RIGHT] if is_second else []), CONFIRM)
    shown = view(state)
    outcome = shown["outcome"]
    assert outcome is not None
    assert outcome["decisive"] is not None
    roll = outcome["decisive"]["number"]
    ahead = [ada - ben for ada, ben in outcome["scores"]]
    sign = 1 if outcome["winners"] == ["Ada"] else -1
    assert all(sign * lead > 0 for lead in ahead[roll - 1 :])
    assert roll == 1 or sign * ahead[roll - 2] <= 0
    assert [one["face"] for one in outcome["decisive"]["dice"]] == [1, 1, 1, 1, 2][:5]
