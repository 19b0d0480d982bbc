# SPDX-License-Identifier: MIT
"""
Everything that geometry holds against dice that both opinions read.

A die may show its pips plainly and still not count: it leans, hangs over the felt's
edge, or shines where another pip may be. Each die gets one doubt, the one that says most
about what to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.doubts.cocked import find_cocked
from vision.doubts.felt import find_off_felt
from vision.doubts.glare import find_glare
from vision.doubts.params import DoubtParams
from vision.doubts.plane import Plane
from vision.doubts.telling import doubt_about
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.learned.stance import Stances
from vision.reading import Doubt, DoubtKind
from vision.tray.map import TrayMap


def doubts_about_dice(
    image_bgr: Image,
    tops: Sequence[Candidate],
    plane: Plane,
    params: DoubtParams,
    *,
    stances: Stances,
    side_faces: Sequence[Candidate] = (),
    tray: TrayMap | None = None,
) -> list[tuple[Candidate, Doubt]]:
    """
    Return the dice that must not be believed, each with its doubt.

    Args:
        image_bgr: The picture in whose pixels the faces are.
        tops: All faces that were read.
        plane: The plane of their faces, as `vision.doubts.fit.see_plane` gives it.
        params: All parameters of the doubts.
        stances: Where the feet of their dice are seen, in their order.
        side_faces: Faces on the sides of dice that were found by their pips, if any.
        tray: The calibration, for pictures of this size.
    """
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    cocked = find_cocked(tops, plane, params, stances=stances, side_faces=side_faces)
    found = (
        (DoubtKind.OFF_THE_FELT, find_off_felt(size_wh, tops, params.felt, tray=tray)),
        (DoubtKind.COCKED, cocked),
        (DoubtKind.GLARE, find_glare(image_bgr, tops, params.glare)),
    )
    told: dict[int, tuple[Candidate, Doubt]] = {}
    for kind, dice in found:
        for die in dice:
            told.setdefault(id(die), (die, doubt_about(kind, die)))
    return list(told.values())
