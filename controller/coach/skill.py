# SPDX-License-Identifier: MIT
"""What many accounts of one person say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from controller.coach.account import PlayerAccount


@dataclass(frozen=True, slots=True)
class SkillSummary:
    """
    One person's games with one coach; means in its unit.

    Attributes:
        games: Number of games.
        result: Mean result.
        luck: Mean luck.
        adjusted: Mean result without luck.
        error: Its standard error; None for a single game.
        cost: Mean cost of a choice, as far as the coach can distinguish choices.
        choices: Number of choices among several actions.
    """

    games: int
    result: float
    luck: float
    adjusted: float
    error: float | None
    cost: float
    choices: int


def summarize_skill(accounts: Sequence[PlayerAccount]) -> SkillSummary:
    """Summarize at least one account of one person."""
    adjusted = [one.adjusted for one in accounts]
    choices = sum(one.choices for one in accounts)
    return SkillSummary(
        games=len(accounts),
        result=fmean(one.final for one in accounts),
        luck=fmean(one.luck for one in accounts),
        adjusted=fmean(adjusted),
        error=stdev(adjusted) / sqrt(len(adjusted)) if len(adjusted) > 1 else None,
        cost=-sum(one.play for one in accounts) / max(choices, 1),
        choices=choices,
    )
