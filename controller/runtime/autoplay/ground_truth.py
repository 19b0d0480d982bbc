# SPDX-License-Identifier: MIT
"""
Compare what the table read with the real dice in a simulated tray.

The table sees only pixels. A roll is right if every die was read at its position with its face
and colour, and if exactly the untouched dice were read as kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import dist

from controller.games.game import Game
from controller.table.events import TrayDie
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.die import SimulatedDie
from hardware.simulated.pose import DIE_EDGE_MM
from vision.reading import Origin

NEAR_EDGES = 0.5  # A die counts as read at its position within this share of its edge.


@dataclass(slots=True)
class AutoplayStats:
    """The results of the throws, compared with the tray."""

    games: int = 0  # Finished games.
    rolls: int = 0  # Rolls that the table took.
    wrong: int = 0  # Wrong rolls and wrong holds.
    doubtful: int = 0  # Rests that the table doubted.
    unseen: int = 0  # Throws and removed dice that the table did not react to.
    holds: int = 0  # Holds that the table inferred without a button.


class GroundTruth:
    """The real dice in a simulated tray."""

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera = camera

    def dice_to_throw(self, game: Game, staying: Sequence[str]) -> tuple[int, ...]:
        """Return the indices of the dice to throw if dice with these texts stay."""
        left, thrown = Counter(staying), []
        for die in self._camera.truth():
            text = game.die_text(die.face, die.kind.polarity)
            if die.is_in_tray and left[text]:
                left[text] -= 1
            else:
                thrown.append(die.index)
        return tuple(thrown)

    def find_turns(self, game: Game, wanted: Sequence[str]) -> dict[int, int]:
        """Return the faces to which dice must be turned so that the tray shows these texts."""
        missing = Counter(wanted)
        spare: list[SimulatedDie] = []
        for die in self._camera.truth():
            text = game.die_text(die.face, die.kind.polarity)
            if missing[text]:
                missing[text] -= 1
            else:
                spare.append(die)
        faces = [int(text[-1]) for text in missing.elements()]
        return {die.index: face for die, face in zip(spare, faces, strict=True)}

    def find_errors(
        self, taken: Sequence[TrayDie], *, thrown: Collection[int] | None
    ) -> tuple[str, ...]:
        """Return the errors in a roll; `thrown` dice if the table had to find them by itself."""
        truth = [die for die in self._camera.truth() if die.is_in_tray]
        if len(truth) != len(taken):
            return (f"{len(truth)} dice lie in the tray, {len(taken)} were read",)
        return tuple(
            complaint for die in truth if (complaint := self._find_error(die, taken, thrown))
        )

    def _find_error(
        self, die: SimulatedDie, taken: Sequence[TrayDie], thrown: Collection[int] | None
    ) -> str:
        place_px = self._camera.project(die.x_mm, die.y_mm, DIE_EDGE_MM)
        seen = min(taken, key=lambda other: dist(other.center_px, place_px))
        is_there = dist(seen.center_px, place_px) <= NEAR_EDGES * seen.edge_px
        true = f"the {die.kind.value} {die.face} at {place_px[0]:.0f},{place_px[1]:.0f}"
        if not is_there or (seen.face, seen.polarity) != (die.face, die.kind.polarity):
            return f"{true} was read as {seen.polarity} {seen.face}"
        is_kept = seen.origin == Origin.KEPT.value
        if thrown is not None and is_kept == (die.index in thrown):
            return f"{true} was {'thrown' if is_kept else 'kept'}, and read as {seen.origin}"
        return ""
