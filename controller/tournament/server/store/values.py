# SPDX-License-Identifier: MIT
"""What goes into the store of the journals and what comes out of it, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from controller.base.errors import InputError, UnavailableError
from controller.journal.hashchain import Body

MOST_BATCH_BYTES = 256_000
"""Lines that one request may send; a single longer line is a request of its own."""
MOST_LINE_BYTES = 1 << 20
"""As `dicebell verify` reads them; no table writes a longer line."""


class BoxState(Enum):
    """
    Whose a journal is: the event's own, an enrolled table's, or one that `--open` let in.

    `PENDING` has asked for a name that another key has, and waits for the organiser.
    """

    OWN = "own"
    ENROLLED = "enrolled"
    OPEN = "open"
    PENDING = "pending"


class Draft(NamedTuple):
    """An entry that the event's own journal shall get."""

    kind: str
    body: Body


@dataclass(frozen=True, slots=True)
class StoredLine:
    """
    A line of some journal.

    Attributes:
        arrival: Its number among the lines of all journals, from 1.
        box: The key of its journal, in hexadecimal.
        seq: Its number in its journal, from 0.
        line: Its bytes without the newline.
    """

    arrival: int
    box: str
    seq: int
    line: bytes


@dataclass(frozen=True, slots=True)
class LinesRequest:
    """
    Lines that a table sends.

    Attributes:
        table: Its key in hexadecimal.
        first: The number of the first line.
        lines: The lines without newlines, at least one.
        is_signed: Whether the request is signed by that key.
    """

    table: str
    first: int
    lines: tuple[bytes, ...]
    is_signed: bool

    @property
    def size_bytes(self) -> int:
        """Bytes of all lines."""
        return sum(map(len, self.lines))


@dataclass(frozen=True, slots=True)
class LinesAnswer:
    """
    What became of lines.

    Attributes:
        next: Everything below this number is durable.
        fork: The number at which the table's lines are other ones; `None` if none is.
        is_gap: Whether the lines began beyond `next`, so that none was taken.
        pictures: Digests of pictures that the table is asked for.
    """

    next: int
    fork: int | None = None
    is_gap: bool = False
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalView:
    """
    A journal as it stands.

    Attributes:
        key: Its key in hexadecimal.
        name: The name of its table.
        state: Whose it is.
        next: The number of its lines.
        root: The root of the Merkle tree over them, 32 bytes.
        note: Its newest checkpoint as a signed note; empty before the first.
        forks: The numbers for which it sent other lines that are kept.
        more_forks: How often it sent further ones.
        flaws: What is wrong with its checkpoints, by the number of the line.
        wanted: Digests of pictures that it is asked for.
    """

    key: str
    name: str
    state: BoxState
    next: int
    root: bytes
    note: str
    forks: tuple[int, ...]
    more_forks: int
    flaws: Mapping[int, str]
    wanted: tuple[str, ...]


class StoreUnavailableError(UnavailableError):
    """The database cannot be used now; nothing of the request was stored."""


class UnknownTableError(InputError):
    """The key of a request is not that of an enrolled table."""


class UnsignedTableError(InputError):
    """An enrolled table's request has no signature."""


class BrokenBatchError(InputError):
    """A line is no entry, or does not continue its chain."""
