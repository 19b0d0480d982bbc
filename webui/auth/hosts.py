# SPDX-License-Identifier: MIT
"""
By which names a browser may call this box, and from where it may come.

A foreign page can point a name of its own at this box's address and would then count as
the same origin (DNS rebinding). It cannot do so with a name it does not own, nor with an
address: so only names that are known to be the box's own are answered.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:/@?#\s]+))(?::\d{1,5})?", re.IGNORECASE)
_LOOPBACK_NAME = "localhost"


def find_machine_names() -> frozenset[str]:
    """Return the names of this machine: as it calls itself, and as it is found by mDNS."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"}) - {""}


def parse_host_names(host_names: str) -> frozenset[str]:
    """Return the names in a text with commas between, as settings hold them."""
    names = (name.strip().lower() for name in host_names.split(","))
    return frozenset(name for name in names if name)


def parse_host(header: str | None) -> str:
    """Return the name or address in a Host header without its port; empty if it is none."""
    found = _HOST.fullmatch(header or "")
    return (found[1] or found[2]).lower().removesuffix(".") if found else ""


def is_loopback(host: str) -> bool:
    """Tell whether this name or address means the very machine that the browser runs on."""
    address = parse_address(host)
    return host == _LOOPBACK_NAME or (address is not None and address.is_loopback)


def is_own(host: str, names: frozenset[str]) -> bool:
    """Tell whether a browser may call this box so: by one of its names or by a local address."""
    return is_loopback(host) or host in names or is_local(host)


def is_local(host: str) -> bool:
    """Tell whether this is an address of the local network, and none of the whole internet."""
    address = parse_address(host)
    return address is not None and not address.is_global and not address.is_multicast


def parse_address(host: str) -> Address | None:
    """Return the address that a text is, an IPv4 one where IPv6 only wraps it; none if a name."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def client_key(peer: str) -> str:
    """Return whom a peer's tries are counted for: its address, of IPv6 the network it stands in."""
    address = parse_address(peer)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or peer)


def find_lan_address() -> str:
    """
    Return this machine's address in the local network; empty where it is in none.

    Nothing is sent: a UDP socket that is connected only looks up the way.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = way.getsockname()[0]
    return "" if is_loopback(address) else address
