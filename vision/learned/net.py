# SPDX-License-Identifier: MIT
"""A net in its file, run by OpenCV: one at a time, whichever thread asks."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

WEIGHTS = Path(__file__).parent / "weights"
"""Where the nets lie that come with the project."""

# OpenCV 5 has a new engine, on which these nets take half as long again; OpenCV 4 has one only.
_ENGINE: dict[str, int] = (
    {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
)


class WeightsError(FileNotFoundError):
    """A net's weights are missing, or what stands in their place is no net."""


class Net:
    """
    One net. OpenCV keeps a run's state inside of it, so runs wait for each other.

    Args:
        weights: An ONNX file, as `python -m vision.training` writes it.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(self, weights: Path) -> None:
        if not weights.is_file():
            raise WeightsError(_said(weights, "no such file"))
        try:
            self._net = cv2.dnn.readNetFromONNX(str(weights), **_ENGINE)
        except cv2.error as error:
            raise WeightsError(_said(weights, "a file that holds no net")) from error
        self._lock = Lock()

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what the net tells of a blob of raw pixels, (n, 3, height, width)."""
        with self._lock:
            self._net.setInput(blob)
            return np.array(self._net.forward(), dtype=np.float32)

    def run_tiles(self, tiles: Image) -> NDArray[np.float32]:
        """Return what the net tells of tiles (n, height, width, 3), at least one."""
        return self.run(np.asarray(cv2.dnn.blobFromImages(list(tiles)), dtype=np.float32))


def _said(weights: Path, found: str) -> str:
    return (
        f"{weights}: expected the weights of a net, found {found}; they come with the project, "
        "and `python -m vision.training` rebuilds them"
    )
