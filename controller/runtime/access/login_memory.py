# SPDX-License-Identifier: MIT
"""
Remember across restarts who guessed wrong, and which tickets were logged out.

Otherwise a restart would give every guesser new free attempts and make logged-out tickets valid
again. A full disk or a broken file must not keep the table from starting: that is logged, and
this run remembers in memory only.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

from controller.base.durable_files import BAD_JSON, PRIVATE, read_json, write_json
from controller.base.logs import Log
from controller.runtime.access.rate_limit import WrongCounts

FILE_NAME = "logins.json"
MOST_LOGGED_OUT = 1000
"""Logged-out tickets that are remembered per kind. Only who knows the secret can make more."""

_LOG = Log("access")


class LoginMemory:
    """The file in a data folder; any thread may use it. Nothing is read before `load`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._lock = threading.Lock()
        self._wrong: dict[str, WrongCounts] = {}
        self._logged_out: dict[str, dict[str, int]] = {}

    def load(self) -> None:
        """Read the file, if there is one."""
        try:
            read = read_json(self._path)
            wrong: dict[str, WrongCounts] = {
                str(secret): _parse_counts(of) for secret, of in read["wrong"].items()
            }
            logged_out = _parse_counts(read["logged_out"])
        except FileNotFoundError:
            return
        except BAD_JSON as error:
            _LOG.warning("logins forgotten", file=FILE_NAME, error=str(error))
            return
        with self._lock:
            self._wrong, self._logged_out = wrong, logged_out

    def wrong_counts(self, secret: str) -> WrongCounts:
        """Return the wrong attempts at a secret, such as `pin`."""
        with self._lock:
            return self._wrong.get(secret, {})

    def note_wrong(self, secret: str, counts: WrongCounts) -> None:
        with self._lock:
            self._wrong[secret] = counts
            self._write()

    def log_out(self, kind: str, ticket_id: str, ends_s: int, *, now_s: float) -> None:
        """Remember that a ticket was logged out until it expires, in seconds since 1970."""
        with self._lock:
            valid = {
                each: ends for each, ends in self._logged_out.get(kind, {}).items() if ends > now_s
            }
            newest = list({**valid, ticket_id: ends_s}.items())[-MOST_LOGGED_OUT:]
            self._logged_out[kind] = dict(newest)
            self._write()

    def is_logged_out(self, kind: str, ticket_id: str) -> bool:
        return ticket_id in self._logged_out.get(kind, {})

    def _write(self) -> None:
        remembered = {"wrong": self._wrong, "logged_out": self._logged_out}
        try:
            write_json(self._path, remembered, mode=PRIVATE)
        except OSError as error:
            _LOG.warning("logins not written", error=str(error))


def _parse_counts(raw: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {
        str(outer): {str(name): int(count) for name, count in counts.items()}
        for outer, counts in raw.items()
    }
