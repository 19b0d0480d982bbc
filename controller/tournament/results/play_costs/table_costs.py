# SPDX-License-Identifier: MIT
"""What the choices of a game at a table cost, from the journal of the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from controller.coach.account import GameAccount, build_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.games import GAMES
from controller.games.contract import Options
from controller.journal.records.from_journal import JournalGame
from controller.tournament.results.play_costs.field_costs import RollCosts

FindCoach = Callable[[str, Options], Coach | None]


def judge_table(game: JournalGame, find: FindCoach = find_coach) -> GameAccount | None:
    """
    Return the account of a game; None if no coach knows it.

    Raises:
        InputError: Its entries do not follow from each other.
    """
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
