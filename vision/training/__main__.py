# SPDX-License-Identifier: MIT
"""
Rebuild the weights: `make train`, or `python -m vision.training --out DIR --seed 1`.

Renders scenes, trains the net that sees whether a die lies flat, and the finder, cuts patches
where that finder errs, trains the tile net and the second opinion on different halves of the
scenes, trains both again with what they take for a face and is none, and weighs them on scenes of
other seeds. With `--start` the nets go on learning from written weights. Needs the project's extra
`training`. Everything that was rendered stays in `--work`, so a rebuild that was interrupted
continues from there. With `--photos` all nets learn from a folder of photographs too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from vision.nets.onnx_net import WEIGHTS
from vision.training.dataset import (
    SHOTS_A_FILE,
    Job,
    Kind,
    find_errors,
    find_strays,
    load_flat_patches,
    load_patches,
    load_school,
    render,
)
from vision.training.export import write_finder, write_tile_net
from vision.training.photographs.lessons import write_photo_files
from vision.training.photographs.manifest import Photograph, leave_out, load_photographs
from vision.training.processes import open_pool
from vision.training.train import (
    train_finder,
    train_flatness,
    train_opinion,
    train_tile_net,
)
from vision.training.weigh import Promise, fit_weighing, write_weighing

_SEEDS_APART = 100_000
_SEEDS_END = 1_000_000
_FROM = {Kind.SMALL: 0, Kind.LEANS: 70_000, Kind.LARGE: 90_000}
"""From which seed on each kind of scene is drawn, within those of one school."""

_WEIGHED_FROM = 900_000
"""Scenes for weights and limits take the seeds from here on; no net learns from them."""

_STRAYS = 5
"""How often patches count that the nets took for a face: they are few, and what matters most."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is rendered and learnt."""

    small: int = 70_000
    leans: int = 20_000
    large: int = 4_000  # Large scenes, from which only patches are cut.
    flatness_steps: int = 20_000  # Batches from which a net learns whether dice lie flat.
    finder_steps: int = 30_000  # Batches that the finder learns from.
    tile_steps: int = 60_000  # Batches that the tile net learns from.
    opinion_steps: int = 40_000  # Batches that the second opinion learns from.
    later_steps: int = 20_000  # Batches from which both learn what passes for a face.
    weighed: int = 3_000  # Scenes for the weights of the witnesses.
    tested: int = 10_000  # Scenes for the limits.


def rebuild(
    out: Path,
    work: Path,
    *,
    seed: int,
    size: Size,
    cores: int,
    start: Path | None = None,
    photographs: Sequence[Photograph] = (),
) -> None:
    """Write the four nets and `weighing.json` to `out`; what was rendered stays in `work`."""
    begun_s = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(cores)
    files = _render(work, seed, size, cores)
    small, large = files[Kind.SMALL], files[Kind.LARGE]
    flatness = train_flatness(
        load_flat_patches([*files[Kind.LEANS], *small]),
        steps=size.flatness_steps,
        batch=96,
        seed=seed,
        report=_report,
        start=start and start / "flatness.onnx",
    )
    write_tile_net(flatness, out / "flatness.onnx", channels=4)
    photos = _cut_photographs(photographs, work, cores)
    photo_school = load_school(photos)
    finder = train_finder(
        load_school(small),
        steps=size.finder_steps,
        batch=16,
        seed=seed,
        report=_report,
        start=start and start / "finder.onnx",
        # No finder learns from those that are cut close.
        photographs=photo_school if photo_school.truths else None,
    )
    write_finder(finder, out / "finder.onnx")
    with open_pool(cores) as pool:
        errors = list(pool.map(partial(find_errors, weights=out), small))
        photo_errors = list(pool.map(partial(find_errors, weights=out), photos))
    _report(f"finder written after {time.monotonic() - begun_s:.0f} s")
    # The two opinions share no scene, so that they share as few errors as possible.
    ours, theirs = ([*small[k::2], *errors[k::2], *large[k::2]] for k in (0, 1))
    our_photos, their_photos = (
        load_patches([*photos[k::2], *photo_errors[k::2]]) if photos else None for k in (0, 1)
    )
    train = partial(train_tile_net, batch=96, seed=seed, report=_report, photographs=our_photos)
    tile_net = train(load_patches(ours), steps=size.tile_steps, start=start and start / "tile.onnx")
    write_tile_net(tile_net, out / "tile.onnx")
    train_other = partial(
        train_opinion, batch=96, seed=seed + 1, report=_report, photographs=their_photos
    )
    opinion = train_other(
        load_patches(theirs), steps=size.opinion_steps, start=start and start / "opinion.onnx"
    )
    write_tile_net(opinion, out / "opinion.onnx")
    with open_pool(cores) as pool:
        strays = list(pool.map(partial(find_strays, weights=out), small))
    ours, theirs = ours + strays[0::2] * _STRAYS, theirs + strays[1::2] * _STRAYS
    tile_net = train(load_patches(ours), steps=size.later_steps, start=tile_net)
    write_tile_net(tile_net, out / "tile.onnx")
    opinion = train_other(load_patches(theirs), steps=size.later_steps, start=opinion)
    write_tile_net(opinion, out / "opinion.onnx")
    _report(f"nets corrected after {time.monotonic() - begun_s:.0f} s")
    middle = _WEIGHED_FROM + size.weighed
    weighing = fit_weighing(
        range(_WEIGHED_FROM, middle),
        range(middle, middle + size.tested),
        out,
        Promise(),
        cores=cores,
    )
    write_weighing(weighing, out / "weighing.json")
    _report(f"all done after {time.monotonic() - begun_s:.0f} s")


def _render(work: Path, seed: int, size: Size, cores: int) -> dict[Kind, list[Path]]:
    first = seed * _SEEDS_APART % _SEEDS_END
    jobs = [
        Job(work / f"{kind.value}-{begin:06d}.npz", begin, min(SHOTS_A_FILE, end - begin), kind)
        for kind, count in zip(Kind, (size.small, size.large, size.leans), strict=True)
        for end in (first + _FROM[kind] + count,)
        for begin in range(first + _FROM[kind], end, SHOTS_A_FILE)
    ]
    missing = [job for job in jobs if not job.path.exists()]
    with open_pool(cores) as pool:
        for path in pool.map(render, missing):
            _report(f"  {path.name}")
    return {kind: [job.path for job in jobs if job.kind is kind] for kind in Kind}


def _cut_photographs(photographs: Sequence[Photograph], work: Path, cores: int) -> list[Path]:
    if not photographs:
        _report("no photographs given: the nets learn from scenes alone")
        return []
    paths, _ = write_photo_files(photographs, work, weights=WEIGHTS, cores=cores)
    _report(f"{len(photographs)} photographs cut into {len(paths)} files")
    return paths


def _report(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    parser.add_argument("--work", type=Path, required=True, help="folder for rendered scenes")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other scenes")
    parser.add_argument("--cores", type=int, default=2, help="processes and threads to use")
    parser.add_argument("--start", type=Path, help="folder of weights to go on from")
    default = Size()
    for name in Size.__slots__:
        kind = type(getattr(default, name))
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=kind, default=getattr(default, name), help="%(default)s")
    parser.add_argument("--photos", type=Path, help="folder of photographs to learn from too")
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="SOURCE",
        help="photographs to leave out",
    )
    given = parser.parse_args()
    size = Size(**{name: getattr(given, name) for name in Size.__slots__})
    photographs: list[Photograph] = []
    try:
        if given.photos is not None:
            photographs = leave_out(load_photographs(given.photos), given.leave_out)
        elif given.leave_out:
            raise ValueError("--leave-out: expected --photos with it")
    except ValueError as error:
        parser.error(str(error))
    rebuild(
        given.out,
        given.work,
        seed=given.seed,
        size=size,
        cores=given.cores,
        start=given.start,
        photographs=photographs,
    )


if __name__ == "__main__":
    main()
