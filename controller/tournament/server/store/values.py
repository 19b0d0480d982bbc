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
MOST_LINE_BYTES = 1 << 20  # As `dicebell verify` reads them; no table writes a longer line.


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
    """A line of some journal."""

    arrival: int  # Its number among the lines of all journals, which has gaps.
    box: str  # The key of its journal, in hexadecimal.
    seq: int  # Its number in its journal, from 0.
    line: bytes  # Its bytes without the newline.


@dataclass(frozen=True, slots=True)
class LinesRequest:
    """Lines that a table sends."""

    table: str  # Its key in hexadecimal.
    first: int  # The number of the first line.
    lines: tuple[bytes, ...]  # The lines without newlines, at least one.
    is_signed: bool  # Whether the request is signed by that key.

    @property
    def size_bytes(self) -> int:
        return sum(map(len, self.lines))


@dataclass(frozen=True, slots=True)
class LinesAnswer:
    """What became of lines."""

    next: int  # Everything below this number is durable.
    # The number at which the table's lines are other ones; `None` if none is.
    fork: int | None = None
    is_gap: bool = False  # Whether the lines began beyond `next`, so that none was taken.
    pictures: tuple[str, ...] = ()  # Digests of pictures that the table is asked for.


@dataclass(frozen=True, slots=True)
class JournalView:
    """A journal as it stands."""

    key: str  # Its key in hexadecimal.
    name: str
    state: BoxState
    next: int  # The number of its lines.
    root: bytes  # The root of the Merkle tree over them, 32 bytes.
    note: str  # Its newest checkpoint as a signed note; empty before the first.
    forks: tuple[int, ...]  # The numbers for which it sent other lines that are kept.
    more_forks: int  # How often it sent further ones.
    flaws: Mapping[int, str]  # What is wrong with its checkpoints, by the number of the line.
    wanted: tuple[str, ...]  # Digests of pictures that it is asked for.


class StoreUnavailableError(UnavailableError):
    """The database cannot be used now; nothing of the request was stored."""


class UnknownTableError(InputError):
    """The key of a request is not that of an enrolled table."""


def build_unknown_error(key: str) -> UnknownTableError:
    return UnknownTableError(expected="the key of an enrolled table", found=key)


class UnsignedTableError(InputError):
    """An enrolled table's request has no signature."""


def build_unsigned_error() -> UnsignedTableError:
    expected, found = "a request that the table signed", "one without a signature"
    return UnsignedTableError(expected=expected, found=found)


class BrokenBatchError(InputError):
    """A line is no entry, or does not continue its chain."""
