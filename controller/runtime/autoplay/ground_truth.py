# SPDX-License-Identifier: MIT
"""
What really lies in a simulated tray, and whether the table says the same.

Nothing here is known to the table: it has only the pixels. A roll is right when every die
was read in its place with its face and colour, and when the table took those for kept that
nobody had touched.
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

NEAR_EDGES = 0.5
"""A die was read in its place when that is no further off than this share of its edge."""


@dataclass(slots=True)
class AutoplayStats:
    """
    What came of the throws, compared roll by roll with the truth of the tray.

    Attributes:
        games: Finished ones.
        rolls: Rolls that the table took.
        wrong: Rolls that were something else in truth, and holds told wrongly.
        doubtful: Rests that the table did not take for a roll.
        unseen: Throws, and dice taken out, that the table had no answer to.
        holds: Throws of some of the dice that the table followed without a button.
    """

    games: int = 0
    rolls: int = 0
    wrong: int = 0
    doubtful: int = 0
    unseen: int = 0
    holds: int = 0


class GroundTruth:
    """
    The dice in a simulated tray as they are.

    Args:
        camera: The tray.
    """

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera = camera

    def dice_to_throw(self, game: Game, staying: Sequence[str]) -> tuple[int, ...]:
        """Return the dice that are thrown, by index, where dice with these texts stay."""
        left, thrown = Counter(staying), []
        for die in self._camera.truth():
            text = game.die_text(die.face, die.kind.polarity)
            if die.is_in_tray and left[text]:
                left[text] -= 1
            else:
                thrown.append(die.index)
        return tuple(thrown)

    def find_turns(self, game: Game, wanted: Sequence[str]) -> dict[int, int]:
        """Return which dice have to be turned to which face, so that the tray shows these."""
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
        """
        Return what is not true of the dice that the table took for a roll.

        Args:
            taken: As it read them.
            thrown: Which dice were thrown, where the table had to find that out by itself.
        """
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
            return f"{true} was {'thrown' if is_kept else 'kept'}, and told as {seen.origin}"
        return ""
