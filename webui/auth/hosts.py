# SPDX-License-Identifier: MIT
"""
Decide by which names a browser may call this box, and from where.

A foreign page can point its own name at this box's address and would then count as the same
origin (DNS rebinding). It cannot do so with a name of the box or an address. So only known
names of the box are answered.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from controller.base.languages.message import Message, message

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
"""The headers in which proxies name their visitors."""

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:/@?#\s]+))(?::\d{1,5})?", re.IGNORECASE)
_LOOPBACK_NAME = "localhost"
_SEARCH = ("search", "domain")
RESOLVER_FILE = Path("/etc/resolv.conf")
LONGEST_SHOWN = 80
LONGEST_ADDRESS = 64  # Also with the name of an interface behind it.


@dataclass(frozen=True, slots=True)
class OwnNames:
    """The names by which browsers may call a server of this machine; it refuses any other."""

    # The names, in lower case, beside those of the machine and its addresses.
    names: frozenset[str]
    setting: Message  # What adds a name, for the reason of a refusal.
    # Whether addresses of the internet are right too. No page can choose what an address means, so
    # this is about who is expected to come.
    takes_internet: bool = False
    resolver_file: Path = RESOLVER_FILE  # Has the search domains of the machine.

    def find_refusal(self, header: str | None) -> Message | None:
        """Return why a request with this Host header is refused; None if it is not."""
        host = parse_host(header)
        # What asks the system comes last.
        if is_own(host, self.names) or host in find_machine_names() or self._is_searched(host):
            return None
        if self.takes_internet and parse_address(host) is not None:
            return None
        return message(
            "expected a name of this machine, found {found}. Open it by its address, or add the"
            " name to {setting}.",
            found=(header or "")[:LONGEST_SHOWN] or message("none"),
            setting=self.setting,
        )

    def _is_searched(self, host: str) -> bool:
        """
        Return whether a host is this machine's name in a domain that its network searches.

        Only the network itself names such a domain, and answers for the names in it, so a page
        of the internet cannot. It is read again each time: networks come and go.
        """
        name, _, domain = host.partition(".")
        return name in find_machine_names() and domain in read_search_domains(self.resolver_file)


def read_search_domains(file: Path) -> frozenset[str]:
    """Return the domains of `search` and `domain` in a file like /etc/resolv.conf."""
    try:
        lines = file.read_text(errors="replace").splitlines()
    except OSError:
        return frozenset()
    words = (line.lower().split() for line in lines)
    found = (domain for key, *rest in filter(None, words) if key in _SEARCH for domain in rest)
    return frozenset(domain.strip(".") for domain in found) - {""}


def find_machine_names() -> frozenset[str]:
    """Return the host name of this machine and its mDNS name."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"}) - {""}


def parse_host_names(host_names: str) -> frozenset[str]:
    """Return the names in a comma-separated setting, without ports."""
    names = (name.strip().lower() for name in host_names.split(","))
    # An address of IPv6 has no brackets here.
    return frozenset(parse_host(name) or name for name in names) - {""}


def parse_host(header: str | None) -> str:
    """Return the name or address in a Host header without its port; empty if malformed."""
    found = _HOST.fullmatch(header or "")
    return (found[1] or found[2]).lower().removesuffix(".") if found else ""


def is_loopback(host: str) -> bool:
    """Return whether a name or address means the machine that the browser runs on."""
    address = parse_address(host)
    return host == _LOOPBACK_NAME or (address is not None and address.is_loopback)


def choose_base(url: str, lan_url: str) -> str:
    """Return the address of this server for phones: `lan_url`, if there is one, for `localhost`."""
    return lan_url if lan_url and is_loopback(urlsplit(url).hostname or "") else url


def is_own(host: str, names: frozenset[str]) -> bool:
    """Return whether a host is a name of this box or a local address."""
    return is_loopback(host) or host in names or is_local(host)


def is_local(host: str) -> bool:
    """Return whether a host is an address of the local network."""
    address = parse_address(host)
    return address is not None and not address.is_global and not address.is_multicast


def parse_address(host: str) -> Address | None:
    """Return a text as an address, unwrapping IPv4 in IPv6; None if it is a name."""
    return _parse_short(host) if len(host) <= LONGEST_ADDRESS else None


@lru_cache(maxsize=1024)
def _parse_short(host: str) -> Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_proxied(find_header: Callable[[str], str | None]) -> bool:
    """Return whether a proxy says in the headers of a request that it passed it on."""
    return any(find_header(name) is not None for name in (*FORWARDED, "Via"))


def parse_peer(peer: str) -> str:
    """Return a client's address in its own family, also of `::ffff:192.168.1.5`."""
    return str(parse_address(peer) or peer)


def client_key(peer: str) -> str:
    """Return the key for counting login attempts: the address, or its /64 network in IPv6."""
    address = parse_address(peer)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or peer)


def find_lan_address() -> str:
    """Return this machine's address in the local network; empty without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return "" if is_loopback(address) else address


def find_public_hosts(port: int) -> tuple[str, str]:
    """Return a port of this machine by address and by name; empty what it does not have."""
    address, name = find_lan_address(), socket.gethostname().partition(".")[0].lower()
    return f"{address}:{port}" if address else "", f"{name}.local:{port}" if name else ""
