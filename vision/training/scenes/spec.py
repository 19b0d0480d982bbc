# SPDX-License-Identifier: MIT
"""What a scene must show; everything that is not specified is drawn at random."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

DOUBTS = ("cocked", "stacked", "cut off", "count")
"""What can be planted in a scene; the values of `RenderedScene.doubt`."""

MOST_DICE = 8

CROWD_SHARE, CROWD = 0.02, (20, 33)
"""Share of random scenes with a crowd of small dice, and how many these are."""

DOME_SHARE, MOST_UNDER_DOME = 0.08, 6
"""Share of random scenes with a clear plastic dome, and how many dice are under it at most."""


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """The specification of one scene."""

    doubt: str | None = None  # What to plant, one of `DOUBTS`; `None` for a scene that can be read.
    expect: int | None = None  # How many dice belong there, 0 to 8; random if `None`.
    # Whether there may be objects that are no dice, and prints on the ground that look like pips.
    # Without it the tray has only dice.
    clutter: bool = True
    tilt_deg: float | None = None  # The camera's, from straight above; random if `None`.
    # Only dice that a careful person reads with certainty: large, in focus, with contrast, and with
    # top faces completely visible.
    clear: bool = False
    leaning: float = 0.0  # Share of the other dice that lean, too.
    see_through: float = 0.1  # Share of sets of clear plastic, in which the lower pips are seen.
    dome: bool | None = None  # Under a clear dome; random if `None`, never if `clear`.

    def __post_init__(self) -> None:
        """
        Check that it can be rendered.

        Raises:
            ValueError: It is out of range, or contradicts itself.
        """
        if self.doubt is not None and self.doubt not in DOUBTS:
            raise ValueError(f"doubt is one of {DOUBTS}, not {self.doubt!r}")
        if self.expect is not None and not min_expected(self.doubt) <= self.expect <= MOST_DICE:
            raise ValueError(f"{self.expect} dice cannot be drawn with doubt {self.doubt}")
        if self.dome and self.doubt == "cut off":
            raise ValueError("a dome that is whole in the picture has no die that is cut off")
        if self.tilt_deg is not None and not 0.0 <= self.tilt_deg <= 50.0:
            raise ValueError(f"tilt_deg is 0 to 50, not {self.tilt_deg}")


def min_expected(doubt: str | None) -> int:
    """Return the least number of dice for which this doubt is possible."""
    return {"stacked": 2, "cocked": 1, "cut off": 1, "count": 0}.get(doubt or "", 0)


def draw_spec(rng: Generator) -> SceneSpec:
    """Draw a random spec: one in four plants a doubt, and under domes more dice lean."""
    doubt = str(rng.choice(DOUBTS)) if rng.random() < 0.25 else None
    if rng.random() >= DOME_SHARE:
        return SceneSpec(doubt=doubt, dome=False)
    leans = doubt == "cut off" or rng.random() < 0.25
    return SceneSpec(doubt="cocked" if leans else doubt, dome=True)


def decide_dome(rng: Generator, spec: SceneSpec) -> SceneSpec:
    """Return the spec with a dome or without one, if it leaves that open."""
    if spec.dome is not None:
        return spec
    may_have = not spec.clear and spec.doubt != "cut off" and (spec.expect or 0) <= MOST_UNDER_DOME
    return replace(spec, dome=may_have and bool(rng.random() < DOME_SHARE))


def draw_expect(rng: Generator, spec: SceneSpec) -> int:
    """Draw how many dice belong there: mostly 1 to 6, sometimes none, seldom a crowd."""
    if spec.expect is not None:
        return spec.expect
    if spec.doubt is None and rng.random() < (0.25 if spec.dome else 0.15):
        return 0
    if spec.dome:
        return int(rng.choice([2, 3, 4, 5, 6], p=[0.1, 0.1, 0.15, 0.5, 0.15]))
    if not spec.clear and rng.random() < CROWD_SHARE:
        return int(rng.integers(CROWD[0], CROWD[1] + 1))
    odds = np.array([0.13, 0.19, 0.17, 0.15, 0.17, 0.11, 0.05, 0.03])
    return max(int(rng.choice(np.arange(1, 9), p=odds)), min_expected(spec.doubt))
