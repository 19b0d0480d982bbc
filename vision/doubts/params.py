# SPDX-License-Identifier: MIT
"""Every number by which a read die or a thing becomes a doubt, with its unit and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlaneParams:
    """
    How the plane of the top faces is found where no calibration tells it.

    Attributes:
        stretch_errors: Error of a face's stretch as a logarithm, for each number. Four and five
            pips tell a square by their places. The rows of a six are set closer by some
            makers; one to three pips tell it by their own outlines and the finder's eye only.
        focal: Focal length of a usual camera in long sides of the picture.
        focals: Focal lengths that are tried, in usual ones: from a wide lens to a long one.
        finer_focals: The same around the best of them.
        focal_spread: How unlike the usual one a camera's focal length is, as a logarithm.
        foot_error: How far off a flat die's foot is seen besides what its teller claims, in
            edges: lenses bend, dice are no perfect cubes.
        most_tilt_deg: How slanted a camera may look at the felt.
        coarse_deg: Distance of the tilts that are tried first.
        fine_deg: Distance of those that are tried around the best of them.
        odd: How far, in its own errors, a face may disagree with the plane before it counts
            as odd, and not as more than that.
        any_way_deg: So far a camera may be tilted whichever way; farther only towards a
            viewer who sees the far side of the felt on top.
        upright_deg: How far that way may be turned from straight up.
        prior_odds: Errors that a plane costs for every 10 degrees beyond these.
    """

    stretch_errors: tuple[float, float, float, float, float, float] = (
        0.055, 0.055, 0.055, 0.04, 0.04, 0.05,
    )  # fmt: skip
    focal: float = 1.2
    focals: tuple[float, ...] = (0.62, 0.8, 1.0, 1.3, 1.8, 3.0)
    finer_focals: tuple[float, ...] = (0.9, 1.0, 1.1)
    focal_spread: float = 0.6
    foot_error: float = 0.04
    most_tilt_deg: float = 60.0
    coarse_deg: float = 9.0
    fine_deg: float = 2.25
    odd: float = 3.0
    any_way_deg: float = 20.0
    upright_deg: float = 50.0
    prior_odds: float = 2.0


@dataclass(frozen=True, slots=True)
class LeanParams:
    """
    What a leaning die is.

    Attributes:
        limit_deg: Lean from which on a die is cocked. One that lies on a grain or on the
            felt's edge leans up to 5 degrees and is read by everybody the same; one that leans
            on a card or on another die does so by 8 and more.
        sure: Errors beyond which a face disagrees with the plane that fits the dice.
        sure_when_known: The same with a plane that a calibration tells.
        sure_foot: The same of where its foot is seen; more, for a net claims too small errors where
            it has never seen the like.
        sure_foot_when_known: And that with a calibrated plane, which no lean has moved.
        least_dice: Fewest dice of which one can be held against a plane fitted to all by the
            side face that it shows.
        clear_cosines: Sum of the squared roundness of a flat face there and of a side face of
            the same die that is too much. One is a cube's limit; blur makes pips rounder.
        slight_cosines: The same where the face is stretched by a half of what is sure.
    """

    limit_deg: float = 8.0
    sure: float = 3.5
    sure_when_known: float = 3.5
    sure_foot: float = 6.0
    sure_foot_when_known: float = 4.0
    least_dice: int = 3
    clear_cosines: float = 1.3
    slight_cosines: float = 1.1


@dataclass(frozen=True, slots=True)
class ThingParams:
    """
    What stands out from the ground and is of a die's size.

    Attributes:
        shares: Sizes of things looked for when no die was read, as shares of the long side.
        thing_px: Edge of a die, in pixels, in the copy in which things are looked for.
        window_edges: Side of the window whose median is the ground, in edges; a die with its
            side faces covers less than half of it.
        contrast: Levels, in any colour channel, by which a dark thing stands out.
        bright_contrast: The same for a light thing; more, for light falls in patches.
        tint_contrast: Change of a colour's share in the light, of 255.
        size: Least and greatest area of a thing, in faces.
        fill: Share of its upright rectangle that a thing fills; half for a square
            standing on its corner.
        most_like_surround: Share of a thing's surround that may have its colour. More, and it
            is a corner of something larger.
        margin_edges: How far around a read die what stands out is its rounding, its side's
            foot, a blurred edge.
        least_like: How likely the finder must find a face there; what stands out otherwise is
            a pencil, a print, a patch of light.
        most: Doubts told; a person needs no more than a few.
    """

    shares: tuple[float, ...] = (0.035, 0.1)
    thing_px: float = 6.0
    window_edges: float = 3.5
    contrast: float = 30.0
    bright_contrast: float = 45.0
    tint_contrast: float = 22.0
    size: tuple[float, float] = (0.45, 4.0)
    fill: float = 0.45
    most_like_surround: float = 0.2
    margin_edges: float = 0.2
    least_like: float = 0.3
    most: int = 4


@dataclass(frozen=True, slots=True)
class SpotParams:
    """
    Which spots that no die explains may be pips of a die that was not read.

    Attributes:
        striking_contrast: Grey levels of a spot that is a doubt even when no die was read.
        least_round: Roundness of such a spot.
        size: Least and greatest radius against that of the pips that were read.
        clearness: Clearness against that of the pips that were read.
        closed: How closed a spot must be to be like a pip.
        fill: How well it must fill its ellipse.
        thing_pip_edges: Least and greatest radius of a spot on a thing, in edges.
        thing_pip_clearness: Clearness of a spot on a thing; weave in a shadow has less.
        own_edges: A spot nearer than this to a read face's centre, in edges, lies on the face;
            one up to `side_edges` may lie on a side face, if it is flatter or smaller.
        side_edges: How far from a top face's centre its own side faces can reach.
        side_flatness: Roundness of a side face's pips against the top's, at most.
        side_size: Their size against the top's, at most.
        most: Doubts told; a person needs no more than a few.
    """

    striking_contrast: float = 45.0
    least_round: float = 0.5
    size: tuple[float, float] = (0.65, 1.6)
    clearness: float = 0.7
    closed: float = 0.9
    fill: float = 0.88
    thing_pip_edges: tuple[float, float] = (0.04, 0.2)
    thing_pip_clearness: float = 0.25
    own_edges: float = 0.42
    side_edges: float = 1.1
    side_flatness: float = 0.85
    side_size: float = 0.7
    most: int = 4


@dataclass(frozen=True, slots=True)
class FeltParams:
    """
    When a die is not wholly on the felt.

    Attributes:
        rounding: Part of the way from a face's middle to its corner that may reach beyond: a
            real die's corners are round, and its edges are seen to a pixel or two.
    """

    rounding: float = 0.2


@dataclass(frozen=True, slots=True)
class GlareParams:
    """
    When shine may hide pips.

    Attributes:
        blown: Level in all channels from which on nothing is told apart any more.
        white_body: Least channel of a body from which on it is so bright all over that it
            proves no shine; black pips would still show on it.
        covered_radii: Size of the place of a pip, in its radii; a thin rim of a covered pip
            would not be found.
        covered: Share of that place that must be blown out.
        much: Share of a face that can't be read, blown out, that may be why.
    """

    blown: int = 250
    white_body: float = 235.0
    covered_radii: float = 0.9
    covered: float = 0.5
    much: float = 0.08


@dataclass(frozen=True, slots=True)
class StackParams:
    """
    What of a die is hidden by another.

    Attributes:
        least_like: Likeness from which on a place is taken for a die.
        margin: How far beyond a read die, in half edges, such a place may still be that die;
            the likeness is a coarse map.
        thinnest: Thickness of the least part of a die, in edges; slivers along an outline are
            errors of the plane.
        least_area: Area of the least part of a die, in faces; less is an error of the map.
        near: How far from a read die, in edges, a part belongs to a die beside or under it.
        most: Doubts told; a person needs no more than a few.
    """

    least_like: float = 0.6
    margin: float = 0.2
    thinnest: float = 0.5
    least_area: float = 0.1
    near: float = 0.35
    most: int = 4


@dataclass(frozen=True, slots=True)
class DoubtParams:
    """
    All parameters of the doubts.

    Attributes:
        stacks: What of a die is hidden by another.
        felt: When a die is not wholly on the felt.
        glare: When shine may hide pips.
        things: What of a die's size stands out from the ground.
        spots: Which spots may be pips of an unread die.
        planes: How the plane of the top faces is found.
        leans: What a leaning die is.
    """

    stacks: StackParams = field(default_factory=StackParams)
    felt: FeltParams = field(default_factory=FeltParams)
    glare: GlareParams = field(default_factory=GlareParams)
    things: ThingParams = field(default_factory=ThingParams)
    spots: SpotParams = field(default_factory=SpotParams)
    planes: PlaneParams = field(default_factory=PlaneParams)
    leans: LeanParams = field(default_factory=LeanParams)
