# SPDX-License-Identifier: MIT
"""
Check the entries in which the table itself reports a change of its journal.

A rollback entry carries the checkpoint that the table had signed, so it is evidence against
the entries before it. Without the key it cannot be forged, and the owner would not write it.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.base.errors import InputError
from controller.journal.checkpoint import Checkpoint, decode_key, parse_checkpoint
from controller.journal.continuity.restore_marker import RESTORED
from controller.journal.continuity.signing_memory import MEMORY_LOST, OLDER, ROLLBACK
from controller.journal.hashchain import Body, Entry
from controller.journal.tlog.kept_checkpoints import is_kept_signed
from controller.verify.findings import Finding, FindingKind


def check_disclosure(entry: Entry, *, line: int) -> Iterator[Finding]:
    """Report an entry about the journal itself; it concerns every game, so it names none."""
    if entry.kind == ROLLBACK:
        yield _report_rollback(entry, line)
    elif entry.kind == RESTORED:
        made_at = str(entry.body.get("made_at", ""))
        what = f"the data was restored from a backup of {made_at or 'an unknown time'}"
        yield Finding(FindingKind.RESTORED, what, line, entry.seq)
    elif entry.kind == MEMORY_LOST:
        what = "at this start the table did not remember what it had signed"
        yield Finding(FindingKind.MEMORY_LOST, what, line, entry.seq)


def _report_rollback(entry: Entry, line: int) -> Finding:
    size = entry.body.get("size")
    if entry.body.get("how") == OLDER:
        what = f"the table had signed {size} entries, and the journal ended before that"
    else:
        what = f"the table had signed {size} other entries than those before this one"
    signed = _find_signed(entry.body)
    proof = "" if signed else "The checkpoint in this entry is not signed by the key it names."
    expected = f"{signed.size} entries with root {signed.root.hex()}" if signed else ""
    return Finding(
        FindingKind.ROLLED_BACK, what, line, entry.seq, expected=expected, neighbours=proof
    )


def _find_signed(body: Body) -> Checkpoint | None:
    """Return the checkpoint in a rollback's entry; `None` unless its key signed it."""
    try:
        signed, key = parse_checkpoint(str(body.get("signed"))), decode_key(body)
    except InputError:
        return None
    if not isinstance(signed, Checkpoint):
        return None
    return signed if is_kept_signed(signed, key) else None
