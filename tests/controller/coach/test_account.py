# SPDX-License-Identifier: MIT
from __future__ import annotations

import random

import pytest

from controller.cli.bench_reader.rules import PLAYERS, TABLES, random_record
from controller.coach.account import GameAccount, PlayerAccount, build_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.games import GAMES
from controller.journal.records.replay import RecordedGame, read_record
from tests.controller.coach.greedy_coach import GreedyCoach

CHOICE_RECORD = "tests/records/choice-three-players.jsonl"


def play_record(name: str, seed: int) -> RecordedGame:
    key, options = TABLES[name]
    return read_record(random_record(GAMES[key], options, random.Random(seed)))


def account_of(coach: Coach, game: RecordedGame) -> GameAccount:
    return build_account(coach, game.start, game.events)


def sum_up(player: PlayerAccount) -> float:
    return player.start + player.luck - player.cost + player.others + player.drift


@pytest.mark.parametrize("name", TABLES)
def test_the_parts_of_an_account_add_up_to_the_result(name: str) -> None:
    """Also with a coach whose `judge` and `expect` do not agree: the rest is drift."""
    game = play_record(name, seed=1)
    account = account_of(GreedyCoach(game.game, bonus=7.5), game)
    end = game.start
    for event in game.events:
        end = end.apply(event)
    for player in account.players:
        assert sum_up(player) == pytest.approx(player.final, abs=1e-9)
        assert player.final == end.totals()[player.name]
    assert name != "choice" or all(player.drift for player in account.players)
    assert account.is_finished
    assert min(choice.cost for choice in account.choices) >= 0


def test_a_cost_is_what_the_best_choice_was_worth_more() -> None:
    game = play_record("choice", seed=2)
    coach = GreedyCoach("choice")
    account = account_of(coach, game)
    state, costs = game.start, []
    for event in game.events:
        if hasattr(event, "action") and len(judged := coach.judge(state, event.by)) > 1:
            costs.append((event.by, event.action, max(judged.values()) - judged[event.action]))
        state = state.apply(event)
    found = [(PLAYERS[one.seat], one.chosen, one.cost) for one in account.choices]
    assert found == costs
    for seat, player in enumerate(account.players):
        dearest = account.list_dearest(seat)
        own = sorted((one.cost for one in account.choices if one.seat == seat), reverse=True)
        assert [one.cost for one in dearest] == own[:3]
        assert player.choices == len(own)


def test_small_costs_are_noise_and_no_dear_choices() -> None:
    game = play_record("choice", seed=3)
    account = account_of(GreedyCoach("choice", equal_below=50), game)
    for seat, player in enumerate(account.players):
        own = [one.cost for one in account.choices if one.seat == seat]
        assert player.cost == pytest.approx(sum(own))
        assert player.noise == pytest.approx(sum(cost for cost in own if cost < 50))
        assert player.play == pytest.approx(-sum(cost for cost in own if cost >= 50))
        assert all(one.cost >= 50 for one in account.list_dearest(seat))
    assert any(0 < player.noise < player.cost for player in account.players)


def test_throws_of_others_are_nobody_elses_luck() -> None:
    """In Black'n'White only the thrower has to do with a throw."""
    game = play_record("black-n-white", seed=4)
    account = account_of(GreedyCoach("black-n-white"), game)
    for roll in account.rolls:
        others = [luck for seat, luck in enumerate(roll.luck) if seat != roll.seat]
        assert others == [0.0] * len(others)
    assert any(player.others for player in account.players)


def test_every_roll_has_its_values_and_chances() -> None:
    with open(CHOICE_RECORD, "rb") as file:
        game = read_record(file)
    account = account_of(GreedyCoach("choice"), game)
    rolls = [event for event in game.events if hasattr(event, "roll")]
    assert [roll.dice for roll in account.rolls] == [event.roll for event in rolls]
    assert account.rolls[-1].values == tuple(player.final for player in account.players)
    assert account.rolls[-1].chances == pytest.approx([1 / 3] * 3)
    assert account.start_chances == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    "name", ["choice-jokers-waiting", "black-n-white-three-players", "wuerfelspiel-alone"]
)
def test_a_deeper_account_adds_up_and_is_always_the_same(name: str) -> None:
    """Values must not depend on what a coach was asked before."""
    with open(f"tests/records/{name}.jsonl", "rb") as file:
        game = read_record(file)
    coach = find_coach(game.game, game.start.options)
    further = find_coach(game.game, game.start.options, is_deeper=True)
    assert coach is not None
    assert further is not None
    first, deeper = account_of(coach, game), account_of(further, game)
    assert account_of(coach, game) == first
    assert account_of(further, game) == deeper
    for player in deeper.players:
        assert sum_up(player) == pytest.approx(player.final, abs=1e-9)
    if coach.equal_below == 0:
        costs = [one.cost for one in first.choices]
        assert [one.cost for one in deeper.choices] == pytest.approx(costs, abs=1e-9)
