# SPDX-License-Identifier: MIT
"""An exported net computes the same in OpenCV and in torch, or it is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from vision.frame import Image
from vision.nets.finder import Finder
from vision.nets.onnx_net import Net
from vision.nets.tile_net import HEAD, LearnedOpinion, TileNet, softmax
from vision.tiles import TILE_PX
from vision.training import nets
from vision.training.export import write_finder, write_tile_net

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(5)


def _tiles(count: int) -> Image:
    rng = np.random.default_rng(6)
    return rng.integers(0, 256, (count, TILE_PX, TILE_PX, 3)).astype(np.uint8)


def _tensor(pictures: Image) -> Any:
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float()


def _randomize(net: Any) -> Any:
    """Batch norms of a new net change nothing; give them something that has to be folded in."""
    with torch.no_grad():
        for name, buffer in net.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_(0.0, 0.3)
            elif name.endswith("running_var"):
                buffer.uniform_(0.5, 2.0)
    return net.eval()


def test_a_written_tile_net_computes_the_same(tmp_path: Path) -> None:
    net = _randomize(nets.TileNet())
    write_tile_net(net, tmp_path / "tile.onnx")
    outputs = TileNet(tmp_path / "tile.onnx").estimate(_tiles(3))
    with torch.no_grad():
        head, maps = (part.numpy() for part in net.parts(_tensor(_tiles(3))))
    np.testing.assert_allclose(outputs.shares, softmax(head[:, : HEAD.CENTER]), atol=1e-3)
    np.testing.assert_allclose(outputs.centers, head[:, HEAD.CENTER : HEAD.SHAPE], atol=2e-3)
    np.testing.assert_allclose(outputs.feet, head[:, HEAD.FOOT : HEAD.FOOT_ERROR], atol=2e-3)
    np.testing.assert_allclose(outputs.foot_errors, np.exp(head[:, HEAD.FOOT_ERROR]), rtol=5e-3)
    np.testing.assert_allclose(outputs.maps, maps, atol=0.01)


def test_a_written_second_opinion_computes_the_same(tmp_path: Path) -> None:
    net = _randomize(nets.OpinionNet())
    write_tile_net(net, tmp_path / "opinion.onnx")
    with torch.no_grad():
        expected = softmax(net(_tensor(_tiles(2))).numpy().astype(np.float64))
    found = LearnedOpinion(tmp_path / "opinion.onnx").judge(_tiles(2))
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("size_hw", [(96, 160), (64, 64), (144, 256)])
def test_a_written_finder_computes_the_same_for_any_size(
    tmp_path: Path, size_hw: tuple[int, int]
) -> None:
    net = _randomize(nets.FinderNet())
    write_finder(net, tmp_path / "finder.onnx")
    noise = np.random.default_rng(7).integers(0, 256, (1, 3, *size_hw)).astype(np.float32)
    with torch.no_grad():
        expected = net(torch.from_numpy(noise)).numpy()
    found = Net(tmp_path / "finder.onnx").run(noise)
    np.testing.assert_allclose(found, expected, atol=0.01)
    Finder(tmp_path / "finder.onnx").find(np.zeros((*size_hw, 3), np.uint8))


def test_a_net_with_another_result_in_opencv_is_refused(tmp_path: Path) -> None:
    """The hook works in torch only, as an operation does that OpenCV gets wrong."""
    net = _randomize(nets.OpinionNet())

    def shift(module: Any, inputs: Any, output: Any) -> Any:
        return output if torch.jit.is_tracing() else output + 1.0

    net.register_forward_hook(shift)
    with pytest.raises(ValueError, match=r"wrong\.onnx as run by OpenCV differs by 1\.0"):
        write_tile_net(net, tmp_path / "wrong.onnx")
