# SPDX-License-Identifier: MIT
"""A request on the wire, its sender, its answer, and why it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.base.errors import InputError
from controller.tournament.server.wire.http_signature import SignedMessage


class WireError(InputError):
    """A request that cannot be answered; `status` is that of HTTP."""

    status = 400


class SignatureError(WireError):
    """The signature of a request is missing, wrong, too old, or was used before."""

    status = 401


class LengthError(WireError):
    """A request is too long."""

    status = 413


class RateError(WireError):
    """A client asks too often."""

    status = 429


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent a request, as its head proves it."""

    name: str  # To whom it is charged: the table, by its key, or the address.
    is_table: bool = False  # Whether it is an enrolled table, or any table at an open server.
    # What its signature says, by the key in the path; `None` if it does not count.
    signed: SignedMessage | None = None
    # Why it does not count; `None` if it does, or if there is no signature.
    refusal: SignatureError | None = None


class Needs(Enum):
    """What a request must prove before its body is read."""

    NOTHING = "nothing"
    SIGNATURE = "signature"
    ENROLMENT = "enrolment"


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request as it came."""

    method: str  # The HTTP method.
    path: str  # As it was sent, without a query.
    headers: Mapping[str, str]  # By name; the case of a name must not matter.
    client: str  # The address that it came from.
    table: str  # The key in its path, 64 hexadecimal digits.
    sender: Sender  # Who sent it; the address, until `SenderCheck.identify`.
    content: bytes = b""  # The whole body; empty until it was read.


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """An answer: the status, the body that is sent as JSON, and its further headers."""

    status: int
    body: Mapping[str, object]
    headers: Mapping[str, str] = field(default_factory=dict)
