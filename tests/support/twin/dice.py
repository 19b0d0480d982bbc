# SPDX-License-Identifier: MIT
"""
The twin of Just dice: whose throw it is, of how many dice, and what lay there.

It keeps every roll as it was thrown and counts anew whenever somebody asks.
"""

from __future__ import annotations

import random

from tests.support.twin.table import Record, Twin, Written


class DiceTwin(Twin):
    def __init__(self, header: Record) -> None:
        super().__init__(header)
        self.number = int(self.options.get("dice", 5))
        self.thrown: list[tuple[str, str]] = []
        self.hand = self.players[0]
        self.is_lying = False
        self.has_ended = False
        self.some_stay = False

    def after(self, player: str) -> str:
        """Return who sits left of a player."""
        return [*self.players, *self.players][self.players.index(player) + 1]

    def is_over(self) -> bool:
        return self.has_ended

    def written(self) -> Written:
        return {**super().written(), "winners": [], "losers": []}

    def may_roll(self) -> list[str]:
        return [] if self.is_lying or self.has_ended else [self.hand]

    def is_roll(self, player: str, roll: str) -> bool:
        return len(roll) == self.number and set(roll) <= set("123456")

    def some_roll(self, player: str, chance: random.Random) -> str:
        return "".join(chance.choice(self.faces) for _ in range(self.number))

    def rolled(self, player: str, roll: str) -> None:
        self.thrown.append((player, "".join(sorted(roll))))
        self.is_lying = True

    def may_do(self, player: str) -> list[str]:
        others = [f"dice {number}" for number in range(1, 21) if number != self.number]
        if not self.is_lying:
            waits = player == self.hand and not self.some_stay and not self.has_ended
            return others if waits else []
        if player not in (self.hand, self.after(self.hand)):
            return []
        if player == self.after(self.hand):
            others.append("throw")
        if player == self.hand and self.number > 1:
            others.append("again")
        return [*others, "end"]

    def done(self, player: str, action: str) -> None:
        was_lying, self.is_lying = self.is_lying, False
        self.some_stay = action == "again"
        if not was_lying:
            self.number = int(action.removeprefix("dice"))
            return
        if action == "end":
            self.has_ended = True
        elif action != "again":
            self.hand = self.after(self.hand)
        if action.startswith("dice"):
            self.number = int(action.removeprefix("dice"))

    def last(self, player: str) -> str:
        return next((roll for name, roll in reversed(self.thrown) if name == player), "")

    def totals(self) -> dict[str, int]:
        return {name: sum(map(int, self.last(name))) for name in self.players}

    def sheet(self, player: str) -> Written:
        rolls = [roll for name, roll in self.thrown if name == player]
        faces = {face: "".join(rolls).count(face) for face in "123456"}
        return {"rolls": len(rolls), "last": self.last(player), "faces": faces}
