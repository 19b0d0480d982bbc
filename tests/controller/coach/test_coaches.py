# SPDX-License-Identifier: MIT
"""What every coach promises, whatever its game."""

from __future__ import annotations

import random

import pytest

from controller.cli.bench_reader.rules import TABLES, random_record
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, Options, RollEvent
from controller.journal.records.replay import RecordedGame, read_record

KNOWN = [name for name in TABLES if TABLES[name][0] != "dice"]


def play(name: str, seed: int) -> tuple[Coach, RecordedGame]:
    """Return a random game and its coach."""
    key, options = TABLES[name]
    coach = find_coach(key, options)
    assert coach is not None
    return coach, read_record(random_record(GAMES[key], options, random.Random(seed)))


@pytest.mark.parametrize("name", KNOWN)
def test_a_position_is_worth_its_best_action(name: str) -> None:
    coach, game = play(name, seed=1)
    state = game.start
    for event in game.events[:60]:
        for player in state.players:
            judged = coach.judge(state, player)
            assert tuple(judged) == state.legal_actions(player)
            if judged:
                assert coach.expect(state, player) == max(judged.values())
        state = state.apply(event)
    with pytest.raises(ValueError, match="tuple"):
        coach.expect(state, "nobody")


@pytest.mark.parametrize(
    ("name", "most"), [("choice", 12.0), ("choice with jokers", 20.0), ("wuerfelspiel", 12.0)]
)
def test_what_a_roll_is_expected_to_bring_is_what_it_brings(name: str, most: float) -> None:
    """The expectation before a throw is the mean over real throws of the best action."""
    coach, game = play(name, seed=3)
    state, rng, checked = game.start, random.Random(4), 0
    for event in game.events:
        if isinstance(event, RollEvent) and not state.dice_to_leave(event.by) and checked < 3:
            checked += 1
            rolls = ["".join(str(rng.randint(1, 6)) for _ in range(5)) for _ in range(400)]
            values = [
                coach.expect(state.apply(RollEvent(event.by, "".join(sorted(roll)))), event.by)
                for roll in rolls
                if not state.required_dice(event.by)
            ]
            if values:
                mean = sum(values) / len(values)
                assert mean == pytest.approx(coach.expect(state, event.by), abs=most)
        state = state.apply(event)
    assert checked == 3


def play_best(key: str, options: Options, players: list[str], seed: int) -> GameState:
    """Return the end of a game in which everybody takes the best action."""
    coach, rng = find_coach(key, options), random.Random(seed)
    assert coach is not None
    state = GAMES[key].start(players, options)
    while state.outcome() is None:
        expected = state.expects()
        if expected.roll:
            by = expected.roll[0]
            dice = state.required_dice(by) or state.dice_to_leave(by)
            thrown = [str(rng.randint(1, 6)) for _ in range(5 - len(dice))]
            state = state.apply(RollEvent(by, "".join(sorted([*dice, *thrown]))))
        else:
            by = next(iter(expected.do))
            judged = coach.judge(state, by)
            state = state.apply(ActionEvent(by, max(judged, key=judged.__getitem__)))
    return state


@pytest.mark.parametrize(
    ("key", "options", "least"),
    [
        ("choice", {"jokers": False}, -300),
        ("choice", {"jokers": True}, 100),
        ("wuerfelspiel", {}, 1300),
    ],
)
def test_the_best_known_play_is_far_from_random(key: str, options: Options, least: int) -> None:
    """Random play ends at about -1,230 in Choice and below 700 in Würfelspiel."""
    state = play_best(key, options, ["Ada", "Ben"], seed=5)
    assert min(state.totals().values()) > least
    coach = find_coach(key, options)
    assert coach is not None
    best = max(state.totals().values())
    winners = [name for name, total in state.totals().items() if total == best]
    chances = coach.chances(state)
    assert sum(chances[name] for name in winners) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(("name", "events"), [("choice", 1), ("wuerfelspiel", 5)])
def test_a_deeper_coach_judges_by_what_may_follow(name: str, events: int) -> None:
    """After the last throw of a first turn."""
    with open(f"tests/records/{name}-alone.jsonl", "rb") as file:
        game = read_record(file)
    coach = find_coach(game.game, game.start.options)
    further = find_coach(game.game, game.start.options, is_deeper=True)
    assert coach is not None
    assert further is not None
    state = game.start
    for event in game.events[:events]:
        state = state.apply(event)
    judged = further.judge(state, "Ada")
    for action, value in judged.items():
        after = state.apply(ActionEvent("Ada", action))
        assert value == pytest.approx(coach.expect(after, "Ada"), abs=1e-9)
    assert judged.keys() == coach.judge(state, "Ada").keys()
    assert judged != coach.judge(state, "Ada")


def test_unknown_games_have_no_coach() -> None:
    assert find_coach("dice", {"dice": 5}) is None
    assert find_coach("black-n-white", {"chips_per_player": 6}) is None
