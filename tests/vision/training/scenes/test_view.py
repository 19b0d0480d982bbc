# SPDX-License-Identifier: MIT
"""The camera of a scene and the felt agree about positions."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scenes.ground import find_visible_square
from vision.training.scenes.poses import (
    boxes_overlap,
    draw_quarter_turns,
    hidden_share,
    inside_share,
    make_flat_pose,
    make_tilted_pose,
    order_clockwise,
)
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


def test_the_felts_texture_is_not_mirrored() -> None:
    assert np.linalg.det(find_visible_square(view_of(1)).to_picture(view_of(1))) > 0


def test_the_camera_has_the_specified_tilt() -> None:
    assert np.degrees(np.arccos(-view_of(2, 35.0).axes[2, 2])) == pytest.approx(35)


def test_touching_boxes_do_not_overlap_and_penetrating_ones_do() -> None:
    one = make_flat_pose(np.zeros(2), 0.3)
    along = one.rotation[:2, 0]
    assert not boxes_overlap(one, make_flat_pose(along * 1.0, 0.3))
    assert boxes_overlap(one, make_flat_pose(along * 0.95, 0.3))


def test_a_leaning_die_rests_on_the_felt_and_knows_its_angle() -> None:
    pose = make_tilted_pose(np.zeros(2), 0.4, np.radians(25), 0.2)
    assert pose.corners()[2].min() == pytest.approx(0)
    assert pose.tilt_deg() == pytest.approx(25)


def test_only_boxes_in_front_hide_a_face() -> None:
    view = view_of(3, 40.0)
    under = make_flat_pose(np.zeros(2), 0.0)
    over = make_flat_pose(np.zeros(2), 0.4, base=1.0)
    assert hidden_share(view, over, under) > 0.5
    assert hidden_share(view, under, over) == 0


def test_inside_share_of_a_half_visible_quad_is_a_half() -> None:
    quad = np.array([[-10.5, 100], [-10.5, 120], [9.5, 120], [9.5, 100.0]])
    assert inside_share(SIZE_WH, quad) == pytest.approx(0.5, abs=0.01)
    x, y = order_clockwise(quad).T
    assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0


def test_quarter_turns_map_a_cube_onto_itself_in_all_24_ways() -> None:
    rng = np.random.default_rng(0)
    turns = [draw_quarter_turns(rng) for _ in range(400)]
    assert all(np.array_equal(turn @ turn.T, np.eye(3)) for turn in turns)
    assert all(np.linalg.det(turn) == pytest.approx(1) for turn in turns)
    assert len({turn.tobytes() for turn in (turn + 0.0 for turn in turns)}) == 24


def test_texture_pixels_map_back_to_their_points_of_the_plane() -> None:
    sheet = find_visible_square(view_of(1))
    points = np.array([[0.5, -2.0], [3.0, 1.0]])
    assert sheet.to_plane(sheet.to_texture(points)) == pytest.approx(points)
