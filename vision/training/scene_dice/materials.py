# SPDX-License-Identifier: MIT
"""
The materials of dice: body, pattern, gloss, pips, and finish.

A pip of a real die is seldom an even disc: paint collects in its middle or at its rim, and a shiny
bowl has a glint. Under a broad light a glossy face has haze, which fades its pips.

Colours are albedo in linear light, blue-green-red, as columns (3, 1) or (3, n).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float32]
Colour = tuple[float, float, float]
NOISE_PX = 128
HAZE_ALBEDO = np.float32(0.7)

BODIES: dict[str, Colour] = {
    "white": (0.78, 0.81, 0.82),
    "ivory": (0.5, 0.68, 0.76),
    "black": (0.018, 0.018, 0.018),
    "grey": (0.27, 0.27, 0.26),
    "red": (0.035, 0.03, 0.5),
    "maroon": (0.02, 0.012, 0.2),
    "wine": (0.06, 0.02, 0.16),
    "blue": (0.5, 0.13, 0.035),
    "navy": (0.14, 0.035, 0.015),
    "azure": (0.72, 0.5, 0.25),
    "green": (0.09, 0.34, 0.05),
    "pine": (0.04, 0.11, 0.02),
    "yellow": (0.05, 0.58, 0.76),
    "orange": (0.03, 0.24, 0.74),
    "pink": (0.5, 0.36, 0.8),
    "violet": (0.36, 0.07, 0.2),
    "wood": (0.2, 0.41, 0.61),
    "brown": (0.05, 0.1, 0.2),
}
BODY_ODDS = (20, 9, 12, 4, 8, 3, 2, 6, 2, 3, 5, 2, 4, 3, 2, 3, 4, 2)
PIPS: dict[str, Colour] = {
    "black": (0.02, 0.02, 0.02),
    "white": (0.8, 0.82, 0.82),
    "gold": (0.14, 0.42, 0.62),
    "silver": (0.5, 0.5, 0.5),
    "red": (0.04, 0.03, 0.48),
    "blue": (0.45, 0.1, 0.03),
    "green": (0.08, 0.3, 0.05),
    "brown": (0.03, 0.06, 0.13),
}
PIP_ODDS = (38, 38, 6, 4, 5, 4, 2, 3)

# Bodies and pips that independent colours seldom give: gold on dark red, glass, casino dice, and
# drilled ones without paint. They are hard to read, so they have their own odds.
GILT: tuple[Colour, ...] = ((0.14, 0.42, 0.62), (0.06, 0.5, 0.7), (0.2, 0.55, 0.7))
DARK_REDS: dict[str, Colour] = {
    **{name: BODIES[name] for name in ("maroon", "wine")},
    "red": (0.03, 0.02, 0.38),
    "orange": (0.02, 0.14, 0.62),
    "black": (0.018, 0.018, 0.02),
    "pine": BODIES["pine"],
}
GLASS: dict[str, Colour] = {
    "clear": (0.6, 0.62, 0.6),
    "azure": (0.7, 0.5, 0.25),
    "pink": BODIES["pink"],
    "green": (0.2, 0.5, 0.15),
    "yellow": (0.15, 0.6, 0.75),
}
CASINO: dict[str, Colour] = {
    "red": (0.03, 0.02, 0.5),
    "green": (0.06, 0.3, 0.04),
    **{name: BODIES[name] for name in ("blue", "violet", "orange")},
}
UNPAINTED: dict[str, Colour] = {
    **{name: BODIES[name] for name in ("white", "ivory", "wood", "yellow")},
    "grey": (0.4, 0.4, 0.39),
}

RED_NUMBERS = ({1, 4}, {1, 3, 5}, {2, 4, 6}, {1, 6}, {1, 2, 3})
"""The numbers in red on dice with pips of two colours."""

LEAST_MARK = 0.14  # Difference in lightness between a body and the pips of a marked face.


class Pattern(Enum):
    """How a body's colour varies over it."""

    EVEN = "even"
    GRAIN = "grain"
    MARBLE = "marble"
    SPECKLE = "speckle"
    SWIRL = "swirl"


@dataclass(frozen=True, slots=True)
class Finish:
    """How a die's surface differs from even paint."""

    rim: float = 0.0  # > 0 for pips with a dark rim and a light middle, < 0 for the opposite.
    glint: float = 0.0  # Albedo added by the glint in each pip.
    glint_at: tuple[float, float] = (0.0, 0.0)  # Position of the glint in a pip, in radii, (x, y).
    haze: float = 0.0  # Share of the surface's light that is haze, 0 to 1.
    haze_slope: tuple[float, float] = (0.0, 0.0)  # Growth of the haze per edge, (x, y).
    through: float = 0.0  # Share of the body's light that comes from behind it, 0 to 1.


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """The material of one die."""

    colour: str  # The body's colour in one word.
    is_light: bool  # Whether the body is lighter than its pips.
    body: Array  # Its albedo, (3, 1).
    second: Array  # The pattern's other albedo, (3, 1).
    pattern: Pattern  # How the two mix.
    noise: Array  # Random field of the pattern, (n, n), about -1 to 1.
    pip: Array  # Albedo of the pips of each face, (6, 3).
    bowl: float  # Slope of a pip's wall at its rim: > 0 drilled, 0 painted, < 0 raised.
    pip_blur: float  # Width of a pip's edge in edges.
    square: float  # 0 for round pips, towards 1 for squarish ones.
    wear: float  # Share of the paint that has come off, 0 to 1.
    gloss: float  # Share of specular light, 0 matt to 1.
    roughness: float  # How far a highlight spreads, in radians.
    bulge: float  # How far a face's normals lean outward at its rim, in radians.
    clearness: float  # 0 for an opaque body, towards 1 for a translucent one.
    finish: Finish


@dataclass(frozen=True, slots=True)
class Kit:
    """One combination of body and pips."""

    colour: str  # The body's colour in one word.
    body: Colour  # Its albedo.
    pip: Colour  # The pips' albedo.
    bowl: float | None = None  # As in `Material`; random if `None`.
    clearness: float = 0.0  # As in `Material`.
    through: float = 0.0  # As in `Finish`.


def lightness(albedo: NDArray[np.float32]) -> float:
    """Return the perceived lightness of an albedo (3,) or (3, 1), 0 to 1."""
    grey = float(np.dot(np.asarray(albedo).reshape(3), (0.114, 0.587, 0.299)))
    return float(grey ** (1 / 2.2))


def draw_material(rng: Generator, *, clear: bool, see_through: float = 0.1) -> Material:
    """
    Draw a material; its pips always contrast with its body, sometimes only a little.

    `see_through` is the share of clear ones among those that are no usual set's.
    """
    least = 0.42 if clear else float(rng.choice([0.18, 0.3, 0.4]))
    kit = _draw_kit(rng, clear=clear)
    if kit is not None:
        body, pip = _vary(rng, kit.body, 0.3), _vary(rng, kit.pip, 0.3)
        if abs(lightness(pip) - lightness(body)) >= min(least, 0.14):
            return _draw_from_kit(rng, kit, body, pip, clear=clear)
    colour = str(rng.choice(list(BODIES), p=np.array(BODY_ODDS) / sum(BODY_ODDS)))
    body = _vary(rng, BODIES[colour])
    pip = _draw_pip(rng, body, least)
    is_clear = rng.random() < see_through and colour != "wood"
    clearness = float(rng.uniform(0.2, 0.35 if clear else 0.7)) if is_clear else 0.0
    named = Kit(colour, BODIES[colour], BODIES[colour], clearness=clearness)
    return _draw_from_kit(rng, named, body, pip, clear=clear)


def _draw_from_kit(rng: Generator, kit: Kit, body: Array, pip: Array, *, clear: bool) -> Material:
    bowls = [0.0, rng.uniform(0.3, 1.3), -rng.uniform(0.2, 0.6)]
    bowl = float(rng.choice(bowls, p=[0.3, 0.64, 0.06])) if kit.bowl is None else kit.bowl
    pattern, second = _draw_pattern(rng, kit.colour, body, pip)
    return Material(
        colour=kit.colour,
        is_light=lightness(body) > lightness(pip),
        body=body,
        second=second,
        pattern=pattern,
        noise=_draw_noise(rng),
        pip=np.tile(pip.reshape(1, 3), (6, 1)).astype(np.float32),
        bowl=bowl,
        pip_blur=float(rng.choice([0.0, rng.uniform(0, 0.04)])),
        square=float(rng.uniform(0.3, 0.8)) if rng.random() < 0.04 else 0.0,
        wear=float(rng.uniform(0, 0.5)) if rng.random() < (0.0 if clear else 0.1) else 0.0,
        gloss=float(rng.choice([rng.uniform(0, 0.25), rng.uniform(0.3, 1.0)])),
        roughness=float(np.exp(rng.uniform(np.log(0.03), np.log(0.35)))),
        bulge=float(rng.choice([0.0, rng.uniform(0.0, 0.12)])),
        clearness=kit.clearness,
        finish=replace(draw_finish(rng, clear=clear), through=kit.through),
    )


class Marks(Enum):
    """Which faces have pips of other colours."""

    NONE = "none"
    SOME = "a one or a four"
    ASIAN = "a red one and a red four"
    MIXED = "two colours, mixed over the faces"


def draw_light_material(rng: Generator, *, clear: bool) -> Material:
    """Draw the material of a white or ivory die with dark and mostly deep pips."""
    colour = str(rng.choice(["white", "ivory"], p=[0.75, 0.25]))
    ink = PIPS[str(rng.choice(["black", "blue", "green"], p=[0.72, 0.22, 0.06]))]
    bowl = float(rng.uniform(0.6, 1.5)) if rng.random() < 0.7 else None
    kit = Kit(colour, BODIES[colour], ink, bowl)
    return _draw_from_kit(rng, kit, _vary(rng, kit.body, 0.5), _vary(rng, ink), clear=clear)


def draw_dark_material(rng: Generator, *, clear: bool) -> Material:
    """Draw the material of a die of dark red or black glass with light pips, as many small ones."""
    colour = str(rng.choice(["maroon", "wine", "red", "black"], p=[0.35, 0.3, 0.25, 0.1]))
    pip = PIPS["white"] if rng.random() < 0.7 else GILT[int(rng.integers(len(GILT)))]
    clearness = float(rng.uniform(0.3, 0.9))
    through = clearness * rng.uniform(0.1, 0.5)
    kit = Kit(colour, DARK_REDS[colour], pip, None, clearness, through)
    return _draw_from_kit(rng, kit, _vary(rng, kit.body, 0.3), _vary(rng, pip, 0.3), clear=clear)


def draw_marked_faces(
    rng: Generator, material: Material, marks: Marks, numbers: tuple[int, ...]
) -> Array:
    """Draw pip albedo by face (6, 3); a mark without contrast to the body is left out."""
    colours = _draw_marks(rng, marks)
    pip = material.pip.copy()
    for face, number in enumerate(numbers):
        marked = np.array(colours.get(number, pip[face]), np.float32)
        gap = lightness(material.body) - lightness(marked)
        if abs(gap) >= LEAST_MARK and (gap > 0) == material.is_light:
            pip[face] = marked
    return pip


def _draw_marks(rng: Generator, marks: Marks) -> dict[int, Colour]:
    if marks is Marks.NONE:
        return {}
    if marks is Marks.MIXED:
        reds = RED_NUMBERS[int(rng.choice(len(RED_NUMBERS), p=[0.4, 0.2, 0.2, 0.1, 0.1]))]
        other = PIPS[str(rng.choice(["blue", "black", "green"], p=[0.65, 0.2, 0.15]))]
        return {number: PIPS["red"] if number in reds else other for number in range(1, 7)}
    marked = [number for number in (1, 4) if marks is Marks.ASIAN or rng.random() < 0.5]
    odds = [1.0, 0.0, 0.0] if marks is Marks.ASIAN else [0.8, 0.1, 0.1]
    return dict.fromkeys(marked, PIPS[str(rng.choice(["red", "blue", "green"], p=odds))])


def sample_body_albedo(material: Material, face: NDArray[np.intp], on_face: Array) -> Array:
    """Return the body's albedo (3, n) at points (2, n) on its faces (n,)."""
    if material.pattern is Pattern.EVEN:
        return material.body * (
            1 + np.float32(0.035) * _sample_noise(material.noise, face, on_face, 60.0)
        )
    share = _pattern_share(material, face, on_face)
    return np.asarray(material.body + (material.second - material.body) * share)


def sample_wear(material: Material, face: NDArray[np.intp], on_face: Array) -> Array:
    """Return the share of paint that is left at points on faces, 0 to 1, (n,)."""
    field = _sample_noise(material.noise, face, on_face, 70.0)
    return np.asarray(1 - material.wear * np.clip(field * 2 + 0.5, 0, 1), dtype=np.float32)


def _pattern_share(material: Material, face: NDArray[np.intp], on_face: Array) -> Array:
    if material.pattern is Pattern.GRAIN:
        stretched = on_face * np.array([[0.12], [1.0]], dtype=np.float32)
        share = _sample_noise(material.noise, face, stretched, 90.0) * 0.7 + 0.4
    elif material.pattern is Pattern.SPECKLE:
        share = _sample_noise(material.noise, face, on_face, 120.0) * 4 - 2.2
    elif material.pattern is Pattern.MARBLE:
        share = 1.2 - np.abs(_sample_noise(material.noise, face, on_face, 30.0)) * 5
    else:
        waves = _sample_noise(material.noise, face, on_face, 30.0) * 5 + on_face[0] * 6
        share = 0.5 + 0.5 * np.sin(waves)
    return np.asarray(np.clip(share, 0, 1), dtype=np.float32)


def _sample_noise(noise: Array, face: NDArray[np.intp], on_face: Array, scale_px: float) -> Array:
    at = np.mod(on_face * np.float32(scale_px) + (face * 37.3).astype(np.float32), NOISE_PX - 1)
    # The remainder of a tiny negative number rounds up to the divisor itself.
    low = np.minimum(at.astype(np.intp), NOISE_PX - 2)
    x, y = (at - low).astype(np.float32)
    left, top = low
    upper = noise[top, left] * (1 - x) + noise[top, left + 1] * x
    lower = noise[top + 1, left] * (1 - x) + noise[top + 1, left + 1] * x
    return np.asarray(upper * (1 - y) + lower * y, dtype=np.float32)


def _draw_noise(rng: Generator) -> Array:
    total = np.zeros((NOISE_PX, NOISE_PX), dtype=np.float32)
    for cells, weight in ((6, 0.6), (16, 0.4), (48, 0.3)):
        coarse = rng.normal(0, weight, (cells, cells)).astype(np.float32)
        total += cv2.resize(coarse, (NOISE_PX, NOISE_PX), interpolation=cv2.INTER_CUBIC)
    return total


def _vary(rng: Generator, colour: Colour, amount: float = 1.0) -> Array:
    by_channel = np.exp(rng.normal(0, 0.12 * amount, 3)) * np.exp(rng.normal(0, 0.2 * amount))
    albedo = np.clip(np.array(colour) * by_channel, 0.008, 0.88)
    return np.asarray(albedo.reshape(3, 1), dtype=np.float32)


def _draw_pip(rng: Generator, body: Array, least: float) -> Array:
    odds = np.array(PIP_ODDS) / sum(PIP_ODDS)
    for _ in range(12):
        pip = _vary(rng, PIPS[str(rng.choice(list(PIPS), p=odds))])
        if abs(lightness(pip) - lightness(body)) >= least:
            return pip
    return _vary(rng, PIPS["black" if lightness(body) > 0.5 else "white"])


def _draw_pattern(rng: Generator, colour: str, body: Array, pip: Array) -> tuple[Pattern, Array]:
    if colour == "wood":
        return Pattern.GRAIN, (body * np.float32(rng.uniform(0.55, 0.85))).astype(np.float32)
    if rng.random() < 0.85:
        return Pattern.EVEN, body
    kind = [Pattern.MARBLE, Pattern.SPECKLE, Pattern.SWIRL][int(rng.integers(3))]
    other = body * np.float32(np.exp(rng.normal(0, 0.45))) + np.float32(rng.uniform(0, 0.04))
    if rng.random() < 0.45:
        strong = _vary(rng, BODIES[str(rng.choice(list(BODIES)))])
        # The second colour must contrast with the pips too, on the same side.
        if (lightness(strong) - lightness(pip)) / (lightness(body) - lightness(pip)) > 0.6:
            other = strong
    return kind, np.clip(other, 0.01, 0.88).astype(np.float32)


def _draw_kit(rng: Generator, *, clear: bool) -> Kit | None:
    """Draw a kit; most dice have none. With `clear`, nothing unpainted or hard to see."""
    draw = rng.random()
    if draw < 0.05:
        colour, body = _choose_colour(rng, DARK_REDS)
        clearness = float(rng.uniform(0.2, 0.7)) if rng.random() < 0.6 else 0.0
        return Kit(colour, body, GILT[int(rng.integers(len(GILT)))], None, clearness)
    if draw < 0.08:
        colour, body = _choose_colour(rng, GLASS)
        pip = PIPS[("black", "white", "red")[int(rng.choice(3, p=[0.5, 0.35, 0.15]))]]
        through = float(rng.uniform(0.1, 0.2 if clear else 0.5))
        clearness = float(rng.uniform(0.3, 0.4 if clear else 0.8))
        return Kit(colour, body, pip, None, clearness, through)
    if draw < 0.105:
        colour, body = _choose_colour(rng, CASINO)
        clearness = float(rng.uniform(0.2, 0.35 if clear else 0.7))
        return Kit(colour, body, PIPS["white"], 0.0, clearness, 0.3 * clearness)
    if draw < 0.125 and not clear:
        colour, body = _choose_colour(rng, UNPAINTED)
        shade = float(rng.uniform(0.42, 0.62))
        bowl = float(rng.uniform(0.9, 1.6))
        return Kit(colour, body, (body[0] * shade, body[1] * shade, body[2] * shade), bowl)
    return None


def _choose_colour(rng: Generator, colours: dict[str, Colour]) -> tuple[str, Colour]:
    colour = list(colours)[int(rng.integers(len(colours)))]
    return colour, colours[colour]


def draw_finish(rng: Generator, *, clear: bool) -> Finish:
    """Draw a finish; five of six dice have an even one."""
    mild = 0.4 if clear else 1.0
    rim = float(rng.uniform(-1, 1)) * mild if rng.random() < 0.07 else 0.0
    glint = float(rng.uniform(0.1, 0.7)) * mild if rng.random() < 0.05 else 0.0
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.6)
    haze = float(rng.uniform(0.05, 0.4)) * mild if rng.random() < 0.06 else 0.0
    direction, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.9)
    return Finish(
        rim=rim,
        glint=glint,
        glint_at=(float(off * np.cos(turn)), float(off * np.sin(turn))),
        haze=haze,
        haze_slope=(float(slope * np.cos(direction)), float(slope * np.sin(direction))),
    )


def shade_pips(finish: Finish, along: Array, in_radii: Array) -> tuple[Array, Array]:
    """
    Return the factor on the albedo of pips (n,), and what is added to it (n,), at distances from
    the middle of their pip in radii up to 1, (n,), with their vectors, (2, n).
    """
    rim = np.float32(finish.rim)
    factor = np.exp(-rim * (along * along - np.float32(0.35)))
    added = np.abs(rim) * np.float32(0.06) * (1 - along if finish.rim > 0 else along)
    if finish.glint:
        off = in_radii - np.array(finish.glint_at, dtype=np.float32)[:, None]
        spot = np.exp(np.einsum("ij,ij->j", off, off) * np.float32(-9))
        added = added + np.float32(finish.glint) * spot
    return np.asarray(factor, np.float32), np.asarray(added, np.float32)


def add_haze(finish: Finish, albedo: Array, from_middle: Array) -> Array:
    """Return an albedo (3, n) under haze at points (3, n) from the body's middle."""
    if not finish.haze:
        return albedo
    grown = finish.haze_slope[0] * from_middle[0] + finish.haze_slope[1] * from_middle[1]
    share = np.float32(finish.haze) * np.clip(np.float32(0.6) + grown, 0, 1)
    return np.asarray(albedo + (HAZE_ALBEDO - albedo) * share, dtype=np.float32)
