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
    """
    How proposed faces are judged.

    Attributes:
        most: Proposals judged, the likeliest first; a bound on time.
        surely_none: Probability of "no upper face" from which on a proposal that the finder
            hardly believes in is dropped at once; busy ground has many such places.
        likely: Likeness from which on a proposal is never dropped at once.
        near: How far corners of a cut may move, in edges, before the tile is cut again.
        second_look_from: Probability that a die is there from which on an unread face gets a
            second look.
        second_cuts: The cuts of a second look: shift along both axes in edges, and size.
    """

    most: int = 64
    surely_none: float = 0.95
    likely: float = 0.4
    near: float = 0.05
    second_look_from: float = 0.1
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
    """
    When two faces belong to one die, and the kind of doubt of an unread one.

    Attributes:
        same_edges: Centres nearer than this, in edges, are of one face.
        apart_edges: Two read faces nearer than this can't both lie flat on the felt: the
            centres of two flat dice are at least one edge apart, less the errors of both.
        side_edges: How far from an upper face's centre its side faces have theirs, in edges.
        held_size: Edge of a read die, as a share of a thing around it, below which the thing is no
            die. Pips of one die that look like another are farther apart.
        surely_die: Probability from which on an unread face beside a read one is not a side.
        looks_odd: Probability that a die is cocked, stacked or hidden from which on an unread
            face is called cocked.
        blown_level: Level in all channels above which no detail is left.
        blown_share: Share of an unread face, blown out, that may be why it is not read.
        maybe_die: Probability from which on an unread face is a doubt however it looks.
        beside_edges: How near to a read face something may be a side of that die, in edges.
        other_size: Ratio to the read dice's edges from which on it is none of these dice, as a
            natural logarithm.
        other_size_met: The same if as many dice are read as belong there.
        other_color_met: Largest ratio of a color channel to those of all read dice, as a natural
            logarithm, from which on it is none of them. Counts only if the count is met, for a
            die under a reflection has any color.
    """

    same_edges: float = 0.5
    apart_edges: float = 0.75
    side_edges: float = 0.85
    held_size: float = 0.4
    surely_die: float = 0.9
    looks_odd: float = 0.5
    blown_level: int = 250
    blown_share: float = 0.08
    maybe_die: float = 0.5
    beside_edges: float = 1.3
    other_size: float = 0.55
    other_size_met: float = 0.22
    other_color_met: float = 0.3


@dataclass(frozen=True, slots=True)
class ReadParams:
    """
    All parameters of a reader.

    Attributes:
        die_edge_mm: Edge of the dice, the physical scale without a calibration.
        small_px: Edge in the finder's copy below which a die may have been missed.
        most_edges: Edge of a proposal, in calibrated ones, above which it is no die: until the
            dice are measured, a calibration takes those of 25 mm for 16.
        most_share: Share of the picture that the face of a die fills at most.
        judge: How proposed faces are judged.
        decide: When two faces are of one die.
        doubts: What makes a read die a doubt.
        table: How far a table's own knowledge may go.
    """

    die_edge_mm: float = 16.0
    small_px: float = 16.0
    most_edges: float = 2.5
    most_share: float = 0.5
    judge: JudgeParams = field(default_factory=JudgeParams)
    decide: DecideParams = field(default_factory=DecideParams)
    doubts: DoubtParams = field(default_factory=DoubtParams)
    table: TableParams = field(default_factory=TableParams)
