# SPDX-License-Identifier: MIT
"""Where dice may lie: never over each other, never off the felt."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from hardware.simulated.placement import (
    FELT_WH_MM,
    choose_leaning_pose,
    choose_resting_pose,
    compute_footprint_mm,
    do_overlap,
)
from hardware.simulated.pose import DIE_EDGE_MM, DiePose, flat_pose


def _at(x_mm: float, y_mm: float, angle_deg: float = 0.0) -> DiePose:
    return flat_pose(1, x_mm=x_mm, y_mm=y_mm, angle_deg=angle_deg)


def test_resting_places_neither_overlap_nor_leave_the_felt() -> None:
    rng = np.random.default_rng(5)
    touching = 0
    for _ in range(300):
        poses: list[DiePose] = []
        for face in (1, 2, 3, 4, 6):
            poses.append(choose_resting_pose(face, poses, rng))
        assert [pose.face for pose in poses] == [1, 2, 3, 4, 6]
        assert not any(do_overlap(one, other) for one, other in combinations(poses, 2))
        reach = np.abs([compute_footprint_mm(pose) for pose in poses]).max(axis=(0, 1))
        assert (reach <= np.array(FELT_WH_MM) / 2.0).all()
        gaps = [float(np.linalg.norm(a.center_mm - b.center_mm)) for a, b in combinations(poses, 2)]
        touching += int(min(gaps) < DIE_EDGE_MM * 1.25)
    assert touching > 10


def test_a_full_felt_is_told() -> None:
    crowd = [_at(x, y) for x in range(-122, 123, 18) for y in range(-72, 73, 18)]
    with pytest.raises(RuntimeError, match="no room"):
        choose_resting_pose(1, crowd, np.random.default_rng(1))


@pytest.mark.parametrize("x_mm", [-90.0, 0.0, 90.0])
@pytest.mark.parametrize("face", [1, 4, 6])
def test_a_leaning_die_stands_on_the_felt_and_touches_a_wall(x_mm: float, face: int) -> None:
    pose = choose_leaning_pose(face, _at(x_mm, 20.0), [], np.random.default_rng(3))
    assert pose.face == face
    assert 20.0 <= pose.lean_deg <= 45.0
    to_wall_mm = np.array(FELT_WH_MM) / 2.0 - np.abs(compute_footprint_mm(pose)).max(axis=0)
    assert 0.0 <= to_wall_mm.min() < 0.1
