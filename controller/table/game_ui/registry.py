# SPDX-License-Identifier: MIT
"""The games and what shows them."""

from __future__ import annotations

from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.choice.rules import ChoiceState
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.table.game_ui.black_n_white_view import BlackNWhiteGameView
from controller.table.game_ui.choice_view import ChoiceGameView as ChoiceGameView
from controller.table.game_ui.protocol import GameView
from controller.table.game_ui.wuerfelspiel_view import WuerfelspielGameView
from controller.table.state import TableState


def create_view(state: TableState, action: str) -> GameView | None:
    """
    Return the game's own part of the view; none in the lobby.

    Args:
        state: The table.
        action: What is under the cursor; empty for nothing.
    """
    match state.game:
        case None:
            return None
        case ChoiceState():
            return ChoiceGameView(state, state.game, action)
        case BlackNWhiteState():
            return BlackNWhiteGameView(state, state.game, action)
        case WuerfelspielState():
            return WuerfelspielGameView(state, state.game, action)
    raise TypeError(f"nobody knows how to show {type(state.game).__name__}")
