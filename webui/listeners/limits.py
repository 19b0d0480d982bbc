# SPDX-License-Identifier: MIT
"""What the clients of one port may use: threads, connections, bytes and seconds."""

from __future__ import annotations

from dataclasses import dataclass

from webui.auth.request_guard import LARGEST_BODY_BYTES


@dataclass(frozen=True, slots=True)
class ListenerLimits:
    """
    The limits of one port.

    Attributes:
        threads: Requests that are answered at the same time, streams included.
        connections: Open connections.
        per_address: Open connections of one address, or of one /64 network in IPv6.
        header_bytes: Size of a request's line and headers.
        body_bytes: Size of a request's body.
        request_s: Seconds for a whole request, and for the first byte of a new connection.
        idle_s: Seconds between two requests on a connection.
        stalled_ms: Time without progress after which a client's connection ends.
    """

    threads: int = 120
    connections: int = 400
    per_address: int = 60
    header_bytes: int = 16 * 1024
    body_bytes: int = LARGEST_BODY_BYTES
    request_s: float = 10.0
    idle_s: float = 60.0
    stalled_ms: int = 20_000
