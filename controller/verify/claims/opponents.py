# SPDX-License-Identifier: MIT
"""
Repeat what the opponents of a game chose.

An opponent's choice follows from the position, from the weights of its coach, and from the link
of the last roll. With the same weights it can be repeated. Other weights are only a note: they
do not show what the right ones would have chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.coach import coaches
from controller.coach.contract import Coach
from controller.coach.opponent import Opponent, may_pick, round_values
from controller.journal.hashchain import Entry
from controller.table.decisions import draw_for, repeat_choice
from controller.table.state import TableState, require_game
from controller.verify.findings import Finding, FindingKind


class OpponentsCheck:
    """The check of what opponents chose, game by game."""

    def __init__(self) -> None:
        self._software = ""
        self._is_updated = False
        self._is_noted = False

    def note_start(self, entry: Entry) -> None:
        """Note with which program the table goes on: another one may have other weights."""
        software = str(entry.body.get("software"))
        self._is_updated |= software != self._software
        self._software = software

    def check_entry(self, entry: Entry, before: TableState) -> Iterator[Finding]:
        """Check the next entry of a game, which the rules allow; `before` is the table then."""
        if entry.kind == "game":
            self._is_updated = self._is_noted = False
        if entry.kind != "action":
            return
        opponents, by = before.play.opponents, entry.body["by"]
        opponent = next((one for one in opponents if one.name == by), None)
        if opponent is None:
            return
        coach = coaches.find_coach(before.play.game_key, require_game(before).options)
        if coach is None or coach.weights != opponent.weights or self._is_updated:
            yield from self._note_once(opponent, coach)
        else:
            yield from _repeat(str(entry.body["do"]), before, opponent, coach)

    def _note_once(self, opponent: Opponent, coach: Coach | None) -> Iterator[Finding]:
        if self._is_noted:
            return
        self._is_noted = True
        if self._is_updated:
            what = f"from here on {opponent.name}'s choices are not repeated: the program changed"
            yield Finding(FindingKind.OPPONENT_UNCHECKED, what)
            return
        what = f"{opponent.name}'s choices are not repeated, since this program has other weights"
        known = coach.weights if coach else "none"
        yield Finding(FindingKind.OPPONENT_UNCHECKED, what, expected=opponent.weights, found=known)


def _repeat(action: str, before: TableState, opponent: Opponent, coach: Coach) -> Iterator[Finding]:
    values = round_values(coach.judge(require_game(before), opponent.name), coach.unit)
    if not may_pick(values, opponent.t_steps, draw_for(before, opponent), action):
        what = f"{opponent.name}'s choice does not follow from its weights and the last roll"
        expected = repeat_choice(before, opponent, coach)
        yield Finding(FindingKind.OPPONENT, what, expected=expected, found=action)
