# SPDX-License-Identifier: MIT
"""
Combinations of body and pips: gold on dark red, glass, casino dice, drilled and unpainted.

Independent random colours seldom give these, and they are hard to read, so they have their own
odds. Colours are albedo in linear light, blue-green-red.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Colour = tuple[float, float, float]

GILT: tuple[Colour, ...] = ((0.14, 0.42, 0.62), (0.06, 0.5, 0.7), (0.2, 0.55, 0.7))
DARK_REDS: dict[str, Colour] = {
    "maroon": (0.02, 0.012, 0.2),
    "wine": (0.06, 0.02, 0.16),
    "red": (0.03, 0.02, 0.38),
    "orange": (0.02, 0.14, 0.62),
    "black": (0.018, 0.018, 0.02),
    "pine": (0.04, 0.11, 0.02),
}
GLASS: dict[str, Colour] = {
    "clear": (0.6, 0.62, 0.6),
    "azure": (0.7, 0.5, 0.25),
    "pink": (0.5, 0.36, 0.8),
    "green": (0.2, 0.5, 0.15),
    "yellow": (0.15, 0.6, 0.75),
}
CASINO: dict[str, Colour] = {
    "red": (0.03, 0.02, 0.5),
    "green": (0.06, 0.3, 0.04),
    "blue": (0.5, 0.13, 0.035),
    "violet": (0.36, 0.07, 0.2),
    "orange": (0.03, 0.24, 0.74),
}
UNPAINTED: dict[str, Colour] = {
    "white": (0.78, 0.81, 0.82),
    "ivory": (0.5, 0.68, 0.76),
    "wood": (0.2, 0.41, 0.61),
    "yellow": (0.05, 0.58, 0.76),
    "grey": (0.4, 0.4, 0.39),
}
PIPS_ON_GLASS: tuple[Colour, ...] = ((0.02, 0.02, 0.02), (0.8, 0.82, 0.82), (0.04, 0.03, 0.48))


@dataclass(frozen=True, slots=True)
class Kit:
    """One combination of body and pips."""

    colour: str  # The body's colour in one word.
    body: Colour  # Its albedo.
    pip: Colour  # The pips' albedo.
    bowl: float | None = None  # As in `Material`; random if `None`.
    clearness: float = 0.0  # As in `Material`.
    through: float = 0.0  # As in `Finish`.


def draw_kit(rng: np.random.Generator, *, clear: bool) -> Kit | None:
    """Draw a kit; most dice have none. With `clear`, nothing unpainted or hard to see."""
    draw = rng.random()
    if draw < 0.05:
        return _draw_gilded(rng)
    if draw < 0.08:
        return _draw_glass(rng, clear=clear)
    if draw < 0.105:
        colour, body = _choose_colour(rng, CASINO)
        clearness = float(rng.uniform(0.2, 0.35 if clear else 0.7))
        return Kit(colour, body, (0.8, 0.82, 0.82), 0.0, clearness, 0.3 * clearness)
    if draw < 0.125 and not clear:
        colour, body = _choose_colour(rng, UNPAINTED)
        shade = float(rng.uniform(0.42, 0.62))
        bowl = float(rng.uniform(0.9, 1.6))
        return Kit(colour, body, (body[0] * shade, body[1] * shade, body[2] * shade), bowl)
    return None


def _draw_gilded(rng: np.random.Generator) -> Kit:
    colour, body = _choose_colour(rng, DARK_REDS)
    clearness = float(rng.uniform(0.2, 0.7)) if rng.random() < 0.6 else 0.0
    return Kit(colour, body, GILT[int(rng.integers(len(GILT)))], None, clearness)


def draw_dark_glass(rng: np.random.Generator) -> Kit:
    """Draw dark red or black glass with light pips, as of many small dice."""
    colour = str(rng.choice(["maroon", "wine", "red", "black"], p=[0.35, 0.3, 0.25, 0.1]))
    pip = (0.8, 0.82, 0.82) if rng.random() < 0.7 else GILT[int(rng.integers(len(GILT)))]
    clearness = float(rng.uniform(0.3, 0.9))
    return Kit(colour, DARK_REDS[colour], pip, None, clearness, clearness * rng.uniform(0.1, 0.5))


def _draw_glass(rng: np.random.Generator, *, clear: bool) -> Kit:
    colour, body = _choose_colour(rng, GLASS)
    pip = PIPS_ON_GLASS[int(rng.choice(3, p=[0.5, 0.35, 0.15]))]
    through = float(rng.uniform(0.1, 0.2 if clear else 0.5))
    return Kit(colour, body, pip, None, float(rng.uniform(0.3, 0.4 if clear else 0.8)), through)


def _choose_colour(rng: np.random.Generator, colours: dict[str, Colour]) -> tuple[str, Colour]:
    colour = list(colours)[int(rng.integers(len(colours)))]
    return colour, colours[colour]
