# SPDX-License-Identifier: MIT
"""
Somebody's hands at the simulated tray.

A page either names no die ("nudge"), and which one is left to chance, or points at one
in the picture. Hands that find nothing to do, such as a die to take out of an empty
tray, do nothing.
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
    """
    Does to a simulated tray what a page asks for, from any thread.

    Args:
        camera: The tray.
        seed: Decides which die is handled.
    """

    def __init__(self, camera: SimulatedCamera, *, seed: int) -> None:
        self._camera = camera
        self._random = random.Random(seed)
        # Hands look first and reach then; nobody else's may come between.
        self._lock = threading.Lock()
        self._announced: tuple[tuple[float, float], ...] = ()

    def announce(self, places_px: Sequence[tuple[float, float]]) -> None:
        """Know where the dice lie that a player has said to throw again; none: nothing is said."""
        with self._lock:
            self._announced = tuple(places_px)

    def throw(self) -> None:
        """Throw what is in the hand; else the announced dice; else all."""
        with self._lock:
            found = (self._find_die(*place) for place in self._announced)
            announced = [die.index for die in found if die is not None]
            is_in_hand = len(self._dice_in_tray()) < len(self._camera.truth())
            self._camera.throw(which=None if is_in_hand else announced or None)

    def take(self, x_px: float, y_px: float) -> None:
        """Take the die at a place in the picture into the hand."""
        with self._lock:
            if (die := self._find_die(x_px, y_px)) is not None:
                self._camera.take_out([die.index])

    def turn_at(self, x_px: float, y_px: float) -> None:
        """Turn the die at a place in the picture to the next face: 1, 2, ... 6, 1."""
        with self._lock:
            if (die := self._find_die(x_px, y_px)) is not None:
                self._camera.turn(die.index)

    def nudge(self) -> None:
        """Push a die a little."""
        with self._lock:
            if (die := self._pick_die()) is not None:
                self._camera.nudge(die.index)

    def turn(self) -> None:
        """Turn a die over to another face."""
        with self._lock:
            if (die := self._pick_die()) is not None:
                others = [face for face in range(1, 7) if face != die.face]
                self._camera.turn(die.index, self._random.choice(others))

    def tilt(self) -> None:
        """Lean a die against the wall."""
        with self._lock:
            if (die := self._pick_die()) is not None:
                self._camera.tilt(die.index)

    def take_out(self) -> None:
        """Take a die out of the tray."""
        with self._lock:
            if (die := self._pick_die()) is not None:
                self._camera.take_out([die.index])

    def put_back(self) -> None:
        """Put the dice that are out back where they lay."""
        with self._lock:
            self._camera.put_back()

    def change_dice(self, polarities: Sequence[str]) -> None:
        """
        Bring the dice of a game, unless they are there.

        Args:
            polarities: `light`, `dark` or empty (any) for each die.
        """
        with self._lock:
            self._camera.change_dice([DieKind.of(polarity) for polarity in polarities])

    def lay_cards(self) -> None:
        """Lay the printed corner cards in the corners of the felt."""
        self._camera.lay_cards()

    def take_cards(self) -> None:
        """Take the corner cards away."""
        self._camera.lay_cards(False)

    def knock(self) -> None:
        """Push the camera a little; it stays there."""
        self._camera.knock()

    def set_fault(self, name: str | None) -> None:
        """
        Let the camera fail by one of its faults; none mends it.

        Raises:
            ValueError: No such fault.
        """
        self._camera.set_fault(name)

    def _dice_in_tray(self) -> list[SimulatedDie]:
        return [die for die in self._camera.truth() if die.is_in_tray]

    def _pick_die(self) -> SimulatedDie | None:
        dice = self._dice_in_tray()
        return self._random.choice(dice) if dice else None

    def _find_die(self, x_px: float, y_px: float) -> SimulatedDie | None:
        """Return the die nearest to a place in the picture, if that is within its edge."""
        near = [
            (edges, die.index, die)
            for die in self._dice_in_tray()
            if (edges := self._distance_in_edges(die, x_px, y_px)) <= 1.0
        ]
        return min(near)[2] if near else None

    def _distance_in_edges(self, die: SimulatedDie, x_px: float, y_px: float) -> float:
        """Return how far from a die's upper face a place in the picture is, in its edges."""
        half_mm = DIE_EDGE_MM / 2.0
        left = self._camera.project(die.x_mm - half_mm, die.y_mm, DIE_EDGE_MM)
        right = self._camera.project(die.x_mm + half_mm, die.y_mm, DIE_EDGE_MM)
        middle = ((left[0] + right[0]) / 2.0, (left[1] + right[1]) / 2.0)
        return dist(middle, (x_px, y_px)) / dist(left, right)
