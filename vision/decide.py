# SPDX-License-Identifier: MIT
"""
From verdicts to dice: which faces are read, and what is left in doubt.

One die may have been proposed twice, or with a side face that reads as well as its
top; the picture's geometry sorts that out. What was proposed and could not be read is
a doubt as soon as one witness is sure of it or two incline to it: the finder's
likeness, the net's number, the pips' pattern. Only what a single witness half believes
is dropped, and stands among the rejected with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

import numpy as np

from vision.doubts.telling import doubt_about, doubt_at
from vision.geometry.choose import Candidate, Choice, tops_and_sides
from vision.geometry.pips import Floats
from vision.judge import Verdict
from vision.params import ReadParams
from vision.reading import Doubt, DoubtKind, Rejected


@dataclass(frozen=True, slots=True)
class Decision:
    """
    What the verdicts amount to, in picture pixels.

    Attributes:
        choice: The faces that are read, side faces that read as well, and pairs of which
            nobody can tell which is up.
        doubts: What was proposed and not read, and may be a die.
        rejected: What was proposed and is none.
    """

    choice: Choice
    doubts: list[Doubt]
    rejected: list[Rejected]


def decide(verdicts: Sequence[Verdict], params: ReadParams) -> Decision:
    """
    Sort the verdicts into dice, doubts and rejected ones.

    Args:
        verdicts: All of one picture, whoever proposed the faces.
        params: All parameters.
    """
    doubts: list[Doubt] = []
    best = _each_die_once(verdicts, doubts, params)
    likeness_of = {id(v.candidate): v.proposal.likeness for v in verdicts}
    apart_edges = params.judge.apart_edges
    choice = tops_and_sides(
        best, params.choose, exclude=lambda one, other: _on_face(one, other, apart_edges)
    )
    known = [*choice.tops, *choice.sides]
    doubts += [doubt_about(DoubtKind.UNSURE, pair[0]) for pair in choice.unclear]
    rejected: list[Rejected] = []
    for verdict in verdicts:
        if verdict.is_read or _lies_on(verdict, known, likeness_of, params):
            continue
        if _may_be_a_die(verdict, params):
            doubts.append(_unread(verdict))
        else:
            rejected.append(_rejected(verdict))
    return Decision(choice, doubts, rejected)


def _each_die_once(
    verdicts: Sequence[Verdict], doubts: list[Doubt], params: ReadParams
) -> list[Candidate]:
    """The likeliest face of each place; what another proposal of it contradicts is a doubt."""
    best: list[Candidate] = []
    odd = params.judge.surely_odd
    read = [verdict for verdict in verdicts if verdict.is_read]
    for verdict in sorted(read, key=_strength, reverse=True):
        candidate = verdict.candidate
        assert candidate is not None, "what is read has a face"
        twins = [other for other in best if _on_face(candidate, other, params.judge.own_edges)]
        if any(other.face.number != candidate.face.number for other in twins):
            doubts.append(_unread(verdict))
        if twins:
            continue
        if verdict.proposal.odd > odd or any(_contradicts(v, verdict, params) for v in verdicts):
            doubts.append(_unread(verdict))
        else:
            best.append(candidate)
    return best


def _contradicts(other: Verdict, read: Verdict, params: ReadParams) -> bool:
    """
    Whether the finder sees a face there of which somebody says another number.

    Three of a six's pips make a three in a tile that is cut around them alone.
    """
    if other.is_read or other.proposal.likeness < params.judge.half_seen:
        return False
    apart = dist(other.proposal.center, read.proposal.center)
    if apart > params.judge.own_edges * max(other.proposal.edge_px, read.proposal.edge_px):
        return False
    number = read.geometric.number or 0
    pips = other.geometric.face.number if other.geometric.face is not None else 0
    named = other.learned_number not in (0, number)
    # Where the net is sure of no top face, a neighbour's or a side's pips were counted in.
    more = pips > number and float(other.learned[1:].max()) > params.judge.denied
    return more or (named and float(other.learned.max()) > params.judge.half_named)


def _strength(verdict: Verdict) -> float:
    """Order of trust between two faces in one place: the net's share, then the finder's."""
    return float(verdict.learned.max()) + verdict.proposal.likeness


def _may_be_a_die(verdict: Verdict, params: ReadParams) -> bool:
    """Whether one witness is sure that a die lies there, or two incline to it."""
    limits, likeness = params.judge, verdict.proposal.likeness
    named = float(verdict.learned[1:].max())
    pips = verdict.geometric.face.number if verdict.geometric.face is not None else 0
    if likeness > limits.surely_seen or named > limits.surely_named:
        return True
    is_pattern = pips >= limits.telling_pips
    is_denied = likeness < limits.half_seen and named < limits.denied
    if is_pattern and not verdict.geometric.against and not is_denied:
        return True
    has_pips = is_pattern or verdict.geometric.number is not None
    inclined = (likeness > limits.half_seen, named > limits.half_named, has_pips)
    return sum(inclined) >= 2


def _lies_on(
    verdict: Verdict,
    known: list[Candidate],
    likeness_of: Mapping[int, float],
    params: ReadParams,
) -> bool:
    """
    Whether what was proposed is part of a die that was read: its face again, or a side.

    A side that the finder takes for the likelier face and the net gives a number is none: then
    it may be the top, and what was read a side.
    """
    limits, proposal = params.judge, verdict.proposal
    is_named = float(verdict.learned[1:].max()) > limits.half_named
    for candidate in known:
        edges = _edges_from(proposal.center, candidate)
        rivals = is_named and proposal.likeness > max(limits.half_seen, likeness_of[id(candidate)])
        if edges < limits.own_edges or (edges < limits.side_edges and not rivals):
            return True
    return False


def _on_face(one: Candidate, other: Candidate, edges: float) -> bool:
    return min(_edges_from(one.face.center, other), _edges_from(other.face.center, one)) < edges


def _edges_from(point: Floats, candidate: Candidate) -> float:
    """How far a point lies from a face's middle, in its edges, as if seen from straight above."""
    place = np.linalg.norm(candidate.face.coordinates(point[None]))
    return float(place) / (2.0 * candidate.body.half_edge)


def _unread(verdict: Verdict) -> Doubt:
    edge = verdict.proposal.edge_px
    kind = DoubtKind.COCKED if verdict.proposal.odd > 0.5 else DoubtKind.UNSURE
    return doubt_at(kind, verdict.proposal.center, 0.75 * edge)


def _rejected(verdict: Verdict) -> Rejected:
    x, y = verdict.proposal.center.tolist()
    edge = verdict.proposal.edge_px
    return Rejected(verdict.against, (x, y), 0.5 * edge)
