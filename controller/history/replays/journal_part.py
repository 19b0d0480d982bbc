# SPDX-License-Identifier: MIT
"""Read one game of a journal from where it begins, without what was before it."""

from __future__ import annotations

from pathlib import Path

from controller.base.durable_files import open_regular_file
from controller.journal.hashchain import BrokenEntryError, Entry, decode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.records.from_journal import JournalGame
from controller.verify.untrusted_files import iter_lines_limited


def read_journal_game(folder: Path, number: int, first_byte: int) -> JournalGame | None:
    """
    Return a game of a journal, which its table may be writing.

    Args:
        first_byte: The position of its first entry in the file.

    Returns:
        The game up to the next one, or up to a broken line; None if none begins there.
    """
    entries: list[Entry] = []
    try:
        with open(open_regular_file(folder / JOURNAL_FILE), "rb") as file:
            file.seek(first_byte)
            for raw in iter_lines_limited(file):
                if not raw.endswith(b"\n"):
                    break
                entry = decode_entry(raw[:-1])
                if entries and entry.kind == "game":
                    break
                entries.append(entry)
    except (OSError, BrokenEntryError):
        pass
    if not entries or entries[0].kind != "game":
        return None
    return JournalGame(number, entries[0], tuple(entries[1:]))
