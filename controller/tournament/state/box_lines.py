# SPDX-License-Identifier: MIT
"""
What an event reads in the journal of one table: rolls, what is doubtful about them, results.

A table's journal may hold anything, so every value is checked before it is used; an odd line
changes nothing here. Only the newest plain rolls are kept in memory. Doubtful ones are few, and
are all kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from controller.journal.hashchain import Entry, Value
from controller.tournament.entries.fields import Source

Concern: TypeAlias = Literal["corrected", "by_hand", "doubted", "review"]

MOST_ROLLS = 64
MOST_ENDS = 64
LEAST_SEED_DICE = 5  # Five dice have 252 rolls, two have 21.

_SHARED_DICE = re.compile(r"[1-6]{5}")
_PRIVATE = ("terminator", "corrector ")
_WHOLE = "throw"  # The action of Just dice that throws all dice.
_PARTIAL = "again"  # The action of Just dice that leaves some dice as they lay.

_GAMES_OF_ROLLS = ("choice", "dice")


@dataclass(frozen=True, slots=True)
class ThrownRoll:
    """A roll in a table's journal."""

    seq: int
    link: str
    source: Source  # The line that says its faces: its own, or that of its correction.
    faces: str  # The faces, as they count at the table, in ascending order.
    is_shared: bool  # Whether it is five dice for everybody.
    may_seed: bool  # Whether it may decide an announced draw: enough dice, all thrown and read.
    picture: str  # The digest of its picture; empty without one.


@dataclass(frozen=True, slots=True)
class RollConcern:
    """Something about a roll that an official should decide on."""

    concern: Concern
    cause: Source
    roll_link: str  # The link of the line of the roll.
    was: str  # The faces before a correction, else those of the roll.
    faces: str  # The faces by the table now.
    by: str  # Who entered, corrected or asked; empty if that is not known.
    reason: str
    picture: str


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game at a table that counts there, with the totals of its players by name."""

    source: Source
    at_ms: int
    game: str
    totals: Mapping[str, int]
    losers: tuple[str, ...]


class BoxLines:
    """The journal of one table as it comes in."""

    def __init__(self, box: str) -> None:
        self.concerns: list[RollConcern] = []
        self.ends: list[GameEnd] = []
        self.calls: list[Source] = []  # The lines that called an official of this event.
        self._ended: set[str] = set()  # The links of reviews that the table ended.
        self._box = box
        self._next_seq = 0
        self._game = ""
        self._counts = True
        self._private: set[str] = set()
        self._is_partial = False
        self._rolls: dict[int, ThrownRoll] = {}

    def apply(self, entry: Entry) -> None:
        """Read one line; odd ones and those that were read already change nothing."""
        if entry.seq < self._next_seq:
            return
        self._next_seq = entry.seq + 1
        body = entry.body
        match entry.kind:
            case "game":
                self._game = _text(body.get("game"))
                self._counts = not (body.get("opponents") or body.get("hints"))
                self._private.clear()
                self._is_partial = False
            case "action" | "undo":
                self._note_action(entry)
            case "roll" | "answer":
                self._add_roll(entry)
            case "correction":
                self._correct_roll(entry)
            case "joined":
                self.calls = []
            case "called":
                # An official who comes for the newest has come for those before it.
                self.calls = [Source(self._box, entry.seq, entry.link)]
            case "review":
                self._note_review(entry)
            case "reviewed":
                reviews = (each for each in self.concerns if each.concern == "review")
                self._ended.update(each.cause.link for each in reviews)
        self._note_end(entry)

    @property
    def next_seq(self) -> int:
        """The number of the next line of the journal."""
        return self._next_seq

    def list_open(self, decided: Collection[str]) -> list[RollConcern]:
        """
        Return what waits for a decision, with the faces that the table gives each roll now.

        Args:
            decided: The links of the lines that officials decided on. A decision ends everything
                that was asked about the same roll before.
        """
        newest = {each.roll_link: each.faces for each in self.concerns}
        return [
            replace(each, faces=newest[each.roll_link])
            for each in self.concerns
            if each.cause.link not in self._ended and not self.is_decided(each.cause, decided)
        ]

    def is_decided(self, cause: Source, decided: Collection[str]) -> bool:
        """Return whether officials decided on a line, or on a later one about the same roll."""
        if cause.link in decided:
            return True
        rolls = {each.roll_link for each in self.concerns if each.cause.link == cause.link}
        return any(
            each.cause.link in decided and each.cause.seq > cause.seq and each.roll_link in rolls
            for each in self.concerns
        )

    def find_roll(self, seq: int) -> ThrownRoll | None:
        """Return a roll by its line or that of its correction; None if it is not in memory."""
        roll = self._rolls.get(seq)
        if roll is not None:
            return roll
        return next((each for each in self._rolls.values() if each.source.seq == seq), None)

    def list_shared_after(self, seq: int) -> Iterator[ThrownRoll]:
        """Yield the rolls for everybody whose lines are beyond this number, oldest first."""
        return (each for each in self._rolls.values() if each.seq > seq and each.is_shared)

    def list_seeds_from(self, seq: int) -> Iterator[ThrownRoll]:
        """Yield the rolls from this line on that may decide an announced draw, oldest first."""
        return (each for each in self._rolls.values() if each.seq >= seq and each.may_seed)

    @property
    def newest(self) -> ThrownRoll | None:
        """The newest roll, which may seed a draw of an old event; None before the first."""
        return next(reversed(self._rolls.values()), None)

    def _note_action(self, entry: Entry) -> None:
        by, do = _text(entry.body.get("by")), _text(entry.body.get("do"))
        if entry.kind == "action" or do == _PARTIAL:
            # An undo of something else leaves a partial throw announced.
            self._is_partial = entry.kind == "action" and do == _PARTIAL
        if do.startswith(_PRIVATE):
            if entry.kind == "action":
                self._private.add(by)
            else:
                self._private.discard(by)

    def _add_roll(self, entry: Entry) -> None:
        body = entry.body
        faces = "".join(sorted(re.findall("[1-6]", _text(body.get("roll")))))
        if not faces:
            return
        by = _text(body.get("by"))
        is_private = by in self._private or self._is_partial or body.get("held") == _PARTIAL
        self._private.discard(by)
        self._is_partial = False
        is_of_game = self._counts and not is_private and self._game in _GAMES_OF_ROLLS
        is_shared = entry.kind == "answer" or is_of_game
        source = Source(self._box, entry.seq, entry.link)
        by_hand, doubts = _text(body.get("by_hand")), _texts(body.get("doubts"))
        is_held = is_private or _text(body.get("held")) not in ("", _WHOLE)
        roll = ThrownRoll(
            entry.seq,
            entry.link,
            source,
            faces,
            is_shared and _SHARED_DICE.fullmatch(faces) is not None,
            len(faces) >= LEAST_SEED_DICE and not by_hand and not is_held,
            _text(body.get("picture")),
        )
        self._rolls[entry.seq] = roll
        if len(self._rolls) > MOST_ROLLS:
            del self._rolls[next(iter(self._rolls))]
        if by_hand:
            reason = _text(body.get("reason")) or "; ".join(doubts)
            self._add_concern("by_hand", source, roll, by_hand, reason)
        elif doubts:
            self._add_concern("doubted", source, roll, "", "; ".join(doubts))

    def _correct_roll(self, entry: Entry) -> None:
        last, body = self.newest, entry.body
        faces = "".join(sorted(re.findall("[1-6]", _text(body.get("roll")))))
        if last is None or len(faces) != len(last.faces):
            return
        self._private.clear()
        source = Source(self._box, entry.seq, entry.link)
        corrected = replace(last, faces=faces, source=source, may_seed=False)
        self._rolls[last.seq] = corrected
        by, reason = _text(body.get("by")), _text(body.get("reason"))
        self._add_concern("corrected", source, corrected, by, reason, was=last.faces)

    def _note_review(self, entry: Entry) -> None:
        last = self.newest
        if last is not None:
            source = Source(self._box, entry.seq, entry.link)
            self._add_concern("review", source, last, _text(entry.body.get("by")), "")

    def _add_concern(
        self,
        concern: Concern,
        cause: Source,
        roll: ThrownRoll,
        by: str,
        reason: str,
        *,
        was: str = "",
    ) -> None:
        self.concerns.append(
            RollConcern(
                concern, cause, roll.link, was or roll.faces, roll.faces, by, reason, roll.picture
            )
        )

    def _note_end(self, entry: Entry) -> None:
        result = entry.body.get("result")
        if not self._counts or not isinstance(result, Mapping):
            return
        if entry.kind not in ("roll", "action", "correction"):
            return
        totals, losers = result.get("totals"), result.get("losers")
        if not isinstance(totals, Mapping):
            return
        counted = {str(name): total for name, total in totals.items() if isinstance(total, int)}
        source = Source(self._box, entry.seq, entry.link)
        self.ends.append(GameEnd(source, entry.at_ms, self._game, counted, _texts(losers)))
        del self.ends[:-MOST_ENDS]


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Value) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(each for each in value if isinstance(each, str))
