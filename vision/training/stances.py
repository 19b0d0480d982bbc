# SPDX-License-Identifier: MIT
"""
The lessons about stances: dice with what lies around them, and where their foot is.

Flat dice under slanted cameras and dice that lean under straight ones look alike, so both
are lessons of one kind: what is learnt is where the body goes under its top face, not
whether that is right. Dice are cut a little wrong, as faces are found a little wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio import Plan, Shot, draw_shot
from vision.cutout import cut_tiles
from vision.frame import Image
from vision.learned.stance import REACH
from vision.training.lessons import LARGE_WH, SMALL_WH, write_whole
from vision.training.truth import truth_of

_Floats = NDArray[np.float64]

_LARGE, _COCKED = 5, 3
"""Every fifth shot is large, and in every third a die leans."""

_CUTS = 3
_LEAST_VISIBLE = 0.9
_LEAST_EDGE_PX = 10.0


@dataclass(frozen=True, slots=True)
class StanceJob:
    """A file of lessons to be rendered: where it goes, and which seeds it holds."""

    path: Path
    first_seed: int
    shots: int


def render_stances(job: StanceJob) -> Path:
    """Render one file of lessons and return its path."""
    cv2.setNumThreads(1)
    lessons = [_lessons_of(seed) for seed in range(job.first_seed, job.first_seed + job.shots)]
    return write_whole(
        job.path,
        tiles=np.concatenate([tiles for tiles, _ in lessons]),
        downs=np.concatenate([downs for _, downs in lessons]),
    )


def load_stances(paths: list[Path]) -> tuple[Image, _Floats]:
    """Load tiles (n, 80, 80, 3) and the ways to the feet (n, 2), in edges of the cut."""
    tiles, downs = [], []
    for path in paths:
        with np.load(path) as file:
            tiles.append(file["tiles"])
            downs.append(file["downs"])
    return np.concatenate(tiles), np.concatenate(downs)


def another_stance(tile: Image, down: _Floats, rng: np.random.Generator) -> tuple[Image, _Floats]:
    """Return the same lesson mirrored or turned by right angles."""
    if rng.random() < 0.5:
        tile, down = tile[:, ::-1], down * (-1.0, 1.0)
    for _ in range(int(rng.integers(4))):
        tile, down = np.rot90(tile), np.array([down[1], -down[0]])
    return np.ascontiguousarray(tile), down


def _lessons_of(seed: int) -> tuple[Image, _Floats]:
    size_wh = LARGE_WH if seed % _LARGE == 0 else SMALL_WH
    plan = Plan(doubt="cocked") if seed % _COCKED == 0 else None
    shot = draw_shot(seed, size_wh, plan=plan)
    return stance_lessons(shot, np.random.default_rng([seed, 6]))


def stance_lessons(shot: Shot, rng: np.random.Generator) -> tuple[Image, _Floats]:
    """
    Cut the dice of a shot.

    Args:
        shot: With its truth.
        rng: Decides how wrong each is cut.

    Returns:
        Tiles (n, 80, 80, 3) and, in edges of each cut, the way from the middle of the top
        face to the middle of the one below it, (n, 2).
    """
    truth = truth_of(shot)
    seen = (truth.visible >= _LEAST_VISIBLE) & (truth.edges_px >= _LEAST_EDGE_PX)
    which = np.repeat(np.flatnonzero(seen), _CUTS)
    feet = np.array([die.foot_px for die in shot.dice]).reshape(-1, 2)
    halves = truth.half_edges[which] @ _slips(len(which), rng)
    middles = rng.normal(0.0, 0.06, (len(which), 2, 1))
    centers = truth.centers[which] + (halves @ middles)[..., 0]
    away = (feet - truth.centers)[which]
    downs = np.linalg.solve(2.0 * halves, away[..., None])[..., 0]
    return cut_tiles(shot.image_bgr, centers, halves * REACH), np.asarray(downs, np.float64)


def _slips(count: int, rng: np.random.Generator) -> _Floats:
    """How faces are cut wrong: turned, too large or small, sheared, (n, 2, 2)."""
    turn = rng.normal(0.0, np.deg2rad(4.0), count)
    cos, sin = np.cos(turn), np.sin(turn)
    turns = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    sizes = np.exp(rng.normal(0.0, 0.05, (count, 1, 1)))
    shears = np.eye(2) + rng.normal(0.0, 0.03, (count, 2, 2))
    return np.asarray(turns @ shears * sizes)
