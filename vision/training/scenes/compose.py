# SPDX-License-Identifier: MIT
"""
Draws one shot: camera, dice, light, ground and lens, and writes down what is true of it.

All lots are drawn from one seed. A scene in which the dice find no room, or in which a die
that ought to be readable has lost its pips in the dark or in the glare, is thrown away and
the next one drawn from the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scenes.arrange import Layout, NoRoomError, lay_dice
from vision.training.scenes.body import Body, Look, Scene, look_at
from vision.training.scenes.casting import draw_dice, draw_props
from vision.training.scenes.floor import (
    Sheet,
    laid,
    lit_floor,
    sees_felt,
    sheet_under,
    with_rail,
    with_reflections,
)
from vision.training.scenes.grounds import Kinds, ground
from vision.training.scenes.lens import expose
from vision.training.scenes.light import draw_light
from vision.training.scenes.measure import Picture, measure_die
from vision.training.scenes.plan import Plan, draw_expect, draw_plan
from vision.training.scenes.poses import inside_share
from vision.training.scenes.setting import Setting, draw_setting
from vision.training.scenes.shot import DieState, Shot
from vision.training.scenes.things import lay_things
from vision.training.scenes.tray import draw_tower_floor, draw_tray
from vision.training.scenes.view import draw_view

Array = NDArray[np.float32]
MOST_SCENES = 150
LEAST_CONTRAST = 14.0
CLEAR_CONTRAST = 40.0
LEAST_INSIDE = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class _Set:
    """A scene ready to be lit, its setting, and how many of its bodies are dice."""

    scene: Scene
    setting: Setting
    dice: int


def draw_shot(
    seed: int, size_wh: tuple[int, int] = (640, 360), *, plan: Plan | None = None
) -> Shot:
    """
    Draw a picture of dice with its truth.

    Args:
        seed: The same seed, size and plan give the same picture.
        size_wh: The picture's size in pixels.
        plan: What it shall show; none draws that by lot, too.

    Returns:
        The shot.

    Raises:
        NoRoomError: What was asked for fits into none of many views.
    """
    rng = np.random.default_rng([seed, 0x57D10])
    plan = draw_plan(rng) if plan is None else plan
    expect = draw_expect(rng, plan)
    count = expect + (plan.doubt == "count")
    for _ in range(MOST_SCENES):
        scene = _draw_scene(rng, size_wh, count, plan)
        shot = None if scene is None else _shoot(rng, scene, plan, (seed, expect))
        if shot is not None and _keeps_promise(shot, plan):
            return shot
    raise NoRoomError(f"seed {seed} shows nothing of {plan}")


def _draw_scene(
    rng: np.random.Generator, size_wh: tuple[int, int], count: int, plan: Plan
) -> _Set | None:
    setting = draw_setting(rng, size_wh, plan)
    view = draw_view(rng, setting.warp.inner_wh, count, setting.plan)
    tray = draw_tower_floor(rng, view) if setting.is_infrared else draw_tray(rng, view)
    try:
        layout = lay_dice(rng, view, tray, count, plan)
    except NoRoomError:
        return None
    if not _stays_inside(layout, setting):
        return None
    dice = draw_dice(rng, layout.poses, clear=plan.clear)
    props = draw_props(rng, layout, clutter=plan.clutter)
    light = draw_light(rng, max(size_wh) / view.edge_px, plan)
    return _Set(Scene(view, light, tray, (*dice, *props)), setting, len(dice))


def _stays_inside(layout: Layout, setting: Setting) -> bool:
    """Return whether the lens leaves all flat dice in the picture; saves drawing the others."""
    warp = setting.warp
    if not warp.bend:
        return True
    quads = [
        warp.move(layout.view.project(pose.upper_corners()))
        for pose in layout.poses
        if pose.state is DieState.FLAT
    ]
    return all(inside_share(warp.size_wh, quad) > LEAST_INSIDE for quad in quads)


def _shoot(rng: np.random.Generator, drawn: _Set, plan: Plan, labels: tuple[int, int]) -> Shot:
    """Return the picture of a scene with its truth."""
    scene = drawn.scene
    view = scene.view
    sheet = sheet_under(view)
    setting = drawn.setting
    bare = _ground_like(rng, ground(rng, sheet.side_px, setting.kinds), scene.bodies)
    texture = np.ascontiguousarray(bare)
    is_thing = np.zeros(texture.shape[:2], dtype=bool)
    if plan.clutter and rng.random() < 0.45:
        edge_px = sheet.side_px / sheet.side
        is_thing = lay_things(rng, texture, edge_px, _keep_out(scene, sheet))
    albedo = laid(texture, sheet, view)
    floor_light = albedo.reshape(-1, 3).mean(0).reshape(3, 1) * np.float32(0.8)
    scene = replace(scene, light=replace(scene.light, floor=floor_light))
    gloss = float(rng.uniform(0.2, 0.8)) if rng.random() < 0.25 else 0.0
    linear = lit_floor(scene, albedo, gloss, float(rng.uniform(0.05, 0.3)))
    if rng.random() < 0.07:
        with_reflections(scene, linear, float(rng.uniform(0.06, 0.35)))
    linear = _around(rng, scene, linear, sheet, setting.kinds)
    owner = _things_seen(scene, is_thing, sheet)
    looks = _paint_bodies(scene, drawn.dice, linear, owner)
    warp = setting.warp
    image = expose(rng, warp.picture(linear), gentle=plan.clear, infrared=setting.is_infrared)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    picture = Picture(warp, grey, warp.owner(owner), owner)
    dice = tuple(measure_die(scene, k, picture, looks[k]) for k in range(drawn.dice))
    return Shot(image, dice, picture.owner, labels[1], plan.doubt, labels[0])


def _ground_like(rng: np.random.Generator, texture: Array, bodies: tuple[Body, ...]) -> Array:
    """Return the ground, now and then about as light as the dice, or of their very colour."""
    if not bodies or rng.random() > 0.15:
        return texture
    mean = texture.reshape(-1, 3).mean(0)
    wanted = bodies[0].material.body.reshape(3) * np.float32(rng.uniform(0.5, 1.6))
    scale = wanted / mean if rng.random() < 0.5 else wanted.mean() / mean.mean()
    return np.asarray(np.clip(texture * scale, 0.004, 0.9), dtype=np.float32)


def _things_seen(scene: Scene, is_thing: NDArray[np.bool_], sheet: Sheet) -> NDArray[np.int16]:
    """Return whose pixels they are before any body stands there, (h, w)."""
    owner = np.zeros(scene.view.size_wh[::-1], dtype=np.int16)
    if is_thing.any():
        seen = laid(is_thing.astype(np.float32), sheet, scene.view) > 0.5
        owner[seen & sees_felt(scene)] = -1
    return owner


def _around(
    rng: np.random.Generator, scene: Scene, linear: Array, sheet: Sheet, kinds: Kinds
) -> Array:
    """Return the picture with the tray's rail and the table around it, if there is a tray."""
    if scene.tray is None:
        return linear
    texture = ground(rng, max(sheet.side_px // 2, 64), kinds)
    table = laid(texture, _half_as_fine(sheet), scene.view)
    return with_rail(scene, linear, table * np.float32(rng.uniform(0.2, 0.9)))


def _half_as_fine(sheet: Sheet) -> Sheet:
    """Return the same piece of the plane for a texture half as fine."""
    return replace(sheet, side_px=max(sheet.side_px // 2, 64))


def _keep_out(scene: Scene, sheet: Sheet) -> Array:
    """Return circles (n, 3) in texture pixels that flat things must leave free."""
    scale = sheet.side_px / sheet.side
    circles = [
        (*sheet.to_texture(body.pose.center[None, :2])[0], np.hypot(*body.pose.half[:2]) * scale)
        for body in scene.bodies
    ]
    keep = np.array(circles, dtype=np.float32).reshape(-1, 3)
    keep[:, 2] *= 1.12
    return keep


def _paint_bodies(
    scene: Scene, dice: int, linear: Array, owner: NDArray[np.int16]
) -> dict[int, Look]:
    """Paint all bodies into the picture in place, the farthest first, and say whose pixels."""
    eye = scene.view.position
    far = [float(np.linalg.norm(body.pose.center - eye)) for body in scene.bodies]
    looks = {}
    for which in np.argsort(far)[::-1]:
        look = look_at(scene, int(which))
        under = linear[look.y_px, look.x_px]
        share = look.cover * (1 - look.through)
        linear[look.y_px, look.x_px] = under + (look.colour.T - under) * share[:, None]
        solid = look.cover > 0.5
        owner[look.y_px[solid], look.x_px[solid]] = which + 1 if which < dice else -1
        looks[int(which)] = look
    return looks


def _keeps_promise(shot: Shot, plan: Plan) -> bool:
    """Return whether every die that lies flat can be read, as far as the plan asks for it."""
    least = CLEAR_CONTRAST if plan.clear else LEAST_CONTRAST
    seen = 0.99 if plan.clear else 0.98
    flat = [die for die in shot.dice if die.state is DieState.FLAT]
    return all(die.contrast >= least and die.visible >= seen for die in flat)
