# SPDX-License-Identifier: MIT
"""
Judge proposed faces: put each cut right, then ask both opinions about it.

A finder's proposals are often off by a tenth of an edge, and a tile that is cut wrong is read
wrong. So the tile net first says where the true face lies in each tile, and everybody judges
the tile that is cut there. What stays unclear is looked at in all four quarter turns: the nets err
differently in each, and the mean says more than cuts that are a little off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import Face, Floats
from vision.frame import Image
from vision.nets.face_encoding import rotations
from vision.nets.finder import Proposal
from vision.nets.onnx_net import WEIGHTS
from vision.nets.pip_count import PipCount, count_pips
from vision.nets.tile_net import LearnedOpinion, TileNet, TileOutputs
from vision.nets.weighing import Evidence, Verdict, Weighing
from vision.pyramid import Pyramid
from vision.tiles import FACE_PX, TILE_PX, cut_tiles

_BODY = 0.4  # How far from the middle of a face its body is looked at, in edges.

LOG_OFFSET = 10.0
"""Added to levels before their logarithm is taken: ratios mean little in the dark."""

CLEAR_LEVELS = 25.0
"""Grey levels between body and pips from which on the lighter is known without a net."""

_MOST = 64  # Proposals judged, the likeliest first; a bound on time.
# Probability of "no upper face" from which on a proposal that the finder hardly believes in is
# dropped at once; busy ground has many such places.
_SURELY_NONE = 0.95
_LIKELY = 0.4  # Likeness from which on a proposal is never dropped at once.
_NEAR = 0.05  # How far corners of a cut may move, in edges, before the tile is cut again.
_SECOND_LOOK_FROM = 0.1  # Probability of a die that gets a second look.

_AROUND = np.array([(0.0, 0.0), (0.35, 0.0), (-0.35, 0.0), (0.0, 0.35), (0.0, -0.35)])
_TURNS = rotations(np.deg2rad((0.0, 22.5, 45.0, 67.5)))
"""Where around a candidate a die is looked for, in its edges, and how it may be turned."""

_CLEAR_PIPS = 0.3  # How well pips explain a number that only a look around found, at least.

_MOVES = 2  # Times that a cut is moved to where the tile net sees its face.
_LEAST_WAY = 15.0  # Distance of the colours of body and pips at least, in levels.
_GREYS = (60, 230)  # Levels of a dark body and its pips as most dice have them.
_WAY = (-0.6, 1.1)  # Beyond, colours are as those at the end: neither body nor pips.
_SPOT_PX = 3  # Radius of a pip in a tile, for its level.
_UNLIKE_BODY = 0.9  # Quantile of its pixels, by how unlike the body they are, that is this level.
_PIP = 0.12  # How far around a pip its body is not, in edges.


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One proposed face and what is known about it."""

    face: Face  # The face after its cut was put right; its number is the likeliest one.
    tile: Image  # The tile that was judged, (64, 64, 3).
    evidence: Evidence  # What the nets said of it.
    verdict: Verdict

    @property
    def words(self) -> str:
        """Both opinions and the verdict in short, for a trace."""
        pips, net, opinion = self.evidence.pips, self.evidence.tile, self.evidence.opinion
        return (
            f"pips {pips.argmax()} {pips.max():.2f}\n"
            f"nets {net.argmax()} {net.max():.2f}, {opinion.argmax()} {opinion.max():.2f}\n"
            f"die {self.verdict.die:.2f} right {self.verdict.right:.3f}"
        )


class Judge:
    """
    The nets that judge tiles, and the weights of what they say; may be shared by threads.

    Raises:
        WeightsError: A net's weights are missing or torn.
    """

    def __init__(self, weights: Path = WEIGHTS, *, weighing: Weighing | None = None) -> None:
        self._tile_net = TileNet(weights / "tile.onnx")
        self._opinion = LearnedOpinion(weights / "opinion.onnx")
        self.weighing = weighing or Weighing.load(weights / "weighing.json")

    def judge(
        self, pyramid: Pyramid, proposals: Sequence[Proposal], *, expect: int | None = None
    ) -> list[Candidate]:
        """Judge proposed faces, the likeliest first. Proposals of the same face are judged once."""
        cuts = list(proposals[:_MOST])
        outputs = self._tile_net.estimate(_cut(pyramid, cuts))
        cuts, tiles, outputs = self._put_right(pyramid, cuts, outputs)
        least = self.weighing.least_right_for(expect)
        return [
            self._look_turned(one)
            if one.verdict.right < least and one.verdict.die >= _SECOND_LOOK_FROM
            else one
            for one in self._judge_tiles(cuts, tiles, outputs, _count(outputs, tiles))
        ]

    def judge_in_shape(
        self,
        pyramid: Pyramid,
        candidate: Candidate,
        starts: Sequence[Floats],
        half_edges: Floats,
        *,
        turn_below: float = 0.0,
    ) -> Candidate:
        """
        Judge a candidate again as a face of a known shape; only where it lies is open.

        Args:
            starts: Centres from which it is looked for; the likeliest face that is found counts.
            half_edges: Its half edges if it is a die, (2, 2).
        """
        cuts = [_move_cut(candidate.evidence.proposal, start, half_edges) for start in starts]
        for _ in range(_MOVES):
            outputs = self._tile_net.estimate(_cut(pyramid, cuts))
            cuts = [
                _move_cut(cut, cut.center + 2.0 * half_edges @ off, half_edges)
                for cut, off in zip(cuts, outputs.centers, strict=True)
            ]
        tiles = _cut(pyramid, cuts)
        outputs = self._tile_net.estimate(tiles)
        counts = [
            count_pips(maps, np.zeros(2), np.eye(2) / 2.0, tile=tile)
            for maps, tile in zip(outputs.maps, tiles, strict=True)
        ]
        judged = self._judge_tiles(cuts, tiles, outputs, counts)
        best = max(judged, key=lambda one: one.verdict.right)
        cut = best.evidence.proposal
        face = replace(best.face, center=cut.center, half_edges=cut.half_edges)
        best = replace(best, face=face)
        return self._look_turned(best) if 0.0 < best.verdict.right < turn_below else best

    def outline_again(self, pyramid: Pyramid, face: Face) -> Face:
        """Return a face where the tile net sees it in a cut that it has put right twice."""
        cut = Proposal(face.center, face.half_edges, face.confidence, face.odd, die=1.0, thing=0.0)
        for _ in range(_MOVES):
            before, outputs = cut, self._tile_net.estimate(_cut(pyramid, [cut]))
            cut = _refine_cut(cut, outputs, 0)
        return replace(
            face,
            center=cut.center,
            half_edges=cut.half_edges,
            foot=2.0 * before.half_edges @ outputs.feet[0] / cut.edge_px,
            foot_error=float(outputs.foot_errors[0]),
        )

    def look_around(
        self, pyramid: Pyramid, candidate: Candidate, half_edges: Floats, axes: Floats
    ) -> Candidate:
        """
        Return a candidate, or the likelier flat die of this shape near it, however it is turned.

        A cut between two faces shows pips of both. What was not proposed must show its pips
        clearly: one of twenty cuts may fit the side of a die that leans.

        Args:
            axes: How two axes of the felt look there, two columns, (2, 2).
        """
        found = [candidate]
        for turn in _TURNS:
            turned = axes @ turn @ np.linalg.solve(axes, half_edges)
            starts = candidate.face.center + 2.0 * _AROUND @ turned.T
            one = self.judge_in_shape(pyramid, candidate, list(starts), turned)
            if one.evidence.pips[one.face.number] > _CLEAR_PIPS:
                found.append(one)
        return max(found, key=lambda one: one.verdict.right)

    def weigh_number(self, candidate: Candidate) -> float:
        """
        Return the probability that a die which is known to be here shows its number.

        If that is not clear, the nets are asked again with the die's own colours drawn as shades of
        grey: of marbled dice, and of pips as bright as their body, they see the pips better so.
        """
        before, tile = candidate.evidence, candidate.tile
        number = self.weighing.weigh_number(before)
        if 0.0 < number < self.weighing.least_number:
            [seen] = _count(self._tile_net.estimate(tile[None]), tile[None])
            grey = draw_in_grey(tile, seen)
            if grey is not None:
                outputs = self._tile_net.estimate(grey[None])
                [opinion] = self._opinion.judge(grey[None])
                [pips] = _count(outputs, grey[None])
                again = _evidence_of(before.proposal, outputs.shares[0], opinion, pips)
                if again.number == before.number:
                    return max(number, self.weighing.weigh_number(again))
        return number

    def _put_right(
        self, pyramid: Pyramid, cuts: list[Proposal], outputs: TileOutputs
    ) -> tuple[list[Proposal], Image, TileOutputs]:
        """Move each cut to the face that the tile net sees in it; keep each face once."""
        right: dict[int, Proposal] = {}
        better = [_refine_cut(cut, outputs, i) for i, cut in enumerate(cuts)]
        is_none = [_is_none(cut, outputs, i) for i, cut in enumerate(cuts)]
        is_far = _find_far_moves(cuts, better)
        # What is no face in its first cut, and may be one in its own, hides none that is seen.
        for i in sorted(range(len(cuts)), key=is_none.__getitem__):
            may_be_face = not is_none[i] or is_far[i]
            if may_be_face and not any(_same_face(better[i], one) for one in right.values()):
                right[i] = better[i]
        cuts = [right[i] if is_far[i] else cuts[i] for i in sorted(right)]
        tiles = _cut(pyramid, cuts)
        outputs = self._tile_net.estimate(tiles)
        stays = [i for i, cut in enumerate(cuts) if not _is_none(cut, outputs, i)]
        return [cuts[i] for i in stays], tiles[stays], outputs.pick(stays)

    def _judge_tiles(
        self,
        cuts: Sequence[Proposal],
        tiles: Image,
        outputs: TileOutputs,
        counts: Sequence[PipCount],
    ) -> list[Candidate]:
        opinions = self._opinion.judge(tiles)
        candidates = []
        for i, (cut, tile, pips) in enumerate(zip(cuts, tiles, counts, strict=True)):
            evidence = _evidence_of(cut, outputs.shares[i], opinions[i], pips)
            verdict = self.weighing.weigh(evidence)
            face = _face(cut, tile, outputs, i, pips, verdict)
            candidates.append(Candidate(face, tile, evidence, verdict))
        return candidates

    def _look_turned(self, candidate: Candidate) -> Candidate:
        """Judge a candidate by the mean of what the nets say of its tile in all quarter turns."""
        tile, first = candidate.tile, candidate.evidence
        turned = np.stack([np.rot90(tile, turns) for turns in (1, 2, 3)])
        outputs = self._tile_net.estimate(turned)
        counts = _count(outputs, turned)
        evidence = Evidence(
            first.proposal,
            np.mean([first.tile, *outputs.shares], axis=0),
            np.mean([first.opinion, *self._opinion.judge(turned)], axis=0),
            np.mean([first.pips, *(count.shares for count in counts)], axis=0),
            first.has_glare or any(count.has_glare for count in counts),
        )
        verdict = self.weighing.weigh(evidence)
        face = replace(candidate.face, number=verdict.number, confidence=verdict.right)
        return Candidate(face, tile, evidence, verdict)


def _evidence_of(cut: Proposal, tile: Floats, opinion: Floats, pips: PipCount) -> Evidence:
    return Evidence(cut, tile, opinion, pips.shares, pips.has_glare)


def _cut(pyramid: Pyramid, cuts: Sequence[Proposal]) -> Image:
    return cut_tiles(pyramid, *_outlines(cuts))


def _outlines(cuts: Sequence[Proposal]) -> tuple[Floats, Floats]:
    """Return the centres (n, 2) and the half edges (n, 2, 2) of cuts."""
    centers = np.array([cut.center for cut in cuts]).reshape(-1, 2)
    return centers, np.array([cut.half_edges for cut in cuts]).reshape(-1, 2, 2)


def _refine_cut(cut: Proposal, outputs: TileOutputs, i: int) -> Proposal:
    edges = 2.0 * cut.half_edges
    return _move_cut(cut, cut.center + edges @ outputs.centers[i], edges @ outputs.half_edges[i])


def _move_cut(cut: Proposal, center: Floats, half_edges: Floats) -> Proposal:
    # A picture has a hundred cuts, and `replace` takes three times as long.
    return Proposal(center, half_edges, cut.likeness, cut.odd, cut.die, cut.thing)


def _is_none(cut: Proposal, outputs: TileOutputs, i: int) -> bool:
    return bool(outputs.shares[i, 0] > _SURELY_NONE) and cut.likeness < _LIKELY


def _same_face(one: Proposal, other: Proposal) -> bool:
    apart = float(np.linalg.norm(one.center - other.center))
    small, large = sorted((one.edge_px, other.edge_px))
    return apart < 0.5 * small and large < 1.6 * small


def _find_far_moves(before: Sequence[Proposal], after: Sequence[Proposal]) -> NDArray[np.bool_]:
    """Return which cuts move or change so much that their tiles must be cut again, (n,)."""
    (centers, halves), (others, other_halves) = (_outlines(cuts) for cuts in (before, after))
    off = np.linalg.solve(2.0 * halves, (others - centers)[:, :, None])[:, :, 0]
    is_far = np.hypot(*off.T) > _NEAR
    return np.asarray(is_far | (shape_error(halves, other_halves) > 2.0 * _NEAR))


def shape_error(half_edges: Floats, others: Floats) -> Floats:
    """
    Return by how much of a half edge the half edges of faces, (..., 2, 2), differ at most, (...).
    """
    # They are known up to quarter turns.
    off_each = np.abs(np.linalg.solve(half_edges, others)[..., None, :, :] - _QUARTER_TURNS)
    return np.asarray(off_each.max(axis=(-2, -1)).min(axis=-1))


_QUARTER_TURNS = np.array(
    [((1, 0), (0, 1)), ((0, -1), (1, 0)), ((-1, 0), (0, -1)), ((0, 1), (-1, 0))]
)


def _count(outputs: TileOutputs, tiles: Image) -> list[PipCount]:
    each = zip(outputs.maps, outputs.centers, outputs.half_edges, tiles, strict=True)
    return [count_pips(*where, tile=tile) for *where, tile in each]


def _face(
    cut: Proposal, tile: Image, outputs: TileOutputs, i: int, pips: PipCount, verdict: Verdict
) -> Face:
    better = _refine_cut(cut, outputs, i)
    foot = 2.0 * cut.half_edges @ outputs.feet[i]
    bgr = body_colour(tile, pips)
    contrast = measure_contrast(tile, pips, bgr)
    is_clear = abs(contrast) > CLEAR_LEVELS
    is_light = contrast > 0.0 if is_clear else float(outputs.light[i]) > 0.5
    return Face(
        center=better.center,
        half_edges=better.half_edges,
        number=verdict.number,
        foot=foot / better.edge_px,
        foot_error=float(outputs.foot_errors[i]),
        odd=float(outputs.odd[i]),
        is_light=is_light,
        bgr=bgr,
        confidence=verdict.right,
        contrast=_log_contrast(tile, pips, float(bgr.mean())),
    )


def body_colour(tile: Image, pips: PipCount) -> Floats:
    """Return the median colour of the face off its pips, (3,)."""
    reach = int(_BODY * FACE_PX)
    low, high = TILE_PX // 2 - reach, TILE_PX // 2 + reach
    body = np.full((TILE_PX, TILE_PX), 255, np.uint8)
    for x, y in pips.places * FACE_PX + (TILE_PX - 1) / 2.0:
        cv2.circle(body, (round(x), round(y)), round(_PIP * FACE_PX), 0, -1)
    pixels = tile[low:high, low:high][body[low:high, low:high] > 0]
    if not len(pixels):
        pixels = tile[low:high, low:high].reshape(-1, 3)
    return np.asarray(np.median(pixels, axis=0), np.float64)


def draw_in_grey(tile: Image, pips: PipCount) -> Image | None:
    """
    Return a tile in shades of grey, by how far each colour is on the way from the body to the pips.

    `None` if these hardly differ.
    """
    if not len(pips.places):
        return None
    body = body_colour(tile, pips)
    way = np.median(_colours_of_pips(tile, pips), axis=0) - body
    length = float(way @ way)
    if length < _LEAST_WAY**2:
        return None
    low, high = _GREYS if way.mean() > 0.0 else tuple(255 - level for level in _GREYS)
    along = ((tile.astype(np.float32) - body) @ way / length).clip(*_WAY)
    grey = np.clip(low + (high - low) * along, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _colours_of_pips(tile: Image, pips: PipCount) -> Image:
    """Return the colour in the middle of each pip, (n, 3)."""
    places = np.rint(pips.places * FACE_PX + (TILE_PX - 1) / 2.0).astype(int)
    columns, rows = places.clip(0, TILE_PX - 1).T
    return np.asarray(tile[rows, columns])


def measure_contrast(tile: Image, pips: PipCount, bgr: Floats) -> float:
    """Return by how many grey levels the body is lighter than its pips; NaN without pips."""
    if not len(pips.places):
        return float("nan")
    return float(bgr.mean() - _colours_of_pips(tile, pips).mean())


def _log_contrast(tile: Image, pips: PipCount, body: float) -> float:
    """
    Return the ratio of the body's level to that of its pips, as a logarithm.

    It is 0 with one pip or none: that of a one is red on many dice, and a glint may fill it.
    """
    if len(pips.places) < 2:
        return 0.0
    spots = np.zeros((TILE_PX, TILE_PX), np.uint8)
    for x, y in pips.places * FACE_PX + (TILE_PX - 1) / 2.0:
        cv2.circle(spots, (round(x), round(y)), _SPOT_PX, 1, -1)
    levels = tile[spots > 0].mean(axis=1)
    # Few pixels of a spot may be a lamp's image, which is as bright as a light body.
    pip = levels[np.argsort(np.abs(levels - body))[int(_UNLIKE_BODY * len(levels))]]
    return math.log((body + LOG_OFFSET) / (float(pip) + LOG_OFFSET))


def blown_share(tile: Image, level: int) -> float:
    """Return the share of a face in its tile where all channels are blown out."""
    low = (TILE_PX - FACE_PX) // 2
    face = tile[low : low + FACE_PX, low : low + FACE_PX]
    return float((face >= level).all(axis=2).mean())
