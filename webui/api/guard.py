# SPDX-License-Identifier: MIT
"""
Check what a program asks: its token, its scope, how often it asks, and its parameters.

Roles and cookies count for nothing here, so a token gives no right of the box's screen, and the
browser of an official lends none to a page. After a wrong token only its own address waits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from flask import Request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, Forbidden, TooManyRequests, Unauthorized

from controller.base.errors import InputError
from controller.games.player_names import require_name
from controller.integrations.api.parts import ApiParts
from controller.runtime.access.api_tokens import ApiToken, Scope
from controller.table.events import DiceRequested
from webui.auth.hosts import client_key
from webui.auth.request_guard import require_own_json
from webui.auth.roles import is_from_local_network
from webui.commands import (
    Fields,
    quote_json,
    require_fields,
    require_keys,
    require_line,
    require_text,
)


def admit_program(
    request: Request, parts: ApiParts, *scopes: Scope, knows: Sequence[str] = ()
) -> ApiToken:
    """
    Return the token of a request, which must have one of the scopes and no unknown parameter.

    Unauthorized without a valid token, Forbidden without the scope or from the internet,
    TooManyRequests if the token, or the address without one, asks too often. BadRequest for a
    parameter that the address does not know.
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
    require_parameters(request, *knows)
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


MOST_AT_ONCE = 100
USUAL_AT_ONCE = 20
LARGEST_NUMBER = 10**12
WHY_LONGEST = 200
DICE_MOST = 20

_ASKED = ("dice", "for", "why")


def require_parameters(request: Request, *known: str) -> None:
    """Check that an address has no unknown parameter and none twice; otherwise BadRequest."""
    for name, values in request.args.lists():
        if name not in known:
            expected = f"no parameter but {', '.join(known)}" if known else "no parameters"
            raise BadRequest(f"expected {expected}, found {quote_json(name)}")
        if len(values) > 1:
            raise BadRequest(f"expected {name} once, found it {len(values)} times")


def read_number(
    request: Request, name: str, default: int | None, *, most: int = LARGEST_NUMBER, least: int = 0
) -> int | None:
    """Return a parameter that is a whole number in its range; otherwise BadRequest."""
    text = request.args.get(name)
    if text is None:
        return default
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else -1
    if not least <= number <= most:
        raise BadRequest(
            f"expected {name}: a whole number from {least} to {most}, found {quote_json(text)}"
        )
    return number


def read_limit(request: Request) -> int:
    return read_number(request, "limit", USUAL_AT_ONCE, most=MOST_AT_ONCE, least=1) or USUAL_AT_ONCE


def read_request(request: Request, by: str) -> DiceRequested:
    """Return the request for dice in a body; HTTPException or InputError if it is malformed."""
    fields = require_fields(require_own_json(request), "dice")
    require_keys(fields, _ASKED)
    name = require_name(require_text(fields, "for"), "for")
    why = require_line(fields, "why", WHY_LONGEST, fewest=0)
    return DiceRequested(_read_count(fields), name, why, by)


def _read_count(fields: Fields) -> int:
    """Return the number of dice; JSON writes a whole number as 3 or 3.0."""
    dice: Any = fields["dice"]
    is_whole = type(dice) is int or (isinstance(dice, float) and dice.is_integer())
    if not is_whole or not 1 <= dice <= DICE_MOST:
        expected = f"dice: a whole number from 1 to {DICE_MOST}"
        raise InputError(expected=expected, found=quote_json(dice))
    return int(dice)
