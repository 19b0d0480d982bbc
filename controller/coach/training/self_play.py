# SPDX-License-Identifier: MIT
"""
Learn values by self-play: the loop, the loss and the schedule.

Many games are played side by side. Before each roll a position's value follows exactly from what
the net says of the sheets after it; the net learns that, and so from the end of the game back. A
running mean of the weights plays and gives the values: it errs less than the last weights.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Protocol, TypeVar

import torch
from torch.nn import functional

from controller.coach.net_weights import UNIT
from controller.coach.training.sheet_nets import SheetNet

Report = Callable[[str], None]
Batch = tuple[torch.Tensor, ...]

NEVER = -1e9  # The value of an action that does not exist.
_LAST_RATE = 1e-5
_REMEMBERED = 16_384
_LESSONS = 2  # Batches that are learnt after each turn.
_EARLY = 2_000  # Steps in which the running mean follows fast.
_EARLY_SHARE, _SHARE = 0.02, 0.003
_REPORT_EVERY = 1_000

_NetT = TypeVar("_NetT", bound=SheetNet)
_NetT_contra = TypeVar("_NetT_contra", bound=SheetNet, contravariant=True)


class SelfPlay(Protocol[_NetT_contra]):
    """Games of one player that are played side by side."""

    def evaluate(self, net: _NetT_contra) -> tuple[Batch, torch.Tensor]:
        """Return the positions before the next roll, as the net takes them, and their values."""

    def play_on(self, *, greedy: bool) -> None:
        """Play one turn of each game by the last values: as well as possible, or less so."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast a net learns."""

    steps: int  # Turns that are played and learnt from.
    rate: float = 2e-3  # The first rate of learning; it falls to nearly nothing.
    batch: int = 512  # Positions in a batch.
    bend: float = 0.5  # Errors below count by their square, in units of the net.


def learn_values(net: _NetT, games: SelfPlay[_NetT], schedule: Schedule, report: Report) -> _NetT:
    """Return the running mean of a net's weights after it has learnt from games."""
    mean = deepcopy(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=schedule.rate)
    memory = _Memory()
    for step in range(schedule.steps):
        left = 1 - step / schedule.steps
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate * left**1.5 + _LAST_RATE
        with torch.no_grad():
            positions, values = games.evaluate(mean)
            memory.add(positions, values)
            games.play_on(greedy=False)
        for _ in range(_LESSONS):
            *inputs, wanted = memory.draw(schedule.batch)
            loss = functional.smooth_l1_loss(net(*inputs) / UNIT, wanted / UNIT, beta=schedule.bend)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            _follow(mean, net, _EARLY_SHARE if step < _EARLY else _SHARE)
        if (step + 1) % _REPORT_EVERY == 0:
            report(f"  step {step + 1} of {schedule.steps}, loss {loss.item():.5f}")
    return mean


def choose_noisily(values: torch.Tensor, spread: torch.Tensor) -> torch.Tensor:
    """Return an index of each row, the better ones more often; `NEVER` is never chosen."""
    chance = torch.rand_like(values).clamp(1e-9, 1 - 1e-7)
    noisy = values / spread[:, None] - torch.log(-torch.log(chance))
    return noisy.masked_fill(values <= NEVER / 2, -torch.inf).argmax(1)


class _Memory:
    """The newest positions with their values."""

    def __init__(self) -> None:
        self._columns: list[torch.Tensor] = []
        self._seen = 0

    def add(self, positions: Batch, values: torch.Tensor) -> None:
        """Add positions in place of the oldest ones."""
        columns = [*positions, values]
        if not self._columns:
            self._columns = [each.new_zeros((_REMEMBERED, *each.shape[1:])) for each in columns]
        at = torch.arange(self._seen, self._seen + len(values)) % _REMEMBERED
        for column, each in zip(self._columns, columns, strict=True):
            column[at] = each
        self._seen += len(values)

    def draw(self, count: int) -> list[torch.Tensor]:
        """Return some of the positions, with their values last."""
        which = torch.randint(min(self._seen, _REMEMBERED), (count,))
        return [column[which] for column in self._columns]


def _follow(mean: SheetNet, net: SheetNet, share: float) -> None:
    with torch.no_grad():
        for kept, new in zip(mean.parameters(), net.parameters(), strict=True):
            kept.lerp_(new, share)
