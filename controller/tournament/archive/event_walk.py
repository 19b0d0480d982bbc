# SPDX-License-Identifier: MIT
"""
The check of an event's own journal: chain, signatures, and the event computed again from it.

Every entry is applied as it was when it was written, by the same rules: who may do what and when,
the draw that follows from its dice, the standings of the result. One that does not follow from
those before it is reported, and the event continues without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from controller.base.errors import InputError
from controller.coach.coaches import find_coach
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import Entry
from controller.journal.journal import GENESIS
from controller.journal.tlog.kept_checkpoints import KeptCheckpoint
from controller.tournament.archive.line_claims import LineClaim, read_claim
from controller.tournament.entries.codec import KINDS, EventEntry, decode_entry_body
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.entries.game_entries import CostsFound, RollRuling
from controller.tournament.results.play_costs.costs_codec import HUNDREDTHS
from controller.tournament.results.play_costs.field_costs import judge_game
from controller.tournament.state.event_data import EventData
from controller.tournament.state.state import EventState
from controller.verify.findings import Finding, FindingKind, Findings
from controller.verify.signatures import SignatureCheck
from controller.verify.untrusted_files import iter_lines_limited
from controller.verify.verify import JournalWalk

_MARGIN = 0.02
"""
Points by which a cost may differ on another machine: the last digits of a net depend on it.

Costs below a limit count as none. So a sum is held between the one with a slightly higher limit
and the one with a slightly lower limit.
"""
_OF_EVERY_JOURNAL = frozenset({GENESIS, "key", CHECKPOINT})


@dataclass(slots=True)
class EventReport:
    """The result of checking an event's own journal."""

    findings: Findings
    state: EventState
    signatures: SignatureCheck  # Its checkpoints; the tree is that of all lines.
    claims: list[LineClaim] = field(default_factory=list)  # What it says of lines of tables.
    # The root at each checkpoint in it that fits, by size.
    roots: dict[int, bytes] = field(default_factory=dict)

    @property
    def lines(self) -> int:
        return self.signatures.tree.size

    def name_of(self, key: str) -> str:
        """Return the name of the table that has or had a key; empty if there is none."""
        table = self.state.data.boxes.find(key)
        return table.name if table else ""


def check_event(path: Path, kept: Iterable[KeptCheckpoint], key: bytes | None) -> EventReport:
    """Check an event's journal, by a known key if any; InputError for a format, or OSError."""
    walk = _EventWalk(path, SignatureCheck(list(kept), key))
    with open(path, "rb") as file:
        walk.read(iter_lines_limited(file))
    walk.end()
    if not walk.report.lines:
        what = "the journal of the event is empty"
        walk.add([Finding(FindingKind.MISSING, what)])
    return walk.report


class _EventWalk(JournalWalk):
    def __init__(self, path: Path, signatures: SignatureCheck) -> None:
        super().__init__(path, signatures)
        self._has_stopped = False
        self._unknown: set[str] = set()
        self.report = EventReport(self.findings, EventState(), signatures)

    def check_line(self, raw: bytes) -> Iterator[Finding]:
        signatures = self.signatures
        entry, is_sound = self.chain.add_line(raw, game=0)
        line = self.chain.lines
        if entry is not None and entry.kind == CHECKPOINT:
            self.report.roots[signatures.tree.size] = signatures.tree.root()
        yield from self.locate(entry, signatures.add_line(raw, entry))
        if entry is None or not is_sound:
            if not self._has_stopped:
                self._has_stopped = True
                what = "the event is not computed from here on, because the chain is broken"
                yield Finding(FindingKind.NOT_REPLAYED, what, line)
            return
        if line == 1:
            yield from self.check_first(entry)
        if entry.kind not in KINDS:
            yield from self.locate(entry, self._check_unknown(entry))
        elif not self._has_stopped:
            yield from self.locate(entry, self._check_entry(entry))

    def _check_unknown(self, entry: Entry) -> Iterator[Finding]:
        if entry.kind not in _OF_EVERY_JOURNAL | self._unknown and len(self._unknown) < 100:
            self._unknown.add(entry.kind)
            what = "no kind of entry has this name, so its content was not checked"
            known = ", ".join(KINDS)
            yield Finding(FindingKind.UNKNOWN_KIND, what, expected=known, found=entry.kind)

    def _check_entry(self, entry: Entry) -> Iterator[Finding]:
        state = self.report.state
        try:
            said = decode_entry_body(entry)
        except InputError as error:
            yield _refusal_finding(entry, error)
            return
        assert said is not None, "its kind is known"
        claim = read_claim(entry.seq, said, state.data)
        if claim is not None:
            self.report.claims.append(claim)
        if isinstance(said, RollRuling) and said.cause is None:
            what = "this ruling names no line of a table as its cause"
            yield Finding(FindingKind.NO_CAUSE, what, found=said.reason)
        try:
            state.apply(entry)
        except InputError as error:
            yield self._explain_refusal(entry, said, error)
            return
        if isinstance(said, CostsFound):
            yield from _check_costs(state.data, said)

    def _explain_refusal(self, entry: Entry, said: EventEntry, error: InputError) -> Finding:
        data = self.report.state.data
        if not isinstance(said, EventResult) or data.begun is None or data.result is not None:
            return _refusal_finding(entry, error)
        places = self.report.state.compute_standings().list_places()
        rows = zip_longest(places, said.places)
        different = next((map(_format_place, row) for row in rows if row[0] != row[1]), None)
        if different is None:
            return _refusal_finding(entry, error)
        what = "the standings of this entry are not those that the event gives"
        expected, found = different
        return Finding(FindingKind.STANDINGS, what, expected=expected, found=found)


def _refusal_finding(entry: Entry, error: InputError) -> Finding:
    return Finding(
        FindingKind.REFUSED,
        f"the entries before do not allow this {entry.kind}",
        expected=str(error.expected),
        found=str(error.found),
        neighbours=f"It is about {error.where.rpartition(', ')[2]}." if error.where else "",
    )


def _format_place(row: Sequence[int] | None) -> str:
    if row is None:
        return "no further player"
    return f"player {row[0]} at place {row[1]} with {row[2]}"


def _check_costs(data: EventData, said: CostsFound) -> Iterator[Finding]:
    """Let the coach judge the choices of a game again, right after the entry about them."""
    event, game = data.event, data.games[said.game - 1]
    coach = find_coach(event.game, event.options)
    if coach is None or coach.weights != said.weights:
        what = "these costs are not computed again, since this program has other weights"
        known, kind = coach.weights if coach else "none", FindingKind.COSTS_UNCHECKED
        yield Finding(kind, what, game=said.game, expected=said.weights, found=known)
        return
    least, most = (
        judge_game(coach, event, game, coach.equal_below + margin) for margin in (_MARGIN, -_MARGIN)
    )
    for player, choices, cost in said.costs:
        rounding = 1 + choices * _MARGIN * HUNDREDTHS
        lowest = HUNDREDTHS * sum(least[player].values()) - rounding
        highest = HUNDREDTHS * sum(most[player].values()) + rounding
        if not lowest <= cost <= highest:
            name = data.people.find(player).name
            what = f"the choices of {name} did not cost what this entry says"
            expected, found = f"{lowest:.0f} to {highest:.0f} hundredths", str(cost)
            yield Finding(FindingKind.COSTS, what, game=said.game, expected=expected, found=found)
