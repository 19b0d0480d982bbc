# SPDX-License-Identifier: MIT
"""
What a screen shows of Choice: the printed sheet, the dice in their pairs, the jokers.

The sheet shows two positions at once: the current one, and the one after the choice under
the cursor. The rules compute the second one, so the screen never promises too much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, TypedDict

from controller.base.languages.message import Message, message
from controller.games.choice.jokers import (
    CORRECTOR,
    JOKER_POINTS,
    JOKER_TITLES,
    JOKERS,
    TERMINATOR,
    THREE,
    TripleChoice,
    classify_action,
    find_triple_groups,
    parse_corrector,
    parse_triple,
)
from controller.games.choice.notation import (
    DICE_COUNT,
    TOTALS,
    PairChoice,
    find_pair_groups,
    parse_choice,
)
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import FIFTH_ROWS, PAR_MARKS, VALUES, ChoiceSheet, count_points
from controller.games.contract import ActionEvent, GameOutcome
from controller.games.ui import DieGroup, OfferedChoice, Prompt, TurnContext
from controller.games.wording import format_signed, winner_words

PLACES = 4  # Of the tapped dice that many are in pairs: two and two.

Tone: TypeAlias = Literal["red", "grey", "green", "none"]


class SumRow(TypedDict):
    """One total of a Choice sheet; `pending` are the marks that the choice would add."""

    sum: int
    value: int
    marks: int
    points: int
    tone: Tone
    pending: int
    points_after: int
    tone_after: Tone


class FifthDieRowView(TypedDict):
    """One row of the fifth-die table; `face` is 0 while the row is empty."""

    face: int
    marks: int
    pending: int


class JokerView(TypedDict):
    """A joker of a player: its name in the notation, its title, and its state."""

    name: str
    title: str
    state: Literal["unused", "used", "pending"]


class ChoiceSheetView(TypedDict):
    """A Choice sheet as the printed block shows it; plus, minus and total as they count now."""

    kind: Literal["choice"]
    rows: list[SumRow]
    fifth: list[FifthDieRowView]
    plus: int
    minus: int
    jokers: list[JokerView]  # All three if the game has them, else empty.
    jokers_points: int  # What the unused ones count.
    total: int
    total_after: int


@dataclass(frozen=True, slots=True)
class ChoiceGameView:
    game: ChoiceState
    turn: TurnContext

    def sheet(self, player: str) -> ChoiceSheetView:
        after = self._after()
        now, then = self.game.sheet_of(player), after.sheet_of(player)
        score = now.score()
        return {
            "kind": "choice",
            "rows": list(map(_sum_row, TOTALS, now.marks, then.marks)),
            "fifth": _fifth_rows(now, then),
            "plus": score.plus,
            "minus": score.minus,
            "jokers": self._jokers(player, after) if self.game.options["jokers"] else [],
            "jokers_points": JOKER_POINTS * len(self.game.jokers_of(player)),
            "total": self.game.totals()[player],
            "total_after": after.totals()[player],
        }

    def board(self) -> None:
        """Nothing is in the middle."""

    def throw_prompt(self) -> Prompt:
        roller = self.turn.roller
        if self.game.faces:
            headline = message("{player}: throw all five again (Terminator)", player=roller)
            return Prompt(headline, message("All five at once. This roll is yours alone."))
        hint = message("All {count} dice at once, into the tray.", count=DICE_COUNT)
        return Prompt(message("{player}: throw the dice", player=roller), hint)

    def choose_prompt(self) -> Prompt:
        return Prompt(message("{player} chooses", player=self.turn.chooser), self._hint())

    def describe_choice(self, choice: OfferedChoice) -> str:
        if choice.action == TERMINATOR:
            return message("Terminator: throw all five again")
        if choice.action.startswith(CORRECTOR):
            old, new = parse_corrector(choice.action)
            return message("Corrector: turn a {old} to {new}", old=old, new=new)
        if choice.kind == "three":
            return self._describe_triple(parse_triple(choice.action))
        return self._describe_pairs(parse_choice(choice.action))

    def confirm_label(self) -> str:
        if classify_action(self.turn.action) == "joker":
            return message("use the joker")
        return message("mark it")

    def groups(self) -> Mapping[int, DieGroup]:
        tapped = self.turn.selection
        if tapped.joker == CORRECTOR and tapped.dice:
            return {index: "turn" for index in tapped.dice if index is not None}
        if any(index is not None for index in tapped.dice):
            return self._tapped_groups()
        return self._action_groups() if self.turn.action else {}

    def progress_text(self) -> str:
        """
        Return the number of the shared roll; private dice do not count.

        Rounds are not counted. Each choice leaves two marks on the totals, and no player who is
        still in the game misses a roll.
        """
        players = self.game.acted or self.game.players
        rolls = max(sum(self.game.sheet_of(name).marks) // 2 for name in players)
        is_open = not self.game.acted and self.game.outcome() is None
        return message("Roll {number}", number=rolls + 1 if is_open else rolls)

    def outcome_text(self, outcome: GameOutcome) -> str:
        totals = self.game.totals()
        if len(totals) == 1:
            (name,) = totals
            points = format_signed(totals[name])
            if not outcome.winners:
                return message("{player} loses with {points} points.", player=name, points=points)
        best = format_signed(totals[outcome.winners[0]])
        return winner_words(outcome.winners, best)

    def _after(self) -> ChoiceState:
        if not self.turn.action or self.turn.chooser is None:
            return self.game
        return self.game.apply(ActionEvent(self.turn.chooser, self.turn.action))

    def _jokers(self, player: str, after: ChoiceState) -> list[JokerView]:
        unused, left = self.game.jokers_of(player), after.jokers_of(player)
        stands: dict[bool, Literal["unused", "pending"]] = {True: "unused", False: "pending"}
        return [
            {
                "name": joker,
                "title": JOKER_TITLES[joker],
                "state": stands[joker in left] if joker in unused else "used",
            }
            for joker in JOKERS
        ]

    def _hint(self) -> Message:
        tapped = self.turn.selection
        if self.turn.action == TERMINATOR:
            return message("Confirm, then throw all five again. The roll is yours alone.")
        if self.turn.action.startswith(CORRECTOR):
            return message("Confirm, then turn that die by hand. It counts for you alone.")
        if tapped.joker == CORRECTOR:
            if tapped.dice:
                return message("Choose the face that the die is turned to.")
            return message("Tap the die that you turn.")
        if tapped.joker == THREE:
            return self._triple_hint()
        if tapped.is_any:
            return message("Two dice make a pair. Tap a chosen die again to free it.")
        return message("Choose two pairs, or tap the dice. What blinks is not marked yet.")

    def _triple_hint(self) -> Message:
        """Return how a 3:1 is tapped: two pairs, then the die that goes over."""
        dice = self.turn.selection.dice
        if not dice and self.turn.action:
            return message("Confirm, or tap two pairs and the die that moves to the other pair.")
        if None in dice or len(dice) < PLACES:
            return message("Tap two pairs, then the die that moves to the other pair.")
        if self.turn.action:
            return message("Confirm, or tap another die to move that one instead.")
        return message("Tap the die that moves to the other pair.")

    def _describe_pairs(self, choice: PairChoice) -> Message:
        values = {"low": choice.low, "high": choice.high, "fifth": choice.fifth}
        if self._is_free(choice.fifth):
            return message("{low} and {high}, free roll: leave {fifth}", **values)
        return message("{low} and {high}, leave {fifth}", **values)

    def _describe_triple(self, choice: TripleChoice) -> Message:
        values = {"triple": choice.triple, "single": choice.single, "fifth": choice.fifth}
        if self._is_free(choice.fifth):
            return message(
                "{triple} with three dice, {single} with one, free roll: leave {fifth}", **values
            )
        return message("{triple} with three dice, {single} with one, leave {fifth}", **values)

    def _is_free(self, fifth: int) -> bool:
        """Return whether leaving out this die makes no mark in the fifth-die table."""
        assert self.turn.chooser is not None
        rows = self.game.sheet_of(self.turn.chooser).fifth
        return len(rows) == FIFTH_ROWS and fifth not in {row.face for row in rows}

    def _tapped_groups(self) -> dict[int, DieGroup]:
        """Return the dice by the pair that they were tapped into, or that they were sent to."""
        pairs, sent = self.turn.selection.dice[:PLACES], self.turn.selection.dice[PLACES:]
        groups: dict[int, DieGroup] = {}
        for place, index in enumerate(pairs):
            if index is not None:
                groups[index] = "a" if place < PLACES // 2 else "b"
        free = [index for index in range(len(self.turn.faces)) if index not in groups]
        if len(free) == 1:
            groups[free[0]] = "fifth"
        for index in sent:
            if index is not None:
                groups = _move_die(groups, index)
        return groups

    def _action_groups(self) -> Mapping[int, DieGroup]:
        faces = list(self.turn.faces)
        if self.turn.action == TERMINATOR:
            return dict.fromkeys(range(len(faces)), "thrown")
        if self.turn.action.startswith(CORRECTOR):
            old = parse_corrector(self.turn.action)[0]
            # Of equal dice the last one, as the tray marks it once it is to be turned.
            return {len(faces) - 1 - faces[::-1].index(old): "turn"}
        if classify_action(self.turn.action) == "three":
            three = find_triple_groups(faces, self.turn.action)
            return {**dict.fromkeys(three.triple, "a"), three.single: "b", three.fifth: "fifth"}
        pairs = find_pair_groups(faces, self.turn.action)
        return {**dict.fromkeys(pairs.a, "a"), **dict.fromkeys(pairs.b, "b"), pairs.fifth: "fifth"}


def _move_die(groups: Mapping[int, DieGroup], sent: int) -> dict[int, DieGroup]:
    """Return the groups after a die went to the other pair: three are `a`, the single is `b`."""
    mates = {index for index, group in groups.items() if group == groups[sent]} - {sent}
    return {
        index: "fifth" if group == "fifth" else "b" if index in mates else "a"
        for index, group in groups.items()
    }


@cache
def _sum_row(total: int, marks: int, then: int) -> SumRow:
    """Return a row, which is not changed: the sheets of a large field have the same few."""
    return {
        "sum": total,
        "value": VALUES[total],
        "marks": marks,
        "points": count_points(total, marks),
        "tone": _tone(marks),
        "pending": then - marks,
        "points_after": count_points(total, then),
        "tone_after": _tone(then),
    }


def _tone(marks: int) -> Tone:
    if marks == 0:
        return "none"
    if marks < PAR_MARKS:
        return "red"
    return "grey" if marks == PAR_MARKS else "green"


def _fifth_rows(now: ChoiceSheet, after: ChoiceSheet) -> list[FifthDieRowView]:
    rows: list[FifthDieRowView] = []
    for place in range(FIFTH_ROWS):
        marks = now.fifth[place].marks if place < len(now.fifth) else 0
        if place < len(after.fifth):
            then = after.fifth[place]
            rows.append({"face": then.face, "marks": marks, "pending": then.marks - marks})
        else:
            rows.append({"face": 0, "marks": 0, "pending": 0})
    return rows
