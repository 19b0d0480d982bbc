# SPDX-License-Identifier: MIT
"""Learn how Choice without jokers ends, by self-play."""

from __future__ import annotations

import torch

from controller.coach.choice.moves import list_pair_moves
from controller.coach.training.choice_moves import ROLL_CHANCES, MoveTable, mark_sheets, value_moves
from controller.coach.training.self_play import (
    Batch,
    Report,
    Schedule,
    choose_noisily,
    learn_values,
)
from controller.coach.training.sheet_nets import ChoiceNet
from controller.games.choice.notation import TOTALS
from controller.games.choice.sheet import FIFTH_BOXES
from controller.games.dice import FACES

GAMES = 192
_CAREFUL, _CARELESS = 1.0, (15.0, 40.0)
"""Points by which players miss the best choice: half of them by little, the others by more."""


class ChoiceGames:
    """Games of one player side by side; a new one begins where one ends."""

    def __init__(self, games: int = GAMES) -> None:
        self.marks = torch.zeros(games, len(TOTALS), dtype=torch.long)
        self.fifth = torch.zeros(games, len(FACES), dtype=torch.long)
        self._moves = MoveTable(list_pair_moves())
        self._values = self._slots = torch.zeros(0)

    def evaluate(self, net: ChoiceNet) -> tuple[Batch, torch.Tensor]:
        jokers = torch.zeros(len(self.marks), dtype=torch.long)
        after = value_moves(net, self.marks, self.fifth, jokers)
        self._values, self._slots = self._moves.pick(after, self.fifth)
        return (self.marks, self.fifth, jokers), self._values.amax(2) @ ROLL_CHANCES

    def play_on(self, *, greedy: bool) -> None:
        games = torch.arange(len(self.marks))
        roll = torch.multinomial(ROLL_CHANCES, len(games), replacement=True)
        values = self._values[games, roll]
        careless = _CARELESS[int(torch.randint(2, ()))]
        spread = torch.where(torch.rand(len(games)) < 0.5, _CAREFUL, careless)
        move = values.argmax(1) if greedy else choose_noisily(values, spread)
        pair, slot = self._moves.pairs[roll, move], self._slots[games, roll, move]
        self.marks, self.fifth = mark_sheets(self.marks, self.fifth, pair, slot)
        is_over = (self.fifth >= FIFTH_BOXES).any(1)
        self.marks[is_over] = 0
        self.fifth[is_over] = 0


def train_choice(*, steps: int, seed: int, report: Report) -> ChoiceNet:
    """Return a net that has learnt from this many rolls of `GAMES` games."""
    torch.manual_seed(seed)
    return learn_values(ChoiceNet(), ChoiceGames(), Schedule(steps), report)
