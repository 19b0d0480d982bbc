# SPDX-License-Identifier: MIT
"""
Restore a backup: everything is checked first, and nothing is ever deleted.

The files are unpacked beside the data folder, each digest is compared, and the journal's chain
is checked. Then the current folder is renamed with the time, and the new one takes its name. An
archive may come from anybody, so its sizes are limited while it is read. The next start of the
table journals the restore.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.durable_files import PRIVATE_FOLDER, atomic_write, fsync_folder, open_private
from controller.errors import InputError
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
from controller.maintenance.backup.archive import (
    DATA_PREFIX,
    MANIFEST_NAME,
    OF_THIS_BOX,
    SETTINGS_NAME,
    ArchivedFile,
    Manifest,
    parse_manifest,
)
from controller.settings import Settings, parse_settings
from controller.untrusted_zip import SPARE_BYTES, UntrustedZip, open_zip
from controller.verify.untrusted_files import iter_lines_limited

MAX_SETTINGS_BYTES = 1024 * 1024
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_WHOLE = "a complete backup of dicebell"


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """
    The result of a restore.

    Attributes:
        manifest: The manifest of the backup.
        aside: The new path of the previous data; `None` if there was none.
        settings: The path of the restored settings; `None` if there were none.
    """

    manifest: Manifest
    aside: Path | None
    settings: Settings | None


def restore_backup(
    source: Path, data: Path, config: Path | None, *, now: datetime, is_forced: bool = False
) -> RestoreResult:
    """
    Replace a data folder and the settings with those of a backup.

    Args:
        source: The backup.
        data: The data folder; an existing one is moved aside.
        config: The settings file; `None` leaves the settings unchanged.
        now: Names the data that is moved aside.
        is_forced: Whether data with a journal may be moved aside.

    Raises:
        InputError: The file is not a complete backup, a table runs on the folder, it has a
            journal and `is_forced` is false, or the disk refuses. The data is unchanged then.
    """
    with contextlib.ExitStack() as closing:
        archive = closing.enter_context(open_zip(source, _WHOLE, _WHOLE))
        manifest = _read_manifest(archive, source)
        settings = _read_settings(archive, manifest, source) if config is not None else None
        if data.is_dir():
            closing.callback(os.close, lock_folder(data))
        if (data / JOURNAL_FILE).exists() and not is_forced:
            expected = "a data folder without a journal, or --force to move it aside"
            raise InputError(expected=expected, found="one with a journal", where=str(data))
        try:
            aside = _unpack_and_swap(archive, manifest, data, now, where=str(source))
            if config is not None and settings is not None:
                _replace_settings(config, archive.read(SETTINGS_NAME, MAX_SETTINGS_BYTES), now)
        except OSError as error:
            found = error.strerror or str(error)
            expected = "a disk that accepts the restored files"
            raise InputError(expected=expected, found=found, where=str(data)) from error
    return RestoreResult(manifest, aside, settings)


def _read_manifest(archive: UntrustedZip, source: Path) -> Manifest:
    """Read the manifest, and compare the archive's list of files with it."""
    names = set(archive.entries)
    for name, entry in archive.entries.items():
        if entry.compress_type not in _PACKINGS:
            found = f"{name!a} in a compression that no backup uses"
            raise InputError(expected=_WHOLE, found=found, where=str(source))
    if MANIFEST_NAME not in names:
        expected = "a backup that `dicebell backup` made"
        raise InputError(expected=expected, found="another zip", where=str(source))
    # A manifest has the name, the size and the digest of each file, in ASCII.
    most = 4096 + sum(512 + 12 * len(name) for name in names)
    content = archive.read(MANIFEST_NAME, most)
    try:
        manifest = parse_manifest(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        found = f"none ({error})"
        raise InputError(expected="a manifest in UTF-8", found=found, where=str(source)) from error
    except InputError as error:
        raise error.at(f"{source}, {error.where}") from error
    if other := names ^ {*manifest.items, MANIFEST_NAME}:
        expected = "exactly the files of its manifest"
        raise InputError(expected=expected, found=ascii(min(other)), where=str(source))
    return manifest


def _read_settings(archive: UntrustedZip, manifest: Manifest, source: Path) -> Settings | None:
    item = manifest.items.get(SETTINGS_NAME)
    if item is None:
        return None
    text = archive.read(SETTINGS_NAME, MAX_SETTINGS_BYTES)
    if hashlib.sha256(text).hexdigest() != item.sha256:
        raise _changed_error(SETTINGS_NAME, str(source))
    where = f"{source}, {SETTINGS_NAME}"
    try:
        return parse_settings(text.decode("utf-8"), where=where)
    except UnicodeDecodeError as error:
        raise InputError(expected="text in UTF-8", found=str(error), where=where) from error


def _unpack_and_swap(
    archive: UntrustedZip, manifest: Manifest, data: Path, now: datetime, *, where: str
) -> Path | None:
    """Unpack beside the data folder, check everything, and exchange the folders."""
    wanted = {name: item for name, item in manifest.items.items() if name != SETTINGS_NAME}
    _require_room(data.parent, sum(item.size for item in wanted.values()))
    journal = wanted.get(DATA_PREFIX + JOURNAL_FILE)
    if journal is not None and journal.size > MAX_READ_BYTES:
        expected = f"a journal of {MAX_READ_BYTES} bytes at most"
        raise InputError(expected=expected, found=f"{journal.size} bytes", where=where)
    new = Path(tempfile.mkdtemp(prefix=f".{data.name}.restoring-", dir=data.parent))
    try:
        for name, item in wanted.items():
            place = new / name.removeprefix(DATA_PREFIX)
            place.parent.mkdir(parents=True, exist_ok=True)
            _unpack(archive, name, item, place, where)
        if (new / JOURNAL_FILE).exists():
            _check_journal(new / JOURNAL_FILE)
        _copy_secrets(data, new)
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


def _unpack(archive: UntrustedZip, name: str, item: ArchivedFile, place: Path, where: str) -> None:
    """Unpack one file, never more of it than its size, and compare its digest."""
    digest, left = hashlib.sha256(), item.size
    with open(place, "xb", opener=open_private) as file:
        for chunk in archive.iter_chunks(name):
            left -= len(chunk)
            if left < 0:
                break
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if left or digest.hexdigest() != item.sha256:
        raise _changed_error(name, where)


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


def _changed_error(name: str, where: str) -> InputError:
    expected = f"{name} as the manifest says"
    return InputError(expected=expected, found="other bytes", where=where)


def _copy_secrets(data: Path, new: Path) -> None:
    """Copy the files that belong to this box and not to its games."""
    for name in OF_THIS_BOX:
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(data / name, new / name)


def _match_ownership(new: Path, data: Path) -> None:
    """Set the owner to that of the old data folder, and wait until everything is on the disk."""
    owner = (data if data.exists() else data.parent).stat()
    mode = owner.st_mode & 0o777 if data.exists() else PRIVATE_FOLDER
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
