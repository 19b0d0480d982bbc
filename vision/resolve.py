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
from vision.reading import Doubt, DoubtKind, Rejected
from vision.tile_verdicts import LOG_OFFSET, Candidate, blown_share

# When two faces belong to one die, and the kind of doubt of an unread one.
_SAME_EDGES = 0.5  # Centres nearer than this, in edges, are of one face.
# Two read faces nearer than this can't both lie flat on the felt: the centres of two flat dice are
# at least one edge apart, less the errors of both.
_APART_EDGES = 0.75
_SIDE_EDGES = 0.85  # Distance of its side faces from an upper face, in edges.
# Edge of a read die, as a share of a thing around it, below which the thing is no die. Pips of one
# die that look like another are farther apart.
_HELD_SIZE = 0.4
_SURELY_DIE = 0.9  # Probability from which on a face beside a read one is no side.
# Probability that a die is cocked, stacked or hidden from which on an unread face is called cocked.
_LOOKS_ODD = 0.5
_BLOWN_LEVEL = 250  # Level in all channels above which no detail is left.
_BLOWN_SHARE = 0.08  # Share of an unread face, blown out, that may be why it is not read.
_MAYBE_DIE = 0.5  # Probability from which on an unread face is a doubt however it looks.
_BESIDE_EDGES = 1.3  # How near to a read face something may be its side, in edges.
# Ratio to the read dice's edges from which on it is none of these dice, as a natural logarithm.
_OTHER_SIZE = 0.55
_OTHER_SIZE_MET = 0.22  # The same if as many dice are read as belong there.
# Largest ratio of a color channel to those of all read dice, as a natural logarithm, from which on
# it is none of them. Counts only if the count is met, for a die under a reflection has any color.
_OTHER_COLOR_MET = 0.3


@dataclass(frozen=True, slots=True)
class Decision:
    """What the candidates amount to, in picture pixels."""

    faces: list[Face]  # The upper faces that are read.
    doubts: list[Doubt]  # What may be a die and is not read.
    rejected: list[Rejected]  # What was proposed and is none.


def decide(
    candidates: Sequence[Candidate], weighing: Weighing, *, expect: int | None = None
) -> Decision:
    """Sort candidates into dice, doubts and rejected ones."""
    faces: list[Face] = []
    doubts: list[Doubt] = []
    rejected: list[Rejected] = []
    unread: list[Candidate] = []
    least_right = weighing.least_right_for(expect)
    read = [one.face for one in candidates if one.verdict.right >= least_right]
    for candidate in sorted(candidates, key=lambda one: -one.verdict.right):
        if any(_holds(candidate.face, face) for face in read):
            rejected.append(_reject(candidate, "it holds a die"))
        elif candidate.verdict.right < least_right:
            unread.append(candidate)
        elif candidate.face.odd > weighing.most_odd:
            doubts.append(doubt_about(DoubtKind.STACKED, candidate.face))
        elif not _on_any(candidate.face, faces, _SAME_EDGES):
            if _on_any(candidate.face, faces, _APART_EDGES):
                doubts.append(doubt_about(DoubtKind.UNSURE, candidate.face))
            faces.append(candidate.face)
        elif any(
            _apart(candidate.face, other) < _SAME_EDGES and other.number != candidate.face.number
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
        if _on_any(face, faces, _SAME_EDGES) or _is_side(candidate, faces):
            continue
        if candidate.verdict.die >= least and not _is_stranger(candidate, faces, expect):
            doubts.append(doubt_about(_kind_of(candidate), face))
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


def _holds(thing: Face, face: Face) -> bool:
    """
    Whether a far larger thing has a read die on it, as a board or a dome has.

    A pip of a large die may be read as a die too, but only as a one.
    """
    is_small = face.number > 1 and face.edge_px < _HELD_SIZE * thing.edge_px
    return is_small and thing.edges_from(face.center) < 0.5


def _is_side(candidate: Candidate, faces: Sequence[Face]) -> bool:
    """Whether an unread face is a side of a die that was read: nearer than a flat die can be."""
    return candidate.verdict.die < _SURELY_DIE and _on_any(candidate.face, faces, _SIDE_EDGES)


def _is_stranger(candidate: Candidate, faces: Sequence[Face], expect: int | None) -> bool:
    if not faces or candidate.verdict.die >= _MAYBE_DIE:
        return False
    # What looks like a face beside a die may be the side of one that leans.
    if _on_any(candidate.face, faces, _BESIDE_EDGES):
        return False
    is_met = len(faces) == expect
    edges = np.log([face.edge_px for face in faces])
    edge = np.log(candidate.face.edge_px)
    off = max(edges.min() - edge, edge - edges.max())
    if off > (_OTHER_SIZE_MET if is_met else _OTHER_SIZE):
        return True
    colors = np.log(np.array([candidate.face.bgr, *(face.bgr for face in faces)]) + LOG_OFFSET)
    return bool(is_met and np.abs(colors[1:] - colors[0]).max(axis=1).min() > _OTHER_COLOR_MET)


def _kind_of(candidate: Candidate) -> DoubtKind:
    is_blown = blown_share(candidate.tile, _BLOWN_LEVEL) > _BLOWN_SHARE
    if candidate.evidence.has_glare or is_blown:
        return DoubtKind.GLARE
    return DoubtKind.COCKED if candidate.face.odd > _LOOKS_ODD else DoubtKind.UNSURE


def _reject(candidate: Candidate, reason: str) -> Rejected:
    x, y = candidate.face.center.tolist()
    return Rejected(reason, (x, y), 0.5 * candidate.face.edge_px)
