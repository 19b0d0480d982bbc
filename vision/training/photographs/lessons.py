# SPDX-License-Identifier: MIT
"""
Cut photographs into files like those of rendered scenes, from which all nets learn.

Of a scene everything is known; of a photograph only the number of each die, and where its upper
face is if it was found. What is not known is marked, and no net learns it. So a die whose face was
not found is neither a die nor ground.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frame import Image
from vision.image_files import load_picture
from vision.nets.face_encoding import rotations
from vision.nets.finder import Finder
from vision.pyramid import Pyramid
from vision.training.cuts import Cuts, cuts_of, draw_cuts
from vision.training.dataset import (
    School,
    encode_owner,
    encode_picture,
    school_arrays,
    select_empty,
    write_whole,
)
from vision.training.finder_samples import Shown
from vision.training.labels import MOST_PIPS, SceneLabels, label_flat_dice
from vision.training.patches import Patches, cut_empty_patches, cut_face_patches, join_patches
from vision.training.photographs.faces import FaceFinder, FoundFace
from vision.training.photographs.manifest import Box, BoxKind, Photograph
from vision.training.processes import open_pool
from vision.training.records import as_arrays, join_records

_FILES = 4
"""Files of a source: an even number, so that each opinion learns from half of its pictures."""

_FAINTEST = 0.05
_MOST_PROPOSALS = 8
_CROP_CUTS, _CROP_SIZES = 2, (0.25, 0.8)
_NUMERAL_SIZES = (0.55, 0.8)
_FINE = 4

Tally = Counter[tuple[str, str, bool]]
"""How many dice of each source and body colour were found, and how many were not."""


@dataclass(frozen=True, slots=True)
class PhotoJob:
    """One file to write: what some photographs teach, as these nets see it."""

    path: Path
    photographs: tuple[Photograph, ...]
    weights: Path


@dataclass(frozen=True, slots=True, eq=False)
class _Lesson:
    """What is known of one photograph."""

    image: Image
    owner: Image
    labels: SceneLabels
    patches: Patches


def write_photo_files(
    photographs: Sequence[Photograph], folder: Path, *, weights: Path, cores: int
) -> tuple[list[Path], Tally]:
    """
    Write the files that are missing, and return all of them and how many faces were found now.

    The nets in the folder `weights` find the faces.

    Raises:
        PictureError: A picture cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    jobs = plan_photo_files(photographs, folder, weights=weights)
    total: Tally = Counter()
    with open_pool(cores) as pool:
        for part in pool.map(write_photo_file, [job for job in jobs if not job.path.exists()]):
            total += part
    return [job.path for job in jobs], total


def plan_photo_files(
    photographs: Sequence[Photograph], folder: Path, *, weights: Path
) -> list[PhotoJob]:
    """Return the files to write: some of every source, which share no picture."""
    jobs = []
    for source in dict.fromkeys(one.source for one in photographs):
        own = [one for one in photographs if one.source == source]
        name = re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-")
        jobs += [
            PhotoJob(folder / f"photo-{name}-{k}.npz", tuple(own[k::_FILES]), weights)
            for k in range(min(_FILES, len(own)))
        ]
    return jobs


def write_photo_file(job: PhotoJob) -> Tally:
    """
    Write one file, and return how many faces were found.

    Raises:
        PictureError: A picture cannot be read.
    """
    cv2.setNumThreads(1)
    tally: Tally = Counter()
    faces = FaceFinder(job.weights)
    finder = Finder(job.weights / "finder.onnx", least_likeness=_FAINTEST)
    taught: list[_Lesson] = []
    patches: list[Patches] = []
    for index, photograph in enumerate(job.photographs):
        rng = np.random.default_rng([index, 6])
        lesson = _learn(photograph, faces, finder, rng, tally)
        patches.append(lesson.patches)
        if not (photograph.is_crop or photograph.is_heap):
            taught.append(lesson)
    school = School(
        tuple(encode_picture(one.image) for one in taught),
        tuple(encode_owner(one.owner) for one in taught),
        tuple(one.labels for one in taught),
    )
    write_whole(job.path, **school_arrays(school), **as_arrays(join_patches(patches)))
    return tally


def _learn(
    photograph: Photograph, faces: FaceFinder, finder: Finder, rng: Generator, tally: Tally
) -> _Lesson:
    image = load_picture(photograph.path)
    pyramid = Pyramid(image)
    found: list[FoundFace] = []
    lost: list[Box] = []
    for box in photograph.boxes if not photograph.is_negative else ():
        face = faces.find(pyramid, box)
        tally[photograph.source, box.colour, face is not None] += 1
        if face is None:
            lost.append(box)
        else:
            found.append(face)
    upper = cuts_of(found)
    labels = label_flat_dice(
        upper.centers,
        upper.half_edges,
        np.array([face.box.number for face in found], np.int64),
        np.array([face.pips for face in found]).reshape(-1, MOST_PIPS, 2),
    )
    owner = _mark_owner(photograph, image.shape[:2], found, lost)
    parts = [_cut_faces(photograph, image, labels, found)]
    if photograph.is_crop:
        if photograph.is_negative:
            parts.append(cut_empty_patches(image, _cut_crop(image, rng)))
    elif not photograph.is_heap:
        drawn = [
            cuts_of(finder.find(pyramid).proposals[:_MOST_PROPOSALS]),
            _cut_numerals(photograph, rng),
            draw_cuts(labels, np.zeros(image.shape[:2], np.int16), rng, times=1),
        ]
        cuts = join_records(drawn)
        parts.append(cut_empty_patches(image, select_empty(cuts, labels, owner)))
    return _Lesson(image, owner, labels, join_patches(parts))


def _cut_faces(
    photograph: Photograph, image: Image, labels: SceneLabels, found: Sequence[FoundFace]
) -> Patches:
    """Return the patches of faces; only their numbers are known for sure."""
    patches = cut_face_patches(image, labels)
    # Seen from straight above, a die that leans would show two faces.
    is_flat = photograph.is_from_above and not photograph.is_crop
    return replace(
        patches,
        odd=np.full(len(found), 0.0 if is_flat else np.nan, np.float32),
        light=np.array([face.is_light for face in found], np.float32),
    )


def _mark_owner(
    photograph: Photograph, shape: tuple[int, ...], found: Sequence[FoundFace], lost: Sequence[Box]
) -> Image:
    """Return what each pixel shows, a number of `Shown`."""
    owner = np.full(shape, _shown_beside(photograph), np.uint8)
    numerals = photograph.boxes if photograph.is_negative else ()
    for box in (*(face.box for face in found), *numerals):
        _fill_body(owner, box, Shown.NO_CENTER)
    for box in lost:
        _fill_body(owner, box, Shown.UNKNOWN)
    for face in found:
        quad = np.rint(face.quad * 2**_FINE).astype(np.int32)
        cv2.fillConvexPoly(owner, quad, int(Shown.DIE), shift=_FINE)
    return owner


def _shown_beside(photograph: Photograph) -> Shown:
    if photograph.is_heap or (photograph.is_crop and not photograph.is_negative):
        return Shown.UNKNOWN
    if photograph.shows.startswith("ground texture"):
        return Shown.GROUND
    # Dice without pips are dice, but have no upper face that could be read.
    is_unmarked = photograph.shows.startswith("foreign dice") and not photograph.boxes
    return Shown.NO_CENTER if is_unmarked else Shown.NO_DIE


def _fill_body(owner: Image, box: Box, shown: Shown) -> None:
    beyond = max(box.width, box.height) if box.kind is BoxKind.UPPER else 0.0
    first = np.floor([box.x - beyond, box.y - beyond]).clip(0).astype(int)
    last = np.ceil([box.x + box.width + beyond, box.y + box.height + beyond]).astype(int)
    owner[first[1] : last[1], first[0] : last[0]] = shown


def _cut_numerals(photograph: Photograph, rng: Generator) -> Cuts:
    """Return cuts of dice without pips that are marked."""
    boxes = photograph.boxes if photograph.is_negative else ()
    centers = [
        (box.x + box.width / 2.0, box.y + box.height / 2.0) for box in boxes for _ in _NUMERAL_SIZES
    ]
    halves = [size * min(box.width, box.height) / 2.0 for box in boxes for size in _NUMERAL_SIZES]
    return _turn_squares(np.reshape(centers, (-1, 2)), np.array(halves), rng)


def _cut_crop(image: Image, rng: Generator) -> Cuts:
    """Return cuts of a picture that shows one object or ground and nothing else."""
    height, width = image.shape[:2]
    centers = rng.uniform(0.3, 0.7, (_CROP_CUTS, 2)) * (width, height)
    halves = rng.uniform(*_CROP_SIZES, _CROP_CUTS) * min(width, height) / 2.0
    return _turn_squares(centers, halves, rng)


def _turn_squares(
    centers: NDArray[np.float64], halves: NDArray[np.float64], rng: Generator
) -> Cuts:
    turn = rng.uniform(0.0, 2.0 * np.pi, len(centers))
    return Cuts(centers, halves[:, None, None] * rotations(turn))
