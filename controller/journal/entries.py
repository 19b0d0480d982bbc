# SPDX-License-Identifier: MIT
"""
The entries of a table's journal as values: one class for each kind, with the keys of its body.

A journal may hold anything. What does not fit its kind is an `UnknownEntry` with the reason, never
an error; whoever reads it decides what that means. Keys that a kind does not have are ignored,
since a later version may have written them. A key with a default may be absent: older versions did
not write it, or it is written only if there is something to say, or it only repeats what follows
from the entries before. `docs/proof.md` describes every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

import msgspec

from controller.base.errors import InputError
from controller.journal.hashchain import Body, Entry, Value

STARTS = frozenset({"genesis", "restart"})  # The kinds of entries of a table that is started.
ROLLS = frozenset({"roll", "answer"})  # The kinds of entries with dice that count.
READ = ROLLS | {"reading"}  # The kinds of entries with dice as the camera read them.
ENDS_A_REQUEST = frozenset({"answer", "request_ended"})

PLAYED = frozenset({"roll", "action", "counted", "seated", "undo", "correction"})
"""The kinds of entries that change what counts in a game."""

WITH_RESULT = PLAYED - {"seated", "undo"}
"""The kinds of entries that hold the result of a game they end."""

RULED = PLAYED | {"review", "reviewed", "parked", "continued", "closed"}
"""The kinds of entries that change a game which has begun."""

ABOUT_THE_JOURNAL = frozenset({"restored", "rollback", "memory_lost"})
"""The kinds of entries in which a table reports a change of its journal."""

_Part = TypeVar("_Part")


class EntryDie(msgspec.Struct, frozen=True):
    """A die as it was read, in thousandths of a pixel of the whole frame and of a degree."""

    face: int
    polarity: str
    colour: str
    x_mpx: int
    y_mpx: int
    angle_mdeg: int
    edge_mpx: int
    origin: str = ""
    was: int = 0
    confidence_ppm: int = 0


class DoubtPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a doubt is; nowhere if it concerns the whole tray."""

    x_mpx: int | None = None
    y_mpx: int | None = None
    radius_mpx: int | None = None


class EntryReject(msgspec.Struct, frozen=True):
    """A candidate that is no die."""

    reason: str
    x_mpx: int
    y_mpx: int


class EntryLift(msgspec.Struct, frozen=True):
    """A doubt that what the table had learnt removed."""

    kind: str
    x_mpx: int
    y_mpx: int
    radius_mpx: int
    share_ppm: int


class EntryOpponent(msgspec.Struct, frozen=True):
    """A player that the table plays itself."""

    name: str
    grade: str
    t_steps: int
    weights: str


class UndoneChoice(msgspec.Struct, frozen=True):
    """A choice that a correction or an undo takes back."""

    by: str
    do: str


class EntryResult(msgspec.Struct, frozen=True):
    """The result of a game. Entries hold it as it stands, since checks compare it whole."""

    totals: dict[str, int]
    winners: tuple[str, ...]
    losers: tuple[str, ...]


class TableEntry(msgspec.Struct, frozen=True):
    """The base of all kinds; `kind` is the name in the journal."""

    kind: ClassVar[str]


class UnknownEntry(msgspec.Struct, frozen=True):
    """An entry of a kind that is not known, or that does not fit its kind; and the reason."""

    kind: str
    reason: str


class StartEntry(TableEntry, frozen=True, kw_only=True):
    """A table began with its journal, or goes on."""

    software: str = ""
    settings: str = ""
    camera: str = ""
    calibration: object = None
    torn: str = ""


class GenesisEntry(StartEntry, frozen=True, kw_only=True):
    kind = "genesis"
    format: int


class RestartEntry(StartEntry, frozen=True):
    kind = "restart"


class KeyEntry(TableEntry, frozen=True):
    kind = "key"
    key: str


class CalibrationEntry(TableEntry, frozen=True):
    kind = "calibration"
    calibration: object


class BackgroundEntry(TableEntry, frozen=True):
    kind = "background"
    picture: str


class TableModelEntry(TableEntry, frozen=True):
    kind = "table_model"
    table_model: str | None


class OwnDiceEntry(TableEntry, frozen=True):
    """Only older versions wrote it."""

    kind = "own_dice"
    own_dice: object


class GameEntry(TableEntry, frozen=True):
    kind = "game"
    game: str
    players: tuple[str, ...]
    options: dict[str, bool | int]
    opponents: tuple[EntryOpponent, ...] = ()
    hints: bool = False


class PictureEntry(TableEntry, frozen=True, kw_only=True):
    """What an entry holds of its picture, beside the dice; journals of format 1 hold nothing."""

    crop_px: tuple[int, int, int, int] = (0, 0, 0, 0)
    frame_px: tuple[int, int] = (0, 0)
    clip: str = ""
    rejected: tuple[EntryReject, ...] = ()
    background: str = ""
    table_model: str = ""
    lifts: tuple[EntryLift, ...] = ()


class DiceEntry(PictureEntry, frozen=True, kw_only=True):
    """Dice as the camera read them; `held` is the action that follows from those that stayed."""

    held: str = ""
    lie: tuple[EntryDie, ...]
    doubts: tuple[str, ...] = ()
    doubts_at: tuple[DoubtPlace, ...] = ()
    picture: str = ""


class ReadingEntry(DiceEntry, frozen=True, kw_only=True):
    """A reading that was shown; it changes nothing in a game."""

    kind = "reading"
    by: str = ""


class ThrowEntry(DiceEntry, frozen=True, kw_only=True):
    """Dice that count, as they were read or entered by hand; `by` is who threw."""

    by: str
    roll: str
    by_hand: str
    reason: str = ""


class RollEntry(ThrowEntry, frozen=True):
    """A roll of a game."""

    kind = "roll"
    result: object = None
    panel: int = 0


class AnswerEntry(ThrowEntry, frozen=True):
    """The roll that answers a request for dice."""

    kind = "answer"


class ActionEntry(TableEntry, frozen=True):
    kind = "action"
    by: str
    do: str
    result: object = None
    panel: int = 0


class CountedEntry(TableEntry, frozen=True, kw_only=True):
    """The players ended a game early, and it counts as it stands."""

    kind = "counted"
    by: str
    result: object = None
    panel: int = 0


class SeatedEntry(TableEntry, frozen=True):
    """A player sat down at a game that had begun."""

    kind = "seated"
    player: str


class UndoEntry(TableEntry, frozen=True):
    kind = "undo"
    by: str
    do: str = ""
    undone: tuple[UndoneChoice, ...] = ()
    panel: int = 0


class CorrectionEntry(TableEntry, frozen=True):
    kind = "correction"
    by: str
    roll: str
    reason: str = ""
    was: str = ""
    picture: str = ""
    undone: tuple[UndoneChoice, ...] = ()
    result: object = None


class ReviewEntry(TableEntry, frozen=True):
    kind = "review"
    by: str
    panel: int = 0


class ReviewedEntry(TableEntry, frozen=True):
    kind = "reviewed"
    outcome: str


class PauseEntry(TableEntry, frozen=True):
    kind = "pause"
    panel: int = 0


class ResumeEntry(TableEntry, frozen=True):
    kind = "resume"
    panel: int = 0


class FaultEntry(TableEntry, frozen=True):
    kind = "fault"
    device: str
    what: str


class BackEntry(TableEntry, frozen=True):
    kind = "back"
    device: str


class ParkedEntry(TableEntry, frozen=True):
    kind = "parked"
    panel: int = 0


class ContinuedEntry(TableEntry, frozen=True):
    kind = "continued"
    panel: int = 0


class ClosedEntry(TableEntry, frozen=True):
    kind = "closed"
    panel: int = 0


class CheckpointEntry(TableEntry, frozen=True):
    kind = "checkpoint"
    size: int
    root: str
    signature: str
    key: str
    note: str = ""


class ClockEntry(TableEntry, frozen=True):
    kind = "clock"
    jump_ms: int


class RestoredEntry(TableEntry, frozen=True):
    kind = "restored"
    made_at: str
    software: str


class RollbackEntry(TableEntry, frozen=True):
    kind = "rollback"
    how: str
    size: int
    signed: str
    key: str


class MemoryLostEntry(TableEntry, frozen=True):
    kind = "memory_lost"


class RequestEntry(TableEntry, frozen=True):
    kind = "request"
    dice: int
    player: str = msgspec.field(name="for")
    why: str
    by: str


class RequestEndedEntry(TableEntry, frozen=True):
    kind = "request_ended"
    outcome: str


class JoinedEntry(TableEntry, frozen=True):
    kind = "joined"
    address: str
    key: str
    name: str


class LeftEntry(TableEntry, frozen=True):
    kind = "left"
    key: str


class CalledEntry(TableEntry, frozen=True):
    kind = "called"


class CosignedEntry(TableEntry, frozen=True):
    kind = "cosigned"
    size: int
    root: str
    key: str
    cosignature: str


class WitnessedEntry(TableEntry, frozen=True):
    kind = "witnessed"
    key: str
    seen: str


class ContradictedEntry(TableEntry, frozen=True):
    kind = "contradicted"
    key: str
    seen: str
    shown: str


class DiceSetEntry(TableEntry, frozen=True):
    kind = "dice_set"
    name: str


class DeletedEntry(TableEntry, frozen=True):
    kind = "deleted"
    pictures: tuple[str, ...]
    why: str
    on: str


def decode_body(kind: str, body: Body) -> TableEntry | UnknownEntry:
    """Return what an entry of this kind says."""
    known = KINDS.get(kind)
    if known is None:
        return UnknownEntry(kind, "no kind of entry has this name")
    try:
        return msgspec.convert(body, known)
    except msgspec.ValidationError as error:
        return UnknownEntry(kind, str(error))


def read_entry(entry: Entry) -> TableEntry | UnknownEntry:
    """Return what an entry of the journal says."""
    return decode_body(entry.kind, entry.body)


def decode_part(value: Value, part: type[_Part]) -> _Part:
    """Return a part of an entry, or its keys that a class has; InputError if it does not fit."""
    try:
        return msgspec.convert(value, part)
    except msgspec.ValidationError as error:
        raise InputError(expected="the keys and values of an entry", found=str(error)) from error


def encode_part(part: msgspec.Struct) -> dict[str, Value]:
    """Return an entry, or a part of one, as it is in the journal."""
    encoded: dict[str, Value] = msgspec.to_builtins(part)
    return encoded


def list_keys(part: type[msgspec.Struct]) -> frozenset[str]:
    """Return the keys of an entry or of a part of it, as they are in the journal."""
    return frozenset(each.encode_name for each in msgspec.structs.fields(part))


def _list_kinds(base: type[TableEntry] = TableEntry) -> Iterator[type[TableEntry]]:
    for each in base.__subclasses__():
        if "kind" in vars(each):
            yield each
        yield from _list_kinds(each)


KINDS: Mapping[str, type[TableEntry]] = {each.kind: each for each in _list_kinds()}
"""Every kind of entry that a table writes or wrote."""

OUTDATED_KINDS = frozenset({OwnDiceEntry.kind})  # Those that only older versions wrote.


def _learn_classes() -> None:
    """Let msgspec learn every class now: two threads that do it at once later crash Python."""
    for each in list(globals().values()):
        if isinstance(each, type) and issubclass(each, msgspec.Struct):
            msgspec.json.Decoder(each)


_learn_classes()
