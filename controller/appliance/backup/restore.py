# SPDX-License-Identifier: MIT
"""
Restore a backup: everything is checked first, and nothing is ever deleted.

The files are unpacked beside the data folder, each digest is compared, and the journal's chain
is checked. Then the current folder is renamed with the time, and the new one takes its name. An
archive may come from anybody, so its sizes are limited while it is read, and `data_files` decides
what a foreign one may bring. The next start of the table journals the restore.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.appliance.backup.archive import DATA_PREFIX, MANIFEST_NAME, Manifest, parse_manifest
from controller.appliance.backup.create import (
    find_secret_files,
    list_files,
    load_key,
    open_plain_file,
)
from controller.appliance.backup.data_files import RULES, SETTINGS_NAME, Handling, find_rule
from controller.base.durable_files import atomic_write, fsync_folder, open_private
from controller.base.errors import InputError, refuse_os_errors
from controller.base.settings import Settings, load_settings, parse_settings
from controller.base.untrusted_zip import MAX_PACKING, SPARE_BYTES, UntrustedZip, open_zip
from controller.journal.continuity.restore_marker import save_marker
from controller.journal.hashchain import BrokenEntryError, Entry, parse_entry
from controller.journal.journal import (
    GENESIS,
    JOURNAL_FILE,
    LOCK_FILE,
    MAX_READ_BYTES,
    lock_folder,
    require_known_format,
)
from controller.tournament.server.event_folders import EVENT_FILE, EVENTS_FOLDER
from controller.verify.untrusted_files import iter_lines_limited

_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_WHOLE = "a complete backup of dicebell"


# Names, sizes and digests of a backup are claims of its maker. So they are compared with each other
# before a file is read.
class BackupReader:
    """An open backup whose files are those of its manifest; InputError if it is none."""

    def __init__(self, files: UntrustedZip) -> None:
        self.source = files.path
        self._files = files
        self.manifest = self._read_manifest()

    def check_sizes(self) -> None:
        """Refuse sizes that no backup has; InputError if a small archive holds many gigabytes."""
        where = str(self.source)
        # Files of an archive may overlap, so their sum is compared with the size of the archive.
        size = sum(item.size for item in self.manifest.items.values())
        packed = self.source.stat().st_size
        if size > max(SPARE_BYTES, MAX_PACKING * packed):
            expected = f"files compressed at most {MAX_PACKING} times"
            found = f"all files: {size} bytes compressed to {packed}"
            raise InputError(expected=expected, found=found, where=where)
        journal = self.manifest.items.get(DATA_PREFIX + JOURNAL_FILE)
        if journal is not None and journal.size > MAX_READ_BYTES:
            expected = f"a journal of {MAX_READ_BYTES} bytes at most"
            raise InputError(expected=expected, found=f"{journal.size} bytes", where=where)

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file of the manifest; InputError if damaged or larger than `most_bytes`."""
        self._files.require_size(name, most_bytes)
        return b"".join(self.iter_chunks(name))

    def iter_chunks(self, name: str) -> Iterator[bytes]:
        """Yield a file, never more than the manifest says; InputError at last if damaged."""
        digest, left = hashlib.sha256(), self.manifest.items[name].size
        for chunk in self._files.iter_chunks(name):
            digest.update(chunk)
            left -= len(chunk)
            if left < 0:
                break
            yield chunk
        if left or digest.hexdigest() != self.manifest.items[name].sha256:
            expected = f"{name} as the manifest says"
            raise InputError(expected=expected, found="other bytes", where=str(self.source))

    def _read_manifest(self) -> Manifest:
        """Read the manifest, and compare the archive's list of files with it."""
        entries, where = self._files.entries, str(self.source)
        for name, entry in entries.items():
            if entry.compress_type not in _PACKINGS:
                found = f"{name!a} in a compression that no backup uses"
                raise InputError(expected=_WHOLE, found=found, where=where)
        if MANIFEST_NAME not in entries:
            expected = "a backup that `dicebell backup` made"
            raise InputError(expected=expected, found="another zip", where=where)
        # A manifest has the name, the size and the digest of each file, in ASCII.
        most = 4096 + sum(512 + 12 * len(name) for name in entries)
        content = self._files.read(MANIFEST_NAME, most)
        try:
            manifest = parse_manifest(content.decode("utf-8"))
        except UnicodeDecodeError as error:
            expected, found = "a manifest in UTF-8", f"none ({error})"
            raise InputError(expected=expected, found=found, where=where) from error
        except InputError as error:
            raise error.at(f"{self.source}, {error.where}") from error
        if other := entries.keys() ^ {*manifest.items, MANIFEST_NAME}:
            expected = "exactly the files of its manifest"
            raise InputError(expected=expected, found=ascii(min(other)), where=where)
        return manifest


@contextlib.contextmanager
def open_backup(source: Path) -> Iterator[BackupReader]:
    """Open a backup; InputError if it is not complete."""
    with open_zip(source, _WHOLE, _WHOLE) as files:
        yield BackupReader(files)


MAX_SETTINGS = 1024 * 1024
BLOCK_BYTES = 4096  # What even an empty file takes of a disk.


@dataclass(frozen=True, slots=True)
class RestoreResult:
    manifest: Manifest
    aside: Path | None  # The new path of the previous data; `None` if there was none.
    settings: Settings | None  # The restored settings; `None` if those of this machine stay.
    replaced: Settings  # The settings before, or the defaults if they could not be read.
    # Whether the backup is of this machine or trusted, so that it may bring everything.
    is_whole: bool
    # The files that it did not bring, and why, by their names in the archive.
    left_out: Mapping[str, str]


def restore_backup(
    source: Path,
    data: Path,
    config: Path | None,
    *,
    now: datetime,
    is_forced: bool = False,
    is_trusted: bool = False,
    with_settings: bool = True,
) -> RestoreResult:
    """
    Replace a data folder and the settings with those of a backup.

    The present folder is moved aside under a name with `now`; `is_forced` allows that with a
    journal in it. `is_trusted`: a backup of another machine may bring everything. InputError if
    the backup is not complete, a table runs on the folder, or the disk refuses; the data is
    unchanged then.
    """
    with contextlib.ExitStack() as closing:
        backup = closing.enter_context(open_backup(source))
        key = load_key(data)
        is_whole = is_trusted or (key is not None and backup.manifest.is_signed_by(key))
        left_out = _list_left_out(backup.manifest, is_whole=is_whole)
        settings, replaced = None, _load_or_default(config)
        if config is not None and with_settings and SETTINGS_NAME not in left_out:
            settings = _read_settings(backup)
        if data.is_dir():
            closing.callback(os.close, lock_folder(data))
        if (data / JOURNAL_FILE).exists() and not is_forced:
            expected = "a data folder without a journal, or --force to move it aside"
            raise InputError(expected=expected, found="one with a journal", where=str(data))
        with refuse_os_errors("a disk that accepts the restored files", data):
            kept = _list_kept(data, config, backup.manifest, is_whole=is_whole)
            aside = _unpack_and_swap(backup, left_out, kept, data, now)
            if config is not None and settings is not None:
                _replace_settings(config, backup.read(SETTINGS_NAME, MAX_SETTINGS), now)
    return RestoreResult(backup.manifest, aside, settings, replaced, is_whole, left_out)


def _list_left_out(manifest: Manifest, *, is_whole: bool) -> dict[str, str]:
    """Return the files that a backup does not bring, and why, by their names in the archive."""
    brought = (Handling.GAMES, Handling.MACHINE) if is_whole else (Handling.GAMES,)
    rules = {name: find_rule(name.removeprefix(DATA_PREFIX)) for name in manifest.items}
    return {name: rule.why for name, rule in rules.items() if rule.handling not in brought}


def _list_kept(
    data: Path, config: Path | None, manifest: Manifest, *, is_whole: bool
) -> dict[str, Path]:
    """Return the files of this machine that no backup replaces, by their paths in the folder."""
    stays = [name for name, rule in RULES.items() if rule.handling is Handling.STAYS]
    kept = {name: data / name for name in stays}
    for folder in data.glob(f"{EVENTS_FOLDER}/*"):
        event = folder.relative_to(data).as_posix()
        # The key of an event that a backup does not bring would begin another one.
        if not is_whole or f"{DATA_PREFIX}{event}/{EVENT_FILE}" in manifest.items:
            kept |= {f"{event}/{name}": folder / name for name in stays}
    for path in find_secret_files(config):
        if path.is_relative_to(data.resolve()):
            kept[path.relative_to(data.resolve()).as_posix()] = path
    if not is_whole:
        for path in list_files(data, with_pictures=False):
            name = path.relative_to(data).as_posix()
            if find_rule(name).handling is Handling.MACHINE:
                kept[name] = path
    return kept


def _load_or_default(config: Path | None) -> Settings:
    try:
        return load_settings(config if config and config.exists() else None)
    except InputError:
        return Settings()


def _read_settings(backup: BackupReader) -> Settings | None:
    if SETTINGS_NAME not in backup.manifest.items:
        return None
    text = backup.read(SETTINGS_NAME, MAX_SETTINGS)
    where = f"{backup.source}, {SETTINGS_NAME}"
    try:
        return parse_settings(text.decode("utf-8"), where=where)
    except UnicodeDecodeError as error:
        raise InputError(expected="text in UTF-8", found=str(error), where=where) from error


def _unpack_and_swap(
    backup: BackupReader,
    left_out: Mapping[str, str],
    kept: Mapping[str, Path],
    data: Path,
    now: datetime,
) -> Path | None:
    """Unpack beside the data folder, check everything, and exchange the folders."""
    manifest = backup.manifest
    _require_room(data.parent, sum(item.size + BLOCK_BYTES for item in manifest.items.values()))
    backup.check_sizes()
    new = Path(tempfile.mkdtemp(prefix=f".{data.name}.restoring-", dir=data.parent))
    try:
        for name in manifest.items:
            chunks = backup.iter_chunks(name)
            if name in left_out or name == SETTINGS_NAME:
                deque(chunks, maxlen=0)
            else:
                _unpack(chunks, new / name.removeprefix(DATA_PREFIX))
        if (new / JOURNAL_FILE).exists():
            _check_journal(new / JOURNAL_FILE)
        for name, path in kept.items():
            _copy_kept(path, new / name)
        save_marker(new, made_at=manifest.made_at, software=manifest.software)
        _match_ownership(new, data)
        return _swap_folders(data, new, now)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _require_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size + SPARE_BYTES:
        expected = f"{(size + SPARE_BYTES) // 1_000_000} MB free"
        raise InputError(expected=expected, found=f"{free // 1_000_000} MB", where=str(folder))


def _unpack(chunks: Iterator[bytes], place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place, "xb", opener=open_private) as file:
        file.writelines(chunks)
        file.flush()
        os.fsync(file.fileno())


def _check_journal(path: Path) -> None:
    """Check the chain line by line: a foreign journal may be larger than the memory."""
    before: Entry | None = None
    with open(path, "rb") as file:
        for number, line in enumerate(iter_lines_limited(file), start=1):
            if not line.endswith(b"\n"):
                return
            try:
                entry = parse_entry(line[:-1], before)
            except BrokenEntryError as error:
                where = f"{path.name}, line {number}"
                raise InputError(
                    expected="an unbroken journal", found=error.what, where=where
                ) from error
            if before is None and entry.kind == GENESIS:
                require_known_format(entry, path)
            before = entry


def _copy_kept(path: Path, target: Path) -> None:
    """Copy a file of this machine with its permissions; never what a link leads to."""
    file = open_plain_file(path)
    if file is None:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
    with file, open(target, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as copy:
        shutil.copyfileobj(file, copy)
        copy.flush()
        os.fsync(copy.fileno())


def _match_ownership(new: Path, data: Path) -> None:
    """Set the owner to that of the old data folder, and wait until everything is on the disk."""
    owner = (data if data.exists() else data.parent).stat()
    mode = owner.st_mode & 0o777 if data.exists() else 0o750
    for folder, _, names in os.walk(new):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, owner.st_uid, owner.st_gid)
        os.chmod(folder, mode)
        fsync_folder(Path(folder))


def _swap_folders(data: Path, new: Path, now: datetime) -> Path | None:
    if not data.exists():
        os.rename(new, data)
        fsync_folder(data.parent)
        return None
    aside = _free_name(data, now)
    os.rename(data, aside)
    try:
        os.rename(new, data)
    except OSError:
        os.rename(aside, data)
        raise
    fsync_folder(data.parent)
    (aside / LOCK_FILE).unlink(missing_ok=True)
    return aside


def _replace_settings(config: Path, text: bytes, now: datetime) -> None:
    if not config.exists():
        config.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(config, text)
        return
    shutil.copy2(config, _free_name(config, now))
    atomic_write(config, text)


def _free_name(path: Path, now: datetime) -> Path:
    name = f"{path.name}.before-{now:%Y%m%d-%H%M%S}"
    names = (f"{name}{suffix}" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())
