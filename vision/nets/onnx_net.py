# SPDX-License-Identifier: MIT
"""A net in its file, run by OpenCV; threads that ask at the same time wait for each other."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

WEIGHTS = Path(__file__).parent / "weights"  # The nets that come with the project.

# OpenCV 5 has a new engine, on which these nets take half as long again; OpenCV 4 has one only.
_ENGINE: dict[str, int] = (
    {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
)


_MOST_COPIES = 4  # Shapes whose copies are kept; a camera's pictures need two or three.
_MOST_TILES = 128  # Tiles of which the net remembers what it said; a busy picture has about 70.


@cache
def weights_digest() -> str:
    """Return the SHA-256 of the names and contents of all weights that come with the project."""
    digest = hashlib.sha256()
    for path in sorted(WEIGHTS.iterdir()):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


class WeightsError(FileNotFoundError):
    """A net's weights are missing, or the file holds something else."""

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
        self._rows: dict[bytes, NDArray[np.float32]] = {}
        self._lock = Lock()

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the net's output for a blob of raw pixels, (n, 3, height, width)."""
        with self._lock:
            return self._run(blob)

    def _run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
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

        One by one: a batch is hardly faster, and each number of tiles would be another shape. Of
        the last tiles it says the same again without a run, because the finder's second look at a
        picture proposes most faces of its first look.
        """
        if not len(tiles):
            return np.empty((0, 0), np.float32)
        with self._lock:
            return np.stack([self._row_of(tile) for tile in tiles])

    def _row_of(self, tile: Image) -> NDArray[np.float32]:
        # All tiles themselves would take 1.6 MB for each net.
        key = hashlib.blake2b(tile.tobytes(), digest_size=32).digest()
        row = self._rows.pop(key, None)
        if row is None:
            if len(self._rows) == _MOST_TILES:
                self._rows.pop(next(iter(self._rows)))
            row = self._run(tile.transpose(2, 0, 1)[None].astype(np.float32, order="C"))[0].ravel()
        self._rows[key] = row
        return row
