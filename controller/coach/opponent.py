# SPDX-License-Identifier: MIT
"""
Players that the table plays itself: their grades, and how they choose.

An opponent chooses an action with a probability that grows with its value, P ~ exp(value / t).
The chance comes from the journal alone: the link of the last roll and the opponent's name. So
every choice can be repeated by all who have the same coach, and none can be drawn again. Nets
give other last digits on other machines; so values are rounded to whole steps first, and a choice
that a few steps would explain counts as the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from controller.base.languages.message import Message, message
from controller.coach.contract import Coach, Unit

STEPS: Mapping[Unit, int] = {Unit.POINTS: 1_000, Unit.CHANCE: 1_000_000}
"""Steps of a value: thousandths of a point, millionths of a chance."""

TOLERANCE_STEPS = 5  # How far the values of two machines may differ.

_DRAWS = 1 << 64


@dataclass(frozen=True, slots=True)
class Grade:
    """How well an opponent plays; the smaller `t`, the better."""

    label: Message  # What people call it.
    t_points: float  # `t` in points; see `SCALES`.
    t_percent: float  # `t` where values are chances.


SCALES: Mapping[str, float] = {"wuerfelspiel": 0.05}
"""By how much `t_points` is less in a game: it has many more choices, and each costs less."""

GRADES: Mapping[str, Grade] = {
    "beginner": Grade(message("Beginner"), 100, 25),
    "casual": Grade(message("Casual"), 40, 12),
    "practised": Grade(message("Practised"), 15, 6),
    "strong": Grade(message("Strong"), 6, 2.5),
    "master": Grade(message("Master"), 3, 0.5),
}
"""All grades by their key in the journal, the weakest first."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player of one game that the table plays itself."""

    name: str  # At the table.
    grade: str  # Its key in `GRADES`; another one in a journal of a later version.
    t_steps: int  # What it plays with, in steps of the unit of its coach.
    weights: str  # The SHA-256 of the weights of its coach, in hexadecimal.


def create_opponent(name: str, grade: str, coach: Coach) -> Opponent:
    t = GRADES[grade].t_percent / 100
    if coach.unit is Unit.POINTS:
        t = GRADES[grade].t_points * SCALES.get(coach.game, 1.0)
    return Opponent(name, grade, round(t * STEPS[coach.unit]), coach.weights)


def label_grade(grade: str) -> str:
    return GRADES[grade].label if grade in GRADES else grade


def draw_number(link: str, name: str, index: int) -> int:
    """Return what decides a choice, below 2**64, by the last roll's link and the actions since."""
    digest = sha256(f"{link}\n{index}\n{name}".encode()).digest()
    return int.from_bytes(digest[:8])


def round_values(values: Mapping[str, float], unit: Unit) -> dict[str, int]:
    """Return what each action is worth in whole steps."""
    return {action: round(value * STEPS[unit]) for action, value in values.items()}


def pick_action(values: Mapping[str, int], t_steps: int, number: int) -> str:
    """Return the action, of at least one, that a number of `draw_number` decides on."""
    weights = _weigh(values, t_steps)
    left = (number + 0.5) / _DRAWS * math.fsum(weights.values())
    for action, weight in weights.items():
        left -= weight
        if left < 0:
            return action
    # Only rounding leads here: the number is at the very end.
    return max(weights, key=lambda action: weights[action])


def may_pick(values: Mapping[str, int], t_steps: int, number: int, action: str) -> bool:
    """Return whether `pick_action` picks this action for values within the tolerance."""
    if action not in values:
        return False
    weights = _weigh(values, t_steps)
    at = list(weights).index(action)
    parts = list(weights.values())
    before, own, after = math.fsum(parts[:at]), parts[at], math.fsum(parts[at + 1 :])
    drawn = (number + 0.5) / _DRAWS
    # The share in front is smallest if everything else is worth more, and so on.
    change = math.exp(2 * TOLERANCE_STEPS / t_steps)
    least = before / (before + (own + after) * change)
    most = 1 - after / (after + (before + own) * change)
    return least <= drawn <= most


def _weigh(values: Mapping[str, int], t_steps: int) -> dict[str, float]:
    """Return the weight of each action; the best one has 1."""
    best = max(values.values())
    return {action: math.exp((value - best) / t_steps) for action, value in values.items()}
