# SPDX-License-Identifier: MIT
"""
Teach the nets: the loops, the losses and the schedule.

Both learn in a fixed number of steps with a rate that rises and falls once; what is taken
is a running mean of the weights, which errs less than the last ones. Everything random
comes from the seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.frame import Image
from vision.learned.maps import Channel
from vision.learned.shape import UNIT_PX
from vision.training.crops import Crop, draw_crop
from vision.training.lessons import School
from vision.training.look import look_otherwise
from vision.training.nets import FinderNet, OpinionNet, StanceNet
from vision.training.stances import another_stance

Batch = tuple[torch.Tensor, ...]
Tell = Callable[[str], None]
Taught = TypeVar("Taught", bound=nn.Module)

_CELLS_A_UNIT = UNIT_PX / 4.0
_SMOOTHING = 0.02

_MASK_WEIGHT = 10.0
"""Most of a picture is ground and easy, so the mean over it is small."""

_KEEP = 0.995
"""Of the running mean, with every step; less where there are few steps."""


def teach_finder(school: School, *, steps: int, batch: int, seed: int, tell: Tell) -> FinderNet:
    """Return a finder taught in so many steps of so many crops."""
    torch.manual_seed(seed)
    net = FinderNet()

    def lesson(step: int) -> Batch:
        rng = np.random.default_rng([seed, 3, step])
        which = rng.integers(0, len(school.truths), batch)
        return _stacked(
            [
                draw_crop(school.images_bgr[i], school.owners[i], school.truths[i], rng)
                for i in which
            ]
        )

    return _teach(net, lesson, finder_loss, steps=steps, rate=2e-3, tell=tell)


def teach_opinion(
    tiles: Image,
    names: NDArray[np.int64],
    *,
    steps: int,
    batch: int,
    seed: int,
    tell: Tell,
) -> OpinionNet:
    """Return an opinion taught in so many steps of so many tiles, a third of them no face."""
    torch.manual_seed(seed)
    net = OpinionNet()
    of_class = [np.flatnonzero(names == name) for name in range(7)]
    share = np.array([1 / 3] + [1 / 9] * 6)

    def lesson(step: int) -> Batch:
        rng = np.random.default_rng([seed, 4, step])
        wanted = rng.choice(7, batch, p=share)
        which = [int(rng.choice(of_class[name])) for name in wanted]
        shown = np.stack([_another_look(tiles[i], rng) for i in which])
        return _pictures(shown), torch.from_numpy(names[which])

    return _teach(net, lesson, _opinion_loss, steps=steps, rate=4e-3, tell=tell)


def teach_stance(
    tiles: Image,
    downs: NDArray[np.float64],
    *,
    steps: int,
    batch: int,
    seed: int,
    tell: Tell,
) -> StanceNet:
    """Return a net taught where the feet of dice are, in so many steps of so many tiles."""
    torch.manual_seed(seed)
    net = StanceNet()

    def lesson(step: int) -> Batch:
        rng = np.random.default_rng([seed, 7, step])
        drawn = [
            another_stance(tiles[i], downs[i], rng) for i in rng.integers(0, len(tiles), batch)
        ]
        shown = np.stack([look_otherwise(tile, rng, coarsen=0.35) for tile, _ in drawn])
        return _pictures(shown), torch.from_numpy(np.stack([down for _, down in drawn])).float()

    return _teach(net, lesson, stance_loss, steps=steps, rate=3e-3, tell=tell)


def stance_loss(told: torch.Tensor, truth: Batch) -> torch.Tensor:
    """How far off the feet are, in the errors that were claimed, and how large those are."""
    off = torch.linalg.vector_norm(told[:, :2] - truth[0], dim=1)
    claimed = told[:, 2].clamp(-6.0, 3.0)
    return (off * torch.exp(-claimed) + 2.0 * claimed).mean()


def _another_look(tile: Image, rng: np.random.Generator) -> Image:
    if rng.random() < 0.5:
        tile = tile[:, ::-1]
    tile = np.rot90(tile, int(rng.integers(4)))
    return look_otherwise(np.ascontiguousarray(tile), rng, coarsen=0.35)


def _stacked(crops: list[Crop]) -> Batch:
    return (
        _pictures(np.stack([crop.image_bgr for crop in crops])),
        torch.from_numpy(np.stack([crop.target.heat for crop in crops])),
        torch.from_numpy(np.stack([crop.target.counts for crop in crops])),
        torch.from_numpy(np.stack([crop.target.shape for crop in crops])),
        torch.from_numpy(np.stack([crop.target.weight for crop in crops])),
        torch.from_numpy(np.stack([crop.masks for crop in crops])),
    )


def _pictures(images: Image) -> torch.Tensor:
    """Pictures (n, h, w, 3) as the nets take them; their memory stays as it was."""
    return torch.from_numpy(images).permute(0, 3, 1, 2).float()


def _teach(
    net: Taught,
    lesson: Callable[[int], Batch],
    loss_of: Callable[[torch.Tensor, Batch], torch.Tensor],
    *,
    steps: int,
    rate: float,
    tell: Tell,
) -> Taught:
    net.train().to(memory_format=torch.channels_last)
    keep = min(_KEEP, 1.0 - 10.0 / max(steps, 11))
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(keep), use_buffers=True
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=steps, pct_start=0.1
    )
    begun_s, told = time.monotonic(), []
    for step, (pictures, *truth) in enumerate(_ahead(lesson, steps)):
        pictures = pictures.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(pictures)
        loss = loss_of(out.float(), tuple(truth))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 20.0)
        optimizer.step()
        schedule.step()
        mean.update_parameters(net)
        told.append(float(loss.detach()))
        if (step + 1) % 100 == 0 or step + 1 == steps:
            took_s = time.monotonic() - begun_s
            tell(f"  step {step + 1}/{steps}, loss {np.mean(told[-100:]):.4f}, {took_s:.0f} s")
    taught: Taught = mean.module
    taught.eval()
    return taught


def _ahead(lesson: Callable[[int], Batch], steps: int) -> Iterator[Batch]:
    """The lessons in their order, some drawn while the net still learns the last."""
    with ThreadPoolExecutor(1) as pool:
        coming = [pool.submit(lesson, step) for step in range(min(3, steps))]
        for step in range(steps):
            yield coming.pop(0).result()
            if step + 3 < steps:
                coming.append(pool.submit(lesson, step + 3))


def finder_loss(maps: torch.Tensor, truth: Batch) -> torch.Tensor:
    """Return how far maps (n, 11, h, w) are from the truth that a batch of crops carries."""
    return torch.stack(finder_losses(maps, truth)).sum()


def finder_losses(
    maps: torch.Tensor, truth: Batch
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the same in its parts: proper faces, odd faces, masks and shapes."""
    heat, counts, shape, weight, masks = truth
    likeness = maps[:, : Channel.DIE]
    is_top = (heat == 1.0).float()
    found = functional.logsigmoid(likeness)
    quiet = functional.logsigmoid(-likeness)
    share = torch.sigmoid(likeness)
    hits = is_top * found * (1.0 - share) ** 2
    alarms = (1.0 - is_top) * quiet * share**2 * (1.0 - heat) ** 4
    # Each kind by its own count, or the rare odd ones would hardly matter.
    per_kind = ((hits + alarms) * counts[:, None]).sum(dim=(0, 2, 3))
    heat_loss = -per_kind / is_top.sum(dim=(0, 2, 3)).clamp(min=1.0)
    mask_loss = _mask_loss(maps[:, Channel.DIE : Channel.OFFSET], masks)
    told = maps[:, Channel.OFFSET : Channel.END]
    half_edge = _CELLS_A_UNIT * torch.exp(shape[:, 2:3])
    error = (told - shape).abs()
    error = torch.cat([2.0 * error[:, :2] / half_edge, 3.0 * error[:, 2:5], error[:, 5:7]], dim=1)
    shape_loss = (error.sum(dim=1) * weight).sum() / weight.sum().clamp(min=1.0)
    return heat_loss[0], heat_loss[1], mask_loss, shape_loss


def _mask_loss(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """
    How far maps of dice and of things are from the truth: cell by cell, and as areas.

    The cells alone teach little about things, for nearly all of them are ground; how much
    of two areas is common does not know how large the picture is.
    """
    cells = functional.binary_cross_entropy_with_logits(logits, masks)
    told = torch.sigmoid(logits)
    common = (told * masks).sum(dim=(0, 2, 3))
    both = told.sum(dim=(0, 2, 3)) + masks.sum(dim=(0, 2, 3))
    areas = (1.0 - (2.0 * common + 1.0) / (both + 1.0)).sum()
    return _MASK_WEIGHT * cells + areas


def _opinion_loss(logits: torch.Tensor, truth: Batch) -> torch.Tensor:
    return functional.cross_entropy(logits, truth[0], label_smoothing=_SMOOTHING)
