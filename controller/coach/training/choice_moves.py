# SPDX-License-Identifier: MIT
"""What moves of Choice make of many sheets at once, by the rules and by a net."""

from __future__ import annotations

import torch

from controller.coach import chances
from controller.coach.choice.moves import PAIRS, UNMARKED, Moves
from controller.coach.training.self_play import NEVER
from controller.coach.training.sheet_nets import ChoiceNet
from controller.games.choice.jokers import JOKER_POINTS, JOKERS
from controller.games.choice.notation import TOTALS
from controller.games.choice.sheet import FIFTH_BOXES, FIFTH_ROWS, PAID_MARKS, count_points
from controller.games.dice import FACES

ROLL_CHANCES = torch.tensor(chances.ROLL_CHANCES, dtype=torch.float32)
_POINTS = torch.tensor(
    [[float(count_points(total, n)) for n in range(PAID_MARKS + 1)] for total in TOTALS]
)
_LOW, _HIGH = (torch.tensor(each) for each in zip(*PAIRS, strict=True))
_IS_DOUBLE = _LOW == _HIGH
_TOTALS, _FACES = torch.arange(len(TOTALS)), torch.arange(len(FACES))
_SHOWN = torch.tensor([[face in roll for face in FACES] for roll in chances.ROLLS])
_JOKER_COUNTS = torch.tensor([n.bit_count() for n in range(1 << len(JOKERS))])


class MoveTable:
    """The moves of every roll, as tensors; `pairs` are numbers of pairs, (252, moves)."""

    def __init__(self, moves: Moves) -> None:
        self.pairs, self._fifth, self._is_move = map(
            torch.tensor, (moves.pairs, moves.fifth, moves.is_move)
        )

    def pick(self, after: torch.Tensor, fifth: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """
        Return the values of the moves of every roll, and the slots that their fifth dice
        mark.

        `after` are the values of sheets after each pair and slot, (n, pairs, 7). Both
        results are (n, 252, moves); a move that is not allowed is worth `NEVER`.
        """
        listed = fifth > 0
        is_full = (listed.sum(1) >= FIFTH_ROWS)[:, None, None]
        is_free = is_full & ~(listed[:, None] & _SHOWN).any(2)[..., None]
        slots = torch.where(is_free, UNMARKED, self._fifth)
        is_allowed = self._is_move & (~is_full | listed[:, self._fifth] | is_free)
        index = (self.pairs * (UNMARKED + 1) + slots).flatten(1)
        values = after.flatten(1).gather(1, index).view(slots.shape)
        return values.masked_fill(~is_allowed, NEVER), slots


def value_moves(
    net: ChoiceNet, marks: torch.Tensor, fifth: torch.Tensor, jokers: torch.Tensor
) -> torch.Tensor:
    """Return how sheets end after each pair and slot, in points, (n, pairs, 7)."""
    once, twice = ((marks + n).clamp(max=PAID_MARKS) for n in (1, 2))
    now = net.marks[_TOTALS, marks]
    pairs = _add_pairs(net.marks[_TOTALS, once] - now, net.marks[_TOTALS, twice] - now)
    more = net.fifth[_FACES, (fifth + 1).clamp(max=FIFTH_BOXES - 1)] - net.fifth[_FACES, fifth]
    slots = torch.cat([more, torch.zeros_like(more[:, :1])], 1)
    base = net.add_rows(marks, fifth, jokers)
    values = net.finish((base[:, None] + pairs)[:, :, None] + slots[:, None])
    # The eighth mark of a face ends the game: its result is known.
    points = _POINTS[_TOTALS, marks]
    gains = _add_pairs(
        (_POINTS[_TOTALS, once] - points)[..., None], (_POINTS[_TOTALS, twice] - points)[..., None]
    )
    ends = torch.cat(
        [fifth == FIFTH_BOXES - 1, torch.zeros_like(fifth[:, :1], dtype=torch.bool)], 1
    )
    final = count_sheets(marks, jokers)[:, None, None] + gains
    return torch.where(ends[:, None], final, values)


def count_sheets(marks: torch.Tensor, jokers: torch.Tensor) -> torch.Tensor:
    """Return what sheets count, with the jokers that are left, (n,)."""
    return _POINTS[_TOTALS, marks].sum(1) + JOKER_POINTS * _JOKER_COUNTS[jokers]


def mark_sheets(
    marks: torch.Tensor, fifth: torch.Tensor, pair: torch.Tensor, slot: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return marks and fifth dice after a move of each sheet."""
    sheets = torch.arange(len(marks))
    marks, fifth = marks.clone(), fifth.clone()
    for total in (_LOW[pair], _HIGH[pair]):
        marks[sheets, total] = (marks[sheets, total] + 1).clamp(max=PAID_MARKS)
    has_mark = slot < UNMARKED
    fifth[sheets[has_mark], slot[has_mark]] += 1
    return marks, fifth


def _add_pairs(once: torch.Tensor, twice: torch.Tensor) -> torch.Tensor:
    """Return for every pair of totals what its two marks add, (n, pairs, width)."""
    is_double = _IS_DOUBLE[:, None]
    return torch.where(is_double, twice[:, _LOW], once[:, _LOW] + once[:, _HIGH])
