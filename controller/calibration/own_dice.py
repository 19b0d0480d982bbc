# SPDX-License-Identifier: MIT
"""
Learn the owner's own dice: throw after throw, each confirmed by a person.

Nothing is kept before a person says so. A throw waits until it is confirmed or discarded, and
what was confirmed counts for the table once it is kept with the calibration. A face that
contradicts an earlier one is refused: one of the two numbers is wrong, and a wrong one would
read dice wrongly from then on.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from controller.calibration.active import ActiveCalibration
from controller.calibration.frame_source import FrameSource
from controller.calibration.own_dice_throw import Throw, build_throw
from controller.calibration.store import Calibration, save_calibration
from controller.errors import InputError, UnavailableError
from controller.languages.message import message
from hardware.camera import CameraLostError
from vision.frame import Image
from vision.own_dice.known_faces import NUMBERS, KnownFace, OwnDice
from vision.table_model.confirmed import ConfirmedDie, ConfirmedThrow
from vision.table_model.model import learn_table
from vision.table_model.model_text import encode_model
from vision.tray_map import TrayMap

ENOUGH_OF_A_NUMBER = 3
"""So many faces of each number let the witness recognize most of a table's dice."""


@dataclass(slots=True)
class _Lessons:
    """The throws that the table learns from, all with one map."""

    tray: TrayMap | None = None
    throws: list[ConfirmedThrow] = field(default_factory=list)


class OwnDiceSession:
    """
    The throws of one owner; from any thread.

    Args:
        folder: The data folder where the calibration is kept.
        eye: Provides the pictures.
        live: What the table reads by; it is given the dice once they are kept.
    """

    def __init__(self, folder: Path, eye: FrameSource, live: ActiveCalibration) -> None:
        self._folder = folder
        self._eye = eye
        self._live = live
        self._lock = threading.Lock()
        self._confirmed: list[tuple[KnownFace, ...]] = []
        self._lessons = _Lessons()
        self._image: Image | None = None
        self._throw: Throw | None = None
        self._last: Throw | None = None

    @property
    def throw(self) -> Throw | None:
        """The throw that waits for its confirmation; `None` if there is none."""
        return self._throw

    @property
    def throws(self) -> int:
        """How many throws were confirmed and are not kept yet."""
        return len(self._confirmed)

    @property
    def kept_faces(self) -> int:
        """How many faces the table knows."""
        kept = self._get_own_dice()
        return len(kept.faces) if kept else 0

    @property
    def wanted(self) -> Counter[int]:
        """How many faces of each number are still wanted; numbers with enough are not in it."""
        known = Counter(face.number for face in self._faces())
        missing = {number: ENOUGH_OF_A_NUMBER - known[number] for number in NUMBERS}
        return Counter({number: count for number, count in missing.items() if count > 0})

    def read_throw(self) -> Throw:
        """
        Read the next picture and let its faces wait for a confirmation.

        Raises:
            InputError: The table is not calibrated, the camera is gone, no face is seen, or the
                dice lie as in the last throw.
        """
        _require_calibration(self._live)
        try:
            image = self._eye.next_frame().image_bgr
        except CameraLostError as error:
            found = message("{what}; {mend}", what=error.what, mend=error.mend)
            raise UnavailableError(expected=message("a working camera"), found=found) from error
        throw = build_throw(image, self._live.read(image), self._live.propose(image))
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
        """
        Set the number of a face of the throw; 0 leaves the face out.

        Raises:
            InputError: There is no throw or no such face, or no die shows the number.
        """
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
        Add the faces of the throw to the known ones.

        Raises:
            InputError: There is no throw, none of its faces has a number, or one of them
                contradicts a face that was confirmed earlier.
        """
        with self._lock:
            throw = self._require_throw()
            faces = tuple(throw.known_faces())
            if not faces:
                raise InputError(
                    expected=message("a number on at least one face"),
                    found=message("none. Set a number."),
                )
            self._require_agreement(throw)
            self._confirmed.append(faces)
            self._teach(throw)
            self._last, self._throw, self._image = throw, None, None

    def discard(self) -> None:
        """Forget the throw that waits."""
        with self._lock:
            self._throw = self._image = None

    def keep(self) -> OwnDice:
        """
        Keep the known faces with the calibration; the table uses them from the next picture on.

        Raises:
            InputError: Nothing was confirmed, the table is not calibrated, or the disk refuses.
        """
        with self._lock:
            if not self._confirmed:
                expected, found = message("a confirmed throw"), message("none. Confirm one first.")
                raise InputError(expected=expected, found=found)
            own_dice = OwnDice.of(self._faces())
            model = self._learn() or self._live.table_model_text
            activate_own_dice(self._folder, self._live, own_dice, model)
            self._confirmed.clear()
        return own_dice

    def forget(self) -> None:
        """
        Forget all faces, also those that the table uses.

        Raises:
            InputError: The disk refuses.
        """
        with self._lock:
            self._confirmed.clear()
            self._throw = self._last = self._image = None
            self._lessons = _Lessons()
            if self._get_own_dice() is not None:
                activate_own_dice(self._folder, self._live, None, None)

    def _teach(self, throw: Throw) -> None:
        """Add the throw to what the table learns from; another map begins again."""
        tray = self._live.tray_for(throw.picture_wh)
        if tray is None or self._image is None:
            return
        if self._lessons.tray != tray:
            self._lessons = _Lessons(tray)
        dice = [ConfirmedDie(face.number, face.center_px) for face in throw.faces if face.number]
        confirmed = self._live.confirm(self._image, dice)
        if confirmed is not None:
            self._lessons.throws.append(confirmed)

    def _learn(self) -> str | None:
        """Return what the throws with the current map teach; `None` if they are too few."""
        tray = self._lessons.tray
        if tray is None or self._live.tray_for(tray.picture_wh) != tray:
            return None
        model = learn_table(self._lessons.throws, tray)
        return encode_model(model) if model else None

    def _require_agreement(self, throw: Throw) -> None:
        """Refuse a face that looks like a confirmed one of another number."""
        known = self._faces()
        if not known:
            return
        tiles = np.stack([face.tile for face in throw.faces])
        for place, witness in enumerate(OwnDice.of(known).recognize(tiles)):
            number = throw.faces[place].number
            if number and witness.number not in (0, number):
                raise InputError(
                    expected=message(
                        "face {face} as {number}, like a confirmed one",
                        face=place + 1,
                        number=witness.number,
                    ),
                    found=message(
                        "{number}. Correct it, leave it out, or forget the dice.", number=number
                    ),
                )

    def _faces(self) -> list[KnownFace]:
        kept = self._get_own_dice()
        faces = list(kept.faces) if kept else []
        return faces + [face for throw in self._confirmed for face in throw]

    def _get_own_dice(self) -> OwnDice | None:
        calibration = self._live.calibration
        return calibration.own_dice if calibration else None

    def _require_throw(self) -> Throw:
        if self._throw is None:
            raise InputError(expected=message("a throw"), found=message("none. Read one first."))
        return self._throw


def activate_own_dice(
    folder: Path, live: ActiveCalibration, own_dice: OwnDice | None, table_model: str | None
) -> None:
    """
    Keep other dice with the calibration, or none, and read by them from the next picture on.

    Args:
        folder: The data folder.
        live: What the table reads by.
        own_dice: The confirmed faces.
        table_model: What their throws taught, as `encode_model` writes it.

    Raises:
        InputError: The table is not calibrated, or the disk refuses.
    """
    calibration = replace(_require_calibration(live), own_dice=own_dice, table_model=table_model)
    try:
        save_calibration(folder, calibration)
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(expected=message("free space for the dice"), found=found) from error
    live.activate(calibration)


def _require_calibration(live: ActiveCalibration) -> Calibration:
    if live.calibration is None:
        expected = message("a calibrated table")
        found = message("none. Save the calibration first.")
        raise InputError(expected=expected, found=found)
    return live.calibration
