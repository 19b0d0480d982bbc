# SPDX-License-Identifier: MIT
"""
Make the files of finished games for people who want to keep them.

A report checks the whole journal, and a bundle copies it: seconds of work on a long one. So a
program of its own makes each file, with low priority and one at a time, and the table goes
on undisturbed. A file is kept for the next person who asks, but not longer than its pictures.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from controller.base.version import program_version
from controller.history.analysis.apart import run_module
from controller.journal.picture_store import PictureStore

FILES_FOLDER = ".downloads"  # In the data folder; hidden, so that no backup contains it.

MOST_KEPT = 6  # Files that are kept for the next person; the largest have 30 MB.
MOST_WAITING = 4  # Files that are asked for and not made yet.


class DownloadKind(Enum):
    """What is made of a game; the value is its last part of the address."""

    REPORT = "report"
    BUNDLE = "bundle"


_COMMANDS = {
    DownloadKind.REPORT: (("report",), ".html"),
    DownloadKind.BUNDLE: (("export", "--bundle"), ".zip"),
}
# The exit statuses that leave a file: a report may say that something is wrong.
_WELL = {DownloadKind.REPORT: (0, 1), DownloadKind.BUNDLE: (0,)}


@dataclass(frozen=True, slots=True)
class DownloadRequest:
    """A file that somebody asks for."""

    kind: DownloadKind
    number: int  # Number of the game in its journal, from 1.
    language: str
    content: str  # Names the content of the game, such as the link of its last entry.
    # The digests of its pictures. A file that still has a deleted one is not given.
    pictures: tuple[str, ...]
    players: tuple[str, ...] = ()  # The names to show, clockwise; empty for those of the journal.


class DownloadState(Enum):
    """Where a requested file stands."""

    READY = "ready"
    WAITING = "waiting"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Download:
    """The state of a file; its path if it is ready, and why it failed."""

    state: DownloadState
    path: Path | None = None
    why: str = ""


RunProgram = Callable[[list[str]], tuple[int, str]]
"""Runs the arguments of `dicebell`; returns its status and its errors."""


class GameDownloads:
    """The files of the games of one data folder; tests `run` something else than `dicebell`."""

    def __init__(self, folder: Path, run: RunProgram | None = None) -> None:
        self._folder = folder
        self._pictures = PictureStore(folder)
        self._run = run or run_quietly
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Path, DownloadRequest]] = deque()
        self._failed: dict[Path, str] = {}
        self._is_working = False

    def ask(self, request: DownloadRequest) -> Download:
        """Return a file, or have it made; asking again is how one waits for it."""
        path = self._path_of(request)
        with self._lock:
            if path.is_file():
                with contextlib.suppress(OSError):
                    os.utime(path)
                return Download(DownloadState.READY, path)
            if path in self._failed:
                return Download(DownloadState.FAILED, why=self._failed.pop(path))
            if any(path == other for other, _ in self._waiting):
                return Download(DownloadState.WAITING)
            if len(self._waiting) >= MOST_WAITING:
                return Download(DownloadState.REFUSED)
            self._waiting.append((path, request))
            if not self._is_working:
                self._is_working = True
                threading.Thread(target=self._work, name="downloads", daemon=True).start()
        return Download(DownloadState.WAITING)

    def _path_of(self, request: DownloadRequest) -> Path:
        """Return where a file is kept; its name changes with its content."""
        there = [name for name in request.pictures if self._pictures.picture_path(name).exists()]
        parts = (program_version(), request.content, *request.players, *there)
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        _, suffix = _COMMANDS[request.kind]
        name = f"{request.number}-{request.kind.value}-{request.language}-{digest}{suffix}"
        return self._folder / FILES_FOLDER / name

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._is_working = False
                    return
                path, request = self._waiting[0]
            why = self._make(path, request)
            with self._lock:
                self._waiting.popleft()
                if why:
                    self._failed = {path: why}

    def _make(self, path: Path, request: DownloadRequest) -> str:
        """Make a file; return why it could not be made, empty if it was."""
        words, _ = _COMMANDS[request.kind]
        part = path.with_name(f"{path.name}.part")
        arguments = [words[0], str(self._folder), *words[1:], "--game", str(request.number)]
        arguments += ["--language", request.language, "--output", str(part)]
        arguments += [f"--player={name}" for name in request.players]
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self._remove_old(path)
            status, errors = self._run(arguments)
            if status not in _WELL[request.kind]:
                return errors.strip() or f"dicebell {words[0]} ended with status {status}"
            part.replace(path)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        finally:
            part.unlink(missing_ok=True)
        return ""

    def _remove_old(self, new: Path) -> None:
        """Remove an older file of the same game, kind and language, and all but the newest ones."""
        same = "-".join(new.name.split("-")[:3])
        found = [each for each in new.parent.iterdir() if each.is_file()]
        found.sort(key=lambda each: each.stat().st_mtime, reverse=True)
        for place, each in enumerate(found):
            if place >= MOST_KEPT - 1 or each.name.startswith(f"{same}-"):
                each.unlink(missing_ok=True)


def run_quietly(arguments: list[str]) -> tuple[int, str]:
    """
    Run `dicebell` with low priority; return its exit status and its standard error.

    OSError if it cannot start; subprocess.TimeoutExpired if it took too long and was stopped.
    """
    status, _, errors = run_module(["controller.cli.main", *arguments])
    return status, errors
