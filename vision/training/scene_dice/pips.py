# SPDX-License-Identifier: MIT
"""
The positions of pips on a die's six faces.

Opposite faces add up to seven. The handedness of a die and the directions of its two, three and
six differ between makers, so they are random. So do the layouts: many makers set the two pips of
a two parallel to an edge, some also the three of a three.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float32]
FAR = 9.0  # Position of the pips that a face does not have.

STRAIGHT_TWOS, STRAIGHT_THREES = 0.4, 0.06
"""Shares of the sets of dice whose twos or threes are parallel to an edge."""

MOST_REACH = 0.45  # Farthest rim of a pip from the middle of its face along an axis, in edges.

PIP_STEPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
STRAIGHT_STEPS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((-1, 0), (1, 0)),
    3: ((-1, 0), (0, 0), (1, 0)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """The pips of one body."""

    numbers: tuple[int, ...]  # Number of each face: +x, -x, +y, -y, +z, -z; 0 for a blank one.
    places: Array  # Middles of pips on each face in edges, (6, k, 2); `FAR` for none.
    radii: Array  # Their radii, (6, k).


@dataclass(frozen=True, slots=True)
class PipStyle:
    """How a maker lays out a face."""

    step: float  # From the middle to the next pip, in edges.
    two_step: float  # The same on a two.
    six_step: float  # The same along the rows of a six.
    six_gap: float  # From the middle of a six to each of its rows, which are often close.
    radius: float  # Radius of a pip, in edges.
    one_scale: float  # How much larger the one's pip is.
    straight: frozenset[int] = frozenset()  # Numbers with pips parallel to an edge.

    def spots(self, number: int) -> Array:
        """Return the middles of a number's pips, in edges, (number, 2)."""
        steps = STRAIGHT_STEPS if number in self.straight else PIP_STEPS
        scale = {2: (self.two_step, self.two_step), 6: (self.six_gap, self.six_step)}
        along = np.array(scale.get(number, (self.step, self.step)), np.float32)
        return np.asarray(np.array(steps[number], np.float32) * along)


def draw_plain_style(rng: Generator, *, clear: bool) -> PipStyle:
    """Draw a style with usual steps, and with twos and threes on a diagonal."""
    step = float(rng.uniform(0.2, 0.29))
    radius = float(rng.uniform(0.07 if clear else 0.055, min(0.125, 0.42 * step)))
    if not clear and rng.random() < 0.08:
        radius = float(rng.uniform(0.042, 0.055))
    six_step = step * float(rng.uniform(0.86, 1.12))
    is_narrow = rng.random() < 0.12
    six_gap = step * float(rng.uniform(0.42, 0.55) if is_narrow else rng.uniform(0.55, 1.05))
    scale = float(rng.uniform(1.2, 2.0)) if rng.random() < 0.2 else 1.0
    if rng.random() < 0.06:
        scale = float(rng.uniform(2.0, 3.0))
    six_step = min(max(six_step, 2.2 * radius), 0.3)
    six_gap, scale = max(six_gap, 1.2 * radius), min(scale, 0.32 / radius)
    return PipStyle(step, step, six_step, six_gap, radius, scale)


def draw_asian_style(rng: Generator) -> PipStyle:
    """Draw a style with a large one and small pips, and mostly a straight two."""
    step, radius = float(rng.uniform(0.18, 0.27)), float(rng.uniform(0.055, 0.095))
    return PipStyle(
        step=step,
        two_step=step * float(rng.uniform(0.7, 1.0)),
        six_step=max(step * float(rng.uniform(0.86, 1.12)), 2.1 * radius),
        six_gap=max(step * float(rng.uniform(0.5, 1.0)), 1.15 * radius),
        radius=radius,
        one_scale=float(rng.uniform(0.11, 0.21)) / radius,
        straight=frozenset({2}) if rng.random() < 0.75 else frozenset(),
    )


def draw_style(rng: Generator, *, clear: bool) -> PipStyle:
    """Draw a style; pips never touch, so that they can be counted."""
    style = draw_plain_style(rng, clear=clear)
    wanted = style.step
    if rng.random() < 0.3:
        wanted = float(rng.choice([rng.uniform(0.165, 0.2), rng.uniform(0.29, 0.325)]))
    radius = style.radius
    if rng.random() < 0.08:
        radius = float(rng.uniform(0.115, 0.145))
    radius = min(radius, 0.44 * wanted, MOST_REACH - wanted)
    grown = wanted / style.step
    six_step, six_gap = style.six_step * grown, style.six_gap * grown
    if rng.random() < 0.12:
        # The three pips of a row, or the two rows, nearly touch.
        close = float(rng.uniform(1.06, 1.2)) * radius
        six_step, six_gap = (2 * close, six_gap) if rng.random() < 0.4 else (six_step, close)
    odds = {2: STRAIGHT_TWOS, 3: STRAIGHT_THREES}
    straight = frozenset(number for number, share in odds.items() if rng.random() < share)
    two_step = wanted
    if rng.random() < (0.6 if 2 in straight else 0.15):
        two_step = max(wanted * float(rng.uniform(0.7, 1.05)), 1.3 * radius)
    return PipStyle(
        step=wanted,
        two_step=min(two_step, MOST_REACH - radius),
        six_step=min(max(six_step, 2.1 * radius), MOST_REACH - radius),
        six_gap=min(max(six_gap, 1.06 * radius), MOST_REACH - radius),
        radius=radius,
        one_scale=min(style.one_scale, 0.32 / radius),
        straight=straight,
    )


def draw_pips(rng: Generator, style: PipStyle) -> Pips:
    """Draw one die of this style: the handedness of its numbers, and each face's turn."""
    numbers = np.zeros(6, dtype=int)
    for axis, low in enumerate(rng.permutation([1, 2, 3])):
        side = int(rng.integers(2))
        numbers[2 * axis + side], numbers[2 * axis + 1 - side] = low, 7 - low
    places = np.full((6, 6, 2), FAR, dtype=np.float32)
    radii = np.full((6, 6), style.radius, dtype=np.float32)
    for face, number in enumerate(numbers):
        spots = style.spots(int(number))
        if rng.random() < 0.5:
            spots = spots[:, ::-1] * np.array([1, -1], dtype=np.float32)
        places[face, : len(spots)] = spots
        if number == 1:
            radii[face] *= style.one_scale
    return Pips(tuple(int(n) for n in numbers), places, radii)


def no_pips() -> Pips:
    """Return the value for a body without pips."""
    return Pips((0,) * 6, np.full((6, 1, 2), FAR, np.float32), np.full((6, 1), 0.05, np.float32))


def draw_domino_pips(rng: Generator, style: PipStyle, half: Array) -> Pips:
    """Draw the pips of a domino: two numbers on the face +z, its long axis is y."""
    places = np.full((6, 12, 2), FAR, dtype=np.float32)
    radii = np.full((6, 12), style.radius * float(half[0]) * 2, dtype=np.float32)
    spots = [
        np.array(PIP_STEPS[int(number)]) * style.step * half[0] * 2 + [0, side * half[0]]
        for side, number in zip((-1, 1), rng.integers(1, 7, 2), strict=True)
    ]
    both = np.concatenate(spots).astype(np.float32)
    places[4, : len(both)] = both
    return Pips((0,) * 6, places, radii)


def find_nearest_pip(
    pips: Pips, face: NDArray[np.intp], on_face: Array
) -> tuple[Array, Array, Array]:
    """
    Return the vector (2, n) from the middle of the nearest pip to points (2, n) on faces (n,), its
    length (n,), and the pip's radius (n,).
    """
    offset = on_face.T[:, None, :] - pips.places[face]
    squared = np.einsum("nkc,nkc->nk", offset, offset)
    which = squared.argmin(1)
    rows = np.arange(len(which))
    return offset[rows, which].T, np.sqrt(squared[rows, which]), pips.radii[face, which]
