# SPDX-License-Identifier: MIT
"""Check the port of the kiosk: free, used by dicebell, or used by another program."""

from __future__ import annotations

import contextlib
import http.client
import os
from collections.abc import Iterator, Mapping
from typing import cast

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, ok, wrong
from controller.appliance.doctor.host import Host
from controller.base.languages.message import message
from controller.base.settings import WebSettings
from controller.base.strict_json import parse_json
from controller.runtime.access.ports import LOOPBACK, bind_port, find_own_host, format_address

PORT = "port"
LISTENING = "0A"
ANSWER_TIMEOUT_S = 3.0


def check_port(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    web = context.settings.web
    if context.is_running:
        yield ok(
            PORT,
            message(
                "{port}, {own_port}: dicebell itself serves there",
                port=web.port,
                own_port=web.own_port,
            ),
        )
        return
    yield from _check_one(context.host, web.host, web.port, "port")
    yield from _check_one(context.host, LOOPBACK, web.own_port, "box_port")


def _check_one(machine: Host, host: str, port: int, key: str) -> Iterator[DiagnosticFinding]:
    try:
        with contextlib.closing(bind_port(host, port)):
            yield ok(PORT, message("{port} is free", port=port))
    except PermissionError:
        mend = message("choose one above 1023 as {key} in [web]", key=key)
        yield wrong(PORT, message("{port} is reserved for root", port=port), mend)
    except OSError as error:
        user = find_port_owner(machine, port)
        if user:
            mend = message("end that program, or choose another {key} in [web]", key=key)
            what = message("{port} is in use by {user}", port=port, user=user)
            yield wrong(PORT, what, mend)
        else:
            mend = message("choose an address and a {key} of this machine in [web]", key=key)
            what = message(
                "{address} is not available: {reason}",
                address=format_address(host, port),
                reason=error.strerror or str(error),
            )
            yield wrong(PORT, what, mend)


def fetch_health(web: WebSettings) -> Mapping[str, object] | None:
    """Return the health of the dicebell that answers at one of its ports; `None` if none does."""
    return fetch_health_at(LOOPBACK, web.own_port) or fetch_health_at(web.host, web.port)


def fetch_health_at(host: str, port: int) -> Mapping[str, object] | None:
    """Return the health of the dicebell that answers there, as in `/healthz`."""
    line = http.client.HTTPConnection(find_own_host(host), port, timeout=ANSWER_TIMEOUT_S)
    with contextlib.closing(line):
        try:
            line.request("GET", "/healthz")
            answer: object = parse_json(line.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError):
            return None
    is_dicebell = isinstance(answer, dict) and {"ok", "phase", "journal"} <= answer.keys()
    return cast(dict[str, object], answer) if is_dicebell else None


def find_port_owner(host: Host, port: int) -> str:
    """Return which program listens at a port; empty if none does."""
    sockets = _listening(host, port)
    if not sockets:
        return ""
    for folder in host.files("proc", "[0-9]*"):
        with contextlib.suppress(OSError):
            if any(os.readlink(link) in sockets for link in (folder / "fd").iterdir()):
                words = host.text(f"proc/{folder.name}/cmdline").split("\0")
                return f"{' '.join(words)[:60]} (process {folder.name})"
    return message("a program of another user")


def _listening(host: Host, port: int) -> set[str]:
    """Return the sockets that listen at a port, as they are called in the folders of processes."""
    found = set()
    for name in ("proc/net/tcp", "proc/net/tcp6"):
        for line in host.text(name).splitlines()[1:]:
            words = line.split()
            if words[3] == LISTENING and int(words[1].rpartition(":")[2], 16) == port:
                found.add(f"socket:[{words[9]}]")
    return found
