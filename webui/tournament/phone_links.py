# SPDX-License-Identifier: MIT
"""
Another phone for a player: the organiser shows a QR code, and the phone that scans it is theirs.

The link works once. From the moment it is made, the old phone is not valid any more.
"""

from __future__ import annotations

import asyncio
import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.qr_code import render_qr_svg
from controller.runtime.access.tickets import AccessControl
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.official_requests import issue_phone
from webui.auth.hosts import choose_base
from webui.tournament.official_session import find_name, is_official
from webui.tournament.request_bodies import read_form


class PhoneLinks:
    """
    The address at which an organiser makes a link.

    Args:
        lan_url: The server's address in the local network; empty if only this machine reaches it.
    """

    def __init__(self, runner: EventRunner, access: AccessControl, lan_url: str = "") -> None:
        self._runner = runner
        self._lan_url = lan_url
        self._access = access

    def list_routes(self) -> list[Route]:
        return [Route("/organiser/phones", self._issue, methods=["POST"])]

    async def _issue(self, request: Request) -> Response:
        """A form with `player` gives `{"address", "qr"}`; `qr` is SVG."""
        if not is_official(request, self._access):
            raise HTTPException(403, message("Log in with the PIN first."))
        form = await read_form(request)
        player = form.get("player", "")
        if not player.isascii() or not player.isdigit() or len(player) > 6:
            raise InputError(expected=message("the number of a player"), found=repr(player[:20]))
        base = choose_base(str(request.base_url), self._lan_url)
        address = await make_phone_link(self._runner, base, int(player), find_name(request))
        qr = render_qr_svg(address).decode()
        return JSONResponse({"address": address, "qr": qr}, headers={"Cache-Control": "no-store"})


async def make_phone_link(runner: EventRunner, base: str, player: int, by: str) -> str:
    """
    Return a new link for a player's phone; the old phone is not valid any more.

    Args:
        base: The address of the server as phones reach it.

    Raises:
        RefusedError: There is no such player, or the official has no name.
    """
    secret = secrets.token_urlsafe(24)
    await asyncio.wrap_future(runner.propose(issue_phone(player, secret, by)))
    # Behind the hash it is in no log of a proxy and in no Referer header.
    return f"{base.rstrip('/')}/play#phone={secret}"
