# SPDX-License-Identifier: MIT
"""
The nets that learn what a sheet is worth, as `controller.coach.*.sheet_net` plays them.

The first layer adds one row of weights for each fact about a sheet, so the sheets after all moves
share nearly all of it. The last number of each row goes straight to the value.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from controller.coach.choice.moves import TOTAL_COUNT
from controller.coach.net_weights import UNIT
from controller.games.choice.jokers import JOKERS
from controller.games.choice.sheet import FIFTH_BOXES, PAID_MARKS
from controller.games.dice import FACES
from controller.games.wuerfelspiel.sheet import BONUS_FROM, COLUMNS, ROWS

_SMALL, _SMALLER = 0.1, 0.05


class SheetNet(nn.Module):
    """What the nets of all games share: two layers above the sum of rows."""

    def __init__(self, width: int, middle: int) -> None:
        super().__init__()
        self.w2 = nn.Linear(width, middle)
        self.w3 = nn.Linear(middle, 1)

    def finish(self, rows: torch.Tensor) -> torch.Tensor:
        """Return points, of sums of rows (..., width + 1)."""
        hidden = torch.relu(self.w2(torch.relu(rows[..., :-1])))
        return UNIT * (self.w3(hidden).squeeze(-1) + rows[..., -1])


class ChoiceNet(SheetNet):
    """Marks (n, 11), fifth dice (n, 6) and jokers as bits (n,) to points at the end (n,)."""

    def __init__(self, width: int = 160, middle: int = 48) -> None:
        super().__init__(width, middle)
        shapes = (TOTAL_COUNT, PAID_MARKS + 1), (len(FACES), FIFTH_BOXES), (1 << len(JOKERS),)
        self.marks, self.fifth, self.jokers = (
            nn.Parameter(torch.randn(*shape, width + 1) * _SMALL) for shape in shapes
        )

    def add_rows(
        self, marks: torch.Tensor, fifth: torch.Tensor, jokers: torch.Tensor
    ) -> torch.Tensor:
        """Return the sum of rows of each sheet, (n, width + 1)."""
        rows = self.marks[torch.arange(TOTAL_COUNT), marks].sum(1)
        return rows + self.fifth[torch.arange(len(FACES)), fifth].sum(1) + self.jokers[jokers]

    def forward(
        self, marks: torch.Tensor, fifth: torch.Tensor, jokers: torch.Tensor
    ) -> torch.Tensor:
        return self.finish(self.add_rows(marks, fifth, jokers))


class WuerfelspielNet(SheetNet):
    """Filled cells (n, 3, 13) and upper totals (n, 3), 63 at most, to points to come (n,)."""

    def __init__(self, width: int = 256, middle: int = 64) -> None:
        super().__init__(width, middle)
        self.upper = nn.Parameter(torch.randn(COLUMNS, BONUS_FROM + 1, width + 1) * _SMALLER)
        self.cells = nn.Parameter(torch.randn(COLUMNS, len(ROWS), width + 1) * _SMALL)
        self.bias = nn.Parameter(torch.zeros(width + 1))

    def add_rows(self, filled: torch.Tensor, upper: torch.Tensor) -> torch.Tensor:
        """Return the sum of rows of each sheet, (n, width + 1)."""
        rows = self.upper[torch.arange(COLUMNS), upper].sum(1)
        return rows + torch.einsum("ncr,crh->nh", filled.float(), self.cells) + self.bias

    def forward(self, filled: torch.Tensor, upper: torch.Tensor) -> torch.Tensor:
        return self.finish(self.add_rows(filled, upper))


def save_net(net: SheetNet, path: Path) -> None:
    """Write the weights in half precision, as `controller.coach.net_weights` reads them."""
    arrays = {
        # Rows keep their names; layers are w2, b2, w3, b3.
        name.replace(".weight", "").replace("w2.bias", "b2").replace("w3.bias", "b3"): (
            values.numpy().astype(np.float16)
        )
        for name, values in net.state_dict().items()
    }
    np.savez_compressed(path, **arrays)
