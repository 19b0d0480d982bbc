# SPDX-License-Identifier: MIT
"""A game ends early and counts as it stands, and somebody sits down while Just dice is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.games.contract import COUNT, JOIN, ActionEvent
from controller.journal.records.from_journal import JournalGames, export_record
from controller.journal.records.replay import replay
from controller.table import events as on
from controller.table.events import Event
from controller.table.game_flow import apply_action
from controller.table.journal_entries import restore_table
from controller.table.state import Phase, TableState, require_game
from controller.table.view.snapshot import build_snapshot
from tests.support.random_journal import WrittenJournal
from tests.support.table import (
    die,
    entries_of,
    journalled,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
)

GAMES = ("choice", "black-n-white", "wuerfelspiel", "dice")


def rolled(game: str) -> TableState:
    start = table("Ada", "Ben", game=game)
    two = rest_of(die(2, 100.0), die(5, 300.0, is_black=True))
    return play(start, *(two if game == "black-n-white" else throw_of("13446")))


def notice_of(state: TableState, *events: Event) -> str:
    notice = play(state, *events).notice
    assert notice is not None
    return notice.text


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_ended_early_and_its_result_counts(game: str) -> None:
    before = rolled(game)
    assert build_snapshot(before, version=1)["may_count"]
    after, effects = journalled(before, on.PauseRequested(), on.GameCounted())
    position = require_game(after)
    assert (after.phase, position.totals()) == (Phase.GAME_OVER, require_game(before).totals())
    pause, counted = entries_of(effects)
    assert counted[0] == "counted"
    assert counted[1]["result"]["totals"] == position.totals()  # type: ignore[index, call-overload]
    view = build_snapshot(after, version=1)
    assert view["outcome"] is not None
    assert view["outcome"]["text"].endswith("It was ended early.")
    assert [player["state"] for player in view["players"]] == ["finished"] * 2
    assert not view["may_count"]
    restored = restore_table(before, [pause, counted])
    assert (restored.phase, restored.play.position) == (after.phase, position)


@pytest.mark.parametrize("game", GAMES)
def test_an_early_end_can_be_taken_back(game: str) -> None:
    before = rolled(game)
    over = play(before, on.GameCounted())
    assert build_snapshot(over, version=1)["undo"] == "count it as it stands"
    after, effects = journalled(over, on.UndoRequested())
    assert after.play.position == before.play.position
    assert entries_of(effects) == [("undo", {"by": "Ada", "do": "count"})]
    assert restore_table(over, entries_of(effects)).play.position == before.play.position


def test_the_highest_result_wins_and_fewest_chips_do() -> None:
    choice = apply_action(rolled_table("13446", "Ada", "Ben"), by="Ada", action="4+10/4")
    found = require_game(play(choice, on.GameCounted())).outcome()
    assert found is not None
    assert (found.winners, found.losers) == (("Ben",), ("Ada",))
    chips = require_game(play(rolled("black-n-white"), on.GameCounted())).outcome()
    assert chips is not None
    assert (chips.winners, chips.losers) == (("Ada", "Ben"), ())


def test_before_the_first_roll_nothing_counts() -> None:
    refused = notice_of(table("Ada", "Ben"), on.GameCounted())
    assert refused == "Nothing counts yet. Leave the game instead."
    assert not build_snapshot(table("Ada", "Ben"), version=1)["may_count"]
    assert journalled(play(rolled("choice"), on.GameCounted()), on.GameCounted())[1] == ()


def test_a_player_joins_just_dice_and_throws_last() -> None:
    before = rolled("dice")
    joiners = build_snapshot(before, version=1)["joiners"]
    assert joiners
    assert "Ada" not in joiners
    after, effects = journalled(before, on.PlayerJoined(" Zoe "), *throw_of("12345", spot=3))
    assert require_game(after).players == ("Ada", "Ben", "Zoe")
    assert entries_of(effects)[0] == ("seated", {"player": "Zoe"})
    assert after.setup.known_players[0] == "Zoe"
    thrown = play(after, *throw_of("12344", spot=5))
    assert require_game(thrown).totals() == {"Ada": 18, "Ben": 15, "Zoe": 14}
    assert build_snapshot(play(thrown, on.GameCounted()), version=1)["outcome"] is not None
    restored = restore_table(before, entries_of(effects))
    assert restored.play.position == after.play.position
    left = play(before, on.PlayerJoined("Zoe"), on.UndoRequested())
    assert require_game(left) == require_game(before)


def test_a_throw_goes_on_while_somebody_joins() -> None:
    rolling = play(rolled("dice"), on.MotionStarted())
    joined = play(rolling, on.PlayerJoined("Zoe"))
    assert (joined.phase, require_game(joined).players[-1]) == (Phase.ROLLING, "Zoe")


@pytest.mark.parametrize("last", [on.GameCounted(), on.MotionStarted(), on.ReviewRequested()])
def test_a_correction_keeps_who_joined_after_that_roll(last: Event) -> None:
    before = rolled("dice")
    fix = on.RollCorrected("13456", "Eva", "It was misread.")
    after, effects = journalled(before, on.PlayerJoined("Zoe"), last, fix)
    assert require_game(after).totals() == {"Ada": 19, "Ben": 0, "Zoe": 0}
    assert after.notice is not None
    assert "join" not in after.notice.remedy
    kind, body = entries_of(effects)[-1]
    ended = [{"by": "Ada", "do": "count"}] if isinstance(last, on.GameCounted) else []
    assert (kind, body["undone"]) == ("correction", ended)
    assert restore_table(before, entries_of(effects)).play.position == after.play.position
    journal = WrittenJournal()
    journal.add("game", {"game": "dice", "players": ["Ada", "Ben"], "options": {}})
    journal.add("roll", {"by": "Ada", "held": "", "roll": "13446", "by_hand": "", "lie": []})
    for kind, body in entries_of(effects):
        journal.add(kind, body)
    (game,) = JournalGames(journal.entries)
    assert game.events()[-1] == ActionEvent("Zoe", JOIN)
    assert replay(export_record(game).encode().splitlines()).state == require_game(after)


def test_who_cannot_join_is_told_why() -> None:
    only = "Nobody can join this game now: only Just dice, while a seat is free."
    assert notice_of(rolled("choice"), on.PlayerJoined("Zoe")) == only
    full = table("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", game="dice")
    assert notice_of(full, on.PlayerJoined("Zoe")) == only
    alike = play(rolled("dice"), on.PlayerJoined("ADA")).notice
    assert alike is not None
    assert "do not look alike" in alike.text


@pytest.mark.parametrize("is_known_late", [False, True], ids=["seated", "restarted"])
def test_a_game_of_a_tournament_needs_an_official(is_known_late: bool) -> None:
    seated = on.PlayersSeated("Cup", 1, 1, "dice", (), ("Ben", "Ada"))
    if is_known_late:
        state = play(rolled("dice"), on.MotionStarted(), seated)
    else:
        state = play(TableState(), seated, on.StartRequested(), *throw_of("13446"))
    view = build_snapshot(state, version=1)
    assert (view["may_count"], view["joiners"]) == (False, None)
    for event in (on.GameCounted(), on.PlayerJoined("Zoe")):
        after, effects = journalled(state, event)
        assert (after.play, effects) == (state.play, ())
        assert after.notice is not None
        assert after.notice.text == "This game counts in a tournament."
        assert after.notice.remedy == "Call an official."
    other = replace(seated, players=("Ben", "Cleo"))
    assert build_snapshot(play(rolled("dice"), other), version=1)["may_count"]


def test_only_what_means_something_is_offered() -> None:
    lost = on.DeviceLost("camera", "It is gone.", "Look for it.")
    for events, may_count in (
        ((), True),
        ((on.PauseRequested(),), True),
        ((on.ReviewRequested(),), False),
        ((lost,), False),
    ):
        state = play(rolled("dice"), *events)
        view = build_snapshot(state, version=1)
        assert (view["may_count"], view["joiners"] is not None) == (may_count, not events)
        for event, is_offered in (
            (on.GameCounted(), may_count),
            (on.PlayerJoined("Zoe"), not events),
        ):
            assert bool(journalled(state, event)[1]) is is_offered


@pytest.mark.parametrize("action", [COUNT, JOIN])
def test_an_action_does_neither_and_says_so(action: str) -> None:
    words = "An action must be a move of the game."
    before = rolled("dice")
    for by in ("Ada", "Zoe"):
        assert notice_of(before, on.ActionRequested(by, action)) == words
        phone = on.ActionRequested(by, action, from_phone=True)
        after, effects = journalled(before, phone)
        assert (after.play, after.notice, effects) == (before.play, before.notice, ())
        (shown,) = after.screen.phones
        assert shown.notice is not None
        assert (shown.player, shown.notice.text) == (by, words)


def test_the_scores_of_just_dice_hold_its_newest_roll() -> None:
    after = play(rolled("dice"), *throw_of("22345", spot=3))
    assert after.play.position is not None
    newest = after.play.position.totals()
    course = build_snapshot(after, version=1)["course"]
    assert course is not None
    assert course["scores"][-1] == [newest[name] for name in after.play.position.players]
    assert len(course["scores"]) == len(course["rolls"]) + 1


def test_the_shared_screen_has_the_last_rolls_and_scores() -> None:
    first = rolled("wuerfelspiel")
    assert build_snapshot(first, version=1)["course"] is None
    filled = apply_action(first, by="Ada", action="chance*1")
    after = play(filled, *throw_of("22345", spot=3))
    course = build_snapshot(after, version=1)["course"]
    assert course == {
        "rolls": [
            {"number": 2, "seat": 1, "faces": [2, 2, 3, 4, 5]},
            {"number": 1, "seat": 0, "faces": [1, 3, 4, 4, 6]},
        ],
        "scores": [[0, 0], [18, 0]],
    }
    assert build_snapshot(after, version=1, viewer="Ada")["course"] is None


def test_a_game_that_deals_for_a_tournament_has_no_early_end() -> None:
    before = play(rolled("dice"), on.DealingChanged(True))
    assert not build_snapshot(before, version=1)["may_count"]
    assert notice_of(before, on.GameCounted()) == "This game counts in a tournament."
    after = play(before, on.DealingChanged(False))
    assert build_snapshot(after, version=1)["may_count"]
