# SPDX-License-Identifier: MIT
"""The last taken roll as it is looked at once more: what it counts as, and where it was read."""

from __future__ import annotations

from controller.table.events import ReviewAsked, RollCorrected
from controller.table.play.review import may_happen
from controller.table.state import TableState
from controller.table.view.dice import as_read
from controller.table.view.shape import LastRollView, ReviewView

_DIGEST_SIGNS = 8


def last_roll_view(state: TableState) -> LastRollView | None:
    """Return the last taken roll; none before the first one of a game."""
    last = state.last_roll
    if last is None:
        return None
    picture = last.picture[:_DIGEST_SIGNS] or "no picture"
    return {
        "name": f"roll {state.rolls}, {last.roll} in {picture}",
        "by": last.by,
        "roll": last.roll,
        "dice": as_read(last.dice),
        "picture": last.picture,
        "crop_px": last.shot.crop_px,
        "entered_by": state.by_hand,
        "was": last.was,
        "reason": last.reason,
        "since": [f"{one.by}: {one.action}" for one in state.undoable],
        "reviewed": last.is_reviewed,
        "may_review": may_happen(state, ReviewAsked),
        "may_correct": may_happen(state, RollCorrected),
    }


def review_view(state: TableState) -> ReviewView | None:
    """Return the open review; none if there is none."""
    review = state.review
    return None if review is None else {"by": review.by, "corrected": review.is_corrected}
