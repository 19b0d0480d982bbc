# SPDX-License-Identifier: MIT
"""
Access control: officials log in with the PIN, players pair phones with the code.

The box makes the first PIN and shows it on its own screen, so no two boxes share one. Only its
scrypt hash is stored, so an unused first PIN is made again at each start. A correct PIN or code
gives a ticket: signed, with an expiry, void after a logout, a new PIN or after phones were sent
away. A second ticket only says that this browser knew the secret once: it gets attempts of its
own. Tickets survive a restart.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path

from controller.base.errors import InputError
from controller.base.languages.message import message, plural_message
from controller.runtime.access.api_tokens import ApiTokens
from controller.runtime.access.login_memory import LoginMemory
from controller.runtime.access.rate_limit import ClientGroup, LoginClient, LoginThrottle
from controller.runtime.access.seats import BoundPhone, PhoneSeats
from controller.runtime.access.store import (
    AccessFile,
    StoredSecrets,
    generate_phone_secret,
    generate_pin,
    replace_pin,
    verify_pin,
)
from controller.runtime.event_loop import LoopObserver
from controller.table.state import TableState
from hardware.clock import Clock

PIN_SHORTEST, PIN_LONGEST = 6, 12
CODE_DIGITS = 5
BOX_KEY_BYTES = 24


class TicketKind(Enum):
    OFFICIAL = "official"
    PHONE = "phone"
    KNOWN_OFFICIAL = "known official"
    KNOWN_PHONE = "known phone"


LASTS_S = {
    TicketKind.OFFICIAL: 8 * 3600,
    TicketKind.PHONE: 24 * 3600,
    TicketKind.KNOWN_OFFICIAL: 180 * 24 * 3600,
    TicketKind.KNOWN_PHONE: 180 * 24 * 3600,
}
"""The lifetime of a ticket in seconds."""

KNOWN_KIND = {
    TicketKind.OFFICIAL: TicketKind.KNOWN_OFFICIAL,
    TicketKind.PHONE: TicketKind.KNOWN_PHONE,
}
"""
The ticket that is issued beside another one. A new PIN or sending phones away makes it void too:
a client that was shut out must not have more attempts than a stranger.
"""


@dataclass(frozen=True, slots=True)
class LoginResult:
    is_right: bool  # Whether it was the right PIN or code.
    wait_s: int = 0  # The wait before the next attempt, in whole seconds.
    ticket: str = ""  # The proof for later requests; empty after a wrong attempt.
    # The proof that this browser has logged in before; empty after a wrong attempt.
    known: str = ""


class AccessControl:
    """
    The PIN and the code of one table; every method may be called from any thread.

    Call `begin` once the data folder is locked; before that nothing is read or written. `seats`
    are the phones that play for players, `api_tokens` those of other programs.
    """

    def __init__(
        self, folder: Path, clock: Clock, *, wall_s: Callable[[], float] = time.time
    ) -> None:
        self.seats = PhoneSeats(folder, wall_s=wall_s)
        self.api_tokens = ApiTokens(folder, wall_s=wall_s)
        self._file = AccessFile(folder)
        self._wall_s = wall_s
        self._lock = threading.Lock()
        self._memory = LoginMemory(folder)
        self._pins = LoginThrottle(clock, partial(self._memory.note_wrong, "pin"))
        self._codes = LoginThrottle(clock, partial(self._memory.note_wrong, "code"))
        self._code = _generate_digits(CODE_DIGITS)
        self._shown: tuple[str, str] | None = None

    def begin(self) -> None:
        """
        Make the first PIN, later if the disk is full; continue the waits of the last run.

        On a full disk the table starts too. InputError if the file cannot be read, or a new one
        cannot be written.
        """
        kept = self._file.read_or_new()
        self._memory.load()
        self.seats.load()
        self.api_tokens.load()
        self._pins.resume(self._memory.wrong_counts("pin"))
        self._codes.resume(self._memory.wrong_counts("code"))
        if kept.is_first:
            try:
                self._make_first_pin()
            except InputError:
                if not self._file.exists():
                    raise

    def _make_first_pin(self) -> None:
        pin = generate_pin()
        kept = replace_pin(self._file.read_or_new(), pin, is_first=True)
        self._file.write_or_hold(kept)
        self._shown = (pin, kept.pin_hash)

    def write_held(self) -> None:
        """Write the first PIN, if a full disk had no room for it."""
        with self._lock:
            self._file.write_held()

    def first_pin(self) -> str | None:
        """Return the PIN that the box made; `None` once it was used or another one was set."""
        with self._lock, contextlib.suppress(InputError):
            if self._shown is None and self._file.read().is_first:
                self._make_first_pin()
        shown, kept = self._shown, self._file.read()
        is_still = shown is not None and kept.is_first and kept.pin_hash == shown[1]
        return shown[0] if shown and is_still else None

    def check_pin(self, pin: str, *, who: LoginClient) -> LoginResult:
        """Check a PIN; the right one gives an official's ticket. InputError if the disk refuses."""
        verdict = self._try_secret(
            self._pins, who, lambda: verify_pin(self._file.read(), pin), TicketKind.OFFICIAL
        )
        if verdict.is_right and self._file.read().is_first:
            with self._lock:
                self._file.write(replace(self._file.read(), is_first=False))
        return verdict

    def set_pin(self, pin: str) -> None:
        """Set another PIN; officials must log in again. InputError if it or the disk is refused."""
        digits = pin.isascii() and pin.isdigit()
        if not digits or not PIN_SHORTEST <= len(pin) <= PIN_LONGEST:
            count = plural_message("{count} digit", "{count} digits", len(pin))
            raise InputError(
                expected=message(
                    "a PIN of {fewest} to {most} digits", fewest=PIN_SHORTEST, most=PIN_LONGEST
                ),
                found=count if digits else message("other characters"),
            )
        with self._lock:
            self._file.write(replace_pin(self._file.read(), pin, is_first=False))

    def pairing_code(self) -> str:
        """Return the code that a phone enters once to play at this table."""
        return self._code

    def check_code(self, code: str, *, who: LoginClient, ticket: str = "") -> LoginResult:
        """Check a code; the right one gives a phone's ticket, with the number of the one it has."""
        right = _bytes(self._code)
        result = self._try_secret(
            self._codes,
            who,
            lambda: hmac.compare_digest(_bytes(code), right),
            TicketKind.PHONE,
            number=self.phone_number(ticket),
        )
        if player := self.seats.player_of(self.phone_number(result.ticket)):
            self.take_seat(player, result.ticket)
        return result

    def new_code(self) -> None:
        """Change the code; paired phones stay paired."""
        self._code = _generate_digits(CODE_DIGITS)

    def revoke_phone_tickets(self) -> None:
        """Change the code and make every phone's ticket void; InputError if the disk refuses."""
        with self._lock:
            self._file.write(replace(self._file.read(), phones=generate_phone_secret()))
        self.seats.clear()
        self.new_code()

    def is_official(self, ticket: str) -> bool:
        return self._is_good(TicketKind.OFFICIAL, ticket)

    def phone_number(self, ticket: str) -> str:
        """Return the number of a phone's valid ticket; empty for anything else."""
        return _ticket_id(ticket) if self._is_good(TicketKind.PHONE, ticket) else ""

    def take_seat(self, player: str, ticket: str) -> bool:
        """Give a phone the seat of a player; return whether it has it now."""
        number = self.phone_number(ticket)
        return bool(number) and self.seats.bind(player, BoundPhone(number, self.expiry_s(ticket)))

    def box_key(self) -> str:
        """Return the key of the box's own screen; the same one until the data folder changes."""
        secret = bytes.fromhex(self._file.read().secret)
        mac = hmac.digest(secret, b"the box's own screen", "sha256")
        return base64.urlsafe_b64encode(mac[:BOX_KEY_BYTES]).decode()

    def is_box_key(self, key: str) -> bool:
        return hmac.compare_digest(_bytes(key), _bytes(self.box_key()))

    def identify_client(self, known: str, kind: TicketKind, address: str) -> LoginClient:
        """Return as whom a browser attempts a secret: by its proof of this kind, or its address."""
        if self._is_good(kind, known):
            return LoginClient(ClientGroup.KNOWN, _ticket_id(known))
        return LoginClient(ClientGroup.OTHER, address)

    def expiry_s(self, ticket: str) -> int:
        """Return when a ticket ends, in s since 1970; the earlier one was issued earlier."""
        return int(ticket.partition(".")[0])

    def log_out(self, kind: TicketKind, ticket: str) -> None:
        """Make a ticket void before it expires; anything else is ignored."""
        if self._is_good(kind, ticket):
            number, now_s = _ticket_id(ticket), self._wall_s()
            if kind is TicketKind.PHONE:
                self.seats.free(self.seats.player_of(number))
            self._memory.log_out(kind.value, number, self.expiry_s(ticket), now_s=now_s)

    def _try_secret(
        self,
        attempts: LoginThrottle,
        who: LoginClient,
        is_right: Callable[[], bool],
        kind: TicketKind,
        *,
        number: str = "",
    ) -> LoginResult:
        was_right, wait_s = attempts.attempt(who, is_right)
        if not was_right:
            return LoginResult(is_right=False, wait_s=math.ceil(wait_s))
        known = KNOWN_KIND[kind]
        return LoginResult(
            is_right=True, ticket=self._issue_ticket(kind, number), known=self._issue_ticket(known)
        )

    def _issue_ticket(self, kind: TicketKind, number: str = "") -> str:
        ends_s = int(self._wall_s()) + LASTS_S[kind]
        body = f"{ends_s}.{number or secrets.token_urlsafe(9)}"
        return f"{body}.{_sign_ticket(self._file.read(), kind, body)}"

    def _is_good(self, kind: TicketKind, ticket: str) -> bool:
        body, _, signature = ticket.rpartition(".")
        signed = _sign_ticket(self._file.read(), kind, body)
        # The signature comes first: only a signed expiry can be trusted.
        if not hmac.compare_digest(_bytes(signature), _bytes(signed)):
            return False
        if self._memory.is_logged_out(kind.value, _ticket_id(ticket)):
            return False
        return self._wall_s() < self.expiry_s(ticket)


class CodePerGame(LoopObserver):
    """
    Changes the code when a game ends, so that the next players get a new one.

    The phone that started that game then has no say over the next one; while the game is parked,
    that phone may continue it. It also frees the seats of phones whose tickets have expired, and
    writes the first PIN as soon as a full disk has room for it.
    """

    def __init__(self, access: AccessControl) -> None:
        self._access = access
        self._before: TableState | None = None

    def on_state(self, state: TableState) -> None:
        """Change the code if this state ends a game; forget who started a game that is gone."""
        before, self._before = self._before, state
        if before is None:
            return
        # A request for dice is no game.
        was_game = before.play.position is not None and before.play.request is None
        if was_game and state.play.position is None:
            self._access.new_code()
        if not _has_same_game(before, state):
            self._access.seats.note_starter("")

    def on_idle(self) -> None:
        """Free expired seats, and write the PIN if it is still to be written."""
        self._access.seats.drop_expired()
        self._access.write_held()


def _has_same_game(before: TableState, after: TableState) -> bool:
    """Return whether the game that was open or parked is still open or parked."""
    if before.parked is not None and after.parked is None and after.play.position is not None:
        return after.play.position is before.parked.play.position
    return before.has_game == after.has_game


def _sign_ticket(kept: StoredSecrets, kind: TicketKind, body: str) -> str:
    """Sign a ticket; a new PIN or a new phone secret makes old signatures of its kind wrong."""
    is_official = kind in (TicketKind.OFFICIAL, TicketKind.KNOWN_OFFICIAL)
    era = kept.salt if is_official else kept.phones
    signed = f"{kind.value} {era} {body}"
    mac = hmac.digest(bytes.fromhex(kept.secret), _bytes(signed), "sha256")
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


def _ticket_id(ticket: str) -> str:
    return ticket.split(".")[1]


def _bytes(text: str) -> bytes:
    """Encode any text that a browser may send, even lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def _generate_digits(count: int) -> str:
    return "".join(secrets.choice("0123456789") for _ in range(count))
