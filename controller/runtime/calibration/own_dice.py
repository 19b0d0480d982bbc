# SPDX-License-Identifier: MIT
"""
Teach the table its ground and its own dice: throw after throw, each confirmed by a person.

Nothing is kept before a person says so. A throw waits until it is confirmed or discarded, and
what was confirmed counts for the table once it is kept with the calibration. Until then a file of
its own holds it, so that no restart loses it. The stored pictures of the throws are kept too, so
that anybody can learn the same from them.
"""

from __future__ import annotations

import base64
import json
import threading
from contextlib import suppress
from pathlib import Path

from controller.base.durable_files import BAD_JSON, atomic_write, read_json
from controller.base.errors import InputError, UnavailableError, refuse_os_errors
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.journal.picture_store import PictureStore, compute_digest
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.frame_source import FrameSource
from controller.runtime.calibration.own_dice_throw import Throw, build_throw
from controller.runtime.calibration.store import Calibration
from controller.runtime.calibration.teaching import Teacher
from hardware.camera import CameraLostError
from vision.frame import Image
from vision.image_files import encode_jpeg
from vision.table_model.confirmed import Lesson, Lessons
from vision.table_model.model import LEAST_THROWS
from vision.table_model.model_text import StoredModel, decode_lessons, encode_lessons
from vision.tray_crop import crop_to_tray
from vision.tray_map import TrayMap

FILE = "confirmed_throws.json"  # The throws that were confirmed and are not kept yet.
ENOUGH_THROWS = 5  # So many throws teach most of the ground.

NUMBERS = range(1, 7)
_LOG = Log("calibration")
_ROOM = message("free space for the dice")
_QUALITY = 90  # Quality of the stored pictures, as of those of rolls.


class OwnDiceSession:
    """The throws of one owner; from any thread. `live` learns from them once they are kept."""

    def __init__(self, folder: Path, eye: FrameSource, live: ActiveCalibration) -> None:
        self._folder = folder
        self._file = folder / FILE
        self._store = PictureStore(folder)
        self._eye = eye
        self._live = live
        self._lock = threading.Lock()
        self._start_over()
        self._recall()

    def _start_over(self, tray: TrayMap | None = None) -> None:
        """Forget the throws that are not kept: another map shows other ones."""
        self._tray = tray
        self._lessons: list[Lesson] = []
        self._pictures: dict[str, bytes] = {}
        self._teacher = Teacher(self._live, self._read_picture)
        self._image: Image | None = None
        self._throw: Throw | None = None
        self._last: Throw | None = None

    def _recall(self) -> None:
        """Go on with the throws that were confirmed at this calibration before the table ended."""
        calibration = self._live.calibration
        try:
            stored = read_json(self._file)
            lessons = decode_lessons(stored["throws"], FILE)
            pictures = [base64.b64decode(one, validate=True) for one in stored["pictures"]]
            made_at = stored["made_at"]
        except FileNotFoundError:
            return
        except BAD_JSON as error:
            _LOG.warning("confirmed throws forgotten", file=FILE, error=str(error))
            return
        if calibration is None or made_at != calibration.made_at or not lessons:
            return
        learnt = calibration.table_model
        if learnt and lessons[0].picture in [one.picture for one in learnt.lessons.taught]:
            return  # The table ended just after it had learnt from them.
        self._lessons = [*lessons]
        self._pictures = {compute_digest(one): one for one in pictures}
        self._tray = self._live.tray_for(lessons[0].frame_wh)
        self._last = Throw.of(lessons[-1])

    @property
    def throw(self) -> Throw | None:
        """The throw that waits for its confirmation; `None` if there is none."""
        return self._throw

    @property
    def throws(self) -> int:
        """How many throws were confirmed and are not kept yet."""
        return len(self._lessons)

    @property
    def kept_throws(self) -> int:
        """How many confirmed throws the table has learnt from."""
        learnt = self._live.table_model
        return len(learnt.lessons.taught) if learnt else 0

    @property
    def is_legible(self) -> bool:
        """Whether the dice of the kept throws are read well enough to be believed."""
        learnt = self._live.table_model
        return learnt is None or learnt.decode().is_legible

    @property
    def wanted(self) -> int:
        """How many throws are still wanted."""
        return max(0, ENOUGH_THROWS - self.throws - self.kept_throws)

    def read_throw(self) -> Throw:
        """
        Read the next picture and let its faces wait for a confirmation.

        InputError without a calibration, a camera or a face, or if the dice lie as in the last
        throw.
        """
        _require_calibration(self._live)
        self._live.wait_until_resumed()
        try:
            image = self._eye.next_frame().image_bgr
        except CameraLostError as error:
            found = message("{what}; {mend}", what=error.what, mend=error.mend)
            raise UnavailableError(expected=message("a working camera"), found=found) from error
        picture_wh = image.shape[1], image.shape[0]
        throw = build_throw(picture_wh, self._live.read(image), self._live.propose(image))
        with self._lock:
            if not throw.faces:
                raise InputError(expected=message("dice on the felt"), found=message("none"))
            if self._last is not None and throw.has_same_positions(self._last):
                raise InputError(
                    expected=message("a new throw"),
                    found=message("dice in the same positions. Throw again."),
                )
            self._throw, self._image = throw, image
        return throw

    def correct(self, index: int, number: int) -> None:
        """Set the number of a face of the throw; 0 leaves it out. InputError if that cannot be."""
        with self._lock:
            throw = self._require_throw()
            if number != 0 and number not in NUMBERS:
                raise InputError(expected=message("a number from 1 to 6, or 0"), found=str(number))
            try:
                self._throw = throw.with_number(index, number)
            except IndexError:
                expected = message("a face from 1 to {last}", last=len(throw.faces))
                raise InputError(expected=expected, found=str(index + 1)) from None

    def confirm(self) -> None:
        """
        Let the table learn from the throw once it is kept.

        InputError without a throw or a numbered face, or if one cannot be found again.
        """
        with self._lock:
            throw = self._require_throw()
            if not throw.dice:
                raise InputError(
                    expected=message("a number on at least one face"),
                    found=message("none. Set a number."),
                )
            assert self._image is not None, "a throw waits with its picture"
            # Before the map: a calibration that is saved meanwhile must not own these throws.
            made_at = _require_calibration(self._live).made_at
            tray = self._live.tray_for(throw.picture_wh)
            if tray is None:
                expected = message("a picture of the calibrated view")
                raise InputError(expected=expected, found=message("another. Calibrate again."))
            if tray != self._tray:
                image = self._image
                self._start_over(tray)
                self._image, self._throw = image, throw
            self._add_lesson(throw, self._image, tray, made_at)
            self._last, self._throw, self._image = throw, None, None

    def discard(self) -> None:
        """Forget the throw that waits."""
        with self._lock:
            self._throw = self._image = None

    def keep(self) -> int:
        """
        Let the table learn from the confirmed throws, from now on; return how many.

        InputError if too few were confirmed, the table was calibrated again, or the disk refuses.
        """
        with self._lock:
            is_learnt = False
            while not is_learnt:  # Play may teach the table at the same time.
                calibration = _require_calibration(self._live)
                learnt = self._learn(calibration)
                with refuse_os_errors(_ROOM):
                    for content in self._pictures.values():
                        self._store.store(content)
                    is_learnt = self._live.learn(self._folder, learnt, at=calibration)
            self._lessons.clear()
            self._pictures.clear()
            with suppress(OSError):  # It is not read again: the table has learnt from its throws.
                self._file.unlink(missing_ok=True)
        return len(learnt.lessons.taught)

    def forget(self) -> None:
        """Forget all throws, also what the table learnt; InputError if the disk refuses."""
        with self._lock:
            forget_table(self._folder, self._live)
            self._start_over()

    def _add_lesson(self, throw: Throw, image: Image, tray: TrayMap, made_at: str) -> None:
        crop = crop_to_tray(tray)
        content = encode_jpeg(crop.apply(image), quality=_QUALITY)
        lesson = Lesson(compute_digest(content), crop.rectangle_px, throw.picture_wh, throw.dice)
        self._pictures[lesson.picture] = content
        if self._teacher.find_throw(lesson) is None:
            del self._pictures[lesson.picture]
            raise InputError(
                expected=message("dice that can be found again"),
                found=message("one that cannot. Discard this throw."),
            )
        self._lessons.append(lesson)
        try:
            with refuse_os_errors(_ROOM):
                self._write(made_at)
        except InputError:
            del self._pictures[self._lessons.pop().picture]
            raise

    def _write(self, made_at: str) -> None:
        stored = {
            "made_at": made_at,
            "pictures": [base64.b64encode(one).decode() for one in self._pictures.values()],
            "throws": encode_lessons(self._lessons),
        }
        atomic_write(self._file, json.dumps(stored).encode())

    def _learn(self, calibration: Calibration) -> StoredModel:
        if not self._lessons or self._tray != self._live.tray_for(self._lessons[0].frame_wh):
            expected, found = message("a confirmed throw"), message("none. Confirm one first.")
            raise InputError(expected=expected, found=found)
        before = calibration.table_model.lessons if calibration.table_model else Lessons()
        kept = tuple(one for one in before.taught if self._teacher.find_throw(one) is not None)
        lessons = Lessons(kept, before.played).with_taught(self._lessons)
        learnt = self._teacher.learn(lessons)
        if learnt is None:
            raise InputError(
                expected=message("{count} confirmed throws", count=LEAST_THROWS),
                found=message("{count}. Throw again.", count=len(kept) + self.throws),
            )
        return learnt

    def _read_picture(self, digest: str) -> bytes | None:
        return self._pictures.get(digest) or self._store.read(digest)

    def _require_throw(self) -> Throw:
        if self._throw is None:
            raise InputError(expected=message("a throw"), found=message("none. Read one first."))
        return self._throw


def forget_table(folder: Path, live: ActiveCalibration) -> None:
    """
    Forget the confirmed throws and what the table learnt, from the next picture on.

    InputError if the disk refuses.
    """
    with refuse_os_errors(_ROOM):
        (folder / FILE).unlink(missing_ok=True)
        while live.table_model is not None:  # Play may teach the table at the same time.
            live.learn(folder, None, at=_require_calibration(live))


def _require_calibration(live: ActiveCalibration) -> Calibration:
    if live.calibration is None:
        expected = message("a calibrated table")
        found = message("none. Save the calibration first.")
        raise InputError(expected=expected, found=found)
    return live.calibration
