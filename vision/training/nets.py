# SPDX-License-Identifier: MIT
"""
The nets: plain convolutions with few channels, for that is what runs fast everywhere.

All take raw pixels, blue first, 0 to 255, and bring them to a handy range themselves, so
that whoever runs them cannot forget it. 127.5 becomes 0, which is also what the
convolutions take for granted beyond the border.
"""

from __future__ import annotations

import torch
from torch import nn

from vision.learned.maps import Channel
from vision.learned.opinion import CLASSES
from vision.learned.stance import OUTPUTS

_RARE = -4.0
"""Logit that a place is a middle before anything is learnt; most places are none."""


def _conv(before: int, after: int, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class _Scaled(nn.Module):
    """Raw pixels to about -2 to 2."""

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return (pixels - 127.5) * (1.0 / 64.0)


class FinderNet(nn.Module):
    """
    Pictures (n, 3, h, w), h and w multiples of 16, to maps (n, 11, h / 4, w / 4).

    Four halvings see a whole die with what lies around it; two ways back up tell where
    exactly. Most channels are in the small maps, where they cost little.
    """

    def __init__(self, widths: tuple[int, int, int, int] = (8, 24, 40, 64)) -> None:
        super().__init__()
        first, fine, middle, coarse = widths
        self.fine = nn.Sequential(
            _Scaled(), _conv(3, first, stride=2), _conv(first, fine, stride=2), _conv(fine, fine)
        )
        self.middle = nn.Sequential(
            _conv(fine, middle, stride=2), _conv(middle, middle), _conv(middle, middle)
        )
        self.coarse = nn.Sequential(
            _conv(middle, coarse, stride=2),
            _conv(coarse, coarse),
            _conv(coarse, coarse),
            _conv(coarse, coarse),
        )
        self.to_middle = nn.Conv2d(coarse, middle, 1)
        self.merge_middle = _conv(middle, middle)
        self.to_fine = nn.Conv2d(middle, fine, 1)
        self.merge_fine = _conv(fine, fine)
        self.tell = nn.Conv2d(fine, int(Channel.END), 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        assert self.tell.bias is not None
        with torch.no_grad():
            self.tell.bias[: Channel.DIE] = _RARE

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        fine = self.fine(pictures)
        middle = self.middle(fine)
        middle = self.merge_middle(
            torch.relu(middle + self.up(self.to_middle(self.coarse(middle))))
        )
        fine = self.merge_fine(torch.relu(fine + self.up(self.to_fine(middle))))
        maps: torch.Tensor = self.tell(fine)
        return maps


def _looking(widths: tuple[int, int, int, int]) -> nn.Sequential:
    """Tiles (n, 3, 80, 80) to maps (n, widths[3], 5, 5)."""
    first, second, third, fourth = widths
    return nn.Sequential(
        _Scaled(),
        _conv(3, first, stride=2),
        _conv(first, second, stride=2),
        _conv(second, second),
        _conv(second, third, stride=2),
        _conv(third, third),
        _conv(third, fourth, stride=2),
        _conv(fourth, fourth),
    )


class OpinionNet(nn.Module):
    """Tiles (n, 3, 80, 80) to logits (n, 7)."""

    def __init__(self, widths: tuple[int, int, int, int] = (12, 24, 40, 64)) -> None:
        super().__init__()
        self.look = _looking(widths)
        self.tell = nn.Sequential(nn.Dropout(0.1), nn.Conv2d(widths[-1], CLASSES, 5), nn.Flatten())

    def forward(self, tiles: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.tell(self.look(tiles))
        return logits


class StanceNet(nn.Module):
    """Tiles (n, 3, 80, 80) to the way to the foot in edges and its log error, (n, 3)."""

    def __init__(self, widths: tuple[int, int, int, int] = (12, 24, 40, 56)) -> None:
        super().__init__()
        self.look = _looking(widths)
        self.tell = nn.Sequential(nn.Conv2d(widths[-1], OUTPUTS, 5), nn.Flatten())

    def forward(self, tiles: torch.Tensor) -> torch.Tensor:
        told: torch.Tensor = self.tell(self.look(tiles))
        return told
