# SPDX-License-Identifier: MIT
"""Every number by which a read die or a thing becomes a doubt, with its unit and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SideParams:
    """
    How the visible sides of a die are told from the ground, all lengths in its edges.

    Attributes:
        reach: How far beyond the top face is looked; a die's side is never longer seen than 1.
        steps: Samples on the way there.
        lanes: Lines beside each other on which is looked; their median counts.
        lane_reach: How far from the middle of a side the outer lines run, in half edges;
            beyond it a die's corners are round.
        ground_from: From here on mostly ground is seen.
        least_angle_deg: Angle between the colours of body and ground, as light, from which on
            a shaded side can be told from shaded ground. Grey on grey can't.
        least_grey: Mean level of body and ground under which their hues are noise.
        least_light: Level under which a sample says nothing of its colour.
        brighter: What is lighter than the ground by this factor is no shaded ground.
        bright_body: A body lighter than the ground by this factor may show such sides.
        endless: What goes on for longer than this is no side but a neighbour.
    """

    reach: float = 1.3
    steps: int = 18
    lanes: int = 5
    lane_reach: float = 0.55
    ground_from: float = 0.85
    least_angle_deg: float = 7.0
    least_grey: float = 25.0
    least_light: float = 12.0
    brighter: float = 1.2
    bright_body: float = 1.4
    endless: float = 1.1


@dataclass(frozen=True, slots=True)
class PlaneParams:
    """
    How the plane of the top faces is found where no calibration tells it.

    Attributes:
        focal: Focal length of the camera in long sides of the picture, about; it matters
            little, for it only bends how the tilt changes over the picture.
        most_tilt_deg: How slanted a camera may look at the felt.
        coarse_deg: Distance of the tilts that are tried first.
        odd: How far, in its own errors, a face may disagree with the plane before it counts
            as odd, and not as more than that.
        any_way_deg: So far a camera may be tilted whichever way; farther only towards a
            viewer who sees the far side of the felt on top.
        upright_deg: How far that way may be turned from straight up.
        prior_odds: Errors that a plane costs for every 10 degrees beyond these.
    """

    focal: float = 1.0
    most_tilt_deg: float = 60.0
    coarse_deg: float = 9.0
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
        side_error: Error of the length of a visible side, in edges.
        short_side: How much shorter than on a flat die a side may be, in edges; more than
            longer, for its foot often lies in deep shade.
        shape_errors: Error of a face's stretch as a logarithm, for each number. Four and five
            pips tell a square by their places. The rows of a six are set closer by some
            makers; one to three pips tell it by their own outlines only.
        supporting_odds: Oddness, 0 to 1, that somebody else must have seen on a die before
            its sides alone count: a thing of its colour beside it looks like a side.
        sure: Errors beyond which a face disagrees with the plane.
    """

    limit_deg: float = 8.0
    side_error: float = 0.04
    short_side: float = 0.25
    shape_errors: tuple[float, float, float, float, float, float] = (
        0.055, 0.055, 0.055, 0.04, 0.04, 0.05,
    )  # fmt: skip
    supporting_odds: float = 0.25
    sure: float = 3.5


@dataclass(frozen=True, slots=True)
class DoubtParams:
    """
    All parameters of the doubts.

    Attributes:
        sides: How visible sides are told from the ground.
        planes: How the plane of the top faces is found.
        leans: What a leaning die is.
    """

    sides: SideParams = field(default_factory=SideParams)
    planes: PlaneParams = field(default_factory=PlaneParams)
    leans: LeanParams = field(default_factory=LeanParams)
