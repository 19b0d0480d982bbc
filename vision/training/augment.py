# SPDX-License-Identifier: MIT
"""
Augment samples: the same picture in another light and through another lens.

A scene is rendered once and used many times, each time with another exposure, other colours,
focus, noise and compression. Even a negative is useful, because pips may be dark or light.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from vision.frame import Image

_NOISE = np.random.default_rng(0).standard_normal(1_000_000, dtype=np.float32)
"""Noise to take parts of; drawing it each time takes longer than the training step."""

_LEVELS = np.arange(256, dtype=np.float64) / 255.0


def augment_image(image_bgr: Image, rng: Generator, *, coarsen: float = 0.0) -> Image:
    """
    Return a picture as from another camera in another light; `coarsen` is how likely it is shrunk
    and enlarged again.
    """
    picture = _change_light(image_bgr, rng)
    if rng.random() < 0.25:
        picture = _add_light_slope(picture, rng)
    if rng.random() < coarsen:
        picture = _coarsen(picture, rng)
    if rng.random() < 0.2:
        picture = _blur(picture, rng)
    elif rng.random() < 0.1:
        picture = _sharpen(picture, rng)
    if rng.random() < 0.35:
        picture = _add_noise(picture, rng)
    if rng.random() < 0.15:
        picture = _compress(picture, rng)
    return picture


def _change_light(image: Image, rng: Generator) -> Image:
    gamma = np.exp(rng.normal(0.0, 0.25, (1, 1)) + rng.normal(0.0, 0.05, (1, 3)))
    gain = np.exp(rng.normal(0.0, 0.2, (1, 1)) + rng.normal(0.0, 0.08, (1, 3)))
    lift = rng.normal(0.0, 0.05, (1, 1)) + rng.normal(0.0, 0.02, (1, 3))
    table = _LEVELS[:, None] ** gamma * gain + lift
    if rng.random() < 0.06:
        table = 1.0 - table
    levels = np.clip(table * 255.0 + 0.5, 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.1:
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        image = np.asarray(cv2.merge([gray, gray, gray]), dtype=np.uint8)
    return np.asarray(cv2.LUT(np.ascontiguousarray(image), levels[:, None]), dtype=np.uint8)


def _add_light_slope(image: Image, rng: Generator) -> Image:
    height, width = image.shape[:2]
    slopes = rng.normal(0.0, 0.3, 2)
    across = np.exp(np.linspace(-0.5, 0.5, width) * slopes[0])
    down = np.exp(np.linspace(-0.5, 0.5, height) * slopes[1])
    share = np.outer(down, across).astype(np.float32)
    return np.asarray(cv2.multiply(image, cv2.merge([share] * 3), dtype=cv2.CV_8U), np.uint8)


def _sharpen(image: Image, rng: Generator) -> Image:
    amount = rng.uniform(0.3, 1.5)
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 1.4))
    return np.asarray(cv2.addWeighted(image, 1.0 + amount, soft, -amount, 0.0), np.uint8)


def _coarsen(image: Image, rng: Generator) -> Image:
    height, width = image.shape[:2]
    share = rng.uniform(0.28, 0.9)
    small_wh = max(8, round(width * share)), max(8, round(height * share))
    small = cv2.resize(image, small_wh, interpolation=cv2.INTER_AREA)
    how = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (width, height), interpolation=how), dtype=np.uint8)


def _blur(image: Image, rng: Generator) -> Image:
    if rng.random() < 0.6:
        sigma = rng.uniform(0.4, 1.4)
        return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)
    kernel = np.zeros((7, 7), np.float32)
    along = np.deg2rad(rng.uniform(0, 180))
    reach = rng.uniform(0.5, 3.0) * np.array([np.cos(along), np.sin(along)])
    ends = [tuple(int(v) for v in np.rint((3 + sign * reach) * 16)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.uint8)


def _add_noise(image: Image, rng: Generator) -> Image:
    begin = int(rng.integers(0, len(_NOISE) - image.size))
    noise = _NOISE[begin : begin + image.size].reshape(image.shape)
    grains = (noise * np.float32(rng.uniform(1.0, 9.0))).astype(np.int16)
    return np.asarray(cv2.add(image, grains, dtype=cv2.CV_8U), dtype=np.uint8)


def _compress(image: Image, rng: Generator) -> Image:
    quality = int(rng.integers(25, 90))
    done, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), dtype=np.uint8)
