# SPDX-License-Identifier: MIT
"""
Render the throws of one set-up table: its camera, light, tray, strangers and dice stay.

`render_scene` draws everything anew from one seed. Here one seed draws the table, and every
throw only where the dice lie. So a reader that knows its table can be measured: what it learnt
from some throws must hold for the others, and what changes between two throws is planted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.training.scene_grounds.kinds import draw_ground
from vision.training.scene_grounds.scatter import scatter_props
from vision.training.scenes.body import Body, SceneModel
from vision.training.scenes.dice_sets import DiceSet, draw_clutter, draw_die, draw_set
from vision.training.scenes.environment import Environment, draw_environment
from vision.training.scenes.ground import (
    TexturedSquare,
    find_visible_square,
    light_ground,
    project_texture,
)
from vision.training.scenes.layout import Layout, NoRoomError, place_dice
from vision.training.scenes.lens import expose
from vision.training.scenes.light import Lighting, draw_lighting
from vision.training.scenes.measure import FinishedPicture, measure_die
from vision.training.scenes.output import RenderedScene
from vision.training.scenes.poses import BoxPose
from vision.training.scenes.render import add_rail_and_table, is_readable, paint_bodies
from vision.training.scenes.spec import SceneSpec
from vision.training.scenes.tray import Tray, draw_tray
from vision.training.scenes.view import View, draw_view

_TRIES = 200
_LEAST_FELT = 0.25
"""Share of the picture that the felt of a set-up table fills at least."""

_NOISE_LEVELS = 1.2
_FLICKER = 0.015


class Fault(Enum):
    """What is planted in a throw; the first six are to be told, after the others all may be read."""

    COCKED = "cocked"
    STACKED = "stacked"
    TOO_MANY = "one too many"
    FOREIGN = "foreign object"
    OTHER_COLOUR = "die of another colour"
    LIGHT = "light changed"
    NUDGED = "camera nudged"

    @property
    def is_told(self) -> bool:
        """Whether such a throw must not be believed."""
        return self not in (Fault.LIGHT, Fault.NUDGED)


@dataclass(frozen=True, slots=True, eq=False)
class ThrownScene:
    """
    One throw at a table.

    Attributes:
        scene: The picture and the truth about its dice.
        fault: What was planted; `None` for a fair throw.
        at_px: Where it was planted in the picture, (n, 2); empty if it has no position.
    """

    scene: RenderedScene
    fault: Fault | None
    at_px: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SceneTable:
    """
    A table that was set up once; see `draw_table`.

    Attributes:
        seed: What it was drawn from.
        kit: The set of each die; dice of one table may be of several sets.
        felt_px: Corners of the felt in the picture, clockwise, (4, 2).
        felt_edges: Width and depth of the felt, in edges of a die.
    """

    seed: int
    kit: tuple[DiceSet, ...]
    felt_px: NDArray[np.float64]
    felt_edges: tuple[float, float]
    _setting: Environment
    _view: View
    _tray: Tray
    _light: Lighting
    _texture: NDArray[np.float32]
    _is_stranger: NDArray[np.bool_]
    _strangers: tuple[Body, ...]

    def throw(self, number: int, fault: Fault | None = None) -> ThrownScene:
        """
        Throw the dice.

        Args:
            number: Which throw; the same number gives the same picture.
            fault: What to plant.

        Raises:
            NoRoomError: The dice do not fit, or the fault cannot be planted at this table.
        """
        rng = np.random.default_rng([self.seed, number, 0x7A81E])
        for _ in range(_TRIES):
            thrown = self._throw(rng, fault)
            if thrown is not None:
                return thrown
        raise NoRoomError(f"table {self.seed} shows no {fault.value if fault else 'fair throw'}")

    def _throw(self, rng: np.random.Generator, fault: Fault | None) -> ThrownScene | None:
        count = len(self.kit) + (fault is Fault.TOO_MANY)
        doubt = fault.value if fault in (Fault.COCKED, Fault.STACKED) else None
        spec = SceneSpec(doubt=doubt, clear=True, clutter=False)
        standing = [body.pose for body in self._strangers]
        try:
            layout = place_dice(rng, self._view, self._tray, count, spec, props=standing)
        except NoRoomError:
            return None
        if any(self._lies_on_stranger(pose) for pose in layout.poses):
            return None
        kit, planted = self._plant(rng, fault, count)
        dice = [draw_die(rng, kind, pose) for kind, pose in zip(kit, layout.poses, strict=True)]
        bodies = [*dice, *self._strangers]
        if fault is Fault.FOREIGN:
            stranger = draw_clutter(rng, layout)
            if stranger is None or self._lies_on_stranger(stranger.pose):
                return None
            bodies.append(stranger)
        if fault in (Fault.COCKED, Fault.STACKED):
            planted = [0]
        view = _nudge(rng, self._view) if fault is Fault.NUDGED else self._view
        light = self._light if fault is not Fault.LIGHT else _relight(rng, self._light)
        scene = SceneModel(view, light, self._tray, tuple(bodies))
        rendered = self._render(rng, scene, len(dice))
        if not is_readable(rendered, spec):
            return None
        if fault is Fault.FOREIGN:
            at = self._setting.warp.move(view.project(bodies[-1].pose.center[:, None]))
        else:
            at = np.array([rendered.dice[i].quad_px.mean(axis=0) for i in planted])
        return ThrownScene(rendered, fault, at.reshape(-1, 2))

    def _plant(
        self, rng: np.random.Generator, fault: Fault | None, count: int
    ) -> tuple[list[DiceSet], list[int]]:
        """Return the set of each die that is thrown, and which dice were planted."""
        kit = [self.kit[k] for k in rng.permutation(len(self.kit))]
        if fault is Fault.TOO_MANY:
            return [*kit, kit[int(rng.integers(len(kit)))]], [count - 1]
        if fault is Fault.OTHER_COLOUR:
            known = {kind.material.colour for kind in self.kit}
            for _ in range(_TRIES):
                other = draw_set(rng, clear=True)
                if other.material.colour not in known:
                    return [other, *kit[1:]], [0]
            raise NoRoomError("there is no die of another colour")
        return kit, []

    def _lies_on_stranger(self, pose: BoxPose) -> bool:
        """Return whether a box stands on a flat stranger."""
        sheet = find_visible_square(self._view)
        foot = sheet.to_texture(pose.corners()[:2].T)
        x, y = foot.mean(axis=0)
        reach = 1.2 * float(np.linalg.norm(foot - (x, y), axis=1).max())
        low_x, low_y = (max(0, int(value - reach)) for value in (x, y))
        return bool(
            self._is_stranger[low_y : int(y + reach) + 1, low_x : int(x + reach) + 1].any()
        )

    def _render(self, rng: np.random.Generator, scene: SceneModel, dice: int) -> RenderedScene:
        """Return the picture; what belongs to the table is drawn from the table's seed."""
        fixed = np.random.default_rng([self.seed, 0xF1C5])
        sheet = find_visible_square(self._view)
        albedo = project_texture(self._texture, sheet, scene.view)
        floor_light = albedo.reshape(-1, 3).mean(0).reshape(3, 1) * np.float32(0.8)
        scene = replace(scene, light=replace(scene.light, floor=floor_light))
        linear = light_ground(scene, albedo, float(fixed.uniform(0, 0.3)), 0.2)
        linear = add_rail_and_table(fixed, scene, linear, sheet, self._setting.kinds)
        owner = np.zeros(scene.view.size_wh[::-1], dtype=np.int16)
        looks = paint_bodies(scene, dice, linear, owner)
        warp = self._setting.warp
        image = expose(fixed, warp.picture(linear), gentle=True, infrared=self._setting.is_infrared)
        image = _vary(rng, image)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
        picture = FinishedPicture(warp, grey, warp.owner(owner), owner)
        measured = tuple(measure_die(scene, k, picture, looks[k]) for k in range(dice))
        return RenderedScene(image, measured, picture.owner, len(self.kit), None, self.seed)


def draw_table(seed: int, size_wh: tuple[int, int] = (1280, 720)) -> SceneTable:
    """
    Draw a table with a felt that is wholly in the picture.

    Args:
        seed: The same seed and size give the same table.
        size_wh: The size of its pictures in pixels.

    Raises:
        NoRoomError: None of many tables has room.
    """
    rng = np.random.default_rng([seed, 0x7AB1E])
    count = int(rng.choice([1, 2, 3, 5, 6], p=[0.05, 0.25, 0.1, 0.5, 0.1]))
    spec = SceneSpec(expect=count, clear=True)
    for _ in range(_TRIES):
        setting = draw_environment(rng, size_wh, spec)
        view = draw_view(rng, setting.warp.inner_wh, count, setting.spec)
        tray = draw_tray(rng, view)
        if tray is None or tray.corner > 0.3 * float(tray.half.min()):
            continue
        felt_px = setting.warp.move(view.project(_felt_corners(tray)))
        if not _is_in_picture(felt_px, size_wh):
            continue
        sheet = find_visible_square(view)
        texture = np.ascontiguousarray(draw_ground(rng, sheet.side_px, setting.kinds))
        is_stranger = np.zeros(texture.shape[:2], dtype=bool)
        if rng.random() < 0.5:
            edge_px = sheet.side_px / sheet.side
            is_stranger = scatter_props(rng, texture, edge_px, _beyond_middle(rng, sheet, tray))
        layout = Layout(view, tray)
        strangers = _draw_strangers(rng, layout)
        light = draw_lighting(rng, max(size_wh) / view.edge_px, spec)
        sets = [draw_set(rng, clear=True) for _ in range(int(rng.choice([1, 2], p=[0.7, 0.3])))]
        kit = tuple(sets[k % len(sets)] for k in range(count))
        return SceneTable(
            seed,
            kit,
            felt_px,
            (2.0 * float(tray.half[0]), 2.0 * float(tray.half[1])),
            setting,
            view,
            tray,
            light,
            texture,
            is_stranger,
            strangers,
        )
    raise NoRoomError(f"seed {seed} shows no table")


def _felt_corners(tray: Tray) -> NDArray[np.float64]:
    """Return the corners of the felt on its plane, (3, 4)."""
    signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], dtype=np.float64)
    corners = tray.center + (signs * tray.half) @ tray.axes.T
    return np.column_stack([corners, np.zeros(4)]).T


def _is_in_picture(felt_px: NDArray[np.float64], size_wh: tuple[int, int]) -> bool:
    inside = (felt_px > 1.0).all() and (felt_px < np.array(size_wh) - 2.0).all()
    area = cv2.contourArea(felt_px.astype(np.float32))
    return bool(inside and abs(area) > _LEAST_FELT * size_wh[0] * size_wh[1])


def _beyond_middle(
    rng: np.random.Generator, sheet: TexturedSquare, tray: Tray
) -> NDArray[np.float64]:
    """Return the circle in the felt's middle, (1, 3), where no strangers lie."""
    x, y = sheet.to_texture(tray.center[None].astype(np.float64))[0]
    radius = float(tray.half.min()) * rng.uniform(0.4, 0.8) * sheet.side_px / sheet.side
    return np.array([(x, y, radius)])


def _draw_strangers(rng: np.random.Generator, layout: Layout) -> tuple[Body, ...]:
    """Draw solid things that stay on the table, in a quarter of all tables."""
    strangers = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.75, 0.15, 0.1]))):
        body = draw_clutter(rng, layout)
        if body is not None:
            layout.props.append(body.pose)
            strangers.append(body)
    return tuple(strangers)


def _nudge(rng: np.random.Generator, view: View) -> View:
    """Return the camera after a knock: turned by up to a degree."""
    turn = np.radians(rng.uniform(0.3, 1.0)) * rng.choice([-1, 1])
    axis = int(rng.integers(3))
    one, two = view.axes[(axis + 1) % 3], view.axes[(axis + 2) % 3]
    axes = view.axes.copy()
    axes[(axis + 1) % 3] = np.cos(turn) * one + np.sin(turn) * two
    axes[(axis + 2) % 3] = np.cos(turn) * two - np.sin(turn) * one
    return replace(view, axes=axes)


def _relight(rng: np.random.Generator, light: Lighting) -> Lighting:
    """Return the light after somebody switched a lamp, or a cloud passed."""
    share = np.float32(rng.choice([rng.uniform(0.4, 0.7), rng.uniform(1.3, 1.6)]))
    lamps = tuple(replace(lamp, colour=lamp.colour * share) for lamp in light.lamps)
    return replace(light, lamps=lamps)


def _vary(rng: np.random.Generator, image: Image) -> Image:
    """Return a picture as the next frame has it: a little brighter or darker, other noise."""
    gain = 1.0 + rng.normal(0.0, _FLICKER)
    noise = rng.normal(0.0, _NOISE_LEVELS, image.shape)
    return np.asarray(np.clip(np.rint(image * gain + noise), 0, 255), np.uint8)


def fair_throws(table: SceneTable, first: int, count: int) -> Iterator[ThrownScene]:
    """Yield fair throws in a row; their numbers begin with `first`."""
    for number in range(first, first + count):
        yield table.throw(number)
