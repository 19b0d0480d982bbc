# SPDX-License-Identifier: MIT
"""
Render one scene: camera, dice, light, ground and lens, and record the truth about it.

All random numbers come from one seed, so their order must never change. A scene is dropped if the
dice do not fit, or if a die that should be readable has lost its contrast. The next one continues
with the same random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_grounds.kinds import Kinds, draw_ground
from vision.training.scene_grounds.scatter import scatter_props
from vision.training.scenes.body import Body, BodyPixels, SceneModel, render_body
from vision.training.scenes.dice_sets import draw_dice, draw_props
from vision.training.scenes.dome import Dome, add_dome, draw_dome, paint_base
from vision.training.scenes.environment import Environment, draw_environment
from vision.training.scenes.ground import (
    TexturedSquare,
    add_rail,
    add_reflections,
    find_visible_felt,
    find_visible_square,
    light_ground,
    project_texture,
)
from vision.training.scenes.layout import Layout, NoRoomError, place_dice
from vision.training.scenes.lens import expose
from vision.training.scenes.light import draw_lighting
from vision.training.scenes.measure import FinishedPicture, measure_die
from vision.training.scenes.output import DieState, RenderedScene
from vision.training.scenes.poses import inside_share
from vision.training.scenes.spec import MOST_DICE, SceneSpec, decide_dome, draw_expect, draw_spec
from vision.training.scenes.tray import draw_tower_floor, draw_tray
from vision.training.scenes.view import View, draw_view
from vision.training.scenes.warp import Warp

Array = NDArray[np.float32]
MOST_SCENES = 150
LEAST_CONTRAST = 14.0
CLEAR_CONTRAST = 40.0
LEAST_INSIDE = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class TableCamera:
    """The camera of a table, which several scenes share."""

    view: View  # Its position and optics, for the rendered picture.
    warp: Warp  # From the rendered picture to the final one.


@dataclass(frozen=True, slots=True, eq=False)
class _StagedScene:
    """A scene before its light, its environment, how many of its bodies are dice, its dome."""

    scene: SceneModel
    setting: Environment
    dice: int
    dome: Dome | None


def render_scene(
    seed: int,
    size_wh: tuple[int, int] = (640, 360),
    *,
    spec: SceneSpec | None = None,
    camera: TableCamera | None = None,
) -> RenderedScene:
    """
    Render a random scene; the same seed, size, spec and camera give the same picture.

    Raises:
        NoRoomError: None of many attempts satisfied the spec.
    """
    rng = np.random.default_rng([seed, 0x57D10])
    spec = draw_spec(rng) if spec is None else decide_dome(rng, spec)
    expect = draw_expect(rng, spec)
    count = expect + (spec.doubt == "count")
    for _ in range(MOST_SCENES):
        scene = _draw_staged_scene(rng, size_wh, count, spec, camera)
        rendered = None if scene is None else _render(rng, scene, spec, (seed, expect))
        if rendered is not None and is_readable(rendered, spec):
            return rendered
    raise NoRoomError(f"seed {seed} shows nothing of {spec}")


def _draw_staged_scene(
    rng: Generator,
    size_wh: tuple[int, int],
    count: int,
    spec: SceneSpec,
    camera: TableCamera | None,
) -> _StagedScene | None:
    setting = draw_environment(rng, size_wh, spec)
    if camera is None:
        view = draw_view(rng, setting.warp.inner_wh, count, setting.spec)
    else:
        view, setting = camera.view, replace(setting, warp=camera.warp)
    dome = draw_dome(rng, view) if spec.dome else None
    if spec.dome and dome is None:
        return None
    tray = None  # A dome stands on a table.
    if dome is None:
        tray = draw_tower_floor(rng, view) if setting.is_infrared else draw_tray(rng, view)
    layout = Layout(view, tray, dome=dome)
    try:
        place_dice(rng, layout, count, spec)
    except NoRoomError:
        return None
    if not _stays_in_picture(layout, setting):
        return None
    dice = draw_dice(rng, layout.poses, spec)
    props = draw_props(rng, layout, clutter=spec.clutter and dome is None)
    light = draw_lighting(rng, max(size_wh) / view.edge_px, spec)
    return _StagedScene(SceneModel(view, light, tray, (*dice, *props)), setting, len(dice), dome)


def _stays_in_picture(layout: Layout, setting: Environment) -> bool:
    """Return whether all flat dice stay in the picture after the lens; saves rendering."""
    warp = setting.warp
    if not warp.bend:
        return True
    quads = [
        warp.move(layout.view.project(pose.upper_corners()))
        for pose in layout.poses
        if pose.state is DieState.FLAT
    ]
    return all(inside_share(warp.size_wh, quad) > LEAST_INSIDE for quad in quads)


def _render(
    rng: Generator, drawn: _StagedScene, spec: SceneSpec, labels: tuple[int, int]
) -> RenderedScene:
    scene = drawn.scene
    view = scene.view
    sheet = find_visible_square(view)
    setting = drawn.setting
    bare = _match_ground_to_dice(rng, draw_ground(rng, sheet.side_px, setting.kinds), scene.bodies)
    texture = np.ascontiguousarray(bare)
    is_prop = np.zeros(texture.shape[:2], dtype=bool)
    if spec.clutter and rng.random() < 0.45:
        edge_px = sheet.side_px / sheet.side
        is_prop = scatter_props(rng, texture, edge_px, _find_keep_out(scene, sheet))
    albedo = project_texture(texture, sheet, view)
    if drawn.dome is not None:
        paint_base(rng, albedo, drawn.dome, view)
    floor_light = albedo.reshape(-1, 3).mean(0).reshape(3, 1) * np.float32(0.8)
    scene = replace(scene, light=replace(scene.light, floor=floor_light))
    gloss = float(rng.uniform(0.2, 0.8)) if rng.random() < 0.25 else 0.0
    linear = light_ground(scene, albedo, gloss, float(rng.uniform(0.05, 0.3)))
    if rng.random() < 0.07:
        add_reflections(scene, linear, float(rng.uniform(0.06, 0.35)))
    linear = add_rail_and_table(rng, scene, linear, sheet, setting.kinds)
    owner = _mark_props(scene, is_prop, sheet)
    looks = paint_bodies(scene, drawn.dice, linear, owner)
    warp, outline = setting.warp, None
    if drawn.dome is not None:
        add_dome(rng, linear, drawn.dome, view, scene.light, owner > 0)
        outline = warp.move(drawn.dome.outline(view))
    image = expose(rng, warp.picture(linear), gentle=spec.clear, infrared=setting.is_infrared)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    picture = FinishedPicture(warp, grey, warp.owner(owner), owner)
    dice = tuple(measure_die(scene, k, picture, looks[k]) for k in range(drawn.dice))
    return RenderedScene(image, dice, picture.owner, labels[1], spec.doubt, labels[0], outline)


def _match_ground_to_dice(rng: Generator, texture: Array, bodies: tuple[Body, ...]) -> Array:
    """Return the ground, sometimes with the brightness or the colour of the dice."""
    if not bodies or rng.random() > 0.15:
        return texture
    mean = texture.reshape(-1, 3).mean(0)
    wanted = bodies[0].material.body.reshape(3) * np.float32(rng.uniform(0.5, 1.6))
    scale = wanted / mean if rng.random() < 0.5 else wanted.mean() / mean.mean()
    return np.asarray(np.clip(texture * scale, 0.004, 0.9), dtype=np.float32)


def _mark_props(
    scene: SceneModel, is_prop: NDArray[np.bool_], sheet: TexturedSquare
) -> NDArray[np.int16]:
    """Return the owner of each pixel before the bodies, (h, w)."""
    owner = np.zeros(scene.view.size_wh[::-1], dtype=np.int16)
    if is_prop.any():
        seen = project_texture(is_prop.astype(np.float32), sheet, scene.view) > 0.5
        owner[seen & find_visible_felt(scene)] = -1
    return owner


def add_rail_and_table(
    rng: Generator, scene: SceneModel, linear: Array, sheet: TexturedSquare, kinds: Kinds
) -> Array:
    """Return the picture with the tray's rail and the table around it, if there is a tray."""
    if scene.tray is None:
        return linear
    coarse = replace(sheet, side_px=max(sheet.side_px // 2, 64))
    table = project_texture(draw_ground(rng, coarse.side_px, kinds), coarse, scene.view)
    return add_rail(scene, linear, table * np.float32(rng.uniform(0.2, 0.9)))


def _find_keep_out(scene: SceneModel, sheet: TexturedSquare) -> Array:
    """Return circles (n, 3) in texture pixels without flat objects."""
    scale = sheet.side_px / sheet.side
    circles = [
        (*sheet.to_texture(body.pose.center[None, :2])[0], np.hypot(*body.pose.half[:2]) * scale)
        for body in scene.bodies
    ]
    keep = np.array(circles, dtype=np.float32).reshape(-1, 3)
    keep[:, 2] *= 1.12
    return keep


def paint_bodies(
    scene: SceneModel, dice: int, linear: Array, owner: NDArray[np.int16]
) -> dict[int, BodyPixels]:
    """Paint all bodies into the picture and the owners in place, the farthest first."""
    eye = scene.view.position
    far = [float(np.linalg.norm(body.pose.center - eye)) for body in scene.bodies]
    looks = {}
    for which in np.argsort(far)[::-1]:
        look = render_body(scene, int(which))
        under = linear[look.y_px, look.x_px]
        share = look.cover * (1 - look.through)
        linear[look.y_px, look.x_px] = under + (look.colour.T - under) * share[:, None]
        solid = look.cover > 0.5
        owner[look.y_px[solid], look.x_px[solid]] = which + 1 if which < dice else -1
        looks[int(which)] = look
    return looks


def is_readable(rendered: RenderedScene, spec: SceneSpec) -> bool:
    """
    Return whether all flat dice have the contrast and the visible share of the spec.

    In a crowd, some dice may lack them: hardly any crowd in poor light would be left.
    """
    least = CLEAR_CONTRAST if spec.clear else LEAST_CONTRAST
    seen = 0.99 if spec.clear else 0.98
    flat = [die for die in rendered.dice if die.state is DieState.FLAT]
    lost = sum(die.contrast < least or die.visible < seen for die in flat)
    return lost <= (len(flat) // 8 if len(flat) > MOST_DICE + 1 else 0)
