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

from hardware.simulated.studio.arrange import NoRoomError, lay_dice
from hardware.simulated.studio.body import Body, Look, Scene, look_at
from hardware.simulated.studio.casting import draw_dice, draw_props
from hardware.simulated.studio.floor import (
    Sheet,
    laid,
    lit_floor,
    sees_felt,
    sheet_under,
    with_rail,
)
from hardware.simulated.studio.grounds import ground
from hardware.simulated.studio.lens import expose
from hardware.simulated.studio.light import draw_light
from hardware.simulated.studio.pips import FAR
from hardware.simulated.studio.plan import Plan, draw_expect, draw_plan
from hardware.simulated.studio.poses import clockwise, inside_share
from hardware.simulated.studio.shot import DieState, Shot, ShotDie
from hardware.simulated.studio.things import lay_things
from hardware.simulated.studio.tray import draw_tray
from hardware.simulated.studio.view import View, draw_view

Array = NDArray[np.float32]
MOST_SCENES = 150
LEAST_CONTRAST = 14.0
CLEAR_CONTRAST = 40.0
RIM_LEFT_OUT = 0.93
"""How much of an upper face is asked whose pixels it has: its rim mixes with its neighbours'."""


@dataclass(frozen=True, slots=True, eq=False)
class _Set:
    """A scene ready to be lit, and how many of its bodies are dice."""

    scene: Scene
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
    view = draw_view(rng, size_wh, count, plan)
    tray = draw_tray(rng, view)
    try:
        layout = lay_dice(rng, view, tray, count, plan.doubt)
    except NoRoomError:
        return None
    dice = draw_dice(rng, layout.poses, clear=plan.clear)
    props = draw_props(rng, layout, clutter=plan.clutter)
    light = draw_light(rng, max(size_wh) / view.edge_px, plan)
    return _Set(Scene(view, light, tray, (*dice, *props)), len(dice))


def _shoot(rng: np.random.Generator, drawn: _Set, plan: Plan, labels: tuple[int, int]) -> Shot:
    """Return the picture of a scene with its truth."""
    scene = drawn.scene
    view = scene.view
    sheet = sheet_under(view)
    bare = _ground_like(rng, ground(rng, sheet.side_px), scene.bodies)
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
    linear = _around(rng, scene, linear, sheet)
    owner = _things_seen(scene, is_thing, sheet)
    looks = _paint_bodies(scene, drawn.dice, linear, owner)
    image = expose(rng, linear, gentle=plan.clear)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    dice = tuple(_truth(scene, k, owner, grey, looks[k]) for k in range(drawn.dice))
    return Shot(image, dice, owner, labels[1], plan.doubt, labels[0])


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


def _around(rng: np.random.Generator, scene: Scene, linear: Array, sheet: Sheet) -> Array:
    """Return the picture with the tray's rail and the table around it, if there is a tray."""
    if scene.tray is None:
        return linear
    table = laid(ground(rng, max(sheet.side_px // 2, 64)), _half_as_fine(sheet), scene.view)
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
        linear[look.y_px, look.x_px] = under + (look.colour.T - under) * look.cover[:, None]
        solid = look.cover > 0.5
        owner[look.y_px[solid], look.x_px[solid]] = which + 1 if which < dice else -1
        looks[int(which)] = look
    return looks


def _truth(scene: Scene, which: int, owner: NDArray[np.int16], grey: Array, look: Look) -> ShotDie:
    body = scene.bodies[which]
    quad = clockwise(scene.view.project(body.pose.upper_corners()))
    return ShotDie(
        face=body.pips.numbers[body.pose.upper_face()],
        state=body.pose.state,
        is_light=body.material.is_light,
        colour=body.material.colour,
        quad_px=quad,
        foot_px=scene.view.project(body.pose.lower_center()[:, None])[0],
        tilt_deg=body.pose.tilt_deg() if body.pose.state is DieState.COCKED else 0.0,
        visible=_visible(scene, quad, owner, which + 1),
        contrast=_contrast(scene, which, owner, grey, look),
    )


def _visible(scene: Scene, quad: NDArray[np.float64], owner: NDArray[np.int16], own: int) -> float:
    """Return the share of an upper face that is in the picture and hidden by nothing."""
    inside = inside_share(scene.view, quad)
    lid = np.zeros(owner.shape, dtype=np.uint8)
    middle = quad.mean(0)
    inner = middle + (quad - middle) * RIM_LEFT_OUT
    cv2.fillConvexPoly(lid, np.round(inner * 16).astype(np.int32), 1, shift=4)
    seen = owner[lid > 0]
    if not len(seen):
        return 0.0
    return float(inside * np.mean((seen == own) | (seen == 0)))


def _contrast(scene: Scene, which: int, owner: NDArray[np.int16], grey: Array, look: Look) -> float:
    """
    Return the grey levels between body and pips on the upper face, as the camera has them.

    The pip that stands out least decides, against the body around it: where one is lost in a
    glint or in a shadow's edge, the number is.
    """
    body = scene.bodies[which]
    shown = look.on_top & (owner[look.y_px, look.x_px] == which + 1)
    places = np.stack([look.x_px, look.y_px], axis=1)[shown]
    level, pip = grey[look.y_px, look.x_px][shown], look.pip[shown]
    plain = pip < 0.05
    spots, radius = _pip_spots(scene.view, body)
    if not plain.any():
        return 0.0
    off = np.linalg.norm(places[None] - spots[:, None], axis=2)
    mine = (pip[None] > 0.3) & (off < np.maximum(0.6 * radius, off.min(1, keepdims=True) + 0.5))
    around = plain[None] & (off < 4 * radius + 2)
    if not (mine.any(1) & around.any(1)).all():
        return 0.0
    gaps = (mine @ level) / mine.sum(1) - (around @ level) / around.sum(1)
    return float(max((gaps * np.sign(gaps.mean())).min(), 0))


def _pip_spots(view: View, body: Body) -> tuple[NDArray[np.float64], float]:
    """Return where the upper face's pips are in the picture (n, 2) and their radius there."""
    face = body.pose.upper_face()
    on_face = body.pips.places[face]
    on_face = on_face[on_face[:, 0] < FAR]
    axis, is_minus = divmod(face, 2)
    own = np.zeros((3, len(on_face)))
    own[axis] = -body.pose.half[axis] if is_minus else body.pose.half[axis]
    own[(axis + 1) % 3], own[(axis + 2) % 3] = on_face.T
    spots = view.project(body.pose.rotation @ own + body.pose.center[:, None])
    return spots, float(body.pips.radii[face, 0]) * view.edge_px


def _keeps_promise(shot: Shot, plan: Plan) -> bool:
    """Return whether every die that lies flat can be read, as far as the plan asks for it."""
    least = CLEAR_CONTRAST if plan.clear else LEAST_CONTRAST
    seen = 0.99 if plan.clear else 0.98
    flat = [die for die in shot.dice if die.state is DieState.FLAT]
    return all(die.contrast >= least and die.visible >= seen for die in flat)
