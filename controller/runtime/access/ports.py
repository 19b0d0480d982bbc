# SPDX-License-Identifier: MIT
"""
Bind the ports of the pages, and name their addresses.

`0.0.0.0` is every address of this machine in IPv4. `::` is every address in IPv4 and IPv6: the
browser of a household takes either, whichever its resolver finds first.
"""

from __future__ import annotations

import socket

LOOPBACK = "127.0.0.1"
IPV4_EVERYWHERE, EVERYWHERE = "0.0.0.0", "::"
BACKLOG = 128


def bind_port(host: str, port: int, *, backlog: int = BACKLOG) -> socket.socket:
    """Return a socket that listens there, at any free port for 0; OSError if it may not."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server(
        (host, port), family=family, backlog=backlog, dualstack_ipv6=host == EVERYWHERE
    )


def is_everywhere(host: str) -> bool:
    """Return whether a host to listen on means every address of this machine."""
    return host in (IPV4_EVERYWHERE, EVERYWHERE)


def find_own_host(host: str) -> str:
    """Return the address at which this machine itself reaches what listens on a host."""
    return LOOPBACK if is_everywhere(host) else host


def format_address(host: str, port: int) -> str:
    return f"{f'[{host}]' if ':' in host else host}:{port}"
