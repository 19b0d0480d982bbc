# SPDX-License-Identifier: MIT
"""
Remember which phone plays for which player, across restarts.

A seat is a player's name, and a phone is the number of its ticket. The server looks the player
of a command up here, so no request can name another one. A seat ends with its ticket. A disk that
refuses the file, or a broken file, only costs the phones a tap: they choose their seats again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.base.durable_files import BAD_JSON, PRIVATE, read_json, write_json
from controller.base.logs import Log

FILE_NAME = "seats.json"

_LOG = Log("access")


@dataclass(frozen=True, slots=True)
class BoundPhone:
    number: str  # The number of its ticket.
    ends_s: int  # When the ticket expires, in seconds since 1970.


class PhoneSeats:
    """The seats of a table that have a phone, read from `load` on; any thread may use it."""

    def __init__(self, folder: Path, *, wall_s: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE_NAME
        self._wall_s = wall_s
        self._lock = threading.RLock()
        self._phones: dict[str, BoundPhone] = {}
        self._starter = ""
        self._followers: list[Callable[[tuple[str, ...]], None]] = []

    def subscribe(self, on_change: Callable[[tuple[str, ...]], None]) -> None:
        """Pass the players who have a phone to a function, now and after each change."""
        self._followers.append(on_change)
        on_change(self.list_players())

    def load(self) -> None:
        """Read the file, if there is one."""
        try:
            read = read_json(self._path)
            phones = {
                str(name): BoundPhone(str(phone["number"]), int(phone["ends_s"]))
                for name, phone in read["seats"].items()
            }
            starter = str(read["starter"])
        except FileNotFoundError:
            return
        except BAD_JSON as error:
            _LOG.warning("seats forgotten", file=FILE_NAME, error=str(error))
            return
        with self._lock:
            self._phones, self._starter = phones, starter
        self._notify()

    def list_players(self) -> tuple[str, ...]:
        now_s = self._wall_s()
        with self._lock:
            return tuple(name for name, phone in self._phones.items() if phone.ends_s > now_s)

    def player_of(self, number: str) -> str:
        """Return the player of a phone; empty if it has no seat."""
        if not number:
            return ""
        with self._lock:
            return next(
                (name for name in self.list_players() if self._phones[name].number == number), ""
            )

    def bind(self, player: str, phone: BoundPhone) -> bool:
        """Give a phone a seat instead of its old one; return false if another phone has it."""
        with self._lock:
            if player in self.list_players() and self._phones[player].number != phone.number:
                return False
            self._remove(self.player_of(phone.number))
            self._phones[player] = phone
            self._write()
            return True

    def free(self, player: str) -> None:
        """Free a seat; its phone may choose again."""
        with self._lock:
            if self._remove(player):
                self._write()

    def drop_expired(self) -> None:
        """Free the seats whose tickets have expired; called again and again."""
        with self._lock:
            if len(self._phones) != len(self.list_players()):
                self._write()

    def clear(self) -> None:
        with self._lock:
            self._phones, self._starter = {}, ""
            self._write()

    def note_starter(self, number: str) -> None:
        """Remember which phone started the game; an empty number is the box or an official."""
        with self._lock:
            if self._starter != number:
                self._starter = number
                self._write()

    def is_starter(self, number: str) -> bool:
        return bool(number) and self._starter == number

    def _remove(self, player: str) -> bool:
        return self._phones.pop(player, None) is not None

    def _notify(self) -> None:
        for on_change in self._followers:
            on_change(self.list_players())

    def _write(self) -> None:
        self._phones = {name: self._phones[name] for name in self.list_players()}
        seats = {name: asdict(phone) for name, phone in self._phones.items()}
        try:
            write_json(self._path, {"seats": seats, "starter": self._starter}, mode=PRIVATE)
        except OSError as error:
            _LOG.warning("seats not written", error=str(error))
        self._notify()
