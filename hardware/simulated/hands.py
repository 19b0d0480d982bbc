# SPDX-License-Identifier: MIT
"""
Simulate a person's hands at the tray, as commands from a page.

A command names no die ("nudge") and a random one is chosen, or it points at one in the picture.
A command that cannot be carried out, such as to remove a die from an empty tray, does nothing.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from math import dist

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.die import SimulatedDie
from hardware.simulated.pose import DIE_EDGE_MM, DieKind


class SimulatedHands:
    """Runs commands on a simulated tray, from any thread."""

    def __init__(self, camera: SimulatedCamera, *, seed: int) -> None:
        self._camera = camera
        self._random = random.Random(seed)
        # A command first finds its die and then moves it; no other may come between.
        self._lock = threading.Lock()
        self._announced: tuple[tuple[float, float], ...] = ()

    def announce(self, places_px: Sequence[tuple[float, float]]) -> None:
        """Set the positions of the dice that a player has chosen to throw again."""
        with self._lock:
            self._announced = tuple(places_px)

    def throw(self) -> None:
        """Throw the dice in the hand; else the announced ones; else all."""
        with self._lock:
            found = (self._find_die(*place) for place in self._announced)
            announced = [die.index for die in found if die is not None]
            is_in_hand = len(self._dice_in_tray()) < len(self._camera.truth())
            self._camera.throw(which=None if is_in_hand else announced or None)

    def pick_up(self, x_px: float, y_px: float) -> None:
        with self._lock:
            if (die := self._find_die(x_px, y_px)) is not None:
                self._camera.take_out([die.index])

    def turn_at(self, x_px: float, y_px: float) -> None:
        """Turn the die at a position of the picture to the next face: 1, 2, ... 6, 1."""
        with self._lock:
            if (die := self._find_die(x_px, y_px)) is not None:
                self._camera.turn(die.index)

    def nudge(self) -> None:
        with self._lock:
            if (die := self._pick_die()) is not None:
                self._camera.nudge(die.index)

    def turn(self) -> None:
        with self._lock:
            if (die := self._pick_die()) is not None:
                others = [face for face in range(1, 7) if face != die.face]
                self._camera.turn(die.index, self._random.choice(others))

    def tilt(self) -> None:
        with self._lock:
            if (die := self._pick_die()) is not None:
                self._camera.tilt(die.index)

    def take_out(self) -> None:
        with self._lock:
            if (die := self._pick_die()) is not None:
                self._camera.take_out([die.index])

    def put_back(self) -> None:
        with self._lock:
            self._camera.put_back()

    def change_dice(self, polarities: Sequence[str]) -> None:
        """
        Bring the dice of a game, each `light`, `dark` or empty (any), unless they are there
        already.
        """
        with self._lock:
            self._camera.change_dice([DieKind.of(polarity) for polarity in polarities])

    def lay_cards(self) -> None:
        self._camera.lay_cards()

    def take_cards(self) -> None:
        self._camera.lay_cards(False)

    def knock(self) -> None:
        self._camera.knock()

    def set_fault(self, name: str | None) -> None:
        """Set a fault of the camera, or clear it, as `SimulatedCamera.set_fault` does."""
        self._camera.set_fault(name)

    def _dice_in_tray(self) -> list[SimulatedDie]:
        return [die for die in self._camera.truth() if die.is_in_tray]

    def _pick_die(self) -> SimulatedDie | None:
        dice = self._dice_in_tray()
        return self._random.choice(dice) if dice else None

    def _find_die(self, x_px: float, y_px: float) -> SimulatedDie | None:
        """Return the die nearest to a position of the picture, at most one edge away."""
        near = [
            (edges, die.index, die)
            for die in self._dice_in_tray()
            if (edges := self._distance_in_edges(die, x_px, y_px)) <= 1.0
        ]
        return min(near)[2] if near else None

    def _distance_in_edges(self, die: SimulatedDie, x_px: float, y_px: float) -> float:
        half_mm = DIE_EDGE_MM / 2.0
        left = self._camera.project(die.x_mm - half_mm, die.y_mm, DIE_EDGE_MM)
        right = self._camera.project(die.x_mm + half_mm, die.y_mm, DIE_EDGE_MM)
        middle = ((left[0] + right[0]) / 2.0, (left[1] + right[1]) / 2.0)
        return dist(middle, (x_px, y_px)) / dist(left, right)
