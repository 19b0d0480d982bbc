# SPDX-License-Identifier: MIT
"""
Restore a backup: everything is checked first, and nothing is ever deleted.

The files are unpacked beside the data folder, each digest is compared, and the journal is read
as the table would read it. Then today's folder is renamed with the time and the new one takes
its name.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.access.login_memory import FILE_NAME as LOGINS_FILE
from controller.access.store import FILE_NAME as ACCESS_FILE
from controller.durable_files import atomic_write, fsync_folder
from controller.errors import InputError
from controller.journal.journal import JOURNAL_FILE, LOCK_FILE, lock_folder, read_journal
from controller.journal.signing_key import PRIVATE_FILE
from controller.maintenance.backup.archive import (
    DATA_PREFIX,
    LARGEST_MANIFEST_BYTES,
    MANIFEST_NAME,
    SETTINGS_NAME,
    ArchivedFile,
    Manifest,
    parse_manifest,
)
from controller.maintenance.backup.create import CHUNK_BYTES
from controller.settings import Settings, parse_settings

SPARE_BYTES = 16 * 1024 * 1024
TORN_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What the library raises on an archive that is torn, encrypted or of a kind it cannot read."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """
    What was put back.

    Attributes:
        manifest: The manifest of the backup.
        aside: The new path of the previous data; `None` if there was none.
        settings: The settings that were put back; `None` if there were none.
    """

    manifest: Manifest
    aside: Path | None
    settings: Settings | None


def restore_backup(
    source: Path, data: Path, config: Path | None, *, now: datetime, is_forced: bool = False
) -> RestoreResult:
    """
    Put a backup back in place of a data folder, and of the settings.

    Args:
        source: The backup.
        data: The data folder; the one that is there is moved aside.
        config: The settings; none leaves those as they are.
        now: Names what is moved aside.
        is_forced: Whether a table that has a journal may be moved aside.

    Raises:
        InputError: The file is no whole backup, a table runs on the folder, it has a journal
            and that is not forced, or the disk refuses. The data is as it was then.
    """
    with contextlib.ExitStack() as closing:
        archive = closing.enter_context(_open_archive(source))
        manifest = _read_manifest(archive, source)
        settings = _read_settings(archive, manifest, source) if config is not None else None
        if data.is_dir():
            closing.callback(os.close, lock_folder(data))
        if (data / JOURNAL_FILE).exists() and not is_forced:
            expected = "a table without a journal, or --force to move its data aside"
            raise InputError(expected=expected, found="one that has played", where=str(data))
        try:
            aside = _unpack_and_swap(archive, manifest, data, now, where=str(source))
            if config is not None and settings is not None:
                _replace_settings(config, archive.read(SETTINGS_NAME), now)
        except OSError as error:
            found = error.strerror or str(error)
            expected = "a disk that takes what is put back"
            raise InputError(expected=expected, found=found, where=str(data)) from error
    return RestoreResult(manifest, aside, settings)


@contextlib.contextmanager
def _open_archive(source: Path) -> Iterator[zipfile.ZipFile]:
    """Open an archive; errors inside the block are reported as errors of the archive."""
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive
    except TORN_ERRORS as error:
        expected, found = "a whole backup of dicebell", f"a torn or foreign file ({error})"
        raise InputError(expected=expected, found=found, where=str(source)) from error
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(expected="a backup", found=found, where=str(source)) from error


def _read_manifest(archive: zipfile.ZipFile, source: Path) -> Manifest:
    """Read the manifest, and hold the archive's list of files against it."""
    names = [entry.filename for entry in archive.infolist()]
    if MANIFEST_NAME not in names:
        expected = "a backup that `dicebell backup` made"
        raise InputError(expected=expected, found="another zip", where=str(source))
    if archive.getinfo(MANIFEST_NAME).file_size > LARGEST_MANIFEST_BYTES:
        raise InputError(expected="a manifest", found="a far larger file", where=str(source))
    try:
        manifest = parse_manifest(archive.read(MANIFEST_NAME).decode("utf-8"))
    except UnicodeDecodeError as error:
        found = f"none ({error})"
        raise InputError(expected="a manifest in UTF-8", found=found, where=str(source)) from error
    except InputError as error:
        raise error.at(f"{source}, {error.where}") from error
    if sorted(names) != sorted([*manifest.items, MANIFEST_NAME]):
        odd = sorted(set(names) ^ {*manifest.items, MANIFEST_NAME}) or ["a file twice"]
        expected = "exactly the files of its manifest"
        raise InputError(expected=expected, found=ascii(odd[0]), where=str(source))
    return manifest


def _read_settings(archive: zipfile.ZipFile, manifest: Manifest, source: Path) -> Settings | None:
    item = manifest.items.get(SETTINGS_NAME)
    if item is None:
        return None
    text = archive.read(SETTINGS_NAME)
    if hashlib.sha256(text).hexdigest() != item.sha256:
        raise _changed_error(SETTINGS_NAME, str(source))
    where = f"{source}, {SETTINGS_NAME}"
    try:
        return parse_settings(text.decode("utf-8"), where=where)
    except UnicodeDecodeError as error:
        raise InputError(expected="text in UTF-8", found=str(error), where=where) from error


def _unpack_and_swap(
    archive: zipfile.ZipFile, manifest: Manifest, data: Path, now: datetime, *, where: str
) -> Path | None:
    """Unpack beside the data folder, check all of it, and change places."""
    wanted = {name: item for name, item in manifest.items.items() if name != SETTINGS_NAME}
    _require_room(data.parent, sum(item.size for item in wanted.values()))
    new = Path(tempfile.mkdtemp(prefix=f".{data.name}.restoring-", dir=data.parent))
    try:
        for name, item in wanted.items():
            place = new / name.removeprefix(DATA_PREFIX)
            place.parent.mkdir(parents=True, exist_ok=True)
            _unpack(archive, name, item, place, where)
        if (new / JOURNAL_FILE).exists():
            read_journal(new)
        _copy_secrets(data, new)
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


def _unpack(
    archive: zipfile.ZipFile, name: str, item: ArchivedFile, place: Path, where: str
) -> None:
    """Unpack one file, never more of it than its size, and compare its digest."""
    digest, left = hashlib.sha256(), item.size
    with archive.open(name) as packed, open(place, "xb") as file:
        while chunk := packed.read(CHUNK_BYTES):
            left -= len(chunk)
            if left < 0:
                break
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if left or digest.hexdigest() != item.sha256:
        raise _changed_error(name, where)


def _changed_error(name: str, where: str) -> InputError:
    expected = f"{name} as the manifest says"
    return InputError(expected=expected, found="other bytes", where=where)


def _copy_secrets(data: Path, new: Path) -> None:
    """Take along what belongs to this box and not to its games."""
    for name in (ACCESS_FILE, LOGINS_FILE, PRIVATE_FILE):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(data / name, new / name)


def _match_ownership(new: Path, data: Path) -> None:
    """Give everything to whom the data folder belonged, and wait until it is on the disk."""
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
