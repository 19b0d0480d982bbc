# SPDX-License-Identifier: MIT
"""The weights of the nets, as they were learnt; see docs/coach.md."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

UNIT = 100.0  # Points by which the nets count.


@dataclass(frozen=True, slots=True)
class Weights:
    """The arrays of one file, in single precision for the processor, and its SHA-256."""

    arrays: Mapping[str, NDArray[np.float32]]
    digest: str

    def list_layers(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Return weights and bias of the layers above the sum of rows."""
        return [(self.arrays[f"w{n}"].T.copy(), self.arrays[f"b{n}"]) for n in (2, 3)]


@cache
def load_weights(name: str) -> Weights:
    """Return the weights with this name, such as `choice`."""
    content = (files("controller.coach") / "weights" / f"{name}.npz").read_bytes()
    with np.load(io.BytesIO(content)) as found:
        arrays = {key: found[key].astype(np.float32) for key in found.files}
    return Weights(arrays, hashlib.sha256(content).hexdigest())


def finish_rows(
    rows: NDArray[np.float32], layers: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]
) -> NDArray[np.float64]:
    """Return the values of sums of rows; the last number of a row is added as it is."""
    hidden = rows[..., :-1]
    for weights, bias in layers:
        hidden = np.maximum(hidden, 0) @ weights + bias
    return UNIT * (hidden[..., 0] + rows[..., -1]).astype(np.float64)
