# SPDX-License-Identifier: MIT
"""Learn what a sheet of Würfelspiel is worth. Every turn is solved, only what follows is learnt."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import torch

from controller.coach.chances import DICE, ROLL_CHANCES, ROLLS
from controller.coach.training.self_play import (
    NEVER,
    Batch,
    Report,
    Schedule,
    choose_noisily,
    learn_values,
)
from controller.coach.training.sheet_nets import WuerfelspielNet
from controller.coach.wuerfelspiel.turn import (
    COUNTS,
    KEPT_NUMBERS,
    SCORES,
    UPPER,
    find_throw_chances,
)
from controller.games.dice import FACES
from controller.games.wuerfelspiel.rules import THROWS
from controller.games.wuerfelspiel.sheet import BONUS, BONUS_FROM, COLUMNS, FACTORS, ROWS

GAMES = 156
_CELLS = COLUMNS * len(ROWS)
_CAREFUL, _CARELESS, _CARELESS_SHARE = 0.5, 12.0, 0.4
"""Points by which players miss the best cell, and how many of them miss it by more."""

_SCORES = torch.tensor(SCORES, dtype=torch.float32)
_COUNTS = torch.tensor(COUNTS)
_FACTORS = torch.tensor(FACTORS, dtype=torch.float32)
_CHANCES = torch.tensor(ROLL_CHANCES, dtype=torch.float32)
_THROWS = torch.tensor(find_throw_chances(), dtype=torch.float32)
_GAINS = torch.tensor(FACES)[:, None] * torch.arange(6)
_COLUMNS = torch.arange(COLUMNS)


def _list_subsets() -> torch.Tensor:
    """Return the numbers of the dice that each roll allows to keep, (252, 32)."""
    found = []
    for roll in ROLLS:
        kept = {each for count in range(DICE + 1) for each in combinations(roll, count)}
        numbers = sorted(KEPT_NUMBERS[each] for each in kept)
        found.append(numbers + numbers[:1] * (2**DICE - len(numbers)))
    return torch.tensor(found)


_SUBSETS = _list_subsets()


@dataclass(frozen=True, slots=True)
class Turns:
    """What turns are worth at each of their moments, best kept dice and cells chosen."""

    cells: torch.Tensor  # By roll and cell, (n, 252, 39).
    # By kept dice, before the second throw and before the third, (n, 462) each.
    kept: tuple[torch.Tensor, torch.Tensor]
    start: torch.Tensor  # Before the first throw, (n,).


class WuerfelspielGames:
    """
    Games of one player side by side.

    They begin at all stages with cells filled at random, so that ends are learnt from the first
    step on. Whoever has filled the sheet starts again.
    """

    def __init__(self, games: int = GAMES) -> None:
        self.filled = torch.zeros(games, COLUMNS, len(ROWS), dtype=torch.long)
        for number in range(games):
            self.filled[number].view(-1)[torch.randperm(_CELLS)[: number % _CELLS]] = 1
        gains = torch.randint(1, 4, (games, COLUMNS, UPPER)) * torch.tensor(FACES)
        self.upper = (gains * self.filled[..., :UPPER]).sum(2).clamp(max=BONUS_FROM)
        self._turns: Turns | None = None

    def evaluate(self, net: WuerfelspielNet) -> tuple[Batch, torch.Tensor]:
        self._turns = solve_turns(find_cell_values(net, self.filled, self.upper))
        return (self.filled, self.upper), self._turns.start

    def play_on(self, *, greedy: bool) -> None:
        assert self._turns is not None
        games = torch.arange(len(self.filled))
        roll = torch.multinomial(_CHANCES, len(games), replacement=True)
        for kept in self._turns.kept[: THROWS - 1]:
            subsets = _SUBSETS[roll]
            best = subsets[games, kept[games[:, None], subsets].argmax(1)]
            roll = torch.multinomial(_THROWS[best], 1)[:, 0]
        values = self._turns.cells[games, roll]
        careless = torch.rand(len(games)) < _CARELESS_SHARE
        spread = torch.where(careless, _CARELESS, _CAREFUL)
        self._fill(roll, values.argmax(1) if greedy else choose_noisily(values, spread))

    def _fill(self, roll: torch.Tensor, cell: torch.Tensor) -> None:
        games, column, row = torch.arange(len(roll)), cell // len(ROWS), cell % len(ROWS)
        self.filled, self.upper = self.filled.clone(), self.upper.clone()
        self.filled[games, column, row] = 1
        points = torch.where(row < UPPER, _SCORES[roll, row].long(), 0)
        after = self.upper[games, column] + points
        self.upper[games, column] = after.clamp(max=BONUS_FROM)
        is_full = self.filled.sum((1, 2)) == _CELLS
        self.filled[is_full] = 0
        self.upper[is_full] = 0


def find_cell_values(
    net: WuerfelspielNet, filled: torch.Tensor, upper: torch.Tensor
) -> torch.Tensor:
    """Return what each cell counts by each roll with all that follows, (n, 252, 39)."""
    rows = net.add_rows(filled, upper)[:, None, None] + net.cells
    is_last = (filled.sum((1, 2)) == _CELLS - 1)[:, None, None]
    lower = net.finish(rows[:, :, UPPER:]).masked_fill(is_last, 0.0)
    lower = lower[:, :, None] + _SCORES[:, UPPER:] * _FACTORS[:, None, None]
    total = (upper[:, :, None, None] + _GAINS).clamp(max=BONUS_FROM)
    change = (
        net.upper[_COLUMNS[:, None, None], total] - net.upper[_COLUMNS, upper][:, :, None, None]
    )
    after = net.finish(rows[:, :, :UPPER, None] + change).masked_fill(is_last[..., None], 0.0)
    has_bonus = (total == BONUS_FROM) & (upper[:, :, None, None] < BONUS_FROM)
    by_count = after + (_GAINS + BONUS * has_bonus) * _FACTORS[:, None, None]
    by_roll = [by_count[:, :, row, _COUNTS[:, row]] for row in range(UPPER)]
    cells = torch.cat([torch.stack(by_roll, -1), lower], -1)
    cells = cells.masked_fill(filled[:, :, None].bool(), NEVER)
    return cells.permute(0, 2, 1, 3).reshape(len(filled), len(_SCORES), _CELLS)


def solve_turns(cells: torch.Tensor) -> Turns:
    """Return the values of turns; see `controller.coach.wuerfelspiel.turn.solve_turn`."""
    third = cells.amax(2)
    after_second = third @ _THROWS.T
    after_first = after_second[:, _SUBSETS].amax(2) @ _THROWS.T
    start = after_first[:, _SUBSETS].amax(2) @ _CHANCES
    return Turns(cells, (after_first, after_second), start)


def train_wuerfelspiel(*, steps: int, seed: int, report: Report) -> WuerfelspielNet:
    """Return a net that has learnt from this many turns of `GAMES` games."""
    torch.manual_seed(seed)
    schedule = Schedule(steps, bend=0.2)
    return learn_values(WuerfelspielNet(), WuerfelspielGames(), schedule, report)
