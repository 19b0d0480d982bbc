# SPDX-License-Identifier: MIT
"""The coach of Black'n'White, as the contract asks: nothing is learnt, all of it is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import cast

import numpy as np

from controller.coach.black_n_white.positions import Position, list_order
from controller.coach.black_n_white.round_solver import Losses, RoundSolver
from controller.coach.black_n_white.table import load_positions
from controller.coach.contract import Unit
from controller.games.black_n_white.round import ThrowOff
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import GameState
from controller.games.dice import FACES

_TOTALS = [one + other for one, other in product(FACES, repeat=2)]


class BlackNWhiteCoach:
    """The table of Black'n'White; for one thread."""

    game = "black-n-white"
    unit = Unit.CHANCE
    equal_below = 0.0

    def __init__(self) -> None:
        self._positions, self.weights = load_positions()
        self._solve = lru_cache(16)(self._positions.solve)

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        found = cast("BlackNWhiteState", state)
        if not found.legal_actions(player):
            return {}
        solver, order = self._find_round(found)
        place = order.index(found.players.index(player))
        losses = solver.judge(found.played)
        return {
            action: 1.0 - float(losses[action][place]) for action in found.legal_actions(player)
        }

    def expect(self, state: GameState, player: str) -> float:
        found = cast("BlackNWhiteState", state)
        return 1.0 - float(self._find_losses(found)[found.players.index(player)])

    def chances(self, state: GameState) -> Mapping[str, float]:
        found = cast("BlackNWhiteState", state)
        losses = self._find_losses(found)
        return {name: 1.0 - float(losses[seat]) for seat, name in enumerate(found.players)}

    def _find_losses(self, state: BlackNWhiteState) -> Losses:
        """Return everybody's chance to lose, by seat."""
        if state.is_over:
            return self._positions.expect(0, state.chips, 0)
        if state.throw_off is not None:
            return self._expect_throw_off(state, state.throw_off)
        solver, order = self._find_round(state)
        losses = np.zeros(len(state.players))
        losses[list(order)] = solver.expect(state.played)
        return losses

    def _find_round(self, state: BlackNWhiteState) -> tuple[RoundSolver, Sequence[int]]:
        order = list_order(state.middle, state.chips, state.played.seats[0])
        position = Position(state.middle, tuple(state.chips[seat] for seat in order))
        return self._solve(position), order

    def _expect_throw_off(self, state: BlackNWhiteState, throw_off: ThrowOff) -> Losses:
        """Return the mean over the throws that are still to come; equal highest throw again."""
        losses = np.zeros(len(state.players))
        started = {
            seat: self._positions.find_started(state.middle, state.chips, seat)
            for seat in throw_off.seats
        }
        for seat, chance in _find_starters(throw_off).items():
            losses += chance * started[seat]
        return losses


def _find_starters(throw_off: ThrowOff) -> dict[int, float]:
    """Return each player's chance to win a throw-off."""
    thrown = dict(zip(throw_off.seats, throw_off.totals, strict=True))
    cases = [
        {total: 1.0} if total is not None else {n: _TOTALS.count(n) / 36 for n in set(_TOTALS)}
        for total in thrown.values()
    ]
    chances = dict.fromkeys(thrown, 0.0)
    for totals in product(*(case.items() for case in cases)):
        best = max(total for total, _ in totals)
        leaders = [seat for seat, (total, _) in zip(thrown, totals, strict=True) if total == best]
        chance = float(np.prod([each for _, each in totals]))
        for seat in leaders:
            chances[seat] += chance / len(leaders)
    return chances


@cache
def load_black_n_white_coach() -> BlackNWhiteCoach:
    return BlackNWhiteCoach()
