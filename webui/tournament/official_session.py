# SPDX-License-Identifier: MIT
"""
Who is an official, by the cookies of a browser.

An official logs in with the PIN of the data folder, and with the name that stands beside every
decision. An address gives no right here: behind a proxy every browser has the proxy's. It only
decides whose wrong attempts count together.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from controller.games.player_names import NAME_LONGEST
from controller.runtime.access.rate_limit import ClientGroup, LoginClient
from controller.runtime.access.tickets import LASTS_S, AccessControl, LoginResult, TicketKind
from webui.auth.hosts import is_proxied
from webui.tournament.connections import find_address

TICKET_COOKIE = "dicebell-organiser"
KNOWN_COOKIE = "dicebell-known-organiser"
NAME_COOKIE = "dicebell-official"


def is_official(request: Request, access: AccessControl) -> bool:
    """Return whether an official is logged in at this browser."""
    ticket = request.cookies.get(TICKET_COOKIE, "")
    return bool(ticket) and access.is_official(ticket)


def find_name(request: Request) -> str:
    return unquote(request.cookies.get(NAME_COOKIE, ""))[:NAME_LONGEST]


def check_pin(request: Request, access: AccessControl, pin: str) -> LoginResult:
    """Check a PIN; after wrong ones a browser has to wait."""
    if is_own_machine(request):
        who = LoginClient(ClientGroup.BOX)
    else:
        known = request.cookies.get(KNOWN_COOKIE, "")
        who = access.identify_client(known, TicketKind.KNOWN_OFFICIAL, find_address(request))
    return access.check_pin(pin[:100], who=who)


def is_own_machine(request: Request) -> bool:
    """
    Return whether a browser of this machine asks: both ends of its connection have one address.

    Strangers behind a proxy on this machine that does not name them count as this machine too.
    """
    own = request.scope.get("server")
    is_same = request.client is not None and own is not None and request.client.host == own[0]
    return is_same and not is_proxied(request.headers.get)


def remember_official(request: Request, answer: Response, result: LoginResult, name: str) -> None:
    """Give the browser what proves from now on who is logged in."""
    for cookie, value, kind in (
        (TICKET_COOKIE, result.ticket, TicketKind.OFFICIAL),
        (KNOWN_COOKIE, result.known, TicketKind.KNOWN_OFFICIAL),
        (NAME_COOKIE, quote(name), TicketKind.KNOWN_OFFICIAL),
    ):
        answer.set_cookie(
            cookie,
            value,
            max_age=LASTS_S[kind],
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )


def forget_official(request: Request, answer: Response, access: AccessControl) -> None:
    """Log the browser's official out."""
    access.log_out(TicketKind.OFFICIAL, request.cookies.get(TICKET_COOKIE, ""))
    answer.delete_cookie(TICKET_COOKIE)
