# SPDX-License-Identifier: MIT
"""Read what a program sends: parameters of an address, and the body of a request for dice."""

from __future__ import annotations

from typing import Any

from flask import Request
from werkzeug.exceptions import BadRequest

from controller.base.errors import InputError
from controller.games.player_names import require_name
from controller.table.events import DiceRequested
from webui.auth.request_guard import require_own_json
from webui.commands import (
    Fields,
    quote_json,
    require_fields,
    require_keys,
    require_line,
    require_text,
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
