# SPDX-License-Identifier: MIT
"""
Render the ground as the camera sees it: felt, shadows, rail and table.

The felt is a texture that a homography maps into the picture. Light without shadows changes
slowly, so it is computed on a coarse grid, and shadows only where a body can cast them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scene_dice.solid import lamp_past, sky_past
from vision.training.scenes.body import Body, SceneModel, render_body
from vision.training.scenes.light import Lamp, arm_visibility, diffuse_light, specular_light
from vision.training.scenes.tray import Tray
from vision.training.scenes.view import View

Array = NDArray[np.float32]
COARSE = 8
MOST_TEXTURE_PX = 1024


@dataclass(frozen=True, slots=True, eq=False)
class TexturedSquare:
    """A square of the felt's plane that a texture covers; its first row has the largest y."""

    origin: NDArray[np.float64]  # Its corner with the smallest x and y, (2,).
    side: float  # In edges.
    side_px: int  # In texture pixels.

    def to_texture(self, plane: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the texture pixels of points (n, 2) of the plane."""
        from_top_left = (plane - self.origin) * [1, -1] + [0, self.side]
        return np.asarray(from_top_left * (self.side_px / self.side))

    def to_plane(self, texture: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points of the plane of texture pixels (n, 2)."""
        from_top_left = texture * (self.side / self.side_px)
        return np.asarray((from_top_left - [0, self.side]) * [1, -1] + self.origin)

    def to_picture(self, view: View) -> NDArray[np.float64]:
        """Return the homography (3, 3) from texture pixels into the picture."""
        scale = self.side / self.side_px
        top = self.origin[1] + self.side
        lay = np.array([[scale, 0, self.origin[0]], [0, -scale, top], [0, 0, 1.0]])
        return np.asarray(view.plane_to_picture() @ lay)


def find_visible_square(view: View) -> TexturedSquare:
    """Return the square of felt that the camera sees, with the picture's resolution."""
    shown = view.shown_ground()
    low, high = shown.min(0), shown.max(0)
    side = float(np.clip((high - low).max(), 1, 2.2 * max(view.size_wh) / view.edge_px))
    origin = (low + high) / 2 - side / 2
    return TexturedSquare(origin, side, min(int(side * view.edge_px) + 8, MOST_TEXTURE_PX))


def project_texture(texture: Array, sheet: TexturedSquare, view: View) -> Array:
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


def light_ground(scene: SceneModel, albedo: Array, gloss: float, roughness: float) -> Array:
    """Return the felt's light (h, w, 3) with all shadows, without the rail."""
    view = scene.view
    shape = _coarse_shape(view)
    points, rays = _plane_with_rays(view, COARSE, shape, 0.0)
    normals = np.zeros_like(points)
    normals[2] = 1
    shares = [np.ones(points.shape[1], np.float32) for _ in scene.light.lamps]
    unlit = [np.zeros(points.shape[1], np.float32) for _ in scene.light.lamps]
    full = np.ones(points.shape[1], np.float32)
    sky = _map_sky(scene)
    total = (
        _upsample(diffuse_light(scene.light, points, normals, unlit, full), shape, view)
        * sky[..., None]
    )
    for number, lamp in enumerate(scene.light.lamps):
        alone = [share if k == number else unlit[k] for k, share in enumerate(shares)]
        with_lamp = diffuse_light(scene.light, points, normals, alone, np.zeros_like(full))
        total += _upsample(with_lamp, shape, view) * _map_lamp(scene, lamp, number)[..., None]
    total *= albedo
    if gloss:
        shine = specular_light(scene.light, points, normals, rays, shares, gloss, roughness)
        total += _upsample(shine, shape, view) * sky[..., None]
    return total


def add_reflections(scene: SceneModel, picture: Array, strength: float) -> None:
    """Add reflections of the bodies in a polished ground, in place; 1 is a perfect mirror."""
    view = scene.view
    flip = np.array([1.0, 1.0, -1.0])
    below = replace(view, axes=view.axes * flip, position=view.position * flip)
    mirror = replace(scene, view=below, tray=None)
    for which in range(len(scene.bodies)):
        look = render_body(mirror, which)
        share = (look.cover * np.float32(strength))[:, None]
        under = picture[look.y_px, look.x_px]
        picture[look.y_px, look.x_px] = under * (1 - share) + look.colour.T * share


def add_rail(scene: SceneModel, picture: Array, table: Array) -> Array:
    """Return the ground with the tray's rail and the table (h, w, 3), whose grain it gets."""
    tray, view = scene.tray, scene.view
    if tray is None:
        return picture
    wide, high = view.size_wh
    on_felt = _plane_points(view, 1, (high, wide), 0.0)
    on_rim = _plane_points(view, 1, (high, wide), tray.height)
    soft = np.float32(view.edge_px)
    foot, rim = tray.outside(on_felt[:2]), tray.outside(on_rim[:2])
    thick = np.float32(tray.thickness)
    see_felt = np.clip(0.5 - np.maximum(foot, rim) * soft, 0, 1)
    see_top = np.clip(0.5 - np.maximum(-rim, rim - thick) * soft, 0, 1)
    see_table = np.clip(0.5 + np.minimum(rim, foot) * soft - thick * soft, 0, 1)
    see_wall = np.clip(1 - see_felt - see_top - see_table, 0, 1)
    flat = picture * see_felt.reshape(high, wide, 1) + table * see_table.reshape(high, wide, 1)
    grain = table.sum(2, keepdims=True)
    grain = np.clip(0.4 + 0.6 * grain / max(float(grain.mean()), 1e-4), 0.4, 1.6)
    flat += _light_rail_top(scene, tray) * grain * see_top.reshape(high, wide, 1)
    walls = np.flatnonzero(see_wall > 0)
    on_wall = _light_walls(scene, tray, on_rim[:, walls], on_felt[:2, walls], rim[walls])
    flat.reshape(-1, 3)[walls] += (on_wall * see_wall[walls]).T
    return np.asarray(flat, dtype=np.float32)


def find_visible_felt(scene: SceneModel) -> NDArray[np.bool_]:
    """Return which pixels show the felt past the rail, without bodies, (h, w)."""
    wide, high = scene.view.size_wh
    if scene.tray is None:
        return np.ones((high, wide), dtype=bool)
    foot = scene.tray.outside(_plane_points(scene.view, 1, (high, wide), 0.0)[:2])
    rim = scene.tray.outside(_plane_points(scene.view, 1, (high, wide), scene.tray.height)[:2])
    return np.asarray(np.maximum(foot, rim) < 0).reshape(high, wide)


def _light_rail_top(scene: SceneModel, tray: Tray) -> Array:
    """Return the light of the rail's top (h, w, 3)."""
    shape = _coarse_shape(scene.view)
    points, rays = _plane_with_rays(scene.view, COARSE, shape, tray.height)
    up = np.zeros_like(points)
    up[2] = 1
    open_sky = np.ones(points.shape[1], np.float32)
    shares = [open_sky for _ in scene.light.lamps]
    colour = tray.colour * diffuse_light(scene.light, points, up, shares, open_sky)
    colour += specular_light(scene.light, points, up, rays, shares, float(tray.gloss), 0.2)
    return _upsample(colour, shape, scene.view)


def _light_walls(scene: SceneModel, tray: Tray, points: Array, foot: Array, rim: Array) -> Array:
    """Return the light of the rail's walls (3, n) above points `foot` (2, n) of the felt."""
    facing = tray.inward(foot) * np.where(rim < tray.thickness / 2, 1, -1)
    open_sky = np.full(points.shape[1], 0.7, np.float32)
    shares = [open_sky for _ in scene.light.lamps]
    return tray.colour * diffuse_light(
        scene.light, points, facing.astype(np.float32), shares, open_sky
    )


def _coarse_shape(view: View) -> tuple[int, int]:
    return -(-view.size_wh[1] // COARSE) + 1, -(-view.size_wh[0] // COARSE) + 1


def _plane_points(view: View, step: int, shape: tuple[int, int], height: float) -> Array:
    """Return the points (3, n) of a plane under a grid of pixels."""
    across, down, ahead = view.axes.astype(np.float32)
    x = (np.arange(shape[1], dtype=np.float32) * step - view.middle_px[0]) / view.focal_px
    y = (np.arange(shape[0], dtype=np.float32) * step - view.middle_px[1]) / view.focal_px
    eye = view.position.astype(np.float32)
    sink = [
        (across[k] * x[None, :] + (down[k] * y[:, None] + ahead[k])).astype(np.float32)
        for k in range(3)
    ]
    reach = (np.float32(height) - eye[2]) / sink[2]
    points = np.empty((3, *shape), dtype=np.float32)
    points[0] = eye[0] + sink[0] * reach
    points[1] = eye[1] + sink[1] * reach
    points[2] = height
    return points.reshape(3, -1)


def _plane_with_rays(
    view: View, step: int, shape: tuple[int, int], height: float
) -> tuple[Array, Array]:
    """Return points (3, n) of a plane under a grid of pixels, and the rays to them."""
    points = _plane_points(view, step, shape, height)
    rays = points - view.position.astype(np.float32)[:, None]
    return points, np.asarray(rays / np.sqrt(np.einsum("ij,ij->j", rays, rays)))


def _upsample(coarse: Array, shape: tuple[int, int], view: View) -> Array:
    """Return a coarse field (3, n) interpolated to every pixel, (h, w, 3)."""
    grid = np.ascontiguousarray(coarse.T.reshape(*shape, 3))
    scale = np.array([[1 / COARSE, 0, 0], [0, 1 / COARSE, 0]], dtype=np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(grid, scale, view.size_wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    )


def _map_sky(scene: SceneModel) -> Array:
    """Return the visible share of the sky at every pixel of the felt, (h, w)."""
    wide, high = scene.view.size_wh
    left = np.ones((high, wide), dtype=np.float32)
    for body in scene.bodies:
        corners = body.pose.corners()
        low = corners.min(1) - 0.75
        upper = corners.max(1) + 0.75
        square = np.array([[low[0], upper[0]] * 2, [low[1]] * 2 + [upper[1]] * 2, [0] * 4])
        _multiply_around(scene.view, left, square, partial(_sky_past, body))
    if scene.tray is not None:
        left *= _sky_past_rail(scene.tray, scene.view)
    return left


def _sky_past_rail(tray: Tray, view: View) -> Array:
    shape = _coarse_shape(view)
    points, _ = _plane_with_rays(view, COARSE, shape, 0.0)
    away = np.maximum(-tray.outside(points[:2]), 0) / np.float32(tray.height)
    left = 1 - 0.45 / (1 + 2 * away * away)
    return _upsample(np.tile(left, (3, 1)).astype(np.float32), shape, view)[..., 0]


def _map_lamp(scene: SceneModel, lamp: Lamp, number: int) -> Array:
    """Return the share of one lamp that reaches every pixel of the felt, (h, w)."""
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
        _multiply_around(scene.view, left, cast, partial(_lamp_past, body, lamp))
    if scene.tray is not None or (number == 0 and scene.light.arm is not None):
        left *= _map_large_shadows(scene, lamp, number)
    return left


def _map_large_shadows(scene: SceneModel, lamp: Lamp, number: int) -> Array:
    """Return the share of a lamp past the rail and an arm, (h, w)."""
    wide, high = scene.view.size_wh
    shape = (-(-high // 2), -(-wide // 2))
    points = _plane_points(scene.view, 2, shape, 0.0)
    left = np.ones(points.shape[1], dtype=np.float32)
    if scene.tray is not None:
        left *= scene.tray.lets_through(lamp, points)
    if number == 0:
        left *= arm_visibility(scene.light.arm, points)
    return np.asarray(cv2.resize(left.reshape(shape), (wide, high)))


def _sky_past(body: Body, points: Array) -> Array:
    """Return the share of the sky past a body over points (3, n) of the felt, (n,)."""
    up = np.zeros_like(points)
    up[2] = 1
    return sky_past(body.solid, points, up)


def _lamp_past(body: Body, lamp: Lamp, points: Array) -> Array:
    """Return the share of a lamp past or through a body at points (3, n) of the felt, (n,)."""
    direction, _ = lamp.towards(points)
    share = lamp_past(body.solid, points, direction, lamp.width)
    through = np.float32(0.4 * body.material.clearness)
    return np.asarray(share + (1 - share) * through, dtype=np.float32)


def _multiply_around(
    view: View, left: Array, corners: NDArray[np.float64], field: Callable[[Array], Array]
) -> None:
    """Multiply a map (h, w) in place by a field around points (3, n) of the felt."""
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
    share = field(eye - rays * (eye[2] / rays[2])).reshape(shape)
    if step > 1:
        scale = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        share = np.asarray(cv2.warpAffine(share, scale, (int(size[0]), int(size[1])), flags=flags))
    left[low[1] : upper[1], low[0] : upper[0]] *= share[: size[1], : size[0]]
