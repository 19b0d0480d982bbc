# SPDX-License-Identifier: MIT
"""
Every picture, read again by the current reader and compared with the journal.

It is read as the table read it: with the map, the owner's dice and what the table learnt from the
journal, placed in its frame, and with the expected number of dice. A certain die with another face
is a break, and so is a picture without the dice. Less certainty is a note: the table had several
frames of the dice, and here is only one. Whatever a picture or a map does to the reader ends in a
finding.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum

from controller.calibration.active import ActiveCalibration
from controller.calibration.store import Calibration
from controller.journal.continuity.journal_facts import OWN_DICE, TABLE_MODEL
from controller.journal.hashchain import Entry, Value
from controller.journal.journal import GENESIS
from controller.table.events import TrayDie
from controller.table.reading_codec import decode_dice, decode_picture_info
from controller.verify.claims.shown_dice import Comparison, EarlierRolls, compare_dice
from controller.verify.findings import Finding, FindingKind
from controller.verify.pictures import CheckedFile, FileState
from vision.decoding.errors import PictureError
from vision.frame import Image
from vision.image_files import decode_picture
from vision.own_dice.known_faces import OwnDice
from vision.picture_headers import MOST_PIXELS, read_jpeg_size
from vision.reading import DoubtKind, Status, TrayReading
from vision.tracking.rest_detector import TrayReader
from vision.tray_crop import paste_into_frame
from vision.tray_map import TrayMap

_ROLLS = frozenset({"roll", "answer"})
_READ = _ROLLS | {"reading"}
_CALIBRATES = frozenset({GENESIS, "restart", "calibration"})
_ENDS_A_ROLL = _ROLLS | {"game", "closed", "request"}
_SEEN_IN_A_PICTURE = frozenset(kind.value for kind in DoubtKind) - {DoubtKind.PLACED.value}
"""Doubts that one picture can show; the others concern how the dice came there."""

_Seen = tuple[Image, TrayReading]
"""A frame and its reading."""

ReaderFactory = Callable[[TrayMap | None, OwnDice | None, str | None], TrayReader]
"""Creates a reader for a map, the owner's dice and what the table learnt; each may be `None`."""


def create_reader(
    tray: TrayMap | None, own_dice: OwnDice | None, table_model: str | None
) -> TrayReader:
    """Create the reader of a table; without a map, all else is ignored."""
    if tray is None:
        return ActiveCalibration()
    calibration = Calibration(tray, None, 0.0, "", own_dice=own_dice, table_model=table_model)
    return ActiveCalibration(calibration)


class RereadOutcome(Enum):
    """How a picture's reading compares with the journal."""

    SAME = "same"
    UNSURE = "unsure"
    OTHER = "other"


class RereadCheck:
    """
    The check that reads pictures again.

    Attributes:
        counts: Number of pictures by outcome.
        with_table: How many of those that are read the same are certain only with what the
            table learnt.
    """

    def __init__(self, create_reader: ReaderFactory = create_reader) -> None:
        self.counts: Counter[RereadOutcome] = Counter()
        self.with_table = 0
        self._reader_by = create_reader
        self._map: Value = None
        self._learnt: dict[str, Value] = {OWN_DICE: None, TABLE_MODEL: None}
        self._readers: dict[bool, TrayReader] = {}
        self._newest: tuple[tuple[str, ...], _Seen] | None = None
        self._earlier = EarlierRolls()
        # The finding about the last roll, until it is clear that no correction follows.
        self._open: Finding | None = None

    def add_entry(self, entry: Entry, *, line: int, game: int) -> Iterator[Finding]:
        """
        Add what an entry says about reading pictures, and its correction of a roll.

        Call it for every entry, before `check_picture`.
        """
        if entry.kind in _CALIBRATES and entry.body.get("calibration") != self._map:
            self._map = entry.body.get("calibration")
            self._forget_readings()
        if entry.kind in self._learnt:
            self._learnt[entry.kind] = entry.body.get(entry.kind)
            self._forget_readings()
        if entry.kind in _ENDS_A_ROLL:
            yield from self.finish()
        if entry.kind == "correction":
            by, roll, was = (entry.body.get(key) for key in ("by", "roll", "was"))
            what = f"the roll {was} was corrected to {roll} by {by}"
            found = self._open.found if self._open else ""
            self._open = None
            yield Finding(FindingKind.BY_HAND, what, line, entry.seq, game, found=found)

    def finish(self) -> Iterator[Finding]:
        """Report the last roll, which no entry corrected."""
        if self._open:
            yield self._open
        self._open = None

    def check_picture(
        self, entry: Entry, looked: CheckedFile, *, line: int, game: int, dice_wanted: int
    ) -> Iterator[Finding]:
        """
        Read the picture of an entry, if it has one that was read.

        Args:
            entry: The entry.
            looked: The picture's file.
            line: Its number, from 1.
            game: Which game is under way, from 1.
            dice_wanted: Number of dice in the game; 0 if unknown.
        """
        is_there = looked.standing in (FileState.UNCHANGED, FileState.CHANGED)
        if entry.kind not in _READ or looked.what != "picture" or not is_there:
            return
        outcome, findings = self._check(entry, looked, dice_wanted, line)
        self.counts[outcome] += 1
        for finding in findings:
            placed = replace(finding, line=line, seq=entry.seq, game=game)
            if finding.kind is FindingKind.READ_OTHERWISE and entry.kind in _ROLLS:
                self._open = placed
            else:
                yield placed

    def _check(
        self, entry: Entry, looked: CheckedFile, dice_wanted: int, line: int
    ) -> tuple[RereadOutcome, list[Finding]]:
        try:
            dice = decode_dice(entry.body)
            image, reading = self._read(entry, looked, dice_wanted)
            compared = compare_dice(image, dice, reading)
        except Exception as error:
            # A prepared picture, map or number may break any library below, each in its own way.
            what = f"the picture of this {entry.kind} cannot be read"
            found = str(error) or type(error).__name__
            return RereadOutcome.OTHER, [Finding(FindingKind.READ_OTHERWISE, what, found=found)]
        outcome, finding = _classify(entry, dice, reading, compared)
        if outcome is RereadOutcome.SAME and self._needs_table(image, reading, dice_wanted):
            self.with_table += 1
        findings = [finding] if finding else []
        findings += _find_unseen_doubts(entry, reading)
        if entry.kind in _ROLLS:
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

    def _read(self, entry: Entry, looked: CheckedFile, dice_wanted: int) -> _Seen:
        """Read a picture; a reading and its roll share one picture, which is read once."""
        place = tuple(str(entry.body.get(key)) for key in ("crop_px", "frame_px"))
        about = (looked.digest, str(dice_wanted), *place)
        if self._newest is None or self._newest[0] != about:
            image = _load_frame(entry, looked)
            reader = self._get_reader(knows_table=True)
            self._newest = about, (image, reader.read(image, expect=dice_wanted or None))
        return self._newest[1]

    def _needs_table(self, image: Image, reading: TrayReading, dice_wanted: int) -> bool:
        """Return whether a certain picture is unsure without what the table learnt."""
        if not reading.lifts or reading.status is Status.UNSURE:
            return False
        alone = self._get_reader(knows_table=False).read(image, expect=dice_wanted or None)
        return alone.status is Status.UNSURE or alone.faces != reading.faces

    def _get_reader(self, *, knows_table: bool) -> TrayReader:
        if knows_table not in self._readers:
            model = self._learnt[TABLE_MODEL] if knows_table else None
            self._readers[knows_table] = self._reader_by(
                _parse_tray_map(self._map),
                _parse_own_dice(self._learnt[OWN_DICE]),
                str(model) if model else None,
            )
        return self._readers[knows_table]

    def _forget_readings(self) -> None:
        self._readers.clear()
        self._newest = None


def _parse_tray_map(value: Value) -> TrayMap | None:
    """
    Return the map of an entry; journals of format 1 have none.

    Raises:
        ValueError: The map is malformed.
    """
    if not value:
        return None
    return TrayMap.from_json(value if isinstance(value, str) else json.dumps(value))


def _parse_own_dice(value: Value) -> OwnDice | None:
    """
    Return the owner's dice of an entry.

    Raises:
        ValueError: They are malformed.
    """
    return OwnDice.from_json(str(value)) if value else None


def _load_frame(entry: Entry, looked: CheckedFile) -> Image:
    """
    Return the whole frame of a picture, black outside the stored part.

    Raises:
        ValueError: It is no picture, or not of the journalled size.
    """
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
    _require_few_pixels("frame", shot.frame_wh)
    return paste_into_frame(picture, shot.crop_px, shot.frame_wh)


def _require_few_pixels(what: str, size_px: tuple[int, int]) -> None:
    width, height = size_px
    if width * height > MOST_PIXELS:
        raise ValueError(f"a {what} has {width} x {height} pixels, more than any camera")


def _classify(
    entry: Entry, dice: Sequence[TrayDie], reading: TrayReading, compared: Comparison
) -> tuple[RereadOutcome, Finding | None]:
    """Return the outcome of a reading and its finding, if any."""
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
    if outcome is RereadOutcome.OTHER and (entry.kind in _ROLLS or not entry.body.get("doubts")):
        has_none = shows_nothing and not compared.other
        shown = "no die where the journal has one" if has_none else "other dice than the journal"
        what = f"the picture of this {entry.kind} shows {shown}"
        return outcome, _finding(FindingKind.READ_OTHERWISE, what, dice, reading, compared)
    what = f"the picture of this {entry.kind} is read with less certainty now"
    return outcome, _finding(FindingKind.UNSURE_NOW, what, dice, reading, compared)


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
