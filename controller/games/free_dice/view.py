# SPDX-License-Identifier: MIT
"""What a screen shows of Just dice: each player's last roll, all faces, and the rolls before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from controller.base.languages.message import Message, message, plural_message
from controller.games.contract import GameOutcome
from controller.games.free_dice.notation import END, THROW, parse_count
from controller.games.free_dice.rules import FreeDiceState
from controller.games.free_dice.tally import PastRoll, find_sets
from controller.games.ui import DieGroup, OfferedChoice, Prompt, TurnContext


class EqualDiceView(TypedDict):
    """Dice of one roll that show the same face: two or more."""

    face: int
    count: int


class PastRollView(TypedDict):
    """One roll in the list of a sheet; `again` if some of its dice stayed as they lay."""

    number: int
    faces: list[int]
    sum: int
    again: bool


class FreeDiceSheetView(TypedDict):
    """A sheet of Just dice."""

    kind: Literal["dice"]
    lies: bool  # The roll in the tray is this player's.
    rolls: int
    sum: int  # Of the latest roll, as `dice` and `sets`.
    dice: list[int]
    sets: list[EqualDiceView]
    counts: list[int]  # How often each face from 1 to 6 lay in all of them.
    recent: list[PastRollView]  # The latest rolls, the newest first.


@dataclass(frozen=True, slots=True)
class FreeDiceGameView:
    game: FreeDiceState
    turn: TurnContext

    def sheet(self, player: str) -> FreeDiceSheetView:
        tally = self.game.tallies[self.game.players.index(player)]
        sets = find_sets(tally.last)
        return {
            "kind": "dice",
            "lies": bool(self.game.faces) and player == self.game.players[self.game.seat],
            "rolls": tally.rolls,
            "sum": sum(tally.last),
            "dice": list(tally.last),
            "sets": [{"face": face, "count": count} for face, count in sets],
            "counts": list(tally.counts),
            "recent": [_show_roll(roll) for roll in tally.recent],
        }

    def board(self) -> None:
        """Nothing lies in the middle."""

    def throw_prompt(self) -> Prompt:
        count = self.game.dice_count
        if len(self.game.players) == 1:
            headline = plural_message("Throw one die", "Throw {count} dice", count)
        else:
            headline = plural_message(
                "{player}: throw one die",
                "{player}: throw {count} dice",
                count,
                player=self.turn.roller,
            )
        return Prompt(headline, message("The table reads them as soon as they lie."))

    def choose_prompt(self) -> Prompt:
        total = sum(self.game.faces)
        if len(self.game.players) == 1:
            return Prompt(message("Sum: {sum}", sum=total), message("Just throw again."))
        thrower, after = (self.game.players[seat] for seat in (self.game.seat, self.game.next_seat))
        return Prompt(
            message("{player} throws {sum}", player=thrower, sum=total),
            message("{player} throws next.", player=after),
        )

    def describe_choice(self, choice: OfferedChoice) -> str:
        return _describe(choice.action, self.game.dice_count)

    def confirm_label(self) -> str:
        return _describe(self.turn.action, self.game.dice_count)

    def groups(self) -> Mapping[int, DieGroup]:
        """Return none: the table itself marks the dice that stayed."""
        return {}

    def progress_text(self) -> str:
        is_shown = bool(self.game.faces) or self.game.is_ended
        return message("Roll {number}", number=self.game.rolls + (not is_shown))

    def outcome_text(self, outcome: GameOutcome) -> str:
        rolls = self.game.rolls
        return plural_message("One roll was thrown.", "{count} rolls were thrown.", rolls)


def _show_roll(roll: PastRoll) -> PastRollView:
    faces = list(roll.faces)
    return {"number": roll.number, "faces": faces, "sum": sum(faces), "again": roll.is_again}


def _describe(action: str, count: int) -> Message:
    if action == END:
        return message("end")
    if action == THROW:
        return plural_message("throw the die again", "throw {count} dice again", count)
    return plural_message("one die", "{count} dice", parse_count(action))
