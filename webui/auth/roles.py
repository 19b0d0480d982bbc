# SPDX-License-Identifier: MIT
"""
Find the role of a request and check what it may do.

The browser on the box itself may do everything: who can touch the box can also pull its plug.
Other browsers watch as the settings allow, take a seat with the table's code and play for it, and
need the PIN for the rest. Every address needs at least a watcher to read and a player to change
something.
Pages for officials call `require_official`. Entering a roll by hand needs the PIN, unless the
owner trusts the people at the box.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from urllib.parse import urlencode

from flask import Flask, Request, Response, current_app, jsonify, redirect, request
from werkzeug.exceptions import Forbidden, HTTPException
from werkzeug.exceptions import abort as raise_answer

from controller.base.languages.message import message
from controller.base.settings import Phones
from controller.runtime.access.rate_limit import ClientGroup, LoginClient
from controller.runtime.access.tickets import AccessControl, LoginResult, TicketKind
from webui.auth.hosts import (
    FORWARDED,
    client_key,
    is_local,
    is_loopback,
    is_proxied,
    parse_address,
    parse_host,
)
from webui.auth.origin import find_origin
from webui.auth.refusals import wants_page
from webui.language import find_catalogue

COOKIES = {
    TicketKind.OFFICIAL: "dicebell-official",
    TicketKind.PHONE: "dicebell-phone",
    TicketKind.KNOWN_OFFICIAL: "dicebell-known-official",
    TicketKind.KNOWN_PHONE: "dicebell-known-phone",
}
"""The names of the cookies that carry tickets."""

OPEN_BLUEPRINTS = ("login", "joining", "health", "heartbeat", "moved", "api")
"""
Open to everybody who knows a name of the box: log in, join, health, heartbeat, redirects; and the
interface for programs, which checks tokens itself and knows no roles.
"""

OPEN_ENDPOINTS = ("static",)
BOX_COOKIE = "dicebell-box"  # The name of the cookie that carries the key of the box's own screen.

_ADDRESS = re.compile(r"[0-9]+(?:\.[0-9]+){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F.]*")
_POLICY_KEY = "dicebell access policy"


class Role(IntEnum):
    """Who sends a request, with all lower rights; a guest has no seat yet, a player has one."""

    STRANGER = 0
    WATCHER = 1
    GUEST = 2
    PLAYER = 3
    OFFICIAL = 4
    BOX = 5


def is_box_browser(asked: Request) -> bool:
    """
    Return whether the request comes from the box itself: through its own port, by a loopback name.

    A proxy on the box also connects over loopback. Many add a header that gives them away, but
    not all do. So an installed table requires a key too (`AccessPolicy.needs_key`).
    """
    if not find_origin(asked.environ).is_own:
        return False
    is_direct = not is_proxied(asked.headers.get) and is_loopback(asked.remote_addr or "")
    return is_direct and is_loopback(parse_host(asked.headers.get("Host")))


_ROLE_TICKETS = {
    Role.GUEST: TicketKind.PHONE,
    Role.PLAYER: TicketKind.PHONE,
    Role.OFFICIAL: TicketKind.OFFICIAL,
}


@dataclass(frozen=True, slots=True)
class Seat:
    phone: str = ""  # The number of the phone; empty if it has not joined.
    player: str = ""  # The player whose seat it is; empty for none.
    # Whether this phone started the game, so that it may pause and leave it.
    is_starter: bool = False


NO_SEAT = Seat()  # The seat of every browser that is no joined phone.


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    access: AccessControl  # PIN and code.
    phones: Phones = Phones.OFF
    is_reached: bool = False  # Whether other machines can reach the pages at all.
    # Returns whether the box itself sends a request.
    is_box: Callable[[Request], bool] = is_box_browser
    needs_key: bool = False  # Whether the box's own screen must have the key too.
    # Whether the box's own screen needs the PIN to enter or correct faces.
    pin_at_box: bool = True

    def is_own_screen(self, asked: Request) -> bool:
        """Return whether the box's own screen sends a request."""
        if not self.is_box(asked):
            return False
        key = asked.cookies.get(BOX_COOKIE, "")
        return not self.needs_key or self.access.is_box_key(key)

    def role_of(self, asked: Request) -> Role:
        if self.is_own_screen(asked):
            return Role.BOX
        if not is_from_local_network(asked):
            return Role.STRANGER
        if self.access.is_official(get_ticket(asked, TicketKind.OFFICIAL)):
            return Role.OFFICIAL
        if self.phones is Phones.OFF:
            return Role.STRANGER
        number = self.phone_number(asked)
        if not number:
            return Role.WATCHER
        return Role.PLAYER if self.access.seats.player_of(number) else Role.GUEST

    def phone_number(self, asked: Request) -> str:
        if self.phones is not Phones.PLAY or not is_from_local_network(asked):
            return ""
        return self.access.phone_number(get_ticket(asked, TicketKind.PHONE))

    def seat_of(self, asked: Request) -> Seat:
        number, seats = self.phone_number(asked), self.access.seats
        if not number:
            return NO_SEAT
        return Seat(number, seats.player_of(number), seats.is_starter(number))


def init_auth(app: Flask, policy: AccessPolicy) -> None:
    """Check the role at every address of the application."""
    app.extensions[_POLICY_KEY] = policy

    def check_role() -> None:
        is_open = request.blueprint in OPEN_BLUEPRINTS or request.endpoint in OPEN_ENDPOINTS
        if is_open or request.endpoint is None:
            return
        reads = request.method in ("GET", "HEAD", "OPTIONS")
        _require(request, Role.WATCHER if reads else Role.PLAYER)

    app.before_request(check_role)


def current_policy() -> AccessPolicy:
    policy = current_app.extensions[_POLICY_KEY]
    assert isinstance(policy, AccessPolicy)
    return policy


@dataclass(frozen=True, slots=True)
class Viewer:
    role: Role
    address: str = ""  # Its address, or its /64 network in IPv6.
    ticket: str = ""  # What it logged in or joined with; empty for the box and for watchers.
    joined_s: int = 0  # When it did so, in seconds; only the order counts.

    @property
    def client(self) -> str:
        """Its identity. A phone is one client also behind a proxy, which is one address."""
        return f"{self.role.name} {self.ticket or self.address}"


def identify_viewer(asked: Request) -> Viewer:
    policy, address = current_policy(), client_key(asked.remote_addr or "")
    role = policy.role_of(asked)
    kind = _ROLE_TICKETS.get(role)
    if kind is None:
        return Viewer(role, address)
    ticket = get_ticket(asked, kind)
    return Viewer(role, address, ticket, policy.access.expiry_s(ticket))


def require_official(asked: Request) -> None:
    """Require an official or the box; HTTPException redirects a page to the login, else 403."""
    _require(asked, Role.OFFICIAL)


def needs_pin(role: Role) -> bool:
    """
    Return whether this role must type the PIN to enter or correct faces.

    Being at the box is not enough: its screen stands among the players. At home the owner may
    decide otherwise.
    """
    return role is not Role.OFFICIAL and (role is not Role.BOX or current_policy().pin_at_box)


def require_pin(asked: Request, pin: str) -> None:
    """Require the PIN unless the role needs none; HTTPException 403 if wrong, 429 to wait."""
    if not pin and not needs_pin(current_policy().role_of(asked)):
        return
    if not pin:
        raise Forbidden(message("Enter the table's PIN first."))
    who = identify_login_client(asked, TicketKind.KNOWN_OFFICIAL)
    result = current_policy().access.check_pin(pin, who=who)
    if not result.is_right:
        raise_answer(refuse_login(result, "PIN"))


def get_ticket(asked: Request, kind: TicketKind) -> str:
    return asked.cookies.get(COOKIES[kind], "")


def identify_login_client(asked: Request, kind: TicketKind) -> LoginClient:
    """Return whose attempt at a secret a request is, by the `kind` of ticket from before."""
    if current_policy().role_of(asked) is Role.BOX:
        return LoginClient(ClientGroup.BOX)
    address = client_key(asked.remote_addr or "")
    return current_policy().access.identify_client(get_ticket(asked, kind), kind, address)


_WRONG = {"PIN": message("That is not the PIN."), "code": message("That is not the code.")}


def refuse_login(result: LoginResult, what: str) -> Response:
    """Return the reply to a failed attempt: wrong, or wait."""
    if not result.wait_s:
        answer = jsonify(error=find_catalogue().translate(_WRONG[what]))
        answer.status_code = 403
        return answer
    text = message("Too many wrong tries. Wait {seconds} s, then try again.", seconds=result.wait_s)
    answer = jsonify(error=find_catalogue().translate(text))
    answer.status_code = 429
    answer.headers["Retry-After"] = str(result.wait_s)
    return answer


def _require(asked: Request, needed: Role) -> None:
    role = current_policy().role_of(asked)
    if role >= needed:
        return
    if asked.method == "GET" and wants_page(asked.headers.get("Accept")):
        raise_answer(redirect(f"/login?{urlencode({'to': asked.path})}", code=303))
    raise _refusal(needed, role, current_policy().phones)


def _refusal(needed: Role, role: Role, phones: Phones) -> HTTPException:
    if needed is Role.OFFICIAL:
        return Forbidden(message("Log in with the table's PIN at /login first."))
    if phones is Phones.OFF:
        return Forbidden(message("Only the box's own screen may use this table."))
    if phones is Phones.WATCH:
        return Forbidden(message("Other devices may only watch this table."))
    if role is Role.GUEST:
        return Forbidden(message("Choose your name first. This phone has no seat yet."))
    return Forbidden(message("Scan the table's code first. The table's own screen shows it."))


def is_from_local_network(asked: Request) -> bool:
    """Return whether a client is in the local network, and so is every one that proxies name."""
    named = " ".join(asked.headers.get(name, "") for name in FORWARDED)
    addresses = (parse_address(text) for text in _ADDRESS.findall(named))
    claims = [str(address) for address in addresses if address is not None]
    return all(is_local(each) for each in (asked.remote_addr or "", *claims))
