# SPDX-License-Identifier: MIT
"""
See how much of a die's sides shows beyond its top face.

A flat die shows the sides towards the camera's foot, and just so much of them as the
camera's slant tells: a tenth of an edge for six degrees. No measure of the top face
itself tells a small lean so well, because a square seen from above hardly changes its
shape with it. A side is of the body's colour, shaded; what is next to it is of the
ground's colour, shaded. So each sample is taken for a mixture of both lights, and the
greater share says what it is. Where both are of one hue only what is brighter than the
ground tells; a black die on black felt shows nothing, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.doubts.body import half_edges_of
from vision.doubts.params import SideParams
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.pips import Bools, Floats

# Right, below, left, above on the face, as a body's edges are listed.
WAYS = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
_ALONG = np.array([(0.0, 1.0), (1.0, 0.0), (0.0, 1.0), (1.0, 0.0)])
_RIM = np.array([(x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])


@dataclass(frozen=True, slots=True)
class Sides:
    """
    How far the body goes on beyond each side of k top faces.

    Attributes:
        lengths: To the right, below, left and above on each face, in its edges, (k, 4); nan
            where nothing is said.
        is_whole: Whether all of a side would be seen where it is not in deep shade, so that a
            short one is short, (k,).
    """

    lengths: Floats
    is_whole: Bools


def see_sides(image_bgr: Image, tops: Sequence[Candidate], params: SideParams) -> Sides:
    """
    Return how far the body goes on beyond each side of each top face.

    Args:
        image_bgr: The picture in whose pixels the faces are.
        tops: All faces that were read, at least one; where one lies beside another nothing is
            said.
        params: How a side is told from the ground.
    """
    out = np.linspace(0.03, params.reach, params.steps)
    places = _places(tops, out, params)
    x, y = places.reshape(len(tops), -1, 2).astype(np.float32).transpose(2, 0, 1)
    seen = cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lanes = np.sort(seen.reshape(*places.shape[:-1], 3), axis=2)
    profiles = lanes[:, :, params.lanes // 2].astype(np.float64)
    far = np.sort(profiles[:, :, out > params.ground_from].reshape(len(tops), -1, 3), axis=1)
    ground = far[:, far.shape[1] // 2]
    body = np.array([top.body.bgr for top in tops])
    of_body, by_hue, by_light = _of_body(profiles, body, ground, params)
    lengths = np.where(of_body.all(axis=2), params.reach, out[of_body.argmin(axis=2)] - out[0])
    within = ((places >= 0.0) & (places < (image_bgr.shape[1], image_bgr.shape[0]))).all(axis=4)
    free = within.reshape(len(tops), 4, -1).all(axis=2) & ~_has_neighbours(tops, params)
    told = (by_hue | by_light)[:, None] & free & (lengths < params.endless)
    return Sides(np.where(told, lengths, np.nan), by_hue & by_light)


def _places(tops: Sequence[Candidate], out: Floats, params: SideParams) -> Floats:
    """Where is looked, in pixels, (k, 4 sides, lanes, steps, 2)."""
    half = np.array([top.body.half_edge for top in tops])
    edges = np.array([top.body.edges for top in tops])
    edges = np.where(np.isfinite(edges), edges, half[:, None])
    lanes = np.linspace(-params.lane_reach, params.lane_reach, params.lanes)
    away = edges[:, :, None] + out * 2.0 * half[:, None, None]
    steps = away[:, :, None, :, None] * WAYS[:, None, None]
    across = lanes[:, None, None] * _ALONG[:, None, None]
    steps = steps + across * half[:, None, None, None, None]
    axes = np.array([top.face.axes for top in tops])
    centers = np.array([top.face.center for top in tops])
    turned = steps.reshape(len(tops), -1, 2) @ axes.transpose(0, 2, 1) + centers[:, None]
    return np.asarray(turned.reshape(steps.shape))


def _of_body(
    profiles: Floats, body: Floats, ground: Floats, params: SideParams
) -> tuple[Bools, Bools, Bools]:
    """Which samples are body, (k, 4, steps), and whether hue and light tell it, (k,) each."""
    body_light, ground_light = (np.linalg.norm(light, axis=1) for light in (body, ground))
    cosine = (body * ground).sum(axis=1) / np.maximum(body_light * ground_light, 1e-6)
    by_hue = cosine < np.cos(np.deg2rad(params.least_angle_deg))
    by_hue &= np.minimum(body.mean(axis=1), ground.mean(axis=1)) > params.least_grey
    lights = np.stack([body, ground], axis=2)
    shares = np.maximum(profiles @ np.linalg.pinv(lights).transpose(0, 2, 1)[:, None], 0.0)
    of_body = shares[..., 0] * body_light[:, None, None]
    of_ground = shares[..., 1] * ground_light[:, None, None]
    tinted = (of_body > of_ground) & (of_body + of_ground > params.least_light)
    by_light = body.mean(axis=1) > params.bright_body * ground.mean(axis=1)
    bright = profiles.mean(axis=3) > params.brighter * ground.mean(axis=1)[:, None, None]
    bright &= by_light[:, None, None]
    return (tinted & by_hue[:, None, None]) | bright, by_hue, by_light


def _has_neighbours(tops: Sequence[Candidate], params: SideParams) -> Bools:
    """Beside which sides another read face lies where is looked, (k, 4)."""
    centers = np.array([top.face.center for top in tops])
    halves = np.array([half_edges_of(top) for top in tops])
    points = centers[:, None] + _RIM @ halves.transpose(0, 2, 1)
    away = points[None] - centers[:, None, None]
    # Every face's rim on every other face, in half edges.
    seen = away @ np.linalg.inv(halves).transpose(0, 2, 1)[:, None]
    ahead, beside = seen @ WAYS.T, np.abs(seen @ _ALONG.T)
    ahead, beside = ahead.transpose(3, 0, 1, 2), beside.transpose(3, 0, 1, 2)
    near = (ahead > 0.8) & (ahead < 1.0 + 2.0 * params.ground_from) & (beside < 1.0)
    near[:, np.arange(len(tops)), np.arange(len(tops))] = False
    return np.asarray(near.any(axis=(2, 3)).T)
