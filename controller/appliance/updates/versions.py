# SPDX-License-Identifier: MIT
"""
The folder of the versions: the active one, the one before, and nothing older.

`current` and `previous` are links. A link is replaced atomically, so there is always an active
version.
"""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

RELEASES = "releases"
CURRENT = "current"
PREVIOUS = "previous"
SOURCE = "source"


class InstalledVersions:
    """The versions on a machine, in a folder such as /opt/dicebell."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def new_folder(self, now: datetime | None = None) -> Path:
        """Return a new path for the next version; OSError if the folder cannot be written."""
        stamp = f"{now or datetime.now(UTC):%Y%m%d-%H%M%S}"
        releases = self.root / RELEASES
        releases.mkdir(parents=True, exist_ok=True)
        names = (f"{stamp}{suffix}" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(releases / name for name in names if not (releases / name).exists())

    def current(self) -> Path | None:
        return self._follow_link(CURRENT)

    def previous(self) -> Path | None:
        return self._follow_link(PREVIOUS)

    def switch(self, release: Path) -> None:
        """Activate another version; the active one becomes the previous one, or OSError."""
        # The version must be on the disk before a link points to it.
        os.sync()
        before = self.current()
        if before is not None and before != release:
            self._link(PREVIOUS, before)
        self._link(CURRENT, release)

    def restore_links(self, current: Path, previous: Path | None) -> None:
        """Undo a switch; OSError if the links cannot be written."""
        self._link(CURRENT, current)
        if previous is None:
            (self.root / PREVIOUS).unlink(missing_ok=True)
        else:
            self._link(PREVIOUS, previous)

    def prune(self) -> None:
        """Delete all but the active and the previous version, such as an incomplete one."""
        kept = {self.current(), self.previous()}
        for release in (self.root / RELEASES).glob("*"):
            if release not in kept:
                shutil.rmtree(release)

    def source(self) -> Path | None:
        """Return the folder in which the installer ran; `None` if it is unknown."""
        try:
            text = (self.root / SOURCE).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        return Path(text) if text else None

    def _follow_link(self, name: str) -> Path | None:
        link = self.root / name
        if not link.is_symlink():
            return None
        release = self.root / os.readlink(link)
        return release if release.is_dir() else None

    def _link(self, name: str, release: Path) -> None:
        new = self.root / f".{name}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(release.relative_to(self.root))
        os.replace(new, self.root / name)
