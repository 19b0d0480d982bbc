# SPDX-License-Identifier: MIT
"""
Simulate the tray and its dice through time, without pictures.

Every control gets its time as an argument, and the dice can be queried at any later time. So
the same seed and calls give the same dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hardware.simulated.die import MovableDie, SimulatedDie
from hardware.simulated.motion import (
    LIFTING_S,
    REACHING_S,
    CarriedDie,
    HandMove,
    Motion,
    pose_outside,
)
from hardware.simulated.placement import (
    choose_leaning_pose,
    choose_resting_pose,
    is_free,
    is_in_corner,
)
from hardware.simulated.pose import FLAT_WITHIN_DEG, DieKind, DiePose, flat_pose, rotation_about
from hardware.simulated.throw import throw

_NUDGE_S = 0.18
_BY_HAND_S = 0.5
_TRIES = 200


class SimulatedTray:
    """A tray with dice; its controls are those of `SimulatedCamera`."""

    def __init__(self, kinds: Sequence[DieKind], *, seed: int) -> None:
        self._rng = np.random.default_rng([seed, 1])
        # Dice of another game, while they are visible on their way out.
        self._leaving: tuple[MovableDie, ...] = ()
        self._bring_dice(kinds, is_in=True)

    def visible_dice(self, at_s: float) -> tuple[tuple[DieKind, DiePose], ...]:
        every = (*self._dice, *self._leaving)
        return tuple((die.kind, die.pose(at_s)) for die in every if die.is_visible(at_s))

    def hands_mm(self, at_s: float) -> tuple[tuple[float, float], ...]:
        """Return the positions of the finger tips of all hands over the felt."""
        places = (motion.hand_mm(at_s) for motion in self._hand_moves())
        return tuple(place for place in places if place is not None)

    def dome_mm(self, at_s: float) -> tuple[float, float] | None:
        """Return the middle of the dome over the dice; None without one."""
        return None

    def is_moving(self, at_s: float) -> bool:
        """Return whether a die or a hand moves at a time or later by itself."""
        dice_move = any(die.end_s(at_s) > at_s for die in (*self._dice, *self._leaving))
        return dice_move or any(motion.gone_s > at_s for motion in self._hand_moves())

    def truth(self, at_s: float) -> tuple[SimulatedDie, ...]:
        return tuple(die.truth(index, at_s) for index, die in enumerate(self._dice))

    def change_dice(self, kinds: Sequence[DieKind], *, at_s: float) -> None:
        if tuple(kinds) == tuple(die.kind for die in self._dice):
            return
        self.take_out(None, at_s=at_s)
        self._leaving = tuple(self._dice)
        self._bring_dice(kinds, is_in=False)

    def throw(
        self, faces: Sequence[int] | None, which: Sequence[int] | None, *, at_s: float
    ) -> None:
        chosen = self._select_dice(which)
        wanted = [self._random_face() for _ in chosen] if faces is None else list(faces)
        require_faces(wanted, len(chosen))
        if not chosen:
            return
        lifted = {index: self._plan_lift(index, at_s) for index in chosen}
        enters_s = max([at_s, *(motion.end_s for way in lifted.values() for motion in way)])
        staying = self._other_goals(chosen)
        targets: list[DiePose] = []
        for face in wanted:
            targets.append(choose_resting_pose(face, [*staying, *targets], self._rng))
        flights = throw(targets, staying, start_s=enters_s, rng=self._rng)
        for index, flight in zip(chosen, flights, strict=True):
            self._set_goal(index, flight.pose(flight.end_s), (*lifted[index], flight))

    def nudge(self, index: int | None, *, at_s: float) -> None:
        index = self._select_in_tray(index)
        die, others = self._dice[index], self._other_goals([index])
        for tries in range(_TRIES):
            # A die in a tight corner can only be pushed a little.
            most_mm = 9.0 * (1.0 - tries / _TRIES)
            pushed = self._draw_push(die.goal, most_mm)
            if is_free(pushed, others):
                self._move(index, CarriedDie, pushed, at_s=at_s, duration_s=_NUDGE_S)
                return

    def turn(self, index: int, face: int | None, *, at_s: float) -> None:
        index = self._select_in_tray(index)
        goal, others = self._dice[index].goal, self._other_goals([index])
        wanted = goal.face % 6 + 1 if face is None else face
        require_faces([wanted], 1)
        x_mm, y_mm = (float(place) for place in goal.center_mm[:2])
        placed = flat_pose(wanted, x_mm=x_mm, y_mm=y_mm, angle_deg=goal.angle_deg)
        if goal.lean_deg > FLAT_WITHIN_DEG or not is_free(placed, others):
            placed = choose_resting_pose(wanted, others, self._rng)
        self._move(index, HandMove, placed, at_s=at_s, duration_s=_BY_HAND_S, lift_mm=24.0)

    def tilt(self, index: int | None, *, at_s: float) -> None:
        index = self._select_in_tray(index)
        goal, others = self._dice[index].goal, self._other_goals([index])
        leaning = choose_leaning_pose(goal.face, goal, others, self._rng)
        self._move(index, HandMove, leaning, at_s=at_s, duration_s=_BY_HAND_S, lift_mm=30.0)

    def take_out(self, which: Sequence[int] | None, *, at_s: float) -> None:
        inside = [index for index, die in enumerate(self._dice) if die.is_in]
        taken = inside if which is None else list(which)
        if len(set(taken)) != len(taken) or not set(taken) <= set(inside):
            raise ValueError(f"expected different dice out of {inside}, found {taken}")
        for index in taken:
            die, lifted = self._dice[index], self._plan_lift(index, at_s)
            self._dice[index] = MovableDie(die.kind, die.goal, is_in=False, motions=lifted)

    def put_back(self, *, at_s: float) -> None:
        for index, die in enumerate(self._dice):
            if die.is_in:
                continue
            others, place = self._other_goals([index]), die.goal
            if place.lean_deg > FLAT_WITHIN_DEG or not is_free(place, others):
                place = choose_resting_pose(place.face, others, self._rng)
            start_s = die.end_s(at_s) + REACHING_S
            carried = HandMove(
                pose_outside(place), place, start_s=start_s, duration_s=_BY_HAND_S, lift_mm=12.0
            )
            self._set_goal(index, place, (*die.motions, carried))

    def clear_corners(self, side_mm: float) -> None:
        """Put dice that lie in squares of this side in the felt's corners elsewhere, at once."""
        for index, die in enumerate(self._dice):
            place = die.goal
            while is_in_corner(place, side_mm):
                place = choose_resting_pose(place.face, self._other_goals([index]), self._rng)
            if place is not die.goal:
                self._dice[index] = MovableDie(die.kind, place, is_in=die.is_in)

    def _bring_dice(self, kinds: Sequence[DieKind], *, is_in: bool) -> None:
        self._dice: list[MovableDie] = []
        for kind in kinds:
            self._dice.append(self._new_die(kind, is_in=is_in))

    def _new_die(self, kind: DieKind, *, is_in: bool) -> MovableDie:
        goals = [die.goal for die in self._dice]
        place = choose_resting_pose(self._random_face(), goals, self._rng)
        return MovableDie(kind, place, is_in=is_in)

    def _set_goal(self, index: int, goal: DiePose, motions: tuple[Motion, ...]) -> None:
        self._dice[index] = MovableDie(self._dice[index].kind, goal, motions=motions)

    def _random_face(self) -> int:
        return int(self._rng.integers(1, 7))

    def _select_dice(self, which: Sequence[int] | None) -> tuple[int, ...]:
        every = tuple(range(len(self._dice)))
        out = tuple(index for index in every if not self._dice[index].is_in)
        chosen = (out or every) if which is None else tuple(which)
        if len(set(chosen)) != len(chosen) or not set(chosen) <= set(every):
            raise ValueError(
                f"expected different dice from 0 to {len(self._dice) - 1}, found {chosen}"
            )
        return chosen

    def _select_in_tray(self, index: int | None) -> int:
        inside = [number for number, die in enumerate(self._dice) if die.is_in]
        if index is None and inside:
            return int(self._rng.choice(inside))
        if index is None or index not in inside:
            raise ValueError(f"expected a die in the tray out of {inside}, found {index}")
        return index

    def _other_goals(self, without: Sequence[int]) -> list[DiePose]:
        return [
            die.goal for index, die in enumerate(self._dice) if die.is_in and index not in without
        ]

    def _plan_lift(self, index: int, at_s: float) -> tuple[Motion, ...]:
        die = self._dice[index]
        if not die.is_in:
            return die.motions
        start = die.pose(at_s)
        return (
            CarriedDie(
                start, pose_outside(start), start_s=at_s, duration_s=LIFTING_S, lift_mm=10.0
            ),
        )

    def _draw_push(self, goal: DiePose, most_mm: float) -> DiePose:
        """Return a pose near `goal` with the same face; a leaning die falls flat."""
        way = self._rng.uniform(0.0, 2.0 * np.pi)
        far_mm = self._rng.uniform(0.4, 1.0) * most_mm
        x_mm, y_mm = goal.center_mm[:2] + far_mm * np.array([np.cos(way), np.sin(way)])
        flat = flat_pose(goal.face, x_mm=x_mm, y_mm=y_mm, angle_deg=0.0)
        if goal.lean_deg > FLAT_WITHIN_DEG:
            return flat
        turn = rotation_about(np.array([0.0, 0.0, 1.0]), self._rng.normal(0.0, 0.08))
        return DiePose(flat.center_mm, turn @ goal.rotation)

    def _move(
        self,
        index: int,
        how: type[CarriedDie],
        goal: DiePose,
        *,
        at_s: float,
        duration_s: float,
        lift_mm: float = 0.0,
    ) -> None:
        die = self._dice[index]
        start_s = die.end_s(at_s) + (REACHING_S if how is HandMove else 0.0)
        motion = how(die.goal, goal, start_s=start_s, duration_s=duration_s, lift_mm=lift_mm)
        self._set_goal(index, goal, (*die.motions, motion))

    def _hand_moves(self) -> Iterator[HandMove]:
        for die in self._dice:
            yield from (motion for motion in die.motions if isinstance(motion, HandMove))


def require_faces(faces: Sequence[int], count: int) -> None:
    """
    Check the faces of a throw.

    Raises:
        ValueError: Their number differs from that of the dice, or a face does not exist.
    """
    if len(faces) != count or any(face not in range(1, 7) for face in faces):
        raise ValueError(f"expected {count} faces from 1 to 6, found {tuple(faces)}")
