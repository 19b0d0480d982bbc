# SPDX-License-Identifier: MIT
"""
Kinds and keys of entries that `docs/proof.md` does not name.

They are notes: a later version may have written them, and they change nothing in a game. But
somebody may have put them there, and no other check looks at them. Each is reported once.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.journal.hashchain import Entry
from controller.verify.claims.entry_keys import ENTRY_KEYS, KNOWN_KEYS, list_unknown_keys
from controller.verify.findings import MAX_REPORTED, Finding, FindingKind


class KnownKindsCheck:
    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def check_entry(self, entry: Entry, *, line: int, game: int) -> Iterator[Finding]:
        at = (line, entry.seq, game)
        if entry.kind not in KNOWN_KEYS:
            if self._is_new(entry.kind, ""):
                what = "no kind of entry has this name, so its content was not checked"
                known = ", ".join(ENTRY_KEYS)
                yield Finding(FindingKind.UNKNOWN_KIND, what, *at, known, entry.kind)
            return
        for key in list_unknown_keys(entry):
            if self._is_new(entry.kind, key):
                what = f"an entry of the kind {entry.kind} has no such key, so it was not checked"
                known = ", ".join(sorted(KNOWN_KEYS[entry.kind]))
                yield Finding(FindingKind.UNKNOWN_KEY, what, *at, known, key)

    def _is_new(self, kind: str, key: str) -> bool:
        # A journal may hold any number of them; more than this would only fill memory.
        if (kind, key) in self._seen or len(self._seen) >= MAX_REPORTED:
            return False
        self._seen.add((kind, key))
        return True
