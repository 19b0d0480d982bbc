# SPDX-License-Identifier: MIT
"""
The games of a journal, replayed by the rules.

This takes the same steps as a restart of the table, so it follows every journal that a table
can restore. It also compares what an entry says with what the rules imply: results, undone
actions, and the roll that its dice make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.base.errors import IllegalActionError, InputError
from controller.journal.entries import RULED, STARTS, WITH_RESULT
from controller.journal.hashchain import Entry, Value
from controller.table.journal_entries import encode_result, restore_table, with_roll_link
from controller.table.reading_codec import decode_dice
from controller.table.state import Setup, TableState
from controller.table.undoing import find_undone
from controller.verify.claims.opponents import OpponentsCheck
from controller.verify.findings import Finding, FindingKind

# Keys that no rule needs: what is wrong with them is a claim here, or found by another check.
_WITHOUT_RULES = frozenset(
    {"doubts", "doubts_at", "panel", "picture", "reason", "result", "undone", "was"}
)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Something that an entry says, and what it must be."""

    name: str
    found: Value
    expected: Value
    rule: str = "what follows from the entries before it"


class ReplayCheck:
    """The replay of a journal's entries."""

    def __init__(self) -> None:
        self.games = 0  # Number of games so far, and so the number of the current one.
        self.rolls = 0
        self.dice_wanted = 0  # Number of dice of a full throw now; 0 before the first game.
        self._state = TableState()
        self._opponents = OpponentsCheck()
        self._has_stopped = False

    def add_entry(self, entry: Entry, *, line: int, is_sound: bool) -> Iterator[Finding]:
        """Replay the next entry of this line, from 1; not if it does not follow the one before."""
        if entry.kind == "game":
            self.games += 1
            self._state, self._has_stopped = (
                TableState(setup=Setup(known_players=self._state.setup.known_players)),
                False,
            )
        elif not is_sound:
            yield from self.stop_following(line)
        if entry.kind in STARTS:
            self._opponents.note_start(entry)
        self.rolls += entry.kind == "roll"
        if entry.kind in RULED | {"game"} and not self._has_stopped:
            yield from self._step(entry)

    def stop_following(self, line: int) -> Iterator[Finding]:
        """Stop the replay of the current game, since some of its entries are unknown."""
        if self._state.has_game and not self._has_stopped:
            what = f"game {self.games} is not replayed from here on, since the chain is broken"
            yield Finding(FindingKind.NOT_REPLAYED, what, line, game=self.games)
        self._has_stopped = True

    def _step(self, entry: Entry) -> Iterator[Finding]:
        before = self._state
        ruled = {key: value for key, value in entry.body.items() if key not in _WITHOUT_RULES}
        try:
            after = restore_table(before, [(entry.kind, ruled)])
            self._state = with_roll_link(after, entry)
            wrong = [
                said for said in self._list_claims(before, entry) if said.found != said.expected
            ]
        except (InputError, ArithmeticError, AttributeError, LookupError) as error:
            self._has_stopped = True
            yield _refusal_finding(entry, error)
            return
        yield from self._opponents.check_entry(entry, before)
        if self._state.play.position is not None:
            self.dice_wanted = len(self._state.play.polarities)
        for said in wrong:
            kind = FindingKind.RESULT if said.name == "result" else FindingKind.RULES
            yield Finding(
                kind,
                f"the {said.name} of this entry is not {said.rule}",
                expected=_format_value(said.expected),
                found=_format_value(said.found),
            )

    def _list_claims(self, before: TableState, entry: Entry) -> Iterator[_Claim]:
        body = entry.body
        if entry.kind in WITH_RESULT:
            game = self._state.play.position
            yield _Claim("result", body.get("result"), encode_result(game) if game else None)
        if entry.kind == "roll" and not body.get("by_hand"):
            rules = self._state.play.rules
            lying = sorted(rules.die_text(die.face, die.polarity) for die in decode_dice(body))
            rolled = sorted(rules.parse_roll(str(body["roll"])))
            yield _Claim("roll", rolled, lying, "that of its dice")
        if entry.kind == "undo":
            found = find_undone(before.play, str(body["by"]))
            yield _Claim("undo", body.get("do"), found.action.action if found else None)
            answers = [{"by": one.by, "do": one.action} for one in (found.answers if found else ())]
            yield _Claim("list of undone actions", body.get("undone", []), answers)
        if entry.kind == "correction":
            was = before.play.last_roll.roll if before.play.last_roll else None
            yield _Claim("roll before", body.get("was"), was)
            undone = [{"by": one.by, "do": one.action} for one in before.play.undoable]
            yield _Claim("list of undone actions", body.get("undone"), undone)


def _refusal_finding(entry: Entry, error: Exception) -> Finding:
    cause = error.__cause__
    expected, found = "", str(error)
    if isinstance(cause, IllegalActionError):
        expected = ", ".join(cause.expected) or "nothing"
        found = f"{cause.action} by {cause.player}, in {cause.state}"
    elif isinstance(cause, InputError):
        expected, found = cause.expected, cause.found
    return Finding(
        FindingKind.RULES,
        f"the rules do not allow this {entry.kind}; the rest of the game is not replayed",
        expected=expected,
        found=found,
    )


def _format_value(value: Value) -> str:
    """Format a value for people, in one line without brackets."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format_value(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return " ".join(_format_value(part) for part in value) or "nobody"
    return "nothing" if value is None else str(value)
