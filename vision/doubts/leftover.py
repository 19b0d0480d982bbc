# SPDX-License-Identifier: MIT
"""
Find what looks like part of a die and found no place in one.

A die that nobody saw is as wrong as a face misread. So what the reader found on
its way and could not use is asked at the end whether a die may stand behind it:
spots like the pips of the dice beside it, and things of a die's size that stand
out from the ground. What touches a read die and is only darker than the ground may be
its shadow, and counts only with spots on it; a pencil is no thing of a die's size.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.geometry.choose import Candidate, Choice
from vision.geometry.pips import Bools, Floats, Pips
from vision.geometry.rectify import Pyramid
from vision.params import LeftoverParams, ReadParams
from vision.reading import Doubt, DoubtKind

_UNREAD = "This can't be read for certain. Move it a little."
_NO_DIE = "Something that is no die lies here. Take it out."
_LEANS = "A die leans. Lay it flat."


def find_leftovers(
    pyramid: Pyramid,
    pips: Pips,
    candidates: list[Candidate],
    choice: Choice,
    params: ReadParams,
) -> list[Doubt]:
    """
    Find everything that may be an unread die, in work pixels.

    Args:
        pyramid: The work picture.
        pips: All spots.
        candidates: All faces that were looked at.
        choice: The dice that were read, and their side faces.
        params: All parameters.
    """
    limits, chosen = params.leftovers, choice.tops
    if not chosen:
        return _without_dice(pyramid, pips, limits)
    edge = float(np.median([2.0 * c.body.half_edge * c.face.step for c in chosen]))
    things = _find_things(pyramid, edge, limits)
    free = _on_no_die(pips, [*chosen, *choice.sides], limits)
    shaped = (pips.closed > limits.pip_closed) & (pips.fill > limits.pip_fill)
    on_thing = _of_pip_size(pips, edge, limits) & things.hold(pips.xy)
    suspect = free & shaped & (_like_pips(pips, chosen, limits) | on_thing)
    suspect |= free & _like_its_pips(pips, chosen, limits)
    doubts = [
        _pattern(c)
        for c in candidates
        if _is_flawed_die(c, choice, limits) and not _on_a_die(c.face.center, chosen, limits)
    ]
    doubts += [_spot(pips, i) for i in np.flatnonzero(suspect)]
    dice_xy = np.array([c.face.center for c in chosen])
    things_xy = things.bright_xy + things.apart_from(dice_xy, limits.shadow_edges * edge)
    for i, xy in enumerate(things_xy):
        told = any(np.linalg.norm(xy - other) < edge for other in things_xy[:i])
        if not told and not _on_a_die(xy, chosen, limits):
            doubts.append(_thing(xy, edge))
    return doubts[: limits.most]


def _without_dice(pyramid: Pyramid, pips: Pips, limits: LeftoverParams) -> list[Doubt]:
    """What may be a die where none was read, so that no die tells the size."""
    doubts = [_spot(pips, i) for i in np.flatnonzero(_striking(pips, limits))]
    for share in limits.shares:
        edge = share * max(pyramid.levels[0].shape[:2])
        things = _find_things(pyramid, edge, limits)
        on_thing = _of_pip_size(pips, edge, limits) & things.hold(pips.xy)
        doubts += [_spot(pips, i) for i in np.flatnonzero(on_thing)]
        doubts += [_thing(xy, edge) for xy in things.whole_xy.values()]
    return doubts[: limits.most]


def _striking(pips: Pips, limits: LeftoverParams) -> Bools:
    """Spots so clear that they may be pips although no die was read."""
    clear = (pips.contrast > limits.striking_contrast) & (pips.closed > limits.pip_closed)
    return np.asarray(clear & (pips.roundness > limits.least_round))


def _is_flawed_die(candidate: Candidate, choice: Choice, limits: LeftoverParams) -> bool:
    """Whether a face with a flaw has so many pips in their places that it is no accident."""
    face = candidate.face
    if not candidate.flaw or face.number < limits.telling_pips:
        return False
    step = float(np.median([c.face.step for c in choice.tops]))
    clearness = float(np.median([c.body.clearness for c in choice.tops]))
    low, high = limits.pip_size
    alike = low * step < face.step < high * step
    return alike and candidate.body.clearness > limits.pip_clearness * clearness


def _on_no_die(pips: Pips, known: list[Candidate], limits: LeftoverParams) -> Bools:
    """Spots that lie neither on a read face nor, flat and small, on a die's sides."""
    free = np.ones(len(pips), bool)
    for candidate in known:
        face, edge = candidate.face, 2.0 * candidate.body.half_edge
        place = np.abs(face.coordinates(pips.xy)).max(axis=1) / edge
        flat = pips.roundness < limits.side_flatness * face.roundness
        flat |= pips.radius < limits.side_size * face.step / face.step_radii
        free &= (place > limits.side_edges) | ((place > limits.own_edges) & ~flat)
        free[list(face.pips)] = False
    return free


def _on_a_die(point: Floats, chosen: list[Candidate], limits: LeftoverParams) -> bool:
    """Whether a point lies on a die that was read, its sides included."""
    return any(
        np.abs(c.face.coordinates(point[None])).max() < 2.0 * c.body.half_edge * limits.side_edges
        for c in chosen
    )


def _like_pips(pips: Pips, chosen: list[Candidate], limits: LeftoverParams) -> Bools:
    """Spots as large, clear and round as the pips that were read."""
    radius = np.median([c.face.step / c.face.step_radii for c in chosen])
    clearness = np.median([c.body.clearness for c in chosen])
    roundness = min(c.face.roundness for c in chosen)
    low, high = limits.pip_size
    like = (pips.radius > low * radius) & (pips.radius < high * radius)
    like &= pips.clearness > limits.pip_clearness * clearness
    return np.asarray(like & (pips.roundness > limits.side_flatness * roundness))


def _like_its_pips(pips: Pips, chosen: list[Candidate], limits: LeftoverParams) -> Bools:
    """Spots beside the pips of a read face and like them: half a six read as a three."""
    left = np.zeros(len(pips), bool)
    for candidate in chosen:
        face, own = candidate.face, list(candidate.face.pips)
        place = np.abs(face.coordinates(pips.xy)).max(axis=1) / (2.0 * candidate.body.half_edge)
        ratio = pips.radius / np.median(pips.radius[own])
        like = (pips.light == face.light) & (place < limits.side_edges)
        like &= (ratio > limits.side_size) & (ratio < 1.0 / limits.side_size)
        left |= like & (pips.clearness > limits.pip_clearness * np.median(pips.clearness[own]))
    return left


def _of_pip_size(pips: Pips, edge: float, limits: LeftoverParams) -> Bools:
    """Spots that a die of this edge may have as pips."""
    low, high = limits.thing_pip_edges
    size = (pips.radius > low * edge) & (pips.radius < high * edge)
    return np.asarray(size & (pips.clearness > limits.thing_pip_clearness))


@dataclass(frozen=True, slots=True)
class _Things:
    """
    Compact regions of about a die's size that stand out from the ground.

    Attributes:
        labels: Which region every pixel of the small copy belongs to, 0 for none.
        scale: Work pixels a pixel of the small copy.
        reach_px: How far around a pixel a region is looked for; a pip is a hole in one.
        whole_xy: Centres, by label, of those that lie wholly in the picture and differ from
            their surround on every side, in work pixels.
        bright_xy: Centres of the parts that are lighter or of another colour, likewise.
    """

    labels: NDArray[np.int32]
    scale: float
    reach_px: int
    whole_xy: dict[int, Floats]
    bright_xy: list[Floats]

    def apart_from(self, dice_xy: Floats, distance: float) -> list[Floats]:
        """Centres of whole regions that come nowhere near these dice."""
        apart = []
        for label, center in self.whole_xy.items():
            pixels = (np.argwhere(self.labels == label)[:, ::-1] + 0.5) * self.scale - 0.5
            away = np.linalg.norm(pixels[:, None] - dice_xy[None], axis=2)
            if away.min() > distance:
                apart.append(center)
        return apart

    def hold(self, points: Floats) -> Bools:
        """Which points lie on a region."""
        at = np.rint((points + 0.5) / self.scale - 0.5).astype(np.intp)
        height, width = self.labels.shape
        steps = (-self.reach_px, 0, self.reach_px)
        hit = np.zeros(len(points), bool)
        for dx, dy in ((dx, dy) for dx in steps for dy in steps):
            x, y = (at[:, 0] + dx).clip(0, width - 1), (at[:, 1] + dy).clip(0, height - 1)
            hit |= self.labels[y, x] > 0
        return hit


def _find_things(pyramid: Pyramid, edge: float, limits: LeftoverParams) -> _Things:
    """Find what stands out, in the copy in which a die is a few pixels wide."""
    depth = int(np.clip(np.log2(edge / limits.thing_px), 0, len(pyramid.levels) - 1))
    image = np.ascontiguousarray(pyramid.levels[depth][:, :, :3])
    edge_here = edge / 2**depth
    # The median over a few dice widths is the ground: dice cover less than half of it.
    ground = cv2.medianBlur(image, min(int(edge_here * limits.window_edges) | 1, 255))
    light = cv2.subtract(image, ground).max(axis=2)
    dark = cv2.subtract(ground, image).max(axis=2)
    tint = cv2.absdiff(_hues(image), _hues(np.asarray(ground, dtype=np.uint8))).max(axis=2)
    bright = (light > limits.bright_contrast) | (tint > limits.tint_contrast)
    labels, whole = _compact(bright | (dark > limits.thing_contrast), edge_here, limits)
    bright_labels, bright_whole = _compact(bright, edge_here, limits)

    def seen(labels: NDArray[np.int32], centres: dict[int, Floats]) -> dict[int, Floats]:
        return {
            label: (center + 0.5) * 2**depth - 0.5
            for label, center in centres.items()
            if _stands_apart(image, labels == label, limits)
        }

    reach_px = max(1, round(0.15 * edge_here))
    bright_xy = list(seen(bright_labels, bright_whole).values())
    return _Things(labels, 2.0**depth, reach_px, seen(labels, whole), bright_xy)


def _hues(image_bgr: Image) -> Image:
    """Shares of blue and red in the light, 0 to 255; a shadow does not change them."""
    pixels = image_bgr.astype(np.float32)
    # The floor keeps noise in the dark from having a hue.
    total = pixels.sum(axis=2, keepdims=True) + 150.0
    return np.asarray(pixels[:, :, ::2] / total * 255.0, dtype=np.uint8)


def _compact(
    mask: Bools, edge: float, limits: LeftoverParams
) -> tuple[NDArray[np.int32], dict[int, Floats]]:
    """
    Regions of a die's size and about its shape: labels, and centres of the whole ones.

    Whole ones lie wholly in the picture: what reaches into it from outside is mostly the
    rim of the tray, a sleeve, a lamp's shine.
    """
    _, labels, stats, centres = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=4, ltype=cv2.CV_32S
    )
    low, high = limits.thing_size
    area = stats[:, cv2.CC_STAT_AREA]
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    good = (area > low * edge**2) & (area < high * edge**2)
    good &= area > limits.thing_fill * width * height
    good[0] = False
    whole = good & (left > 0) & (top > 0)
    whole &= (left + width < mask.shape[1]) & (top + height < mask.shape[0])
    kept = {int(label): centres[label] for label in np.flatnonzero(whole)}
    return np.where(good[labels], labels, 0).astype(np.int32), kept


def _stands_apart(image_bgr: Image, thing: Bools, limits: LeftoverParams) -> bool:
    """Whether a thing differs from its surround on all sides, as a corner of a larger does not."""
    colour = image_bgr[thing].mean(axis=0)
    near = cv2.dilate(thing.astype(np.uint8), np.ones((3, 3), np.uint8))
    far = cv2.dilate(near, np.ones((3, 3), np.uint8))
    around = image_bgr[(far > near)].astype(np.float64)
    off = np.abs(around - colour).max(axis=1)
    like = off < max(limits.thing_contrast, float(np.percentile(off, 90)) / 2.0)
    return bool(like.mean() < limits.most_like_surround)


def _spot(pips: Pips, i: np.intp) -> Doubt:
    x, y = pips.xy[i].tolist()
    return Doubt(DoubtKind.UNSURE, _UNREAD, (x, y), 4.0 * float(pips.radius[i]))


def _pattern(candidate: Candidate) -> Doubt:
    x, y = candidate.face.center.tolist()
    return Doubt(DoubtKind.UNSURE, _UNREAD, (x, y), 2.5 * candidate.face.step)


def _thing(xy: Floats, edge: float) -> Doubt:
    center = float(xy[0]), float(xy[1])
    return Doubt(DoubtKind.FOREIGN_OBJECT, _NO_DIE, center, 0.8 * edge)


def undecided(pair: tuple[Candidate, Candidate]) -> Doubt:
    """Return the doubt about two faces of which either may be the top."""
    face = pair[0].face
    x, y = face.center.tolist()
    return Doubt(DoubtKind.UNSURE, _UNREAD, (x, y), 3.0 * face.step)


def cocked(top: Candidate) -> Doubt:
    """Return the doubt about a die that leans."""
    x, y = top.face.center.tolist()
    return Doubt(DoubtKind.COCKED, _LEANS, (x, y), 3.0 * top.face.step)


def each_once(doubts: list[Doubt]) -> list[Doubt]:
    """Return the doubts without those that tell the same of a place that was told before."""
    told: list[Doubt] = []
    for doubt in doubts:
        if not any(_says_the_same(doubt, other) for other in told):
            told.append(doubt)
    return told


def _says_the_same(one: Doubt, other: Doubt) -> bool:
    """Whether two doubts are of one kind, and either's middle lies where the other reaches."""
    if one.kind is not other.kind or one.center_px is None or other.center_px is None:
        return False
    reach = max(one.radius_px, other.radius_px)
    return bool(np.hypot(*np.subtract(one.center_px, other.center_px)) < reach)
