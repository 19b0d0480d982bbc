# SPDX-License-Identifier: MIT
"""Black'n'White is solved: known chances, and each choice against the mean of what follows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.cli.bench_reader.rules import pick_random_event
from controller.coach.account import build_account
from controller.coach.black_n_white.coach import load_black_n_white_coach
from controller.coach.black_n_white.positions import Position, Positions
from controller.coach.black_n_white.table import StoredPositions, load_positions, save_positions
from controller.games import require_game
from controller.games.contract import ActionEvent, GameEvent, RollEvent

KNOWN = {2: (0.4658685772, 0.5341314228), 3: (0.3069650413, 0.3434192832, 0.3496156755)}
"""The chances to lose with two chips each, in the order of the seats."""


def test_two_players_are_solved_to_ten_digits() -> None:
    losses = Positions().find(Position(4, (0, 0)))
    assert losses == pytest.approx(KNOWN[2], abs=1e-10)


@pytest.mark.parametrize("count", KNOWN)
def test_the_table_has_the_known_chances(count: int) -> None:
    players = ["Ada", "Ben", "Cleo"][:count]
    state = require_game("black-n-white").start(players, {"chips_per_player": 2})
    coach = load_black_n_white_coach()
    chances = coach.chances(state)
    assert [1 - chances[name] for name in players] == pytest.approx(KNOWN[count], abs=1e-10)


@pytest.mark.parametrize("chips", [1, 3, 5])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_somebody_loses(count: int, chips: int) -> None:
    players = ["Ada", "Ben", "Cleo", "Dora", "Emil"][:count]
    state = require_game("black-n-white").start(players, {"chips_per_player": chips})
    chances = load_black_n_white_coach().chances(state)
    assert sum(1 - chance for chance in chances.values()) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    "position",
    [
        Position(10, (0, 0)),
        Position(7, (2, 0, 0)),
        Position(0, (5, 5, 4)),
        Position(13, (3, 4, 0, 0)),
        Position(1, (9, 3, 7, 0)),
        Position(25, (0, 0, 0, 0, 0)),
        Position(0, (6, 1, 5, 6, 4)),
    ],
)
def test_a_stored_position_follows_from_those_after_it(position: Position) -> None:
    positions, _ = load_positions()
    losses = positions.solve(position).start
    assert positions.find(position) == pytest.approx(losses, abs=1e-9)


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    solved = Positions()
    for count in (2, 3, 4, 5):
        solved.find(Position(count, (0,) * count))
    save_positions(solved, tmp_path)
    stored = StoredPositions((tmp_path / "black_n_white.npz").read_bytes())
    for position, losses in solved.known.items():
        assert stored.find(position) == pytest.approx(losses, abs=1e-9)


def test_a_throw_is_worth_the_mean_of_its_faces() -> None:
    coach = load_black_n_white_coach()
    state = require_game("black-n-white").start(["Ada", "Ben", "Cleo"], {"chips_per_player": 2})
    state = state.apply(RollEvent("Ada", "w6 b2"))
    for action in ("throw white", "throw black", "throw both"):
        thrown = state.apply(ActionEvent("Ada", action))
        judged = coach.judge(state, "Ada")[action]
        for player in state.players:
            values = [
                coach.expect(thrown.apply(RollEvent("Ada", f"w{white} b{black}")), player)
                for white in (range(1, 7) if action != "throw black" else (6,))
                for black in (range(1, 7) if action != "throw white" else (2,))
            ]
            mean = sum(values) / len(values)
            assert coach.expect(thrown, player) == pytest.approx(mean, abs=1e-12)
        assert coach.expect(thrown, "Ada") == pytest.approx(judged, abs=1e-12)
    stopped = state.apply(ActionEvent("Ada", "stop"))
    assert coach.judge(stopped, "Ada").keys() == {"tens white", "tens black"}
    assert coach.expect(stopped, "Ada") == coach.judge(state, "Ada")["stop"]


@pytest.mark.parametrize(("count", "chips"), [(2, 5), (3, 4), (4, 3), (5, 5)])
def test_nothing_of_a_game_is_unexplained(count: int, chips: int) -> None:
    """Every position that comes is in the table, and worth the mean of those after it."""
    game = require_game("black-n-white")
    players = ["Ada", "Ben", "Cleo", "Dora", "Emil"][:count]
    state = start = game.start(players, {"chips_per_player": chips})
    events, chance = list[GameEvent](), random.Random(count)
    while state.outcome() is None:
        events.append(pick_random_event(game, state, chance))
        state = state.apply(events[-1])
    account = build_account(load_black_n_white_coach(), start, events)
    assert account.is_finished
    for player in account.players:
        assert player.drift == pytest.approx(0.0, abs=1e-7)
        assert player.final in (0.0, 1.0)
