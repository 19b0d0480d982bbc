# SPDX-License-Identifier: MIT
"""
The calibration that a table currently reads with.

It may change while the table runs. All readers and checks ask here for every picture, so a new
map applies everywhere from the next picture on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from controller.base.languages.message import message
from controller.runtime.calibration.store import Calibration, save_calibration
from vision.calibration.hide_cards import hide_cards, measure_outline
from vision.calibration.sharpness import measure_sharpness
from vision.calibration.tray_shift import TrayPosition, check_position
from vision.face import Face
from vision.frame import Image
from vision.image_files import use_all_cores
from vision.pipeline import Reader
from vision.reading import Doubt, DoubtKind, TrayReading
from vision.table_model.confirmed import ConfirmedDie, ConfirmedThrow
from vision.table_model.model_text import StoredModel
from vision.trace import Trace
from vision.tray_map import TrayMap

MIN_SHARPNESS_SHARE = 0.45  # Share of the calibrated sharpness that still counts as sharp.


_SET_UP = Doubt(DoubtKind.UNSURE, message("The camera is being set up."))


@dataclass(frozen=True, slots=True)
class _Current:
    calibration: Calibration | None
    reader: Reader


class ActiveCalibration:
    """
    Reads and judges pictures by the calibration as it stands; from any thread.

    A picture of another aspect than that of the map is read without it. Unless `under_dome`
    says it, the calibration does, which has the dome's size if it was made with one.
    WeightsError if the weights of a net are missing or torn.
    """

    def __init__(
        self, calibration: Calibration | None = None, *, under_dome: bool | None = None
    ) -> None:
        if under_dome is None:
            under_dome = calibration is not None and calibration.tray.dome_mm > 0.0
        elif calibration is not None and not under_dome:
            calibration = replace(calibration, tray=replace(calibration.tray, dome_mm=0.0))
        self._under_dome = under_dome
        self._plain = Reader(under_dome=under_dome)
        # Replaced as a whole, so that no thread combines a reader with another map.
        self._current = _Current(calibration, self._create_reader(calibration))
        self._replacing = threading.RLock()
        self._listeners: list[Callable[[], None]] = []
        self._is_ready = threading.Event()  # Clear while the camera is being set up.
        self._is_ready.set()

    @property
    def under_dome(self) -> bool:
        return self._under_dome

    @property
    def plain_reader(self) -> Reader:
        """The reader without a calibration; all others share its nets, which take 4 MB."""
        return self._plain

    @property
    def calibration(self) -> Calibration | None:
        return self._current.calibration

    @property
    def tray_text(self) -> str | None:
        """The map that pictures are read with, as `TrayMap.to_json` writes it, if any."""
        calibration = self.calibration
        return calibration.tray.to_json() if calibration else None

    @property
    def table_model(self) -> StoredModel | None:
        """What confirmed throws taught; `None` if nothing yet."""
        return self.calibration.table_model if self.calibration else None

    def tray_for(self, picture_wh: tuple[int, int]) -> TrayMap | None:
        """Return the map for pictures of a size; `None` if they show another view."""
        return _scale_map(self._current.calibration, picture_wh)

    def keep(self, folder: Path, calibration: Calibration) -> None:
        """Store another calibration, and use it from now on; OSError leaves the old one in use."""
        with self._replacing:
            save_calibration(folder, calibration)
            self.activate(calibration)

    def activate(self, calibration: Calibration) -> None:
        """Use another calibration from now on."""
        self._current = _Current(calibration, self._create_reader(calibration))
        for listener in self._listeners:
            listener()

    def learn(self, folder: Path, table_model: StoredModel | None, *, at: Calibration) -> bool:
        """
        Store what confirmed throws taught, and read with it from now on; return whether it
        counts.

        Nothing is stored if another calibration than `at` is in use. `None` forgets
        everything. OSError if the disk refuses; what was learnt before stays in use. No
        listener is called.
        """
        with self._replacing:
            current = self._current
            if current.calibration is not at:
                return False
            calibration = replace(at, table_model=table_model)
            reader = current.reader.with_model(table_model.decode() if table_model else None)
            save_calibration(folder, calibration)
            self._current = _Current(calibration, reader)
        return True

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call a listener after every activation, in the thread that activates."""
        self._listeners.append(listener)

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Doubt every picture inside the block: the camera is being set up."""
        self._is_ready.clear()
        try:
            yield
        finally:
            self._is_ready.set()

    def wait_until_resumed(self) -> None:
        """Wait while the camera is being set up."""
        self._is_ready.wait()

    def read(
        self, image_bgr: Image, *, expect: int | None = None, trace: Trace | None = None
    ) -> TrayReading:
        """Read a picture with `expect` dice; `trace` gets stages unless suspended, or OSError."""
        if not self._is_ready.is_set():
            return TrayReading((), doubts=(_SET_UP,))
        current = self._current
        tray = _scale_map(current.calibration, _get_size(image_bgr))
        with use_all_cores():
            if tray is None:
                return self._plain.read(image_bgr, expect=expect, trace=trace)
            reading = read_with_map(current.reader, tray, image_bgr, expect=expect, trace=trace)
        return _name_model(reading, current.calibration)

    def propose(self, image_bgr: Image) -> tuple[Face, ...]:
        """Return what may be upper faces in a picture, with the same map as `read`."""
        current = self._current
        tray = _scale_map(current.calibration, _get_size(image_bgr))
        if tray is None:
            return self._plain.propose(image_bgr)
        return current.reader.propose(_hide_cards(image_bgr, tray))

    def confirm(self, image_bgr: Image, dice: Sequence[ConfirmedDie]) -> ConfirmedThrow | None:
        """Return a throw of confirmed dice; `None` without a map, or if a die is not seen in it."""
        current = self._current
        tray = _scale_map(current.calibration, _get_size(image_bgr))
        if tray is None:
            return None
        return current.reader.confirm(_hide_cards(image_bgr, tray), dice)

    def is_tray_in_place(self, image_bgr: Image) -> bool | None:
        """Return whether the tray is where the map has it; `None` if that is unclear."""
        calibration = self._current.calibration
        if calibration is None or calibration.rim is None:
            return None
        tray = self.tray_for(_get_size(image_bgr))
        if tray is None:
            return False
        position = check_position(image_bgr, calibration.rim, tray)
        return None if position is TrayPosition.UNSEEN else position is TrayPosition.IN_PLACE

    def is_sharp(self, image_bgr: Image) -> bool:
        """Return whether a picture is about as sharp as at the calibration."""
        calibration = self._current.calibration
        if calibration is None:
            return True
        return measure_sharpness(image_bgr) >= MIN_SHARPNESS_SHARE * calibration.sharpness

    def _create_reader(self, calibration: Calibration | None) -> Reader:
        if calibration is None:
            return self._plain
        stored = calibration.table_model
        return self._plain.with_tray(calibration.tray, stored.decode() if stored else None)


def _name_model(reading: TrayReading, calibration: Calibration | None) -> TrayReading:
    """Return a reading that names what the table had learnt."""
    learnt = calibration.table_model if calibration else None
    if learnt is None:
        return reading
    background = "" if reading.is_background_sick else learnt.background
    return replace(reading, table_model=learnt.digest, background=background)


def read_with_map(
    reader: Reader,
    tray: TrayMap,
    image_bgr: Image,
    *,
    expect: int | None = None,
    trace: Trace | None = None,
) -> TrayReading:
    """Read a picture with a map for its size, ignoring the cards in the corners."""
    return reader.read(_hide_cards(image_bgr, tray), expect=expect, trace=trace)


def _hide_cards(image_bgr: Image, tray: TrayMap) -> Image:
    return hide_cards(image_bgr, tray, measure_outline(tray.felt_mm))


def _get_size(image_bgr: Image) -> tuple[int, int]:
    return image_bgr.shape[1], image_bgr.shape[0]


def _scale_map(calibration: Calibration | None, picture_wh: tuple[int, int]) -> TrayMap | None:
    """Return the map for pictures of a size; `None` if they show another view."""
    if calibration is None:
        return None
    try:
        return calibration.tray.scaled_to(picture_wh)
    except ValueError:
        return None
