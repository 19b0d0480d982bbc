# SPDX-License-Identifier: MIT
"""
A face's half edges as five numbers that a net can learn.

A square has four equally good first half edges: u, v, -u and -v say the same face. A net
that is taught one of them at random learns their mean, which is none of them. So its
shape and its turn are encoded separately:

- With u and v as the columns of U, the ellipse M = U U^T that touches the middles of all
  four sides is the same whichever half edge comes first. Its root S = sqrt(M) is
  symmetric, and the logarithm of S is symmetric without any condition on its numbers:
  S = exp(s) expm([[a, b], [b, -a]]). The size is s, the squeeze and its direction a and b.
- What is left, S^-1 U, is a plain turn by an angle t, known up to quarter turns: it is
  encoded as cos 4t and sin 4t, which are the same for all four.

Back: with r = sqrt(a^2 + b^2), expm([[a, b], [b, -a]]) = cosh(r) I + sinh(r)/r [[a, b], [b, -a]],
and U = S [[cos t, -sin t], [sin t, cos t]].
"""

from __future__ import annotations

import numpy as np

from vision.face import Floats

UNIT_PX = 8.0  # The half edge, in pixels of the net's input, for which the size s is 0.

_NO_SQUEEZE = 1e-9


def encode_half_edges(half_edges: Floats) -> Floats:
    """
    Return s, a, b, cos 4t and sin 4t, (n, 5), of faces with half edges in pixels, (n, 2, 2).

    They do not depend on which half edge comes first; no face may be flat.
    """
    ellipse = half_edges @ half_edges.transpose(0, 2, 1)
    area = np.sqrt(np.linalg.det(ellipse))
    trace = np.trace(ellipse, axis1=1, axis2=2)
    root = ellipse + area[:, None, None] * np.eye(2)
    root /= np.sqrt(trace + 2.0 * area)[:, None, None]
    size = np.sqrt(area)
    even = (root[:, 0, 0] - root[:, 1, 1]) / (2.0 * size)
    slant = root[:, 0, 1] / size
    stretch = np.hypot(even, slant)
    per_sinh = np.arcsinh(stretch) / np.maximum(stretch, _NO_SQUEEZE)
    first = np.linalg.solve(root, half_edges[:, :, :1])[:, :, 0]
    turn = 4.0 * np.arctan2(first[:, 1], first[:, 0])
    return np.column_stack(
        [np.log(size / UNIT_PX), even * per_sinh, slant * per_sinh, np.cos(turn), np.sin(turn)]
    )


def decode_half_edges(code: Floats) -> Floats:
    """
    Return the half edges, (n, 2, 2), of faces encoded by `encode_half_edges`, (n, 5).

    The first half edge is the one within an eighth turn of the x axis, as the face seems once its
    squeeze is undone; the second follows it clockwise in the picture. cos 4t and sin 4t may have
    any common length.
    """
    root = face_roots(code)
    turn = np.arctan2(code[:, 4], code[:, 3]) / 4.0
    halves: Floats = root @ rotations(turn)
    return halves


def rotations(turn: Floats) -> Floats:
    """Return matrices (n, 2, 2) that turn by angles in radians, (n,)."""
    cosine, sine = np.cos(turn), np.sin(turn)
    return np.stack([cosine, -sine, sine, cosine], axis=1).reshape(-1, 2, 2)


def face_roots(code: Floats) -> Floats:
    """Return the symmetric roots S, (n, 2, 2): S^-1 d is a distance in half edges of the face."""
    size, even, slant = UNIT_PX * np.exp(code[:, 0]), code[:, 1], code[:, 2]
    squeeze = np.hypot(even, slant)
    cosh, sinh = np.cosh(squeeze), np.sinh(squeeze) / np.maximum(squeeze, _NO_SQUEEZE)
    sinh = np.where(squeeze < _NO_SQUEEZE, 1.0, sinh)
    parts = [cosh + sinh * even, sinh * slant, sinh * slant, cosh - sinh * even]
    return size[:, None, None] * np.stack(parts, axis=1).reshape(-1, 2, 2)
