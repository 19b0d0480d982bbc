# SPDX-License-Identifier: MIT
"""
What every way of pointing at an action shares: the cursor, and words for what cannot be.

Pointing never confirms anything. What a tap leads to is a cursor on a legal action, no
cursor while the taps make no action yet, or a notice that says why they make none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.table.game_ui.offers import OfferedChoice
from controller.table.state import Notice, PlayerCursor, Selection, TableState


def select_action(
    state: TableState, tapped: Selection, action: str | None, choices: Sequence[OfferedChoice]
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
    return replace(state, selection=tapped, cursor=cursor, notice=None)


def with_refusal(state: TableState, text: str, mend: str = "") -> TableState:
    """Return the state with the reason why something cannot be; nothing else changes."""
    return replace(state, notice=Notice("refused", text, mend))


def toggle_die(dice: Sequence[int | None], index: int) -> tuple[int, ...]:
    """Return tapped dice with one more, or without the one that was tapped again."""
    tapped = [one for one in dice if one is not None]
    if index in tapped:
        tapped.remove(index)
        return tuple(tapped)
    return tuple(sorted((*tapped, index)))


# There is one screen and one cursor on it. A player with a panel of their own brings their
# choices to the screen with its first press, which decides nothing: nobody confirms what they
# have not seen. How far the others had come is kept aside until they press again.
def show_choices_of(state: TableState, player: str) -> TableState:
    """Return the table that shows this player's choices, the cursor where they left it."""
    found = _collect_cursors(state)
    mine = found.pop(player, PlayerCursor(player))
    shown = replace(state, active_chooser=player, cursor=mine.cursor, selection=mine.selection)
    return replace(shown, other_cursors=tuple(found.values()), notice=None)


def restore_cursors(before: TableState, after: TableState, by: str) -> TableState:
    """
    Return `after` with what all others were about to choose.

    Args:
        before: The table before a player acted.
        after: The table after it, which has forgotten that.
        by: Who acted.
    """
    found = {player: one for player, one in _collect_cursors(before).items() if player != by}
    looked = replace(
        after, active_chooser=before.active_chooser if before.active_chooser != by else ""
    )
    if looked.chooser is None:
        return after
    mine = found.pop(looked.chooser, PlayerCursor(looked.chooser))
    return replace(
        looked, cursor=mine.cursor, selection=mine.selection, other_cursors=tuple(found.values())
    )


def _collect_cursors(state: TableState) -> dict[str, PlayerCursor]:
    """Return how far everybody has come, who was shown at any time since the roll."""
    found = {one.player: one for one in state.other_cursors}
    if state.chooser is not None:
        found[state.chooser] = PlayerCursor(state.chooser, state.cursor, state.selection)
    return found
