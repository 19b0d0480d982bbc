# SPDX-License-Identifier: MIT
"""A question about a duplicate game and its answer as JSON, for a process of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass

from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.games.contract import Options
from controller.tournament.duplicate import solo
from controller.tournament.event.game_entries import CostsFound
from controller.tournament.play_costs.field_costs import (
    FieldSheets,
    RollCosts,
    SheetRoll,
    compute_costs,
)

FindCoach = Callable[[str, Options], Coach | None]

_DIGITS = 3
HUNDREDTHS = 100
"""An entry counts costs in hundredths of a point."""


@dataclass(frozen=True, slots=True)
class FieldCosts:
    """
    What the choices of a game cost.

    Attributes:
        equal_below: Costs below count as none; 0 if the coach is exact.
        weights: SHA-256 of what the coach knows.
        costs: What each player's choice of each roll cost.
    """

    equal_below: float
    weights: str
    costs: Mapping[int, RollCosts]


def encode_question(game: str, options: Options, sheets: FieldSheets) -> str:
    """Return the question; equal games give equal texts."""
    listed = [
        [player, [astuple(roll) for roll in rolls]] for player, rolls in sorted(sheets.items())
    ]
    return json.dumps({"game": game, "options": dict(options), "sheets": listed})


def answer_question(question: str, find: FindCoach = find_coach) -> str:
    """Return the answer; `null` if no coach knows the game."""
    asked = json.loads(question)
    coach = find(asked["game"], asked["options"])
    if coach is None:
        return "null"
    sheets = {player: [_decode_roll(*roll) for roll in rolls] for player, rolls in asked["sheets"]}
    start = solo.start_sheet(asked["game"], asked["options"])
    costs = [
        [player, [[number, round(cost, _DIGITS)] for number, cost in own.items()]]
        for player, own in compute_costs(coach, start, sheets).items()
    ]
    return json.dumps({"equal_below": coach.equal_below, "weights": coach.weights, "costs": costs})


def decode_answer(answer: str) -> FieldCosts | None:
    """Return what an answer says; None if no coach knows the game."""
    told = json.loads(answer)
    if told is None:
        return None
    costs = {player: dict(map(tuple, own)) for player, own in told["costs"]}
    return FieldCosts(told["equal_below"], told["weights"], costs)


def encode_costs(game: int, found: FieldCosts) -> CostsFound:
    """Return the entry that says what the choices of a game cost."""
    costs = tuple(
        (player, len(own), round(HUNDREDTHS * sum(own.values())))
        for player, own in sorted(found.costs.items())
    )
    return CostsFound(game, found.weights, costs)


def _decode_roll(number: int, faces: str, reserve: str, do: list[str], is_own: bool) -> SheetRoll:
    return SheetRoll(number, faces, reserve, tuple(do), is_own)
