# SPDX-License-Identifier: MIT
"""Every number by which a table's own knowledge changes a reading, with its unit and its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableParams:
    """How far what a table learnt may go. Nothing here was fitted to pictures."""

    # Changed share of a face below which no die came there. A die covers its whole face; less than
    # a third of it is a shadow's rim or an error of the cut.
    unchanged: float = 0.3
    # The same as a share of the smallest changed share of a confirmed die: where dice hardly differ
    # from their ground, an unchanged place means nothing.
    share_of_least: float = 0.5
    # Correlation of a place with the ground from which on it shows the same pips.
    same_look: float = 0.8
    # Natural logarithm of an edge's ratio to that of confirmed dice from which on it belongs to
    # none of them. A fifth, because cuts are off by a tenth.
    other_size: float = 0.2
    # Share of the confirmed dice whose edges count for that limit: one that was cut badly must not
    # raise it.
    usual_dice: float = 0.9
    # How near to a read die, in edges, the size of an unread face says nothing.
    beside_edges: float = 1.3
    # How far the channels of a body may differ from those of a confirmed one beside a common
    # factor, as a natural logarithm.
    other_hue: float = 0.14
    # How far that factor may be from 1, as a natural logarithm: a die in another's shadow, or
    # nearer to a lamp.
    other_light: float = 0.45
    new_area: float = 0.12  # Least area of a new object on the felt, in faces.
    new_thickness: float = 0.22  # Its least thickness, in edges; rims of shadows are thinner.
    beyond: float = 1.5  # Margin of a limit that a confirmed throw raises, as a factor.
    # Largest correction of a foot, in edges: what a hand's calibration and a lens are off by at
    # most. More would be another camera's view.
    most_bias: float = 0.25
    # Weight of "the feet have no bias" against the confirmed dice, in dice.
    prior_dice: float = 4.0
    # Share of its error by which a correction must improve the feet of throws that it was not
    # fitted to.
    least_gain: float = 0.1
