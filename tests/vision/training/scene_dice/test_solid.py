# SPDX-License-Identifier: MIT
"""One body in space: how far it is, where rays meet it, what it shades."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scene_dice.solid import Solid, lamp_past, sky_past, trace_rays


def cube(rounding: float = 0.1, ball: float = 0.9) -> Solid:
    return Solid(
        half=np.full(3, 0.5, np.float32),
        rounding=rounding,
        ball=ball,
        center=np.array([0, 0, 0.5], np.float32),
        rotation=np.eye(3, dtype=np.float32),
    )


def columns(*points: tuple[float, float, float]) -> np.ndarray:
    return np.array(points, dtype=np.float32).T


def test_distance_is_exact_at_faces_and_rounded_at_corners() -> None:
    gaps = cube().distance(columns((0, 0, 0.7), (0.5, 0, 0), (0.5, 0.5, 0.5)))
    assert gaps[0] == pytest.approx(0.2, abs=1e-5)
    assert gaps[1] == pytest.approx(0, abs=1e-5)
    assert gaps[2] == pytest.approx(0.1 * (np.sqrt(3) - 1), abs=1e-4)


def test_the_ball_cuts_corners_and_not_the_middles_of_faces() -> None:
    ground = cube(0.02, 0.68)
    assert ground.distance(columns((0, 0, 0.5)))[0] == pytest.approx(0, abs=1e-4)
    assert ground.distance(columns((0.45, 0.45, 0.45)))[0] > 0.08


def test_rays_hit_the_top_face_or_miss_the_solid() -> None:
    eye = np.array([0, 0, 10], np.float32)
    rays = columns((0, 0, -1), (0.03, 0, -1), (0.5, 0, -1))
    rays /= np.linalg.norm(rays, axis=0)
    hits = trace_rays(cube(), eye, rays, 0.01)
    assert hits.index.tolist() == [0, 1]
    assert hits.depth[0] == pytest.approx(9, abs=0.02)
    assert hits.cover[0] == pytest.approx(1)


def test_a_grazing_ray_still_meets_the_face_it_sinks_into() -> None:
    ray = columns((1, 0, -0.12))
    hits = trace_rays(cube(), np.array([-3, 0, 1.36], np.float32), ray / np.linalg.norm(ray), 0.02)
    assert hits.local[2, 0] == pytest.approx(0.5, abs=0.02)
    assert hits.local[0, 0] == pytest.approx(0, abs=0.15)


def test_light_is_gone_behind_a_body_and_untouched_beside_it() -> None:
    low_sun = columns((1, 0, 0.5), (1, 0, 0.5))
    low_sun /= np.linalg.norm(low_sun, axis=0)
    light = lamp_past(cube(), columns((-0.8, 0, 0), (0, 3, 0)), low_sun, 0.02)
    assert light[0] == pytest.approx(0, abs=0.01)
    assert light[1] == 1


def test_a_wide_lamp_makes_a_softer_shadow_than_a_small_one() -> None:
    ray = np.tile(columns((1, 0, 1)) / np.sqrt(2), (1, 40)).astype(np.float32)
    line = np.stack([np.linspace(-2.5, -0.6, 40), np.zeros(40), np.zeros(40)]).astype(np.float32)
    half_lit = [
        int(np.sum((light > 0.05) & (light < 0.95)))
        for light in (lamp_past(cube(), line, ray, width) for width in (0.02, 0.4))
    ]
    assert half_lit[1] > half_lit[0]


def test_the_sky_is_closed_next_to_a_body_and_open_away_from_it() -> None:
    up = columns((0, 0, 1), (0, 0, 1))
    left = sky_past(cube(), columns((0.55, 0, 0), (3, 0, 0)), up)
    assert left[0] < 0.7
    assert left[1] == 1
