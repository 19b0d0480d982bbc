# SPDX-License-Identifier: MIT
"""
Simulate dice in a closed dome: a transparent bell on a base that is shaken with all its dice.

A hand takes the dome, shakes it and sets it down elsewhere. Nobody can touch a die, so the tray's
controls move the dome: a nudge pushes it with its dice at rest, taking out takes all of it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.die import MovableDie
from hardware.simulated.motion import REACHING_S
from hardware.simulated.placement import FELT_WH_MM, compute_footprint_mm, do_overlap
from hardware.simulated.pose import (
    DIE_EDGE_MM,
    DieKind,
    DiePose,
    Vector,
    compute_reach_mm,
    flat_pose,
    rotation_about,
)
from hardware.simulated.tray import SimulatedTray, require_faces

FOOT_RADIUS_MM = 50.0  # Inner radius of the bell where it meets its base.

BASE_RADIUS_MM = 57.0
BELL_HEIGHT_MM = 42.0

_SHAKE_S = 1.2
_PUSH_S = 0.4
_AWAY_S = 0.5
_SWING_MM = 16.0
_LIFT_MM = 30.0
_TUMBLES_RAD = 14.0
_AWAY_MM = np.array([0.0, -260.0])  # Where the dome is when it is out of view.
_GRIP_MM = -0.8 * BASE_RADIUS_MM  # Position of the finger tips before the dome's middle.

_TRIES = 3000
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class DomeMove:
    """The dome's way over the felt, from one place to another."""

    start_mm: Vector  # Its middle before, (2,).
    end_mm: Vector  # Its middle after, (2,).
    start_s: float = 0.0
    duration_s: float = 0.0
    swing_mm: float = 0.0  # How far it swings to the sides while it is shaken.

    @property
    def end_s(self) -> float:
        return self.start_s + self.duration_s

    def place_mm(self, at_s: float) -> Vector:
        """Return the dome's middle at a time, (2,)."""
        share = self.share(at_s)
        eased = share * share * (3.0 - 2.0 * share)
        swing = self.swing_mm * np.sin(np.pi * share) ** 2
        turn = 2.0 * np.pi * 4.0 * self.duration_s * share
        away = swing * np.array([np.sin(turn), 0.5 * np.sin(1.4 * turn)])
        return np.asarray(self.start_mm + eased * (self.end_mm - self.start_mm) + away)

    def share(self, at_s: float) -> float:
        """Return the share of the way that is over, 0 to 1."""
        if self.duration_s == 0.0:
            return 1.0
        return min(max((at_s - self.start_s) / self.duration_s, 0.0), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class RidingDie:
    """A die that moves with the dome, at rest in it or tumbling."""

    move: DomeMove
    start: DiePose
    end: DiePose
    # Axis about which it tumbles, (3,), with its angle in radians as length;
    # zero if it stays as it is.
    tumble: Vector
    wander_mm: Vector  # How far it is thrown about in the dome, by axis, (2,).

    @property
    def start_s(self) -> float:
        return self.move.start_s

    @property
    def end_s(self) -> float:
        return self.move.end_s

    def pose(self, at_s: float) -> DiePose:
        share = self.move.share(at_s)
        if share in (0.0, 1.0):
            return self.start if share == 0.0 else self.end
        before = self.start.center_mm[:2] - self.move.start_mm
        after = self.end.center_mm[:2] - self.move.end_mm
        beside = (1.0 - share) * before + share * after
        beside += self.wander_mm * np.sin(np.pi * share) * np.sin(9.0 * np.pi * share)
        most_mm = FOOT_RADIUS_MM - DIE_EDGE_MM * 0.8
        beside *= min(1.0, most_mm / max(float(np.hypot(*beside)), 1e-6))
        angle = float(np.linalg.norm(self.tumble))
        if angle == 0.0:
            place = self.move.place_mm(at_s) + beside
            return DiePose(np.array([*place, self.end.center_mm[2]]), self.end.rotation)
        left = rotation_about(self.tumble / angle, angle * (1.0 - share) ** 2)
        rotation = left @ self.end.rotation
        hop_mm = 0.5 * _LIFT_MM * (1.0 - share) * abs(float(np.sin(7.0 * np.pi * share)))
        height_mm = compute_reach_mm(rotation)[2] + hop_mm
        return DiePose(np.array([*(self.move.place_mm(at_s) + beside), height_mm]), rotation)


class SimulatedDomeTray(SimulatedTray):
    """A tray in which a dome with dice stands."""

    def __init__(self, kinds: Sequence[DieKind], *, seed: int) -> None:
        self._standing = DomeMove(np.zeros(2), np.zeros(2))
        self._is_away = False
        super().__init__(kinds, seed=seed)

    def dome_mm(self, at_s: float) -> tuple[float, float] | None:
        if self._is_away and at_s >= self._standing.end_s:
            return None
        x_mm, y_mm = self._standing.place_mm(at_s).tolist()
        return x_mm, y_mm

    def hands_mm(self, at_s: float) -> tuple[tuple[float, float], ...]:
        move = self._standing
        if not move.start_s - REACHING_S <= at_s < move.end_s + REACHING_S or not move.duration_s:
            return ()
        x_mm, y_mm = move.place_mm(at_s).tolist()
        away_s = max(move.start_s - at_s, at_s - move.end_s, 0.0)
        return ((x_mm, y_mm + _GRIP_MM - away_s / REACHING_S * 100.0),)

    def is_moving(self, at_s: float) -> bool:
        has_hand = self._standing.duration_s > 0.0 and self._standing.end_s + REACHING_S > at_s
        return has_hand or super().is_moving(at_s)

    def change_dice(self, kinds: Sequence[DieKind], *, at_s: float) -> None:
        """Empty the dome, and put other dice beside it until the next shake."""
        if tuple(kinds) != tuple(die.kind for die in self._dice):
            self._bring_dice(kinds, is_in=False)

    def throw(
        self, faces: Sequence[int] | None, which: Sequence[int] | None, *, at_s: float
    ) -> None:
        """Shake the dome with all its dice, and set it down elsewhere."""
        self._shake(faces, which, leaning=None, at_s=at_s)

    def nudge(self, index: int | None, *, at_s: float) -> None:
        """Push the dome to another place; its dice stay where they are in it."""
        self._move_dome(self._draw_place(), at_s=at_s, duration_s=_PUSH_S)

    def turn(self, index: int, face: int | None, *, at_s: float) -> None:
        """Do nothing: no hand reaches a die through the dome."""

    def tilt(self, index: int | None, *, at_s: float) -> None:
        """Shake the dome until a die leans on its wall."""
        self._shake(None, None, leaning=self._select_in_tray(index), at_s=at_s)

    def take_out(self, which: Sequence[int] | None, *, at_s: float) -> None:
        if not self._is_away:
            self._move_dome(_AWAY_MM, at_s=at_s, duration_s=_AWAY_S)
            self._is_away = True
            self._dice = [replace(die, is_in=False) for die in self._dice]

    def put_back(self, *, at_s: float) -> None:
        """Put the dome back onto the felt, its dice as they were in it."""
        if self._is_away:
            self._dice = [replace(die, is_in=True) for die in self._dice]
            self._is_away = False
            self._move_dome(self._draw_place(), at_s=at_s, duration_s=_AWAY_S)

    def clear_corners(self, side_mm: float) -> None:
        """Do nothing: no hand reaches a die in a dome."""

    def _new_die(self, kind: DieKind, *, is_in: bool) -> MovableDie:
        goals = [die.goal for die in self._dice]
        place = self._draw_pose(self._random_face(), self._standing.end_mm, goals)
        return MovableDie(kind, place, is_in=is_in)

    def _shake(
        self,
        faces: Sequence[int] | None,
        which: Sequence[int] | None,
        *,
        leaning: int | None,
        at_s: float,
    ) -> None:
        chosen = self._select_dice(which)
        wanted = {index: self._random_face() for index in range(len(self._dice))}
        if faces is not None:
            require_faces(faces, len(chosen))
            wanted.update(zip(chosen, faces, strict=True))
        start_s = max(at_s + REACHING_S, self._standing.end_s)
        start_mm = _AWAY_MM if self._is_away else self._standing.end_mm
        end_mm = self._draw_place()
        move = DomeMove(start_mm, end_mm, start_s, _SHAKE_S, _SWING_MM)
        poses: list[DiePose] = []
        # A die that leans needs most room at the wall, so it is placed first.
        for index in sorted(wanted, key=lambda one: one != leaning):
            is_leaning = index == leaning
            pose = self._draw_pose(wanted[index], end_mm, poses, is_leaning=is_leaning)
            poses.append(pose)
            die = self._dice[index]
            axis = self._rng.normal(size=3)
            tumble = axis / np.linalg.norm(axis) * _TUMBLES_RAD * self._rng.uniform(0.7, 1.3)
            wander = self._rng.uniform(-1.0, 1.0, 2) * FOOT_RADIUS_MM
            # A die of another game was beside the dome until now.
            before = DiePose(np.array([*start_mm, DIE_EDGE_MM]), die.goal.rotation)
            start = die.goal if die.is_in else before
            ride = RidingDie(move, start, pose, tumble, wander)
            self._dice[index] = MovableDie(die.kind, pose, motions=(ride,))
        self._standing, self._is_away = move, False

    def _move_dome(self, end_mm: Vector, *, at_s: float, duration_s: float) -> None:
        start_s = max(at_s + REACHING_S, self._standing.end_s)
        move = DomeMove(self._standing.end_mm, end_mm, start_s, duration_s)
        shift = np.array([*(end_mm - move.start_mm), 0.0])
        for index, die in enumerate(self._dice):
            end = DiePose(die.goal.center_mm + shift, die.goal.rotation)
            ride = RidingDie(move, die.goal, end, np.zeros(3), np.zeros(2))
            self._dice[index] = replace(die, goal=end, motions=(ride,))
        self._standing = move

    def _draw_place(self) -> Vector:
        room = np.array(FELT_WH_MM) / 2.0 - BASE_RADIUS_MM
        return np.asarray(self._rng.uniform(-1.0, 1.0, 2) * room)

    def _draw_pose(
        self, face: int, center_mm: Vector, others: Sequence[DiePose], *, is_leaning: bool = False
    ) -> DiePose:
        """Return a free pose in the dome; RuntimeError if the dome is full."""
        for _ in range(_TRIES):
            turn_deg = float(self._rng.uniform(0.0, 360.0))
            pose = flat_pose(face, x_mm=0.0, y_mm=0.0, angle_deg=turn_deg)
            rotation, out = pose.rotation, self._rng.uniform(0.0, 2.0 * np.pi)
            way = np.array([np.cos(out), np.sin(out)])
            far_mm = FOOT_RADIUS_MM * float(np.sqrt(self._rng.uniform(0.0, 1.0)))
            if is_leaning:
                axis = np.cross(_UP, np.array([*way, 0.0]))
                rotation = (
                    rotation_about(axis, np.radians(self._rng.uniform(22.0, 40.0))) @ rotation
                )
                far_mm = FOOT_RADIUS_MM - 0.75 * DIE_EDGE_MM
            place = center_mm + far_mm * way
            pose = DiePose(np.array([*place, compute_reach_mm(rotation)[2]]), rotation)
            if _is_inside(pose, center_mm) and not any(do_overlap(pose, one) for one in others):
                return pose
        raise RuntimeError(f"no room in the dome for another die beside {len(others)}")


def _is_inside(pose: DiePose, center_mm: NDArray[np.float64]) -> bool:
    away = np.linalg.norm(compute_footprint_mm(pose) - center_mm, axis=1)
    return bool(away.max() <= FOOT_RADIUS_MM)
