# SPDX-License-Identifier: MIT
"""
The twin of Black'n'White.

A round is a list of players who are still to throw and a dict of those who have stopped;
whoever throws has their two dice in the hand of the twin. A throw-off is the same with
a list of contenders and their totals.
"""

from __future__ import annotations

import random

from tests.support.twin.table import Record, Twin, Written

ROLLS = {f"w{white} b{black}": (white, black) for white in range(1, 7) for black in range(1, 7)}
THROWS = {"throw white": ("white",), "throw black": ("black",), "throw both": ("white", "black")}


class BlackNWhiteTwin(Twin):
    def __init__(self, header: Record) -> None:
        super().__init__(header)
        self.chips = dict.fromkeys(self.players, 0)
        self.middle = self.options.get("chips_per_player", 2) * len(self.players)
        self.phase = 1
        self.contenders: list[str] = []
        self.thrown_off: dict[str, int] = {}
        self.begin_round(self.players[0])

    def begin_round(self, starter: str) -> None:
        """Let everybody who takes part throw, from the starter on clockwise."""
        place = self.players.index(starter)
        order = self.players[place:] + self.players[:place]
        self.waiting = [n for n in order if self.phase == 1 or self.chips[n] > 0]
        self.stopped: dict[str, tuple[int, int]] = {}
        self.limit = 3
        self.tens = ""
        self.is_tens_owed = False
        self.begin_turn()

    def begin_turn(self) -> None:
        """Give both dice to whoever is first of those that wait."""
        self.throws = 0
        self.in_hand: tuple[str, ...] = ("white", "black")
        self.lying: tuple[int, int] | None = None

    def is_over(self) -> bool:
        return self.phase == 2 and len(self.holders()) == 1

    def holders(self) -> list[str]:
        return [name for name in self.players if self.chips[name] > 0]

    def may_roll(self) -> list[str]:
        if self.is_over():
            return []
        if self.contenders:
            return [name for name in self.contenders if name not in self.thrown_off]
        return self.waiting[:1] if self.in_hand and not self.is_tens_owed else []

    def is_roll(self, player: str, roll: str) -> bool:
        if roll not in ROLLS:
            return False
        if self.contenders or self.lying is None:
            return True
        white, black = ROLLS[roll]
        is_white_right = "white" in self.in_hand or white == self.lying[0]
        is_black_right = "black" in self.in_hand or black == self.lying[1]
        return is_white_right and is_black_right

    def some_roll(self, player: str, chance: random.Random) -> str:
        legal = [roll for roll in ROLLS if self.is_roll(player, roll)]
        doubles = [roll for roll in legal if ROLLS[roll][0] == ROLLS[roll][1]]
        return chance.choice(doubles if chance.random() < 0.2 and doubles else legal)

    def rolled(self, player: str, roll: str) -> None:
        if self.contenders:
            self.thrown_off[player] = sum(ROLLS[roll])
            if len(self.thrown_off) == len(self.contenders):
                self.end_throw_off()
            return
        self.lying = ROLLS[roll]
        self.in_hand = ()
        self.throws += 1
        if self.throws == self.limit:
            self.stop()

    def end_throw_off(self) -> None:
        """Let the highest start, or those who share it throw again."""
        highest = max(self.thrown_off.values())
        best = [name for name in self.contenders if self.thrown_off[name] == highest]
        self.thrown_off = {}
        self.contenders = best if len(best) > 1 else []
        if len(best) == 1:
            self.begin_round(best[0])

    def may_do(self, player: str) -> list[str]:
        if self.is_over() or self.contenders:
            return []
        if self.is_tens_owed:
            # Whoever stopped last owes it.
            return ["tens white", "tens black"] if player == list(self.stopped)[-1] else []
        if self.in_hand or player != self.waiting[0]:
            return []
        return ["stop", *THROWS]

    def done(self, player: str, action: str) -> None:
        if action == "stop":
            self.stop()
        elif action in THROWS:
            self.in_hand = THROWS[action]
        else:
            self.tens = action.removeprefix("tens ")
            self.is_tens_owed = False
            self.go_on()

    def stop(self) -> None:
        """Write down what the player on turn has, and see who is next."""
        assert self.lying is not None
        if not self.stopped:
            self.limit = self.throws
        self.stopped[self.waiting.pop(0)] = self.lying
        if not self.tens and self.lying[0] != self.lying[1]:
            self.is_tens_owed = True
        else:
            self.go_on()

    def go_on(self) -> None:
        """Begin the next turn, or end the round after the last one."""
        self.begin_turn()
        if self.waiting:
            return
        if self.phase == 1:
            self.hand_out()
        else:
            self.put_away()

    def worth(self, player: str) -> int:
        """Return what a result counts: the house number, doubles above all of them."""
        white, black = self.stopped[player]
        if white == black:
            return 100 + white
        return 10 * white + black if self.tens == "white" else 10 * black + white

    def hand_out(self) -> None:
        """Give a chip to the last of the lowest, who starts the next round."""
        lowest = min(self.worth(name) for name in self.stopped)
        taker = [name for name in self.stopped if self.worth(name) == lowest][-1]
        self.middle -= 1
        self.chips[taker] += 1
        if self.middle > 0:
            self.begin_round(taker)
        else:
            self.phase = 2
            self.find_starter()

    def put_away(self) -> None:
        """Take a chip from the first of the highest."""
        highest = max(self.worth(name) for name in self.stopped)
        giver = next(name for name in self.stopped if self.worth(name) == highest)
        self.chips[giver] -= 1
        self.find_starter()

    def find_starter(self) -> None:
        """Let whoever holds most chips start, or those who do throw off."""
        if self.is_over():
            return
        most = [name for name in self.players if self.chips[name] == max(self.chips.values())]
        if len(most) == 1:
            self.begin_round(most[0])
        else:
            self.contenders = most

    def totals(self) -> dict[str, int]:
        return dict(self.chips)

    def winners(self) -> list[str]:
        return [name for name in self.players if self.chips[name] == 0]

    def sheet(self, player: str) -> Written:
        return {"chips": self.chips[player], "phase": self.phase}
