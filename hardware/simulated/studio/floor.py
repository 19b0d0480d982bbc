# SPDX-License-Identifier: MIT
"""
What lies under and around the dice as the camera sees it: felt, shadows, rails, table.

The felt is a texture laid under the camera by a homography. Light without shadows changes
slowly, so it is reckoned on a coarse grid; shadows only where a body can cast them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio.body import Body, Scene
from hardware.simulated.studio.light import Lamp, arm_shadow, matt, mirrored
from hardware.simulated.studio.solid import hemmed_by, shade_by
from hardware.simulated.studio.tray import Tray
from hardware.simulated.studio.view import View

Array = NDArray[np.float32]
COARSE = 8
MOST_TEXTURE_PX = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """
    A square piece of the felt's plane that a texture covers.

    Attributes:
        origin: Its corner of least x and y, (2,).
        side: In edges.
        side_px: In texture pixels.
    """

    origin: NDArray[np.float64]
    side: float
    side_px: int

    def to_texture(self, plane: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points (n, 2) of the plane lie in the texture."""
        return np.asarray((plane - self.origin) * (self.side_px / self.side))

    def to_picture(self, view: View) -> NDArray[np.float64]:
        """Return the homography (3, 3) from texture pixels into the picture."""
        scale = self.side / self.side_px
        lay = np.array([[scale, 0, self.origin[0]], [0, scale, self.origin[1]], [0, 0, 1.0]])
        return np.asarray(view.plane_to_picture() @ lay)


def sheet_under(view: View) -> Sheet:
    """Return the piece of felt that the camera sees, as fine as the picture shows it."""
    shown = view.shown_ground()
    low, high = shown.min(0), shown.max(0)
    side = float(np.clip((high - low).max(), 1, 2.2 * max(view.size_wh) / view.edge_px))
    origin = (low + high) / 2 - side / 2
    return Sheet(origin, side, min(int(side * view.edge_px) + 8, MOST_TEXTURE_PX))


def laid(texture: Array, sheet: Sheet, view: View) -> Array:
    """Return a texture (s, s, c) as the camera sees it on the felt, (h, w, c)."""
    return np.asarray(
        cv2.warpPerspective(
            texture,
            sheet.to_picture(view),
            view.size_wh,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        )
    )


def lit_floor(scene: Scene, albedo: Array, gloss: float, roughness: float) -> Array:
    """Return the felt's light (h, w, 3) with all shadows on it; no rail yet."""
    view = scene.view
    wide, high = view.size_wh
    shape = (-(-high // COARSE) + 1, -(-wide // COARSE) + 1)
    points, rays = _plane(view, COARSE, shape, 0.0)
    normals = np.zeros_like(points)
    normals[2] = 1
    shares = [np.ones(points.shape[1], np.float32) for _ in scene.light.lamps]
    unlit = [np.zeros(points.shape[1], np.float32) for _ in scene.light.lamps]
    full = np.ones(points.shape[1], np.float32)
    sky = _sky_map(scene)
    total = _spread(matt(scene.light, points, normals, unlit, full), shape, view) * sky[..., None]
    for number, lamp in enumerate(scene.light.lamps):
        alone = [share if k == number else unlit[k] for k, share in enumerate(shares)]
        with_lamp = matt(scene.light, points, normals, alone, np.zeros_like(full))
        total += _spread(with_lamp, shape, view) * _lamp_map(scene, lamp, number)[..., None]
    total *= albedo
    if gloss:
        shine = mirrored(scene.light, points, normals, rays, shares, gloss, roughness)
        total += _spread(shine, shape, view) * sky[..., None]
    return total


def with_rail(scene: Scene, picture: Array, table: Array) -> Array:
    """Return the floor with the tray's rail and the table (h, w, 3) around it."""
    tray, view = scene.tray, scene.view
    if tray is None:
        return picture
    wide, high = view.size_wh
    on_felt, _ = _plane(view, 1, (high, wide), 0.0)
    on_rim, rays = _plane(view, 1, (high, wide), tray.height)
    soft = np.float32(view.edge_px)
    foot, rim = tray.outside(on_felt[:2]), tray.outside(on_rim[:2])
    thick = np.float32(tray.thickness)
    see_felt = np.clip(0.5 - np.maximum(foot, rim) * soft, 0, 1)
    see_top = np.clip(0.5 - np.maximum(-rim, rim - thick) * soft, 0, 1)
    see_table = np.clip(0.5 + np.minimum(rim, foot) * soft - thick * soft, 0, 1)
    see_wall = np.clip(1 - see_felt - see_top - see_table, 0, 1)
    top, wall = _rail_colours(scene, tray, on_rim, on_felt, rim, rays)
    flat = picture.reshape(-1, 3).T * see_felt + table.reshape(-1, 3).T * see_table
    flat += top * see_top + wall * see_wall
    return np.ascontiguousarray(flat.T.reshape(high, wide, 3), dtype=np.float32)


def _rail_colours(
    scene: Scene, tray: Tray, on_rim: Array, on_felt: Array, rim: Array, rays: Array
) -> tuple[Array, Array]:
    """Return the light of the rail's top and of its walls, (3, n) each, coarsely reckoned."""
    up = np.zeros((3, on_rim.shape[1]), np.float32)
    up[2] = 1
    open_sky = np.ones(on_rim.shape[1], np.float32)
    shares = [open_sky for _ in scene.light.lamps]
    colour = tray.colour * matt(scene.light, on_rim, up, shares, open_sky)
    colour += mirrored(scene.light, on_rim, up, rays, shares, float(tray.gloss), 0.2)
    facing = tray.inward(on_felt[:2]) * np.where(rim < tray.thickness / 2, 1, -1)
    wall = tray.colour * matt(
        scene.light, on_rim, facing.astype(np.float32), shares, open_sky * 0.7
    )
    return colour, wall


def _plane(view: View, step: int, shape: tuple[int, int], height: float) -> tuple[Array, Array]:
    """Return points (3, n) of a plane under a grid of pixels, and the rays to them."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) * step
    rays = view.rays(columns.reshape(-1), rows.reshape(-1))
    eye = view.position.astype(np.float32)[:, None]
    return eye + rays * ((np.float32(height) - eye[2]) / rays[2]), rays


def _spread(coarse: Array, shape: tuple[int, int], view: View) -> Array:
    """Return a coarse field (3, n) at every pixel, (h, w, 3)."""
    grid = np.ascontiguousarray(coarse.T.reshape(*shape, 3))
    scale = np.array([[1 / COARSE, 0, 0], [0, 1 / COARSE, 0]], dtype=np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(grid, scale, view.size_wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    )


def _sky_map(scene: Scene) -> Array:
    """Return how much of the sky every pixel of the felt sees past the bodies, (h, w)."""
    wide, high = scene.view.size_wh
    left = np.ones((high, wide), dtype=np.float32)
    for body in scene.bodies:
        corners = body.pose.corners()
        low = corners.min(1) - 0.75
        upper = corners.max(1) + 0.75
        square = np.array([[low[0], upper[0]] * 2, [low[1]] * 2 + [upper[1]] * 2, [0] * 4])
        _multiply(scene.view, left, square, _Hemmed(body))
    if scene.tray is not None:
        left *= _hemmed_by_rail(scene.tray, scene.view)
    return left


def _hemmed_by_rail(tray: Tray, view: View) -> Array:
    wide, high = view.size_wh
    shape = (-(-high // COARSE) + 1, -(-wide // COARSE) + 1)
    points, _ = _plane(view, COARSE, shape, 0.0)
    away = np.maximum(-tray.outside(points[:2]), 0) / np.float32(tray.height)
    left = 1 - 0.45 / (1 + 2 * away * away)
    return _spread(np.tile(left, (3, 1)).astype(np.float32), shape, view)[..., 0]


def _lamp_map(scene: Scene, lamp: Lamp, number: int) -> Array:
    """Return how much of one lamp reaches every pixel of the felt, (h, w)."""
    wide, high = scene.view.size_wh
    left = np.ones((high, wide), dtype=np.float32)
    for body in scene.bodies:
        corners = body.pose.corners()
        from_lamp = corners - lamp.position[:, None]
        cast = corners + from_lamp * (corners[2] / np.maximum(lamp.position[2] - corners[2], 0.5))
        cast[2] = 0
        blur = lamp.width * np.linalg.norm(cast - corners, axis=0).max()
        cast = np.concatenate([cast - blur, cast + blur, corners], axis=1)
        cast[2] = 0
        _multiply(scene.view, left, cast, _Shaded(body, lamp))
    if scene.tray is not None or (number == 0 and scene.light.arm is not None):
        points, _ = _plane(scene.view, 1, (high, wide), 0.0)
        if scene.tray is not None:
            left *= scene.tray.lets_through(lamp, points).reshape(high, wide)
        if number == 0:
            left *= arm_shadow(scene.light.arm, points).reshape(high, wide)
    return left


@dataclass(frozen=True, slots=True, eq=False)
class _Hemmed:
    """What a body leaves of the sky over points of the felt."""

    body: Body

    def at(self, points: Array) -> Array:
        """Return it at points (3, n)."""
        up = np.zeros_like(points)
        up[2] = 1
        return hemmed_by(self.body.solid, points, up)


@dataclass(frozen=True, slots=True, eq=False)
class _Shaded:
    """What a body leaves of a lamp over points of the felt."""

    body: Body
    lamp: Lamp

    def at(self, points: Array) -> Array:
        """Return it at points (3, n); a clear body lets some of the light through."""
        way, _ = self.lamp.towards(points)
        share = shade_by(self.body.solid, points, way, self.lamp.width)
        through = np.float32(0.4 * self.body.material.clearness)
        return np.asarray(share + (1 - share) * through, dtype=np.float32)


def _multiply(
    view: View, left: Array, corners: NDArray[np.float64], field: _Hemmed | _Shaded
) -> None:
    """Multiply a map (h, w) in place by a field, only around points (3, n) of the felt."""
    spots = view.project(corners)
    low = np.maximum(np.floor(spots.min(0)).astype(int) - 2, 0)
    upper = np.minimum(np.ceil(spots.max(0)).astype(int) + 3, view.size_wh)
    if (upper <= low).any():
        return
    size = upper - low
    step = max(1, int(view.edge_px / 28))
    shape = (int(-(-size[1] // step)) + 1, int(-(-size[0] // step)) + 1)
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) * step
    rays = view.rays(columns.reshape(-1) + low[0], rows.reshape(-1) + low[1])
    eye = view.position.astype(np.float32)[:, None]
    share = field.at(eye - rays * (eye[2] / rays[2])).reshape(shape)
    if step > 1:
        scale = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        share = cv2.warpAffine(share, scale, tuple(int(n) for n in size), flags=flags)
    left[low[1] : upper[1], low[0] : upper[0]] *= share[: size[1], : size[0]]
