# SPDX-License-Identifier: MIT
"""Scenes that several nets are tested with."""

from __future__ import annotations

import pytest

from vision.training.scenes import RenderedScene, SceneSpec, render_scene

# Training ends below these seeds.
_SEEDS = range(7_000_000, 7_000_012)


@pytest.fixture(scope="session")
def clear_scenes() -> tuple[RenderedScene, ...]:
    """Drawing one takes half a second."""
    spec = SceneSpec(clear=True, expect=4)
    return tuple(render_scene(seed, (960, 540), spec=spec) for seed in _SEEDS)
