# SPDX-License-Identifier: MIT
"""
Every number by which the reader decides, with its unit, its default and its reason.

Lengths are in edges of a die, because the reader needs no calibration: what holds for a die
of 25 pixels must hold for one of 400. The weights and limits that were learnt lie beside the
nets (`vision.nets.weighing`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.params.checks import DoubtParams
from vision.params.table import TableParams


@dataclass(frozen=True, slots=True)
class JudgeParams:
    """How proposed faces are judged."""

    most: int = 64  # Proposals judged, the likeliest first; a bound on time.
    # Probability of "no upper face" from which on a proposal that the finder hardly believes in is
    # dropped at once; busy ground has many such places.
    surely_none: float = 0.95
    likely: float = 0.4  # Likeness from which on a proposal is never dropped at once.
    near: float = 0.05  # How far corners of a cut may move, in edges, before the tile is cut again.
    # Probability that a die is there from which on an unread face gets a second look.
    second_look_from: float = 0.1
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
    # How far from an upper face's centre its side faces have theirs, in edges.
    side_edges: float = 0.85
    # Edge of a read die, as a share of a thing around it, below which the thing is no die. Pips of
    # one die that look like another are farther apart.
    held_size: float = 0.4
    # Probability from which on an unread face beside a read one is not a side.
    surely_die: float = 0.9
    # Probability that a die is cocked, stacked or hidden from which on an unread face is called
    # cocked.
    looks_odd: float = 0.5
    blown_level: int = 250  # Level in all channels above which no detail is left.
    blown_share: float = 0.08  # Share of an unread face, blown out, that may be why it is not read.
    maybe_die: float = 0.5  # Probability from which on an unread face is a doubt however it looks.
    # How near to a read face something may be a side of that die, in edges.
    beside_edges: float = 1.3
    # Ratio to the read dice's edges from which on it is none of these dice, as a natural logarithm.
    other_size: float = 0.55
    other_size_met: float = 0.22  # The same if as many dice are read as belong there.
    # Largest ratio of a color channel to those of all read dice, as a natural logarithm, from which
    # on it is none of them. Counts only if the count is met, for a die under a reflection has any
    # color.
    other_color_met: float = 0.3


@dataclass(frozen=True, slots=True)
class ReadParams:
    """All parameters of a reader."""

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
