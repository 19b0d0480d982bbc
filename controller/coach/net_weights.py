# SPDX-License-Identifier: MIT
"""The weights of the nets, as they were learnt; see docs/coach.md."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Weights:
    """The arrays of one file, in single precision for the processor, and its SHA-256."""

    arrays: Mapping[str, NDArray[np.float32]]
    digest: str


@cache
def load_weights(name: str) -> Weights:
    """Return the weights with this name, such as `choice`."""
    content = (files("controller.coach") / "weights" / f"{name}.npz").read_bytes()
    with np.load(io.BytesIO(content)) as found:
        arrays = {key: found[key].astype(np.float32) for key in found.files}
    return Weights(arrays, hashlib.sha256(content).hexdigest())
