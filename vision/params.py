# SPDX-License-Identifier: MIT
"""
Every number the reader decides by, with its unit, its default and its reason.

Sizes are told in the die's own measures (pip radii, lattice steps), because the
reader knows no calibration: what holds for a die of 25 pixels must hold for one
of 400. A lattice step is the distance from the face's centre to its corner pips
along one axis, about a quarter of an edge.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.doubts.params import DoubtParams
from vision.geometry.params import GeometryParams as GeometryParams


@dataclass(frozen=True, slots=True)
class PipParams:
    """
    What a pip is, before anything is known about its die.

    Attributes:
        smallest_px: Smallest pip diameter looked for. Under 4 pixels a round spot
            can't be told from noise, nor its size from its blur.
        kernel_px: Side of the closing window on every level of the pyramid. A level finds
            pips up to this size, the next coarser one those from 0.38 of it there, so
            that no size falls between two levels. Large, because the thin body between
            the pips of a six is lost first on a coarse level.
        levels: Halvings looked at; three reach pips of 80 pixels, dice of a third of the
            picture's width.
        outlines: Where a pip's outline runs, as shares of its depth. Half way where it is
            blurred; on the coarser levels also deeper, for between the pips of a six the
            body may show as a thin line only.
        finest_outlines: How many of them are looked at on the finest level, whose spots are small
            where the size of dice is unknown.
        least_contrast: Grey levels between body and pip. Below about a dozen, JPEG
            noise and wood grain make spots of their own.
        least_clearness: Contrast as a share of the lighter of body and pip. Grain,
            scratches, weave and dust stay under it, painted pips don't.
        least_closed: Share of a ring around the pip that must look like body. The
            ring may miss some points: a neighbour pip or a die's edge comes close.
        least_fill: Area against that of the ellipse with the same moments; 1 for
            ellipses, 0.95 for squares, far less for strokes, letters and crescents.
        thinnest: Minor against major axis. A pip seen at under 20 degrees to its face
            belongs to a side face and can't be measured any more.
        most: Candidates kept, best first; a bound on time for pictures of gravel.
    """

    smallest_px: float = 3.6
    kernel_px: int = 21
    levels: int = 3
    outlines: tuple[float, ...] = (0.6, 0.78)
    finest_outlines: int = 1
    least_contrast: float = 14.0
    least_clearness: float = 0.18
    least_closed: float = 0.6
    least_fill: float = 0.7
    thinnest: float = 0.33
    most: int = 260


@dataclass(frozen=True, slots=True)
class FaceParams:
    """
    How the pips of one face lie, in lattice steps and pip radii.

    Attributes:
        least_step_radii: Shortest lattice step, in pip radii. Under 1.7 the middle pips of
            a six would nearly touch their neighbours.
        most_step_radii: Longest lattice step, in pip radii. Small pips are a
            tenth of the edge across, at steps of a quarter of an edge.
        tilt_slack: How wrong an outline of a few pixels may tell the tilt of a face.
        search_steps: How far from its expected place a pip is looked for, before the
            lattice is fitted; under half a step no pip can answer for two places.
        most_residual: Distance from the fitted place, in steps, that perspective and
            the centres of small pips explain.
        most_skew: Ratio of the two steps as the outlines see them. 1 for a square.
        six_width: Half the distance between the two rows of a six, in steps along them;
            makers set them anywhere between close together and a full square.
        most_size_ratio: Of two pips of one face; perspective and blur, no more.
        most_round_ratio: Of the two pips of a two, whose pattern proves little by itself.
        most_contrast_ratio: Of two pips of one face; one may lie in glare or shade.
        most_body_change: Change of the body's grey level over a face, against contrast.
        face_reach: How far from the centre a face reaches for certain, in steps. An
            edge is 3.3 to 4.5 steps, a neighbour's nearest pip 2.3 steps from the centre.
    """

    least_step_radii: float = 1.7
    most_step_radii: float = 5.2
    tilt_slack: float = 1.2
    search_steps: float = 0.42
    most_residual: float = 0.2
    most_skew: float = 1.45
    six_width: tuple[float, float] = (0.6, 1.1)
    most_size_ratio: float = 1.6
    most_round_ratio: float = 1.5
    most_contrast_ratio: float = 2.2
    most_body_change: float = 0.9
    face_reach: float = 1.5


@dataclass(frozen=True, slots=True)
class BodyParams:
    """
    How even a die's face is, and where it ends.

    Attributes:
        pip_reach: How far a pip's blurred rim reaches, in its radii.
        pip_rim: The same with the shade and shine in a drilled pip's rim.
        pip_like: Difference from the body towards the pips that is no body any more, in
            contrasts. Under half, so that half a pip counts.
        glare_like: Difference away from the pips that is no body any more; larger, for
            shine and the light's fall over a face go that way.
        edge_contrast: Change of colour that ends a body, in contrasts.
        least_edge: The same in grey levels at least, above noise.
        least_even: Share of the face that must be body.
        most_spot: Pip-likeness allowed where no pip belongs, in contrasts.
        least_faint: The faintest pip of a face against its mean.
        least_half_edge: Half an edge in lattice steps, at least, for faces of one or two
            pips; what ends sooner is a patch in a weave.
        sides: For each number, on how many sides the body's end must be seen. Many pips
            in their pattern prove a face; one or two spots anywhere do not.
    """

    pip_reach: float = 1.45
    pip_rim: float = 1.8
    pip_like: float = 0.4
    glare_like: float = 0.75
    edge_contrast: float = 0.25
    least_edge: float = 10.0
    least_even: float = 0.88
    most_spot: float = 0.4
    least_faint: float = 0.45
    least_half_edge: float = 1.65
    sides: tuple[int, int, int, int, int, int] = (2, 3, 2, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class ChooseParams:
    """
    Which faces belong to one die.

    Attributes:
        neighbour_edges: Centres of two faces nearer than this, in edges of one of them, may be
            two sides of one die: at 45 degrees a side face's centre seems a whole edge away.
        most_cosines: Sum of the squared roundness of two faces of one die. One is the limit
            for a cube; blur makes small pips rounder than they are.
        edge_ratio: How much longer the common edge of two faces of one die may seem on one
            of them; makers set the pips of different numbers differently far apart.
        edge_turn_deg: How far its direction may differ; two pips tell it only so well.
        least_roundness: A face flatter than this is a side face: no camera at a table looks
            from under 30 degrees.
        rounder: Ratio of roundness that tells the top face from a side.
        level: How far above the other, as a share of their distance, makes the upper one.
        steep: Roundness of a face that is the top whatever lies above it.
        sizes: Least and greatest lattice step against that of the clearest faces.
        least_clearness: Contrast as a share of the lighter of body and pip. Grain,
            scratches, weave and dust stay under it, painted pips don't.
        least_share: Clearness against that of the clearest faces of the picture.
    """

    neighbour_edges: float = 1.25
    most_cosines: float = 1.4
    edge_ratio: float = 1.6
    edge_turn_deg: float = 12.0
    least_roundness: float = 0.5
    rounder: float = 1.15
    level: float = 0.35
    steep: float = 0.9
    sizes: tuple[float, float] = (0.5, 2.0)
    least_clearness: float = 0.25
    least_share: float = 0.45


@dataclass(frozen=True, slots=True)
class SingleParams:
    """
    What proves a one.

    Attributes:
        least_round: Roundness of its pip; flatter ones are on side faces.
        least_closed: How closed its pip is; nothing else lies near it.
        least_clearness: Contrast as a share of the lighter of body and pip.
        lonely_contrast: Contrast in grey levels when no other face was found.
        telling_pips: Pips in a pattern that lie so by no accident.
        pip_size: Least and greatest radius against that of the sure faces' pips; the
            single pip of many dice is a good deal larger.
        half_edge_radii: Least and greatest half edge, in pip radii.
        size_slack: How much larger or smaller than the sure faces a one may be.
        edge_steps: Edge of a die in lattice steps.
        ray_radius_px: Radius of the pip, in pixels, at which rays are sampled.
        end_contrasts: Changes of colour that end a body, in contrasts, the clear one first.
        least_end: The same in grey levels at least.
        square_slack: How far from the square's side a ray may end, as a share.
        most_off_middle: How much farther one side may be than the opposite one; perspective
            and a pip set badly, no more.
        most_oblong: Width against height of the square, as the pip's outline sees it.
        corner: How far the rounded corners reach, in half edges; 1.41 were sharp.
        least_square: Share of rays that end on the square, less the share that end
            before it. Two side faces that look like the top leave about two thirds.
        least_lonely_square: The same when no other face tells the size.
    """

    least_round: float = 0.45
    least_closed: float = 0.85
    least_clearness: float = 0.25
    lonely_contrast: float = 25.0
    pip_size: tuple[float, float] = (0.6, 2.5)
    half_edge_radii: tuple[float, float] = (2.2, 7.5)
    size_slack: float = 1.5
    edge_steps: float = 3.8
    ray_radius_px: float = 6.0
    end_contrasts: tuple[float, float] = (0.25, 0.08)
    least_end: float = 12.0
    square_slack: float = 0.16
    most_off_middle: float = 1.5
    most_oblong: float = 1.35
    corner: float = 1.28
    least_square: float = 0.55
    least_lonely_square: float = 0.7


@dataclass(frozen=True, slots=True)
class JudgeParams:
    """
    When two opinions are enough, and when one is a doubt.

    Attributes:
        least_share: Probability that the net gives the number that geometry says, at least.
        surely_seen: Likeness from which on a face that the finder proposes and nobody can read
            is a doubt by itself.
        half_seen: Likeness from which on it is one, when another witness inclines to it.
        surely_odd: Oddness from which on a face is a doubt though both opinions read it.
        surely_named: Probability with which the net names a number where geometry is silent,
            from which on that is a doubt by itself.
        half_named: Probability of all numbers' likeliest from which on it is one, when another
            witness inclines to it.
        telling_pips: Pips in their pattern that are a doubt though the net sees no top face;
            fewer lie so by accident.
        denied: Probability of all numbers' likeliest under which the net is so sure of no top face
            that a pattern where the finder sees nothing either is print or weave.
        own_edges: A proposal nearer than this to the middle of a read face, in its edges, is the
            same die; so is one on its sides, up to `side_edges`, that neither opinion reads.
        side_edges: How far from a top face's middle its side faces have theirs, in edges. The
            middles of two flat dice are at least one edge apart.
        apart_edges: Two read faces nearer than this, in edges, can't both lie flat on the felt.
        most: Proposals judged, the likeliest first; a bound on time.
    """

    least_share: float = 0.8
    surely_seen: float = 0.5
    half_seen: float = 0.3
    surely_odd: float = 0.6
    surely_named: float = 0.9
    half_named: float = 0.6
    telling_pips: int = 4
    denied: float = 0.1
    own_edges: float = 0.5
    side_edges: float = 0.9
    apart_edges: float = 0.85
    most: int = 32


@dataclass(frozen=True, slots=True)
class ReadParams:
    """
    All parameters of a reader.

    Attributes:
        work_px: Long side of the copy that is worked on. A die of 2.5 % of the picture's
            width still has pips of 5 pixels then; time grows with the square.
        die_edge_mm: Edge of the dice, the physical scale when none was calibrated.
        pips: What a pip is.
        faces: How the pips of one face lie.
        bodies: How even a face is, and where it ends.
        choose: Which faces belong to one die.
        singles: What proves a one.
        geometry: How pips look and lie in a tile.
        judge: When two opinions are enough, and when one is a doubt.
        doubts: What makes a read die or a thing beside it a doubt.
    """

    work_px: int = 1024
    die_edge_mm: float = 16.0
    pips: PipParams = field(default_factory=PipParams)
    faces: FaceParams = field(default_factory=FaceParams)
    bodies: BodyParams = field(default_factory=BodyParams)
    choose: ChooseParams = field(default_factory=ChooseParams)
    singles: SingleParams = field(default_factory=SingleParams)
    geometry: GeometryParams = field(default_factory=GeometryParams)
    judge: JudgeParams = field(default_factory=JudgeParams)
    doubts: DoubtParams = field(default_factory=DoubtParams)
