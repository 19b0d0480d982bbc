# SPDX-License-Identifier: MIT
"""
Compare each choice of a game with the best one: from the same sheet, or at a table.

Most players stand on sheets that others stand on too, above all early in a game, so each position
is judged once. Choices that the clock made say nothing about anybody's play and are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.coach.account import GameAccount, build_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.games import GAMES
from controller.games.contract import GameState, Options
from controller.journal.records.from_journal import JournalGame
from controller.tournament.entries.event_entries import EventBegun
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import Actions


@dataclass(frozen=True, slots=True)
class SheetRoll:
    """What one player did with one roll."""

    number: int  # The roll, from 1.
    faces: str
    reserve: str  # The dice of the reserve roll; empty if the player has none.
    do: Actions
    is_own: bool  # Whether the player chose them.


FieldSheets = Mapping[int, Sequence[SheetRoll]]
"""What each player did with each closed roll that counts, in order."""

RollCosts = Mapping[int, float]
"""What a player's choice of each roll cost, by the number of the roll."""


FindCoach = Callable[[str, Options], Coach | None]


def list_sheets(game: DuplicateGame) -> FieldSheets:
    sheets: dict[int, list[SheetRoll]] = {}
    for roll in game.rolls:
        if roll.is_open or roll.is_annulled:
            continue
        for player, choice in roll.played.items():
            has_reserve = player in roll.asked and roll.reserve is not None
            reserve = roll.reserve.faces if roll.reserve and has_reserve else ""
            own = SheetRoll(roll.number, roll.faces, reserve, choice.do, not choice.is_automatic)
            sheets.setdefault(player, []).append(own)
    return sheets


def compute_costs(
    coach: Coach, start: GameState, sheets: FieldSheets, equal_below: float | None = None
) -> dict[int, RollCosts]:
    """Return what each player's own choices cost; less than `equal_below` counts as nothing."""
    judge = _FieldJudge(coach, coach.equal_below if equal_below is None else equal_below)
    costs: dict[int, RollCosts] = {}
    for player, rolls in sheets.items():
        sheet, own = start, dict[int, float]()
        for roll in rolls:
            sheet, cost = judge.follow(sheet, roll)
            if roll.is_own:
                own[roll.number] = cost
        costs[player] = own
    return costs


def judge_game(
    coach: Coach, event: EventBegun, game: DuplicateGame, equal_below: float | None = None
) -> dict[int, RollCosts]:
    """Return `compute_costs` for a game of an event."""
    start = solo.start_sheet(event.game, event.options)
    return compute_costs(coach, start, list_sheets(game), equal_below)


def judge_table(game: JournalGame, find: FindCoach = find_coach) -> GameAccount | None:
    """Return the account of a game; None without a coach, InputError if its entries are wrong."""
    header = game.header
    coach = find(header.game, header.options)
    if coach is None:
        return None
    start = GAMES[header.game].start(header.players, header.options)
    return build_account(coach, start, game.events())


def sum_rolls(account: GameAccount) -> dict[int, RollCosts]:
    """Return what each seat's choices of each roll cost; small costs count as none."""
    costs: dict[int, dict[int, float]] = {
        seat: defaultdict(float) for seat in range(len(account.players))
    }
    for choice in account.choices:
        costs[choice.seat][choice.roll] += choice.cost if account.counts(choice) else 0.0
    return {seat: dict(own) for seat, own in costs.items()}


class _FieldJudge:
    """Judges each position, and follows each step from it, once for the whole field."""

    def __init__(self, coach: Coach, equal_below: float) -> None:
        self._coach = coach
        self._equal_below = equal_below
        self._judged: dict[GameState, Mapping[str, float]] = {}
        self._followed: dict[tuple[GameState, SheetRoll], tuple[GameState, float]] = {}

    def follow(self, sheet: GameState, roll: SheetRoll) -> tuple[GameState, float]:
        """Return the sheet after a player's choice from a roll, and what it cost."""
        key = (sheet, roll)
        if key not in self._followed:
            self._followed[key] = self._play(sheet, roll)
        return self._followed[key]

    def _play(self, sheet: GameState, roll: SheetRoll) -> tuple[GameState, float]:
        position, cost = solo.give_roll(sheet, roll.faces), 0.0
        if roll.reserve and solo.TERMINATOR in solo.list_actions(position):
            cost += self._count(position, solo.TERMINATOR)
            position = solo.give_roll(solo.ask_reserve(position), roll.reserve)
        for action in roll.do:
            cost += self._count(position, action)
            position = solo.play_action(position, action)
        return position, cost

    def _count(self, position: GameState, action: str) -> float:
        if position not in self._judged:
            self._judged[position] = self._coach.judge(position, solo.PLAYER)
        judged = self._judged[position]
        cost = max(judged.values()) - judged[action]
        return cost if cost >= self._equal_below else 0.0
