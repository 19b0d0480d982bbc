# SPDX-License-Identifier: MIT
"""
Draw dice on felt as a camera above the tray sees them.

What does not change is drawn once: the empty tray, a die until it moves, and the sensor's noise as
one large tile that every frame uses at two other offsets. So only moving dice cost time.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.random import Generator

from hardware.simulated.pose import DieKind, DiePose
from hardware.simulated.scene.backdrop import TrayBoards, draw_backdrop, make_boards
from hardware.simulated.scene.dome import draw_base, draw_bell
from hardware.simulated.scene.hand import draw_hand
from hardware.simulated.scene.lens import Lens
from hardware.simulated.scene.optics import NEUTRAL_OPTICS, Optics
from hardware.simulated.scene.sprite import Sprite, draw_die, draw_shadow
from vision.frame import Image

_NOISE_MARGIN_PX = 96
_NOISE_DEVIATION = 3.4
_CLOTH_BGR = (70.0, 62.0, 96.0)


@dataclass(frozen=True, slots=True)
class VisibleDie:
    kind: DieKind
    pose: DiePose


@dataclass(frozen=True, slots=True)
class SceneSetup:
    """The setup of tray and camera."""

    has_cards: bool = False  # Whether the printed corner cards lie on the felt.
    moved_mm: tuple[float, float] = (0.0, 0.0)  # How far the camera was pushed along x and y.


@dataclass(frozen=True, slots=True)
class _Content:
    dice: tuple[VisibleDie, ...] = ()
    hands_mm: tuple[tuple[float, float], ...] = ()
    dome_mm: tuple[float, float] | None = None


class TrayScene:
    """The camera's view of the tray."""

    def __init__(self, size_wh: tuple[int, int], *, seed: int) -> None:
        self._seed = seed
        self._lens = Lens(size_wh)
        self._set_up = SceneSetup()
        self._tray = _draw_tray(size_wh, seed, self._set_up)
        self._cloth, self._noise, rng = _draw_cloth_and_noise(size_wh, seed)
        self._rng = copy.deepcopy(rng)
        self._drawn: dict[VisibleDie, tuple[Sprite, Sprite]] = {}
        self._clean: tuple[_Content, Image] = (_Content(), self._tray)
        self._taken: tuple[Image, Optics, Image] = (self._tray, NEUTRAL_OPTICS, self._tray)

    def project(self, x_mm: float, y_mm: float, z_mm: float) -> tuple[float, float]:
        """Return the pixel of a point of the tray."""
        x_px, y_px = self._lens.project(np.array([[x_mm, y_mm, z_mm]]))[0]
        return float(x_px), float(y_px)

    def set_up(self, how: SceneSetup) -> None:
        """Lay or remove the cards and move the camera; the dice stay."""
        if how == self._set_up:
            return
        self._set_up = how
        self._lens = Lens(self._lens.size_wh, moved_mm=how.moved_mm)
        self._tray = _draw_tray(self._lens.size_wh, self._seed, how)
        self._drawn = {}
        self._clean = _Content(), self._tray

    def picture(
        self,
        dice: Sequence[VisibleDie],
        hands_mm: Sequence[tuple[float, float]] = (),
        *,
        dome_mm: tuple[float, float] | None = None,
        optics: Optics = NEUTRAL_OPTICS,
    ) -> Image:
        """Return a new picture with noise."""
        content = _Content(tuple(dice), tuple(hands_mm), dome_mm)
        if content != self._clean[0]:
            self._clean = content, self._draw(content)
        view = self._clean[1]
        if self._taken[0] is not view or self._taken[1] != optics:
            self._taken = view, optics, optics.apply(view)
        return self._add_noise(self._taken[2])

    def covered_picture(self) -> Image:
        """Return a new picture taken with a cloth over the lens."""
        return self._add_noise(self._cloth)

    def _draw(self, content: _Content) -> Image:
        dice = content.dice
        # A die at rest returns the same pose object, so identity is enough to compare.
        self._drawn = {die: self._drawn.get(die) or self._sprites(die) for die in dice}
        far_first = sorted(
            dice, key=lambda die: -float(np.linalg.norm(die.pose.center_mm - self._lens.eye_mm))
        )
        picture = self._tray.copy()
        if content.dome_mm is not None:
            draw_base(picture, self._lens, *content.dome_mm)
        for die in far_first:
            self._drawn[die][1].lay_over(picture)
        for die in far_first:
            self._drawn[die][0].lay_over(picture)
        if content.dome_mm is not None:
            draw_bell(picture, self._lens, *content.dome_mm)
        for x_mm, y_mm in content.hands_mm:
            draw_hand(picture, self._lens, x_mm, y_mm)
        return picture

    def _sprites(self, die: VisibleDie) -> tuple[Sprite, Sprite]:
        return draw_die(self._lens, die.pose, die.kind), draw_shadow(self._lens, die.pose)

    def _add_noise(self, clean: Image) -> Image:
        """Return a new picture with noise: the tile added at one offset, subtracted at another."""
        brighter = cv2.add(clean, self._draw_noise_crop())
        return np.asarray(cv2.subtract(brighter, self._draw_noise_crop()), dtype=np.uint8)

    def _draw_noise_crop(self) -> Image:
        wide, high = self._lens.size_wh
        x_px, y_px = self._rng.integers(_NOISE_MARGIN_PX, size=2)
        return self._noise[y_px : y_px + high, x_px : x_px + wide]


@lru_cache(maxsize=2)
def _make_boards(seed: int) -> tuple[TrayBoards, Generator]:
    """
    Return felt and wood, and what they have left of the random numbers.

    They take a quarter of a second, and 20 MB. Cards, and a camera that was moved or has another
    resolution, need no others: nobody may change either.
    """
    rng = np.random.default_rng([seed, 2])
    return make_boards(rng), rng


@lru_cache(maxsize=4)
def _draw_tray(size_wh: tuple[int, int], seed: int, how: SceneSetup) -> Image:
    """Return the empty tray, which cameras of the same seed share."""
    lens = Lens(size_wh, moved_mm=how.moved_mm)
    drawn = draw_backdrop(lens, _make_boards(seed)[0], has_cards=how.has_cards)
    tray = np.clip(drawn, 0.0, 255.0).astype(np.uint8)
    tray.setflags(write=False)
    return tray


@lru_cache(maxsize=4)
def _draw_cloth_and_noise(size_wh: tuple[int, int], seed: int) -> tuple[Image, Image, Generator]:
    """Return what else cameras of the same seed share, and the random numbers that are left."""
    rng = copy.deepcopy(_make_boards(seed)[1])
    cloth, noise = _draw_cloth(size_wh, rng), _make_noise_tile(size_wh, rng)
    cloth.setflags(write=False)
    noise.setflags(write=False)
    return cloth, noise, rng


def _make_noise_tile(size_wh: tuple[int, int], rng: Generator) -> Image:
    shape = (size_wh[1] + _NOISE_MARGIN_PX, size_wh[0] + _NOISE_MARGIN_PX, 3)
    rough = rng.standard_normal(shape, dtype=np.float32)
    # A sensor computes colours from neighbouring pixels, so they share some noise.
    smooth = cv2.GaussianBlur(rough, (0, 0), 0.45) * _NOISE_DEVIATION
    return np.asarray(np.clip(smooth, 0.0, 255.0), dtype=np.uint8)


def _draw_cloth(size_wh: tuple[int, int], rng: Generator) -> Image:
    folds = rng.standard_normal((9, 16, 1), dtype=np.float32) * 4.0 + np.array(_CLOTH_BGR)
    wide = cv2.resize(folds.astype(np.float32), size_wh, interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(wide, 0.0, 255.0), dtype=np.uint8)
