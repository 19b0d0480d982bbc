# SPDX-License-Identifier: MIT
"""
Throws and hands in the simulated tray, seen by slow cameras.

Only the ways of the dice are in question here, so a reader that knows the truth stands in
for the one that reads pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from vision.reading import Origin
from vision.tracking.rest_detector import RestDetector

SIZE_WH = (640, 360)
PATIENCE_S = 6.0
BY_HAND = {Origin.TURNED, Origin.PLACED, Origin.KEPT}


class Table:
    """A simulated tray that is watched."""

    def __init__(self, *, seed: int, fps: int) -> None:
        self.camera = SimulatedCamera(SteppedClock(), seed=seed, size_wh=SIZE_WH, fps=fps)
        self.camera.open()
        self._detector = RestDetector(TruthfulReader(self.camera))
        self.origins_after(lambda: None)

    def origins_after(self, act: Callable[[], None]) -> list[Origin | None]:
        """Return the origins of the dice after an action."""
        act()
        until_s: float | None = None
        while True:
            frame = self.camera.frame(1.0)
            until_s = until_s or frame.at_s + PATIENCE_S
            observation = self._detector.process(frame)
            if observation.is_new_rest and observation.reading and not self.camera.is_moving:
                return [die.origin for die in observation.reading.dice]
            assert frame.at_s < until_s, "expected a rest"


@pytest.mark.parametrize("fps", [6, 15])
def test_thrown_dice_are_distinguished_from_resting_ones(fps: int) -> None:
    table = Table(seed=1, fps=fps)
    for which in [(0, 1, 2, 3, 4), (1, 3), (0, 1, 2, 3, 4), (0, 2, 4), (0, 1, 2, 3, 4), (3,)]:
        found = table.origins_after(partial(table.camera.throw, which=which))
        wanted = [Origin.THROWN if index in which else Origin.KEPT for index in range(5)]
        assert found == wanted


@pytest.mark.parametrize("fps", [6, 15])
def test_dice_turned_or_set_by_a_hand_are_never_thrown(fps: int) -> None:
    table = Table(seed=4, fps=fps)
    for index in range(3):
        face = table.camera.truth()[index].face % 6 + 1
        found = table.origins_after(partial(table.camera.turn, index, face))
        assert found.pop(index) in (Origin.TURNED, Origin.PLACED)
        assert set(found) == {Origin.KEPT}
    assert len(table.origins_after(partial(table.camera.take_out, [0, 2, 4]))) == 2
    found = table.origins_after(table.camera.put_back)
    assert found[1::2] == [Origin.KEPT] * 2
    assert set(found[::2]) <= BY_HAND
