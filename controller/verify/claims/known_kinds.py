# SPDX-License-Identifier: MIT
"""
Kinds and keys of entries that `docs/proof.md` does not name.

They are notes: a later version may have written them, and they change nothing in a game. But
somebody may have put them there, and no other check looks at them. Each is reported once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.journal.entries import (
    KINDS,
    OUTDATED_KINDS,
    DoubtPlace,
    EntryDie,
    EntryLift,
    EntryOpponent,
    EntryReject,
    EntryResult,
    UndoneChoice,
    list_keys,
)
from controller.journal.hashchain import Entry
from controller.verify.findings import MAX_REPORTED, Finding, FindingKind

KNOWN_KEYS: Mapping[str, frozenset[str]] = {kind: list_keys(each) for kind, each in KINDS.items()}
"""The keys of each kind, without those of every entry."""

OBJECT_KEYS: Mapping[str, frozenset[str]] = {
    "lie": list_keys(EntryDie),
    "doubts_at": list_keys(DoubtPlace),
    "rejected": list_keys(EntryReject),
    "lifts": list_keys(EntryLift),
    "undone": list_keys(UndoneChoice),
    "opponents": list_keys(EntryOpponent),
    "result": list_keys(EntryResult),
}
"""The keys of the objects that an entry holds under these keys."""


class KnownKindsCheck:
    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def check_entry(self, entry: Entry) -> Iterator[Finding]:
        if entry.kind not in KINDS:
            if self._is_new(entry.kind, ""):
                what = "no kind of entry has this name, so its content was not checked"
                known = ", ".join(kind for kind in KINDS if kind not in OUTDATED_KINDS)
                yield Finding(FindingKind.UNKNOWN_KIND, what, expected=known, found=entry.kind)
            return
        for key in list_unknown_keys(entry):
            if self._is_new(entry.kind, key):
                what = f"an entry of the kind {entry.kind} has no such key, so it was not checked"
                known = ", ".join(sorted(KNOWN_KEYS[entry.kind]))
                yield Finding(FindingKind.UNKNOWN_KEY, what, expected=known, found=key)

    def _is_new(self, kind: str, key: str) -> bool:
        # A journal may hold any number of them; more than this would only fill memory.
        if (kind, key) in self._seen or len(self._seen) >= MAX_REPORTED:
            return False
        self._seen.add((kind, key))
        return True


def list_unknown_keys(entry: Entry) -> Iterator[str]:
    """Yield the unknown keys of an entry of a known kind, such as `wind` or `lie.weight`."""
    yield from sorted(set(entry.body) - KNOWN_KEYS[entry.kind])
    for key, known in OBJECT_KEYS.items():
        value = entry.body.get(key)
        objects = value if isinstance(value, list) else [value]
        names = {name for each in objects if isinstance(each, Mapping) for name in each}
        yield from sorted(f"{key}.{name}" for name in names - known)
