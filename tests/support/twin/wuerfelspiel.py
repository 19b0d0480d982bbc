# SPDX-License-Identifier: MIT
"""
The twin of the Würfelspiel in three columns.

A sheet is a list of three dicts; what a cell counts is asked of each row in plain words.
"""

from __future__ import annotations

import random
from itertools import combinations

from tests.support.twin.table import Record, Twin, Written, five_dice, is_five_dice

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three", "four", "fullhouse", "small", "large", "five", "chance")


class WuerfelspielTwin(Twin):
    def __init__(self, header: Record) -> None:
        super().__init__(header)
        self.columns: dict[str, list[dict[str, int]]] = {
            name: [{}, {}, {}] for name in self.players
        }
        self.on_turn = self.players[0]
        self.begin_turn()

    def begin_turn(self) -> None:
        """Take up all five dice."""
        self.lying = ""
        self.kept = ""
        self.throws = 0

    def is_over(self) -> bool:
        return all(len(column) == 13 for name in self.players for column in self.columns[name])

    def may_roll(self) -> list[str]:
        return [] if self.lying or self.is_over() else [self.on_turn]

    def is_roll(self, player: str, roll: str) -> bool:
        return is_five_dice(roll) and all(roll.count(f) >= self.kept.count(f) for f in self.kept)

    def some_roll(self, player: str, chance: random.Random) -> str:
        dice = list(self.kept + five_dice(chance, self.faces)[len(self.kept) :])
        chance.shuffle(dice)
        return "".join(dice)

    def rolled(self, player: str, roll: str) -> None:
        self.lying = roll
        self.kept = ""
        self.throws += 1

    def may_do(self, player: str) -> list[str]:
        if player != self.on_turn or not self.lying:
            return []
        return [*self.empty_cells(player), *(self.holds() if self.throws < 3 else ())]

    def empty_cells(self, player: str) -> list[str]:
        return [
            f"{row}*{number}"
            for row in (*UPPER, *LOWER)
            for number in (1, 2, 3)
            if row not in self.columns[player][number - 1]
        ]

    def holds(self) -> list[str]:
        """Return the ways to keep some dice, but never all of them."""
        texts = []
        for count in range(5):
            for kept in combinations(sorted(self.lying), count):
                text = f"hold {''.join(kept)}" if kept else "hold"
                if text not in texts:
                    texts.append(text)
        return texts

    def done(self, player: str, action: str) -> None:
        if action.startswith("hold"):
            self.kept = action.removeprefix("hold").strip()
            self.lying = ""
            return
        row, number = action.split("*")
        faces = [int(sign) for sign in self.lying]
        self.columns[player][int(number) - 1][row] = points(row, faces)
        place = self.players.index(player) + 1
        self.on_turn = self.players[place % len(self.players)]
        self.begin_turn()

    def totals(self) -> dict[str, int]:
        return {
            name: sum(
                factor * (sum(column.values()) + bonus(column))
                for factor, column in zip((1, 2, 3), self.columns[name], strict=True)
            )
            for name in self.players
        }

    def sheet(self, player: str) -> Written:
        columns = self.columns[player]
        return {
            "columns": [dict(column) for column in columns],
            "bonus": [bonus(column) for column in columns],
        }


def bonus(column: dict[str, int]) -> int:
    """Return the bonus for the six upper rows."""
    return 35 if sum(column.get(row, 0) for row in UPPER) >= 63 else 0


def points(row: str, faces: list[int]) -> int:
    most = max(faces.count(face) for face in faces)
    shown = "".join(str(face) for face in range(1, 7) if face in faces)
    if row in UPPER:
        face = UPPER.index(row) + 1
        return face * faces.count(face)
    if row == "three":
        return sum(faces) if most >= 3 else 0
    if row == "four":
        return sum(faces) if most >= 4 else 0
    if row == "fullhouse":
        return 25 if most == 3 and len(shown) == 2 else 0
    if row == "small":
        return 30 if any(street in shown for street in ("1234", "2345", "3456")) else 0
    if row == "large":
        return 40 if shown in ("12345", "23456") else 0
    if row == "five":
        return 50 if most == 5 else 0
    return sum(faces)
