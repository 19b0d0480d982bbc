# SPDX-License-Identifier: MIT
"""
Who asks, and what they may do.

Whoever sits at the box itself may do everything: the browser there needs no word, because
who can touch the box can pull its plug. From elsewhere one may look as the settings say,
play with the table's code, and do the rest with the PIN. Every address takes at least
these: reading one takes a watcher, changing something a player; pages for officials ask
for more with `require_official`. Who sets a roll by hand says the PIN, at the box too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol
from urllib.parse import urlencode

from flask import Flask, Request, Response, current_app, jsonify, redirect, request
from werkzeug.exceptions import Forbidden, HTTPException
from werkzeug.exceptions import abort as raise_answer

from controller.settings import Phones
from webui.auth.hosts import client_of, host_of, is_local, is_loopback

OFFICIAL_COOKIE, PHONE_COOKIE = "dicebell-official", "dicebell-phone"
OPEN_BLUEPRINTS = ("door", "health", "alive")
"""What everybody reaches who knows a name of the box: the door itself, and signs of life."""

OPEN_ENDPOINTS = ("static",)
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
_DOORS = "dicebell doors"


class Role(IntEnum):
    """Who asks; each may do what those before may do."""

    STRANGER = 0
    WATCHER = 1
    PLAYER = 2
    OFFICIAL = 3
    BOX = 4


class Verdict(Protocol):
    """What came of a try with a PIN or a code."""

    @property
    def is_right(self) -> bool:
        """Whether it was the right one."""
        ...

    @property
    def wait_s(self) -> int:
        """How long this client must wait before it may try again."""
        ...

    @property
    def ticket(self) -> str:
        """What proves it from now on; empty if it was wrong."""
        ...


class AccessGate(Protocol):
    """The PIN and the code of a table; every method may be called from any thread."""

    def first_pin(self) -> str | None:
        """Return the PIN that the box made; none once it was used or another one was set."""
        ...

    def check_pin(self, pin: str, *, who: str) -> Verdict:
        """Try a PIN; the right one gives an official's ticket."""
        ...

    def set_pin(self, pin: str) -> None:
        """Set another PIN; InputError if it is none."""
        ...

    def pairing_code(self) -> str:
        """Return the code that a phone enters once to play."""
        ...

    def check_code(self, code: str, *, who: str) -> Verdict:
        """Try a code; the right one gives a phone's ticket."""
        ...

    def revoke_phone_tickets(self) -> None:
        """Change the code and make every phone's ticket void."""
        ...

    def is_official(self, ticket: str) -> bool:
        """Tell whether this ticket is an official's and still good."""
        ...

    def is_paired(self, ticket: str) -> bool:
        """Tell whether this ticket is a phone's and still good."""
        ...


def is_the_box(asked: Request) -> bool:
    """
    Tell whether a browser on the box itself asks: over loopback, and calling it so.

    A proxy on the box comes over loopback too. It is known by the headers that it adds; they
    are never believed, they only take this right away.
    """
    is_direct = not any(name in asked.headers for name in _FORWARDED)
    return is_direct and is_loopback(asked.remote_addr or "") and is_loopback(_host(asked))


@dataclass(frozen=True, slots=True)
class Doors:
    """
    The doors of a table.

    Attributes:
        access: Its PIN and code; none for a table that only the box itself may use.
        phones: What browsers elsewhere may do.
        is_reached: Whether anybody elsewhere reaches the pages at all.
        is_box: Tells whether the box itself asks.
    """

    access: AccessGate | None = None
    phones: Phones = Phones.OFF
    is_reached: bool = False
    is_box: Callable[[Request], bool] = is_the_box

    def role_of(self, asked: Request) -> Role:
        """Return who asks."""
        if self.is_box(asked):
            return Role.BOX
        if self.access is None or not is_local(asked.remote_addr or ""):
            return Role.STRANGER
        if self.access.is_official(asked.cookies.get(OFFICIAL_COOKIE, "")):
            return Role.OFFICIAL
        if self.phones is Phones.OFF:
            return Role.STRANGER
        is_paired = self.access.is_paired(asked.cookies.get(PHONE_COOKIE, ""))
        return Role.PLAYER if self.phones is Phones.PLAY and is_paired else Role.WATCHER


def hang_doors(app: Flask, doors: Doors) -> None:
    """Ask at every address who comes."""
    app.extensions[_DOORS] = doors

    def look_who_comes() -> None:
        is_open = request.blueprint in OPEN_BLUEPRINTS or request.endpoint in OPEN_ENDPOINTS
        if is_open or request.endpoint is None:
            return
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        _require(request, Role.WATCHER if reads else Role.PLAYER)

    app.before_request(look_who_comes)


def doors() -> Doors:
    """Return the doors of the application that answers now."""
    hung = current_app.extensions[_DOORS]
    assert isinstance(hung, Doors)
    return hung


def require_official(asked: Request) -> None:
    """
    Let only an official go on, or the box itself.

    Raises:
        HTTPException: Somebody else asks. A page that was to be opened leads to the door, and
            from there back; everything else is 403, in words.
    """
    _require(asked, Role.OFFICIAL)


def require_pin(asked: Request, pin: str) -> None:
    """
    Let only those go on who know the PIN: they say it now, or have an official's ticket for it.

    Being at the box is not enough: its screen stands among the players.

    Args:
        asked: The request.
        pin: What was typed; empty for nothing.

    Raises:
        HTTPException: It is not the PIN (403), this client must wait (429), or there is none.
    """
    if not pin and doors().role_of(asked) is Role.OFFICIAL:
        return
    access = doors().access
    if access is None:
        raise Forbidden("This table has no PIN, so nobody can enter or correct faces by hand.")
    if not pin:
        raise Forbidden("This takes the table's PIN.")
    verdict = access.check_pin(pin, who=client_of(asked.remote_addr or ""))
    if not verdict.is_right:
        raise_answer(refused_try(verdict, "PIN"))


def refused_try(verdict: Verdict, what: str) -> Response:
    """Return the answer to a wrong try, in words: wrong, or wait."""
    if not verdict.wait_s:
        answer = jsonify(error=f"That is not the {what}.")
        answer.status_code = 403
        return answer
    answer = jsonify(error=f"Too many wrong tries: wait {verdict.wait_s} s, then try again.")
    answer.status_code = 429
    answer.headers["Retry-After"] = str(verdict.wait_s)
    return answer


def require_table(asked: Request) -> None:
    """
    Let only those go on who play at this table, an official, or the box itself.

    Raises:
        HTTPException: As `require_official`.
    """
    _require(asked, Role.PLAYER)


def _require(asked: Request, needed: Role) -> None:
    if doors().role_of(asked) >= needed:
        return
    if _opens_a_page(asked):
        raise_answer(redirect(f"/door?{urlencode({'to': asked.path})}", code=303))
    raise _refusal(needed, doors().phones)


def _opens_a_page(asked: Request) -> bool:
    return asked.method == "GET" and "text/html" in asked.headers.get("Accept", "")


def _refusal(needed: Role, phones: Phones) -> HTTPException:
    if needed is Role.OFFICIAL:
        return Forbidden("This takes the table's PIN: log in at /door.")
    if phones is Phones.OFF:
        return Forbidden("This table is only for the screen of the box itself.")
    if phones is Phones.WATCH:
        return Forbidden("This table is only to be watched from elsewhere.")
    return Forbidden("Enter the table's code first, at /door; the table's own screen shows it.")


def _host(asked: Request) -> str:
    return host_of(asked.headers.get("Host"))
