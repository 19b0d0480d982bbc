# SPDX-License-Identifier: MIT
"""
The journal file: one line an entry, on the disk before `append` returns.

A player may pull the plug once something is confirmed. So each line is written in one go and
fsynced. Only a line torn by a power cut can be lost, and it was never confirmed; the next
opening cuts it off and reports its bytes. Any other damage is refused, not repaired: a journal
that repairs itself proves nothing. Every line is also a leaf of a Merkle tree, so a checkpoint
over all lines costs no more than an entry; nothing is signed that contradicts what was signed.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.base.durable_files import (
    create_data_folder,
    fsync_folder,
    is_full_disk,
    match_owner,
    open_regular_file,
)
from controller.base.errors import InputError, refuse_os_errors
from controller.journal.checkpoint import CHECKPOINT, Checkpoint
from controller.journal.continuity.checked_file import CheckedFile, check_file
from controller.journal.continuity.signing_memory import ROLLBACK, SigningMemory, load_memory
from controller.journal.hashchain import Body, Entry, build_next_entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import sign_checkpoint
from hardware.clock import read_wall_clock_s

JOURNAL_FILE = "journal.jsonl"
LOCK_FILE = "table.lock"
GENESIS = "genesis"
MAX_READ_BYTES = 1 << 30
"""Half a million rolls. `read_journal` refuses a larger file, which anyone may have prepared."""
FORMATS = (1, 2)
"""The readable formats. A new journal has the last one; an older journal keeps its own."""


def wall_clock_ms() -> int:
    """Milliseconds since 1970 in UTC."""
    return int(read_wall_clock_s() * 1000)


@dataclass(frozen=True, slots=True)
class _OpenFiles:
    lock_fd: int
    file_fd: int

    def close(self) -> None:
        os.close(self.file_fd)
        os.close(self.lock_fd)


class Journal:
    """
    The journal file of a data folder, open for writing. Use `Journal.open` and `close`.

    It locks the folder, since two processes writing would fork the chain. A new journal on a full
    disk has no files yet; then the first entry creates them and locks the folder.
    """

    def __init__(
        self,
        folder: Path,
        files: _OpenFiles | None,
        checked: CheckedFile,
        now_ms: Callable[[], int],
        rollback: Body | None,
    ) -> None:
        self.folder = folder
        self._files = files
        # Of all entries that are on the disk; any thread may ask.
        self.size_bytes = checked.size_bytes
        self.last_entry = checked.last
        self._tree = checked.tree
        self._now_ms = now_ms
        # The entry that must be written before anything is signed again; None if none must.
        self.rollback = rollback

    @classmethod
    def open(
        cls, folder: Path, *, now_ms: Callable[[], int] = wall_clock_ms
    ) -> tuple[Journal, CheckedFile]:
        """Open a journal, or start one; InputError if `check_file` or the disk refuses."""
        try:
            files = _open_files(folder)
        except InputError as error:
            # Only a new journal can do without its files for a while.
            if not is_full_disk(error.__cause__) or (folder / JOURNAL_FILE).exists():
                raise
            files = None
        path, memory = folder / JOURNAL_FILE, load_memory(folder)
        try:
            checked = check_file(files.file_fd if files else None, path, memory)
            _require_known_start(checked, path)
            rollback = _find_rollback(memory, checked)
            if files:
                if checked.torn:
                    os.ftruncate(files.file_fd, checked.size_bytes)
                    os.fsync(files.file_fd)
                fsync_folder(folder)
        except (InputError, OSError):
            if files:
                files.close()
            raise
        return cls(folder, files, checked, now_ms, rollback), checked

    @property
    def is_remembered(self) -> bool:
        """Whether the table remembers what it signed last, in whatever journal that was."""
        return load_memory(self.folder) is not None

    def now_ms(self) -> int:
        """Return the wall clock of its entries, milliseconds since 1970 in UTC."""
        return self._now_ms()

    def create_files(self) -> int:
        """Create what a full disk had no room for; return the journal's file, or OSError."""
        if self._files is None:
            try:
                files = _open_files(self.folder)
            except InputError as error:
                number = getattr(error.__cause__, "errno", None) or errno.EBUSY
                raise OSError(number, error.found, str(self.folder)) from error
            if os.fstat(files.file_fd).st_size:
                files.close()
                raise OSError(errno.EBUSY, "Another dicebell has written here", str(self.folder))
            self._files = files
            fsync_folder(self.folder)
        return self._files.file_fd

    def append(self, kind: str, body: Body) -> Entry:
        """Write an entry; return it once it is on the disk. After an OSError all is as before."""
        entry = build_next_entry(self.last_entry, at_ms=self._now_ms(), kind=kind, body=body)
        self._write(entry)
        if kind == ROLLBACK:
            self.rollback = None
        return entry

    def checkpoint(self, key: TableKey) -> Checkpoint:
        """Sign all entries so far; InputError if they contradict what was signed, or OSError."""
        if self.rollback is not None:
            expected = f"a journal that begins with the {self.rollback['size']} entries it signed"
            raise InputError(expected=expected, found="another one", where=str(self.folder))
        at_ms = self._now_ms()
        made, body = sign_checkpoint(key, self._tree.size, self._tree.root(), at_ms)
        # A signature that is not remembered could be given twice, so the memory comes first.
        SigningMemory(made, key.public_hex).save(self.folder)
        self._write(build_next_entry(self.last_entry, at_ms=at_ms, kind=CHECKPOINT, body=body))
        return made

    def close(self) -> None:
        """Close the file and unlock the folder."""
        if self._files:
            self._files.close()

    def _write(self, entry: Entry) -> None:
        line, file_fd = encode_entry(entry), self.create_files()
        if not os.fstat(file_fd).st_nlink:
            # What is written into a deleted file is lost with the process.
            path = str(self.folder / JOURNAL_FILE)
            raise FileNotFoundError(errno.ENOENT, "The journal was deleted", path)
        try:
            _write_all(file_fd, line + b"\n", self.size_bytes)
            os.fsync(file_fd)
        except OSError:
            # A half-written line would read as torn: remove it at once.
            os.ftruncate(file_fd, self.size_bytes)
            raise
        self.size_bytes += len(line) + 1
        self.last_entry = entry
        self._tree.append(line)


def read_journal(folder: Path) -> CheckedFile:
    """Read a journal without opening it for writing; InputError if it is missing or broken."""
    path = folder / JOURNAL_FILE
    with refuse_os_errors("a journal that can be read", path):
        file_fd = open_regular_file(path)
    try:
        if (size := os.fstat(file_fd).st_size) > MAX_READ_BYTES:
            expected = f"a journal of at most {MAX_READ_BYTES >> 20} MiB"
            raise InputError(expected=expected, found=f"{size >> 20} MiB", where=str(path))
        checked = check_file(file_fd, path, load_memory(folder))
        _require_known_start(checked, path)
        return checked
    finally:
        os.close(file_fd)


def require_known_format(genesis: Entry, path: Path) -> int:
    """Return the format in a first entry; InputError if a later version may have written it."""
    found = genesis.body.get("format")
    if type(found) is not int or found not in FORMATS:
        expected = f"a journal of format {' or '.join(map(str, FORMATS))}"
        raise InputError(expected=expected, found=repr(found), where=str(path))
    return found


def lock_folder(folder: Path) -> int:
    """Lock a data folder until this file is closed; InputError if another process has it."""
    path = folder / LOCK_FILE
    lock_fd = _open_for_writing(path)
    try:
        with refuse_os_errors("a file that can be written", path):
            # Made by root, it would lock out the table for good.
            match_owner(lock_fd, folder)
            try:
                fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError(
                    expected="a data folder that no other table uses",
                    found="another running dicebell in it",
                    where=str(folder),
                ) from error
    except InputError:
        os.close(lock_fd)
        raise
    return lock_fd


def _open_files(folder: Path) -> _OpenFiles:
    """Lock a folder and open its journal, creating both; raise `InputError` like `lock_folder`."""
    with refuse_os_errors("a data folder that can be written", folder):
        create_data_folder(folder)
    lock_fd = lock_folder(folder)
    try:
        return _OpenFiles(lock_fd, _open_for_writing(folder / JOURNAL_FILE))
    except InputError:
        os.close(lock_fd)
        raise


def _open_for_writing(path: Path) -> int:
    with refuse_os_errors("a file that can be written", path):
        return open_regular_file(path, os.O_RDWR | os.O_CREAT)


def _require_known_start(checked: CheckedFile, path: Path) -> None:
    if checked.entries and checked.entries[0].kind == GENESIS:
        require_known_format(checked.entries[0], path)


def _find_rollback(memory: SigningMemory | None, checked: CheckedFile) -> Body | None:
    """Return the entry of a contradiction to the memory, unless the journal holds it already."""
    if not memory or not checked.contradiction:
        return None
    body = memory.build_rollback(checked.contradiction)
    known = (entry.body.get("signed") for entry in checked.entries if entry.kind == ROLLBACK)
    return None if body["signed"] in known else body


def _write_all(file_fd: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        done = os.pwrite(file_fd, view, at)
        view, at = view[done:], at + done
