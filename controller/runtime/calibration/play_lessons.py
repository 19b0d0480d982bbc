# SPDX-License-Identifier: MIT
"""
Teach a table by the rolls that its players accept.

A roll stands once the next one is accepted, or another game begins, and no official corrected it.
Its stored picture then adds to what the table learnt. Every few of them the table reads by a new
model, which is on the disk and in the journal before a roll names it. All of this happens in a
thread of its own, while people choose. It has the usual priority: a reading waits while a net runs
here, and must not wait for a thread that others hold up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from controller.base.errors import InputError
from controller.base.logs import Log
from controller.journal.entries import ROLLS, ThrowEntry, read_entry
from controller.journal.entry_reader import EntryCursor, EntryReader
from controller.journal.hashchain import Entry
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.teaching import ReadPicture, Teacher
from controller.table.events import KEPT, TURNED
from controller.table.reading_codec import place_dice
from vision.reading import LiftKind
from vision.table_model.confirmed import ConfirmedDie, Lesson

ENDS_A_ROLL = ROLLS | {"game", "closed", "request"}
"""Entries after which the roll before them cannot be corrected any more."""

EVERY_ROLLS = 5
"""New rolls after which the table learns again: a model of 100 kB goes to the disk each time."""

POLL_S = 2.0
_BATCH = 200

_LOG = Log("calibration")


class StandingRolls:
    """Finds the rolls of a journal that stand, and can teach."""

    def __init__(self) -> None:
        self._last: ThrowEntry | None = None

    def add_entry(self, entry: Entry) -> Lesson | None:
        """Add the next entry; return the lesson of the roll that stands by it, if there is one."""
        if entry.kind in ("correction", "calibration", "restart"):
            self._last = None
        if entry.kind not in ENDS_A_ROLL:
            return None
        said = read_entry(entry)
        standing, self._last = self._last, said if isinstance(said, ThrowEntry) else None
        return _build_lesson(standing) if standing else None


class PlayLessons:
    """Follows the journal and teaches its table until `wait` for some seconds returns true."""

    def __init__(
        self,
        folder: Path,
        live: ActiveCalibration,
        entries: EntryReader,
        read_picture: ReadPicture,
        wait: Callable[[float], bool],
    ) -> None:
        self._folder = folder
        self._live = live
        self._wait = wait
        self._entries = entries
        self._rolls = StandingRolls()
        self._read_picture = read_picture
        self._teacher = Teacher(live, read_picture)
        self._new: list[Lesson] = []
        self._cursor: EntryCursor | None = None

    def start(self) -> None:
        """Start the thread; it ends when the table closes."""
        threading.Thread(target=self.run, name="lessons", daemon=True).start()

    def run(self) -> None:
        """Follow the journal until the table closes."""
        while not self._wait(POLL_S):
            try:
                self.catch_up()
            except (InputError, OSError, ValueError) as error:
                # The table reads on by what it learnt before.
                _LOG.warning("nothing learnt from play", error=str(error))

    def catch_up(self) -> None:
        """
        Learn from the entries since the last call; the first one only notes where they end.

        OSError if the journal or the calibration refuses; InputError or ValueError for a malformed
        entry.
        """
        if self._cursor is None:
            newest = self._entries.newest()
            self._cursor = self._entries.follow(newest.seq + 1 if newest else 0)
        while entries := self._cursor.read_more(_BATCH):
            for entry in entries:
                self._add_entry(entry)

    def _add_entry(self, entry: Entry) -> None:
        if entry.kind == "calibration":
            self._start_over()
        lesson = self._rolls.add_entry(entry)
        # To look at each picture now spreads the work.
        if lesson is not None and self._teacher.find_throw(lesson) is not None:
            self._new.append(lesson)
            if len(self._new) >= EVERY_ROLLS:
                self._learn()

    def _start_over(self) -> None:
        """Forget what was seen with another map."""
        self._new.clear()
        self._teacher = Teacher(self._live, self._read_picture)

    def _learn(self) -> None:
        rolls, self._new = self._new, []
        calibration = self._live.calibration
        if calibration is None or calibration.table_model is None:
            return
        learnt = self._teacher.learn(calibration.table_model.lessons.with_played(rolls))
        if learnt is not None and self._live.learn(self._folder, learnt, at=calibration):
            _LOG.info("learnt from play", rolls=len(rolls), model=learnt.digest)


def _build_lesson(roll: ThrowEntry) -> Lesson | None:
    """
    Return the lesson of a roll; `None` if it can't teach.

    It can't if a person entered it or doubted it, or if it was read without a model. A die that
    stayed was learnt when it was thrown. A foot that was flat only by its correction must not
    confirm that correction.
    """
    if roll.by_hand or roll.doubts or not (roll.picture and roll.table_model):
        return None
    if any(die.origin in (KEPT, TURNED) for die in roll.lie):
        return None
    if any(lift.kind == LiftKind.FOOT.value for lift in roll.lifts):
        return None
    confirmed = tuple(ConfirmedDie(die.face, die.center_px) for die in place_dice(roll.lie))
    return Lesson(roll.picture, roll.crop_px, roll.frame_px, confirmed)
