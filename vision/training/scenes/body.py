# SPDX-License-Identifier: MIT
"""
Render one body of the scene (die, block, domino, marble) as the camera sees it.

Every pixel is lit by the lamps past the other bodies, by the visible sky, and by the felt. A
drilled pip is a bowl: its normals lean towards its middle, so it is bright on the side away from
the lamp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.training.scene_dice.materials import (
    Material,
    add_haze,
    sample_body_albedo,
    sample_wear,
    shade_pips,
)
from vision.training.scene_dice.pips import Pips, find_nearest_pip
from vision.training.scene_dice.solid import (
    SKY_REACH,
    Hits,
    Solid,
    lamp_past,
    sky_past,
    trace_rays,
)
from vision.training.scenes.light import (
    Lamp,
    Lighting,
    arm_visibility,
    diffuse_light,
    specular_light,
)
from vision.training.scenes.poses import BoxPose
from vision.training.scenes.tray import Tray
from vision.training.scenes.view import View

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LampImage:
    """The image of a lamp in a die's upper face: a bright disc that looks like a light pip."""

    at: tuple[float, float]  # Its middle on the face, in edges.
    radius: float  # In edges.
    softness: float  # Width of its rim, in edges.
    light: float  # Its light; 1 is paper in full light.


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A pose with a shape, pips and a material; `pip_albedo` is (6, 3)."""

    pose: BoxPose
    solid: Solid
    pips: Pips
    pip_albedo: Array
    material: Material
    image: LampImage | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SceneModel:
    """Everything that the camera sees."""

    view: View
    light: Lighting
    tray: Tray | None
    bodies: tuple[Body, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BodyPixels:
    """The pixels of one body in the picture."""

    x_px: NDArray[np.intp]  # Their columns, (n,).
    y_px: NDArray[np.intp]  # Their rows, (n,).
    colour: Array  # Linear light, (3, n).
    cover: Array  # Share of each pixel that the body covers, (n,).
    on_top: NDArray[np.bool_]  # Whether the pixel shows its upper face, (n,).
    pip: Array  # Share of the pixel that is pip, (n,).
    through: Array  # Share of the light that comes from behind the body, (n,).


def render_body(scene: SceneModel, which: int) -> BodyPixels:
    """Return the pixels of body `which`, as if no other body hid it."""
    body, view = scene.bodies[which], scene.view
    x_px, y_px = _box_pixels(view, body.pose)
    rays = view.rays(x_px.astype(np.float32), y_px.astype(np.float32))
    eye = view.position.astype(np.float32)
    distance = float(np.linalg.norm(eye - body.solid.center))
    pixel = distance / view.focal_px
    hits = trace_rays(body.solid, eye, rays, pixel)
    points = eye[:, None] + rays[:, hits.index] * hits.depth
    seen = _is_before_rail(scene, points)
    hits = Hits(hits.index[seen], hits.local[:, seen], hits.depth[seen], hits.cover[seen])
    points, rays = points[:, seen], rays[:, hits.index]
    colour, on_top, pip = _shade(scene, which, hits, points, rays, pixel)
    through = np.float32(body.material.finish.through) * (1 - pip)
    return BodyPixels(x_px[hits.index], y_px[hits.index], colour, hits.cover, on_top, pip, through)


def lamp_visibility(scene: SceneModel, points: Array, skip: int | None = None) -> list[Array]:
    """Return how much of each lamp reaches points (3, n) past all bodies but `skip`."""
    shares = []
    middle, reach = _enclose(points)
    for number, lamp in enumerate(scene.light.lamps):
        direction, _ = lamp.towards(points)
        share = np.ones(points.shape[1], dtype=np.float32)
        for other, body in enumerate(scene.bodies):
            if other != skip and _may_shade(body.solid, lamp, middle, reach):
                share *= lamp_past(body.solid, points, direction, lamp.width)
        if scene.tray is not None:
            share *= scene.tray.lets_through(lamp, points)
        if number == 0:
            share *= arm_visibility(scene.light.arm, points)
        shares.append(share)
    return shares


def _enclose(points: Array) -> tuple[Array, float]:
    """Return a ball around points (3, n): its middle (3,), and its radius."""
    if not points.shape[1]:
        return np.zeros(3, np.float32), 0.0
    low, high = points.min(1), points.max(1)
    return (low + high) / 2, float(np.linalg.norm(high - low)) / 2


def _may_shade(solid: Solid, lamp: Lamp, middle: Array, reach: float) -> bool:
    """Return whether a solid may be between a lamp and a ball; most are not, and this is fast."""
    way = lamp.position - middle
    far = math.sqrt(way @ way)
    if far <= 2 * reach:
        return True
    away = solid.center - middle
    along = float(away @ way) / far
    aside = math.sqrt(max(float(away @ away) - along * along, 0.0))
    both = solid.reach() + reach
    return along > -both - 0.3 and aside < both + (lamp.width + reach / (far - reach)) * (
        abs(along) + both
    )


def _box_pixels(view: View, pose: BoxPose) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    corners = view.project(pose.corners())
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, view.size_wh)
    rows, columns = np.mgrid[low[1] : max(high[1], low[1]), low[0] : max(high[0], low[0])]
    return columns.reshape(-1), rows.reshape(-1)


def _is_before_rail(scene: SceneModel, points: Array) -> NDArray[np.bool_]:
    if scene.tray is None:
        return np.ones(points.shape[1], dtype=bool)
    eye = scene.view.position.astype(np.float32)[:, None]
    climb = np.maximum(scene.tray.height - points[2], 0) / (eye[2] - points[2])
    crossing = points + (eye - points) * climb
    return np.asarray((climb <= 0) | (scene.tray.outside(crossing[:2]) < 0))


def _shade(
    scene: SceneModel, which: int, hits: Hits, points: Array, rays: Array, pixel: float
) -> tuple[Array, NDArray[np.bool_], Array]:
    """Return a body's light (3, n), which points are on top, and the share of pip."""
    body = scene.bodies[which]
    solid, made = body.solid, body.material
    face, on_face = _locate_on_faces(hits.local, solid.half)
    own_normal = solid.normal(hits.local)
    slant = _ray_slant(solid.rotation.T @ rays, face)
    area = _shade_pips(body, face, on_face, slant, pixel)
    paint, depth = area.paint, area.depth
    own_normal = _lean_normals(own_normal, face, on_face * np.float32(made.bulge * 2) + area.lean)
    normals = (solid.rotation @ own_normal).astype(np.float32)
    albedo = sample_body_albedo(made, face, on_face)
    if made.clearness:
        albedo = albedo + _show_far_pips(body, hits.local, rays, albedo)
    pip_colour = body.pip_albedo[face].T * area.factor + area.added
    albedo = albedo * (1 - paint) + pip_colour * paint
    albedo = add_haze(made.finish, albedo, points - solid.center[:, None])
    shares = lamp_visibility(scene, points, skip=which)
    sky = _sky_visibility(scene, which, points, normals) * (1 - depth)
    lit = diffuse_light(scene.light, points, normals, shares, sky)
    if made.clearness:
        lit = _add_glow(scene, made, points - solid.center[:, None], lit)
    gloss = np.float32(made.gloss) * (1 - 0.5 * depth)
    roughness = made.roughness + _highlight_spread(solid.normal(hits.local), pixel / solid.rounding)
    shine = specular_light(scene.light, points, normals, rays, shares, gloss, roughness)
    on_top = face == body.pose.upper_face()
    if body.image is not None:
        shine = shine + on_top * _mirror_lamp(body.image, on_face, pixel)
    return np.asarray(albedo * lit + shine, dtype=np.float32), on_top, paint


def _mirror_lamp(image: LampImage, on_face: Array, pixel: float) -> Array:
    """Return the light of a lamp's image at points on its face (2, n), (n,)."""
    off = np.hypot(on_face[0] - image.at[0], on_face[1] - image.at[1])
    soft = np.float32(max(image.softness, pixel))
    return np.asarray(image.light * np.clip((image.radius - off) / soft + 0.5, 0, 1), np.float32)


def _locate_on_faces(local: Array, half: Array) -> tuple[NDArray[np.intp], Array]:
    """Return the face (n,) of points (3, n), and their positions on it (2, n)."""
    axis = (np.abs(local) - half[:, None]).argmax(0)
    columns = np.arange(local.shape[1])
    on_face = np.stack([local[(axis + 1) % 3, columns], local[(axis + 2) % 3, columns]])
    return 2 * axis + (local[axis, columns] < 0), on_face


def _highlight_spread(own_normal: Array, turn: float) -> Array:
    """Return how much rounded edges spread their highlights, in radians per pixel, (n,)."""
    is_round = np.abs(own_normal).max(0) < 0.995
    return np.asarray(is_round * np.float32(min(0.4 * turn, 0.5)), dtype=np.float32)


def _ray_slant(own_rays: Array, face: NDArray[np.intp]) -> Array:
    """Return how far rays go along their faces per unit of depth, (2, n)."""
    axis, columns = face // 2, np.arange(len(face))
    sinking = np.maximum(np.abs(own_rays[axis, columns]), np.float32(0.08))
    along = [own_rays[(axis + 1) % 3, columns], own_rays[(axis + 2) % 3, columns]]
    return np.asarray(np.stack(along) / sinking, dtype=np.float32)


def _lean_normals(normal: Array, face: NDArray[np.intp], lean: Array) -> Array:
    """Return normals (3, n) tilted by (2, n) along their face's two directions."""
    columns = np.arange(normal.shape[1])
    leaning = normal.copy()
    axis = face // 2
    leaning[(axis + 1) % 3, columns] += lean[0]
    leaning[(axis + 2) % 3, columns] += lean[1]
    return np.asarray(leaning / np.sqrt(np.einsum("ij,ij->j", leaning, leaning)))


@dataclass(frozen=True, slots=True, eq=False)
class _PipArea:
    """The effect of pips at points of a body."""

    paint: Array  # Share of the point that is pip, (n,).
    lean: Array  # Tilt of its normal along the face's two directions, (2, n).
    depth: Array  # Its depth, (n,).
    factor: Array  # Factor on the pip's albedo, (n,).
    added: Array  # Albedo added to it, (n,).


def _shade_pips(
    body: Body, face: NDArray[np.intp], on_face: Array, slant: Array, pixel: float
) -> _PipArea:
    """Return that effect; `slant` (2, n) is how far a ray goes along the face for each depth."""
    made = body.material
    offset, length, radius = find_nearest_pip(body.pips, face, on_face)
    squareness = np.float32(made.square)
    span = length * (1 - squareness) + np.abs(offset).max(0) * squareness
    outward = offset / np.maximum(length, 1e-5)
    stretch = np.sqrt(1 + np.einsum("ij,ij->j", outward, slant) ** 2)
    # A pixel covers more of a face at a low angle.
    soft = np.maximum(np.float32(pixel) * stretch, np.float32(made.pip_blur))
    inside = np.clip((radius - span) / soft + 0.5, 0, 1).astype(np.float32)
    along = np.minimum(length / radius, 1)
    lean = -np.float32(made.bowl) * inside * along * outward
    depth = inside * (1 - 0.6 * along) * np.float32(0.45 * np.clip(made.bowl, 0, 1))
    paint = inside * sample_wear(made, face, on_face) if made.wear else inside
    factor, added = shade_pips(made.finish, along, offset / radius)
    return _PipArea(paint, lean, depth, factor, added)


def _sky_visibility(scene: SceneModel, which: int, points: Array, normals: Array) -> Array:
    """Return the visible share of the sky over points of a body, past felt and neighbours."""
    near_felt = np.clip(points[2] / 0.5, 0, 1)
    left = 0.55 + 0.45 * np.maximum(near_felt, normals[2])
    middle, reach = _enclose(points)
    for other, body in enumerate(scene.bodies):
        far = float(np.linalg.norm(body.solid.center - middle))
        if other != which and far < body.solid.reach() + SKY_REACH + reach:
            left = left * sky_past(body.solid, points, normals)
    return np.asarray(left, dtype=np.float32)


def _show_far_pips(body: Body, local: Array, rays: Array, albedo: Array) -> Array:
    own_rays = body.solid.rotation.T @ rays
    inward = own_rays - 0.55 * body.solid.normal(local)
    inward = inward / np.sqrt(np.einsum("ij,ij->j", inward, inward))
    half = body.solid.half[:, None]
    leave = ((np.sign(inward) * half - local) / np.where(inward == 0, 1e-6, inward)).min(0)
    face, on_face = _locate_on_faces(local + inward * leave, body.solid.half)
    _, length, radius = find_nearest_pip(body.pips, face, on_face)
    ghost = np.clip((radius - length) / 0.1 + 0.6, 0, 1) * np.float32(0.3 * body.material.clearness)
    return np.asarray((body.pip_albedo[face].T - albedo) * ghost, dtype=np.float32)


def _add_glow(scene: SceneModel, made: Material, from_middle: Array, lit: Array) -> Array:
    """Return the light on a clear body: smoothed, and brightest away from the first lamp."""
    lamp = scene.light.lamps[0]
    direction = lamp.position / np.linalg.norm(lamp.position)
    far_side = np.clip(0.5 - (direction @ from_middle) * 0.9, 0, 1)
    inner = lamp.colour * (0.35 + 0.5 * far_side) + scene.light.sky * 0.8
    return np.asarray(lit + (inner - lit) * np.float32(0.6 * made.clearness), dtype=np.float32)
