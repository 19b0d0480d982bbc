# SPDX-License-Identifier: MIT
"""
Train the nets: the loops, the losses and the schedule.

All learn in a fixed number of steps with a rate that rises and falls once. The result is
a running mean of the weights, which errs less than the last ones. Everything random comes
from the seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.random import Generator
from torch import nn
from torch.nn import functional

from vision.nets.face_encoding import UNIT_PX
from vision.nets.heatmaps import Channel
from vision.nets.tile_net import HEAD
from vision.training.dataset import School
from vision.training.finder_samples import FinderSample, draw_sample
from vision.training.flat_patches import FlatPatches
from vision.training.flat_samples import draw_flat_batch
from vision.training.nets import FinderNet, FlatnessNet, OpinionNet, TileNet
from vision.training.patches import Patches
from vision.training.records import as_arrays
from vision.training.start import load_written
from vision.training.tile_samples import TileBatch, draw_batch, join_batches

Batch = tuple[torch.Tensor, ...]
Report = Callable[[str], None]
Trained = TypeVar("Trained", bound=nn.Module)
_Sample = TypeVar("_Sample")
_Source = TypeVar("_Source")

_CELLS_A_UNIT = UNIT_PX / 4.0
_SMOOTHING = 0.02

_MASK_WEIGHT = 10.0  # Most of a picture is ground and easy, so the mean over it is small.
_KEEP = 0.995  # Of the running mean, with every step; less where there are few steps.

_FIRST_RATE, _LATER_RATE = 3e-3, 1e-3
"""Highest rates of learning: from the beginning, and of a net that has learnt."""

_UNFOLDED_BY = 8  # Batches by which the batch norms of a written net are unfolded.
_NONE_SHARE = 0.4  # Share of patches without a face in a batch.

_PHOTOGRAPHS_SHARE = 0.15
"""Share of samples from photographs, if there are any: they are real, but few and all alike."""


def train_finder(
    school: School,
    *,
    steps: int,
    batch: int,
    seed: int,
    report: Report,
    start: Path | None = None,
    photographs: School | None = None,
) -> FinderNet:
    """Return a finder trained for `steps` batches of `batch` crops, some from photographs."""
    torch.manual_seed(seed)

    def sample(step: int) -> Batch:
        rng = np.random.default_rng([seed, 3, step])
        crops = []
        for part, count in _split(school, photographs, batch, rng):
            for i in rng.integers(0, len(part.truths), count):
                crops.append(draw_sample(part.image(i), part.owner(i), part.truths[i], rng))
        return stack_crops(crops)

    net, rate = _begin(FinderNet(), start, lambda step: sample(step)[0])

    def loss_of(sample: Batch) -> torch.Tensor:
        return torch.stack(finder_losses(_autocast(net, sample[0]), sample[1:])).sum()

    return _train(net, sample, loss_of, steps=steps, rate=rate, report=report)


def train_tile_net(
    patches: Patches,
    *,
    steps: int,
    batch: int,
    seed: int,
    report: Report,
    start: TileNet | Path | None = None,
    photographs: Patches | None = None,
) -> TileNet:
    """Return a tile net trained for `steps` batches of `batch` tiles, from `start` if given."""
    torch.manual_seed(seed)
    sample = _tile_sampler(patches, photographs, batch, seed)
    net, rate = _begin(TileNet(), start, lambda step: sample(step).tiles)

    def loss_of(sample: TileBatch) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            head, maps = net.parts(_channels_last(sample.tiles))
        return torch.stack(tile_losses(head.float(), maps.float(), sample)).sum()

    return _train(net, sample, loss_of, steps=steps, rate=rate, report=report)


def train_opinion(
    patches: Patches,
    *,
    steps: int,
    batch: int,
    seed: int,
    report: Report,
    start: OpinionNet | Path | None = None,
    photographs: Patches | None = None,
) -> OpinionNet:
    """Return a second opinion, trained for `steps` batches of `batch` tiles, from any `start`."""
    torch.manual_seed(seed)
    sample = _tile_sampler(patches, photographs, batch, seed)
    net, rate = _begin(OpinionNet(), start, lambda step: sample(step).tiles)

    def loss_of(sample: TileBatch) -> torch.Tensor:
        return _class_loss(_autocast(net, sample.tiles), sample.numbers)

    return _train(net, sample, loss_of, steps=steps, rate=rate, report=report)


def train_flatness(
    patches: FlatPatches,
    *,
    steps: int,
    batch: int,
    seed: int,
    report: Report,
    start: Path | None = None,
) -> FlatnessNet:
    """Return the net that answers whether dice lean, from a file if given."""
    torch.manual_seed(seed)
    # Half of a batch leans, for a lean that is believed to be none costs a game.
    kinds = np.flatnonzero(~patches.lean), np.flatnonzero(patches.lean)

    def sample(step: int) -> Batch:
        rng = np.random.default_rng([seed, 5, step])
        which = np.concatenate([rng.choice(kind, batch // 2) for kind in kinds])
        return draw_flat_batch(patches, which, rng)

    net, rate = _begin(FlatnessNet(), start, lambda step: sample(step)[0])

    def loss_of(sample: Batch) -> torch.Tensor:
        return _known_loss(_autocast(net, sample[0])[:, 0], sample[1])

    return _train(net, sample, loss_of, steps=steps, rate=rate, report=report)


def _begin(
    net: Trained, start: Trained | Path | None, pictures: Callable[[int], torch.Tensor]
) -> tuple[Trained, float]:
    """Return the net that learns, and its highest rate of learning."""
    if start is None:
        return net, _FIRST_RATE
    if isinstance(start, Path):
        start = load_written(net, start, [pictures(step) for step in range(_UNFOLDED_BY)])
    return start, _LATER_RATE


def _split(
    scenes: _Source, photographs: _Source | None, count: int, rng: Generator
) -> list[tuple[_Source, int]]:
    """Return how many samples of a batch come from scenes, and how many from photographs."""
    if photographs is None:
        return [(scenes, count)]
    some = int(rng.binomial(count, _PHOTOGRAPHS_SHARE))
    return [(scenes, count - some), (photographs, some)]


def _tile_sampler(
    patches: Patches, photographs: Patches | None, batch: int, seed: int
) -> Callable[[int], TileBatch]:
    scenes = _PatchPools(patches)
    real = None if photographs is None else _PatchPools(photographs)

    def sample(step: int) -> TileBatch:
        rng = np.random.default_rng([seed, 4, step])
        parts = _split(scenes, real, batch, rng)
        return join_batches([pools.draw(count, rng) for pools, count in parts])

    return sample


class _PatchPools:
    """Patches by their class, drawn each class as often as another."""

    def __init__(self, patches: Patches) -> None:
        pools = [np.flatnonzero(patches.numbers == number) for number in range(7)]
        pools.append(np.flatnonzero(patches.numbers < 0))
        self._patches = patches
        self._pools = [pool if len(pool) else np.arange(len(patches.numbers)) for pool in pools]

    def draw(self, count: int, rng: Generator) -> TileBatch:
        """Draw tiles from patches."""
        share = np.array([_NONE_SHARE, *[(1.0 - _NONE_SHARE - 0.06) / 6.0] * 6, 0.06])
        kinds = rng.choice(len(self._pools), count, p=share)
        which = np.array([rng.choice(self._pools[kind]) for kind in kinds], np.int64)
        return draw_batch(self._patches, which, rng)


def tile_losses(
    head: torch.Tensor, maps: torch.Tensor, truth: TileBatch
) -> tuple[torch.Tensor, ...]:
    """Return the losses of class, pips, offsets of pips, box, foot, odd and light."""
    box = head[:, HEAD.CENTER : HEAD.FOOT] - truth.box
    weights = torch.tensor([6.0, 6.0, 3.0, 3.0, 3.0, 0.7, 0.7])
    box_loss = ((box.abs() * weights).sum(dim=1) * truth.box_counts).sum()
    foot_off = torch.linalg.vector_norm(head[:, HEAD.FOOT : HEAD.FOOT_ERROR] - truth.feet, dim=1)
    claimed = head[:, HEAD.FOOT_ERROR].clamp(-6.0, 3.0)
    foot_loss = ((foot_off * torch.exp(-claimed) + 2.0 * claimed) * truth.feet_count).sum()
    pip = (truth.heat == 1.0).float()
    heat = _focal(maps[:, 0], truth.heat) * truth.heat_counts[:, None, None]
    offset = ((maps[:, 1:] - truth.offsets).abs().sum(dim=1) * pip).sum()
    pips = (pip * truth.heat_counts[:, None, None]).sum().clamp(min=1.0)
    return (
        2.0 * _class_loss(head[:, : HEAD.CENTER], truth.numbers),
        heat.sum() / pips,
        offset / pip.sum().clamp(min=1.0),
        0.5 * box_loss / truth.box_counts.sum().clamp(min=1.0),
        0.3 * foot_loss / truth.feet_count.sum().clamp(min=1.0),
        _known_loss(head[:, HEAD.ODD], truth.odd),
        0.5 * _known_loss(head[:, HEAD.LIGHT], truth.light),
    )


def _class_loss(logits: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(logits, numbers, label_smoothing=_SMOOTHING, ignore_index=-1)


def _known_loss(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    known = torch.isfinite(wanted)
    if not known.any():
        return logits.sum() * 0.0
    return functional.binary_cross_entropy_with_logits(logits[known], wanted[known])


def _focal(logits: torch.Tensor, hills: torch.Tensor) -> torch.Tensor:
    """Return the loss of every cell of heatmaps whose targets are hills with 1 on top."""
    is_top = (hills == 1.0).float()
    share = torch.sigmoid(logits)
    hits = is_top * functional.logsigmoid(logits) * (1.0 - share) ** 2
    alarms = (1.0 - is_top) * functional.logsigmoid(-logits) * share**2 * (1.0 - hills) ** 4
    return -(hits + alarms)


def stack_crops(crops: list[FinderSample]) -> Batch:
    """Return the pictures (n, 3, h, w) of crops, and the truth of each for `finder_losses`."""
    rows = [
        (one.image_bgr, *as_arrays(one.target).values(), one.masks, one.masks_count)
        for one in crops
    ]
    pictures, *truth = (torch.from_numpy(np.stack(part)) for part in zip(*rows, strict=True))
    return pictures.permute(0, 3, 1, 2).float(), *truth


def _channels_last(pictures: torch.Tensor) -> torch.Tensor:
    return pictures.contiguous(memory_format=torch.channels_last)


def _autocast(net: nn.Module, pictures: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out: torch.Tensor = net(_channels_last(pictures))
    return out.float()


def _train(
    net: Trained,
    sample: Callable[[int], _Sample],
    loss_of: Callable[[_Sample], torch.Tensor],
    *,
    steps: int,
    rate: float,
    report: Report,
) -> Trained:
    net.train().to(memory_format=torch.channels_last)
    keep = min(_KEEP, 1.0 - 10.0 / max(steps, 11))
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(keep), use_buffers=True
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=steps, pct_start=0.1
    )
    begun_s, losses = time.monotonic(), []
    for step, drawn in enumerate(_ahead(sample, steps)):
        loss = loss_of(drawn)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 20.0)
        optimizer.step()
        schedule.step()
        mean.update_parameters(net)
        losses.append(float(loss.detach()))
        if (step + 1) % 100 == 0 or step + 1 == steps:
            took_s = time.monotonic() - begun_s
            report(f"  step {step + 1}/{steps}, loss {np.mean(losses[-100:]):.4f}, {took_s:.0f} s")
    trained: Trained = mean.module
    trained.eval()
    return trained


def _ahead(sample: Callable[[int], _Sample], steps: int) -> Iterator[_Sample]:
    """Yield the samples in order, some drawn while the net still learns from the last."""
    with ThreadPoolExecutor(1) as pool:
        coming = [pool.submit(sample, step) for step in range(min(3, steps))]
        for step in range(steps):
            yield coming.pop(0).result()
            if step + 3 < steps:
                coming.append(pool.submit(sample, step + 3))


def finder_losses(
    maps: torch.Tensor, truth: Batch
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """
    Return how far maps (n, 11, h, w) are from the truth of a batch of crops.

    These are the losses of proper faces, of odd faces, of masks and of shapes.
    """
    heat, counts, shape, weight, masks, masks_count = truth
    is_top = (heat == 1.0).float()
    # Each kind by its own count, or the rare odd ones would hardly matter.
    per_kind = (_focal(maps[:, : Channel.DIE], heat) * counts[:, None]).sum(dim=(0, 2, 3))
    heat_loss = per_kind / is_top.sum(dim=(0, 2, 3)).clamp(min=1.0)
    mask_loss = _mask_loss(maps[:, Channel.DIE : Channel.OFFSET], masks, masks_count)
    told = maps[:, Channel.OFFSET : Channel.END]
    half_edge = _CELLS_A_UNIT * torch.exp(shape[:, 2:3])
    error = (told - shape).abs()
    error = torch.cat([2.0 * error[:, :2] / half_edge, 3.0 * error[:, 2:5], error[:, 5:7]], dim=1)
    shape_loss = (error.sum(dim=1) * weight).sum() / weight.sum().clamp(min=1.0)
    return heat_loss[0], heat_loss[1], mask_loss, shape_loss


def _mask_loss(logits: torch.Tensor, masks: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """
    Return how far maps of dice and of other objects are from the truth.

    Counted cell by cell and as areas. The cells alone teach little about objects, for nearly
    all of them are ground; the common share of two areas does not depend on the picture's size.
    """
    cells = functional.binary_cross_entropy_with_logits(logits, masks, counts, reduction="sum")
    told, masks = counts * torch.sigmoid(logits), counts * masks
    common = (told * masks).sum(dim=(0, 2, 3))
    both = told.sum(dim=(0, 2, 3)) + masks.sum(dim=(0, 2, 3))
    areas = (1.0 - (2.0 * common + 1.0) / (both + 1.0)).sum()
    return _MASK_WEIGHT * cells / counts.sum().clamp(min=1.0) + areas
