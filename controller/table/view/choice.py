# SPDX-License-Identifier: MIT
"""
The part of a view that only Choice has: the printed sheet, and the dice in their pairs.

The sheet shows two positions at once: as it stands, and what the choice under the
cursor would make of it. The second is the game's own next position, so a screen never
promises what the rules would not do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from controller.games.choice_notation import TOTALS, dice_groups, parse_choice
from controller.games.choice_sheet import FIFTH_ROWS, PAR_MARKS, VALUES, Sheet, points
from controller.table.choosing import OfferedChoice
from controller.table.state import TableState
from controller.table.view.shape import ChoiceSheet, ChoiceView, FifthRow, SumRow, Tone

Group = Literal["a", "b", "fifth"]


def choice_sheet(now: Sheet, after: Sheet) -> ChoiceSheet:
    """Return a sheet with the marks that would be added to it; `after` is `now` if none."""
    score = now.score()
    return {
        "kind": "choice",
        "rows": [_sum_row(total, now, after) for total in TOTALS],
        "fifth": _fifth_rows(now, after),
        "plus": score.plus,
        "minus": score.minus,
        "total": score.total,
        "total_after": after.score().total,
    }


def choice_view(choice: OfferedChoice, sheet: Sheet) -> ChoiceView:
    """Return a legal choice in words."""
    parts = parse_choice(choice.action)
    # With three other faces in the table a die is left out without a mark: a free roll.
    is_marked = sheet.marked(parts).fifth != sheet.fifth
    left = f"leave {parts.fifth}" if is_marked else f"free roll, leave {parts.fifth}"
    return {
        "action": choice.action,
        "text": f"{parts.low} and {parts.high}, {left}",
        "gain": choice.gain,
        "total": choice.total,
    }


def groups_of(state: TableState, action: str | None) -> Mapping[int, Group]:
    """Return which die of the roll, by index, belongs to which part of the choice."""
    if any(slot is not None for slot in state.slots):
        groups = _tapped_groups(state)
        free = [index for index in range(len(state.rolled)) if index not in groups]
        return {**groups, free[0]: "fifth"} if len(free) == 1 else groups
    if action is None:
        return {}
    found = dice_groups([die.face for die in state.rolled], action)
    return {
        **dict.fromkeys(found.a, "a"),
        **dict.fromkeys(found.b, "b"),
        found.fifth: "fifth",
    }


def _tapped_groups(state: TableState) -> dict[int, Group]:
    names: tuple[Group, ...] = ("a", "a", "b", "b")
    return {
        index: name for index, name in zip(state.slots, names, strict=True) if index is not None
    }


def _sum_row(total: int, now: Sheet, after: Sheet) -> SumRow:
    marks, then = now.marks_on(total), after.marks_on(total)
    return {
        "sum": total,
        "value": VALUES[total],
        "marks": marks,
        "points": points(total, marks),
        "tone": _tone(marks),
        "pending": then - marks,
        "points_after": points(total, then),
        "tone_after": _tone(then),
    }


def _tone(marks: int) -> Tone:
    if marks == 0:
        return "none"
    if marks < PAR_MARKS:
        return "red"
    return "grey" if marks == PAR_MARKS else "green"


def _fifth_rows(now: Sheet, after: Sheet) -> list[FifthRow]:
    rows: list[FifthRow] = []
    for place in range(FIFTH_ROWS):
        marks = now.fifth[place].marks if place < len(now.fifth) else 0
        if place < len(after.fifth):
            then = after.fifth[place]
            rows.append({"face": then.face, "marks": marks, "pending": then.marks - marks})
        else:
            rows.append({"face": 0, "marks": 0, "pending": 0})
    return rows
