# SPDX-License-Identifier: MIT
"""The camera of a scene and the felt agree about positions."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scenes.ground import find_visible_square
from vision.training.scenes.spec import SceneSpec
from vision.training.scenes.view import View, draw_view

SIZE_WH = (640, 360)


def view_of(seed: int, tilt_deg: float | None = None) -> View:
    return draw_view(np.random.default_rng(seed), SIZE_WH, 3, SceneSpec(tilt_deg=tilt_deg))


@pytest.mark.parametrize("seed", range(5))
def test_a_pixels_point_projects_back_to_that_pixel(seed: int) -> None:
    view, pixel = view_of(seed), np.array([123.0, 210.0])
    point = view.plane_point(pixel, 0.7)
    assert point[2] == pytest.approx(0.7)
    assert view.project(point[:, None])[0] == pytest.approx(pixel)


@pytest.mark.parametrize("seed", range(5))
def test_the_texture_is_projected_onto_the_visible_felt(seed: int) -> None:
    view = view_of(seed)
    sheet = find_visible_square(view)
    spot = view.plane_point(np.array([300.0, 100.0]), 0.0)
    column, row = sheet.to_texture(spot[None, :2])[0]
    seen = sheet.to_picture(view) @ [column, row, 1]
    assert seen[:2] / seen[2] == pytest.approx([300, 100])


def test_texture_pixels_map_back_to_their_points_of_the_plane() -> None:
    sheet = find_visible_square(view_of(1))
    points = np.array([[0.5, -2.0], [3.0, 1.0]])
    assert sheet.to_plane(sheet.to_texture(points)) == pytest.approx(points)
