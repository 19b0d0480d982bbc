# SPDX-License-Identifier: MIT
"""The coaches of all games. Nothing of a coach is loaded before somebody asks for it."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from controller.coach.contract import Coach, Unit
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, Options, require_options


class DeeperCoach:
    """Judges one roll deeper than another coach; everything else is that coach's."""

    def __init__(self, coach: Coach) -> None:
        self._coach = coach

    @property
    def game(self) -> str:
        return self._coach.game

    @property
    def unit(self) -> Unit:
        return self._coach.unit

    @property
    def equal_below(self) -> float:
        """As of the other coach: it is right more often, but not by a known amount."""
        return self._coach.equal_below

    @property
    def weights(self) -> str:
        return self._coach.weights

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        """Return what each legal action is worth, by what may follow the next roll."""
        return {
            action: self._coach.expect(state.apply(ActionEvent(player, action)), player)
            for action in state.legal_actions(player)
        }

    def expect(self, state: GameState, player: str) -> float:
        """Return what the other coach expects, so luck has a mean of 0."""
        return self._coach.expect(state, player)

    def chances(self, state: GameState) -> Mapping[str, float]:
        return self._coach.chances(state)


IN_USE = threading.Lock()
"""Held by threads that share a process while they ask a coach: a coach is for one thread."""


def find_coach(game: str, options: Options, *, is_deeper: bool = False) -> Coach | None:
    """
    Return the coach of a game with these options; None if there is none.

    `is_deeper` judges choices by all that may follow one roll or turn later, unless the coach
    is exact anyway. That is right more often and costs far more work.
    """
    if game == "choice":
        from controller.coach.choice.coach import load_choice_coach

        coach = load_choice_coach()
        return DeeperCoach(coach) if is_deeper else coach
    if game == "wuerfelspiel":
        from controller.coach.wuerfelspiel.coach import load_wuerfelspiel_coach

        return load_wuerfelspiel_coach(is_deeper=is_deeper)
    if game == "black-n-white":
        from controller.coach.black_n_white.coach import load_black_n_white_coach
        from controller.coach.black_n_white.table import MOST_CHIPS

        chips = require_options(options, GAMES[game].options)["chips_per_player"]
        is_solved = chips <= MOST_CHIPS
        return load_black_n_white_coach() if is_solved else None
    return None
