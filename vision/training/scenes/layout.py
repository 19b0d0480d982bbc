# SPDX-License-Identifier: MIT
"""
Place dice at random (scattered, touching or in groups), and plant a doubt if one is specified.

Dice are placed one by one. A position is accepted if the die touches nothing, is visible as it
should be, and hides no other upper face. Otherwise another position is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator

from vision.training.scenes.dome import Dome
from vision.training.scenes.output import DieState
from vision.training.scenes.poses import (
    CUBE,
    BoxPose,
    Vector,
    boxes_overlap,
    hidden_share,
    inside_share,
    make_flat_pose,
    make_tilted_pose,
)
from vision.training.scenes.spec import SceneSpec
from vision.training.scenes.tray import Tray
from vision.training.scenes.view import View

TRIES = 60
ROW_SHARE = 0.1  # Share of random trays whose dice lie in rows along the rail.

MOST_HIDDEN = 0.01
EDGE_ROOM_PX = 2.0
FLATTEST_LOOK = float(np.cos(np.radians(56)))
"""Cosine of the lowest view on a die; beyond, a side face may be taken for the upper one."""

MOST_RIM, LEAST_RIM = 0.45, 0.4
"""Greatest height and least thickness of a rail on which a die may come to rest, in edges."""


class NoRoomError(RuntimeError):
    """The dice do not fit into a view, or into any of many views."""


@dataclass(slots=True)
class Layout:
    """The poses placed so far."""

    view: View
    tray: Tray | None
    poses: list[BoxPose] = field(default_factory=list)
    props: list[BoxPose] = field(default_factory=list)
    dome: Dome | None = None

    def add(self, *dice: BoxPose) -> None:
        self.poses.extend(dice)

    def has_room(self, pose: BoxPose, *, seen: tuple[float, float] = (1.0, 1.0)) -> bool:
        """Return whether a box fits: free, in the tray, its upper face visible by this share."""
        return self.in_tray(pose) and self.is_clear(pose, seen=seen)

    def is_clear(self, pose: BoxPose, *, seen: tuple[float, float] = (1.0, 1.0)) -> bool:
        """Return whether a box is free, and its upper face visible by this share."""
        lid = self.view.project(pose.upper_corners())
        room = EDGE_ROOM_PX / np.sqrt(max(np.ptp(lid[:, 0]) * np.ptp(lid[:, 1]), 1.0))
        share = inside_share(self.view.size_wh, lid + (lid - lid.mean(0)) * 2 * room)
        if not seen[0] - 1e-4 <= share <= seen[1] + 1e-4:
            return False
        towards_eye = self.view.position - pose.center
        if towards_eye[2] < FLATTEST_LOOK * float(np.linalg.norm(towards_eye)):
            return False
        others = self.poses + self.props
        if any(boxes_overlap(pose, other) for other in others):
            return False
        return all(
            hidden_share(self.view, pose, other) <= MOST_HIDDEN
            and hidden_share(self.view, other, pose) <= MOST_HIDDEN
            for other in others
        )

    def in_tray(self, pose: BoxPose) -> bool:
        """Return whether a box is inside rail and dome, and its upper face seen over the rail."""
        if self.dome is not None and not self.dome.contains(pose.corners()):
            return False
        if self.tray is None:
            return True
        foot = pose.corners().astype(np.float32)
        if self.tray.outside(foot[:2]).max() > 0.01:
            return False
        if self.tray.height < pose.center[2] + pose.half[2] - 0.02:
            return True
        lid = pose.upper_corners()
        return bool(self.tray.outside_over_rail(lid, self.view.position).max() < -0.01)


def place_dice(rng: Generator, layout: Layout, count: int, spec: SceneSpec) -> None:
    """
    Place the planted doubt, and dice until `count` are in the layout.

    Raises:
        NoRoomError: They do not fit into this view.
    """
    if spec.doubt == "cocked":
        _place_cocked(rng, layout, may_use_two=count > 1, may_use_props=spec.clutter)
    elif spec.doubt == "stacked":
        _place_stacked(rng, layout)
    elif spec.doubt == "cut off":
        _place_cut_off(rng, layout)
    gathering = _draw_spacing(rng, layout, spec)
    while len(layout.poses) < count:
        if spec.leaning and rng.random() < spec.leaning:
            place_one(rng, layout, lambda: _suggest_on_crumb(rng, layout.view))
        else:
            place_one(rng, layout, lambda: _suggest_flat(rng, layout, gathering))


def place_off_felt(rng: Generator, layout: Layout, tray: Tray) -> None:
    """
    Place a die flat on a straight part of the rail, with a part of it over the felt.

    Raises:
        NoRoomError: The rail is too high or too narrow, or there is no room on it.
    """
    if tray.height > MOST_RIM or tray.thickness < LEAST_RIM:
        raise NoRoomError("no die comes to rest on this rail")
    for _ in range(TRIES):
        place = pick_position(rng, layout.view)
        outward, away = _find_nearest_wall(tray, place)
        beyond = rng.uniform(0.2, min(tray.thickness - 0.05, 0.5))
        spot = place + outward[:2] * (away + beyond)
        pose = make_flat_pose(spot, rng.uniform(0, 2 * np.pi), base=tray.height)
        # Beside a round corner, the rail covers what a hand marks as felt.
        is_beyond = (np.abs(tray.axes.T @ (spot - tray.center)) - tray.half).max() > 0.15
        if is_beyond and layout.is_clear(pose):
            layout.add(pose)
            return
    raise NoRoomError("no room for a die on the rail")


def place_one(
    rng: Generator,
    layout: Layout,
    suggest: Callable[[], BoxPose],
    *,
    seen: tuple[float, float] = (1.0, 1.0),
) -> BoxPose:
    """
    Place a die at the first suggested pose with room.

    Raises:
        NoRoomError: No suggestion had room.
    """
    for _ in range(TRIES):
        pose = suggest()
        if layout.has_room(pose, seen=seen):
            layout.add(pose)
            return pose
    raise NoRoomError(f"no room for die {len(layout.poses) + 1}")


def pick_position(rng: Generator, view: View, spread_px: Vector | None = None) -> Vector:
    """Return a position (2,) on the felt under a random point of the picture."""
    size = np.array(view.size_wh, dtype=np.float64)
    if spread_px is None:
        return view.plane_point(rng.uniform(0, 1, 2) * size, 1.0)[:2]
    return view.plane_point(rng.normal(spread_px[0], spread_px[1]), 1.0)[:2]


@dataclass(frozen=True, slots=True, eq=False)
class _Spacing:
    """How close together dice are."""

    touching: float  # Share of the dice that are placed next to another one.
    aligned: float  # Share of those that continue its row, face to face.
    spread_px: Vector | None  # Middle and spread of the others, (2, 2); anywhere if `None`.
    along_rail: bool = False  # Whether the others lie against the rail, edge to edge.


def _draw_spacing(rng: Generator, layout: Layout, spec: SceneSpec) -> _Spacing:
    touching = float(rng.choice([0.0, 0.35, 0.85, 1.0], p=[0.35, 0.25, 0.22, 0.18]))
    aligned = float(rng.choice([0.0, 0.5, 1.0], p=[0.5, 0.25, 0.25]))
    if layout.tray is not None and not spec.clear and rng.random() < ROW_SHARE:
        return _Spacing(1.0, 1.0, None, along_rail=True)
    if layout.dome is not None:
        middle = layout.view.project(np.append(layout.dome.center, 0.0)[:, None])[0]
        spread = np.full(2, 0.5 * layout.dome.radius * layout.view.edge_px)
        return _Spacing(touching, aligned, np.stack([middle, spread]))
    return _Spacing(touching, aligned, _draw_spread(rng, layout.view))


def _draw_spread(rng: Generator, view: View) -> Vector | None:
    if rng.random() < 0.55:
        return None
    size = np.array(view.size_wh, dtype=np.float64)
    middle = rng.uniform(0.3, 0.7, 2) * size
    return np.stack([middle, np.full(2, view.edge_px * rng.uniform(1.0, 2.5))])


def _suggest_flat(rng: Generator, layout: Layout, gathering: _Spacing) -> BoxPose:
    flat = [pose for pose in layout.poses if pose.state is DieState.FLAT]
    draw = rng.random()
    if flat and draw < gathering.touching:
        is_aligned = rng.random() < gathering.aligned
        return _suggest_touching(rng, flat[int(rng.integers(len(flat)))], is_aligned=is_aligned)
    place = pick_position(rng, layout.view, gathering.spread_px)
    pose = make_flat_pose(place, rng.uniform(0, 2 * np.pi))
    if layout.tray is not None and gathering.along_rail:
        return _lay_along_rail(layout.tray, pose)
    if layout.tray is not None and rng.random() < 0.25:
        return _push_to_rail(rng, layout.tray, pose)
    return pose


def _suggest_touching(rng: Generator, other: BoxPose, *, is_aligned: bool) -> BoxPose:
    """Return a die that continues another's row, or touches it at any angle, or nearly so."""
    side = float(np.arctan2(other.rotation[1, 0], other.rotation[0, 0]))
    side += float(rng.integers(4)) * np.pi / 2
    is_flush = is_aligned or rng.random() < 0.6
    turn = side + (
        rng.normal(0, 0.02 - 0.015 * is_aligned) if is_flush else rng.uniform(0, np.pi / 2)
    )
    along, across = np.array([np.cos(side), np.sin(side)]), np.array([-np.sin(side), np.cos(side)])
    pose = make_flat_pose(np.zeros(2), turn)
    away = 0.5 + pose.reach_along(np.append(along, 0.0))
    away += 0.002 if is_aligned else float(rng.choice([0.001, rng.uniform(0, 0.15)]))
    shift = rng.normal(0, 0.03) if is_aligned else rng.uniform(-0.9, 0.9)
    place = other.center[:2] + along * away + across * shift
    return make_flat_pose(place, turn)


def _find_nearest_wall(tray: Tray, place: Vector) -> tuple[Vector, float]:
    """Return the direction (3,) of the nearest wall and its distance."""
    spot = place.astype(np.float32).reshape(2, 1)
    outward = -tray.inward(spot)[:, 0].astype(np.float64)
    return outward, -float(tray.outside(spot)[0])


def _lay_along_rail(tray: Tray, pose: BoxPose) -> BoxPose:
    own = (tray.axes.T @ (pose.center[:2] - tray.center)).astype(np.float64)
    side = int((tray.half - np.abs(own)).argmin())
    outward = np.append(tray.axes[:, side] * np.sign(own[side]), 0.0)
    away = float(tray.half[side] - abs(own[side])) - 0.52
    along = make_flat_pose(pose.center[:2], float(np.arctan2(outward[1], outward[0])))
    return along.moved_to(along.center + outward * away)


def _push_to_rail(rng: Generator, tray: Tray, pose: BoxPose) -> BoxPose:
    outward, away = _find_nearest_wall(tray, pose.center[:2])
    if rng.random() < 0.5:
        pose = make_flat_pose(pose.center[:2], float(np.arctan2(outward[1], outward[0])))
    return pose.moved_to(pose.center + outward * (away - pose.reach_along(outward) - 0.02))


def _place_cocked(
    rng: Generator, layout: Layout, *, may_use_two: bool, may_use_props: bool
) -> None:
    """
    Place a cocked die: against a wall or a dome, against a neighbour, or with a prop under it.

    Without props, it rests on a crumb that it hides.
    """
    chance = rng.random()
    dome = layout.dome
    if dome is not None and chance < 0.6:
        place_one(rng, layout, lambda: _suggest_against_dome(rng, dome))
    elif layout.tray is not None and layout.tray.height > 0.45 and chance < 0.4:
        tray = layout.tray
        place_one(rng, layout, lambda: _suggest_against_rail(rng, layout.view, tray))
    elif may_use_two and chance < 0.7:
        _place_leaning_on_neighbour(rng, layout)
    elif may_use_props:
        _place_leaning_on_prop(rng, layout)
    else:
        place_one(rng, layout, lambda: _suggest_on_crumb(rng, layout.view))


def _draw_leaning(rng: Generator, place: Vector, direction: float) -> BoxPose:
    """Return a die with its side towards `direction` raised, on an edge or on a corner."""
    tilt = np.radians(rng.uniform(8, 45))
    turn = 0.0 if rng.random() < 0.6 else rng.uniform(-0.6, 0.6)
    quarter = float(rng.integers(4)) * np.pi / 2
    return make_tilted_pose(place, direction - np.pi / 2, tilt, turn + quarter)


def _suggest_on_crumb(rng: Generator, view: View) -> BoxPose:
    direction, tilt = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(8, 16))
    quarter = float(rng.integers(4)) * np.pi / 2
    return make_tilted_pose(pick_position(rng, view), direction, tilt, quarter)


def _suggest_against_rail(rng: Generator, view: View, tray: Tray) -> BoxPose:
    place = pick_position(rng, view)
    outward, away = _find_nearest_wall(tray, place)
    pose = _draw_leaning(rng, place, float(np.arctan2(outward[1], outward[0])))
    return pose.moved_to(pose.center + outward * (away - pose.reach_along(outward) - 0.01))


def _suggest_against_dome(rng: Generator, dome: Dome) -> BoxPose:
    direction = float(rng.uniform(0, 2 * np.pi))
    outward = np.array([np.cos(direction), np.sin(direction), 0.0])
    pose = _draw_leaning(rng, dome.center, direction)
    fits, beyond = 0.0, dome.radius
    for _ in range(12):
        middle = (fits + beyond) / 2
        if dome.contains(pose.moved_to(pose.center + outward * middle).corners()):
            fits = middle
        else:
            beyond = middle
    return pose.moved_to(pose.center + outward * fits)


def _place_leaning_on_neighbour(rng: Generator, layout: Layout) -> None:
    for _ in range(TRIES):
        trial = replace(layout, poses=list(layout.poses), props=list(layout.props))
        base = make_flat_pose(pick_position(rng, layout.view), rng.uniform(0, 2 * np.pi))
        side = np.arctan2(base.rotation[1, 0], base.rotation[0, 0])
        along = np.array([np.cos(side), np.sin(side), 0.0])
        lean = _draw_leaning(rng, np.zeros(2), float(side))
        sideways = np.array([-along[1], along[0]]) * rng.uniform(-0.5, 0.5)
        away = 0.5 + lean.reach_along(along)
        place = base.center[:2] - along[:2] * away + sideways
        lean = lean.moved_to(np.array([place[0], place[1], lean.center[2]]))
        if trial.has_room(base):
            trial.add(base)
            if trial.has_room(lean):
                layout.add(lean, base)
                return
    raise NoRoomError("no room for a die that leans on another")


def _place_leaning_on_prop(rng: Generator, layout: Layout) -> None:
    for _ in range(TRIES):
        place = pick_position(rng, layout.view)
        direction = rng.uniform(0, 2 * np.pi)
        tilt = np.radians(rng.uniform(8, 30))
        die = make_tilted_pose(
            place, direction - np.pi / 2, tilt, float(rng.integers(4)) * np.pi / 2
        )
        along = np.array([np.cos(direction), np.sin(direction)])
        high = np.sin(tilt) * rng.uniform(0.55, 0.95)
        half = np.array([rng.uniform(0.3, 1.2), rng.uniform(0.3, 1.2), high / 2])
        foot = (np.sin(tilt) - np.cos(tilt)) / 2
        near = foot + high / np.tan(tilt)
        prop = make_flat_pose(place + along * (near + half[0] - 0.02), direction, half)
        is_free = not any(boxes_overlap(prop, pose) for pose in layout.poses)
        if is_free and layout.in_tray(prop) and layout.has_room(die):
            layout.add(die)
            layout.props.append(prop)
            return
    raise NoRoomError("no room for a die on a prop")


def _place_stacked(rng: Generator, layout: Layout) -> None:
    """Place a die flat on another one, with at least 30 % of its foot supported."""
    for _ in range(TRIES):
        under = make_flat_pose(pick_position(rng, layout.view), rng.uniform(0, 2 * np.pi))
        shift = rng.choice([-1, 1], 2) * rng.uniform(0.12, 0.45, 2)
        place = under.center[:2] + under.rotation[:2, :2] @ shift
        over = make_flat_pose(place, rng.uniform(0, 2 * np.pi), CUBE, base=1.0)
        if layout.has_room(under) and layout.has_room(over):
            layout.add(replace(over, state=DieState.STACKED), replace(under, state=DieState.UNDER))
            return
    raise NoRoomError("no room for two dice on top of each other")


def _place_cut_off(rng: Generator, layout: Layout) -> None:
    """Place a die so that the picture's border cuts its upper face."""
    size = np.array(layout.view.size_wh, dtype=np.float64)

    def suggest() -> BoxPose:
        at = rng.uniform(0, 1, 2) * size
        side = int(rng.integers(2))
        at[side] = rng.choice([0.0, size[side]]) + rng.uniform(-0.5, 0.5) * layout.view.edge_px
        pose = make_flat_pose(layout.view.plane_point(at, 1.0)[:2], rng.uniform(0, 2 * np.pi))
        return replace(pose, state=DieState.CUT_OFF)

    place_one(rng, layout, suggest, seen=(0.22, 0.78))
