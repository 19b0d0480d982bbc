# SPDX-License-Identifier: MIT
"""
Write nets as ONNX files that OpenCV 4 and 5 run.

Batch norms are folded into their convolutions. The finder takes pictures of any size, the
others one tile. OpenCV runs each written file once, and its result must equal torch's, because a
file that loads may still compute something else.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.tiles import TILE_PX

_OPSET = 13
_MOST_DIFFERENCE = 2e-3


def write_finder(net: nn.Module, path: Path) -> None:
    """
    Write the finder.

    Raises:
        ValueError: OpenCV's result of the written net differs from torch's.
    """
    axes = {"picture": {0: "n", 2: "h", 3: "w"}, "maps": {0: "n", 2: "rows", 3: "columns"}}
    _write(net, path, "picture", "maps", axes, sizes=((1, 144, 256), (1, 96, 160)))


def write_tile_net(net: nn.Module, path: Path, *, channels: int = 3) -> None:
    """
    Write a net that takes tiles with this many channels.

    Raises:
        ValueError: OpenCV's result of the written net differs from torch's.
    """
    _write(net, path, "tile", "out", {}, sizes=((1, TILE_PX, TILE_PX),), channels=channels)


def _write(
    net: nn.Module,
    path: Path,
    input_name: str,
    output_name: str,
    axes: dict[str, dict[int, str]],
    *,
    sizes: tuple[tuple[int, int, int], ...],
    channels: int = 3,
) -> None:
    net = net.eval().to(memory_format=torch.contiguous_format)
    count, height, width = sizes[0]
    torch.onnx.export(
        net,
        (torch.zeros(count, channels, height, width),),
        str(path),
        opset_version=_OPSET,
        dynamo=False,
        input_names=[input_name],
        output_names=[output_name],
        dynamic_axes=axes,
    )
    runs = cv2.dnn.readNetFromONNX(str(path))
    for count, height, width in sizes:
        noise = np.random.default_rng(height).integers(0, 256, (count, channels, height, width))
        blob = noise.astype(np.float32)
        with torch.no_grad():
            expected = net(torch.from_numpy(blob)).numpy()
        runs.setInput(blob)
        difference = float(np.abs(runs.forward() - expected).max())
        if difference > _MOST_DIFFERENCE * max(1.0, float(np.abs(expected).max())):
            raise ValueError(f"{path.name} as run by OpenCV differs by {difference:.4f}")
