# SPDX-License-Identifier: MIT
"""
Render the school: shots with their truth, and tiles cut from them, in files of some hundred.

Most shots are small, for the finder looks at small copies anyhow and more scenes teach more
than more pixels. Some are rendered large, so that the tiles cut from them are as sharp as a
camera's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio import Shot, draw_shot
from vision.cutout import cut_tiles
from vision.frame import Image
from vision.training.cuts import NO_LESSON, NONE, Cuts, draw_cuts, name_cuts, pick
from vision.training.truth import Truth, truth_of

SMALL_WH = (640, 360)
LARGE_WH = (1280, 720)
SHOTS_A_FILE = 200

_UPRIGHT = 7
"""Every so many-th small shot is an upright picture; stored lying."""

_THING = 2


@dataclass(frozen=True, slots=True)
class Job:
    """One file to render: shots of these seeds, of this size."""

    path: Path
    first_seed: int
    shots: int
    is_large: bool


@dataclass(frozen=True, slots=True, eq=False)
class School:
    """
    The finder's shots, all of one size.

    Attributes:
        images_bgr: (n, 360, 640, 3), uint8.
        owners: 0 ground, 1 a die, 2 a thing, (n, 360, 640), uint8.
        truths: Of each shot.
    """

    images_bgr: Image
    owners: NDArray[np.uint8]
    truths: tuple[Truth, ...]


def render(job: Job) -> Path:
    """Render one file of lessons and return its path; of large shots only tiles are kept."""
    cv2.setNumThreads(1)
    tiles, names, images, owners, dice, counts = [], [], [], [], [], []
    for seed in range(job.first_seed, job.first_seed + job.shots):
        shot = draw_shot(seed, _size_wh(seed, is_large=job.is_large))
        rng = np.random.default_rng([seed, 2])
        truth = truth_of(shot)
        cuts = draw_cuts(truth, shot.owner, rng, times=4 if job.is_large else 2)
        cut, named = named_tiles(shot.image_bgr, cuts, truth, rng)
        tiles.append(cut)
        names.append(named)
        if not job.is_large:
            shown, whose = _lying(shot)
            images.append(shown)
            owners.append(whose)
            dice.append(
                _row_of(truth, shot.image_bgr.shape[1], is_turned=shown is not shot.image_bgr)
            )
            counts.append(len(shot.dice))
    return write_whole(
        job.path,
        tiles=np.concatenate(tiles),
        names=np.concatenate(names),
        images=np.array(images, np.uint8),
        owners=np.array(owners, np.uint8),
        dice=np.concatenate(dice) if dice else np.empty((0, _COLUMNS)),
        counts=np.array(counts, np.int64),
    )


def write_whole(path: Path, **arrays: NDArray[np.generic]) -> Path:
    """Write a file of lessons, which is there only when it is whole, and return its path."""
    unfinished = path.with_suffix(".part.npz")
    # To the type checker any of these names may be an option of savez.
    np.savez(unfinished, **cast(dict[str, Any], arrays))
    return unfinished.rename(path)


def named_tiles(
    image_bgr: Image, cuts: Cuts, truth: Truth, rng: np.random.Generator
) -> tuple[Image, NDArray[np.int64]]:
    """Cut what is a lesson; of tiles without a face not many more than of those with one."""
    names = name_cuts(cuts, truth)
    nones = rng.permutation(np.flatnonzero(names == NONE))
    most = 4 + int((names > NONE).sum())
    kept = np.concatenate([np.flatnonzero(names > NONE), nones[:most]])
    assert (names[kept] != NO_LESSON).all()
    chosen = pick(cuts, kept)
    return cut_tiles(image_bgr, chosen.centers, chosen.half_edges), names[kept]


def load_school(paths: Iterable[Path]) -> School:
    """Load the finder's shots from files of small shots."""
    images, owners, truths = [], [], []
    for path in paths:
        with np.load(path) as file:
            images.append(file["images"])
            owners.append(file["owners"])
            truths += list(_truths(file["dice"], file["counts"]))
    return School(np.concatenate(images), np.concatenate(owners), tuple(truths))


def load_tiles(paths: Iterable[Path]) -> tuple[Image, NDArray[np.int64]]:
    """Load the tiles (n, 80, 80, 3) and their classes (n,) from files of shots."""
    tiles, names = [], []
    for path in paths:
        with np.load(path) as file:
            tiles.append(file["tiles"])
            names.append(file["names"])
    return np.concatenate(tiles), np.concatenate(names)


def _size_wh(seed: int, *, is_large: bool) -> tuple[int, int]:
    if is_large:
        return LARGE_WH
    return SMALL_WH[::-1] if seed % _UPRIGHT == 0 else SMALL_WH


def _lying(shot: Shot) -> tuple[Image, NDArray[np.uint8]]:
    owner = np.where(shot.owner > 0, 1, np.where(shot.owner < 0, _THING, 0)).astype(np.uint8)
    if shot.image_bgr.shape[0] <= shot.image_bgr.shape[1]:
        return shot.image_bgr, owner
    return np.rot90(shot.image_bgr), np.rot90(owner)


_COLUMNS = 10


def _row_of(truth: Truth, width: int, *, is_turned: bool) -> NDArray[np.float64]:
    """A truth as rows of numbers; turned as `numpy.rot90` turns the picture."""
    centers, halves = truth.centers, truth.half_edges
    if is_turned:
        turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
        centers, halves = centers @ turn.T + (0.0, width - 1.0), turn @ halves
    return np.column_stack(
        [
            centers,
            halves.reshape(-1, 4),
            truth.faces,
            truth.states,
            truth.visible,
            truth.contrast,
        ]
    )


def _truths(rows: NDArray[np.float64], counts: NDArray[np.int64]) -> Iterator[Truth]:
    for dice in np.split(rows, np.cumsum(counts)[:-1]):
        yield Truth(
            centers=dice[:, :2],
            half_edges=dice[:, 2:6].reshape(-1, 2, 2),
            faces=dice[:, 6].astype(np.int64),
            states=dice[:, 7].astype(np.int64),
            visible=dice[:, 8],
            contrast=dice[:, 9],
        )
