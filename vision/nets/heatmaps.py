# SPDX-License-Identifier: MIT
"""
From the finder's maps to faces.

The net estimates, for every cell of four by four pixels: how likely the middle of a proper
top face lies there, or of one that is cocked, stacked, hidden or cut off; whether the
cell is die or thing; where the middle of the face around it lies; and the face's shape
(see `vision.nets.face_encoding`). A face is proposed wherever the likeness has a peak, and of
two that overlap by more than dice can, the likelier one stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import Floats
from vision.nets.face_encoding import decode_half_edges

_Real = TypeVar("_Real", np.float32, np.float64)

CELL_PX = 4  # Pixels of the net's input a cell of its maps, along either axis.


class Channel(IntEnum):
    """The net's maps in their order; of all but offset and shape it gives logits."""

    TOP = 0
    ODD = 1
    DIE = 2
    THING = 3
    OFFSET = 4
    SHAPE = 6
    END = 11


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces side by side, in pixels of the net's input, the likeliest first."""

    centers: Floats  # (n, 2).
    half_edges: Floats  # Two columns for each, (n, 2, 2).
    likeness: Floats  # That a die's upper face has its middle there, (n,), 0 to 1.
    odd: Floats  # That it is cocked, stacked, hidden or cut off, (n,), 0 to 1.
    die: Floats  # Mean probability that a place on the face belongs to a die, (n,).
    thing: Floats  # The same of another object, (n,).


def read_maps(maps: NDArray[np.float32], *, least_likeness: float, least_apart: float) -> Faces:
    """
    Find the faces in the maps of one picture, (11, h, w), in the order of `Channel`.

    Peaks below `least_likeness` are left out, and of two middles nearer than `least_apart`, in half
    edges of the likelier face, one goes.
    """
    heat = sigmoid(maps[: Channel.DIE])
    likeness = heat.max(axis=0)
    peaks = (likeness >= cv2.dilate(likeness, np.ones((3, 3), np.uint8))) & (
        likeness >= least_likeness
    )
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-likeness[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    there = maps[:, rows, columns].T.astype(np.float64)
    cells = np.column_stack([columns, rows]) + there[:, Channel.OFFSET : Channel.SHAPE]
    share = heat[:, rows, columns].astype(np.float64)
    half_edges = decode_half_edges(there[:, Channel.SHAPE : Channel.END])
    die, thing = _means_on(maps[Channel.DIE : Channel.OFFSET], cells, half_edges / CELL_PX)
    centers = (cells + 0.5) * CELL_PX - 0.5
    stays = _first_of_each(centers, half_edges, least_apart)
    odd = share[1] / np.maximum(share.sum(axis=0), 1e-9)
    found = (centers, half_edges, likeness[rows, columns].astype(np.float64), odd, die, thing)
    return Faces(*(values[stays] for values in found))


def sigmoid(logits: NDArray[_Real]) -> NDArray[_Real]:
    """Return logits as 0 to 1, without overflow."""
    share: NDArray[_Real] = 0.5 * (1.0 + np.tanh(0.5 * logits))
    return share


def _means_on(logits: NDArray[np.float32], cells: Floats, half_cells: Floats) -> Floats:
    """Return the mean probabilities of maps (m, h, w) on faces, (m, n)."""
    places = cells[:, None] + np.einsum("nij,kj->nki", half_cells, _ON_A_FACE)
    columns, rows = np.moveaxis(np.rint(places).astype(np.intp), 2, 0)
    height, width = logits.shape[1:]
    there = logits[:, rows.clip(0, height - 1), columns.clip(0, width - 1)]
    return np.asarray(sigmoid(there.astype(np.float64)).mean(axis=2))


# Places on a face, in half edges from its middle.
_ON_A_FACE = np.stack(np.meshgrid((-0.6, 0.0, 0.6), (-0.6, 0.0, 0.6)), axis=2).reshape(-1, 2)


def _first_of_each(centers: Floats, half_edges: Floats, least_apart: float) -> NDArray[np.bool_]:
    """Which faces stay: none that lies too near to a likelier one that stays."""
    apart = centers[None] - centers[:, None]
    halves = np.einsum("nij,nmj->nmi", np.linalg.inv(half_edges), apart)
    near = np.square(halves).sum(axis=2) < least_apart**2
    stays = np.ones(len(centers), bool)
    for index in range(len(stays)):
        if stays[index]:
            stays[index + 1 :] &= ~near[index, index + 1 :]
    return stays
