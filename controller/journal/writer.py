# SPDX-License-Identifier: MIT
"""
What a running table writes: its entries, and with them whatever is needed to check them.

An entry alone says what was read. Somebody who reads the picture again later needs to
know by which map it was read, and who signs; so whatever of that is new is written before
the entry that was made with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from controller.errors import InputError
from controller.journal.checkpoint import CHECKPOINT, Checkpoint, decode_checkpoint
from controller.journal.hashchain import Body, Entry
from controller.journal.journal import FORMATS, GENESIS
from controller.journal.signing_key import TableKey
from controller.journal.timed import MeasuredJournal

OWN_DICE = "own_dice"
"""The kind of the entries that hold the dice which the owner confirmed, and their key."""


def _none() -> None:
    return None


@dataclass(frozen=True, slots=True)
class TableInfo:
    """
    By what a table runs, as far as its journal tells it.

    Attributes:
        settings: Their whole text; empty where there are none, as in the demo.
        camera: How people call it.
        calibration: Asked for the map that pictures are read by, as `TrayMap.to_json` writes it;
            none while there is none.
        own_dice: Asked for the dice that the owner confirmed, as `OwnDice.to_json` writes them;
            `None` while there are none.
    """

    settings: str = ""
    camera: str = ""
    calibration: Callable[[], str | None] = _none
    own_dice: Callable[[], str | None] = _none


class JournalWriter:
    """
    The journal of a table that has a key and a map.

    Args:
        journal: Where the entries go.
        key: Signs the checkpoints.
        setup: What the entries were made by.
        entries: What stands in the journal already.
    """

    def __init__(
        self, journal: MeasuredJournal, key: TableKey, setup: TableInfo, entries: Sequence[Entry]
    ) -> None:
        self._journal = journal
        self._key = key
        self._setup = setup
        self._is_new = not entries
        keys = [entry.body.get("key") for entry in entries if entry.kind == "key"]
        self._has_key = keys[-1:] == [key.public_hex]
        self._calibration = setup.calibration()
        dice = [entry.body.get(OWN_DICE) for entry in entries if entry.kind == OWN_DICE]
        self._own_dice = dice[-1] if dice else None

    def begin(self, torn: str) -> None:
        """
        Write that the table starts, and its key where that is another one than before.

        Args:
            torn: What was torn off the end of the journal; empty for nothing.

        Raises:
            OSError: It could not be written.
        """
        self._calibration = self._setup.calibration()
        settings = self._setup.settings
        body: Body = {
            "software": program_version(),
            "settings": hashlib.sha256(settings.encode()).hexdigest() if settings else "",
            "camera": self._setup.camera,
            "calibration": self._calibration,
            "torn": torn,
        }
        if self._is_new:
            self._journal.append(GENESIS, {"format": FORMATS[-1], **body})
        else:
            self._journal.append("restart", body)
        if not self._has_key:
            self._journal.append("key", {"key": self._key.public_hex})
        self._append_own_dice()

    def append(self, kind: str, body: Body) -> Entry:
        """
        Write one entry, and before it the map and the own dice if they changed.

        Raises:
            OSError: It could not be written.
        """
        calibration = self._setup.calibration()
        if calibration != self._calibration:
            self._journal.append("calibration", {"calibration": calibration})
            self._calibration = calibration
        self._append_own_dice()
        return self._journal.append(kind, body)

    def checkpoint(self) -> Checkpoint:
        """
        Sign everything so far and return the checkpoint once it is on the disk.

        Raises:
            OSError: It could not be written.
        """
        return self._journal.checkpoint(self._key)

    def _append_own_dice(self) -> None:
        """Write the own dice if they are others than the journal holds: once, for their size."""
        own_dice = self._setup.own_dice()
        if own_dice != self._own_dice:
            self._journal.append(OWN_DICE, {"own_dice": own_dice})
            self._own_dice = own_dice


def find_last_checkpoint(entries: Sequence[Entry]) -> Checkpoint | None:
    """
    Return the newest checkpoint of a journal; none where there is none yet.

    Raises:
        InputError: Its entry is none.
    """
    for entry in reversed(entries):
        if entry.kind == CHECKPOINT:
            try:
                return decode_checkpoint(entry.body, at_ms=entry.at_ms)[0]
            except InputError as error:
                raise error.at(f"entry {entry.seq}, {error.where}") from error
    return None


def program_version() -> str:
    """Return the name and version of this program."""
    return f"dicebell {version('dicebell')}"
