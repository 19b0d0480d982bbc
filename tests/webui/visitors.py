# SPDX-License-Identifier: MIT
"""Browsers that ask a table from here and there, and a table's PIN and code to ask with."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from controller.base.settings import Phones, WebSettings
from controller.runtime.access.api_tokens import ApiTokens
from controller.runtime.access.rate_limit import ClientGroup, LoginClient
from controller.runtime.access.seats import PhoneSeats
from controller.runtime.access.tickets import AccessControl, LoginResult, TicketKind
from tests.webui.fakes import FakeTable
from webui import create_app
from webui.auth.origin import KEY, Origin

PIN, CODE = "428137", "51234"
PHONE, LAPTOP = "192.168.1.20", "192.168.1.30"
UNDO = {"do": "undo", "about": "lobby"}
PICK = {"do": "pick", "game": "choice", "about": "lobby"}


class FakeAccess(AccessControl):
    """Access control whose PIN and code are known; a ticket is the word for what it opens."""

    def __init__(self) -> None:
        self.pin, self.code = PIN, CODE
        self.shown: str | None = PIN
        self.wait_s = 0
        self.asked: list[str] = []
        self.is_away = False
        self.logged_out: set[str] = set()
        folder = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, folder)
        self.api_tokens = ApiTokens(folder, wall_s=lambda: 0.0)
        self.seats = PhoneSeats(folder, wall_s=lambda: -1.0)

    def first_pin(self) -> str | None:
        return self.shown

    def check_pin(self, pin: str, *, who: LoginClient) -> LoginResult:
        return self._check(pin == self.pin, "official", who)

    def set_pin(self, pin: str) -> None:
        self.pin = pin

    def pairing_code(self) -> str:
        return self.code

    def check_code(self, code: str, *, who: LoginClient, ticket: str = "") -> LoginResult:
        return self._check(code == self.code, "phone", who)

    def new_code(self) -> None:
        self.code = ""

    def revoke_phone_tickets(self) -> None:
        self.is_away = True

    def is_official(self, ticket: str) -> bool:
        return ticket == "official" and ticket not in self.logged_out

    def phone_number(self, ticket: str) -> str:
        is_valid = ticket.startswith("phone") and not self.is_away
        return ticket if is_valid and ticket not in self.logged_out else ""

    def identify_client(self, known: str, kind: TicketKind, address: str) -> LoginClient:
        return LoginClient(ClientGroup.OTHER, address)

    def expiry_s(self, ticket: str) -> int:
        return 0

    def log_out(self, kind: TicketKind, ticket: str) -> None:
        self.logged_out.add(ticket)

    def _check(self, is_right: bool, ticket: str, who: LoginClient) -> LoginResult:
        self.asked.append(who.name)
        if self.wait_s or not is_right:
            return LoginResult(is_right=False, wait_s=self.wait_s)
        return LoginResult(is_right=True, ticket=ticket, known="known")


class Visitor:
    """A browser at some address, with its own cookies; at the box's own port if `is_own`."""

    def __init__(
        self, app: Flask, peer: str, host: str = "dicebell.lan:8080", *, is_own: bool = True
    ) -> None:
        self._client: FlaskClient = app.test_client()
        self._from: dict[str, object] = {
            "REMOTE_ADDR": peer,
            KEY: Origin(is_own=is_own, public_port=8080),
        }
        self._url = f"http://{host}"

    def get(self, path: str, **headers: str) -> TestResponse:
        return self._client.get(
            path, base_url=self._url, environ_base=self._from, headers=_named(headers)
        )

    def opens(self, path: str) -> TestResponse:
        """Type an address, as a person does."""
        return self.get(path, Accept="text/html,*/*")

    def post(self, path: str, body: object, **headers: str) -> TestResponse:
        return self._client.post(
            path, json=body, base_url=self._url, environ_base=self._from, headers=_named(headers)
        )

    def enters(self, **secret: str) -> TestResponse:
        """Show the PIN (`pin=`) or the code (`code=`) at the login page."""
        (kind,) = secret
        return self.post(f"/login/{kind}", secret)

    def set_cookie(self, name: str, value: str) -> None:
        self._client.set_cookie(name, value, domain=self._url.removeprefix("http://"))

    def sits_down(self, player: str = "Ada") -> TestResponse:
        """Take the seat of a player with a phone that entered the code."""
        return self.post("/join/seat", {"player": player})


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def app_of(
    table: FakeTable,
    access: AccessControl,
    *,
    phones: Phones = Phones.OFF,
    pin_at_box: bool = True,
) -> Flask:
    web = WebSettings(
        host="0.0.0.0", phones=phones, pin_at_box=pin_at_box, host_names="dicebell.lan"
    )
    return create_app(table.running, None, access, web=web)
