# SPDX-License-Identifier: MIT
"""A game that its players left stays as it is, and the lobby continues it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.base.errors import InputError
from controller.games.player_names import compute_look
from controller.journal.hashchain import Body
from controller.table import events as on
from controller.table.events import Event, Key
from controller.table.journal_entries import restore_table
from controller.table.machine import step
from controller.table.state import Phase, TableState
from controller.table.view.snapshot import build_snapshot
from tests.support.table import (
    dice_of,
    finished_table,
    notice_of,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)

BACK, CONFIRM, LEFT = (on.KeyPressed(key) for key in (Key.BACK, Key.CONFIRM, Key.LEFT))
OFFER = "Continue: Choice, Ada and Ben, Roll 1"


def lobby_of(state: TableState) -> tuple[str, bool, str | None]:
    view = build_snapshot(state, version=1)
    assert view["lobby"] is not None
    return view["lobby"]["parked"], view["lobby"]["continues"], view["buttons"]["confirm"]


def entries_of(state: TableState, *events: Event) -> list[tuple[str, Body]]:
    found = []
    for event in events:
        state, effects = step(state, event)
        found += [(effect.kind, effect.body) for effect in effects]
    return found


def test_a_game_that_was_left_continues_where_it_stopped() -> None:
    before = play(rolled_table("13446"), on.ActionRequested("Ada", "4+10/4"))
    lobby = play(before, on.GameLeft())
    assert lobby.phase is Phase.LOBBY
    assert lobby_of(lobby) == (OFFER, True, "continue")
    for way in (on.GameContinued(), CONFIRM):
        after = play(lobby, way)
        assert (after.phase, after.play.position) == (Phase.CHOOSING, before.play.position)
        assert after.play.undoable == before.play.undoable
        assert after.parked is None


def test_just_dice_continues_without_the_dice_of_its_last_roll() -> None:
    thrown = play(table(game="dice", options={"dice": 4}), *throw_of("1346"))
    taken = play(thrown, on.MotionStarted(), on.MotionStopped(), on.DiceRead(()), on.GameLeft())
    after = play(taken, on.GameContinued())
    assert (after.phase, after.is_returning) == (thrown.phase, False)


def test_another_game_is_started_instead() -> None:
    lobby = play(rolled_table("13446"), on.GameLeft())
    toggled = play(lobby, LEFT)
    assert lobby_of(toggled) == (OFFER, False, "start game")
    assert lobby_of(play(lobby, on.GamePicked("wuerfelspiel")))[1] is False
    other = on.GameStarted("choice", ("Cleo",))
    for after in (play(toggled, CONFIRM, CONFIRM), play(lobby, other, other)):
        assert after.play.position is not None
        assert after.play.position.faces == ()
        assert play(after, on.GameLeft(), on.GameContinued()).play.position == after.play.position


@pytest.mark.parametrize(
    "start", [CONFIRM, on.StartRequested(), on.GameStarted("dice", ("Cleo",), {"dice": 3})]
)
def test_no_start_ends_a_parked_game_unasked(start: Event) -> None:
    """Whoever starts, by a button, on a page or in a program, is asked first and loses nothing."""
    left = play(rolled_table("13446"), on.GameLeft(), LEFT)
    asked, effects = step(left, start)
    assert (effects, asked.play.position, asked.parked) == ((), None, left.parked)
    view = build_snapshot(asked, version=1)
    assert view["headline"] == "End the game that waits?"
    ends = "A new game would end this one for good: Choice, Ada and Ben, Roll 1."
    assert view["lobby"] is not None
    assert (view["hint"], view["lobby"]["ends"]) == (ends, ends)
    assert view["question"] != build_snapshot(left, version=1)["question"]
    assert (view["buttons"]["confirm"], view["buttons"]["back"]) == ("end it and start", "keep it")
    assert [kind for kind, _ in entries_of(asked, start)] == ["game"]


@pytest.mark.parametrize("answer", [BACK, LEFT, on.GamePicked("choice"), on.ScreenIdled()])
def test_a_parked_game_is_kept_by_any_other_answer(answer: Event) -> None:
    asked = play(rolled_table("13446"), on.GameLeft(), LEFT, CONFIRM)
    kept = play(asked, answer)
    assert kept.parked == asked.parked
    assert not kept.lobby.asks_end
    assert play(asked, on.GameContinued()).play.position == rolled_table("13446").play.position


def test_a_game_that_is_over_is_closed_not_parked() -> None:
    assert [kind for kind, _ in entries_of(finished_table("Ada"), on.GameLeft())] == ["closed"]
    lobby = play(finished_table("Ada"), on.GameLeft())
    assert lobby_of(lobby)[0] == ""
    refused = play(lobby, on.GameContinued())
    assert notice_of(refused).text == "There is no game to continue."


def test_a_review_is_over_when_the_game_is_left() -> None:
    after = play(rolled_table("13446"), on.ReviewRequested(), on.GameLeft(), on.GameContinued())
    assert (after.phase, after.play.review) == (Phase.CHOOSING, None)


def test_dice_of_a_held_roll_must_be_back_to_go_on() -> None:
    """In Wuerfelspiel the dice on the felt decide what is kept, and others played meanwhile."""
    rolled = play(table(game="wuerfelspiel"), *rest_of(*dice_of("13446")))
    lobby = play(rolled, on.GameLeft())
    assert not play(lobby, on.GameContinued()).is_returning
    assert play(lobby, on.DiceRead(dice_of("22", spot=9)), on.GameContinued()).is_returning


def test_a_restart_finds_the_parked_game() -> None:
    start = (on.GameStarted("choice", ("Ada", "Ben")), *rest_of(*dice_of("13446")), on.GameLeft())
    entries = entries_of(TableState(), *start)
    assert [kind for kind, _ in entries] == ["game", "roll", "parked"]
    restored = restore_table(TableState(), entries)
    assert lobby_of(restored) == (OFFER, True, "continue")
    continued = restore_table(TableState(), [*entries, ("continued", {})])
    assert continued.play.position == play(restored, on.GameContinued()).play.position
    assert replace(continued, parked=None) == continued


@pytest.mark.parametrize("kind", ["parked", "continued"])
def test_an_entry_without_a_game_is_refused(kind: str) -> None:
    with pytest.raises(InputError, match="entry 1"):
        restore_table(TableState(), [(kind, {})])


def test_a_forgotten_player_of_a_parked_game_has_no_name() -> None:
    state = play(rolled_table("13446", "Ada", "Ben", "Cleo"), on.GameLeft())
    hidden, renamed = frozenset({compute_look("Ben")}), ((compute_look("Cleo"), "Cleopatra"),)
    lobby = build_snapshot(play(state, on.NamesChanged(hidden, renamed)), version=1)["lobby"]
    assert lobby is not None
    assert lobby["parked"].startswith("Continue: Choice, Ada, Player 2 and Cleopatra, ")
