# SPDX-License-Identifier: MIT
"""
The check of what choices of an event cost: by the same weights, the coach judges them again.

The last digits of a net depend on the machine, and costs below a limit count as none. So a sum is
held between the one with a slightly higher limit and the one with a slightly lower limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.coach.coaches import find_coach
from controller.tournament.entries.game_entries import CostsFound
from controller.tournament.results.play_costs.costs_codec import HUNDREDTHS
from controller.tournament.results.play_costs.field_costs import judge_game
from controller.tournament.state.event_data import EventData
from controller.verify.findings import Finding, FindingKind

MARGIN = 0.02
"""Points by which a cost may differ on another machine."""


def check_costs(data: EventData, said: CostsFound, line: int, seq: int) -> Iterator[Finding]:
    """Judge the choices of a game again, right after the entry about them."""
    event, game = data.event, data.games[said.game - 1]
    coach = find_coach(event.game, event.options)
    if coach is None or coach.weights != said.weights:
        what = "these costs are not computed again, since this program has other weights"
        known = coach.weights if coach else "none"
        kind = FindingKind.COSTS_UNCHECKED
        yield Finding(kind, what, line, seq, said.game, said.weights, known)
        return
    least, most = (
        judge_game(coach, event, game, coach.equal_below + margin) for margin in (MARGIN, -MARGIN)
    )
    for player, choices, cost in said.costs:
        rounding = 1 + choices * MARGIN * HUNDREDTHS
        lowest = HUNDREDTHS * sum(least[player].values()) - rounding
        highest = HUNDREDTHS * sum(most[player].values()) + rounding
        if not lowest <= cost <= highest:
            name = data.people.find(player).name
            what = f"the choices of {name} did not cost what this entry says"
            expected = f"{lowest:.0f} to {highest:.0f} hundredths"
            yield Finding(FindingKind.COSTS, what, line, seq, said.game, expected, str(cost))
