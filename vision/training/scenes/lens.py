# SPDX-License-Identifier: MIT
"""
Convert light into a camera's picture: blur, exposure, colour, noise, and compression.

Nets must not learn one camera, so every step between the lens and the file is random: most
cameras do most steps mildly, and a few do one step badly. The steps follow the light: glass,
sensor, the camera's processing (curve, sharpening, smoothing), and JPEG.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frame import Image
from vision.training.scene_grounds.noise import draw_grain

Picture = NDArray[np.float32]  # Shape (h, w, 3), BGR.

FLICKER, NOISE_LEVELS = 0.015, 1.2
"""Spread of the lamps' brightness, as a share, and of the noise between two frames."""

STEPS = 4096  # Levels of the curve's table; finer than any noise.


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of a camera's errors; all are spreads or upper limits."""

    blur_px: float
    motion_px: float
    vignette: float
    fringe: float
    exposure: float
    cast: float
    noise: float
    grey_share: float
    resample: float
    quality: tuple[int, int]


_ANY = _Limits(1.5, 3.0, 0.55, 0.0025, 0.45, 0.22, 0.05, 0.12, 2.0, (35, 97))
_GENTLE = _Limits(0.5, 0.0, 0.2, 0.0006, 0.12, 0.07, 0.008, 0.06, 1.15, (80, 97))


_INFRARED = _Limits(2.2, 0.0, 0.9, 0.0, 0.3, 0.0, 0.04, 1.0, 2.0, (50, 97))
_GENTLE_INFRARED = _Limits(0.9, 0.0, 0.5, 0.0, 0.12, 0.0, 0.01, 1.0, 1.15, (80, 97))


def expose(
    rng: Generator,
    linear: Picture,
    *,
    gentle: bool = False,
    infrared: bool = False,
    meter: Picture | None = None,
) -> Image:
    """
    Return the picture of a random camera for the light at its lens, (h, w, 3); 1 is paper in full
    light.

    With `gentle` all errors are mild. An infrared camera sees no colour, and is a little out of
    focus. The exposure is locked by the light `meter`, or by that of the picture.
    """
    limits = _GENTLE if gentle else _ANY
    if infrared:
        limits = _GENTLE_INFRARED if gentle else _INFRARED
    light = _apply_optics(rng, np.asarray(linear, np.float32), limits)
    signal = _apply_sensor(rng, light, limits, light if meter is None else meter)
    developed = _develop(rng, signal, gentle=gentle)
    return _compress(rng, _resample(rng, developed, limits), limits)


def _apply_optics(rng: Generator, light: Picture, limits: _Limits) -> Picture:
    light = _blur(rng, light, limits)
    if rng.random() < 0.5:
        light = _add_fringes(light, float(rng.normal(0, limits.fringe / 2)))
    return light * _draw_vignette(rng, light.shape[:2], limits.vignette)[..., None]


def _blur(rng: Generator, light: Picture, limits: _Limits) -> Picture:
    # Squared: most pictures are nearly sharp; pips must survive the worst.
    reach_px = limits.blur_px * max(light.shape) / 640 * rng.random() ** 2
    kind = rng.random()
    if kind < 0.1 and limits.motion_px > 0:
        return _smear(light, rng.uniform(1, limits.motion_px), rng.uniform(0, np.pi))
    if reach_px < 0.25:
        return light
    if kind < 0.5:
        return np.asarray(cv2.filter2D(light, -1, _disc_kernel(reach_px * 1.4)), np.float32)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), reach_px), np.float32)


def _disc_kernel(radius_px: float) -> NDArray[np.float32]:
    reach = int(np.ceil(radius_px + 0.5))
    along = np.arange(-reach, reach + 1, dtype=np.float32)
    far = np.hypot(along[:, None], along[None])
    kernel = np.clip(radius_px + 0.5 - far, 0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _smear(light: Picture, length_px: float, angle_rad: float) -> Picture:
    reach = int(np.ceil(length_px / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    half = length_px / 2 * np.array([np.cos(angle_rad), np.sin(angle_rad)])
    start, end = (np.rint((reach + sign * half) * 16).astype(int) for sign in (-1, 1))
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0, 1, cv2.LINE_AA, 4)
    total = float(kernel.sum())
    return light if total <= 0 else np.asarray(cv2.filter2D(light, -1, kernel / total), np.float32)


def _add_fringes(light: Picture, share: float) -> Picture:
    height, width = light.shape[:2]
    middle = np.array([width - 1, height - 1]) / 2
    channels = list(cv2.split(light))
    for index, scale in ((0, 1 - share), (2, 1 + share)):
        turn = np.array([[scale, 0, 0], [0, scale, 0]], np.float64)
        turn[:, 2] = middle * (1 - scale)
        channels[index] = cv2.warpAffine(
            channels[index], turn, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(cv2.merge(channels), np.float32)


def _draw_vignette(rng: Generator, shape: tuple[int, ...], depth: float) -> NDArray[np.float32]:
    height, width = shape[:2]
    middle = rng.normal(0.5, 0.04, 2)
    across = (np.arange(width, dtype=np.float32) / width - middle[0]) ** 2
    down = (np.arange(height, dtype=np.float32) / height - middle[1]) ** 2
    fall = np.float32(depth * rng.random() ** 2 * 2)
    far = (down * np.float32(0.5))[:, None] + across[None]
    return np.asarray(np.float32(1) / (1 + fall * far), np.float32)


def _apply_sensor(rng: Generator, light: Picture, limits: _Limits, meter: Picture) -> Picture:
    """Return exposed light in a camera's colours, with noise; the sensor clips at 1."""
    matrix = _draw_colour_matrix(rng, limits) * _draw_gain(rng, meter, limits)
    if rng.random() < limits.grey_share:
        matrix = np.tile(matrix.mean(0) @ np.diag([0.6, 1.0, 1.2]), (3, 1))
    signal = np.asarray(cv2.transform(light, matrix.astype(np.float32)), np.float32)
    return _add_noise(rng, signal, limits.noise * rng.random() ** 2)


def _draw_gain(rng: Generator, light: Picture, limits: _Limits) -> float:
    """Draw the exposure: partly by a meter, partly wrong."""
    small = cv2.resize(light, (32, 18), interpolation=cv2.INTER_AREA)
    metered = rng.uniform(0.16, 0.3) / max(float(small.mean()), 0.01)
    # On black felt, the meter must not overexpose white dice.
    bright = rng.uniform(0.7, 1.6) / max(float(np.quantile(small, 0.98)), 0.02)
    trust = rng.uniform(0.3, 1.0)
    return float(min(metered, bright) ** trust * np.exp(rng.normal(0, limits.exposure)))


def _draw_colour_matrix(rng: Generator, limits: _Limits) -> NDArray[np.float64]:
    """Draw the matrix from light to a camera's BGR: cast, saturation, rarely infrared."""
    warmth = rng.normal(0, limits.cast)
    cast = np.exp(np.array([-warmth, rng.normal(0, limits.cast / 4), warmth]))
    saturation = float(np.exp(rng.normal(0, 2 * limits.cast)))
    grey = np.full((3, 3), 1 / 3)
    matrix = np.diag(cast) @ (grey + (np.eye(3) - grey) * min(saturation, 1.6))
    if rng.random() < limits.grey_share / 4:
        # Infrared reaches all channels, red most: a pink and pale picture.
        matrix = matrix * 0.6 + np.array([[0.25], [0.15], [0.45]]) / 3 * rng.uniform(1, 2)
    return np.asarray(matrix, np.float64)


def _add_noise(rng: Generator, signal: Picture, strength: float) -> Picture:
    """Return the signal with shot and read noise, which is coarse in some cameras."""
    height, width = signal.shape[:2]
    coarse = rng.random() < 0.35
    size = (height // 2 + 1, width // 2 + 1) if coarse else (height, width)
    grain = draw_grain(rng, *size, 3)
    if coarse:
        grain = np.asarray(
            cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
        )
    if rng.random() < 0.3:
        grain = np.asarray(cv2.cvtColor(grain[..., 1], cv2.COLOR_GRAY2BGR), np.float32)
    base = np.float32(rng.uniform(0.005, 0.05))
    spread = cv2.sqrt(np.maximum(signal, 0) + base) * np.float32(strength)
    return np.asarray(signal + spread * grain, np.float32)


def _develop(rng: Generator, signal: Picture, *, gentle: bool) -> Image:
    """Return the signal after the camera's curve, smoothing and sharpening."""
    index = np.clip(signal, 0, 1) * np.float32(STEPS - 1)
    image = np.take(_draw_curve(rng, gentle=gentle), index.astype(np.uint16))
    chance = rng.random()
    if chance < 0.08 and not gentle:
        image = np.asarray(cv2.medianBlur(image, 3), np.uint8)
    if chance < 0.4:
        amount = rng.uniform(0.2, 0.5 if gentle else 1.4)
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 1.0 if gentle else 1.6))
        image = np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)
    return image


def _draw_curve(rng: Generator, *, gentle: bool) -> NDArray[np.uint8]:
    """Draw the table from sensor to grey levels: gamma, contrast, lifted or crushed black."""
    wild = 0.3 if gentle else 1.0
    light = np.linspace(0, 1, STEPS) ** (1 / (2.2 + wild * rng.uniform(-0.35, 0.35)))
    bend = wild * rng.uniform(-0.3, 0.7)
    light = light + bend * light * (1 - light) * (2 * light - 1)
    black, white = wild * rng.uniform(-0.05, 0.1), 1 - wild * rng.uniform(-0.02, 0.1) ** 2
    return np.asarray(np.clip((black + (white - black) * light) * 255, 0, 255), np.uint8)


def _resample(rng: Generator, image: Image, limits: _Limits) -> Image:
    """Return the picture, sometimes with only the detail of a smaller one."""
    if rng.random() > 0.25:
        return image
    height, width = image.shape[:2]
    scale = 1 / rng.uniform(1.0, limits.resample)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    how = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (width, height), interpolation=how), np.uint8)


def _compress(rng: Generator, image: Image, limits: _Limits) -> Image:
    """Return the picture after one JPEG file, sometimes two."""
    for _ in range(2 if rng.random() < 0.15 else 1):
        quality = int(rng.integers(limits.quality[0], limits.quality[1] + 1))
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image


def vary_frame(rng: Generator, image: Image) -> Image:
    """Return a picture as the next frame has it: a little brighter or darker, other noise."""
    gain = 1.0 + rng.normal(0.0, FLICKER)
    noise = rng.normal(0.0, NOISE_LEVELS, image.shape)
    return np.asarray(np.clip(np.rint(image * gain + noise), 0, 255), np.uint8)
