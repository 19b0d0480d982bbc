# SPDX-License-Identifier: MIT
"""
The requests of other programs: what answers one follows it, and has its dice.

Requests belong to no game, so the replay of the games says nothing about them.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.errors import InputError
from controller.games import GAMES
from controller.journal.hashchain import Entry
from controller.table.reading_codec import decode_dice
from controller.table.requested_dice import FREE_DICE
from controller.verify.findings import Finding, FindingKind


class RequestsCheck:
    """
    The check of the requests.

    Attributes:
        dice_wanted: Number of dice of the open request, also at its answer; 0 without one.
    """

    def __init__(self) -> None:
        self.dice_wanted = 0
        self._is_over = True

    def check_entry(self, entry: Entry, *, line: int, game: int) -> Iterator[Finding]:
        at = (line, entry.seq, game)
        if entry.kind == "request":
            dice = entry.body.get("dice")
            self.dice_wanted, self._is_over = dice if isinstance(dice, int) else 0, False
        elif entry.kind in ("answer", "request_ended"):
            if self._is_over:
                what = f"no request is open before this {entry.kind}"
                yield Finding(FindingKind.RULES, what, *at)
            elif entry.kind == "answer":
                yield from self._check_answer(entry, at)
            self._is_over = True
        elif self._is_over:
            self.dice_wanted = 0

    def _check_answer(self, entry: Entry, at: tuple[int, int, int]) -> Iterator[Finding]:
        try:
            faces = sorted(GAMES[FREE_DICE].parse_roll(str(entry.body["roll"])))
            read = sorted(str(die.face) for die in decode_dice(entry.body))
        except (InputError, LookupError, TypeError, ValueError) as error:
            yield Finding(FindingKind.RULES, "this answer is no roll", *at, found=str(error))
            return
        if len(faces) != self.dice_wanted:
            what = "the answer has another number of dice than its request"
            expected, found = str(self.dice_wanted), str(len(faces))
            yield Finding(FindingKind.RULES, what, *at, expected, found)
        if not entry.body.get("by_hand") and [face[-1] for face in faces] != read:
            what = "the roll of this answer is not that of its dice"
            yield Finding(FindingKind.RULES, what, *at, " ".join(read), " ".join(faces))
