# SPDX-License-Identifier: MIT
"""
Decide which candidates are dice that are read, which are doubts, and which are nothing.

Two probabilities decide, and nothing else: a number is read where it is right with near
certainty, and what stays unread is a doubt where a die is likely enough. How likely depends on
what is known: if as many dice are read as belong there, a stray print stops no roll.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.checks.messages import doubt_about
from vision.face import Face
from vision.nets.weighing import Weighing
from vision.params import DecideParams
from vision.reading import Doubt, DoubtKind, Rejected
from vision.tile_verdicts import Candidate, blown_share

_DARK = 10.0  # Added to the levels of colors, whose ratios mean little in the dark.


@dataclass(frozen=True, slots=True)
class Decision:
    """What the candidates amount to, in picture pixels."""

    faces: list[Face]  # The upper faces that are read.
    doubts: list[Doubt]  # What may be a die and is not read.
    rejected: list[Rejected]  # What was proposed and is none.


def decide(
    candidates: Sequence[Candidate],
    weighing: Weighing,
    params: DecideParams,
    *,
    expect: int | None = None,
) -> Decision:
    """Sort candidates into dice, doubts and rejected ones."""
    faces: list[Face] = []
    doubts: list[Doubt] = []
    rejected: list[Rejected] = []
    unread: list[Candidate] = []
    least_right = weighing.least_right_for(expect)
    read = [one.face for one in candidates if one.verdict.right >= least_right]
    for candidate in sorted(candidates, key=lambda one: -one.verdict.right):
        if any(_holds(candidate.face, face, params) for face in read):
            rejected.append(_reject(candidate, "it holds a die"))
        elif candidate.verdict.right < least_right:
            unread.append(candidate)
        elif candidate.face.odd > weighing.most_odd:
            doubts.append(doubt_about(DoubtKind.STACKED, candidate.face))
        elif not _on_any(candidate.face, faces, params.same_edges):
            if _on_any(candidate.face, faces, params.apart_edges):
                doubts.append(doubt_about(DoubtKind.UNSURE, candidate.face))
            faces.append(candidate.face)
        elif any(
            _apart(candidate.face, other) < params.same_edges
            and other.number != candidate.face.number
            for other in faces
        ):
            # Another face in the same place was read as another number.
            doubts.append(doubt_about(DoubtKind.UNSURE, candidate.face))
    least = weighing.least_die
    if expect is not None:
        is_met = len(faces) == expect
        least = weighing.least_die_met if is_met else weighing.least_die_missing
    for candidate in unread:
        face = candidate.face
        if _on_any(face, faces, params.same_edges) or _is_side(candidate, faces, params):
            continue
        if candidate.verdict.die >= least and not _is_stranger(candidate, faces, params, expect):
            doubts.append(doubt_about(_kind_of(candidate, params), face))
        else:
            reason = f"a die with probability {candidate.verdict.die:.3f}"
            rejected.append(_reject(candidate, reason))
    return Decision(faces, doubts, rejected)


def without(decision: Decision, faces: Sequence[Face]) -> Decision:
    out = {id(face) for face in faces}
    return replace(decision, faces=[face for face in decision.faces if id(face) not in out])


def _on_any(face: Face, others: Sequence[Face], edges: float) -> bool:
    return any(_apart(face, other) < edges for other in others)


def _apart(one: Face, other: Face) -> float:
    """Return how far apart two centres are, in edges of the face that makes it less."""
    return min(one.edges_from(other.center), other.edges_from(one.center))


def _holds(thing: Face, face: Face, params: DecideParams) -> bool:
    """
    Whether a far larger thing has a read die on it, as a board or a dome has.

    A pip of a large die may be read as a die too, but only as a one.
    """
    is_small = face.number > 1 and face.edge_px < params.held_size * thing.edge_px
    return is_small and thing.edges_from(face.center) < 0.5


def _is_side(candidate: Candidate, faces: Sequence[Face], params: DecideParams) -> bool:
    """Whether an unread face is a side of a die that was read: nearer than a flat die can be."""
    return any(
        _apart(candidate.face, face) < params.side_edges
        and candidate.verdict.die < params.surely_die
        for face in faces
    )


def _is_stranger(
    candidate: Candidate, faces: Sequence[Face], params: DecideParams, expect: int | None
) -> bool:
    if not faces or candidate.verdict.die >= params.maybe_die:
        return False
    # What looks like a face beside a die may be the side of one that leans.
    if _on_any(candidate.face, faces, params.beside_edges):
        return False
    is_met = len(faces) == expect
    edges = np.log([face.edge_px for face in faces])
    edge = np.log(candidate.face.edge_px)
    off = max(edges.min() - edge, edge - edges.max())
    if off > (params.other_size_met if is_met else params.other_size):
        return True
    colors = np.log(np.array([candidate.face.bgr, *(face.bgr for face in faces)]) + _DARK)
    return bool(
        is_met and np.abs(colors[1:] - colors[0]).max(axis=1).min() > params.other_color_met
    )


def _kind_of(candidate: Candidate, params: DecideParams) -> DoubtKind:
    is_blown = blown_share(candidate.tile, params.blown_level) > params.blown_share
    if candidate.evidence.has_glare or is_blown:
        return DoubtKind.GLARE
    return DoubtKind.COCKED if candidate.face.odd > params.looks_odd else DoubtKind.UNSURE


def _reject(candidate: Candidate, reason: str) -> Rejected:
    x, y = candidate.face.center.tolist()
    return Rejected(reason, (x, y), 0.5 * candidate.face.edge_px)
