# SPDX-License-Identifier: MIT
"""What must be so after an evening, whatever happened: every fault is one line."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import httpx

from controller.journal.hashchain import Entry, decode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.archive.event_walk import check_event
from controller.tournament.server.store.box_queries import list_table_journals
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.newer_lines import read_all
from controller.tournament.server.store.values import StoredLine
from controller.tournament.state.state import EventState
from tests.support.chains import compute_root
from tests.support.tournament_store import replay_lines
from tests.tournament_harness.faulty_table import FaultyTable
from tests.tournament_harness.servers import Servers

if TYPE_CHECKING:
    from tests.tournament_harness.evening import NotingPlayer

FOLLOW_S = 60.0

MadeChoice: TypeAlias = tuple[int, int, int, tuple[str, ...]]
"""Game, roll, player, and what the player does."""


def list_faults(
    servers: Servers, tables: Sequence[FaultyTable], players: Sequence[NotingPlayer]
) -> list[str]:
    """End the servers, and return everything that is wrong; nothing if all is well."""
    place = servers.places[0]
    key = TableKey.load_or_create(place.folder)
    with _open_lines(servers) as (lines, roots):
        faults = [fault for table in tables for fault in table.wrong]
        own = [line.line for line in lines if line.box == key.public_hex]
        entries = [decode_entry(line) for line in own]
        faults += _check_results(servers, replay_lines(lines, key.public_hex))
        faults += check_lines(lines, roots, tables)
        faults += check_choices(
            entries, [made for player in players for made in player.acknowledged]
        )
        faults += _check_own(place.folder, own, key)
    faults += [f"exit status {status}" for status in servers.end() if status]
    return faults


@contextlib.contextmanager
def _open_lines(servers: Servers) -> Iterator[tuple[list[StoredLine], dict[str, bytes]]]:
    """Give all lines and the root of each table, read without any server."""
    place = servers.places[0]
    database = Database(place.folder, place.url)
    try:
        with database.read() as connection:
            lines = list(chain.from_iterable(read_all(connection)))
            roots = {box.key: box.root for box in list_table_journals(connection)}
        yield lines, roots
    finally:
        database.disconnect()


def check_lines(
    lines: Sequence[StoredLine], roots: dict[str, bytes], tables: Sequence[FaultyTable]
) -> Iterator[str]:
    """Every line of every table is there once, in order, and unchanged."""
    for table in tables:
        key = table.key.public_hex
        stored = [line.line for line in lines if line.box == key]
        if stored != table.lines:
            yield f"{key[:8]}: {len(stored)} lines, sent {len(table.lines)}, or other ones"
        elif roots[key] != compute_root(stored):
            yield f"{key[:8]}: the root is not that of the lines"


def check_choices(entries: Sequence[Entry], acknowledged: Sequence[MadeChoice]) -> Iterator[str]:
    """Every choice that was acknowledged is there once, as it was made."""
    bodies = [entry.body for entry in entries if entry.kind == "choice"]
    made = Counter(
        (body["game"], body["roll"], body["player"], tuple(body["do"]))  # type: ignore[arg-type]
        for body in bodies
    )
    seats = Counter((body["game"], body["roll"], body["player"]) for body in bodies)
    yield from (f"two choices of one player: {seat}" for seat in seats if seats[seat] != 1)
    for choice in acknowledged:
        if made[choice] != 1:
            yield f"an acknowledged choice is there {made[choice]} times: {choice}"


def _check_own(folder: Path, own: Sequence[bytes], key: TableKey) -> list[str]:
    """Check the event's own journal as `dicebell verify` does."""
    path = folder / "own.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in own))
    report = check_event(path, [], key.public)
    return [str(finding) for finding in report.findings.in_order(is_break=True)]


def _check_results(servers: Servers, state: EventState) -> Iterator[str]:
    """Every server shows the result that a replay gives, once it has caught up."""
    expected = [row.to_plain() for row in state.compute_standings().rows]
    for server in servers.running:
        end_s = time.monotonic() + FOLLOW_S
        with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as client:
            while (found := client.get("/result.json").json().get("rows")) != expected:
                if time.monotonic() > end_s:
                    yield f"the result of a server is not that of a replay: {found} {expected}"
                    break
                time.sleep(0.05)
