# SPDX-License-Identifier: MIT
"""
What the geometric opinion decides by, in the measures of the tiles it looks at.

A quarter of the proposed face's edge is what makers mostly put between a face's middle and its
corner pips along one axis; it serves as the measure of what lies on a face.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SpotParams:
    """
    What a spot in a tile is, before anything is known of patterns.

    Attributes:
        least_level: Levels by which it is unlike the face; below about a dozen JPEG's blocks and
            wood grain make spots of their own.
        faint: The faintest against what is most unlike the face.
        reach_px: How far from the tile's middle spots are looked for. Beyond the proposed
            face, for what lies there tells whether a pattern goes on.
        most: Spots kept of a tile, the clearest.
    """

    least_level: float = 10.0
    faint: float = 0.3
    reach_px: float = 27.0
    most: int = 12


@dataclass(frozen=True, slots=True)
class PatternParams:
    """
    How far a pattern may disagree with its tile, in edges of the proposed face.

    Attributes:
        reach_edges: How far from the tile's middle a pip may lie: half an edge, and what the
            finder errs, less the pip itself and the edge's rounding.
        least_closed: Share of the ring around a pip that must be like the face: of a one, of two
            and three, and of more, whose pattern proves more. A neighbour pip, a shadow or the
            face's edge may come close.
        faint: The faintest pip of a face against the clearest.
        size_ratio: The largest against the smallest; perspective and blur, no more.
        tint_share: How much two pips may differ in colour, as a share of the clearer one's
            unlikeness to the face; one may lie in shade.
        off_middle_edges: How far the finder may miss the face's middle.
        steps_edges: Least and greatest lattice step; makers' habits and what the finder errs.
        most_skew: Ratio of the two steps; the finder's quad is no better than that.
        most_slant: Cosine between the two steps, likewise.
        most_turn_deg: Turn of the lattice of up to three pips in the tile, likewise.
        six_width: Distance between the rows of a six against that along them.
        search_steps: How far from its expected place a pip between two corners may lie.
        most_residual: Distance of the pips from their places, in steps.
    """

    reach_edges: float = 0.49
    least_closed: tuple[float, float, float] = (0.8, 0.6, 0.45)
    faint: float = 0.45
    size_ratio: float = 1.7
    tint_share: float = 0.65
    off_middle_edges: float = 0.16
    steps_edges: tuple[float, float] = (0.14, 0.36)
    most_skew: float = 1.45
    most_slant: float = 0.45
    most_turn_deg: float = 40.0
    six_width: tuple[float, float] = (0.45, 1.4)
    search_steps: float = 0.3
    most_residual: float = 0.12


@dataclass(frozen=True, slots=True)
class ProofParams:
    """
    What a pattern's tile must show, and must not.

    Attributes:
        least_level: Levels by which the pips are unlike the face.
        faint: The faintest pip against the middle one.
        least_round: Minor against major axis of the pips on their lattice, for up to two pips
            and for more: where it is square they are circles.
        radii: Least and greatest pip radius, in quarters of the face's edge; the one's pip may be
            larger.
        most_one_radius: Greatest radius of the one's pip.
        one_steps: How far around a single pip any other spot must be a pip, in quarters of
            the face's edge.
        pattern_steps: How far around a pattern's middle, in its own steps; all that a number
            may have lies within its corners.
        proposed_edges: How far the proposed face reaches for certain, in its edges; a spot there
            that looks just like the pips must be one.
        stray_level: How unlike the face such a spot is, against the pips.
        stray_sizes: How large it is, against them.
        stray_closed: Share of its ring that is like the face; the face's own corners have less.
        twin_closed: Share of its ring that is like the face, where it may be a side's pip.
        twin_size: How alike in size it is where it may be a side's pip.
        twin_tint: How alike in colour, as the share by which it may differ.
        pip_like: Unlikeness that is no face any more, in the pips' own. Under half, so that half a
            pip counts.
        glare_like: The same the other way than the pips are; shine and the light's fall go there.
        pip_reach: How far a pip's blurred rim reaches, in its radii.
        pip_rim: The same with the shade and shine in a drilled pip's rim.
        least_even: Share of the face between the pips that must be face.
        most_spot: Unlikeness of a disc of pip size where no pip belongs, in the pips' own.
        edge_level: Unlikeness that ends a face, in the pips' own.
        least_edge: The same in levels at least, above noise.
        least_half_edge: Half an edge at least, in quarters of it, for faces of one or two
            pips; what ends sooner is a patch in a weave.
        sides: For each number, on how many sides the face's end must be seen. Many pips
            in their pattern prove a face; one or two spots anywhere do not.
    """

    least_level: float = 10.0
    faint: float = 0.45
    least_round: tuple[float, float] = (0.65, 0.55)
    radii: tuple[float, float] = (0.12, 0.7)
    most_one_radius: float = 1.1
    one_steps: float = 1.6
    pattern_steps: float = 1.35
    proposed_edges: float = 0.46
    stray_level: float = 0.5
    stray_sizes: tuple[float, float] = (0.5, 2.0)
    stray_closed: float = 0.45
    twin_closed: float = 0.8
    twin_size: float = 1.45
    twin_tint: float = 0.5
    pip_like: float = 0.45
    glare_like: float = 0.8
    pip_reach: float = 1.45
    pip_rim: float = 1.8
    least_even: float = 0.9
    most_spot: float = 0.4
    edge_level: float = 0.25
    least_edge: float = 10.0
    least_half_edge: float = 1.3
    sides: tuple[int, int, int, int, int, int] = (2, 3, 2, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class GeometryParams:
    """
    How pips look and lie in a tile.

    Attributes:
        spots: What a spot is.
        patterns: How far pattern and tile may disagree.
        proof: What else the tile must show.
    """

    spots: SpotParams = field(default_factory=SpotParams)
    patterns: PatternParams = field(default_factory=PatternParams)
    proof: ProofParams = field(default_factory=ProofParams)
