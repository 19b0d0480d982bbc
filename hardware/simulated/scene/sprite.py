# SPDX-License-Identifier: MIT
"""
Draw one die as the camera sees it, and its shadow.

A die is a cube with rounded edges, as a mesh of small flat pieces. The visible pieces are lit one
by one and drawn at three times the resolution, then the pips of the visible faces. Scaling down
makes edges smooth.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.placement import FELT_WH_MM
from hardware.simulated.pose import (
    DIE_EDGE_MM,
    ROUNDING_MM,
    DieKind,
    DiePose,
    Vector,
    face_axes,
    face_normal,
)
from hardware.simulated.scene.lamp import (
    LAMP_MM,
    LAMP_RADIUS_MM,
    diffuse_light,
    shadow_mm,
    specular_light,
)
from hardware.simulated.scene.lens import Lens

_FINER = 3
_SUBPIXEL_BITS = 4
_HALF_MM = DIE_EDGE_MM / 2.0
_INNER_MM = _HALF_MM - ROUNDING_MM

_PIP_RADIUS_MM = 1.5
_PIP_STEP_MM = 4.0
_PIP_PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Sprite:
    """A small picture to draw onto another one."""

    x_px: int  # Column of its left edge.
    y_px: int  # Row of its upper edge.
    bgr: NDArray[np.uint8]  # Shape (n, m, 3), uint8, already multiplied by its opacity.
    passes: NDArray[np.uint8]  # Shape (n, m, 3), uint8: 255 where it is transparent.

    def lay_over(self, picture: NDArray[np.uint8]) -> None:
        """Draw it onto a picture; parts outside are cut off."""
        high, wide = self.passes.shape[:2]
        top, left = max(self.y_px, 0), max(self.x_px, 0)
        below = picture[top : max(self.y_px + high, 0), left : max(self.x_px + wide, 0)]
        if not below.size:
            return
        rows = slice(top - self.y_px, top - self.y_px + below.shape[0])
        columns = slice(left - self.x_px, left - self.x_px + below.shape[1])
        dimmed = cv2.multiply(below, self.passes[rows, columns], scale=1.0 / 255.0)
        cv2.add(dimmed, self.bgr[rows, columns], dst=below)


@dataclass(frozen=True, slots=True)
class _Paint:
    """Colours of one kind of die: body, pips, and how glossy it is."""

    body_bgr: tuple[float, float, float]
    pip_bgr: tuple[float, float, float]
    gloss: float


_PAINTS = {
    DieKind.WHITE: _Paint((202.0, 216.0, 220.0), (40.0, 34.0, 32.0), 44.0),
    DieKind.BLACK: _Paint((40.0, 36.0, 35.0), (205.0, 216.0, 220.0), 70.0),
}


@dataclass(frozen=True, slots=True)
class _Mesh:
    """Vertices (v, 3) of a rounded cube, its pieces' vertex numbers (q, 4), normals (q, 3)."""

    vertices_mm: Vector
    pieces: NDArray[np.int64]
    normals: Vector


def _rounded_cube() -> _Mesh:
    """Return the mesh: a grid on each face, bent around the edges at its margin."""
    bend = np.linspace(0.0, 1.0, 4) ** 0.8
    margin = _INNER_MM + ROUNDING_MM * bend
    steps = np.concatenate([-margin[::-1], [0.0], margin])
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    count = len(steps)
    first = (np.arange(count - 1)[:, np.newaxis] * count + np.arange(count - 1)).reshape(-1, 1)
    square = first + np.array([0, 1, count + 1, count])
    vertices: list[Vector] = []
    pieces: list[NDArray[np.int64]] = []
    for face in range(1, 7):
        along, across = face_axes(face)
        flat = grid[:, :1] * along + grid[:, 1:] * across + _HALF_MM * face_normal(face)
        inner = np.clip(flat, -_INNER_MM, _INNER_MM)
        outward = flat - inner
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        pieces.append(square + len(grid) * len(vertices))
        vertices.append(inner + ROUNDING_MM * outward)
    all_vertices, all_pieces = np.concatenate(vertices), np.concatenate(pieces)
    corners = all_vertices[all_pieces]
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    return _Mesh(all_vertices, all_pieces, normals / np.linalg.norm(normals, axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class _Pips:
    """The 21 pips: middles and normals (21, 3), and outlines about the middle (21, n, 3)."""

    places_mm: Vector
    normals: Vector
    rings_mm: Vector


def _pips() -> _Pips:
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    ring = _PIP_RADIUS_MM * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    places: list[Vector] = []
    rings: list[Vector] = []
    for face, spots in _PIP_PLACES.items():
        axes = np.stack(face_axes(face))
        for spot in spots:
            on_face = _PIP_STEP_MM * np.array(spot, dtype=np.float64) @ axes
            places.append(_HALF_MM * face_normal(face) + on_face)
            rings.append(ring @ axes)
    normals = [face_normal(face) for face, spots in _PIP_PLACES.items() for _ in spots]
    return _Pips(np.array(places), np.array(normals), np.array(rings))


_MESH = _rounded_cube()
_PIPS = _pips()
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def draw_die(lens: Lens, pose: DiePose, kind: DieKind) -> Sprite:
    outline_px = lens.project(_transform(pose, _MESH.vertices_mm))
    canvas = _Canvas(outline_px)
    paint = _PAINTS[kind]
    falloff = float(lens.brightness(outline_px.mean(axis=0)))
    _fill_body(canvas, lens, pose, paint, falloff)
    _fill_pips(canvas, lens, pose, paint, falloff)
    return canvas.sprite()


def draw_shadow(lens: Lens, pose: DiePose) -> Sprite:
    """Return the shadow of a die on the felt, softer the higher the die is."""
    corners = _transform(pose, _CORNERS * (_HALF_MM - 0.7))
    low_mm = float(corners[:, 2].min())
    edge = np.array([FELT_WH_MM[0] / 2.0, FELT_WH_MM[1] / 2.0, 0.0])
    # A shadow beyond the felt would be on the walls, which the lamp lights from another side.
    cast = lens.project(np.clip(shadow_mm(corners), -edge, edge))
    under = lens.project(corners * np.array([1.0, 1.0, 0.0]))
    scale = float(np.linalg.norm(np.diff(lens.project(np.eye(3)[:2] * 0.5), axis=0))) / 0.7071
    blur_mm = 0.9 + LAMP_RADIUS_MM * (low_mm + 0.35 * DIE_EDGE_MM) / LAMP_MM[2]
    wide_px = 2.5 * blur_mm * scale
    corner = np.floor(np.minimum(cast.min(axis=0), under.min(axis=0)) - wide_px)
    size = np.maximum(cast.max(axis=0), under.max(axis=0)) + wide_px - corner
    half = (size / 2.0).astype(int) + 1
    mask = np.zeros((int(half[1]), int(half[0])), dtype=np.float32)
    cv2.fillConvexPoly(mask, _hull((cast - corner) / 2.0), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), blur_mm * scale / 2.0) * 0.5
    contact = np.zeros_like(mask)
    cv2.fillConvexPoly(contact, _hull((under - corner) / 2.0), 1.0)
    near = float(np.exp(-low_mm / 5.0))
    mask += cv2.GaussianBlur(contact, (0, 0), 1.1 * scale / 2.0) * (0.38 * near)
    lets_through = (255.0 * (1.0 - np.minimum(mask, 0.85))).astype(np.uint8)
    passes = _three(cv2.resize(lets_through, None, fx=2, fy=2))
    return Sprite(int(corner[0]), int(corner[1]), np.zeros_like(passes), passes)


class _Canvas:
    """A finer picture with an opacity channel, just large enough for its content."""

    def __init__(self, outline_px: Vector) -> None:
        self._corner = np.floor(outline_px.min(axis=0)) - 1.0
        size = (np.ceil(outline_px.max(axis=0)) + 2.0 - self._corner).astype(int)
        self._size = (int(size[0]), int(size[1]))
        self._fine = np.zeros((self._size[1] * _FINER, self._size[0] * _FINER, 4), dtype=np.uint8)

    def scale_places(self, places_px: Vector) -> NDArray[np.int32]:
        """Return pixels of the picture as fixed-point positions on this canvas."""
        fine = ((places_px - self._corner + 0.5) * _FINER - 0.5) * (1 << _SUBPIXEL_BITS)
        return np.asarray(np.rint(fine), dtype=np.int32)

    def fill(self, polygons: NDArray[np.int32], colours: NDArray[np.float64]) -> None:
        """Fill convex polygons, shape (q, n, 2), with colours, shape (q, 3)."""
        for polygon, (blue, green, red) in zip(
            polygons, np.clip(colours, 0.0, 255.0).tolist(), strict=True
        ):
            cv2.fillConvexPoly(
                self._fine, polygon, (blue, green, red, 255.0), cv2.LINE_8, _SUBPIXEL_BITS
            )

    def sprite(self) -> Sprite:
        small = cv2.resize(self._fine, self._size, interpolation=cv2.INTER_AREA)
        return Sprite(
            int(self._corner[0]),
            int(self._corner[1]),
            np.ascontiguousarray(small[..., :3], dtype=np.uint8),
            _three(255 - small[..., 3]),
        )


def _three(grey: NDArray[np.generic]) -> NDArray[np.uint8]:
    return np.repeat(grey[..., np.newaxis], 3, axis=2).astype(np.uint8)


def _transform(pose: DiePose, points_mm: Vector) -> Vector:
    return np.asarray(points_mm @ pose.rotation.T + pose.center_mm)


def _hull(places_px: Vector) -> NDArray[np.int32]:
    return np.asarray(cv2.convexHull(places_px.astype(np.float32)).reshape(-1, 2), dtype=np.int32)


def _fill_body(canvas: _Canvas, lens: Lens, pose: DiePose, paint: _Paint, falloff: float) -> None:
    vertices = _transform(pose, _MESH.vertices_mm)
    normals = _MESH.normals @ pose.rotation.T
    corners = vertices[_MESH.pieces]
    centers = corners.mean(axis=1)
    seen = ((lens.eye_mm - centers) * normals).sum(axis=1) > 0.0
    colours = _lit(paint.body_bgr, centers[seen], normals[seen], falloff)
    shine = specular_light(centers[seen], normals[seen], lens.eye_mm, 60.0)
    colours += paint.gloss * falloff * shine[:, np.newaxis]
    places = lens.project(vertices)[_MESH.pieces[seen]]
    canvas.fill(canvas.scale_places(places.reshape(-1, 2)).reshape(-1, 4, 2), colours)


def _lit(
    colour_bgr: tuple[float, float, float], centers_mm: Vector, normals: Vector, falloff: float
) -> NDArray[np.float64]:
    """Return the colours, shape (q, 3), of lit pieces, with the felt's green light from below."""
    light = diffuse_light(centers_mm, normals)
    low = np.exp(-np.maximum(centers_mm[:, 2], 0.0) / 6.0) * (1.0 - np.maximum(normals[:, 2], 0.0))
    shades = (light * (1.0 - 0.45 * low))[:, np.newaxis] * np.array(colour_bgr)
    bounce = 0.12 * (1.0 - normals[:, 2:]) * np.array((0.55, 1.0, 0.4)) * np.mean(colour_bgr)
    return np.asarray((shades + bounce * np.exp(-centers_mm[:, 2:] / 30.0)) * falloff)


def _fill_pips(canvas: _Canvas, lens: Lens, pose: DiePose, paint: _Paint, falloff: float) -> None:
    """Fill the visible pips: bored holes with a shadow on the side towards the lamp."""
    normals = _PIPS.normals @ pose.rotation.T
    places = _transform(pose, _PIPS.places_mm)
    seen = ((lens.eye_mm - places) * normals).sum(axis=1) > 0.0
    places, normals = places[seen], normals[seen]
    rings = _PIPS.rings_mm[seen] @ pose.rotation.T
    to_lamp = LAMP_MM - places
    to_lamp /= np.linalg.norm(to_lamp, axis=1, keepdims=True)
    sideways = to_lamp - (to_lamp * normals).sum(axis=1, keepdims=True) * normals
    colours = _lit(paint.pip_bgr, places, normals, falloff)
    floors = places - 0.4 * _PIP_RADIUS_MM * sideways
    for middles, scale, shade in ((places, 1.0, 0.72), (floors, 0.82, 1.0)):
        outlines = middles[:, np.newaxis] + scale * rings
        flat = canvas.scale_places(lens.project(outlines.reshape(-1, 3)))
        canvas.fill(flat.reshape(len(places), -1, 2), colours * shade)
