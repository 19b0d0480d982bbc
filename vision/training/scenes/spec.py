# SPDX-License-Identifier: MIT
"""What a scene must show; everything that is not specified is drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DOUBTS = ("cocked", "stacked", "cut off", "count")
"""What can be planted in a scene; the values of `RenderedScene.doubt`."""

MOST_DICE = 8


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """
    The specification of one scene.

    Attributes:
        doubt: What to plant, one of `DOUBTS`; `None` for a scene that can be read.
        expect: How many dice belong there, 0 to 8; random if `None`.
        clutter: Whether there may be objects that are no dice, and prints on the ground that
            look like pips. Without it the tray has only dice.
        tilt_deg: The camera's angle from straight above, 0 to 50; random if `None`.
        clear: Only dice that a careful person reads with certainty: large, in focus, with
            contrast, and with top faces completely visible.
        leaning: Share of the other dice that lean, too.
    """

    doubt: str | None = None
    expect: int | None = None
    clutter: bool = True
    tilt_deg: float | None = None
    clear: bool = False
    leaning: float = 0.0

    def __post_init__(self) -> None:
        """
        Check that it can be rendered.

        Raises:
            ValueError: An unknown doubt, a number of dice out of range or too small for the
                doubt, or a camera outside 0 to 50 degrees.
        """
        if self.doubt is not None and self.doubt not in DOUBTS:
            raise ValueError(f"doubt is one of {DOUBTS}, not {self.doubt!r}")
        if self.expect is not None and not min_expected(self.doubt) <= self.expect <= MOST_DICE:
            raise ValueError(f"{self.expect} dice cannot be drawn with doubt {self.doubt}")
        if self.tilt_deg is not None and not 0.0 <= self.tilt_deg <= 50.0:
            raise ValueError(f"tilt_deg is 0 to 50, not {self.tilt_deg}")


def min_expected(doubt: str | None) -> int:
    """Return the least number of dice for which this doubt is possible."""
    return {"stacked": 2, "cocked": 1, "cut off": 1, "count": 0}.get(doubt or "", 0)


def draw_spec(rng: np.random.Generator) -> SceneSpec:
    """Draw a random spec: one in four plants a doubt."""
    doubt = str(rng.choice(DOUBTS)) if rng.random() < 0.25 else None
    return SceneSpec(doubt=doubt)


def draw_expect(rng: np.random.Generator, spec: SceneSpec) -> int:
    """Draw how many dice belong there: mostly 1 to 6, and 0 in 15 % of scenes without a doubt."""
    if spec.expect is not None:
        return spec.expect
    if spec.doubt is None and rng.random() < 0.15:
        return 0
    odds = np.array([0.13, 0.19, 0.17, 0.15, 0.17, 0.11, 0.05, 0.03])
    return max(int(rng.choice(np.arange(1, 9), p=odds)), min_expected(spec.doubt))
