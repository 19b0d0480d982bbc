# SPDX-License-Identifier: MIT
"""Measurements of a machine and of the reader, for `dicebell bench`."""

from __future__ import annotations

from importlib.util import find_spec


def has_scenes() -> bool:
    """Return whether scenes can be drawn: a checkout has them, a wheel does not."""
    return find_spec("vision.training") is not None
