# SPDX-License-Identifier: MIT
"""
What a table learnt of its ground and its dice from confirmed throws.

It belongs to one calibration. Each throw is also compared with what the others teach: a limit that
would question a confirmed throw is raised. Rolls of play come later, and their dice are not
confirmed one by one, so they raise no limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.checks.plane import fit_focal, fit_lens
from vision.face import Face, Floats
from vision.table_model.background import (
    LEAST_RESTS,
    MOST_NEW,
    MOST_RESTS,
    Background,
    Change,
    GroundLevels,
    measure_shade,
)
from vision.table_model.confirmed import ConfirmedThrow
from vision.tile_verdicts import LOG_OFFSET
from vision.tray_map import TrayMap

VERSION = LIT_VERSION = 7
SHADE_VERSION, LENS_VERSION = 6, 5
"""
Versions of a model's text. From these on few rests show no ground that may be a shadow, shadows
have a hue, and pixels a shape.
"""

LEAST_THROWS = LEAST_RESTS + 1
"""Confirmed throws that teach anything: each is compared with what the others teach."""

_ANY_FOCAL = tuple(np.linspace(-8.0, 8.0, 33).tolist())
"""
Focal lengths that many confirmed dice may show, in errors off the calibrated one, for models that
take pixels for square.
"""

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
# How far the ratio of a body's level to that of its pips may differ, as a natural logarithm: some
# dice have fours in red, which may not be confirmed yet.
OTHER_CONTRAST = 1.0
_NO_CONTRAST = 9.0  # The difference to a die whose contrast is not known, which shows nothing.
NEW_AREA = 0.12  # Least area of a new object on the felt, in faces.
NEW_THICKNESS = 0.22  # Its least thickness, in edges; rims of shadows are thinner.
_BEYOND = 1.5  # Margin of a limit that a confirmed throw raises, as a factor.
# How far the odds that a die leans must be above those of all confirmed dice, which lay flat, as a
# natural logarithm, and the limits of what follows: a few dice show no more. Only these were chosen
# on pictures, rendered ones.
_BEYOND_ODDS = 2.0
_LEAST_ODDS = (1.0, 4.0)
# Share of the confirmed dice that must be read as they were confirmed. Where most are not, what is
# read is not believed either: of clear dice the faces below are read, and surely.
_LEAST_LEGIBLE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class TableModel:
    """What confirmed throws teach, and how far each part of it may be trusted."""

    background: Background | None  # The ground; `None` if it is not known.
    focal: float  # How many times as long the focal length is as the calibration says.
    aspect: float  # Width of a pixel by its height.
    size: float  # Median ratio of the dice's edges to the calibrated one.
    # The bodies of the dice in the light of the background, and their contrast to their pips,
    # logarithms, (n, 4).
    colors: Floats
    least_changed: float  # Smallest share of a confirmed die that differs from its ground.
    most_new: float  # Area that a new object on the felt must exceed, in faces.
    most_size: float  # How far a die's edge may differ, as a natural logarithm.
    most_hue: float  # How far a body's hue may differ; see `OTHER_HUE`.
    most_light: float  # How far its brightness may differ.
    most_contrast: float | None  # How far its contrast to its pips may differ; `None` as below.
    # Odds from which on a die leans, as a natural logarithm; `None` if an older text has none.
    least_odds: float | None
    # Share of the confirmed dice that were read as they were confirmed; `None` likewise.
    legible: float | None

    @property
    def is_legible(self) -> bool:
        """Whether the numbers of the table's dice can be believed without a person."""
        return self.legible is None or self.legible >= _LEAST_LEGIBLE

    def correct(self, tray: TrayMap) -> TrayMap:
        """Return the calibration with the lens that the table's dice showed."""
        return tray.with_lens(self.focal, self.aspect)

    def edge_ratio(self, face: Face, tray: TrayMap) -> float:
        """Return the ratio of a face's edge to that of the table's dice in its position."""
        return face.edge_px / (tray.edge_px_at(face.center) * self.size)

    def has_other_size(self, face: Face, tray: TrayMap) -> bool:
        """Return whether a face is larger or smaller than all dice of the table."""
        return abs(float(np.log(self.edge_ratio(face, tray)))) > self.most_size

    def has_other_color(self, face: Face, gain: NDArray[np.floating]) -> bool:
        """
        Return whether a body and its pips are unlike those of all dice of the table.

        `gain` is how much brighter its picture is than the background, (3,).
        """
        contrast = np.inf if self.most_contrast is None else self.most_contrast
        off = _color_distances(_log_colors([face], gain), self.colors)
        return not (off <= (self.most_hue, self.most_light, contrast)).all(axis=2).any()


def learn_table(
    taught: Sequence[ConfirmedThrow],
    tray: TrayMap,
    *,
    played: Sequence[ConfirmedThrow] = (),
    version: int = VERSION,
) -> TableModel | None:
    """
    Return what confirmed throws teach; `None` if those taught are fewer than `LEAST_THROWS`.

    Args:
        taught: Throws whose dice somebody confirmed one by one, at one calibration and with
            pictures of one size; only they raise limits.
        played: Rolls that stood in play, the oldest first; at most `MOST_RESTS` count. They
            renew the ground and what dice look like, and leave the limits as they are.
        version: Of the text of a model, to learn as for it: before 5 with square pixels, and with
            ground that three rests show, not two; before 6 with shadows as grey as their ground;
            before 7 with ground that may be a shadow.
    """
    if len(taught) < LEAST_THROWS or not any(throw.faces for throw in taught):
        return None
    played = played[-MOST_RESTS:]
    throws = [*taught, *played]
    faces = [face for throw in throws for face in throw.faces]
    first = ground = _learn_ground(taught, tray, version)
    if played:
        shade = first.background.shade if first.background else np.zeros(3)
        ground = _learn_ground(throws[-MOST_RESTS:], tray, version, shade=shade)
    colors = _colors_of(taught, first.gains)
    most_hue, most_light, most_contrast = _color_limits(colors)
    if version < LENS_VERSION:
        lens = fit_focal(faces, tray, known_focals=_ANY_FOCAL)
    else:
        lens = fit_lens(faces, tray)
    return TableModel(
        background=ground.background,
        focal=lens.focal_px / tray.focal_px,
        aspect=lens.pixel_aspect,
        size=float(np.exp(np.median(_log_sizes(throws, tray)))),
        colors=np.concatenate(
            [*colors, *_colors_of(played, ground.gains[len(ground.gains) - len(played) :])]
        ),
        least_changed=min(first.least_changed, ground.least_changed),
        most_new=max(NEW_AREA, _BEYOND * max(first.new_areas, default=0.0)),
        most_size=_size_limit(_log_sizes(taught, tray)),
        most_hue=most_hue,
        most_light=most_light,
        most_contrast=most_contrast,
        least_odds=float(np.clip(max(one.odds for one in taught) + _BEYOND_ODDS, *_LEAST_ODDS)),
        legible=1.0 - sum(one.unread for one in taught) / sum(len(one.faces) for one in taught),
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


def _learn_ground(
    throws: Sequence[ConfirmedThrow], tray: TrayMap, version: int, *, shade: Floats | None = None
) -> _Ground:
    """Return the ground of throws; the hue of its shadows is that of these, if none is given."""
    unknown = _Ground(None, np.ones((len(throws), 3)), 0.0, ())
    if tray.dome_mm > 0.0:
        return unknown
    images, dice = [one.image for one in throws], [one.dice for one in throws]
    levels = GroundLevels(
        images,
        dice,
        tray,
        two_suffice=version >= LENS_VERSION,
        few_may_be_shadow=version >= LIT_VERSION,
    )

    grounds = [levels.take_ground(without=k) for k in range(len(throws))]

    def compare(shade: Floats) -> Iterator[Change]:
        # One after another, because each takes megabytes.
        for ground, one in zip(grounds, throws, strict=True):
            yield replace(ground, shade=shade).compare(one.image, tray, one.dice)

    if shade is None:
        shade = measure_shade(compare(np.zeros(3))) if version >= SHADE_VERSION else np.zeros(3)
    areas, shares, gains, compared, edge_px = [], [], [], 0, table_edge_px(tray)
    for throw, change in zip(throws, compare(shade), strict=True):
        gains.append(change.gain)
        # A large object beside the dice teaches nothing, so that it raises no limit.
        if change.new_share <= MOST_NEW:
            compared += 1
            shares += [change.share_of(face) for face in throw.faces]
            new = change.new_areas(NEW_THICKNESS * edge_px)
            areas += [area.area_px / edge_px**2 for area in new]
    if 2 * compared <= len(throws):
        return unknown
    least = min(shares, default=0.0)
    ground = replace(levels.take_ground(), shade=shade)
    return _Ground(ground, np.array(gains, np.float64), least, tuple(areas))


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
    contrasts = np.array([face.contrast for face in faces])
    return np.column_stack([np.log(levels / gain + LOG_OFFSET), contrasts])


def _colors_of(throws: Sequence[ConfirmedThrow], gains: Floats) -> list[Floats]:
    return [_log_colors(one.faces, gain) for one, gain in zip(throws, gains, strict=True)]


def _color_distances(colors: Floats, known: Floats) -> Floats:
    """Return how far colors (n, 4) are from known ones (m, 4), (n, m, 3): hue, light, contrast."""
    off = colors[:, None] - known[None]
    light = off[..., :3].mean(axis=2)
    hue = np.abs(off[..., :3] - light[..., None]).max(axis=2)
    contrast = np.where(known[:, 3] == 0.0, _NO_CONTRAST, np.abs(off[..., 3]))
    contrast[colors[:, 3] == 0.0] = 0.0  # Where it is unknown, it tells nothing.
    return np.stack([hue, np.abs(light), contrast], axis=2)


def _color_limits(colors: Sequence[Floats]) -> tuple[float, ...]:
    """Return how far colors may differ, so that no confirmed die is unlike the others."""
    limits = np.array([OTHER_HUE, OTHER_LIGHT, OTHER_CONTRAST])
    most = limits.copy()
    for k, own in enumerate(colors):
        others = np.concatenate([*colors[:k], *colors[k + 1 :], np.zeros((0, 4))])
        if len(own) and len(others):
            off = _color_distances(own, others)
            nearest = (off / limits).max(axis=2).argmin(axis=1)
            most = np.maximum(most, _BEYOND * off[np.arange(len(own)), nearest].max(axis=0))
    return tuple(most.tolist())
