# SPDX-License-Identifier: MIT
"""
What a screen must show by the journal, and what of a view is durable.

The camera decides parts of a view again after a restart, such as the positions of the dice. The
rest follows from the journal alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.hashchain import Entry
from controller.journal.journal import JOURNAL_FILE, read_journal
from controller.journal.picture_store import PictureStore, compute_digest
from controller.table.journal_entries import restore_table
from controller.table.state import TableState
from controller.table.view.question import name_question
from controller.table.view.snapshot import build_snapshot, show_checkpoint
from tests.bench.clients.screen import View

OF_THE_MOMENT = ("version", "dice", "doubts", "notice", "sound")
"""
The keys of a view that no journal decides: what a camera fills before anybody moves a die, such as
which dice lie in the tray now, and the sound that plays.
"""

CONFIRMED = ("game", "board", "undo", "outcome", "progress", "checkpoint")


@dataclass(frozen=True, slots=True)
class ReplayedLife:
    """
    What the journal gained since it was read before.

    Attributes:
        confirmed: What every state of it would have shown as confirmed, the one before included.
        entries: How many entries were added.
        rolls: How many of them are rolls.
        torn: Whether a torn line was cut off, as an entry says.
        question: What the table asks at its end.
        is_continued: Whether the journal still begins with everything that it held before.
        missing: How many pictures of the new rolls are not there or are others.
    """

    confirmed: frozenset[str]
    entries: int
    rolls: int
    torn: bool
    question: str
    is_continued: bool
    missing: int


class JournalReplay:
    """Replays the journal of a data folder while a table writes it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pictures = PictureStore(folder)
        self._written = b""
        self._entries: tuple[Entry, ...] = ()
        self._state = TableState()

    @property
    def view(self) -> dict[str, Any]:
        """The view of the replayed state, as a screen gets it."""
        checkpoint = JournalFacts(self._entries).last_checkpoint()
        shown = show_checkpoint(checkpoint) if checkpoint else None
        view: dict[str, Any] = json.loads(
            json.dumps(build_snapshot(self._state, version=0, checkpoint=shown))
        )
        return view

    def read_on(self) -> ReplayedLife:
        """Replay what was written since the last call; all of it if something was lost."""
        written = (self._folder / JOURNAL_FILE).read_bytes()
        is_continued = written.startswith(self._written)
        if not is_continued:
            self._entries, self._state = (), TableState()
        self._written = written[: written.rfind(b"\n") + 1]
        known = len(self._entries)
        entries = read_journal(self._folder).entries
        confirmed = {encode_confirmed(self.view)}
        for number, entry in enumerate(entries[known:], start=known + 1):
            self._entries = entries[:number]
            self._state = restore_table(self._state, [(entry.kind, entry.body)])
            confirmed.add(encode_confirmed(self.view))
        added = entries[known:]
        rolls = [entry for entry in added if entry.kind == "roll"]
        return ReplayedLife(
            confirmed=frozenset(confirmed),
            entries=len(added),
            rolls=len(rolls),
            torn=any(entry.body["torn"] for entry in added if entry.kind == "restart"),
            question=name_question(self._state),
            is_continued=is_continued,
            missing=sum(not self._has_picture(str(roll.body["picture"])) for roll in rolls),
        )

    def _has_picture(self, digest: str) -> bool:
        try:
            picture = self._pictures.picture_path(digest).read_bytes()
        except (OSError, ValueError):
            return False  # no such file, or no digest
        return compute_digest(picture) == digest


def encode_confirmed(view: Mapping[str, Any]) -> str:
    """Return what a view shows as confirmed, as a text that two views can be compared by."""
    last = view["last_roll"]
    return json.dumps(
        [
            *(view[key] for key in CONFIRMED),
            [(each["name"], each["total"]) for each in view["players"]],
            last and [last[key] for key in ("name", "by", "roll", "picture", "was")],
        ]
    )


def find_differences(shown: View, replayed: View) -> list[str]:
    """Return the keys in which a view at rest differs from the replayed one."""
    keys = set(replayed) - set(OF_THE_MOMENT)
    return sorted(key for key in keys if shown.get(key) != replayed[key])
