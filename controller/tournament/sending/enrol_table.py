# SPDX-License-Identifier: MIT
"""Join a tournament: prove that this table knows the code, and check that the server does too."""

from __future__ import annotations

import json

from controller.base.errors import InputError, UnavailableError
from controller.base.languages.message import message
from controller.games.player_names import require_name
from controller.journal.signing_key import TableKey
from controller.tournament.sending.server_client import ServerAwayError, ServerClient
from controller.tournament.sending.server_pin import PinnedServer, parse_address
from controller.tournament.server.wire.enrolment import is_proof, prove_server, prove_table

JOIN_TIMEOUT_S = 10.0


def enrol_table(address: str, code: str, name: str, key: TableKey) -> tuple[PinnedServer, bool]:
    """
    Return the server that a table joined, and whether it must wait for the organiser.

    Args:
        address: The server's.
        code: The code that its organiser sees.
        name: What the table shall be called there.
        key: The table's.

    Raises:
        RefusedError: The server is not there, does not know the code, or refuses.
    """
    name, address = require_name(name, "name"), address.strip().rstrip("/")
    parse_address(address)
    box = key.public_hex
    content = json.dumps({"name": name, "proof": prove_table(code, box)}).encode()
    client = ServerClient(address, key, None, timeout_s=JOIN_TIMEOUT_S)
    try:
        answer = client.send("POST", f"/boxes/{box}", content, "application/json")
    except ServerAwayError as error:
        expected = message("a tournament desk at {address}", address=address)
        raise UnavailableError(expected=expected, found=error.what) from error
    finally:
        client.close()
    if answer.status != 200:
        expected = message("a desk that lets this table in")
        raise InputError(expected=expected, found=answer.error or str(answer.status))
    if not is_proof(answer.body.get("proof"), prove_server(code, box, answer.key)):
        raise InputError(
            expected=message("a desk that knows the code"), found=message("one that does not")
        )
    return PinnedServer(address, answer.key, name), answer.body.get("state") == "pending"
