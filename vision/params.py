# SPDX-License-Identifier: MIT
"""
Every number by which the reader decides, with its unit, its default and its reason.

Lengths are in edges of a die, because the reader needs no calibration: what holds for a die
of 25 pixels must hold for one of 400. The weights and limits that were learnt lie beside the
nets (`vision.nets.weighing`).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlaneParams:
    """How the plane of the upper faces is found when no calibration gives it."""

    focal: float = 1.2  # Focal length of a usual camera in long sides of the picture.
    focals: tuple[float, ...] = (1.0, 0.65, 1.6)  # Tried, in usual focal lengths.
    focal_spread: float = 0.6  # How unlike the usual one a focal length is, as a logarithm.
    # How far off a flat die's foot is seen besides what the net claims, in edges: lenses bend, dice
    # are no perfect cubes.
    foot_error: float = 0.04
    coarse_deg: float = 4.0  # Distance of the tilts that are tried around each die's own plane.
    fine_deg: float = 1.5  # Distance of those that are tried around the best of them.
    good_fit: float = 1.0  # Mean squared misfit, in errors, below which no other plane is tried.
    # How far, in its own errors, a die may disagree with the plane before it counts as odd, and not
    # as more than that.
    odd: float = 3.0
    # So far a camera may be tilted to any side; farther only towards a viewer who sees the far side
    # of the felt on top.
    any_way_deg: float = 20.0
    upright_deg: float = 50.0  # How far that way may be turned from straight up.
    prior_odds: float = 2.0  # Errors that a plane costs for every 10 degrees beyond these.
    # Focal lengths that are tried with a calibration, in its errors.
    known_focals: tuple[float, ...] = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5, -2.0, 2.0)
    # With many dice of one table: shares of a foot's distance that the net may see, the usual one,
    # the deviation of its logarithm between tables, and how many independent dice these are worth.
    seen_shares: tuple[float, ...] = (
        *(0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85),
        *(0.9, 0.95, 1.0, 1.05, 1.1, 1.15),
    )
    seen_share: float = 0.9
    seen_spread: float = 0.15
    most_dice: float = 6.0


@dataclass(frozen=True, slots=True)
class FeltParams:
    """When a die is not wholly on the felt."""

    # Part of the way from a face's middle to its corner that may reach beyond: a real die's corners
    # are round, and its edges are seen to a pixel or two. How far off the outline itself may be is
    # in the calibration.
    rounding: float = 0.2


@dataclass(frozen=True, slots=True)
class StackParams:
    """What of a die is hidden by another."""

    least_like: float = 0.6  # Likeness from which on a place is taken for a die.
    # How far beyond a read die, in half edges, such a place may still be that die; the likeness is
    # a coarse map.
    margin: float = 0.2
    # Thickness of the least part of a die, in edges; slivers along an outline are errors of the
    # plane.
    thinnest: float = 0.5
    least_area: float = 0.1  # Area of the least part, in faces; less is an error of the map.
    near: float = 0.35  # How far from a read die, in edges, a part belongs to another die.
    most: int = 4  # Doubts reported; a person needs no more than a few.


@dataclass(frozen=True, slots=True)
class BodyParams:
    """What an unread body may be a die, if the count of dice is not known."""

    least_like: float = 0.5  # Likeness of a die or an object from which on a place is a body's.
    margin: float = 0.35  # How far beyond a read die, in half edges, it may be that die.
    areas: tuple[float, float] = (0.4, 1.7)  # Least and largest, in faces of read dice.
    most_unlike: float = 30.0  # How far its colour may be off a read die's, in levels.


@dataclass(frozen=True, slots=True)
class DomeParams:
    """
    What is under a dome, and what its wall does.

    The wall's numbers follow from the refraction of rays through shells of 2 mm, at dice of 12 mm.
    """

    # How far the foot may reach beyond where it was found, as a share of its radius: another rim of
    # the bell may be seen better.
    error: float = 0.08
    # The same without a map, which would give its size and show how far upper faces are seen beyond
    # it.
    error_unmapped: float = 0.12
    # Largest edge of a face as a share of the dome's diameter; a larger face is the dome itself.
    most_edge: float = 0.4
    wall_edges: float = 1.3  # How far from a die's middle, in edges, the wall moves its foot.
    wall_error: float = 0.04  # How far it moves that foot at most, in edges.


@dataclass(frozen=True, slots=True)
class DoubtParams:
    stacks: StackParams = field(default_factory=StackParams)
    bodies: BodyParams = field(default_factory=BodyParams)
    felt: FeltParams = field(default_factory=FeltParams)
    planes: PlaneParams = field(default_factory=PlaneParams)
    # Odds from which on a die leans, as a natural logarithm: what the net says and what the foot
    # adds, by the square of its errors. One that lies on a grain or on the felt's edge leans up to
    # 5 degrees and is read by everybody the same; one that leans on a card or on another die does
    # so by 8 and more.
    least_odds: float = 3.0
    foot_odds: float = 0.05
    sure_foot: float = 2.0  # Errors beyond which a foot is seen where that of a flat die is not.
    sure_foot_fitted: float = 4.0  # The same against a plane known only by these feet.
    most_shared: float = 0.12  # Error in edges that all feet in a picture may have in common.
    dome: DomeParams = field(default_factory=DomeParams)


@dataclass(frozen=True, slots=True)
class TableParams:
    """
    How far what a table learnt may go.

    Only the odds of leaning were chosen on pictures, rendered ones.
    """

    # Changed share of a face below which no die came there. A die covers its whole face; less than
    # a third of it is a shadow's rim or an error of the cut.
    unchanged: float = 0.3
    # The same as a share of the smallest changed share of a confirmed die: where dice hardly differ
    # from their ground, an unchanged place means nothing.
    share_of_least: float = 0.5
    # Changed share of a face from which on a die of the table came there. Its rim may hide ground
    # that looks alike.
    changed: float = 0.7
    # Share of a flat die's sides that differs from the ground at least. Where they show the ground,
    # what was read is the side of another die.
    least_sides: float = 0.25
    # How far a face within a read die's outline may reach beyond it, in edges: cuts are off by a
    # tenth, those of sides that hardly look like an upper face by more.
    inside: float = 0.1
    inside_unlikely: float = 0.3
    likely_die: float = 0.5  # Probability from which on it looks like one.
    near: float = 0.95  # How near to a likelier face, in edges, it may be a side of that die.
    same_look: float = 0.8  # Correlation with the ground from which on it shows the same pips.
    # Natural logarithm of an edge's ratio to that of confirmed dice from which on it belongs to
    # none of them. A fifth, because cuts are off by a tenth.
    other_size: float = 0.2
    edge_error: float = 0.03  # Usual error of an edge, as a natural logarithm.
    # Share of the confirmed dice whose edges count for that limit: one that was cut badly must not
    # raise it.
    usual_dice: float = 0.9
    beside_edges: float = 1.3  # How near to a read die, in edges, an unread size says nothing.
    # How far the channels of a body may differ from those of a confirmed one beside a common
    # factor, as a natural logarithm.
    other_hue: float = 0.14
    # How far that factor may be from 1, as a natural logarithm: a die in another's shadow, or
    # nearer to a lamp.
    other_light: float = 0.45
    # How far the ratio of a body's level to that of its pips may differ, as a natural logarithm:
    # some dice have ones and fours in red, which nobody may have confirmed yet.
    other_contrast: float = 1.0
    new_area: float = 0.12  # Least area of a new object on the felt, in faces.
    new_thickness: float = 0.22  # Its least thickness, in edges; rims of shadows are thinner.
    beyond: float = 1.5  # Margin of a limit that a confirmed throw raises, as a factor.
    # How far the odds that a die leans must be above those of all confirmed dice, which lay flat,
    # as a natural logarithm, and the limits of what follows: a few dice show no more.
    beyond_odds: float = 2.0
    least_odds: tuple[float, float] = (1.0, 4.0)
    # In place of `DoubtParams.sure_foot`, where these odds are known.
    sure_foot: float = 1.5


@dataclass(frozen=True, slots=True)
class JudgeParams:
    """How proposed faces are judged."""

    most: int = 64  # Proposals judged, the likeliest first; a bound on time.
    # Probability of "no upper face" from which on a proposal that the finder hardly believes in is
    # dropped at once; busy ground has many such places.
    surely_none: float = 0.95
    likely: float = 0.4  # Likeness from which on a proposal is never dropped at once.
    # How far the half edges of a read face may differ from those of a flat die of the table, as a
    # share; the cuts of such dice differ by a tenth.
    other_shape: float = 0.2
    # How far above a face its upper face may be, as a share of the body's height, if a part of the
    # face is a side.
    start_above: float = 0.25
    near: float = 0.05  # How far corners of a cut may move, in edges, before the tile is cut again.
    second_look_from: float = 0.1  # Probability of a die that gets a second look.
    # The cuts of a second look: shift along both axes in edges, and size.
    second_cuts: tuple[tuple[float, float, float], ...] = (
        (0.05, 0.0, 1.0),
        (-0.05, 0.0, 1.0),
        (0.0, 0.05, 1.0),
        (0.0, -0.05, 1.0),
        (0.0, 0.0, 1.1),
        (0.0, 0.0, 0.92),
    )


@dataclass(frozen=True, slots=True)
class DecideParams:
    """When two faces belong to one die, and the kind of doubt of an unread one."""

    same_edges: float = 0.5  # Centres nearer than this, in edges, are of one face.
    # Two read faces nearer than this can't both lie flat on the felt: the centres of two flat dice
    # are at least one edge apart, less the errors of both.
    apart_edges: float = 0.75
    side_edges: float = 0.85  # Distance of its side faces from an upper face, in edges.
    # Edge of a read die, as a share of a thing around it, below which the thing is no die. Pips of
    # one die that look like another are farther apart.
    held_size: float = 0.4
    surely_die: float = 0.9  # Probability from which on a face beside a read one is no side.
    # Probability that a die is cocked, stacked or hidden from which on an unread face is called
    # cocked.
    looks_odd: float = 0.5
    blown_level: int = 250  # Level in all channels above which no detail is left.
    blown_share: float = 0.08  # Share of an unread face, blown out, that may be why it is not read.
    maybe_die: float = 0.5  # Probability from which on an unread face is a doubt however it looks.
    beside_edges: float = 1.3  # How near to a read face something may be its side, in edges.
    # Ratio to the read dice's edges from which on it is none of these dice, as a natural logarithm.
    other_size: float = 0.55
    other_size_met: float = 0.22  # The same if as many dice are read as belong there.
    # Largest ratio of a color channel to those of all read dice, as a natural logarithm, from which
    # on it is none of them. Counts only if the count is met, for a die under a reflection has any
    # color.
    other_color_met: float = 0.3


@dataclass(frozen=True, slots=True)
class ReadParams:
    die_edge_mm: float = 16.0  # Edge of the dice, the physical scale without a calibration.
    small_px: float = 16.0  # Edge in the finder's copy below which a die may have been missed.
    # Edge of a proposal, in calibrated ones, above which it is no die: until the dice are measured,
    # a calibration takes those of 25 mm for 16.
    most_edges: float = 2.5
    most_share: float = 0.5  # Share of the picture that the face of a die fills at most.
    judge: JudgeParams = field(default_factory=JudgeParams)
    decide: DecideParams = field(default_factory=DecideParams)
    doubts: DoubtParams = field(default_factory=DoubtParams)
    table: TableParams = field(default_factory=TableParams)
