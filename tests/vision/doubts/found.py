# SPDX-License-Identifier: MIT
"""Dice found in pictures for tests of doubts: as faces that nobody doubted yet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.pips import Pips
from vision.geometry.whole import look_for_pips
from vision.learned.stance import Stances
from vision.params import ReadParams

_FULL_SIZE = ReadParams(work_px=4096)


def tops_in(image_bgr: Image) -> list[Candidate]:
    """Return the top faces that the pips of a picture make, from left to right."""
    tops = look_for_pips(image_bgr, _FULL_SIZE).choice.tops
    return sorted(tops, key=lambda top: float(top.face.center[0]))


def pips_in(image_bgr: Image) -> Pips:
    """Return all spots of a picture."""
    return look_for_pips(image_bgr, _FULL_SIZE).pips


def size_wh_of(image_bgr: Image) -> tuple[int, int]:
    """Return width and height of a picture."""
    return image_bgr.shape[1], image_bgr.shape[0]


def no_stances(tops: Sequence[Candidate]) -> Stances:
    """Return stances that say nothing: each foot may be anywhere."""
    return Stances(np.zeros((len(tops), 2)), np.full(len(tops), 100.0))
