# SPDX-License-Identifier: MIT
"""The page and the phones of a table: each follows its stream, and presses buttons."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from contextlib import closing

from tests.bench.clients.screen import StreamClient, View, build_confirm
from tests.bench.journal_replay import encode_confirmed
from tests.bench.table_process import TableProcess
from tests.support.server_process import HOST

TIMEOUT_S = 15.0


class TableClient:
    """A page at the table's own port, or the phone of an official at the public one."""

    def __init__(self, table: TableProcess, cookie: str = "", address: str = HOST) -> None:
        self.confirmed: set[str] = set()
        self._port = table.public_port if cookie else table.port
        self._headers = {"Cookie": cookie} if cookie else {}
        self._address = address
        self.screen = StreamClient(
            self._port, headers=self._headers, address=address, on_view=self._keep
        )

    def confirm(self, view: View) -> int:
        """Confirm what a view shows; return the HTTP status."""
        body = json.dumps(build_confirm(view))
        return _post(self._port, "/command", body, self._headers, self._address).status

    def _keep(self, view: View) -> None:
        self.confirmed.add(encode_confirmed(view))


def log_in_phones(table: TableProcess, addresses: Sequence[str]) -> list[str]:
    """Log a phone in as an official from each address, so that it presses for every player."""
    pin = json.loads(table.get("/login/pairing").body)["first_pin"]
    return [log_in(table, each, "/login/pin", {"pin": pin}) for each in addresses]


def log_in(table: TableProcess, address: str, path: str, body: dict[str, str]) -> str:
    """Log a phone in by a PIN or a code; return its cookie, empty if it is refused."""
    answer = _post(table.public_port, path, json.dumps(body), {}, address)
    return (answer.headers["Set-Cookie"] or "").partition(";")[0]


def _post(
    port: int, path: str, body: str, headers: dict[str, str], address: str
) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection(HOST, port, timeout=TIMEOUT_S, source_address=(address, 0))
    with closing(line):
        line.request("POST", path, body, {"Content-Type": "application/json", **headers})
        answer = line.getresponse()
        answer.read()
        return answer
