# SPDX-License-Identifier: MIT
"""
Read the bodies of requests: not too long, not too slowly, and not too many at once.

A body is in memory as a whole. So all bodies that are being read have a common budget; a request
that finds none left is to come again.
"""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, urlsplit

from starlette.requests import ClientDisconnect, Request

from controller.errors import UnavailableError
from controller.languages.message import message
from controller.tournament.wire.receiver import LengthError, RateError, WireError

BODY_TIMEOUT_S = 20.0
BUDGET_BYTES = 64_000_000
MOST_FORM_BYTES = 4096
MOST_FIELDS = 20
_LEAST_BYTES = 4096


class BodyBudget:
    """The bytes that bodies may take at once; for the thread of the event loop alone."""

    def __init__(self, most_bytes: int = BUDGET_BYTES) -> None:
        self._left = most_bytes

    async def read(self, request: Request, most_bytes: int) -> bytes:
        """
        Return the body of a request.

        Raises:
            RefusedError: It is too long or too slow, or too many others are being read.
        """
        length = _find_length(request, most_bytes)
        if length > self._left:
            raise RateError(expected="fewer requests at once", found="too many; try again")
        self._left -= length
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                return await _read_body(request, most_bytes)
        except TimeoutError as error:
            expected = f"the whole request within {BODY_TIMEOUT_S:.0f} s"
            raise WireError(expected=expected, found="a part of it") from error
        except ClientDisconnect as error:
            raise WireError(expected="a whole request", found="a part of it") from error
        finally:
            self._left += length


def require_own_page(request: Request) -> None:
    """
    Check that a form was sent by a page of this server.

    Raises:
        UnavailableError: A foreign page sent it.
    """
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("Host", ""):
        raise UnavailableError(
            expected=message("a form of this page"), found=message("one of another page")
        )


async def read_form(request: Request, budget: BodyBudget) -> dict[str, str]:
    """
    Return the fields of a form that a page of this server sent; the first of equal names.

    Raises:
        RefusedError: A foreign page sent it, or it is too long or too slow.
        ValueError: It has too many fields.
    """
    require_own_page(request)
    content = await budget.read(request, MOST_FORM_BYTES)
    fields = parse_qs(content.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)
    return {name: values[0] for name, values in fields.items()}


def _find_length(request: Request, most_bytes: int) -> int:
    """Return how much a body may take: what its header says, or the most if it says nothing."""
    given = request.headers.get("Content-Length")
    if given is None:
        return most_bytes
    if not given.isascii() or not given.isdigit() or len(given) > 12 or int(given) > most_bytes:
        expected = f"a body of at most {most_bytes} bytes"
        raise LengthError(expected=expected, found=f"{given[:20]} bytes")
    return max(int(given), _LEAST_BYTES)


async def _read_body(request: Request, most_bytes: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most_bytes:
            expected = f"a body of at most {most_bytes} bytes"
            raise LengthError(expected=expected, found="a longer one")
        parts.append(part)
    return b"".join(parts)
