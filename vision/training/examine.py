# SPDX-License-Identifier: MIT
"""
What the nets are worth on shots that nobody learnt from.

`python -m vision.training.examine --shots N` draws shots of seeds beyond those of the
school and prints the figures of the model card: how many faces are proposed and how well
they fit, and what the learned opinion calls the tiles cut there.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio import draw_shot
from vision.cutout import cut_tiles
from vision.learned.finder import Finder
from vision.learned.net import WEIGHTS
from vision.learned.opinion import CLASSES, LearnedOpinion
from vision.training.cuts import NO_LESSON, Cuts, name_cuts
from vision.training.truth import Truth, truth_of

FIRST_SEED = 2_000_000
"""The school's seeds are below 1,000,000."""

_SURE = 0.5
_FITS = 0.6


@dataclass(slots=True)
class Marks:
    """
    What is counted while shots go by.

    Attributes:
        likeness: Best likeness near every proper face, 0 where none is.
        off: Distance of that proposal in edges, where there is one.
        odd_told: For proposals of doubtful dice and of proper ones, how odd they were called.
        strays: Likeness of proposals near no die at all.
        confusion: Rows are the classes tiles have, columns those they were called.
        sureness: Of every tile, how likely its class was said to be, and whether it was right.
    """

    shots: int = 0
    likeness: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    odd_told: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    strays: list[float] = field(default_factory=list)
    confusion: NDArray[np.int64] = field(default_factory=lambda: np.zeros((CLASSES, CLASSES), int))
    sureness: list[tuple[float, bool]] = field(default_factory=list)


def examine(seeds: range, *, size_wh: tuple[int, int], weights: Path = WEIGHTS) -> Marks:
    """Return the marks of the nets in a folder on shots of these seeds."""
    finder = Finder(weights / "finder.onnx")
    opinion = LearnedOpinion(weights / "opinion.onnx")
    marks = Marks()
    for seed in seeds:
        shot = draw_shot(seed, size_wh)
        truth = truth_of(shot)
        proposals = finder.find(shot.image_bgr).proposals
        cuts = Cuts(
            np.array([p.center for p in proposals]).reshape(-1, 2),
            np.array([p.half_edges for p in proposals]).reshape(-1, 2, 2),
        )
        likeness = np.array([p.likeness for p in proposals])
        _mark_finder(marks, truth, cuts, likeness, np.array([p.odd for p in proposals]))
        names = name_cuts(cuts, truth)
        tiles = cut_tiles(shot.image_bgr, cuts.centers, cuts.half_edges)
        _mark_opinion(marks, names, opinion.judge(tiles))
        marks.shots += 1
    return marks


def _mark_finder(
    marks: Marks,
    truth: Truth,
    cuts: Cuts,
    likeness: NDArray[np.float64],
    odd: NDArray[np.float64],
) -> None:
    apart = cuts.centers[:, None] - truth.centers[None]
    off = np.full((len(likeness), len(truth.centers)), np.inf)
    if off.size:
        halves = np.einsum("dij,cdj->cdi", np.linalg.inv(truth.half_edges), apart)
        off = np.linalg.norm(halves, axis=2)
    for die in range(len(truth.centers)):
        near = np.flatnonzero(off[:, die] < _FITS)
        best = int(near[np.argmax(likeness[near])]) if len(near) else None
        if truth.proper[die]:
            marks.likeness.append(0.0 if best is None else float(likeness[best]))
        if best is not None and (truth.proper[die] or truth.doubtful[die]):
            marks.off.append(float(off[best, die]) / 2.0)
            marks.odd_told[bool(truth.doubtful[die])].append(float(odd[best]))
    stray = off.min(axis=1, initial=np.inf) > 2.0
    marks.strays += [float(value) for value in likeness[stray]]


def _mark_opinion(marks: Marks, names: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
    for name, share in zip(names, shares, strict=True):
        if name != NO_LESSON:
            called = int(share.argmax())
            marks.confusion[name, called] += 1
            marks.sureness.append((float(share[called]), called == name))


def told(marks: Marks) -> str:
    """Return the marks as text."""
    likeness, strays = np.array(marks.likeness), np.array(marks.strays)
    lines = [f"{marks.shots} shots, {len(likeness)} flat faces wholly seen"]
    for least in (0.1, 0.3, _SURE):
        lines.append(
            f"likeness >= {least}: found {100 * (likeness >= least).mean():.2f} %, "
            f"strays {(strays >= least).sum() / marks.shots:.3f} a shot"
        )
    lines.append(
        f"middle off by {np.median(marks.off):.3f} edges (median), "
        f"{np.quantile(marks.off, 0.95):.3f} (95 %)"
    )
    for is_odd, values in marks.odd_told.items():
        what = "doubtful dice" if is_odd else "proper faces"
        share = 100 * float(np.mean(np.array(values) > _SURE)) if values else 0.0
        lines.append(f"{what} called odd: {share:.1f} % of {len(values)}")
    lines.append("tiles at proposals: rows are, columns called none 1 2 3 4 5 6")
    lines += ["  " + " ".join(f"{count:6d}" for count in row) for row in marks.confusion]
    return "\n".join(lines + _calibration(marks))


def _calibration(marks: Marks) -> list[str]:
    sure = np.array([share for share, _ in marks.sureness])
    right = np.array([is_right for _, is_right in marks.sureness])
    lines = []
    for low, high in ((0.0, 0.6), (0.6, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 1.01)):
        these = (sure >= low) & (sure < high)
        if these.any():
            lines.append(
                f"said {low:.2f} to {min(high, 1.0):.2f}: {these.sum()} tiles, "
                f"mean {sure[these].mean():.3f}, right {right[these].mean():.4f}"
            )
    return lines


def main() -> None:
    """Print the figures of the model card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=400)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    width, height = (int(part) for part in given.size.split("x"))
    cv2.setNumThreads(1)
    seeds = range(given.first_seed, given.first_seed + given.shots)
    print(told(examine(seeds, size_wh=(width, height), weights=given.weights)))  # noqa: T201


if __name__ == "__main__":
    main()
