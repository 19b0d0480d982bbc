# SPDX-License-Identifier: MIT
"""
The tray and its dice through time, without any picture.

Time is passed in: every control says when it happens, and `poses` answers for
any later moment. So the same seed and the same calls give the same dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulated.body import FLAT_WITHIN_DEG, DieKind, Pose, lying, turned
from hardware.simulated.motion import LIFTING_S, Carried, Motion, outside
from hardware.simulated.placement import is_free, leaning_place, resting_place
from hardware.simulated.throwing import throw

_NUDGE_S = 0.18
_BY_HAND_S = 0.5
_TRIES = 200


@dataclass(frozen=True, slots=True)
class SimulatedDie:
    """
    What is true of one die, for comparing with what was read.

    Attributes:
        index: Its number among the dice, from 0; it stays the same for good.
        kind: White or black.
        face: The face up; for a die that leans, the one that looks up most.
        x_mm: Its middle on the felt, to the right of the felt's middle.
        y_mm: Its middle on the felt, away from the viewer.
        angle_deg: Turn of the upper face, counter-clockwise from above, 0 up to 90.
        is_flat: Whether it lies flat on the felt; false while it moves.
        is_in_tray: Whether it is in the tray; false once a hand has begun to take it out.
    """

    index: int
    kind: DieKind
    face: int
    x_mm: float
    y_mm: float
    angle_deg: float
    is_flat: bool
    is_in_tray: bool


@dataclass(slots=True)
class _Die:
    """One die: where it comes to rest, and its motions up to there, in order of time."""

    goal: Pose
    is_in: bool = True
    motions: tuple[Motion, ...] = ()

    def pose(self, at_s: float) -> Pose:
        begun = [motion for motion in self.motions if motion.start_s <= at_s]
        if begun:
            return begun[-1].pose(at_s)
        return self.motions[0].pose(at_s) if self.motions else self.goal

    def end_s(self, now_s: float) -> float:
        """When it lies still, not before `now_s`."""
        return max([now_s, *(motion.end_s for motion in self.motions)])


class SimulatedTray:
    """
    A tray with dice that lie, move, and can be handled.

    Args:
        kinds: One for each die.
        seed: Everything random comes from it.
    """

    def __init__(self, kinds: Sequence[DieKind], *, seed: int) -> None:
        self._rng = np.random.default_rng([seed, 1])
        self._kinds = tuple(kinds)
        self._dice: list[_Die] = []
        for _ in self._kinds:
            goals = [die.goal for die in self._dice]
            self._dice.append(_Die(resting_place(self._random_face(), goals, self._rng)))

    @property
    def kinds(self) -> tuple[DieKind, ...]:
        """The kind of each die."""
        return self._kinds

    def poses(self, at_s: float) -> tuple[Pose | None, ...]:
        """Return where each die is; none for one that is out of the tray."""
        return tuple(
            die.pose(at_s) if die.is_in or at_s < die.end_s(at_s - 1.0) else None
            for die in self._dice
        )

    def is_moving(self, at_s: float) -> bool:
        """Say whether any die moves then or will still move by itself."""
        return any(die.end_s(at_s) > at_s for die in self._dice)

    def truth(self, at_s: float) -> tuple[SimulatedDie, ...]:
        """Return what is true of each die, in their order."""
        return tuple(
            _truth(index, kind, die, at_s)
            for index, (kind, die) in enumerate(zip(self._kinds, self._dice, strict=True))
        )

    def throw(
        self, faces: Sequence[int] | None, which: Sequence[int] | None, *, at_s: float
    ) -> None:
        """
        Pick up dice and throw them; those that are out of the tray are thrown in.

        Args:
            faces: What each of the thrown dice shall show; random where none.
            which: Their indices; all dice where none.
            at_s: When.

        Raises:
            ValueError: A face or index that does not exist, an index twice, or not as many
                faces as dice.
        """
        chosen = self._chosen(which)
        wanted = [self._random_face() for _ in chosen] if faces is None else list(faces)
        _require_faces(wanted, len(chosen))
        if not chosen:
            return
        enters_s = at_s + LIFTING_S if any(self._dice[i].is_in for i in chosen) else at_s
        staying = self._goals_without(chosen)
        targets: list[Pose] = []
        for face in wanted:
            targets.append(resting_place(face, [*staying, *targets], self._rng))
        flights = throw(targets, staying, start_s=enters_s, rng=self._rng)
        for index, flight in zip(chosen, flights, strict=True):
            lifted = self._lifted(index, at_s)
            self._dice[index] = _Die(flight.pose(flight.end_s), motions=(*lifted, flight))

    def nudge(self, index: int | None, *, at_s: float) -> None:
        """
        Push a die a few millimetres over the felt; its face stays.

        Args:
            index: Which; one of those in the tray where none.
            at_s: When.

        Raises:
            ValueError: No such die in the tray.
        """
        index = self._one_in_tray(index)
        die, others = self._dice[index], self._goals_without([index])
        for tries in range(_TRIES):
            # A die in a tight corner can only be pushed a little.
            most_mm = 9.0 * (1.0 - tries / _TRIES)
            pushed = self._pushed(die.goal, most_mm)
            if is_free(pushed, others):
                self._carry(index, pushed, at_s=at_s, duration_s=_NUDGE_S)
                return

    def turn(self, index: int, face: int, *, at_s: float) -> None:
        """
        Turn a die over by hand, in its place: without a throw.

        Raises:
            ValueError: No such die in the tray, or no such face.
        """
        index = self._one_in_tray(index)
        _require_faces([face], 1)
        goal = self._dice[index].goal
        others = self._goals_without([index])
        placed = lying(
            face,
            x_mm=float(goal.center_mm[0]),
            y_mm=float(goal.center_mm[1]),
            angle_deg=goal.angle_deg,
        )
        if goal.lean_deg > FLAT_WITHIN_DEG or not is_free(placed, others):
            placed = resting_place(face, others, self._rng)
        self._carry(index, placed, at_s=at_s, duration_s=_BY_HAND_S, lift_mm=24.0)

    def tilt(self, index: int | None, *, at_s: float) -> None:
        """
        Lean a die against the nearest wall.

        Args:
            index: Which; one of those in the tray where none.
            at_s: When.

        Raises:
            ValueError: No such die in the tray.
        """
        index = self._one_in_tray(index)
        goal, others = self._dice[index].goal, self._goals_without([index])
        leaning = leaning_place(goal.face, goal, others, self._rng)
        self._carry(index, leaning, at_s=at_s, duration_s=_BY_HAND_S, lift_mm=30.0)

    def take_out(self, index: int | None, *, at_s: float) -> None:
        """
        Take a die out of the tray, or all where `index` is none.

        Raises:
            ValueError: No such die in the tray.
        """
        wanted = range(len(self._dice)) if index is None else [self._one_in_tray(index)]
        for which in wanted:
            lifted = self._lifted(which, at_s)
            if lifted:
                self._dice[which] = _Die(self._dice[which].goal, is_in=False, motions=lifted)

    def put_back(self, *, at_s: float) -> None:
        """Set all dice that were taken out onto free places, with the faces they had."""
        for index, die in enumerate(self._dice):
            if not die.is_in:
                place = resting_place(die.goal.face, self._goals_without([index]), self._rng)
                carried = Carried(
                    outside(place), place, start_s=at_s, duration_s=_BY_HAND_S, lift_mm=12.0
                )
                self._dice[index] = _Die(place, motions=(carried,))

    def _random_face(self) -> int:
        return int(self._rng.integers(1, 7))

    def _chosen(self, which: Sequence[int] | None) -> tuple[int, ...]:
        chosen = tuple(range(len(self._dice))) if which is None else tuple(which)
        if len(set(chosen)) != len(chosen) or not set(chosen) <= set(range(len(self._dice))):
            raise ValueError(
                f"expected different dice from 0 to {len(self._dice) - 1}, found {chosen}"
            )
        return chosen

    def _one_in_tray(self, index: int | None) -> int:
        inside = [number for number, die in enumerate(self._dice) if die.is_in]
        if index is None and inside:
            return int(self._rng.choice(inside))
        if index is None or index not in inside:
            raise ValueError(f"expected a die in the tray out of {inside}, found {index}")
        return index

    def _goals_without(self, without: Sequence[int]) -> list[Pose]:
        return [
            die.goal for index, die in enumerate(self._dice) if die.is_in and index not in without
        ]

    def _lifted(self, index: int, at_s: float) -> tuple[Motion, ...]:
        """Return the motion that takes a die out of the tray; none where it is out."""
        die = self._dice[index]
        if not die.is_in:
            return ()
        start = die.pose(at_s)
        return (Carried(start, outside(start), start_s=at_s, duration_s=LIFTING_S, lift_mm=10.0),)

    def _pushed(self, goal: Pose, most_mm: float) -> Pose:
        """Return a place near `goal` with the same face; one that leans falls flat."""
        way = self._rng.uniform(0.0, 2.0 * np.pi)
        far_mm = self._rng.uniform(0.4, 1.0) * most_mm
        x_mm, y_mm = goal.center_mm[:2] + far_mm * np.array([np.cos(way), np.sin(way)])
        flat = lying(goal.face, x_mm=x_mm, y_mm=y_mm, angle_deg=0.0)
        if goal.lean_deg > FLAT_WITHIN_DEG:
            return flat
        turn = turned(np.array([0.0, 0.0, 1.0]), self._rng.normal(0.0, 0.08))
        return Pose(flat.center_mm, turn @ goal.rotation)

    def _carry(
        self, index: int, goal: Pose, *, at_s: float, duration_s: float, lift_mm: float = 0.0
    ) -> None:
        """Move a die to a new place as soon as it lies still."""
        die = self._dice[index]
        start_s = die.end_s(at_s)
        motion = Carried(die.goal, goal, start_s=start_s, duration_s=duration_s, lift_mm=lift_mm)
        self._dice[index] = _Die(goal, motions=(*die.motions, motion))


def _truth(index: int, kind: DieKind, die: _Die, at_s: float) -> SimulatedDie:
    pose = die.pose(at_s)
    still = die.is_in and die.end_s(at_s) <= at_s
    return SimulatedDie(
        index=index,
        kind=kind,
        face=pose.face,
        x_mm=float(pose.center_mm[0]),
        y_mm=float(pose.center_mm[1]),
        angle_deg=pose.angle_deg,
        is_flat=still and pose.lean_deg <= FLAT_WITHIN_DEG,
        is_in_tray=die.is_in,
    )


def _require_faces(faces: Sequence[int], count: int) -> None:
    if len(faces) != count or any(face not in range(1, 7) for face in faces):
        raise ValueError(f"expected {count} faces from 1 to 6, found {tuple(faces)}")
