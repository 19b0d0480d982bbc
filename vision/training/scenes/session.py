# SPDX-License-Identifier: MIT
"""
Render the throws of one set-up table: its camera, light, tray, strangers and dice stay.

`render_scene` draws everything from one seed. Here one seed draws the table, and every throw
only where the dice lie. So a reader that knows its table can be measured: what it learnt
from some throws must hold for the others, and what changes between two throws is planted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_grounds.kinds import PLAIN_KINDS, PRINTED_KINDS, draw_ground
from vision.training.scene_grounds.scatter import scatter_props
from vision.training.scenes.body import Body, SceneModel
from vision.training.scenes.dice_sets import (
    DiceSet,
    add_clutter,
    draw_clutter,
    draw_die,
    draw_set,
)
from vision.training.scenes.dome import Dome, add_dome, draw_dome, paint_base
from vision.training.scenes.environment import Environment, draw_environment
from vision.training.scenes.ground import (
    TexturedSquare,
    find_visible_square,
    light_ground,
    project_texture,
)
from vision.training.scenes.layout import Layout, NoRoomError, place_dice, place_off_felt
from vision.training.scenes.lens import Picture, expose, vary_frame
from vision.training.scenes.light import Lighting, change_light, draw_lighting
from vision.training.scenes.measure import FinishedPicture, measure_die
from vision.training.scenes.output import RenderedScene
from vision.training.scenes.poses import BoxPose, draw_quarter_turns
from vision.training.scenes.render import add_rail_and_table, is_readable, paint_bodies
from vision.training.scenes.spec import SceneSpec
from vision.training.scenes.tray import EDGE_MM, Tray, draw_table_tray
from vision.training.scenes.view import View, draw_view, nudge_view
from vision.training.scenes.warp import draw_pixels

_TRIES = 200
_PICTURES = 20
"""Pictures of one throw that are rendered until one is readable; each takes a second."""

_LEAST_FELT = 0.25  # Share of the picture that the felt of a set-up table fills at least.

_MOST_BEHIND_RAIL = 0.3
"""Width of the strip of felt that the rail hides at most, in edges; a hand marks the corners."""

_LEAST_STRANGER = 0.3  # Area on which a stranger stands at least, in faces of a die.

_SCATTERINGS = 6
_DOME_MOVES = (0.3, 1.0)  # How far a dome moves, in its radii.
_CLEAR = SceneSpec(clear=True)


class Fault(Enum):
    """What is planted in a throw."""

    COCKED = "cocked"
    STACKED = "stacked"
    OFF_FELT = "off the felt"
    TOO_MANY = "one too many"
    FOREIGN = "foreign object"
    SWAPPED = "die swapped"
    LIGHT = "light changed"
    NUDGED = "camera nudged"
    DOME_MOVED = "dome moved"

    @property
    def must_be_doubted(self) -> bool:
        """Whether such a throw must not be believed; the others may still be read."""
        return self not in (Fault.LIGHT, Fault.NUDGED, Fault.DOME_MOVED)


@dataclass(frozen=True, slots=True, eq=False)
class ThrownScene:
    """One throw at a table."""

    scene: RenderedScene  # The picture and the truth about its dice.
    fault: Fault | None  # What was planted; `None` for a fair throw.
    # Circles around it in the picture: x, y, radius, (n, 3). Empty if it has no position: any of
    # the dice may be the one too many.
    circles_px: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The felt's texture (s, s, 3), which of its pixels show flat strangers, the solid ones."""

    texture: Picture
    is_stranger: NDArray[np.bool_]
    strangers: tuple[Body, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SceneTable:
    """A table that was set up once; see `draw_table`."""

    seed: int  # What it was drawn from.
    kit: tuple[DiceSet, ...]  # The set of each die; dice of one table may be of several sets.
    is_cluttered: bool  # Whether strangers stay on its felt, or a print is on it.
    felt_px: NDArray[np.float64]  # Corners of the felt in the picture, clockwise, (4, 2).
    felt_mm: tuple[float, float]  # Width and depth of the felt.
    _setting: Environment
    _view: View
    _tray: Tray
    _light: Lighting
    _ground: _Ground
    _dome: Dome | None = None  # The dome over its dice, where it stands in a fair throw.
    _meter: Picture | None = None

    def throw(self, number: int, fault: Fault | None = None) -> ThrownScene:
        """
        Throw the dice; the same number and fault give the same picture.

        Raises:
            NoRoomError: The dice do not fit, or the fault cannot be planted at this table.
        """
        rng = np.random.default_rng([self.seed, number, 0x7A81E])
        if fault is Fault.STACKED and len(self.kit) < 2:
            raise NoRoomError("one die alone cannot be stacked")
        if self._dome is None and fault is Fault.DOME_MOVED:
            raise NoRoomError("there is no dome that could move")
        if self._dome is not None and fault in (Fault.OFF_FELT, Fault.FOREIGN):
            raise NoRoomError("nothing but the dice gets under a dome")
        for _ in range(_PICTURES):
            thrown = self._throw(rng, fault)
            if is_readable(thrown.scene, _CLEAR):
                return thrown
        raise NoRoomError(f"table {self.seed} shows no {fault.value if fault else 'fair throw'}")

    def _throw(self, rng: Generator, fault: Fault | None) -> ThrownScene:
        dome = self._move_dome(rng) if fault is Fault.DOME_MOVED else self._dome
        layout, bodies = self._place_bodies(rng, fault, dome)
        view = nudge_view(rng, self._view) if fault is Fault.NUDGED else self._view
        light = change_light(rng, self._light) if fault is Fault.LIGHT else self._light
        scene = SceneModel(view, light, self._tray, tuple(bodies))
        rendered = self._render(rng, scene, len(layout.poses), dome)
        planted = {
            Fault.COCKED: bodies[:1],
            Fault.STACKED: bodies[:2],
            Fault.OFF_FELT: bodies[:1],
            Fault.SWAPPED: bodies[:1],
            Fault.FOREIGN: bodies[-1:],
        }
        circles = [self._circle(body.pose) for body in planted.get(fault, [])] if fault else []
        return ThrownScene(rendered, fault, np.array(circles).reshape(-1, 3))

    def _place_bodies(
        self, rng: Generator, fault: Fault | None, dome: Dome | None
    ) -> tuple[Layout, list[Body]]:
        """Return where the dice lie, and all bodies: dice, strangers that stay, a new one."""
        kit = self._pick_dice(rng, fault)
        doubt = fault.value if fault in (Fault.COCKED, Fault.STACKED) else None
        spec = SceneSpec(doubt=doubt, clear=True, clutter=False)
        standing = [body.pose for body in self._ground.strangers]
        for _ in range(_TRIES):
            layout = Layout(self._view, self._tray, props=standing.copy(), dome=dome)
            try:
                if fault is Fault.OFF_FELT:
                    place_off_felt(rng, layout, self._tray)
                place_dice(rng, layout, len(kit), spec)
            except NoRoomError:
                continue
            new = draw_clutter(rng, layout) if fault is Fault.FOREIGN else None
            if fault is Fault.FOREIGN and (new is None or new.pose.footprint() < _LEAST_STRANGER):
                continue
            poses = [*layout.poses, *([new.pose] if new else [])]
            if not any(self._lies_on_stranger(pose) for pose in poses):
                dice = [
                    self._take_die(rng, *one, pose)
                    for one, pose in zip(kit, layout.poses, strict=True)
                ]
                return layout, [*dice, *self._ground.strangers, *([new] if new else [])]
        raise NoRoomError(f"table {self.seed} has no room for the dice")

    def _pick_dice(self, rng: Generator, fault: Fault | None) -> list[tuple[int, DiceSet]]:
        """Return the number and the set of each die that is thrown, in the order of the layout."""
        count = len(self.kit)
        order = [(int(k), self.kit[k]) for k in rng.permutation(count)]
        if fault is Fault.TOO_MANY:
            return [*order, (count, self.kit[int(rng.integers(count))])]
        if fault is Fault.SWAPPED:
            for _ in range(_TRIES):
                other = draw_set(rng, clear=True)
                if all(other.is_unlike(one) for one in self.kit):
                    return [(count, other), *order[1:]]
            raise NoRoomError("every other die looks like one of the table")
        return order

    def _move_dome(self, rng: Generator) -> Dome:
        """Return the dome elsewhere on the felt, by a third of its radius at least."""
        assert self._dome is not None
        for _ in range(_TRIES):
            turn, reach = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(*_DOME_MOVES)
            step = reach * self._dome.radius * np.array([np.cos(turn), np.sin(turn)])
            moved = replace(self._dome, center=self._dome.center + step)
            if _has_room(moved, self._tray, self._view):
                return moved
        raise NoRoomError(f"table {self.seed} has no room for its dome elsewhere")

    def _take_die(self, rng: Generator, number: int, kind: DiceSet, pose: BoxPose) -> Body:
        """Return one of the table's dice: the same in every throw but for the face on top."""
        own = np.random.default_rng([self.seed, number, 0xD1CE])
        turned = replace(pose, rotation=pose.rotation @ draw_quarter_turns(rng))
        return draw_die(own, kind, turned)

    def _lies_on_stranger(self, pose: BoxPose) -> bool:
        sheet = find_visible_square(self._view)
        foot = sheet.to_texture(pose.corners()[:2].T)
        x, y = foot.mean(axis=0)
        reach = 1.2 * float(np.linalg.norm(foot - (x, y), axis=1).max())
        low_x, low_y = (max(0, int(value - reach)) for value in (x, y))
        near = slice(low_y, int(y + reach) + 1), slice(low_x, int(x + reach) + 1)
        return bool(self._ground.is_stranger[near].any())

    def _circle(self, pose: BoxPose) -> NDArray[np.float64]:
        """Return the circle around a box in the picture: x, y, radius."""
        corners = self._setting.warp.move(self._view.project(pose.corners()))
        center = corners.mean(axis=0)
        return np.append(center, np.linalg.norm(corners - center, axis=1).max())

    def _render(
        self, rng: Generator, scene: SceneModel, dice: int, dome: Dome | None
    ) -> RenderedScene:
        """Return the picture; what belongs to the table is drawn from the table's seed."""
        fixed = np.random.default_rng([self.seed, 0xF1C5])
        scene, linear = self._light_felt(fixed, scene, dome)
        owner = np.zeros(scene.view.size_wh[::-1], dtype=np.int16)
        looks = paint_bodies(scene, dice, linear, owner)
        warp, outline = self._setting.warp, None
        if dome is not None:
            plastic = np.random.default_rng([self.seed, 0xD03E])
            add_dome(plastic, linear, dome, scene.view, scene.light, owner > 0)
            outline = warp.move(dome.outline(scene.view))
        image = expose(
            fixed,
            warp.picture(linear),
            gentle=True,
            infrared=self._setting.is_infrared,
            meter=self._meter,
        )
        image = vary_frame(rng, image)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
        picture = FinishedPicture(warp, grey, warp.owner(owner), owner)
        measured = tuple(measure_die(scene, k, picture, looks[k]) for k in range(dice))
        expect = len(self.kit)
        return RenderedScene(image, measured, picture.owner, expect, None, self.seed, outline)

    def _light_felt(
        self, fixed: Generator, scene: SceneModel, dome: Dome | None = None
    ) -> tuple[SceneModel, Picture]:
        """Return the scene with the light from its felt, and its picture without bodies."""
        sheet = find_visible_square(self._view)
        albedo = project_texture(self._ground.texture, sheet, scene.view)
        if dome is not None:
            paint_base(np.random.default_rng([self.seed, 0xBA5E]), albedo, dome, scene.view)
        floor_light = albedo.reshape(-1, 3).mean(0).reshape(3, 1) * np.float32(0.8)
        scene = replace(scene, light=replace(scene.light, floor=floor_light))
        linear = light_ground(scene, albedo, float(fixed.uniform(0, 0.3)), 0.2)
        return scene, add_rail_and_table(fixed, scene, linear, sheet, self._setting.kinds)

    def _is_readable(self, rng: Generator) -> bool:
        """Return whether there is room for the dice, and enough contrast in this light."""
        try:
            return is_readable(self._throw(rng, None).scene, _CLEAR)
        except NoRoomError:
            return False

    def _measure_light(self) -> Picture:
        """Return a small picture of the light on the tray without dice, to lock the exposure."""
        scene = SceneModel(self._view, self._light, self._tray, self._ground.strangers)
        _, linear = self._light_felt(np.random.default_rng([self.seed, 0xF1C5]), scene)
        return np.asarray(cv2.resize(linear, (32, 18), interpolation=cv2.INTER_AREA), np.float32)


def draw_table(
    seed: int, size_wh: tuple[int, int] = (1280, 720), *, under_dome: bool = False
) -> SceneTable:
    """
    Draw a table with a felt that is wholly in the picture, and dice that can be read there.

    Nothing but a clear dome with its dice stands on the felt of a table `under_dome`.

    Raises:
        NoRoomError: None of many tables has room.
    """
    rng = np.random.default_rng([seed, 0x7AB1E])
    count = int(rng.choice([1, 2, 3, 5, 6], p=[0.05, 0.25, 0.1, 0.5, 0.1]))
    spec = SceneSpec(expect=count, clear=True)
    is_cluttered = bool(rng.random() < 0.5)
    for _ in range(_TRIES):
        setting = draw_environment(rng, size_wh, spec)
        setting = replace(setting, warp=draw_pixels(rng, setting.warp))
        view = draw_view(rng, setting.warp.inner_wh, count, setting.spec)
        tray = draw_table_tray(rng, view)
        if tray is None:
            continue
        felt_px = setting.warp.move(view.project(tray.corners()))
        if not _is_in_picture(felt_px, size_wh) or not _is_open(tray, view):
            continue
        dome = draw_dome(rng, view) if under_dome else None
        if under_dome and (dome is None or not _has_room(dome, tray, view)):
            continue
        ground = _draw_ground(rng, view, tray, setting, is_cluttered=is_cluttered)
        if under_dome:
            ground = replace(ground, strangers=())
        light = draw_lighting(rng, max(size_wh) / view.edge_px, spec)
        sets = [draw_set(rng, clear=True) for _ in range(int(rng.choice([1, 2], p=[0.7, 0.3])))]
        table = SceneTable(
            seed=seed,
            kit=tuple(sets[k % len(sets)] for k in range(count)),
            is_cluttered=is_cluttered,
            felt_px=felt_px,
            felt_mm=(2.0 * EDGE_MM * float(tray.half[0]), 2.0 * EDGE_MM * float(tray.half[1])),
            _setting=setting,
            _view=view,
            _tray=tray,
            _light=light,
            _ground=ground,
            _dome=dome,
        )
        table = replace(table, _meter=table._measure_light())
        if table._is_readable(rng):
            return table
    raise NoRoomError(f"seed {seed} shows no table")


def _is_in_picture(felt_px: NDArray[np.float64], size_wh: tuple[int, int]) -> bool:
    inside = (felt_px > 1.0).all() and (felt_px < np.array(size_wh) - 2.0).all()
    area = cv2.contourArea(felt_px.astype(np.float32))
    return bool(inside and abs(area) > _LEAST_FELT * size_wh[0] * size_wh[1])


def _has_room(dome: Dome, tray: Tray, view: View) -> bool:
    """Return whether a dome stands on the felt alone, and its foot is in the picture."""
    reach = dome.radius + dome.shell
    is_on_felt = tray.outside(dome.center[:, None].astype(np.float32)).max() < -reach
    foot = dome.outline(view)
    return bool(is_on_felt and (foot > 0).all() and (foot < np.array(view.size_wh) - 1).all())


def _is_open(tray: Tray, view: View) -> bool:
    corners = tray.corners()
    middles = (corners + np.roll(corners, 1, axis=1)) / 2.0
    return bool(tray.outside_over_rail(middles, view.position).max() < _MOST_BEHIND_RAIL)


def _draw_ground(
    rng: Generator, view: View, tray: Tray, setting: Environment, *, is_cluttered: bool
) -> _Ground:
    """Draw the felt: plain and empty, or with a print, flat strangers, solid ones, or several."""
    sheet = find_visible_square(view)
    is_printed, has_flat = (rng.random(2) < (0.4, 0.65)) & is_cluttered
    kinds = PRINTED_KINDS if is_printed else PLAIN_KINDS
    if setting.is_infrared:
        kinds, is_printed = setting.kinds, False
    texture = np.ascontiguousarray(draw_ground(rng, sheet.side_px, kinds))
    solid = int(rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1])) if is_cluttered else 0
    strangers = tuple(add_clutter(rng, Layout(view, tray), solid))
    is_stranger = np.zeros(texture.shape[:2], dtype=bool)
    if has_flat or (is_cluttered and not is_printed and not strangers):
        is_stranger = _scatter_strangers(rng, texture, sheet, tray)
    return _Ground(texture, is_stranger, strangers)


def _scatter_strangers(
    rng: Generator, texture: Picture, sheet: TexturedSquare, tray: Tray
) -> NDArray[np.bool_]:
    """Scatter flat strangers on the felt, but not in its middle; return their mask, (s, s)."""
    edge_px = sheet.side_px / sheet.side
    x, y = sheet.to_texture(tray.center[None].astype(np.float64))[0]
    middle = np.array([(x, y, float(tray.half.min()) * rng.uniform(0.4, 0.8) * edge_px)])
    found = np.zeros(texture.shape[:2], dtype=bool)
    for _ in range(_SCATTERINGS):
        found |= scatter_props(rng, texture, edge_px, middle)
        columns_rows = np.argwhere(found)[:, ::-1].astype(np.float64)
        outside = tray.outside(sheet.to_plane(columns_rows).T.astype(np.float32))
        if np.count_nonzero(outside < 0) > _LEAST_STRANGER * edge_px**2:
            break
    return found
