# SPDX-License-Identifier: MIT
"""
The requests of other programs: what answers one follows it, and has its dice.

Requests belong to no game, so the replay of the games says nothing about them. A table takes one
only while nothing is played, and plays nothing until it has ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.base.errors import InputError
from controller.games import GAMES
from controller.games.free_dice.notation import DICE_MOST
from controller.journal.entries import ENDS_A_REQUEST, WITH_RESULT
from controller.journal.hashchain import Entry
from controller.table.reading_codec import decode_dice
from controller.table.requested_dice import FREE_DICE
from controller.verify.findings import Finding, FindingKind

OUTCOMES = ("withdrawn", "refused", "expired")
_BEGINS_PLAY = frozenset({"game", "continued", "undo"})
_ENDS_PLAY = frozenset({"closed", "parked"})
_PLAYS = _BEGINS_PLAY | _ENDS_PLAY | WITH_RESULT


class RequestsCheck:
    def __init__(self) -> None:
        # Number of dice of the open request, also at its answer; 0 without one.
        self.dice_wanted = 0
        self._request: Entry | None = None
        self._is_played = False
        self._knows_before = True

    def forget(self) -> None:
        """Follow no further: an entry is missing or broken, so what came before is unknown."""
        self._request, self._is_played, self._knows_before = None, False, False

    def check_entry(self, entry: Entry) -> Iterator[Finding]:
        if entry.kind == "request":
            yield from self._check_request(entry)
        elif entry.kind in ENDS_A_REQUEST:
            yield from self._check_end(entry)
        elif self._request is None:
            self.dice_wanted = 0
        if entry.kind in _PLAYS:
            yield from self._follow_play(entry)

    def _check_request(self, entry: Entry) -> Iterator[Finding]:
        dice = entry.body.get("dice")
        if self._request is not None:
            what = f"the request of entry {self._request.seq} is still open at this request"
            yield Finding(FindingKind.RULES, what)
        elif self._is_played:
            yield Finding(FindingKind.RULES, "a game is played at this request")
        if type(dice) is not int or not 1 <= dice <= DICE_MOST:
            what = "this request asks for a number of dice that no table takes"
            yield Finding(FindingKind.RULES, what, expected=f"1 to {DICE_MOST}", found=str(dice))
        self.dice_wanted = dice if type(dice) is int else 0
        self._request, self._knows_before = entry, True

    def _check_end(self, entry: Entry) -> Iterator[Finding]:
        request, self._request = self._request, None
        if request is None:
            if self._knows_before:
                what = f"no request is open before this {entry.kind}"
                yield Finding(FindingKind.RULES, what)
        elif entry.kind == "answer":
            yield from self._check_answer(entry, request)
        elif entry.body.get("outcome") not in OUTCOMES:
            what, found = "no request ends like this", str(entry.body.get("outcome"))
            yield Finding(FindingKind.RULES, what, expected=", ".join(OUTCOMES), found=found)

    def _check_answer(self, entry: Entry, request: Entry) -> Iterator[Finding]:
        try:
            faces = sorted(GAMES[FREE_DICE].parse_roll(str(entry.body["roll"])))
            read = sorted(str(die.face) for die in decode_dice(entry.body))
        except (InputError, LookupError, TypeError, ValueError, ArithmeticError) as error:
            yield Finding(FindingKind.RULES, "this answer is no roll", found=str(error))
            return
        by, name = str(entry.body.get("by")), str(request.body.get("for"))
        if by != name:
            what = "the answer is of another person than its request asks"
            yield Finding(FindingKind.RULES, what, expected=name, found=by)
        if len(faces) != self.dice_wanted:
            what = "the answer has another number of dice than its request"
            expected, found = str(self.dice_wanted), str(len(faces))
            yield Finding(FindingKind.RULES, what, expected=expected, found=found)
        if not entry.body.get("by_hand") and [face[-1] for face in faces] != read:
            what = "the roll of this answer is not that of its dice"
            yield Finding(FindingKind.RULES, what, expected=" ".join(read), found=" ".join(faces))

    def _follow_play(self, entry: Entry) -> Iterator[Finding]:
        if self._request is not None:
            what = f"the request of entry {self._request.seq} is still open at this {entry.kind}"
            yield Finding(FindingKind.RULES, what)
            self._request = None
        is_over = entry.kind in WITH_RESULT and entry.body.get("result") is not None
        self._is_played = entry.kind not in _ENDS_PLAY and not is_over
