# SPDX-License-Identifier: MIT
"""
Dismiss unread things that are none of the table's dice, by their color and their size.

A calibration gives the size of a die at every position, and the owner's dice give its colors. A
print or a coin rarely has both. This only helps if all dice are read: otherwise a missing die
may lie there under a reflection, in any color.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.nets.weighing import Weighing
from vision.own_dice.known_faces import OwnDice
from vision.params.reader import StrangerParams
from vision.tile_verdicts import Candidate
from vision.tray_map import TrayMap


def dismiss_strangers(
    candidates: Sequence[Candidate],
    weighing: Weighing,
    params: StrangerParams,
    *,
    tray: TrayMap,
    own_dice: OwnDice | None,
    expect: int,
) -> list[Candidate]:
    """
    Return the candidates that are read or may be one of the table's dice.

    Args:
        candidates: All of one picture.
        weighing: Has the limits.
        params: What is none of the table's dice.
        tray: The calibration, for pictures of this size.
        own_dice: The owner's dice, if the table knows them.
        expect: How many dice belong there.
    """
    least_right = weighing.least_right_for(expect)

    def may_be_ours(one: Candidate) -> bool:
        if one.verdict.right >= least_right or one.verdict.die >= params.surely_die:
            return True
        smallest, largest = params.sizes
        if not smallest <= one.face.edge_px / tray.edge_px_at(one.face.center) <= largest:
            return False
        return own_dice is None or own_dice.color_distance(one.tile) <= params.most_color

    return [one for one in candidates if may_be_ours(one)]
