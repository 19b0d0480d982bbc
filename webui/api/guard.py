# SPDX-License-Identifier: MIT
"""
Decide which program may ask what: by its token, its scope, and how often it asks.

Roles and cookies count for nothing here, so a token gives no right of the box's screen, and the
browser of an official lends none to a page. After a wrong token only its own address waits.
"""

from __future__ import annotations

import math

from flask import Request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, TooManyRequests, Unauthorized

from controller.integrations.api.parts import ApiParts
from controller.runtime.access.api_tokens import ApiToken, Scope
from webui.auth.hosts import client_key
from webui.auth.roles import is_from_local_network


def require_scope(request: Request, parts: ApiParts, *scopes: Scope) -> ApiToken:
    """
    Return the token of a request, which must have one of the scopes.

    Unauthorized without a valid token, Forbidden without the scope or from the internet,
    TooManyRequests if the token, or the address without one, asks too often.
    """
    if not is_from_local_network(request):
        raise Forbidden("expected a program in the local network, found one outside")
    header = request.headers.get("Authorization", "")
    kind, _, text = header.partition(" ")
    token = parts.tokens.find_token(text.strip()) if kind.lower() == "bearer" else None
    if token is None:
        _require_pause(parts.rates.wrong_tokens.wait_s(client_key(request.remote_addr or "")))
        is_bearer = kind.lower() == "bearer"
        found = "none" if not header else "a void or wrong one" if is_bearer else "another kind"
        raise Unauthorized(
            f"expected the header 'Authorization: Bearer TOKEN', found {found}; tokens are made"
            " on the table's service page, under Machine",
            www_authenticate=WWWAuthenticate("bearer", {"realm": "dicebell"}),
        )
    _require_pause(parts.rates.requests.wait_s(token.number))
    if not any(scope in token.scopes for scope in scopes):
        expected, found = " or ".join(scopes), ", ".join(token.scopes)
        raise Forbidden(f"expected a token with the scope {expected}, found one with {found}")
    return token


def require_dice_rate(parts: ApiParts, token: ApiToken) -> None:
    """Count a request for dice; TooManyRequests if the program asks people too often."""
    _require_pause(parts.rates.asked_dice.wait_s(token.number))


def _require_pause(wait_s: float) -> None:
    if wait_s:
        seconds = math.ceil(wait_s)
        raise TooManyRequests(
            f"expected fewer requests, found too many; wait {seconds} s", retry_after=seconds
        )
