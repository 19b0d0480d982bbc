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
    """One person's games with one coach; means in its unit."""

    games: int  # Number of games.
    result: float  # Mean result.
    luck: float  # Mean luck.
    adjusted: float  # Mean result without luck.
    error: float | None  # Its standard error; None for a single game.
    cost: float  # Mean cost of a choice, as far as the coach can distinguish choices.
    choices: int  # Number of choices among several actions.


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
