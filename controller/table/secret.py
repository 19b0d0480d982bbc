# SPDX-License-Identifier: MIT
"""
Hide choices until everybody has confirmed one: the option `secret`.

A screen then shows the position without the hidden choices, made from the same steps by the
same rules. So nothing of them reaches it, and a restart hides the same. Jokers that need the
tray are no secret: everybody sees the dice.
"""

from __future__ import annotations

from controller.games.contract import ActionEvent, GameState
from controller.table.state import TableState, require_game


def open_position(state: TableState, viewer: str) -> GameState:
    """
    Return the position that a viewer may see.

    Args:
        state: The table, in a game.
        viewer: The player who sees their own choice; any other name sees none.
    """
    if not state.is_secret or state.steps_from is None:
        return require_game(state)
    shown = real = state.steps_from
    for step in state.steps:
        before, real = real, real.apply(step)
        is_choice = isinstance(step, ActionEvent) and step.by in real.acted
        if step.by == viewer or not is_choice or step.by in before.acted:
            shown = shown.apply(step)
    return shown
