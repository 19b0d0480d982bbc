# SPDX-License-Identifier: MIT
"""
Change keys in the settings file and keep the rest as its owner wrote it.

Comments, order and blank lines stay: people note there why a pin is what it is. The new text is
parsed before it replaces the old one, so a file that the next start refuses is never written.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Iterator, Mapping, MutableMapping
from enum import Enum
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from controller.base.durable_files import PUBLIC, atomic_write
from controller.base.errors import InputError, refuse_os_errors
from controller.base.settings.load import parse_settings, read_settings_file
from controller.base.settings.render import render_settings
from controller.base.settings.schema import Settings, Value


def change_settings(path: Path, changes: Mapping[str, Value]) -> Settings:
    """
    Write changed settings into their file, all of them or none, and return the new ones.

    They apply from the next start on. `changes` are new values by `section.key`. A missing file
    is written completely, from the defaults, with comments. The folder must be writable: a new
    file replaces the old one. InputError if that fails, or `load_settings` would refuse the new
    file.
    """
    file = path.resolve()  # a link stays a link
    with refuse_os_errors("a writable settings file", path), _lock_folder(file.parent):
        is_there = file.exists()
        text = read_settings_file(file) if is_there else render_settings(Settings())
        changed = _apply_changes(text, changes, where=str(path))
        settings = parse_settings(changed, where=str(path))
        if changed != text or not is_there:
            mode = stat.S_IMODE(file.stat().st_mode) if is_there else PUBLIC
            atomic_write(file, changed.encode("utf-8"), mode=mode)
    return settings


@contextlib.contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder, since one of two parallel changes would be lost."""
    folder_fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder_fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder_fd)


def _apply_changes(text: str, changes: Mapping[str, Value], *, where: str) -> str:
    parse_settings(text, where=where)  # an existing mistake is reported with its own line
    document = tomlkit.parse(text)
    for name, value in changes.items():
        section, dot, key = name.partition(".")
        if not dot or not section or not key:
            raise InputError(expected="the name of a setting: section.key", found=name, where=where)
        table = document.get(section)
        if table is None:
            table = tomlkit.table()
            document[section] = table
        if not isinstance(table, MutableMapping):
            raise InputError(expected="a plain section", found=section, where=where)
        table[key] = _to_plain(value)
    try:
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise InputError(
            expected="settings in plain TOML", found=str(error), where=where
        ) from error


def _to_plain(value: Value) -> bool | int | float | str:
    if isinstance(value, Enum):
        return str(value.value)
    return str(value) if isinstance(value, Path) else value
