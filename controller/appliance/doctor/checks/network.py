# SPDX-License-Identifier: MIT
"""Check the ports of the kiosk, the broker and the desk of the joined tournament."""

from __future__ import annotations

import contextlib
import http.client
import os
import secrets
from collections.abc import Iterator, Mapping
from typing import cast

from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.settings import WebSettings
from controller.base.strict_json import parse_json
from controller.integrations.mqtt.broker_link import BrokerLink
from controller.integrations.mqtt.broker_problems import BrokerError
from controller.journal.signing_key import TableKey
from controller.runtime.access.ports import LOOPBACK, bind_port, find_own_host, format_address
from controller.tournament.sending.event_witness import describe_contradiction, load_seen
from controller.tournament.sending.server_client import (
    ForeignKeyError,
    ServerAwayError,
    ServerClient,
)
from controller.tournament.sending.server_pin import load_pin

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


MQTT = "mqtt"
OWN_MACHINE = ("localhost", "127.0.0.1", "::1")


def check_broker(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Connect to the broker as the table does; a running table keeps its own connection."""
    mqtt = context.settings.mqtt
    if not mqtt.enabled:
        yield ok(MQTT, message("the table sends to no broker"))
        return
    address = f"{mqtt.host}:{mqtt.broker_port}"
    try:
        # A broker has one connection of each name, so this one needs a name of its own.
        with BrokerLink(mqtt, f"dicebell_doctor_{secrets.token_hex(3)}") as link:
            link.connect()
    except BrokerError as error:
        yield wrong(MQTT, error.what, error.remedy)
        return
    yield ok(MQTT, message("the broker {address} accepts the table", address=address))
    if mqtt.password_file and not mqtt.tls and mqtt.host not in OWN_MACHINE:
        yield note(
            MQTT,
            message("the password goes to {host} unencrypted", host=mqtt.host),
            message("set tls = true in [mqtt]"),
        )


TOURNAMENT = "tournament"
SERVER_TIMEOUT_S = 5.0


def check_tournament(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Ask the server for this table's journal; a table that plays alone has none."""
    folder = context.settings.data.folder
    try:
        server = load_pin(folder)
        if server is None:
            yield ok(TOURNAMENT, message("this table plays in none"))
            return
        key = TableKey.load_or_generate(folder)
        client = ServerClient(server.address, key, server.key, timeout_s=SERVER_TIMEOUT_S)
    except InputError as error:
        mend = message("leave the tournament on the service page, and join it again")
        yield wrong(TOURNAMENT, str(error), mend)
        return
    if (contradiction := describe_contradiction(*load_seen(folder, server.key))) is not None:
        mend = message("tell the arbiter; once it is settled, leave the tournament and join again")
        yield wrong(TOURNAMENT, contradiction, mend)
    try:
        yield _ask_server(client, server.address, key)
    finally:
        client.close()


def _ask_server(client: ServerClient, address: str, key: TableKey) -> DiagnosticFinding:
    try:
        answer = client.send("GET", f"/boxes/{key.public_hex}")
    except ForeignKeyError as error:
        what = message("{address}: {reason}", address=address, reason=str(error))
        mend = message("ask the organiser; join again with the code if the desk is the right one")
        return wrong(TOURNAMENT, what, mend)
    except ServerAwayError as error:
        what = message("{address}: {reason}", address=address, reason=str(error))
        mend = message("play goes on; check the network, and whether the desk runs")
        return note(TOURNAMENT, what, mend)
    if answer.status != 200:
        what = message("{address}: {reason}", address=address, reason=answer.error)
        mend = message("ask the organiser, or join again with the code")
        return wrong(TOURNAMENT, what, mend)
    count = answer.body.get("next", 0)
    what = message("the desk at {address} has {entries} entries", address=address, entries=count)
    return ok(TOURNAMENT, what)
