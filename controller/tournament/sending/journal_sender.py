# SPDX-License-Identifier: MIT
"""
Send the entries of a journal to a server, from wherever it has got to.

The journal on the disk is the queue: nothing is kept in memory but a position in the file. Each
round sends one batch, or pictures that the server asked for, or asks whether all is well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.base.errors import InputError
from controller.base.logs import Log
from controller.journal.checkpoint import encode_base64
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body
from controller.journal.picture_refs import is_digest
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import TreeHead, derive_origin, parse_tree_head
from controller.journal.tlog.cosignature import COSIGNED, find_cosignature
from controller.journal.tlog.signed_note import parse_note
from controller.table.events import (
    PART_STATES,
    DealingChanged,
    PartChanged,
    PlayersSeated,
    TournamentNews,
)
from controller.tournament.sending.event_witness import EventWitness
from controller.tournament.sending.server_client import ServerAnswer, ServerAwayError, ServerClient
from controller.tournament.sending.server_pin import PinnedServer

BATCH_BYTES = 250_000
LINES_TYPE = "application/x-ndjson"
ASK_AGAIN_S = 5.0  # How often a table that has nothing to send asks whether all is well.
COSIGN_AGAIN_S = 30.0
"""How often a table cosigns the event's own journal, which grows all the time."""
_LOG = Log("tournament")


class SendingStoppedError(Exception):
    """The server refuses this table, or has another journal; its text is the sentence."""


@dataclass(slots=True)
class JournalSender:
    """Sends one journal to one server; for one thread."""

    server: PinnedServer
    key: TableKey
    entries: EntryReader
    pictures: PictureStore | None  # Its pictures; `None` if none may be sent.
    write_entry: Callable[[str, Body], None]  # Writes an entry to the journal, some time later.
    client: ServerClient
    witness: EventWitness  # What the table knows of the event's own journal.
    # Takes who sits at this table, as long as a round has seats here, and whether it deals.
    send_event: Callable[[TournamentNews], None]
    is_dealing: bool = False  # Whether the event takes the throws of this table now.
    part: PartChanged = field(default_factory=PartChanged)  # Where the event stands for this table.
    kiosk_players: int = 0  # How many choose at the table's own screen.
    next: int | None = None  # The entries that the server has; `None` before its first answer.
    _offset: int = 0
    _asked_s: float = 0.0
    _wanted: list[str] = field(default_factory=list)
    _missing: set[str] = field(default_factory=set)
    _cosigned: int = 0
    _sent_size: int = 0
    _witnessed_s: float = -COSIGN_AGAIN_S

    def step(self) -> bool:
        """
        Do one round; return whether there was something to do.

        Raises:
            ServerAwayError: There is no answer; the next round asks again.
            SendingStoppedError: Nothing more can be sent.
        """
        if self.next is None:
            self._ask()
            return True
        if self.entries.has_more(self._offset):
            self._send_batch(self.next)
            return True
        if self._wanted:
            self._send_picture(self._wanted.pop())
            return True
        if time.monotonic() - self._asked_s > ASK_AGAIN_S:
            self._ask()
        return False

    def forget_position(self) -> None:
        """Ask the server again what it has, before anything is sent."""
        self.next = None
        self.client.close()

    def _ask(self) -> None:
        """Ask what the server has of this journal; it must be the pinned one."""
        answer = self._require(self.client.send("GET", f"/boxes/{self.key.public_hex}"))
        self._asked_s = time.monotonic()
        self._move_to(_read_next(answer))
        self._note_wanted(answer.body)
        self._note_cosignature(answer.body)
        self._witness_event(answer.body.get("event"))
        if (seated := _parse_seats(answer.body.get("seats"))) is not None:
            self.send_event(seated)
        self.set_dealing(answer.body.get("deals") is True)
        self.set_part(parse_part(answer.body.get("part"), f"{self.server.address}/result"))
        players = answer.body.get("kiosk")
        self.kiosk_players = players if type(players) is int else 0

    def set_dealing(self, is_dealing: bool) -> None:
        """Report to the table whether it deals, if that has changed."""
        if is_dealing != self.is_dealing:
            self.is_dealing = is_dealing
            self.send_event(DealingChanged(is_dealing))

    def set_part(self, part: PartChanged) -> None:
        """Report to the table where the event stands for it, if that has changed."""
        if part != self.part:
            self.part = part
            self.send_event(part)

    def _witness_event(self, told: Any) -> None:
        """Cosign the event's newest checkpoint now and then, if it continues the last one."""
        witness, now_s = self.witness, time.monotonic()
        if witness.contradiction is not None:
            return
        seen = witness.seen
        is_owed = seen is not None and seen.size > self._sent_size
        is_due = now_s - self._witnessed_s >= COSIGN_AGAIN_S
        has_news, is_doubted = witness.has_news(told), witness.is_doubted(told)
        if not (is_doubted or (is_due and (has_news or is_owed))):
            return
        self._witnessed_s = now_s
        if seen is not None and is_owed and not is_doubted:
            # A second `witnessed` in the journal says that the first cosignature has arrived.
            answer = self._send_cosignature(seen)
            if answer.status != 400 and not (answer.status == 200 and has_news):
                return
        key = self.key.public_hex
        old_size = seen.size if seen else 0
        answer = self.client.send("GET", f"/boxes/{key}/event/{old_size}")
        try:
            head = witness.judge(answer.body) if answer.status == 200 else None
        except InputError as error:
            _LOG.warning("event not cosigned", reason=str(error))
            return
        if answer.status != 200:
            _LOG.warning("event not cosigned", reason=answer.error)
        elif head is not None and head.size > self._sent_size:
            self._send_cosignature(head)

    def _send_cosignature(self, head: TreeHead) -> ServerAnswer:
        """Send the cosignature of the remembered checkpoint of the event."""
        path = f"/boxes/{self.key.public_hex}/event"
        content = self.witness.cosign(head, int(time.time()))
        answer = self.client.send("POST", path, content, "application/json")
        if answer.status == 200:
            self._sent_size = head.size
        else:
            _LOG.warning("event not cosigned", reason=answer.error)
        return answer

    def _send_batch(self, first: int) -> None:
        lines, _ = self.entries.read_lines(self._offset, most_bytes=BATCH_BYTES)
        if not lines:
            return
        path = f"/boxes/{self.key.public_hex}/journal/{first}"
        answer = self.client.send("POST", path, b"\n".join(lines), LINES_TYPE)
        fork = answer.body.get("fork")
        if answer.status == 409 and fork is not None:
            raise SendingStoppedError(
                f"the desk has another entry {fork} of this table; the arbiter must decide"
            )
        if answer.status != 409:
            self._require(answer)
        self._move_to(_read_next(answer))
        self._note_wanted(answer.body)

    def _move_to(self, number: int) -> None:
        newest = self.entries.newest()
        if number > (newest.seq + 1 if newest else 0):
            raise SendingStoppedError(
                f"the desk has {number} entries of this table, more than the table itself;"
                " was an older backup restored?"
            )
        if number != self.next:
            self._offset = self.entries.find_offset(number)
        self.next = number

    def _note_wanted(self, body: dict[str, Any]) -> None:
        digests = body.get("pictures")
        for digest in digests if isinstance(digests, list) else []:
            is_new = digest not in self._missing and digest not in self._wanted
            if self.pictures is not None and is_digest(digest) and is_new:
                self._wanted.append(digest)

    def _send_picture(self, digest: str) -> None:
        assert self.pictures is not None, "none is wanted otherwise"
        try:
            content = self.pictures.picture_path(digest).read_bytes()
        except OSError:
            # It was deleted for its age, or an older backup was restored.
            self._missing.add(digest)
            return
        path = f"/boxes/{self.key.public_hex}/pictures/{digest}"
        answer = self.client.send("PUT", path, content, "image/jpeg")
        if answer.status != 200:
            self._missing.add(digest)

    def _note_cosignature(self, body: dict[str, Any]) -> None:
        """Write a cosignature of the table's newest checkpoint into the journal, once."""
        note = body.get("checkpoint")
        if not isinstance(note, str):
            return
        public = bytes.fromhex(self.server.key)
        try:
            parsed = parse_note(note.encode())
            head = parse_tree_head(parsed)
        except InputError:
            return
        found = find_cosignature(parsed, derive_origin(public), public)
        if found is None or head.size <= self._last_cosigned():
            return
        self._cosigned = head.size
        body = {"size": head.size, "root": head.root.hex(), "key": self.server.key}
        self.write_entry(COSIGNED, {**body, "cosignature": encode_base64(found[1])})

    def _last_cosigned(self) -> int:
        """Return the size of the newest checkpoint whose cosignature is in the journal."""
        if not self._cosigned:
            for number, entry in enumerate(self.entries.read_back()):
                size = entry.body.get("size")
                if entry.kind == COSIGNED and isinstance(size, int):
                    self._cosigned = size
                    break
                if number > 2000:
                    break
        return self._cosigned

    def _require(self, answer: ServerAnswer) -> ServerAnswer:
        if answer.status == 200:
            return answer
        if answer.status in (400, 403):
            raise SendingStoppedError(answer.error)
        raise ServerAwayError(answer.error or f"status {answer.status}")


def _read_next(answer: ServerAnswer) -> int:
    number = answer.body.get("next")
    if type(number) is not int or number < 0:
        raise ServerAwayError("it does not say what it has")
    return number


def _parse_seats(found: object) -> PlayersSeated | None:
    """Return who sits here; None if there are no seats, and for anything that is not such."""
    match found:
        case {
            "event": str(event),
            "round": int(number),
            "table": int(table),
            "game": str(game),
            "options": dict(options),
            "players": [*players],
        } if all(isinstance(player, str) for player in players) and _are_options(options):
            return PlayersSeated(event, number, table, game, tuple(options.items()), tuple(players))
    return None


def parse_part(found: object, result: str) -> PartChanged:
    """Return where the event stands for this table; an empty one for anything else."""
    match found:
        case {
            "state": str(state),
            "event": str(event),
            "number": int(number),
            "count": int(count),
            "table": int(table),
        } if state in PART_STATES:
            return PartChanged(state, event, number, count, table, result)
    return PartChanged()


def _are_options(options: Mapping[object, object]) -> bool:
    return all(isinstance(name, str) for name in options) and all(
        isinstance(value, bool | int) for value in options.values()
    )
