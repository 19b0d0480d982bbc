# SPDX-License-Identifier: MIT
"""Check whether the desk of the joined tournament answers, and is the one that was joined."""

from __future__ import annotations

from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.journal.signing_key import TableKey
from controller.tournament.sending.event_witness import describe_contradiction, load_seen
from controller.tournament.sending.server_client import (
    ForeignKeyError,
    ServerAwayError,
    ServerClient,
)
from controller.tournament.sending.server_pin import load_pin

TOURNAMENT = "tournament"
ANSWER_TIMEOUT_S = 5.0


def check_tournament(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Ask the server for this table's journal; a table that plays alone has none."""
    folder = context.settings.data.folder
    try:
        server = load_pin(folder)
        if server is None:
            yield ok(TOURNAMENT, message("this table plays in none"))
            return
        key = TableKey.load_or_generate(folder)
        client = ServerClient(server.address, key, server.key, timeout_s=ANSWER_TIMEOUT_S)
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
        what = message("{address}: {reason}", address=address, reason=error.what)
        mend = message("ask the organiser; join again with the code if the desk is the right one")
        return wrong(TOURNAMENT, what, mend)
    except ServerAwayError as error:
        what = message("{address}: {reason}", address=address, reason=error.what)
        mend = message("play goes on; check the network, and whether the desk runs")
        return note(TOURNAMENT, what, mend)
    if answer.status != 200:
        what = message("{address}: {reason}", address=address, reason=answer.error)
        mend = message("ask the organiser, or join again with the code")
        return wrong(TOURNAMENT, what, mend)
    count = answer.body.get("next", 0)
    what = message("the desk at {address} has {entries} entries", address=address, entries=count)
    return ok(TOURNAMENT, what)
