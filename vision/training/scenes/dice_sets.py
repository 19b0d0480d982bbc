# SPDX-License-Identifier: MIT
"""Draw bodies for poses: dice of one or several sets, and objects that are no dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_dice.materials import (
    Marks,
    Material,
    draw_dark_material,
    draw_light_material,
    draw_marked_faces,
    draw_material,
)
from vision.training.scene_dice.pips import (
    Pips,
    PipStyle,
    draw_asian_style,
    draw_domino_pips,
    draw_pips,
    draw_plain_style,
    draw_style,
    no_pips,
)
from vision.training.scene_dice.solid import Solid
from vision.training.scenes.body import Body, LampImage
from vision.training.scenes.layout import TRIES, Layout, pick_position
from vision.training.scenes.poses import BoxPose, make_flat_pose
from vision.training.scenes.spec import SceneSpec

ASIAN_SHARE, DARK_SHARE = 0.09, 0.03
"""Shares of sets with a large red one and a red four, and of sets of dark glass."""

LAMP_SHARE = 0.07  # Share of the light dice whose upper face mirrors a lamp as a spot like a pip.
PALE = ("white", "ivory", "yellow", "wood")  # Bodies whose pips are often of several colours.

UNLIKE = 0.2
"""Difference of two bodies in one channel, as a share of white, from which on everybody sees it."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceSet:
    """A set of equal dice: one shape, one style of pips, one material."""

    rounding: float
    ball: float
    style: PipStyle
    material: Material
    marks: Marks

    def is_unlike(self, other: DiceSet) -> bool:
        """Return whether everybody sees that the bodies have different colours."""
        one, two = (kind.material.body ** np.float32(1 / 2.2) for kind in (self, other))
        return bool(np.abs(one - two).max() > UNLIKE)


def draw_dice(rng: Generator, poses: list[BoxPose], spec: SceneSpec) -> list[Body]:
    """Draw the dice for these poses: often from one set, sometimes from several."""
    count = int(rng.choice([1, 2, max(len(poses), 1)], p=[0.45, 0.25, 0.3]))
    kinds = [draw_set(rng, clear=spec.clear, see_through=spec.see_through) for _ in range(count)]
    dice = [draw_die(rng, kinds[int(rng.integers(count))], pose) for pose in poses]
    return dice if spec.clear else [_mirror_lamp(rng, die) for die in dice]


def _mirror_lamp(rng: Generator, die: Body) -> Body:
    """Return a die, seldom with a lamp's image between the dark pips of its upper face."""
    if not die.material.is_light or rng.random() > LAMP_SHARE:
        return die
    face = die.pose.upper_face()
    spots, radius = die.pips.places[face], float(rng.uniform(0.05, 0.11))
    for _ in range(TRIES // 4):
        # In the middle, where it makes a three of a two, or anywhere.
        at = rng.normal(0, 0.03, 2) if rng.random() < 0.5 else rng.uniform(-0.34, 0.34, 2)
        apart = np.linalg.norm(spots - at, axis=1) - die.pips.radii[face] - radius
        if apart.min() > 0.02:
            soft, bright = float(rng.uniform(0.0, 0.06)), float(rng.uniform(0.8, 3.0))
            image = LampImage((float(at[0]), float(at[1])), radius, soft, bright)
            return replace(die, image=image)
    return die


def draw_props(rng: Generator, layout: Layout, *, clutter: bool) -> list[Body]:
    """Draw the solid objects: what cocked dice rest on, and clutter."""
    rests = [_draw_block(rng, pose) for pose in layout.props]
    wanted = int(rng.choice([1, 2, 4])) if clutter and rng.random() < 0.25 else 0
    return [*rests, *add_clutter(rng, layout, wanted)]


def add_clutter(rng: Generator, layout: Layout, count: int) -> Iterator[Body]:
    """Draw `count` objects, and yield those for which the layout has room."""
    for _ in range(count):
        body = draw_clutter(rng, layout)
        if body is not None:
            layout.props.append(body.pose)
            yield body


def draw_set(rng: Generator, *, clear: bool, see_through: float = 0.1) -> DiceSet:
    kind = rng.random()
    if kind < ASIAN_SHARE:
        style, material = draw_asian_style(rng), draw_light_material(rng, clear=clear)
        return _shape_set(rng, style, material, Marks.ASIAN)
    style = draw_style(rng, clear=clear)
    is_dark = kind < ASIAN_SHARE + DARK_SHARE
    if is_dark:
        material = draw_dark_material(rng, clear=clear)
    else:
        material = draw_material(rng, clear=clear, see_through=see_through)
    dice = _shape_set(rng, style, material, Marks.NONE)
    return replace(dice, marks=_draw_marks(rng, dice))


def _shape_set(rng: Generator, style: PipStyle, material: Material, marks: Marks) -> DiceSet:
    """Draw the shape of a set of dice; its corners do not cut into the pips."""
    is_sharp = rng.random() < (0.6 if material.finish.through else 0.06)
    rounding = float(rng.choice([rng.uniform(0.02, 0.08), rng.uniform(0.06, 0.2)]))
    outermost = style.step * np.sqrt(2) + style.radius * 0.5
    least_ball = max(0.68, float(np.hypot(0.5, outermost)))
    ball = float(rng.uniform(least_ball, 0.8)) if rng.random() < 0.45 else 0.866
    if rng.random() < 0.08:
        ball = float(rng.uniform(least_ball, least_ball + 0.04))
    if is_sharp:
        rounding, ball = float(rng.uniform(0.008, 0.02)), 0.866
    return DiceSet(rounding, ball, style, material, marks)


def _draw_marks(rng: Generator, dice: DiceSet) -> Marks:
    """Draw which faces of a set have coloured pips: often some of light dice."""
    draw, is_large = rng.random(), dice.style.one_scale > 1
    is_pale = dice.material.colour in PALE
    if not is_pale:
        return Marks.SOME if draw < 0.12 else Marks.NONE
    if draw < 0.2:
        return Marks.MIXED
    return Marks.SOME if draw < (0.7 if is_large else 0.45) else Marks.NONE


def draw_die(rng: Generator, kind: DiceSet, pose: BoxPose) -> Body:
    pips = draw_pips(rng, kind.style)
    albedo = draw_marked_faces(rng, kind.material, kind.marks, pips.numbers)
    return Body(pose, _make_solid(pose, kind.rounding, kind.ball), pips, albedo, kind.material)


def _make_solid(pose: BoxPose, rounding: float, ball: float) -> Solid:
    return Solid(
        half=pose.half.astype(np.float32),
        rounding=rounding,
        ball=ball,
        center=pose.center.astype(np.float32),
        rotation=pose.rotation.astype(np.float32),
    )


def _draw_block(rng: Generator, pose: BoxPose, pips: Pips | None = None) -> Body:
    """Return a box without pips, or with those given."""
    material = draw_material(rng, clear=False)
    least = float(pose.half.min())
    rounding = float(rng.uniform(0.05, 0.6)) * least
    solid = _make_solid(pose, rounding, float(np.linalg.norm(pose.half)) + 0.1)
    return Body(pose, solid, pips or no_pips(), material.pip, material)


def draw_clutter(rng: Generator, layout: Layout) -> Body | None:
    """Draw a block, a domino, a die without pips or a marble, if there is room."""
    kind = str(rng.choice(["block", "domino", "cube", "marble"]))
    half, pips = _draw_clutter_shape(rng, kind)
    for _ in range(TRIES // 4):
        place = pick_position(rng, layout.view)
        pose = make_flat_pose(place, rng.uniform(0, 2 * np.pi), half)
        if not layout.has_room(pose, seen=(0.0, 1.0)):
            continue
        body = _draw_block(rng, pose, pips)
        if kind == "marble":
            round_one = _make_solid(pose, float(half[0]) * 0.99, float(half[0]))
            body = replace(body, solid=round_one)
        return body
    return None


def _draw_clutter_shape(rng: Generator, kind: str) -> tuple[NDArray[np.float64], Pips | None]:
    if kind == "domino":
        wide = float(rng.uniform(0.4, 0.9))
        half = np.array([wide, 2 * wide, wide * rng.uniform(0.3, 0.5)])
        return half, draw_domino_pips(
            rng, draw_plain_style(rng, clear=False), half.astype(np.float32)
        )
    if kind == "block":
        return np.exp(rng.uniform(np.log(0.1), np.log(1.5), 3)) * [1, 1, 0.5], None
    return np.full(3, 0.5 if kind == "cube" else rng.uniform(0.25, 0.7)), None
