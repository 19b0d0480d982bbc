# SPDX-License-Identifier: MIT
"""A net in its file, run by OpenCV; threads that ask at the same time wait for each other."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

WEIGHTS = Path(__file__).parent / "weights"
"""The nets that come with the project."""

# OpenCV 5 has a new engine, on which these nets take half as long again; OpenCV 4 has one only.
_ENGINE: dict[str, int] = (
    {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
)


_MOST_COPIES = 4
"""Shapes whose copies are kept; a camera's pictures need two or three."""


class WeightsError(FileNotFoundError):
    """
    A net's weights are missing, or the file holds something else.

    Args:
        path: The file.
        found: What was found instead.
    """

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(
            f"{path}: expected the weights of a net, found {found}; they come with the project, "
            "and `make train` rebuilds them"
        )


class Net:
    """
    One net. OpenCV keeps a run's state inside of it, so runs wait for each other.

    With another shape a net plans all its memory again, which takes longer than a run. So there is
    one copy of it for each of the last few shapes.

    Args:
        weights: An ONNX file, as `python -m vision.training` writes it.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(self, weights: Path) -> None:
        if not weights.is_file():
            raise WeightsError(weights, "no such file")
        self._weights = weights
        try:
            self._spare: cv2.dnn.Net | None = self._new_copy()
        except cv2.error as error:
            raise WeightsError(weights, "a file that holds no net") from error
        self._copies: dict[tuple[int, ...], cv2.dnn.Net] = {}
        self._lock = Lock()

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the net's output for a blob of raw pixels, (n, 3, height, width)."""
        with self._lock:
            net = self._copy_for(blob.shape)
            net.setInput(blob)
            return np.array(net.forward(), dtype=np.float32)

    def _copy_for(self, shape: tuple[int, ...]) -> cv2.dnn.Net:
        net = self._copies.pop(shape, None)
        if net is None:
            if len(self._copies) == _MOST_COPIES:
                self._copies.pop(next(iter(self._copies)))
            net, self._spare = self._spare or self._new_copy(), None
        # The last one used stands last, so that the first is the one to drop.
        self._copies[shape] = net
        return net

    def _new_copy(self) -> cv2.dnn.Net:
        # From bytes in memory OpenCV 5 takes its new engine, whichever is asked for.
        return cv2.dnn.readNetFromONNX(str(self._weights), **_ENGINE)

    def run_tiles(self, tiles: Image) -> NDArray[np.float32]:
        """
        Return what the net says of tiles (n, height, width, 3), one row each, (n, m).

        One by one, for a net that always sees the same shape plans its memory only once.
        """
        if not len(tiles):
            return np.empty((0, 0), np.float32)
        blobs = tiles.transpose(0, 3, 1, 2).astype(np.float32)
        return np.stack([self.run(blob[None])[0].ravel() for blob in blobs])
