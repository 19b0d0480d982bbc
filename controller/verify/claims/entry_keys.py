# SPDX-License-Identifier: MIT
"""
The kinds of entries that tables write, and the keys of each.

`docs/proof.md` describes them all; a test compares both. An entry with another kind or key still
counts in the chain and changes nothing in a game: a later version may have written it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.journal.hashchain import Entry

_BEGINNING = frozenset({"software", "settings", "camera", "calibration", "torn"})
_READING = frozenset(
    {"by", "held", "lie", "doubts", "doubts_at", "rejected", "picture", "crop_px", "frame_px"}
    | {"clip", "background", "table_model", "lifts"}
)
_PANEL = frozenset({"panel"})

ENTRY_KEYS: Mapping[str, frozenset[str]] = {
    "genesis": _BEGINNING | {"format"},
    "restart": _BEGINNING,
    "key": frozenset({"key"}),
    "calibration": frozenset({"calibration"}),
    "background": frozenset({"picture"}),
    "table_model": frozenset({"table_model"}),
    "game": frozenset({"game", "players", "options", "opponents", "hints"}),
    "roll": _READING | {"roll", "by_hand", "reason", "result"} | _PANEL,
    "reading": _READING,
    "action": frozenset({"by", "do", "result"}) | _PANEL,
    "undo": frozenset({"by", "do", "undone"}) | _PANEL,
    "correction": frozenset({"by", "reason", "was", "roll", "picture", "undone", "result"}),
    "review": frozenset({"by"}) | _PANEL,
    "reviewed": frozenset({"outcome"}),
    "pause": _PANEL,
    "resume": _PANEL,
    "fault": frozenset({"device", "what"}),
    "back": frozenset({"device"}),
    "closed": _PANEL,
    "parked": _PANEL,
    "continued": _PANEL,
    "checkpoint": frozenset({"size", "root", "signature", "key", "note"}),
    "clock": frozenset({"jump_ms"}),
    "restored": frozenset({"made_at", "software"}),
    "rollback": frozenset({"how", "size", "signed", "key"}),
    "memory_lost": frozenset(),
    "request": frozenset({"dice", "for", "why", "by"}),
    "answer": _READING | {"roll", "by_hand", "reason"},
    "request_ended": frozenset({"outcome"}),
    "joined": frozenset({"address", "key", "name"}),
    "left": frozenset({"key"}),
    "cosigned": frozenset({"size", "root", "key", "cosignature"}),
    "witnessed": frozenset({"key", "seen"}),
    "contradicted": frozenset({"key", "seen", "shown"}),
    "dice_set": frozenset({"name"}),
    "deleted": frozenset({"pictures", "why", "on"}),
}
"""The keys of each kind, without those of every entry."""

OUTDATED_KINDS: Mapping[str, frozenset[str]] = {"own_dice": frozenset({"own_dice"})}
"""The same for kinds that only older versions wrote."""

KNOWN_KEYS: Mapping[str, frozenset[str]] = {**ENTRY_KEYS, **OUTDATED_KINDS}

OBJECT_KEYS: Mapping[str, frozenset[str]] = {
    "lie": frozenset(
        {"face", "polarity", "colour", "x_mpx", "y_mpx", "angle_mdeg", "edge_mpx", "origin"}
        | {"was", "confidence_ppm"}
    ),
    "doubts_at": frozenset({"x_mpx", "y_mpx", "radius_mpx"}),
    "rejected": frozenset({"reason", "x_mpx", "y_mpx"}),
    "lifts": frozenset({"kind", "x_mpx", "y_mpx", "radius_mpx", "share_ppm"}),
    "undone": frozenset({"by", "do"}),
    "opponents": frozenset({"name", "grade", "t_steps", "weights"}),
    "result": frozenset({"totals", "winners", "losers"}),
}
"""The keys of the objects that an entry holds under these keys."""


def list_unknown_keys(entry: Entry) -> Iterator[str]:
    """Yield the unknown keys of an entry of a known kind, such as `wind` or `lie.weight`."""
    yield from sorted(set(entry.body) - KNOWN_KEYS[entry.kind])
    for key, known in OBJECT_KEYS.items():
        value = entry.body.get(key)
        objects = value if isinstance(value, list) else [value]
        names = {name for each in objects if isinstance(each, Mapping) for name in each}
        yield from sorted(f"{key}.{name}" for name in names - known)
