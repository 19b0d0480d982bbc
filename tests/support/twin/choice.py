# SPDX-License-Identifier: MIT
"""
The twin of Choice, with and without jokers.

Every player has dice of their own here: those of the bell are dealt to everybody, and a
joker changes only one player's. All orders in which five dice can lie are tried for
every choice.
"""

from __future__ import annotations

import random
from itertools import permutations
from typing import NamedTuple

from tests.support.twin.table import Record, Twin, Written, five_dice, is_five_dice

VALUES = {2: 100, 3: 70, 4: 60, 5: 50, 6: 40, 7: 30, 8: 40, 9: 50, 10: 60, 11: 70, 12: 100}


class Marked(NamedTuple):
    """What a choice marks: two totals, and the die that is left."""

    one: int
    other: int
    fifth: int


class ChoiceTwin(Twin):
    def __init__(self, header: Record) -> None:
        super().__init__(header)
        jokers = ["terminator", "corrector", "3:1"] if self.options.get("jokers") else []
        self.marks = {name: dict.fromkeys(VALUES, 0) for name in self.players}
        self.fifth: dict[str, dict[int, int]] = {name: {} for name in self.players}
        self.jokers = {name: list(jokers) for name in self.players}
        self.shaker = self.players[-1]
        # The dice that a player still has to use, or has to bring: sorted digits, and for
        # those of the terminator nothing, as they may be any.
        self.dice: dict[str, str] = {}
        self.owed: dict[str, str] = {}

    def is_done(self, player: str) -> bool:
        """Tell whether this player's own game is over."""
        return 8 in self.fifth[player].values()

    def is_over(self) -> bool:
        return all(self.is_done(name) for name in self.players)

    def may_roll(self) -> list[str]:
        if self.dice or self.owed:
            return list(self.owed)
        place = self.players.index(self.shaker)
        clockwise = self.players[place + 1 :] + self.players[: place + 1]
        return [name for name in clockwise if not self.is_done(name)][:1]

    def is_roll(self, player: str, roll: str) -> bool:
        wanted = self.owed.get(player)
        return is_five_dice(roll) and (not wanted or "".join(sorted(roll)) == wanted)

    def some_roll(self, player: str, chance: random.Random) -> str:
        dice = list(self.owed.get(player) or five_dice(chance, self.faces))
        chance.shuffle(dice)
        return "".join(dice)

    def rolled(self, player: str, roll: str) -> None:
        roll = "".join(sorted(roll))
        if player in self.owed:
            del self.owed[player]
            self.dice[player] = roll
        else:
            self.shaker = player
            self.dice = {name: roll for name in self.players if not self.is_done(name)}

    def may_do(self, player: str) -> list[str]:
        if player not in self.dice:
            return []
        return [*self.choices(player), *self.joker_texts(player)]

    def joker_texts(self, player: str) -> list[str]:
        """Return the ways in which this player may change their dice."""
        texts = []
        if "terminator" in self.jokers[player]:
            texts.append("terminator")
        if "corrector" in self.jokers[player]:
            texts += [
                f"corrector {old}>{new}"
                for old in "123456"
                for new in "123456"
                if old in self.dice[player] and old != new
            ]
        return texts

    def choices(self, player: str) -> dict[str, Marked]:
        """Return what this player may mark, by its text."""
        found = {}
        for a, b, c, d, fifth in permutations([int(sign) for sign in self.dice[player]]):
            if not self.may_leave(player, fifth):
                continue
            low, high = sorted((a + b, c + d))
            found[f"{low}+{high}/{fifth}"] = Marked(low, high, fifth)
            if "3:1" in self.jokers[player] and a + b + c in VALUES and d in VALUES:
                found[f"3:1 {a + b + c}+{d}/{fifth}"] = Marked(a + b + c, d, fifth)
        return found

    def may_leave(self, player: str, face: int) -> bool:
        """Tell whether a die of this face may be the fifth."""
        if len(self.fifth[player]) < 3 or self.is_free_roll(player):
            return True
        return face in self.fifth[player]

    def is_free_roll(self, player: str) -> bool:
        """Tell whether three faces stand in the table and the dice show none of them."""
        listed = self.fifth[player]
        return len(listed) == 3 and not any(str(face) in self.dice[player] for face in listed)

    def done(self, player: str, action: str) -> None:
        if action == "terminator":
            self.jokers[player].remove("terminator")
            del self.dice[player]
            self.owed[player] = ""
        elif action.startswith("corrector"):
            old, new = action[-3], action[-1]
            self.jokers[player].remove("corrector")
            self.owed[player] = "".join(sorted(self.dice.pop(player).replace(old, new, 1)))
        else:
            self.mark(player, action)

    def mark(self, player: str, action: str) -> None:
        if action.startswith("3:1"):
            # Looked up first: without its joker the choice is not there any more.
            marked = self.choices(player)[action]
            self.jokers[player].remove("3:1")
        else:
            marked = self.choices(player)[action]
        self.marks[player][marked.one] += 1
        self.marks[player][marked.other] += 1
        if not self.is_free_roll(player):
            self.fifth[player][marked.fifth] = self.fifth[player].get(marked.fifth, 0) + 1
        del self.dice[player]

    def totals(self) -> dict[str, int]:
        return {
            name: sum(points(total, marks) for total, marks in self.marks[name].items())
            + 100 * len(self.jokers[name])
            for name in self.players
        }

    def winners(self) -> list[str]:
        if len(self.players) == 1 and self.totals()[self.players[0]] < 0:
            return []
        return super().winners()

    def sheet(self, player: str) -> Written:
        return {
            "sums": {str(total): marks for total, marks in self.marks[player].items()},
            "fifth": {str(face): marks for face, marks in self.fifth[player].items()},
            "jokers": list(self.jokers[player]),
        }


def points(total: int, marks: int) -> int:
    if marks == 0:
        return 0
    if marks < 5:
        return -200
    return (min(marks, 10) - 5) * VALUES[total]
