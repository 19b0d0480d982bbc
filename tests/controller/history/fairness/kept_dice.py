# SPDX-License-Identifier: MIT
"""Journals of Würfelspiel whose player keeps all sixes, thrown with dice that a test makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controller.games import GAMES
from controller.games.contract import ActionEvent, RollEvent
from controller.journal.hashchain import Body, Value
from tests.controller.history.written_games import add_game, begin_journal
from tests.support.random_journal import WrittenJournal, describe_result, lying

DICE = 5
Throw = Callable[[int], int]
"""Returns the face that a die shows after a throw, by its number; the last die is black."""


@dataclass(frozen=True)
class LyingDie:
    """A die in the tray."""

    number: int
    face: int
    origin: str = "thrown"

    def describe(self) -> Mapping[str, Value]:
        (die,) = lying([str(self.face)])
        assert isinstance(die, Mapping)
        colour = "black" if self.number == DICE - 1 else "white"
        return {**die, "colour": colour, "origin": self.origin}


@dataclass
class KeepingTable:
    """
    A table at which Ada plays Würfelspiel alone and keeps all sixes.

    Attributes:
        throw: Throws a die.
        thrown: How often each face was thrown by dice that were read.
        lay: How often each face lay in the tray after a throw.
        unsure: Dice that were thrown in throws that were entered by hand.
        by_hand: Returns whether a throw is entered by hand, by its number from 1.
    """

    throw: Throw
    journal: WrittenJournal = field(default_factory=begin_journal)
    thrown: list[int] = field(default_factory=lambda: [0] * 6)
    lay: list[int] = field(default_factory=lambda: [0] * 6)
    unsure: int = 0
    by_hand: Callable[[int], bool] = lambda number: False
    throws: int = 0

    def play(self, games: int = 1) -> None:
        """Play games to their end."""
        for _ in range(games):
            add_game(self.journal, "Ada", game="wuerfelspiel")
            position = GAMES["wuerfelspiel"].start(("Ada",), {})
            tray: Sequence[LyingDie] = ()
            while position.outcome() is None:
                tray = self._throw_others([die for die in tray if die.face == 6])
                roll = "".join(str(die.face) for die in tray)
                position = position.apply(RollEvent("Ada", roll))
                kept = ["6" for die in tray if die.face == 6]
                hold = position.hold_action("Ada", kept)
                action = hold if hold in position.legal_actions("Ada") else ""
                action = action or position.legal_actions("Ada")[0]
                position = position.apply(ActionEvent("Ada", action))
                if not position.dice_to_leave("Ada"):
                    tray = ()
                self.journal.add("action", {"by": "Ada", "do": action, **describe_result(position)})
            self.journal.add("closed")

    def _throw_others(self, kept: Sequence[LyingDie]) -> list[LyingDie]:
        self.throws += 1
        is_by_hand = self.by_hand(self.throws)
        tray = [replace(die, origin="kept") for die in kept]
        for number in sorted(set(range(DICE)) - {die.number for die in kept}):
            tray.append(LyingDie(number, self.throw(number)))
            self.unsure += is_by_hand
            self.thrown[tray[-1].face - 1] += not is_by_hand
        for die in tray:
            self.lay[die.face - 1] += not is_by_hand
        body: Body = {
            "by": "Ada",
            "held": "",
            "roll": "".join(sorted(str(die.face) for die in tray)),
            "by_hand": "Eva" if is_by_hand else "",
            "lie": [] if is_by_hand else [die.describe() for die in tray],
            "doubts": [],
            "picture": "",
        }
        self.journal.add("roll", body)
        return tray
