# SPDX-License-Identifier: MIT
"""A question about a game of an event and its answer as JSON, for a process of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

from controller.coach.coaches import find_coach
from controller.games.contract import Options
from controller.journal.hashchain import decode_entry
from controller.journal.records.from_journal import JournalGames
from controller.tournament.entries.game_entries import CostsFound
from controller.tournament.results.play_costs.field_costs import (
    FieldSheets,
    FindCoach,
    RollCosts,
    SheetRoll,
    compute_costs,
    judge_table,
    sum_rolls,
)
from controller.tournament.state.duplicate import solo

_DIGITS = {"points": 3, "chance": 7}
HUNDREDTHS = 100  # An entry counts costs in hundredths of a point.


@dataclass(frozen=True, slots=True)
class GameCosts:
    """What the choices of a game cost."""

    unit: str  # What costs are counted in: `points` or `chance`.
    equal_below: float  # Costs below count as none; 0 if the coach is exact.
    weights: str  # SHA-256 of what the coach knows.
    # What each player's choice of each roll cost, by the player's number; of a game at a table by
    # the seat, from 0.
    costs: Mapping[int, RollCosts]
    names: tuple[str, ...] = ()  # Who sat at the table, by seat; empty in a duplicate game.
    # The rolls of the table in the record's text form, the first one first; empty in a duplicate
    # game.
    dice: tuple[str, ...] = ()


def encode_question(game: str, options: Options, sheets: FieldSheets) -> str:
    """Return the question about a duplicate game; equal games give equal texts."""
    listed = [
        [player, [astuple(roll) for roll in rolls]] for player, rolls in sorted(sheets.items())
    ]
    return json.dumps({"game": game, "options": dict(options), "sheets": listed})


def encode_table_question(lines: Sequence[bytes]) -> str:
    """Return the question about the last game in the journal of a table, from all of its lines."""
    return json.dumps({"lines": [line.decode() for line in lines]})


def answer_question(question: str, find: FindCoach = find_coach) -> str:
    """Return the answer, `null` without a coach; InputError if a journal contradicts itself."""
    asked = json.loads(question)
    if "lines" in asked:
        found = _judge_lines(asked["lines"], find)
    else:
        found = _judge_sheets(asked["game"], asked["options"], asked["sheets"], find)
    if found is None:
        return "null"
    digits = _DIGITS[found.unit]
    costs = [
        [player, [[number, round(cost, digits)] for number, cost in own.items()]]
        for player, own in found.costs.items()
    ]
    return json.dumps({**asdict(found), "costs": costs})


def decode_answer(answer: str) -> GameCosts | None:
    """Return what an answer says; None if no coach knows the game."""
    told = json.loads(answer)
    if told is None:
        return None
    costs = {player: dict(map(tuple, own)) for player, own in told.pop("costs")}
    names, dice = tuple(told.pop("names")), tuple(told.pop("dice"))
    return GameCosts(**told, costs=costs, names=names, dice=dice)


def encode_costs(game: int, found: GameCosts) -> CostsFound:
    """Return the entry that says what the choices of a duplicate game cost."""
    costs = tuple(
        (player, len(own), round(HUNDREDTHS * sum(own.values())))
        for player, own in sorted(found.costs.items())
    )
    return CostsFound(game, found.weights, costs)


def _judge_sheets(
    game: str, options: Options, sheets: list[tuple[int, list[list[Any]]]], find: FindCoach
) -> GameCosts | None:
    coach = find(game, options)
    if coach is None:
        return None
    rolls = {
        player: [
            SheetRoll(number, faces, reserve, tuple(do), is_own)
            for number, faces, reserve, do, is_own in own
        ]
        for player, own in sheets
    }
    costs = compute_costs(coach, solo.start_sheet(game, options), rolls)
    return GameCosts(coach.unit.value, coach.equal_below, coach.weights, costs)


def _judge_lines(lines: Sequence[str], find: FindCoach) -> GameCosts | None:
    account = judge_table(JournalGames([decode_entry(line.encode()) for line in lines])[-1], find)
    if account is None:
        return None
    return GameCosts(
        unit=account.unit,
        equal_below=account.equal_below,
        weights=account.weights,
        costs=sum_rolls(account),
        names=tuple(player.name for player in account.players),
        dice=tuple(roll.dice for roll in account.rolls),
    )
