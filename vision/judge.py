# SPDX-License-Identifier: MIT
"""
Two opinions on every proposed face: read only what both say and neither doubts.

Whoever proposes a face, the finder or the pips themselves, the same tile goes to
both opinions. They know nothing of each other, so an error that both make alike is
rare; where they differ the die is a doubt, whichever of them is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.cutout import cut_tiles, to_picture
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.face import Face
from vision.geometry.opinion import GeometricOpinion, judge_tiles
from vision.geometry.pips import Floats
from vision.learned.finder import Proposal
from vision.params import GeometryParams, JudgeParams


class TileOpinion(Protocol):
    """Whatever says of tiles which numbers they show."""

    def judge(self, tiles: Image) -> NDArray[np.float32]:
        """Probabilities of "no top face" and 1 to 6, (n, 7), for tiles (n, 80, 80, 3)."""
        ...


_NOT_ASKED = GeometricOpinion(None, None, "the net sees no top face")


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    What both opinions say about one proposed face.

    Attributes:
        proposal: Who lies where, in picture pixels.
        tile: The cut-out that both saw, (80, 80, 3).
        geometric: The geometric opinion.
        learned: Probabilities of "no top face" and 1 to 6, (7,).
        candidate: The face in picture pixels, with what geometry says against it; none where
            its pips make no face.
        against: Why it is not read, in words; empty where it is.
    """

    proposal: Proposal
    tile: Image
    geometric: GeometricOpinion
    learned: Floats
    candidate: Candidate | None
    against: str

    @property
    def is_read(self) -> bool:
        """Whether both say the same number and neither doubts."""
        return not self.against

    @property
    def learned_number(self) -> int:
        """What the net says most likely, 0 for no top face."""
        return int(self.learned.argmax())

    @property
    def words(self) -> str:
        """Both opinions in short, for a trace."""
        said = self.geometric.number or self.geometric.against
        share = float(self.learned.max())
        return f"pips: {said}\nnet: {self.learned_number or 'no top face'} {share:.0%}"


def judge(
    image_bgr: Image,
    proposals: Sequence[Proposal],
    learned: TileOpinion,
    geometry: GeometryParams,
    params: JudgeParams,
) -> list[Verdict]:
    """
    Ask both opinions about proposed faces.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        proposals: The faces, in pixels of this picture.
        learned: The net that knows faces.
        geometry: How pips look and lie in a tile.
        params: How sure the net has to be.

    Returns:
        One verdict a proposal, in their order.
    """
    if not proposals:
        return []
    centers = np.array([proposal.center for proposal in proposals])
    half_edges = np.array([proposal.half_edges for proposal in proposals])
    tiles = cut_tiles(image_bgr, centers, half_edges)
    shares = learned.judge(tiles).astype(np.float64)
    # What the finder hardly sees and the net denies is neither read nor a doubt whatever its
    # pips make; busy ground has many such places.
    likeness = np.array([proposal.likeness for proposal in proposals])
    asked = (likeness >= params.half_seen) | (shares[:, 1:].max(axis=1) >= params.denied)
    opinions = [_NOT_ASKED] * len(proposals)
    for i, opinion in zip(np.flatnonzero(asked), judge_tiles(tiles[asked], geometry), strict=True):
        opinions[i] = opinion
    return [
        _verdict(*told, params) for told in zip(proposals, tiles, opinions, shares, strict=True)
    ]


def _verdict(
    proposal: Proposal,
    tile: Image,
    opinion: GeometricOpinion,
    shares: Floats,
    params: JudgeParams,
) -> Verdict:
    against = opinion.against
    number = opinion.number
    if number is not None:
        if int(shares.argmax()) != number:
            against = f"pips make a {number}, the net sees {_named(int(shares.argmax()))}"
        elif shares[number] < params.least_share:
            against = f"the net is not sure that it is a {number}"
    return Verdict(proposal, tile, opinion, shares, _candidate(proposal, opinion), against)


def _named(number: int) -> str:
    return f"a {number}" if number else "no top face"


def _candidate(proposal: Proposal, opinion: GeometricOpinion) -> Candidate | None:
    """The face of a tile, in picture pixels."""
    if opinion.face is None or opinion.body is None:
        return None
    matrix, offset = to_picture(proposal.center, proposal.half_edges)
    face = _moved(opinion.face, matrix, offset)
    return Candidate(face, opinion.body, opinion.against)


def _moved(face: Face, matrix: Floats, offset: Floats) -> Face:
    return replace(
        face,
        center=matrix @ face.center + offset,
        axes=matrix @ face.axes,
        shape=matrix @ face.shape @ matrix.T,
    )
