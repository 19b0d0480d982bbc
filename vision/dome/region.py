# SPDX-License-Identifier: MIT
"""
What of a picture is under a dome, and what the dome does to it.

Top faces are above the foot, so they may be seen a little beyond it. The wall bends the light, but
so little that only feet near the wall are less certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks.off_felt import INNER
from vision.face import Face, measure_insets
from vision.nets.finder import Sighting
from vision.reading import DomeFoot
from vision.tray_map import TrayMap

# How far the foot may reach beyond where it was found, as a share of its radius: another rim of the
# bell may be seen better.
_ERROR = 0.08
# The same without a map, which would give its size and show how far upper faces are seen beyond it.
_ERROR_UNMAPPED = 0.12
# Largest edge of a face as a share of the dome's diameter; a larger face is the dome itself.
_MOST_EDGE = 0.4
# What the wall does. The numbers follow from the refraction of rays through shells of 2 mm, at dice
# of 12 mm.
_WALL_EDGES = 1.3  # How far from a die's middle, in edges, the wall moves its foot.
_WALL_ERROR = 0.04  # How far it moves that foot at most, in edges.


@dataclass(frozen=True, slots=True, eq=False)
class DomeRegion:
    """The part of a picture in which top faces of dice under a dome may be."""

    foot: DomeFoot
    outline: NDArray[np.float32]  # The outline of that part, in pixels, (n, 2), float32.

    @classmethod
    def of(cls, foot: DomeFoot, tray: TrayMap | None) -> DomeRegion:
        """Return the region of a dome."""
        outline, center = np.array(foot.outline_px), np.array(foot.center_px)
        if tray is not None:
            outline = np.concatenate([outline, tray.tops_to_px(tray.to_mm(outline))])
        reach = 1.0 + (_ERROR if tray is not None else _ERROR_UNMAPPED)
        hull = cv2.convexHull((center + (outline - center) * reach).astype(np.float32))
        return cls(foot, np.asarray(hull.reshape(-1, 2), np.float32))

    def keep_inside(self, sighting: Sighting) -> Sighting:
        """Return what the finder saw under the dome, without what is too large to be a die."""
        radius_px = float(np.sqrt(cv2.contourArea(self.outline) / np.pi))
        proposals = tuple(
            one
            for one in sighting.proposals
            if one.edge_px < _MOST_EDGE * 2.0 * radius_px
            and measure_insets(self.outline, one.center[None])[0] >= 0.0
        )
        mask = np.zeros(sighting.die_map.shape, np.float32)
        corners = np.rint(((self.outline + 0.5) * sighting.scale - 0.5) * 16.0).astype(np.int32)
        cv2.fillPoly(mask, [corners], 1.0, shift=4)
        return replace(
            sighting,
            proposals=proposals,
            die_map=sighting.die_map * mask,
            thing_map=sighting.thing_map * mask,
        )

    def find_at_wall(self, faces: Sequence[Face]) -> list[Face]:
        """Return the faces that reach beyond the wall: their dice are not where they seem."""
        inner = ((face, face.scaled_corners(INNER)) for face in faces)
        return [face for face, corners in inner if measure_insets(self.outline, corners).min() < 0]

    def loosen_feet(self, faces: Sequence[Face]) -> list[Face]:
        """Return the faces with larger errors of the feet near the wall, which bends the light."""
        return [
            replace(face, foot_error=float(np.hypot(face.foot_error, _WALL_ERROR)))
            if measure_insets(self.outline, face.center[None])[0] < _WALL_EDGES * face.edge_px
            else face
            for face in faces
        ]
