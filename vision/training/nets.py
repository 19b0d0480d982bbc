# SPDX-License-Identifier: MIT
"""
The nets: plain convolutions with few channels, for that is what runs fast everywhere.

All take raw pixels, blue first, 0 to 255, and scale them themselves, so that a caller cannot
forget it. 127.5 becomes 0, which is also what convolutions assume beyond the border.
"""

from __future__ import annotations

import torch
from torch import nn

from vision.nets.heatmaps import Channel
from vision.nets.tile_net import CLASSES, HEAD, HEAT_MAPS

_RARE = -4.0  # Initial logit of a peak in a heatmap; most cells are none.


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

    Four halvings see a whole die with what lies around it; two steps back up say where
    exactly. Most channels are in the small maps, where they cost little.
    """

    def __init__(self) -> None:
        super().__init__()
        first, fine, middle, coarse = 8, 24, 40, 48
        self.fine = nn.Sequential(
            _Scaled(), _conv(3, first, stride=2), _conv(first, fine, stride=2), _conv(fine, fine)
        )
        self.middle = nn.Sequential(_conv(fine, middle, stride=2), _conv(middle, middle))
        self.coarse = nn.Sequential(
            _conv(middle, coarse, stride=2), _conv(coarse, coarse), _conv(coarse, coarse)
        )
        self.to_middle = nn.Conv2d(coarse, middle, 1)
        self.merge_middle = _conv(middle, middle)
        self.to_fine = nn.Conv2d(middle, fine, 1)
        self.merge_fine = _conv(fine, fine)
        self.out = nn.Conv2d(fine, int(Channel.END), 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        assert self.out.bias is not None
        with torch.no_grad():
            self.out.bias[: Channel.DIE] = _RARE

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        fine = self.fine(pictures)
        middle = self.middle(fine)
        middle = self.merge_middle(
            torch.relu(middle + self.up(self.to_middle(self.coarse(middle))))
        )
        fine = self.merge_fine(torch.relu(fine + self.up(self.to_fine(middle))))
        maps: torch.Tensor = self.out(fine)
        return maps


class TileNet(nn.Module):
    """
    Tiles (n, 3, 64, 64) to a head (n, 19) and maps of pips (n, 3, 32, 32), flat in one row.

    One trunk halves a tile four times for what concerns the whole die. Its maps, brought
    back up, find the pips.
    """

    def __init__(self) -> None:
        super().__init__()
        first, second, third, fourth, maps = 16, 40, 72, 112, 16
        self.first = nn.Sequential(_Scaled(), _conv(3, first, stride=2))
        self.second = nn.Sequential(_conv(first, second, stride=2), _conv(second, second))
        self.third = nn.Sequential(_conv(second, third, stride=2), _conv(third, third))
        self.fourth = nn.Sequential(_conv(third, fourth, stride=2), _conv(fourth, fourth))
        self.head = nn.Sequential(nn.Conv2d(fourth, int(HEAD.END), 4), nn.Flatten())
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.to_second = nn.Conv2d(third, second, 1)
        self.merge_second = _conv(second, second)
        self.to_first = nn.Conv2d(second, maps, 1)
        self.beside = nn.Conv2d(first, maps, 1)
        self.merge_first = _conv(maps, maps)
        self.pips = nn.Conv2d(maps, HEAT_MAPS, 1)
        assert self.pips.bias is not None
        with torch.no_grad():
            self.pips.bias[0] = _RARE

    def forward(self, tiles: torch.Tensor) -> torch.Tensor:
        head, maps = self.parts(tiles)
        return torch.cat([head, maps.flatten(1)], dim=1)

    def parts(self, tiles: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the head (n, 19) and the maps (n, 3, 32, 32) by themselves."""
        first = self.first(tiles)
        second = self.second(first)
        third = self.third(second)
        head: torch.Tensor = self.head(self.fourth(third))
        second = self.merge_second(torch.relu(second + self.up(self.to_second(third))))
        fine = self.merge_first(torch.relu(self.beside(first) + self.up(self.to_first(second))))
        return head, self.pips(fine)


class _TileClassifier(nn.Module):
    """Tiles (n, channels, 64, 64) to logits (n, answers)."""

    def __init__(self, channels: int, widths: tuple[int, int, int, int], answers: int) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.out = nn.Sequential(
            _Scaled(),
            _conv(channels, first, stride=2),
            _conv(first, second, stride=2),
            _conv(second, second),
            _conv(second, third, stride=2),
            _conv(third, third),
            _conv(third, fourth, stride=2),
            _conv(fourth, fourth),
            nn.Dropout(0.1),
            nn.Conv2d(fourth, answers, 4),
            nn.Flatten(),
        )

    def forward(self, tiles: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.out(tiles)
        return logits


class OpinionNet(_TileClassifier):
    """Tiles (n, 3, 64, 64) to logits (n, 7)."""

    def __init__(self) -> None:
        super().__init__(3, (16, 40, 72, 112), CLASSES)


class FlatnessNet(_TileClassifier):
    """Tiles of bodies with the outline of a flat die (n, 4, 64, 64) to a logit (n, 1)."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 40, 64)) -> None:
        super().__init__(4, widths, 1)
