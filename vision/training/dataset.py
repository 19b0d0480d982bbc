# SPDX-License-Identifier: MIT
"""
Render scenes into files: pictures for the finder, patches for the tile nets.

Most pictures are small, for the finder looks at small copies anyhow and more scenes teach
more than more pixels. Some are rendered large, so that the patches cut from them are as sharp
as a camera's. Pictures are kept as JPEG, of a quality that is lost among the cameras' own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, cast

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.finder import Finder
from vision.nets.weighing import START
from vision.pyramid import Pyramid
from vision.tile_verdicts import Judge
from vision.training.cuts import Cuts, UpperFace, classify_cuts, cuts_of, select_cuts
from vision.training.finder_samples import Shown
from vision.training.flat_patches import FlatPatches, cut_flat_patches
from vision.training.labels import NO_FACE, SceneLabels, label_scene
from vision.training.patches import Patches, cut_empty_patches, draw_patches, join_patches
from vision.training.records import as_arrays, join_records
from vision.training.scenes import SceneSpec, render_scene
from vision.training.scenes.spec import draw_spec

SHOTS_A_FILE = 200


class Kind(Enum):
    """
    What a file of scenes is for.

    A small one has pictures for the finder and patches of its dice. Of the others only patches
    are kept: of large pictures, which are as sharp as a camera's, and of scenes with a die that
    leans.
    """

    SMALL = "small"
    LARGE = "large"
    LEANS = "leans"


_SIZES_WH = ((640, 360), (640, 360), (640, 480), (640, 360), (640, 360), (480, 480), (360, 640))
"""Sizes of small pictures, in turns: mostly wide ones, some of 4:3, square and upright."""

_OTHER_SIZES_WH = {Kind.LARGE: (1280, 720), Kind.LEANS: (960, 540)}
_STEEP_SHARE, _STEEP_DEG = 0.2, (25.0, 50.0)
"""Share of large scenes before a steep camera, to which sides look like upper faces."""

_SEE_THROUGH_SHARE = 0.15  # Share of large scenes in which most dice are clear.

_LEANING = SceneSpec(doubt="cocked", expect=6, leaning=0.5)
_THING = 2
_QUALITY = 93
_FAINTEST = 0.05
_MOST_ERRORS = 10
_PASSES = 0.2
_ON_A_CUT = np.stack(np.meshgrid((-1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)), axis=2).reshape(-1, 2)
"""Places on a cut, in its half edges."""

Bytes = NDArray[np.uint8]
_Cut = TypeVar("_Cut", Patches, FlatPatches)


@dataclass(frozen=True, slots=True)
class Job:
    """One file to render: scenes of these seeds, and what they are for."""

    path: Path
    first_seed: int
    shots: int
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class School:
    """The finder's scenes, still encoded."""

    pictures: tuple[Bytes, ...]  # JPEG files of the pictures.
    owners: tuple[Bytes, ...]  # PNG files of what each pixel shows, a number of `Shown`.
    truths: tuple[SceneLabels, ...]

    def image(self, index: int) -> Image:
        """Return a picture, (height, width, 3)."""
        return _decode(self.pictures[index], cv2.IMREAD_COLOR)

    def owner(self, index: int) -> Image:
        """Return what each pixel of a picture shows, (height, width)."""
        return _decode(self.owners[index], cv2.IMREAD_GRAYSCALE)


def render(job: Job) -> Path:
    """Render one file and return its path."""
    cv2.setNumThreads(1)
    pictures: list[Bytes] = []
    owners: list[Bytes] = []
    truths: list[SceneLabels] = []
    patches: list[Patches] = []
    flat_patches: list[FlatPatches] = []
    for seed in range(job.first_seed, job.first_seed + job.shots):
        size_wh = _OTHER_SIZES_WH.get(job.kind) or _SIZES_WH[seed % len(_SIZES_WH)]
        rng = np.random.default_rng([seed, 2])
        shot = render_scene(seed, size_wh, spec=_draw_spec(rng, job.kind))
        truth = label_scene(shot)
        patches.append(draw_patches(shot.image_bgr, truth, shot.owner, rng))
        flat_patches.append(cut_flat_patches(shot.image_bgr, truth))
        if job.kind is Kind.SMALL:
            pictures.append(encode_picture(shot.image_bgr))
            owner = shot.owner
            shown = np.select([owner > 0, owner < 0], [Shown.DIE, Shown.OBJECT], Shown.GROUND)
            owners.append(encode_owner(shown.astype(np.uint8)))
            truths.append(truth)
    school = School(tuple(pictures), tuple(owners), tuple(truths))
    return write_whole(
        job.path,
        **school_arrays(school),
        **as_arrays(join_patches(patches)),
        **as_arrays(join_records(flat_patches)),
    )


def _draw_spec(rng: Generator, kind: Kind) -> SceneSpec | None:
    """Return what a scene must show; `None` for anything."""
    if kind is Kind.LEANS:
        return _LEANING
    draw = rng.random()
    if kind is Kind.SMALL or draw >= _STEEP_SHARE + _SEE_THROUGH_SHARE:
        return None
    spec = replace(draw_spec(rng), dome=False, clear=bool(rng.random() < 0.5))
    if draw < _STEEP_SHARE:
        return replace(spec, tilt_deg=float(rng.uniform(*_STEEP_DEG)))
    return replace(spec, see_through=0.8)


def find_errors(path: Path, *, weights: Path) -> Path:
    """
    Write the patches where the finder proposes a face in a file of scenes and there is none.

    Faint proposals count too. Returns the path of the patches' file, beside that of the scenes.
    """
    finder = Finder(weights / "finder.onnx", least_likeness=_FAINTEST)
    return _write_empty(path, "errors", lambda seen: finder.find(seen).proposals[:_MOST_ERRORS])


def find_strays(path: Path, *, weights: Path) -> Path:
    """
    Write the patches that show no upper face and that the nets take for one.

    They are mostly halves of dominoes, keys of keyboards and faces on the sides of dice. Returns
    the path of the patches' file, beside that of the scenes.
    """
    finder = Finder(weights / "finder.onnx")
    judge = Judge(weights, weighing=START)

    def find(seen: Pyramid) -> list[UpperFace]:
        return [
            one.face
            for one in judge.judge(seen, finder.find(seen).proposals)
            if max(one.evidence.tile[1:].max(), one.evidence.opinion[1:].max()) > _PASSES
        ]

    return _write_empty(path, "strays", find)


def _write_empty(path: Path, kind: str, find: Callable[[Pyramid], Sequence[UpperFace]]) -> Path:
    """Write the patches that show no upper face where one is found, unless they are written."""
    cv2.setNumThreads(1)
    out = path.with_name(f"{kind}-{path.name.removeprefix('small-')}")
    if out.exists():
        return out
    school = load_school([path])
    parts = []
    for index, truth in enumerate(school.truths):
        seen = Pyramid(school.image(index))
        cuts = select_empty(cuts_of(find(seen)), truth, school.owner(index))
        parts.append(cut_empty_patches(seen.image, cuts))
    return write_whole(out, **as_arrays(join_patches(parts)))


def select_empty(cuts: Cuts, truth: SceneLabels, owner: NDArray[np.uint8]) -> Cuts:
    """
    Return the cuts that show no upper face for sure, by what each pixel shows, a number of `Shown`.
    """
    places = cuts.centers[:, None] + np.einsum("nij,kj->nki", cuts.half_edges, _ON_A_CUT)
    columns, rows = np.moveaxis(np.rint(places).astype(int), 2, 0)
    height, width = owner.shape
    seen = owner[rows.clip(0, height - 1), columns.clip(0, width - 1)]
    is_known = (seen != Shown.UNKNOWN).all(axis=1)
    return select_cuts(cuts, is_known & (classify_cuts(cuts, truth) == NO_FACE))


def write_whole(path: Path, **arrays: NDArray[np.generic]) -> Path:
    """Write arrays to a file that exists only once it is complete, and return its path."""
    unfinished = path.with_suffix(".part.npz")
    # To the type checker any of these names may be an option of savez.
    np.savez(unfinished, **cast(dict[str, Any], arrays))
    return unfinished.rename(path)


def school_arrays(school: School) -> dict[str, NDArray[Any]]:
    """Return the finder's scenes as named arrays for `write_whole`."""
    labels = as_arrays(join_records(school.truths)) if school.truths else {}
    return {
        **_pack("pictures", school.pictures),
        **_pack("owners", school.owners),
        **{f"label_{name}": rows for name, rows in labels.items()},
        "counts": np.array([len(truth.centers) for truth in school.truths], np.int64),
    }


def load_school(paths: Iterable[Path]) -> School:
    pictures: list[Bytes] = []
    owners: list[Bytes] = []
    truths: list[SceneLabels] = []
    for path in paths:
        with np.load(path) as file:
            pictures += _unpack(file, "pictures")
            owners += _unpack(file, "owners")
            if len(counts := file["counts"]):
                names = (f"label_{field.name}" for field in fields(SceneLabels))
                columns = [_split(file[name], counts) for name in names]
                truths += [SceneLabels(*some) for some in zip(*columns, strict=True)]
    return School(tuple(pictures), tuple(owners), tuple(truths))


def load_patches(paths: Iterable[Path]) -> Patches:
    return join_patches(_load_arrays(paths, Patches))


def load_flat_patches(paths: Iterable[Path]) -> FlatPatches:
    return join_records(_load_arrays(paths, FlatPatches))


def _load_arrays(paths: Iterable[Path], kind: type[_Cut]) -> list[_Cut]:
    parts = []
    for path in paths:
        with np.load(path) as file:
            parts.append(kind(**{field.name: file[field.name] for field in fields(kind)}))
    return parts


def encode_picture(image_bgr: Image) -> Bytes:
    """Return a picture of a scene as a JPEG file."""
    return _encode(".jpg", image_bgr, cv2.IMWRITE_JPEG_QUALITY, _QUALITY)


def encode_owner(owner: Image) -> Bytes:
    """Return what each pixel shows as a PNG file."""
    return _encode(".png", owner)


def _encode(ending: str, image: Image, *options: int) -> Bytes:
    done, data = cv2.imencode(ending, image, options)
    assert done
    return np.asarray(data, np.uint8).ravel()


def _decode(data: Bytes, how: int) -> Image:
    return np.asarray(cv2.imdecode(data, how), np.uint8)


def _pack(name: str, files: Sequence[Bytes]) -> dict[str, NDArray[Any]]:
    joined = np.concatenate(files) if files else np.empty(0, np.uint8)
    return {name: joined, f"{name}_sizes": np.array([len(file) for file in files], np.int64)}


def _unpack(file: Any, name: str) -> list[Bytes]:
    return _split(file[name], file[f"{name}_sizes"])


def _split(joined: NDArray[Any], sizes: NDArray[np.int64]) -> list[NDArray[Any]]:
    return [joined[end - size : end] for end, size in zip(np.cumsum(sizes), sizes, strict=True)]
