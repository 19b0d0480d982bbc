# SPDX-License-Identifier: MIT
"""
The comparison of the journals with each other, once each of them was checked alone.

The event names lines of its tables, tables change their keys, and tables cosign what they saw of
the event's own journal. Each finding stands where the claim is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from controller.base.errors import InputError
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    derive_origin,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.cosignature import find_cosignature
from controller.journal.tlog.signed_note import parse_note
from controller.tournament.archive.event_walk import EventReport
from controller.tournament.archive.layout import SEEN_FILE, ArchiveManifest
from controller.tournament.archive.line_claims import CAUSES, LineClaim, LineFacts
from controller.tournament.archive.table_check import TableReport
from controller.tournament.entries.fields import Source
from controller.verify.findings import Finding, FindingKind

Tables = Mapping[str, TableReport]


def check_claims(event: EventReport, tables: Tables) -> Iterator[Finding]:
    """Compare what the event says of lines of its tables with these lines."""
    for claim in event.claims:
        for finding in _check_claim(claim, event, tables):
            yield replace(finding, line=claim.seq + 1, seq=claim.seq)


def _check_claim(claim: LineClaim, event: EventReport, tables: Tables) -> Iterator[Finding]:
    found = [_find_line(claim, source, event, tables) for source in claim.sources]
    yield from (each for each in found if isinstance(each, Finding))
    facts = [each for each in found if isinstance(each, LineFacts)]
    if len(facts) == len(found):
        yield from _compare(claim, facts)
    if claim.seeds_from is not None:
        yield from _find_left_out(claim, claim.seeds_from, tables)


def check_listed(event: EventReport, manifest: ArchiveManifest) -> Iterator[Finding]:
    """Find journals that are missing, shorter than the archive says, or of another key."""
    listed = {table.key: table for table in manifest.tables}
    for key in event.state.data.boxes.list_keys():
        if key not in listed:
            what = f"the journal of {event.name_of(key) or key[:16]} is not in the archive"
            yield Finding(FindingKind.MISSING, what, expected=f"a journal with the key {key}")
    keys = [key.hex() for key in event.signatures.keys]
    if keys[-1:] != [manifest.event.key]:
        what = "the journal of the event names another key than the one that the archive lists"
        found = ", ".join(keys) or "none"
        yield Finding(FindingKind.KEY, what, expected=manifest.event.key, found=found)
    if event.lines != manifest.event.lines:
        yield _length_finding("of the event", manifest.event.lines, event.lines)


def check_length(table: TableReport, lines: int) -> Iterator[Finding]:
    """Compare the length of a table's journal with the one that the archive lists."""
    if not any(each.kind is FindingKind.DAMAGED for each in table.findings):
        if table.lines != lines:
            yield _length_finding("of this table", lines, table.lines)


def check_keys(event: EventReport, table: TableReport) -> Iterator[Finding]:
    """Find keys that a table's journal names and that no entry of the event accepts."""
    if not table.keys:
        return
    newest, seq = table.keys[-1]
    if newest != table.key:
        what = "the journal names a newer key than the one that the event knows this table by"
        yield Finding(FindingKind.KEY, what, seq + 1, seq, 0, table.key, newest)
    after = next((line for key, line in table.keys if key == table.key), seq)
    for key, _ in table.keys:
        if key != table.key and not _is_accepted(event, key, table.key):
            what = "the table changed its key, and no entry of the event accepts the new one"
            yield Finding(FindingKind.KEY, what, after + 1, after, 0, key, table.key)


def check_own_note(event: EventReport, content: bytes, key: bytes) -> Iterator[Finding]:
    """Compare the note beside the event's own journal with it; `key` is the event's, 32 bytes."""
    try:
        note = parse_note(content)
        head = parse_tree_head(note)
    except InputError as error:
        what = "the checkpoint beside the journal of the event cannot be read"
        yield Finding(FindingKind.SIGNATURE, what, found=str(error))
        return
    if not is_signed_by(note, derive_origin(key), key):
        what = "the checkpoint beside the journal of the event is not signed by its key"
        yield Finding(FindingKind.SIGNATURE, what, expected=f"a signature by {key.hex()}")
    elif finding := _compare_head(event, head, "the event signed"):
        yield finding


def check_witnessed(event: EventReport, table: TableReport) -> Iterator[Finding]:
    """Compare the checkpoints of the event in a table's journal with the event's journal."""
    for head, seq in table.witnessed:
        if finding := _compare_head(event, head, "this table saw and cosigned"):
            yield replace(finding, line=seq + 1, seq=seq)
            # Every later checkpoint covers the same entries, and says no more.
            return


def check_seen(
    event: EventReport, table: TableReport, content: bytes | None, event_key: str
) -> Iterator[Finding]:
    """Compare the event's checkpoint that a table cosigned last, if any, with the event."""
    if content is None:
        yield _explain_no_witness(table)
        return
    try:
        note = parse_note(content)
        head = parse_tree_head(note)
    except InputError as error:
        what = "the checkpoint of the event that this table cosigned cannot be read"
        yield Finding(FindingKind.COSIGNATURE, what, found=str(error))
        return
    public = bytes.fromhex(table.key)
    is_of_event = head.origin == derive_origin(bytes.fromhex(event_key))
    if not is_of_event or find_cosignature(note, derive_origin(public), public) is None:
        what = "this table did not cosign the checkpoint that the archive says it did"
        yield Finding(FindingKind.COSIGNATURE, what, expected=f"a cosignature by {table.key}")
    elif finding := _compare_head(event, head, "this table saw and cosigned"):
        yield finding


def _explain_no_witness(table: TableReport) -> Finding:
    if table.is_witness:
        what = f"the archive lacks {SEEN_FILE}: what this table cosigned last of the event"
        return Finding(FindingKind.COSIGNATURE, what)
    what = "this table has cosigned nothing of the event, so it does not show a rewritten one"
    if table.witnessed and table.contacts:
        size = table.witnessed[-1][0].size
        what = f"this table saw {size} entries of the event, and no cosignature of it has arrived"
    return Finding(FindingKind.NO_WITNESS, what)


def _compare_head(event: EventReport, head: TreeHead, who: str) -> Finding | None:
    if head.size >= event.lines:
        what = f"{who} {head.size} entries of the event, and its journal ends before that"
        expected, found = f"more than {head.size} entries", f"{event.lines} entries"
        return Finding(FindingKind.TRUNCATED, what, expected=expected, found=found)
    root = event.roots.get(head.size)
    if root == head.root:
        return None
    what = f"{who} {head.size} entries of the event that are not those of its journal"
    found = f"root {root.hex()}" if root else "no checkpoint there"
    return Finding(FindingKind.REWRITTEN, what, expected=f"root {head.root.hex()}", found=found)


def _find_line(
    claim: LineClaim, source: Source, event: EventReport, tables: Tables
) -> LineFacts | Finding | None:
    """Return the line that an entry rests on, or why there is none; None if it is unknown."""
    kind = FindingKind.CAUSE if claim.is_cause else FindingKind.SOURCE
    name = event.name_of(source.box) or source.box[:16]
    table = tables.get(source.box)
    if table is None:
        what = f"this {claim.kind} rests on a line of a table that is not in the archive"
        return Finding(kind, what, expected="a table of the event", found=source.box)
    facts = table.facts.get(source.seq)
    if facts is not None and facts.link == source.link:
        return facts
    if facts is None and source.seq < table.lines:
        # Beyond a break of that chain, which is reported there.
        return None
    if facts is None:
        if any(each.kind is FindingKind.DAMAGED for each in table.findings):
            return None
        what = f"this {claim.kind} rests on entry {source.seq} of {name}, which does not exist"
        return Finding(kind, what, found=f"a journal of {table.lines} entries")
    what = f"this {claim.kind} rests on another entry {source.seq} of {name} than the one there"
    return Finding(kind, what, expected=f"link {source.link}", found=f"link {facts.link}")


def _compare(claim: LineClaim, facts: list[LineFacts]) -> Iterator[Finding]:
    kinds = ", ".join(each.kind for each in facts)
    if claim.is_cause:
        if not all(each.kind in CAUSES for each in facts):
            what = f"the cause of this {claim.kind} is no roll, and nothing about one"
            yield Finding(FindingKind.CAUSE, what, expected=", ".join(CAUSES), found=kinds)
        return
    thrown = "".join(each.faces for each in facts)
    if claim.faces and thrown != claim.faces:
        what = f"the faces of this {claim.kind} are not those of the table"
        found = thrown or f"no roll: {kinds}"
        yield Finding(FindingKind.SOURCE, what, expected=found, found=claim.faces)
    elif claim.is_shared and not all(each.is_shared for each in facts):
        what = f"the line of this {claim.kind} is no roll of five dice for everybody"
        yield Finding(FindingKind.SOURCE, what, found=kinds)
    elif claim.seeds_from is not None and not all(each.may_seed for each in facts):
        what = f"a roll of this {claim.kind} may not decide it"
        expected = "five dice or more, all of them thrown and read by the camera"
        yield Finding(FindingKind.SOURCE, what, expected=expected, found=kinds)
    if claim.totals is not None:
        yield from _compare_totals(claim, facts[0])


def _find_left_out(claim: LineClaim, since: int, tables: Tables) -> Iterator[Finding]:
    """Find rolls between those of an announced draw that should have decided it."""
    used = {source.seq for source in claim.sources}
    table = tables.get(claim.sources[-1].box)
    seeds = table.seeds if table else set()
    left_out = sorted(seq for seq in seeds - used if since <= seq < max(used))
    if left_out:
        what = f"this {claim.kind} leaves out a roll of the table, entry {left_out[0]}"
        expected = "the next rolls after the announcement"
        yield Finding(FindingKind.SOURCE, what, expected=expected, found="others")


def _compare_totals(claim: LineClaim, facts: LineFacts) -> Iterator[Finding]:
    assert claim.totals is not None
    if facts.totals is None:
        what = f"the line of this {claim.kind} ended no game that counts"
        yield Finding(FindingKind.SOURCE, what, found=facts.kind)
    elif dict(facts.totals) != dict(claim.totals):
        what = f"the points of this {claim.kind} are not those of the table"
        expected, found = _format_totals(facts.totals), _format_totals(claim.totals)
        yield Finding(FindingKind.SOURCE, what, expected=expected, found=found)
    elif claim.losers is not None and claim.losers != frozenset(facts.losers):
        what = f"the losers of this {claim.kind} are not those of the table"
        expected, found = (", ".join(sorted(each)) for each in (facts.losers, claim.losers))
        yield Finding(FindingKind.SOURCE, what, expected=expected, found=found)
    if 0 < claim.until_ms < facts.at_ms:
        what = f"the game of this {claim.kind} ended after the clock of its round"
        expected, found = f"{claim.until_ms} or before", str(facts.at_ms)
        yield Finding(FindingKind.SOURCE, what, expected=expected, found=found)


def _is_accepted(event: EventReport, old: str, new: str) -> bool:
    """Return whether the event let a table go on with another key, or never knew the old one."""
    boxes = event.state.data.boxes
    if boxes.find(old) is None or boxes.is_same(old, new):
        return True
    # The organiser accepts a new key for a name that another key has.
    return event.name_of(new) == event.name_of(old) != ""


def _format_totals(totals: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {points}" for name, points in sorted(totals.items()))


def _length_finding(whose: str, expected: int, found: int) -> Finding:
    what = f"the journal {whose} has not as many entries as the archive lists"
    return Finding(FindingKind.MISSING, what, expected=str(expected), found=str(found))
