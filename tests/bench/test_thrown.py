# SPDX-License-Identifier: MIT
"""Plain throws on a machine that drops frames: a small version of the measurement."""

from __future__ import annotations

import pytest

from tests.bench.thrown import FrameLoss, measure_throws

LOADS = (
    FrameLoss("all"),
    FrameLoss("half", share=0.5),
    FrameLoss("few", share=0.7),
    FrameLoss("stalls", stall_s=0.6),
)


@pytest.fixture(scope="module")
def figures() -> dict[str, float]:
    return {each.name: each.value for each in measure_throws(8, LOADS, seed=3)}


@pytest.mark.parametrize("load", [load.name for load in LOADS])
def test_dropped_frames_turn_no_throw_into_a_placed_die(
    figures: dict[str, float], load: str
) -> None:
    assert figures[f"{load}: throws"] == 8
    assert figures[f"{load}: throws called placed"] == 0


def test_without_dropped_frames_every_die_is_seen(figures: dict[str, float]) -> None:
    assert figures["all: dice called unseen"] == 0
    assert figures["all: dice called kept or turned"] == 0


@pytest.mark.parametrize("load", ["all", "half", "few"])
def test_dice_that_a_hand_sets_are_noticed(figures: dict[str, float], load: str) -> None:
    assert figures[f"{load}: of these noticed"] == figures[f"{load}: dice set by a hand"] == 4
