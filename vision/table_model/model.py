# SPDX-License-Identifier: MIT
"""
What a table learnt of its ground and its dice from confirmed throws.

It belongs to one calibration. Each throw is also compared with what the others teach: a limit that
would question a confirmed throw is raised. Rolls of play come later, and their dice are not
confirmed one by one, so they raise no limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checks.plane import fit_focal
from vision.face import Face, Floats
from vision.params import PlaneParams
from vision.table_model.background import LEAST_RESTS, MOST_RESTS, Background, GroundLevels
from vision.table_model.confirmed import ConfirmedThrow
from vision.tray_map import TrayMap

LEAST_THROWS = LEAST_RESTS + 1
"""Confirmed throws that teach anything: each is compared with what the others teach."""

_ANY_FOCAL = PlaneParams(known_focals=tuple(np.linspace(-8.0, 8.0, 33).tolist()))
"""
Focal lengths that many confirmed dice may show, in errors off the calibrated one. A felt's corners
may put that farther off than they promise.
"""

_OFFSET = 10.0  # Added to levels before their logarithm is taken: ratios mean little in the dark.

# Natural logarithm of an edge's ratio to that of confirmed dice from which on it belongs to none of
# them. A fifth, because cuts are off by a tenth.
_OTHER_SIZE = 0.2
# Share of the confirmed dice whose edges count for that limit: one that was cut badly must not
# raise it.
_USUAL_DICE = 0.9
# How far the channels of a body may differ from those of a confirmed one beside a common factor, as
# a natural logarithm.
OTHER_HUE = 0.14
# How far that factor may be from 1, as a natural logarithm: a die in another's shadow, or nearer to
# a lamp.
OTHER_LIGHT = 0.45
NEW_AREA = 0.12  # Least area of a new object on the felt, in faces.
NEW_THICKNESS = 0.22  # Its least thickness, in edges; rims of shadows are thinner.
_BEYOND = 1.5  # Margin of a limit that a confirmed throw raises, as a factor.
# How far the odds that a die leans must be above those of all confirmed dice, which lay flat, as a
# natural logarithm, and the limits of what follows: a few dice show no more. Only these were chosen
# on pictures, rendered ones.
_BEYOND_ODDS = 2.0
_LEAST_ODDS = (1.0, 4.0)


@dataclass(frozen=True, slots=True, eq=False)
class TableModel:
    """What confirmed throws teach, and how far each part of it may be trusted."""

    background: Background | None  # The ground; `None` if it is not known.
    focal: float  # How many times as long the focal length is as the calibration says.
    size: float  # Median ratio of the dice's edges to the calibrated one.
    colors: Floats  # The bodies of the dice in the light of the background, logarithms, (n, 3).
    least_changed: float  # Smallest share of a confirmed die that differs from its ground.
    most_new: float  # Area that a new object on the felt must exceed, in faces.
    most_size: float  # How far a die's edge may differ, as a natural logarithm.
    most_hue: float  # How far a body's hue may differ; see `OTHER_HUE`.
    most_light: float  # How far its brightness may differ.
    # Odds from which on a die leans, as a natural logarithm; `None` if an older text has none.
    least_odds: float | None

    def edge_ratio(self, face: Face, tray: TrayMap) -> float:
        """Return the ratio of a face's edge to that of the table's dice in its position."""
        return face.edge_px / (tray.edge_px_at(face.center) * self.size)

    def has_other_size(self, face: Face, tray: TrayMap) -> bool:
        """Return whether a face is larger or smaller than all dice of the table."""
        return abs(float(np.log(self.edge_ratio(face, tray)))) > self.most_size

    def has_other_color(self, face: Face, gain: NDArray[np.floating]) -> bool:
        """
        Return whether a body is unlike those of all dice of the table.

        `gain` is how much brighter its picture is than the background, (3,).
        """
        hue, light = _color_distances(_log_colors([face], gain), self.colors)
        return not ((hue <= self.most_hue) & (light <= self.most_light)).any()


def learn_table(
    taught: Sequence[ConfirmedThrow], tray: TrayMap, *, played: Sequence[ConfirmedThrow] = ()
) -> TableModel | None:
    """
    Return what confirmed throws teach; `None` if those taught are fewer than `LEAST_THROWS`.

    Args:
        taught: Throws whose dice somebody confirmed one by one, at one calibration and with
            pictures of one size; only they raise limits.
        played: Rolls that stood in play, the oldest first; at most `MOST_RESTS` count. They
            renew the ground and what dice look like, and leave the limits as they are.
    """
    if len(taught) < LEAST_THROWS or not any(throw.faces for throw in taught):
        return None
    played = played[-MOST_RESTS:]
    throws = [*taught, *played]
    faces = [face for throw in throws for face in throw.faces]
    first = _learn_ground(taught, tray)
    ground = _learn_ground(throws[-MOST_RESTS:], tray) if played else first
    colors = _colors_of(taught, first.gains)
    most_hue, most_light = _color_limits(colors)
    return TableModel(
        background=ground.background,
        focal=fit_focal(faces, _ANY_FOCAL, tray).focal_px / tray.focal_px,
        size=float(np.exp(np.median(_log_sizes(throws, tray)))),
        colors=np.concatenate(
            [*colors, *_colors_of(played, ground.gains[len(ground.gains) - len(played) :])]
        ),
        least_changed=min(first.least_changed, ground.least_changed),
        most_new=max(NEW_AREA, _BEYOND * max(first.new_areas, default=0.0)),
        most_size=_size_limit(_log_sizes(taught, tray)),
        most_hue=most_hue,
        most_light=most_light,
        least_odds=float(np.clip(max(one.odds for one in taught) + _BEYOND_ODDS, *_LEAST_ODDS)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The ground of some throws, each compared with that of the others."""

    # It; `None` if it can't be compared with half of the throws, and under a dome, which takes its
    # ground along.
    background: Background | None
    gains: Floats  # How much brighter each throw is, by channel, (n, 3).
    least_changed: float  # Smallest share of a confirmed die that differs from it.
    new_areas: tuple[float, ...]  # What is new in a throw, in faces.


def _learn_ground(throws: Sequence[ConfirmedThrow], tray: TrayMap) -> _Ground:
    unknown = _Ground(None, np.ones((len(throws), 3)), 0.0, ())
    if tray.dome_mm > 0.0:
        return unknown
    levels = GroundLevels([one.image for one in throws], [one.dice for one in throws], tray)
    areas, shares, gains, compared, edge_px = [], [], [], 0, table_edge_px(tray)
    for k, throw in enumerate(throws):
        change = levels.take_ground(without=k).compare(throw.image, tray, throw.dice)
        gains.append(change.gain)
        if not change.is_sick:
            compared += 1
            shares += [change.share_of(face) for face in throw.faces]
            new = change.new_areas(NEW_THICKNESS * edge_px)
            areas += [area.area_px / edge_px**2 for area in new]
    if 2 * compared <= len(throws):
        return unknown
    least = min(shares, default=0.0)
    return _Ground(levels.take_ground(), np.array(gains, np.float64), least, tuple(areas))


def table_edge_px(tray: TrayMap) -> float:
    return tray.edge_px_at(np.array(tray.picture_wh) / 2.0)


def _log_sizes(throws: Sequence[ConfirmedThrow], tray: TrayMap) -> Floats:
    faces = [face for throw in throws for face in throw.faces]
    return np.log([face.edge_px / tray.edge_px_at(face.center) for face in faces])


def _size_limit(sizes: Floats) -> float:
    """Return how far an edge may differ; a single badly cut die does not raise it."""
    off = np.abs(sizes - np.median(sizes))
    return max(_OTHER_SIZE, _BEYOND * float(np.quantile(off, _USUAL_DICE)))


def _log_colors(faces: Sequence[Face], gain: NDArray[np.floating]) -> Floats:
    levels = np.array([face.bgr for face in faces]).reshape(-1, 3)
    return np.asarray(np.log(levels / gain + _OFFSET), np.float64)


def _colors_of(throws: Sequence[ConfirmedThrow], gains: Floats) -> list[Floats]:
    return [_log_colors(one.faces, gain) for one, gain in zip(throws, gains, strict=True)]


def _color_distances(colors: Floats, known: Floats) -> tuple[Floats, Floats]:
    """Return how far colors (n, 3) are from known ones (m, 3) in hue and light, (n, m) each."""
    off = colors[:, None] - known[None]
    light = off.mean(axis=2)
    return np.abs(off - light[..., None]).max(axis=2), np.abs(light)


def _color_limits(colors: Sequence[Floats]) -> tuple[float, float]:
    """Return how far bodies may differ in hue and light, so that no confirmed one is unlike."""
    most_hue, most_light = OTHER_HUE, OTHER_LIGHT
    for k, own in enumerate(colors):
        others = np.concatenate([*colors[:k], *colors[k + 1 :], np.zeros((0, 3))])
        if len(own) and len(others):
            hue, light = _color_distances(own, others)
            off = np.maximum(hue / OTHER_HUE, light / OTHER_LIGHT)
            nearest = np.arange(len(own)), off.argmin(axis=1)
            most_hue = max(most_hue, _BEYOND * float(hue[nearest].max()))
            most_light = max(most_light, _BEYOND * float(light[nearest].max()))
    return most_hue, most_light
