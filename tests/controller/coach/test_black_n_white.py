# SPDX-License-Identifier: MIT
"""Black'n'White is solved: known chances, and each choice against the mean of what follows."""

from __future__ import annotations

import pytest

from controller.coach.black_n_white.coach import load_black_n_white_coach
from controller.coach.black_n_white.positions import Position, Positions
from controller.games import require_game
from controller.games.contract import ActionEvent, RollEvent

KNOWN = {
    2: (0.4658685772, 0.5341314228),
    3: (0.3069650413, 0.3434192832, 0.3496156755),
}
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


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_somebody_loses(count: int) -> None:
    players = ["Ada", "Ben", "Cleo", "Dora", "Emil"][:count]
    state = require_game("black-n-white").start(players, {"chips_per_player": 2})
    chances = load_black_n_white_coach().chances(state)
    assert sum(1 - chance for chance in chances.values()) == pytest.approx(1.0, abs=1e-12)


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
