# SPDX-License-Identifier: MIT
"""
Nets whose weights a test knows: they measure where the bright square in a tile is.

One layer is enough: the first moments of the brightness are sums over pixels. Made of ONNX as
the trained nets are, so that the reader runs them as it runs its own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from vision.nets.tile_net import CLASSES, HEAD, HEAT_MAPS
from vision.tiles import FACE_PX, TILE_PX

BODY = (200, 100, 60)
"""Colour of the squares, on a black ground."""

NUMBER = 4
FOOT = (0.1, -0.2)
FOOT_ERROR = 0.05

_SQUARE = float(sum(BODY)) * FACE_PX**2
"""What the pixels of a well cut square sum up to."""

_NOTHING = -9.0

_Floats32 = NDArray[np.float32]


def write_nets(folder: Path) -> Path:
    """
    Write a tile net and a second opinion into a folder and return it.

    Both are sure of the number on a square of the right size. Without one the tile net sees no
    upper face. The opinion is less sure if the square is larger or smaller.
    """
    head = np.zeros((HEAD.END, 3, TILE_PX, TILE_PX), np.float32)
    bias = np.zeros(HEAD.END, np.float32)
    along = (np.arange(TILE_PX, dtype=np.float32) - (TILE_PX - 1) / 2.0) / FACE_PX / _SQUARE
    head[HEAD.CENTER] = along[None, None, :]
    head[HEAD.CENTER + 1] = along[None, :, None]
    head[HEAD.CLASS] = -20.0 / _SQUARE
    bias[HEAD.CLASS], bias[HEAD.CLASS + NUMBER] = 15.0, 5.0
    # An upright square as large as the cut.
    bias[HEAD.SHAPE + 3] = 1.0
    bias[HEAD.FOOT : HEAD.FOOT_ERROR] = FOOT
    bias[HEAD.FOOT_ERROR] = np.log(FOOT_ERROR)
    bias[HEAD.ODD] = -3.0
    bias[HEAD.LIGHT] = 3.0
    maps = np.zeros((HEAT_MAPS, 3, 2, 2), np.float32)
    map_bias = np.array([_NOTHING, 0.0, 0.0], np.float32)
    _write(folder / "tile.onnx", [(head, bias, TILE_PX), (maps, map_bias, 2)])
    opinion = np.zeros((CLASSES, 3, TILE_PX, TILE_PX), np.float32)
    opinion_bias = np.zeros(CLASSES, np.float32)
    opinion[NUMBER], opinion_bias[NUMBER] = 30.0 / _SQUARE, -26.0
    _write(folder / "opinion.onnx", [(opinion, opinion_bias, TILE_PX)])
    return folder


def _write(path: Path, layers: list[tuple[_Floats32, _Floats32, int]]) -> None:
    """Write a net of convolutions side by side, whose flat outputs follow each other."""
    nodes, stored, rows = [], [], []
    for i, (weights, bias, stride) in enumerate(layers):
        stored += [
            onnx.numpy_helper.from_array(weights, f"weights{i}"),
            onnx.numpy_helper.from_array(bias, f"bias{i}"),
        ]
        nodes.append(
            onnx.helper.make_node(
                "Conv",
                ["tile", f"weights{i}", f"bias{i}"],
                [f"maps{i}"],
                kernel_shape=list(weights.shape[2:]),
                strides=[stride, stride],
            )
        )
        nodes.append(onnx.helper.make_node("Flatten", [f"maps{i}"], [f"row{i}"]))
        rows.append(f"row{i}")
    nodes.append(onnx.helper.make_node("Concat", rows, ["out"], axis=1))
    count = sum(
        len(bias) * (TILE_PX // stride if stride < TILE_PX else 1) ** 2
        for _, bias, stride in layers
    )
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes,
        "hand made",
        [onnx.helper.make_tensor_value_info("tile", kind, [1, 3, TILE_PX, TILE_PX])],
        [onnx.helper.make_tensor_value_info("out", kind, [1, count])],
        stored,
    )
    opset = onnx.helper.make_opsetid("", 13)
    model = onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8)
    path.write_bytes(model.SerializeToString())
