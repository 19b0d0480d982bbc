# SPDX-License-Identifier: MIT
"""A face's shape as numbers that do not depend on which half edge comes first."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.nets.face_encoding import decode_half_edges, encode_half_edges, face_roots

sizes = st.floats(1.0, 40.0)
angles = st.floats(-3.2, 3.2)
squeezes = st.floats(0.4, 1.0)


def face(size: float, turn: float, squeeze: float, way: float) -> NDArray[np.float64]:
    """A square of half edge `size`, turned, then squeezed in the direction `way`."""
    spin = rotation(way)
    return spin @ np.diag([1.0, squeeze]) @ spin.T @ rotation(turn) * size


def rotation(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@given(sizes, angles, squeezes, angles)
def test_a_face_decodes_from_any_of_its_four_half_edges(
    size: float, turn: float, squeeze: float, way: float
) -> None:
    halves = face(size, turn, squeeze, way)
    again = decode_half_edges(encode_half_edges(halves[None]))[0]
    candidates = [halves @ rotation(quarter * np.pi / 2) for quarter in range(4)]
    assert min(np.abs(again - candidate).max() for candidate in candidates) < 1e-6 * size


@given(sizes, angles, squeezes, angles, st.integers(1, 3))
def test_quarter_turns_of_a_face_have_one_code(
    size: float, turn: float, squeeze: float, way: float, quarters: int
) -> None:
    halves = face(size, turn, squeeze, way)
    turned = halves @ rotation(quarters * np.pi / 2)
    first, second = encode_half_edges(np.stack([halves, turned]))
    np.testing.assert_allclose(first, second, atol=1e-6)


@given(sizes, angles, squeezes, angles)
def test_the_mirrored_order_of_half_edges_has_the_same_code(
    size: float, turn: float, squeeze: float, way: float
) -> None:
    halves = face(size, turn, squeeze, way)
    first, second = encode_half_edges(np.stack([halves, halves[:, ::-1]]))
    np.testing.assert_allclose(first, second, atol=1e-6)


def test_a_root_measures_in_half_edges() -> None:
    halves = face(12.0, 0.4, 0.6, 1.1)
    root = face_roots(encode_half_edges(halves[None]))[0]
    np.testing.assert_allclose(root, root.T)
    np.testing.assert_allclose(np.linalg.norm(np.linalg.solve(root, halves), axis=0), 1.0)
