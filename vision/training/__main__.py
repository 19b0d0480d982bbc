# SPDX-License-Identifier: MIT
"""
Rebuild the weights: `python -m vision.training --out DIR --seed 1`.

Renders the school, teaches the finder, cuts tiles where that finder looks, teaches the
opinion and, from shots of its own, how dice stand, and writes the three nets. Needs the
project's extra `training`, two cores, some 12 GB of disk, 14 GB of memory and under two
hours.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from vision.frame import Image
from vision.learned.finder import Finder, FinderParams
from vision.training.cuts import Cuts
from vision.training.export import write_finder, write_opinion, write_stance
from vision.training.learn import teach_finder, teach_opinion, teach_stance
from vision.training.lessons import (
    SHOTS_A_FILE,
    Job,
    load_school,
    load_tiles,
    named_tiles,
    render,
)
from vision.training.stances import StanceJob, load_stances, render_stances

_CORES = 2
_SEEDS_APART = 100_000
_SEEDS_END = 1_000_000
_LARGE_FROM = 60_000
"""Large shots take the seeds from here on, within those of one school."""

_STANCES_FROM = 80_000
"""Shots for stances take the seeds from here on."""

_FAINTEST = 0.03


@dataclass(frozen=True, slots=True)
class Size:
    """
    How much is rendered and learnt.

    Attributes:
        small: Small shots, from which both nets learn.
        large: Large shots, from which only tiles are cut.
        finder_steps: Batches the finder learns from.
        opinion_steps: Batches the opinion learns from.
        stances: Shots from which stances are learnt.
        stance_steps: Batches they are learnt from.
    """

    small: int
    large: int
    finder_steps: int
    opinion_steps: int
    stances: int
    stance_steps: int


FULL = Size(
    small=7000, large=400, finder_steps=12000, opinion_steps=5000, stances=2400, stance_steps=3500
)


def rebuild(out: Path, work: Path, *, seed: int, size: Size = FULL) -> None:
    """
    Write `finder.onnx` and `opinion.onnx`.

    Args:
        out: Folder for the weights; made where it is missing.
        work: Folder for the lessons.
        seed: What scenes, lessons and nets are drawn from.
        size: How much is rendered and learnt.
    """
    begun_s = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    small, large = _render(work, seed, size)
    _tell(f"rendered after {time.monotonic() - begun_s:.0f} s")
    torch.set_num_threads(_CORES)
    school = load_school(small)
    finder = teach_finder(school, steps=size.finder_steps, batch=16, seed=seed, tell=_tell)
    write_finder(finder, out / "finder.onnx")
    _tell(f"finder written after {time.monotonic() - begun_s:.0f} s")
    with ProcessPoolExecutor(_CORES) as pool:
        found = list(pool.map(_found_tiles, small, [out] * len(small)))
    tiles, names = load_tiles([*small, *large])
    tiles = np.concatenate([tiles, *(part for part, _ in found)])
    names = np.concatenate([names, *(part for _, part in found)])
    _tell(f"{len(names)} tiles, of each class {np.bincount(names, minlength=7)}")
    opinion = teach_opinion(
        tiles, names, steps=size.opinion_steps, batch=128, seed=seed, tell=_tell
    )
    write_opinion(opinion, out / "opinion.onnx")
    _rebuild_stance(out, work, seed=seed, size=size)
    _tell(f"all done after {time.monotonic() - begun_s:.0f} s")


def _rebuild_stance(out: Path, work: Path, *, seed: int, size: Size) -> None:
    """Write `stance.onnx`."""
    first = seed * _SEEDS_APART % _SEEDS_END + _STANCES_FROM
    jobs = [
        StanceJob(
            work / f"stances-{begin:05d}.npz",
            first + begin,
            min(SHOTS_A_FILE, size.stances - begin),
        )
        for begin in range(0, size.stances, SHOTS_A_FILE)
    ]
    with ProcessPoolExecutor(_CORES) as pool:
        list(pool.map(render_stances, [job for job in jobs if not job.path.exists()]))
    tiles, downs = load_stances([job.path for job in jobs])
    _tell(f"{len(downs)} stances")
    net = teach_stance(tiles, downs, steps=size.stance_steps, batch=96, seed=seed, tell=_tell)
    write_stance(net, out / "stance.onnx")


def _render(work: Path, seed: int, size: Size) -> tuple[list[Path], list[Path]]:
    first = seed * _SEEDS_APART % _SEEDS_END
    jobs = [
        Job(work / f"{name}-{begin:05d}.npz", at + begin, min(SHOTS_A_FILE, count - begin), large)
        for name, at, count, large in (
            ("small", first, size.small, False),
            ("large", first + _LARGE_FROM, size.large, True),
        )
        for begin in range(0, count, SHOTS_A_FILE)
    ]
    missing = [job for job in jobs if not job.path.exists()]
    with ProcessPoolExecutor(_CORES) as pool:
        for job, path in zip(missing, pool.map(render, missing), strict=True):
            _tell(f"  {path.name}: {job.shots} shots")
    small = [job.path for job in jobs if not job.is_large]
    return small, [job.path for job in jobs if job.is_large]


def _found_tiles(path: Path, weights: Path) -> tuple[Image, NDArray[np.int64]]:
    """The tiles where the finder proposes faces in a file of shots, faint proposals too."""
    school = load_school([path])
    finder = Finder(weights / "finder.onnx", FinderParams(least_likeness=_FAINTEST))
    tiles, names = [], []
    for index, (image, truth) in enumerate(zip(school.images_bgr, school.truths, strict=True)):
        proposals = finder.find(image).proposals
        cuts = Cuts(
            np.array([p.center for p in proposals]).reshape(-1, 2),
            np.array([p.half_edges for p in proposals]).reshape(-1, 2, 2),
        )
        cut, named = named_tiles(image, cuts, truth, np.random.default_rng([index, 5]))
        tiles.append(cut)
        names.append(named)
    return np.concatenate(tiles), np.concatenate(names)


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Rebuild the weights as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    parser.add_argument("--seed", type=int, default=1, help="another one, another school")
    parser.add_argument("--work", type=Path, help="folder that keeps the lessons; those in it stay")
    given = parser.parse_args()
    if given.work is not None:
        given.work.mkdir(parents=True, exist_ok=True)
        rebuild(given.out, given.work, seed=given.seed)
        return
    with tempfile.TemporaryDirectory() as work:
        rebuild(given.out, Path(work), seed=given.seed)


if __name__ == "__main__":
    main()
