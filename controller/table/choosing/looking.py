# SPDX-License-Identifier: MIT
"""
Whose choices the screen shows where several may choose at the same time.

There is one screen and one cursor on it. A player with a panel of their own brings their
choices to the screen with its first press, which decides nothing: nobody confirms what they
have not seen. How far the others had come is kept aside until they press again.
"""

from __future__ import annotations

from dataclasses import replace

from controller.table.state import Pointing, TableState


def looked_at(state: TableState, player: str) -> TableState:
    """Return the table that shows this player's choices, the cursor where they left it."""
    found = _pointings(state)
    mine = found.pop(player, Pointing(player))
    shown = replace(state, looked_at=player, cursor=mine.cursor, tapped=mine.tapped)
    return replace(shown, aside=tuple(found.values()), notice=None)


def still_pointing(before: TableState, after: TableState, by: str) -> TableState:
    """
    Return `after` with what all others were about to choose.

    Args:
        before: The table before a player acted.
        after: The table after it, which has forgotten that.
        by: Who acted.
    """
    found = {player: one for player, one in _pointings(before).items() if player != by}
    looked = replace(after, looked_at=before.looked_at if before.looked_at != by else "")
    if looked.chooser is None:
        return after
    mine = found.pop(looked.chooser, Pointing(looked.chooser))
    return replace(looked, cursor=mine.cursor, tapped=mine.tapped, aside=tuple(found.values()))


def _pointings(state: TableState) -> dict[str, Pointing]:
    """Return how far everybody has come, who was shown at any time since the roll."""
    found = {one.player: one for one in state.aside}
    if state.chooser is not None:
        found[state.chooser] = Pointing(state.chooser, state.cursor, state.tapped)
    return found
