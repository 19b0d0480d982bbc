# SPDX-License-Identifier: MIT
"""
What the twins of all games share: who is told what, and what a replay prints.

A game says who may roll, what everybody may do, and does what is allowed; the refusals
and the printed object are made of that here.
"""

from __future__ import annotations

import random
from typing import Any, TypeAlias

# A line of a record, and what is printed for a whole one, as JSON reads them.
Record: TypeAlias = dict[str, Any]
Written: TypeAlias = dict[str, Any]


class Refused(Exception):
    """The event is not legal; the twin is as it was."""


class Twin:
    """One game on a table; it changes with every event that it takes."""

    def __init__(self, header: Record) -> None:
        self.game = str(header["game"])
        self.players: list[str] = list(header["players"])
        self.options: dict[str, Any] = dict(header.get("options", {}))
        # Dice that fall on few faces come to full sheets and to wins that are seldom else.
        self.faces = "123456"

    def may_roll(self) -> list[str]:
        """Return everybody who may roll now."""
        raise NotImplementedError

    def may_do(self, player: str) -> list[str]:
        """Return everything that this player may do now."""
        raise NotImplementedError

    def is_roll(self, player: str, roll: str) -> bool:
        """Tell whether this may be what somebody brings who may roll."""
        raise NotImplementedError

    def some_roll(self, player: str, chance: random.Random) -> str:
        """Return a roll that somebody brings who may roll, as the dice fall."""
        raise NotImplementedError

    def rolled(self, player: str, roll: str) -> None:
        """Take a legal roll."""
        raise NotImplementedError

    def done(self, player: str, action: str) -> None:
        """Take a legal action."""
        raise NotImplementedError

    def is_over(self) -> bool:
        raise NotImplementedError

    def totals(self) -> dict[str, int]:
        raise NotImplementedError

    def winners(self) -> list[str]:
        """Return who has won the finished game: whoever has most, unless a game knows better."""
        totals = self.totals()
        return [name for name in self.players if totals[name] == max(totals.values())]

    def sheet(self, player: str) -> Written:
        raise NotImplementedError

    def take(self, event: Record) -> None:
        """Take the next line of the record, or raise `Refused`."""
        by = event["by"]
        if "roll" in event:
            if by not in self.may_roll() or not self.is_roll(by, event["roll"]):
                raise Refused(f"{event} is refused")
            self.rolled(by, event["roll"])
        else:
            if by not in self.players or event["do"] not in self.may_do(by):
                raise Refused(f"{event} is refused")
            self.done(by, event["do"])

    def expects(self) -> Written:
        """Return who may roll, and who may do what."""
        actions = {name: self.may_do(name) for name in self.players}
        return {
            "roll": self.may_roll(),
            "do": {name: texts for name, texts in actions.items() if texts},
        }

    def written(self) -> Written:
        """Return what a replay prints for the record so far, but for the name of the file."""
        winners = self.winners() if self.is_over() else []
        return {
            "game": self.game,
            "finished": self.is_over(),
            "totals": self.totals(),
            "winners": winners,
            "losers": [n for n in self.players if self.is_over() and n not in winners],
            "expects": None if self.is_over() else self.expects(),
            "sheets": {name: self.sheet(name) for name in self.players},
        }


def is_five_dice(roll: str) -> bool:
    """Tell whether these are the faces of five dice."""
    return len(roll) == 5 and all(sign in "123456" for sign in roll)


def five_dice(chance: random.Random, faces: str) -> str:
    """Throw five dice that fall on these faces alone."""
    return "".join(chance.choice(faces) for _ in range(5))
