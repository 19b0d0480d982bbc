# SPDX-License-Identifier: MIT
"""Faces from the finder's maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.nets.face_encoding import encode_half_edges
from vision.nets.heatmaps import CELL_PX, Channel, Faces, read_maps

_NOTHING = -12.0


def empty_maps() -> NDArray[np.float32]:
    maps = np.zeros((Channel.END, 20, 30), np.float32)
    maps[: Channel.OFFSET] = _NOTHING
    return maps


def tell_face(
    maps: NDArray[np.float32],
    center: tuple[float, float],
    halves: NDArray[np.float64],
    *,
    logit: float,
    channel: Channel = Channel.TOP,
) -> None:
    """Write a face as the net would tell it: a hill of five cells."""
    at = (np.array(center) + 0.5) / CELL_PX - 0.5
    column, row = np.rint(at).astype(int)
    for right, down, less in ((0, 0, 0.0), (1, 0, 2.0), (-1, 0, 2.0), (0, 1, 2.0), (0, -1, 2.0)):
        place = row + down, column + right
        maps[(channel, *place)] = logit - less
        maps[(slice(Channel.OFFSET, Channel.SHAPE), *place)] = at - (column + right, row + down)
        code = encode_half_edges(halves[None])[0]
        maps[(slice(Channel.SHAPE, Channel.END), *place)] = code


def read(maps: NDArray[np.float32]) -> Faces:
    return read_maps(maps, least_likeness=0.1, least_apart=1.0)


def test_a_told_face_is_found_between_the_cells() -> None:
    maps = empty_maps()
    halves = np.array([[9.0, -3.0], [3.0, 9.0]])
    tell_face(maps, (41.3, 30.8), halves, logit=3.0)
    faces = read(maps)
    np.testing.assert_allclose(faces.centers, [[41.3, 30.8]], atol=1e-4)
    np.testing.assert_allclose(faces.half_edges, [halves], atol=1e-4)
    np.testing.assert_allclose(faces.likeness, [1 / (1 + np.exp(-3.0))], atol=1e-5)
    assert faces.odd[0] < 0.01


def test_an_odd_face_is_called_odd() -> None:
    maps = empty_maps()
    tell_face(maps, (40.0, 40.0), np.eye(2) * 8, logit=2.0, channel=Channel.ODD)
    assert read(maps).odd[0] > 0.99


def test_faces_come_likeliest_first_and_faint_ones_not_at_all() -> None:
    maps = empty_maps()
    for column, logit in ((20.0, 0.5), (60.0, 4.0), (100.0, -3.0)):
        tell_face(maps, (column, 40.0), np.eye(2) * 8, logit=logit)
    np.testing.assert_allclose(read(maps).centers[:, 0], [60.0, 20.0], atol=1e-4)


def test_the_likelier_of_two_middles_within_half_an_edge_stays() -> None:
    maps = empty_maps()
    tell_face(maps, (42.0, 40.0), np.eye(2) * 16, logit=1.0)
    tell_face(maps, (54.0, 40.0), np.eye(2) * 16, logit=2.0)
    np.testing.assert_allclose(read(maps).centers, [[54.0, 40.0]], atol=1e-4)


def test_dice_side_by_side_both_stay() -> None:
    maps = empty_maps()
    tell_face(maps, (42.0, 40.0), np.eye(2) * 6, logit=1.0)
    tell_face(maps, (54.0, 40.0), np.eye(2) * 6, logit=2.0)
    assert len(read(maps).likeness) == 2
