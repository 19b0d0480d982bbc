# SPDX-License-Identifier: MIT
"""
Every picture, read again by the current reader and compared with the journal.

It is read as the table read it: with the map and what the table had learnt then, placed in its
frame, and with the expected number of dice. A certain die with another face is a break, and so is a
picture without the dice. Less certainty is a note, and so are other doubts that what was learnt
removes: the table had several frames of the dice, and here is only one. Whatever a picture or a map
does to the reader ends in a finding.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import TypeVar

from controller.journal.continuity.journal_facts import BACKGROUND, TABLE_MODEL
from controller.journal.entries import READ, ROLLS, STARTS
from controller.journal.hashchain import Entry, Value
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.play_lessons import ENDS_A_ROLL
from controller.runtime.calibration.store import Calibration
from controller.runtime.calibration.teaching import ReadPicture
from controller.runtime.picture_recorder import to_tray_lift
from controller.table.events import TrayDie, TrayLift
from controller.table.reading_codec import decode_dice, decode_picture_info
from controller.table.view.doubts import describe_lift
from controller.verify.claims.shown_dice import Comparison, EarlierRolls, compare_dice
from controller.verify.claims.table_models import TableModelCheck
from controller.verify.findings import Finding, FindingKind
from controller.verify.pictures import CheckedFile, FileState
from vision.decoding.errors import PictureError
from vision.frame import Image
from vision.image_files import decode_picture
from vision.picture_headers import MOST_PIXELS, read_jpeg_size
from vision.reading import DoubtKind, Status, TrayReading
from vision.table_model.model_text import StoredModel
from vision.tracking.rest_detector import TrayReader
from vision.tray_crop import paste_into_frame
from vision.tray_map import TrayMap

_CALIBRATES = STARTS | {"calibration"}
# Doubts that one picture can show; the others concern how the dice came there.
_SEEN_IN_A_PICTURE = frozenset(kind.value for kind in DoubtKind) - {DoubtKind.PLACED.value}

_Seen = tuple[Image, TrayReading]  # A frame and its reading.

ReaderFactory = Callable[[TrayMap | None, StoredModel | None], TrayReader]
"""Creates a reader for a map and for what the table had learnt; each may be `None`."""

# Newest models and grounds that are held; a roll names the newest one or the one before.
_MOST_MODELS = 8


def create_reader(tray: TrayMap | None, table_model: StoredModel | None) -> TrayReader:
    """Create the reader of a table; without a map, all else is ignored."""
    if tray is None:
        return ActiveCalibration()
    return ActiveCalibration(Calibration(tray, None, 0.0, "", table_model=table_model))


class RereadOutcome(Enum):
    """How a picture's reading compares with the journal."""

    SAME = "same"
    UNSURE = "unsure"
    OTHER = "other"


class RereadCheck:
    """The check that reads pictures again; `read_picture` reads those the table learnt from."""

    def __init__(
        self,
        create_reader: ReaderFactory = create_reader,
        read_picture: ReadPicture = lambda digest: None,
    ) -> None:
        self.counts: Counter[RereadOutcome] = Counter()  # Number of pictures by outcome.
        # How many of those that are read the same are certain only with what the table learnt.
        self.with_table = 0
        self._reader_by = create_reader
        self._map: Value = None
        self._models = _LearntModels()
        self._learning = TableModelCheck(read_picture)
        self._readers: dict[StoredModel | None, TrayReader] = {}
        self._newest: tuple[tuple[str, ...], _Seen] | None = None
        self._earlier = EarlierRolls()
        # The finding about the last roll, until it is clear that no correction follows.
        self._open: Finding | None = None

    def add_entry(self, entry: Entry) -> Iterator[Finding]:
        """Add what every entry says about reading pictures, before `check_picture`."""
        if entry.kind in _CALIBRATES and entry.body.get("calibration") != self._map:
            self._map = entry.body.get("calibration")
            self._readers.clear()
            self._newest = None
        if entry.kind == TABLE_MODEL:
            yield from self._check_model(entry)
        if entry.kind in ENDS_A_ROLL:
            yield from self._close_roll()
        if entry.kind == "correction":
            by, roll, was = (entry.body.get(key) for key in ("by", "roll", "was"))
            what = f"the roll {was} was corrected to {roll} by {by}"
            found = self._open.found if self._open else ""
            self._open = None
            yield Finding(FindingKind.BY_HAND, what, found=found)

    def finish(self) -> Iterator[Finding]:
        """Report the last roll, which no entry corrected, and the models that were not checked."""
        yield from self._close_roll()
        yield from self._learning.finish()

    def _close_roll(self) -> Iterator[Finding]:
        if self._open:
            yield self._open
        self._open = None

    def _check_model(self, entry: Entry) -> Iterator[Finding]:
        try:
            model, tray = self._models.add_entry(entry), _parse_tray_map(self._map)
            yield from self._learning.check(model, tray) if model and tray else ()
        except Exception as error:
            # As with pictures: a prepared model may break any library below.
            what = "what the table had learnt cannot be read"
            found = str(error) or type(error).__name__
            yield Finding(FindingKind.TABLE_MODEL, what, found=found)

    def check_picture(
        self, entry: Entry, looked: CheckedFile, *, line: int, game: int, dice_wanted: int
    ) -> Iterator[Finding]:
        """Read the picture of an entry, if any; 0 dice are wanted if their number is unknown."""
        if looked.what == "background" or entry.kind == BACKGROUND:
            self._models.add_ground(looked)
        is_there = looked.standing in (FileState.UNCHANGED, FileState.CHANGED)
        if entry.kind not in READ or looked.what != "picture" or not is_there:
            return
        outcome, findings = self._check(entry, looked, dice_wanted, line)
        self.counts[outcome] += 1
        for finding in findings:
            placed = replace(finding, line=line, seq=entry.seq, game=game)
            if finding.kind is FindingKind.READ_OTHERWISE and entry.kind in ROLLS:
                self._open = placed
            else:
                yield placed

    def _check(
        self, entry: Entry, looked: CheckedFile, dice_wanted: int, line: int
    ) -> tuple[RereadOutcome, list[Finding]]:
        try:
            dice = decode_dice(entry.body)
            model = self._models.find(entry)
            image, reading = self._read(entry, looked, dice_wanted, model)
            compared = compare_dice(image, dice, reading)
        except Exception as error:
            # A prepared picture, map or number may break any library below, each in its own way.
            what = f"the picture of this {entry.kind} cannot be read"
            found = str(error) or type(error).__name__
            return RereadOutcome.OTHER, [Finding(FindingKind.READ_OTHERWISE, what, found=found)]
        outcome, finding = _classify(entry, dice, reading, compared)
        findings = [finding] if finding else []
        if outcome is RereadOutcome.SAME:
            self.with_table += self._needs_table(image, reading, dice_wanted)
            findings += _compare_lifts(entry, reading)
        findings += _find_unseen_doubts(entry, reading)
        if entry.kind in ROLLS:
            findings += self._find_alike(dice, reading, line)
        return outcome, findings

    def _find_alike(
        self, dice: Sequence[TrayDie], reading: TrayReading, line: int
    ) -> Iterator[Finding]:
        before = self._earlier.find_alike(dice, reading, line=line)
        if before is not None:
            what = f"the dice of this roll are exactly where those of line {before} were"
            found = _format_reading(reading)
            yield Finding(FindingKind.PICTURE_TWICE, what, found=found)

    def _read(
        self, entry: Entry, looked: CheckedFile, dice_wanted: int, model: StoredModel | None
    ) -> _Seen:
        """Read a picture; a reading and its roll share one picture, which is read once."""
        place = tuple(str(entry.body.get(key)) for key in ("crop_px", "frame_px"))
        about = (looked.digest, str(dice_wanted), model.digest if model else "", *place)
        if self._newest is None or self._newest[0] != about:
            image = _load_frame(entry, looked)
            reader = self._get_reader(model)
            self._newest = about, (image, reader.read(image, expect=dice_wanted or None))
        return self._newest[1]

    def _needs_table(self, image: Image, reading: TrayReading, dice_wanted: int) -> bool:
        """Return whether a certain picture is unsure without what the table had learnt."""
        if not reading.lifts or reading.status is Status.UNSURE:
            return False
        alone = self._get_reader(None).read(image, expect=dice_wanted or None)
        return alone.status is Status.UNSURE or alone.faces != reading.faces

    def _get_reader(self, model: StoredModel | None) -> TrayReader:
        if model not in self._readers:
            # One with the newest model, and one without any.
            self._readers = {None: self._readers[None]} if None in self._readers else {}
            self._readers[model] = self._reader_by(_parse_tray_map(self._map), model)
        return self._readers[model]


class _LearntModels:
    """What the table had learnt, by the digests that readings name."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._grounds: dict[str, bytes] = {}
        self._newest: StoredModel | None = None

    def add_entry(self, entry: Entry) -> StoredModel | None:
        """Return what an entry says that the table learnt; `None` if it forgot all."""
        text = entry.body.get(TABLE_MODEL)
        self._newest = StoredModel(str(text)) if text else None
        if self._newest is None:
            return None
        _hold(self._texts, self._newest.digest, self._newest.text)
        return self._with_ground(self._newest)

    def add_ground(self, looked: CheckedFile) -> None:
        """Add the picture of a ground, if it is the one that was stored."""
        if looked.standing is FileState.UNCHANGED:
            _hold(self._grounds, looked.digest, looked.content)

    def find(self, entry: Entry) -> StoredModel | None:
        """Return what the table had learnt at a reading; ValueError if the journal lacks it."""
        named = entry.body.get(TABLE_MODEL)
        if named is None:
            # Readings of older versions name nothing, and used the newest.
            return self._newest if self._newest and self._newest.is_inline else None
        text = self._texts.get(str(named))
        if text is None:
            raise ValueError(f"expected a table model of an entry before, found {named}")
        return self._with_ground(StoredModel(text))

    def _with_ground(self, model: StoredModel) -> StoredModel:
        return replace(model, picture=self._grounds.get(model.background, b""))


_Held = TypeVar("_Held")


def _hold(held: dict[str, _Held], name: str, value: _Held) -> None:
    """Hold a value under its name; the oldest one is dropped."""
    held.pop(name, None)
    held[name] = value
    if len(held) > _MOST_MODELS:
        del held[next(iter(held))]


def _parse_tray_map(value: Value) -> TrayMap | None:
    """Return the map of an entry, none in format 1; ValueError if it is malformed."""
    if not value:
        return None
    return TrayMap.from_json(value if isinstance(value, str) else json.dumps(value))


def _load_frame(entry: Entry, looked: CheckedFile) -> Image:
    """Return the frame of a picture, black outside of it; ValueError if it is none of that size."""
    size_px = read_jpeg_size(looked.content)
    if size_px is None:
        raise ValueError("expected a JPEG, found another file")
    try:
        picture = decode_picture(looked.content, looked.path)
    except PictureError as error:
        raise ValueError(f"{error.found} where {error.expected} belongs") from error
    shot = decode_picture_info(entry.body)
    if not shot.frame_wh[0]:
        return picture
    width, height = shot.frame_wh
    if width * height > MOST_PIXELS:
        raise ValueError(f"a frame has {width} x {height} pixels, more than any camera")
    return paste_into_frame(picture, shot.crop_px, shot.frame_wh)


def _classify(
    entry: Entry, dice: Sequence[TrayDie], reading: TrayReading, compared: Comparison
) -> tuple[RereadOutcome, Finding | None]:
    is_certain = reading.status is not Status.UNSURE
    shows_nothing = bool(compared.blank) or compared.is_empty
    is_other = bool(compared.other) or shows_nothing or (is_certain and not compared.is_same)
    outcome = (
        RereadOutcome.SAME
        if compared.is_same
        else RereadOutcome.OTHER
        if is_other
        else RereadOutcome.UNSURE
    )
    if by := entry.body.get("by_hand"):
        what = f"this roll was entered by hand by {by}: {entry.body.get('roll')}"
        return outcome, Finding(FindingKind.BY_HAND, what, found=_format_reading(reading))
    if outcome is RereadOutcome.SAME:
        return outcome, None
    if outcome is RereadOutcome.OTHER and (entry.kind in ROLLS or not entry.body.get("doubts")):
        has_none = shows_nothing and not compared.other
        shown = "no die where the journal has one" if has_none else "other dice than the journal"
        what = f"the picture of this {entry.kind} shows {shown}"
        return outcome, _finding(FindingKind.READ_OTHERWISE, what, dice, reading, compared)
    what = f"the picture of this {entry.kind} is read with less certainty now"
    return outcome, _finding(FindingKind.UNSURE_NOW, what, dice, reading, compared)


def _compare_lifts(entry: Entry, reading: TrayReading) -> Iterator[Finding]:
    """
    Yield a finding if a reading needs other doubts removed than its entry says.

    The stored picture is compressed, so a doubt at its limit may come or go: this is a note.
    """
    if TABLE_MODEL not in entry.body:
        return
    claimed = decode_picture_info(entry.body).lifts
    found = [to_tray_lift(lift) for lift in reading.lifts]
    if _are_among(claimed, found) and _are_among(found, claimed):
        return
    what = f"what the table had learnt removes other doubts than this {entry.kind} says"
    yield Finding(
        FindingKind.OTHER_LIFTS, what, expected=_format_lifts(claimed), found=_format_lifts(found)
    )


def _are_among(some: Sequence[TrayLift], others: Sequence[TrayLift]) -> bool:
    return all(any(_are_alike(one, other) for other in others) for one in some)


def _are_alike(one: TrayLift, other: TrayLift) -> bool:
    apart = math.dist(one.center_px, other.center_px)
    return one.kind == other.kind and apart <= 0.5 * max(one.radius_px, other.radius_px)


def _format_lifts(lifts: Sequence[TrayLift]) -> str:
    return "; ".join(map(describe_lift, lifts)) or "none"


def _find_unseen_doubts(entry: Entry, reading: TrayReading) -> Iterator[Finding]:
    """Find doubts for which faces were entered by hand, and which the picture does not show."""
    doubts = entry.body.get("doubts")
    if not entry.body.get("by_hand") or not isinstance(doubts, list) or reading.doubts:
        return
    if any(str(doubt).partition(":")[0] in _SEEN_IN_A_PICTURE for doubt in doubts):
        what = "faces were entered by hand for a doubt that the picture does not show"
        doubted = "; ".join(map(str, doubts))
        found = _format_reading(reading)
        yield Finding(FindingKind.DOUBT_UNSEEN, what, expected=doubted, found=found)


def _finding(
    kind: FindingKind,
    what: str,
    dice: Sequence[TrayDie],
    reading: TrayReading,
    compared: Comparison,
) -> Finding:
    places = [
        f"at {die.center_px[0]:.0f},{die.center_px[1]:.0f} the journal has {die.polarity}"
        f" {die.face} and the picture {now.polarity.value} {now.face}"
        for die, now in compared.other
    ]
    faces = " ".join(str(die.face) for die in dice) or "no dice"
    return Finding(
        kind,
        what,
        expected=faces,
        found=_format_reading(reading),
        neighbours="; ".join(places).capitalize(),
    )


def _format_reading(reading: TrayReading) -> str:
    faces = " ".join(str(die.face) for die in reading.dice) or "no dice"
    return f"{faces}, unsure: {reading.reason}" if reading.reason else faces
