# SPDX-License-Identifier: MIT
"""
What every way of pointing at an action shares: the cursor, and words for what cannot be.

Pointing never confirms anything. What a tap leads to is a cursor on a legal action, no
cursor while the taps make no action yet, or a notice that says why they make none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.table.choosing.offered import OfferedChoice
from controller.table.state import Notice, TableState, Tapped


def pointing(
    state: TableState, tapped: Tapped, action: str | None, choices: Sequence[OfferedChoice]
) -> TableState:
    """
    Return the state with these taps, and the cursor on the action that they make.

    Args:
        state: The table.
        tapped: What is tapped now; nothing at all puts the cursor on the first choice.
        action: What the taps make; none while they make nothing yet, or nothing that is legal.
        choices: Everything that is legal now.
    """
    actions = [choice.action for choice in choices]
    cursor = actions.index(action) if action in actions else -1
    if not tapped.is_any:
        cursor = 0
    return replace(state, tapped=tapped, cursor=cursor, notice=None)


def refused(state: TableState, text: str, mend: str = "") -> TableState:
    """Return the state with the reason why something cannot be; nothing else changes."""
    return replace(state, notice=Notice("refused", text, mend))


def toggled(dice: Sequence[int | None], index: int) -> tuple[int, ...]:
    """Return tapped dice with one more, or without the one that was tapped again."""
    tapped = [one for one in dice if one is not None]
    if index in tapped:
        tapped.remove(index)
        return tuple(tapped)
    return tuple(sorted((*tapped, index)))
