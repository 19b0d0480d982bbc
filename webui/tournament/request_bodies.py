# SPDX-License-Identifier: MIT
"""
Read the bodies of requests: not too long, not too slowly, and not too many at once.

A body is in memory as a whole. The length in its header reserves nothing: only bytes that have
arrived are charged, and to their sender. Forms are so short that the number of connections bounds
them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from starlette.requests import ClientDisconnect, Request

from controller.base.errors import InputError, UnavailableError
from controller.base.languages.message import message
from controller.tournament.server.store.box_queries import MOST_PICTURE_BYTES
from controller.tournament.server.wire.wire_request import LengthError, RateError, WireError

BODY_TIMEOUT_S = 60.0
GRACE_S = 10.0  # From the head of a request on; then its body needs `LEAST_BYTES_PER_S`.
LEAST_BYTES_PER_S = 50_000
BUDGET_BYTES = 64_000_000
SENDER_BYTES = 2 * MOST_PICTURE_BYTES
"""A table sends one request after the other; the one before may not have ended yet."""
MOST_FORM_BYTES = 4096
MOST_FIELDS = 32


class BodyBudget:
    """
    The bytes that long bodies may take at once; for the thread of the event loop alone.

    Args:
        most_bytes: Of all bodies.
        sender_bytes: Of the bodies of one sender.
    """

    def __init__(self, most_bytes: int = BUDGET_BYTES, sender_bytes: int = SENDER_BYTES) -> None:
        self._left = most_bytes
        self._sender_bytes = sender_bytes
        self._held: Counter[str] = Counter()

    async def read(self, request: Request, most_bytes: int, sender: str) -> bytes:
        """
        Return the body of a request, which counts for its sender while it is read.

        Raises:
            RefusedError: It is too long or too slow, or too many others are being read.
        """
        taken = 0

        def charge(size: int) -> None:
            nonlocal taken
            if size > min(self._left, self._sender_bytes - self._held[sender]):
                expected = message("fewer requests at once")
                raise RateError(expected=expected, found=message("too many; try again"))
            taken += size
            self._left -= size
            self._held[sender] += size

        try:
            return await read_body(request, most_bytes, charge)
        finally:
            self._left += taken
            self._held[sender] -= taken
            if not self._held[sender]:
                del self._held[sender]


async def read_body(
    request: Request, most_bytes: int, charge: Callable[[int], None] = lambda size: None
) -> bytes:
    """
    Return the body of a request.

    Args:
        most_bytes: The longest body.
        charge: Called with the size of each part that arrives; may refuse it.

    Raises:
        RefusedError: It is too long or too slow, or was refused.
    """
    _check_length(request, most_bytes)
    began_s, size = asyncio.get_running_loop().time(), 0
    parts = []
    try:
        async with asyncio.timeout(GRACE_S) as limit:
            async for part in request.stream():
                if not part:
                    continue  # The last one.
                size += len(part)
                if size > most_bytes:
                    raise _refuse_length(most_bytes, message("a longer one"))
                charge(len(part))
                parts.append(part)
                allowed_s = min(GRACE_S + size / LEAST_BYTES_PER_S, BODY_TIMEOUT_S)
                limit.reschedule(began_s + allowed_s)
    except TimeoutError as error:
        expected = f"a body within {GRACE_S:g} s, or with {LEAST_BYTES_PER_S // 1000} kB a second"
        raise WireError(expected=expected, found=f"{size} bytes") from error
    except ClientDisconnect as error:
        raise WireError(expected="a whole request", found="a part of it") from error
    return b"".join(parts)


def require_own_page(request: Request) -> None:
    """Check that a form was sent by a page of this server; UnavailableError if not."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("Host", ""):
        raise UnavailableError(
            expected=message("a form of this page"), found=message("one of another page")
        )


async def read_form(request: Request, most_bytes: int = MOST_FORM_BYTES) -> dict[str, str]:
    """
    Return the fields of a form that a page of this server sent; the first of equal names.

    Args:
        most_bytes: The longest body.

    Raises:
        RefusedError: A foreign page sent it, or it is no form, or too long or too slow.
    """
    require_own_page(request)
    content = await read_body(request, most_bytes)
    try:
        fields = parse_qs(content.decode(), errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError as error:
        expected, found = message("a form in UTF-8"), message("other bytes")
        raise InputError(expected=expected, found=found) from error
    except ValueError as error:
        expected = message("a form with {most} fields at most", most=str(MOST_FIELDS))
        raise InputError(expected=expected, found=message("more")) from error
    return {name: values[0] for name, values in fields.items()}


def _check_length(request: Request, most_bytes: int) -> None:
    given = request.headers.get("Content-Length", "0")
    if not given.isascii() or not given.isdigit() or len(given) > 12 or int(given) > most_bytes:
        raise _refuse_length(most_bytes, f"{given[:20]} bytes")


def _refuse_length(most_bytes: int, found: str) -> LengthError:
    expected = message("a body of at most {most} bytes", most=str(most_bytes))
    return LengthError(expected=expected, found=found)
