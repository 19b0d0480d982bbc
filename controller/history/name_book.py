# SPDX-License-Identifier: MIT
"""
The names that screens show in place of those in the journal: `people.json` in the data folder.

People are compared as the eye does (`compute_look`), so `ada` and `Ada` are one person. The
journal is never changed: the file only says what screens show, so every change can be undone.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.base.durable_files import BAD_JSON, atomic_write, read_json
from controller.base.logs import Log
from controller.games.player_names import compute_look, remove_joiners

NAMES_FILE = "people.json"
_FORMAT = 1

_LOG = Log("history")


@dataclass(frozen=True, slots=True)
class ShownNames:
    """What screens show of people."""

    hidden: frozenset[str] = frozenset()  # The looks of forgotten people.
    # New names by the looks of the old ones.
    renamed: Mapping[str, str] = field(default_factory=dict)

    def find_name(self, name: str, look: str = "") -> str:
        """Return what screens show for a name; empty for a forgotten person."""
        look = look or compute_look(name)
        # Of two who looked alike in one game, either may be the forgotten one: hide both.
        is_hidden = look in self.hidden or look.partition("\n")[0] in self.hidden
        return "" if is_hidden else self.renamed.get(look, name)


class NameBook:
    """The file; any thread may use it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAMES_FILE
        self._lock = threading.Lock()
        self._followers: list[Callable[[ShownNames], None]] = []
        self._names = self._load()

    @property
    def names(self) -> ShownNames:
        return self._names

    def subscribe(self, on_change: Callable[[ShownNames], None]) -> None:
        """Pass the names to a function, now and after each change."""
        self._followers.append(on_change)
        on_change(self._names)

    def rename(self, look: str, shown: str) -> None:
        """Show another name for the person of this look; OSError if the file cannot be written."""
        with self._lock:
            renamed = {**self._names.renamed, look: shown}
            self._save(ShownNames(self._names.hidden - {look}, renamed))

    def hide(self, look: str) -> None:
        """Hide the person of this look; OSError if the file cannot be written."""
        with self._lock:
            self._save(replace(self._names, hidden=self._names.hidden | {look}))

    def restore(self, look: str) -> None:
        """Show the name in the journal again; OSError if the file cannot be written."""
        with self._lock:
            renamed = {old: new for old, new in self._names.renamed.items() if old != look}
            self._save(ShownNames(self._names.hidden - {look}, renamed))

    def _save(self, names: ShownNames) -> None:
        content = {
            "format": _FORMAT,
            "hidden": sorted(names.hidden),
            "renamed": dict(sorted(names.renamed.items())),
        }
        text = json.dumps(content, ensure_ascii=False, indent=1)
        atomic_write(self._path, f"{text}\n".encode())
        self._names = names
        for follower in self._followers:
            follower(names)

    def _load(self) -> ShownNames:
        try:
            read = read_json(self._path)
            if read["format"] != _FORMAT:
                raise ValueError(f"format {read['format']!r}")
            hidden = frozenset(_renew_look(str(look)) for look in read["hidden"])
            renamed = {_renew_look(str(look)): str(name) for look, name in read["renamed"].items()}
        except FileNotFoundError:
            return ShownNames()
        except BAD_JSON as error:
            _LOG.error("names not read", file=NAMES_FILE, error=str(error))
            return ShownNames()
        return ShownNames(hidden, renamed)


def _renew_look(look: str) -> str:
    """Return a look of an earlier version, which kept joiners, as it is computed today."""
    alone, mark, name = look.partition("\n")
    return f"{remove_joiners(alone)}{mark}{name}"
