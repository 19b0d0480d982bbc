# SPDX-License-Identifier: MIT
"""
Measure the whole reader on the photographs of one source, to choose weights.

It counts what the table would believe. The number of dice is not told. Choose a source that the
weights did not learn from: pictures of one source are so alike that a part of them shows nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2

from vision.image_files import load_picture
from vision.pipeline import Reader
from vision.reading import DieReading, Status, TrayReading
from vision.training.photographs.manifest import Box, BoxKind, Photograph
from vision.training.processes import open_pool

Score = Counter[str]

_WHOLE_NEAR = 0.35
"""How far off the middle of the box of a whole die its upper face may be, as a share of the box."""

_UPPER_NEAR = 0.6
"""The same for the box of an upper face, which may be no more than a few pixels high."""


def score(photographs: Sequence[Photograph], *, weights: Path, most: int, cores: int) -> Score:
    """
    Return what became of the dice and of the pictures, of `most` of them, spread over all. Heaps
    are left out, for not all of their dice are marked.
    """
    known = [one for one in photographs if not one.is_heap]
    count = min(most, len(known))
    some = [known[k * len(known) // count] for k in range(count)]
    total: Score = Counter()
    with open_pool(cores) as pool:
        parts = [some[k::cores] for k in range(cores)]
        for part in pool.map(partial(_score_part, weights=weights), parts):
            total += part
    return total


def report(total: Score) -> str:
    dice = total["dice"]
    lines = [f"{total['pictures']} pictures, {dice} dice"]
    for name, whole in (
        ("dice read right", dice),
        ("dice read wrong", dice),
        ("dice not read", dice),
        ("readings where no die is marked", dice),
        ("pictures exact", total["pictures"]),
        ("pictures misread without a doubt", total["pictures"]),
        ("pictures in doubt", total["pictures"]),
    ):
        share = f" ({100 * total[name] / whole:.1f} %)" if whole else ""
        lines.append(f"{name}: {total[name]}{share}")
    return "\n".join(lines)


def _score_part(photographs: Sequence[Photograph], *, weights: Path) -> Score:
    cv2.setNumThreads(1)
    reader = Reader(weights=weights)
    total: Score = Counter()
    for photograph in photographs:
        reading = reader.read(load_picture(photograph.path))
        total += score_reading(reading, () if photograph.is_negative else photograph.boxes)
    return total


def score_reading(reading: TrayReading, boxes: Sequence[Box]) -> Score:
    """Return what became of the dice of one picture; boxes are empty if none could be read."""
    total: Score = Counter(pictures=1, dice=len(boxes))
    left = list(boxes)
    for die in reading.dice:
        box = min(left, key=partial(_distance, die), default=None)
        if box is None or _distance(die, box) > 1.0:
            total["readings where no die is marked"] += 1
            continue
        left.remove(box)
        total["dice read right" if die.face == box.number else "dice read wrong"] += 1
    total["dice not read"] += len(left)
    is_right = total["dice read right"] == len(boxes) == len(reading.dice)
    if reading.status is Status.UNSURE:
        total["pictures in doubt"] += 1
    else:
        total["pictures exact" if is_right else "pictures misread without a doubt"] += 1
    return total


def _distance(die: DieReading, box: Box) -> float:
    """Return how far a die is from a box; up to 1 it may be the same die."""
    near = _WHOLE_NEAR if box.kind is BoxKind.WHOLE else _UPPER_NEAR
    x, y = die.center_px
    across = abs(x - box.x - box.width / 2.0) / box.width
    down = abs(y - box.y - box.height / 2.0) / box.height
    return max(across, down) / near
