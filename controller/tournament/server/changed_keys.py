# SPDX-License-Identifier: MIT
"""What officials decide about a table that has got another key, or somebody who says so."""

from __future__ import annotations

from controller.base.errors import UnavailableError
from controller.base.languages.message import message
from controller.journal.picture_refs import is_digest
from controller.tournament.entries.event_entries import KeyAccepted, KeyChanged
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.box_queries import find_box, find_named
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import BoxState
from controller.tournament.state.check_entered import require_typed_lines


def accept_key(store: JournalStore, runner: EventRunner, key: str, by: str, reason: str) -> None:
    """Let in a table that waits, in place of the one with its name; RefusedError if none waits."""
    owner, name = _find_waiting(store, key)
    if owner is None or not runner.read(lambda state: state.data.begun):
        store.enrol(key, name).result()
        return
    at_ms = runner.now_ms()
    accepted = KeyAccepted(owner, key, by, reason)
    require_typed_lines(accepted)

    def accept(transaction: GroupTransaction) -> None:
        # All or nothing: a key that changed and was not accepted would leave the table standing.
        table = transaction.state.data.boxes.find(owner)
        is_shown = table is not None and table.new_key == key
        entries: list[KeyChanged | KeyAccepted] = (
            [accepted] if is_shown else [KeyChanged(owner, key), accepted]
        )
        transaction.append_entries(entries, at_ms)
        transaction.admit(key, name, BoxState.ENROLLED)

    store.write(accept).result()


def refuse_key(store: JournalStore, runner: EventRunner, key: str) -> None:
    """Send away a table that waits; RefusedError if no such key waits."""
    owner, _ = _find_waiting(store, key)
    at_ms = runner.now_ms()

    def refuse(transaction: GroupTransaction) -> None:
        if owner is not None:
            table = transaction.state.data.boxes.find(owner)
            if table is not None and table.new_key == key:
                transaction.append_entries([KeyChanged(owner, owner)], at_ms)
        transaction.send_away(key)

    store.write(refuse).result()


def _find_waiting(store: JournalStore, key: str) -> tuple[str | None, str]:
    """Return the key of the table whose name another key asks for, and that name."""
    found = None
    if is_digest(key):
        found = store.read(lambda connection: find_box(connection, key))
    if found is None or found.state is not BoxState.PENDING:
        raise UnavailableError(
            expected=message("a table that waits"), found=message("one that does not wait")
        )
    name = found.name
    return store.read(lambda connection: find_named(connection, name)), name
