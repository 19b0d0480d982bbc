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

from vision.face import Face, Floats
from vision.nets.finder import Sighting
from vision.params import DomeParams
from vision.reading import DomeFoot
from vision.tray_map import TrayMap


@dataclass(frozen=True, slots=True, eq=False)
class DomeRegion:
    """The part of a picture in which top faces of dice under a dome may be."""

    foot: DomeFoot
    outline: NDArray[np.float32]  # The outline of that part, in pixels, (n, 2), float32.
    params: DomeParams

    @classmethod
    def of(cls, foot: DomeFoot, tray: TrayMap | None, params: DomeParams) -> DomeRegion:
        """Return the region of a dome."""
        outline, center = np.array(foot.outline_px), np.array(foot.center_px)
        if tray is not None:
            outline = np.concatenate([outline, tray.tops_to_px(tray.to_mm(outline))])
        reach = 1.0 + (params.error if tray is not None else params.error_unmapped)
        hull = cv2.convexHull((center + (outline - center) * reach).astype(np.float32))
        return cls(foot, np.asarray(hull.reshape(-1, 2), np.float32), params)

    def keep_inside(self, sighting: Sighting) -> Sighting:
        """Return what the finder saw under the dome, without what is too large to be a die."""
        radius_px = float(np.sqrt(cv2.contourArea(self.outline) / np.pi))
        proposals = tuple(
            one
            for one in sighting.proposals
            if one.edge_px < self.params.most_edge * 2.0 * radius_px
            and self._inset(one.center[None])[0] >= 0.0
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

    def find_at_wall(self, faces: Sequence[Face], rounding: float) -> list[Face]:
        """
        Return the faces that reach beyond the wall: their dice are not where they seem.

        `rounding` is the share of the way from a face's middle to its corner that may reach beyond.
        """
        return [
            face
            for face in faces
            if (
                self._inset(face.center + (face.corners - face.center) * (1.0 - rounding)) < 0
            ).any()
        ]

    def loosen_feet(self, faces: Sequence[Face]) -> list[Face]:
        """Return the faces with larger errors of the feet near the wall, which bends the light."""
        params = self.params
        return [
            replace(face, foot_error=float(np.hypot(face.foot_error, params.wall_error)))
            if self._inset(face.center[None])[0] < params.wall_edges * face.edge_px
            else face
            for face in faces
        ]

    def _inset(self, places_px: Floats) -> Floats:
        """Return how far inside these pixels are; negative outside, (n,)."""
        return np.array(
            [cv2.pointPolygonTest(self.outline, (x, y), True) for x, y in places_px.tolist()]
        )
