# SPDX-License-Identifier: MIT
"""A school of a few shots and steps: everything runs through, and OpenCV runs what comes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from vision.learned.finder import Finder
from vision.learned.opinion import LearnedOpinion
from vision.learned.stance import StanceTeller
from vision.training.__main__ import Size, rebuild


@pytest.mark.filterwarnings("default")
def test_weights_are_rebuilt_from_a_seed(tmp_path: Path) -> None:
    size = Size(small=8, large=3, finder_steps=12, opinion_steps=12, stances=6, stance_steps=12)
    for name in ("first", "second"):
        (tmp_path / f"{name}-work").mkdir()
        rebuild(tmp_path / name, tmp_path / f"{name}-work", seed=3, size=size)
    Finder(tmp_path / "first" / "finder.onnx").find(np.zeros((180, 320, 3), np.uint8))
    stances = StanceTeller(tmp_path / "first" / "stance.onnx").tell(
        np.zeros((180, 320, 3), np.uint8), np.array([[160.0, 90.0]]), np.eye(2)[None] * 20.0
    )
    assert np.isfinite(stances.downs).all()
    tiles = np.zeros((2, 80, 80, 3), np.uint8)
    first = LearnedOpinion(tmp_path / "first" / "opinion.onnx").judge(tiles)
    second = LearnedOpinion(tmp_path / "second" / "opinion.onnx").judge(tiles)
    np.testing.assert_allclose(first, second, atol=1e-5)
