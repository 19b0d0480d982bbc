# SPDX-License-Identifier: MIT
"""Draw the empty tray once: felt, wooden walls, and the table around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.simulated.placement import FELT_WH_MM, WALL_HEIGHT_MM
from hardware.simulated.pose import Vector
from hardware.simulated.scene.cards import CARD_MM, card_origin_mm, card_texture
from hardware.simulated.scene.lamp import diffuse_light
from hardware.simulated.scene.lens import Lens

_Texture: TypeAlias = NDArray[np.float32]  # Shape (n, m, 3), 0 to 255, or (n, m), about 1.

_FELT_BGR = (62.0, 108.0, 38.0)
_WOOD_BGR = (58.0, 98.0, 150.0)
_TABLE_BGR = (44.0, 46.0, 52.0)

_WALL_MM = 13.0
_TEXTURE_PX_MM = 4.0
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class TrayBoards:
    """The lit felt and walls, which are the same for every lens."""

    felt: _LitBoard
    walls: tuple[_LitBoard, ...]


def make_boards(rng: Generator) -> TrayBoards:
    """Return felt and wood of a tray; this takes most of the time of a backdrop."""
    felt = _FELT.light(_felt(rng))
    sides = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    walls = (wall for x, y in sides for wall in _make_wall(np.array([x, y, 0.0]), rng))
    return TrayBoards(felt, tuple(walls))


def draw_backdrop(lens: Lens, boards: TrayBoards, *, has_cards: bool = False) -> _Texture:
    """Return the tray without dice, shape (height, width, 3), float32, 0 to 255."""
    picture = np.empty((lens.size_wh[1], lens.size_wh[0], 3), dtype=np.float32)
    picture[:] = _TABLE_BGR
    boards.felt.lay(picture, lens)
    for index in range(4 if has_cards else 0):
        card = _Board(card_origin_mm(index), _FELT.along, _FELT.across, (CARD_MM, CARD_MM))
        card.light(card_texture(index)).lay(picture, lens)
    for wall in boards.walls:
        wall.lay(picture, lens)
    return picture * _falloff(lens)


@dataclass(frozen=True, slots=True)
class _Board:
    """A rectangle in the tray with a texture."""

    origin_mm: Vector  # The corner where the texture begins.
    along: Vector  # Unit vector of the texture's rows.
    across: Vector  # Unit vector of its columns.
    size_mm: tuple[float, float]  # Its length along and across.
    mitre_mm: float = 0.0  # Length that the edge at the origin lacks at both ends.

    def light(self, texture: _Texture) -> _LitBoard:
        """Return the board with a texture; both are shared by all lenses."""
        cover = self._cover(texture.shape[:2])
        lit = texture * (self._compute_light(texture.shape[:2]) * cover)[..., np.newaxis]
        for shared in (cover, lit):
            shared.setflags(write=False)
        return _LitBoard(self, cover, lit)

    def _cover(self, shape: tuple[int, ...]) -> _Texture:
        cover = np.zeros(shape, dtype=np.float32)
        high, wide = shape
        cut = round(self.mitre_mm * _TEXTURE_PX_MM)
        corners = np.array([(cut, 0), (wide - cut, 0), (wide, high), (0, high)], dtype=np.int32)
        cv2.fillConvexPoly(cover, corners, 1.0)
        return cover

    def _compute_light(self, shape: tuple[int, ...]) -> _Texture:
        """Return its brightness, shape (n, m), from a few points, because it changes slowly."""
        steps = 24
        u, v = np.meshgrid(*(np.linspace(0.0, size, steps) for size in self.size_mm))
        points = self.origin_mm + u.reshape(-1, 1) * self.along + v.reshape(-1, 1) * self.across
        normal = np.cross(self.across, self.along)
        light = diffuse_light(points, np.broadcast_to(normal, points.shape)).reshape(steps, steps)
        return cv2.resize(light.astype(np.float32), shape[::-1]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _LitBoard:
    board: _Board
    cover: _Texture  # 1 on the board, 0 where a mitre is cut off.
    lit: _Texture

    def lay(self, picture: _Texture, lens: Lens) -> None:
        """Draw the board onto the picture."""
        board = self.board
        scale = np.diag([1.0 / _TEXTURE_PX_MM, 1.0 / _TEXTURE_PX_MM, 1.0])
        to_px = lens.plane_to_px(board.origin_mm, board.along, board.across) @ scale
        share = cv2.warpPerspective(self.cover, to_px, lens.size_wh)[..., np.newaxis]
        picture *= 1.0 - share
        picture += cv2.warpPerspective(self.lit, to_px, lens.size_wh)


_FELT = _Board(
    np.array([-FELT_WH_MM[0] / 2.0, FELT_WH_MM[1] / 2.0, 0.0]),
    np.array([1.0, 0.0, 0.0]),
    np.array([0.0, -1.0, 0.0]),
    FELT_WH_MM,
)


def _make_wall(out: Vector, rng: Generator) -> tuple[_LitBoard, _LitBoard]:
    """Return the inner and the upper side of the wall in the direction `out`."""
    along = np.cross(_UP, out)
    half_out, half_along = np.abs(FELT_WH_MM @ np.abs([out[:2], along[:2]]).T) / 2.0
    foot = out * half_out - along * half_along
    inner = _Board(foot, along, _UP, (2.0 * half_along, WALL_HEIGHT_MM))
    shade = np.linspace(0.62, 1.0, round(WALL_HEIGHT_MM * _TEXTURE_PX_MM), dtype=np.float32)
    inner_wood = _wood(inner.size_mm, rng) * shade[:, np.newaxis, np.newaxis]
    rim = _Board(
        foot + WALL_HEIGHT_MM * _UP - _WALL_MM * along,
        along,
        out,
        (2.0 * (half_along + _WALL_MM), _WALL_MM),
        mitre_mm=_WALL_MM,
    )
    return inner.light(inner_wood), rim.light(_shade_edges(_wood(rim.size_mm, rng)))


def _felt(rng: Generator) -> _Texture:
    """Return felt: fibres in all directions, a little worn, darker along the walls."""
    wide, high = (round(size * _TEXTURE_PX_MM) for size in FELT_WH_MM)
    fibres = sum(
        _noise((high, wide), rng, sigma_xy) for sigma_xy in ((2.2, 0.5), (0.5, 2.2), (0.9, 0.9))
    )
    grain = 1.0 + 0.035 * fibres + 0.016 * _noise((high, wide), rng, (30.0, 30.0))
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    to_wall_mm = np.minimum.reduce([x, wide - 1 - x, y, high - 1 - y]) / _TEXTURE_PX_MM
    corner = 1.0 - 0.42 * np.exp(-to_wall_mm / 5.0)
    # The far wall throws its shadow on a narrow strip of the felt.
    strip = 1.0 - 0.28 / (1.0 + np.exp((y / _TEXTURE_PX_MM - 5.0) / 1.0))
    return np.asarray(
        (grain * corner * strip)[..., np.newaxis] * np.array(_FELT_BGR), dtype=np.float32
    )


def _wood(size_mm: tuple[float, float], rng: Generator) -> _Texture:
    wide, high = (round(size * _TEXTURE_PX_MM) for size in size_mm)
    bands = _noise((high, wide), rng, (160.0, 3.5))
    pores = _noise((high, wide), rng, (22.0, 0.6))
    grain = 1.0 + 0.10 * bands + 0.05 * pores
    tint = 1.0 + 0.03 * np.array([-1.0, 0.0, 1.0]) * bands[..., np.newaxis]
    return np.asarray(grain[..., np.newaxis] * tint * np.array(_WOOD_BGR), dtype=np.float32)


def _shade_edges(wood: _Texture) -> _Texture:
    """Return wood with a bright and a dark long edge, as if it were rounded."""
    across = np.linspace(0.0, 1.0, len(wood), dtype=np.float32)
    shape = 1.0 + 0.30 * np.exp(-((across - 0.06) ** 2) / 0.004) - 0.35 * across**6
    return np.asarray(wood * shape[:, np.newaxis, np.newaxis], dtype=np.float32)


def _noise(shape: tuple[int, int], rng: Generator, sigma_xy: tuple[float, float]) -> _Texture:
    """Return smooth noise of that shape, mean 0 and deviation 1."""
    rough = rng.standard_normal(shape, dtype=np.float32)
    smooth = cv2.GaussianBlur(rough, (0, 0), sigmaX=sigma_xy[0], sigmaY=sigma_xy[1])
    return np.asarray(smooth / max(float(smooth.std()), 1e-6), dtype=np.float32)


def _falloff(lens: Lens) -> _Texture:
    places = np.stack(np.meshgrid(np.arange(lens.size_wh[0]), np.arange(lens.size_wh[1])), axis=-1)
    return lens.brightness(places.astype(np.float64)).astype(np.float32)[..., np.newaxis]
