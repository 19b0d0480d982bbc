# SPDX-License-Identifier: MIT
"""
Measure the nets on scenes that were not used for training.

`python -m vision.training.evaluate --shots N` draws scenes of seeds beyond those of training
and prints the figures of the model card, die by die: how many upper faces are proposed, how
far off the proposals are before and after they are put right, and how often each witness is
right.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.nets.finder import Finder, Proposal
from vision.nets.onnx_net import WEIGHTS
from vision.params import JudgeParams
from vision.pyramid import Pyramid
from vision.tile_verdicts import Candidate, Judge
from vision.training.labels import SceneLabels, label_scene
from vision.training.scenes import RenderedScene, SceneSpec, render_scene

FIRST_SEED = 2_000_000  # The seeds of training are below 1,000,000.

_NEAR = 0.3


@dataclass(slots=True)
class Marks:
    """What is counted while scenes go by."""

    shots: int = 0
    counts: Counter[str] = field(default_factory=Counter)  # How often each thing happened, by name.
    # How far off proposals were, in edges of their die.
    off_before: list[float] = field(default_factory=list)
    off_after: list[float] = field(default_factory=list)  # The same after they were put right.
    foot_off: list[float] = field(default_factory=list)  # How far off feet were, in edges.

    def count_scene(self) -> None:
        self.shots += 1


def examine(seeds: range, *, clean: bool, weights: Path = WEIGHTS) -> Marks:
    """Return the marks of the nets in a folder on scenes of these seeds."""
    finder, judge = Finder(weights / "finder.onnx"), Judge(JudgeParams(), weights=weights)
    marks = Marks()
    for seed in seeds:
        shot = render_scene(seed, (1280, 720), spec=SceneSpec(clear=True, clutter=not clean))
        _mark(marks, shot, finder, judge)
    return marks


def _mark(marks: Marks, shot: RenderedScene, finder: Finder, judge: Judge) -> None:
    marks.count_scene()
    truth, pyramid = label_scene(shot), Pyramid(shot.image_bgr)
    proposals = finder.find(pyramid).proposals
    found = judge.judge(pyramid, proposals)
    exact = [
        Proposal(center, halves, likeness=0.9, odd=0.0, die=0.9, thing=0.1)
        for center, halves in zip(truth.centers, truth.half_edges, strict=True)
    ]
    cut_by_truth = judge.judge(pyramid, exact)
    least = judge.weighing.least_right
    strays = [one for one in found if _die_of(one, truth) is None]
    marks.counts["strays that pass for a die"] += sum(
        one.verdict.die >= judge.weighing.least_die for one in strays
    )
    marks.counts["strays read as a die"] += sum(one.verdict.right >= least for one in strays)
    for die in np.flatnonzero(truth.proper):
        marks.counts["dice"] += 1
        _mark_die(marks, truth, int(die), proposals, found, least)
        for one in cut_by_truth:
            if _die_of(one, truth) == die:
                _mark_witnesses(marks, one, int(truth.faces[die]), "cut by the truth")


def _mark_die(
    marks: Marks,
    truth: SceneLabels,
    die: int,
    proposals: tuple[Proposal, ...],
    found: list[Candidate],
    least: float,
) -> None:
    center, edge, face = truth.centers[die], truth.edges_px[die], int(truth.faces[die])
    off = [float(np.linalg.norm(one.center - center)) / edge for one in proposals]
    if min(off, default=1.0) < _NEAR:
        marks.counts["proposed"] += 1
        marks.off_before.append(min(off))
    mine = [one for one in found if _die_of(one, truth) == die]
    if not mine:
        return
    best = max(mine, key=lambda one: one.verdict.right)
    marks.off_after.append(float(np.linalg.norm(best.face.center - center)) / edge)
    foot = (truth.feet[die] - center) / edge
    marks.foot_off.append(float(np.linalg.norm(best.face.foot - foot)))
    _mark_witnesses(marks, best, face, "cut by the finder")
    is_read = best.verdict.right >= least
    marks.counts["read right"] += is_read and best.face.number == face
    marks.counts["read wrong"] += is_read and best.face.number != face


def _mark_witnesses(marks: Marks, candidate: Candidate, face: int, cut: str) -> None:
    evidence = candidate.evidence
    said = [int(one.argmax()) for one in (evidence.tile, evidence.opinion, evidence.pips)]
    for name, number in zip(("tile net", "second opinion", "pips"), said, strict=True):
        marks.counts[f"{cut}: {name} right"] += number == face
    wrong = [number for number in said[1:] if number not in (0, face)]
    marks.counts[f"{cut}: pips and second opinion both right"] += said[1:] == [face, face]
    marks.counts[f"{cut}: pips and second opinion wrong alike"] += (
        len(wrong) == 2 == wrong.count(wrong[0])
    )


def _die_of(candidate: Candidate, truth: SceneLabels) -> int | None:
    if not len(truth.centers):
        return None
    off = np.linalg.norm(truth.centers - candidate.face.center, axis=1) / truth.edges_px
    nearest = int(off.argmin())
    return nearest if off[nearest] < _NEAR else None


def report(marks: Marks) -> str:
    dice = max(marks.counts["dice"], 1)
    lines = [f"{marks.shots} scenes, {marks.counts['dice']} flat dice completely seen"]
    for name, count in sorted(marks.counts.items()):
        lines.append(f"{name}: {count} ({100 * count / dice:.2f} of 100 dice)")
    for name, values in (
        ("proposals", marks.off_before),
        ("put right", marks.off_after),
        ("feet", marks.foot_off),
    ):
        if values:
            middle, most = np.quantile(values, (0.5, 0.95))
            lines.append(f"{name} off by {middle:.3f} edges (median), {most:.3f} (95 %)")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=400)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--clean", action="store_true", help="clean trays, without imitations")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(given.first_seed, given.first_seed + given.shots)
    print(report(examine(seeds, clean=given.clean, weights=given.weights)))  # noqa: T201


if __name__ == "__main__":
    main()
