# SPDX-License-Identifier: MIT
"""
Find the camera of a table that has no settings for one.

The first camera that gives a picture is taken. From then on no other one is taken by itself: it
could show another tray. A person may choose another; that one, or the one with which the tray was
calibrated, is kept in the data folder.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from controller.base.durable_files import atomic_write, create_data_folder, read_json
from controller.base.errors import InputError, UnavailableError
from controller.base.languages.message import message
from controller.base.logs import Log
from hardware.camera import Camera, CameraLostError, Exposure
from vision.frame import Frame

FILE = "camera.json"
UNKNOWN = "auto"  # Its name before a camera was found.
_KEY = "camera"
_LOG = Log("camera")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A camera that the table could use, and its label for people."""

    label: str
    camera: Camera
    exposure: Exposure | None = None  # What it starts with before a calibration.


class CandidateView(TypedDict):
    """A camera that a person may choose; `problem` is why it was not taken, or empty."""

    name: str
    label: str
    is_used: bool
    problem: str


class FoundCamera(Camera):
    """
    The camera that was chosen, otherwise the first one that gives a picture.

    `list_candidates` returns the cameras as they are now, in the order in which they are tried;
    the same one has the same name each time. InputError if the stored choice is malformed.
    """

    def __init__(self, folder: Path, list_candidates: Callable[[], Sequence[Candidate]]) -> None:
        self._folder = folder
        self._list_candidates = list_candidates
        self._wanted = _load_choice(folder / FILE)  # Its name; empty if any will do.
        self._lock = threading.Lock()  # Held to change the wanted one.
        self._tried = ""  # The name of the camera that was opened last, or did not open.
        self._is_chosen = bool(self._wanted)
        self._current: Camera | None = None
        self._exposure: tuple[Exposure | None, ...] = ()  # As set; empty before it was set.
        self._problems: dict[str, str] = {}  # Why a camera was not taken.

    @property
    def name(self) -> str:
        current = self._current
        return self._wanted or (current.name if current else UNKNOWN)

    @property
    def is_chosen(self) -> bool:
        """Whether a person has chosen the camera, or has calibrated the tray with it."""
        return self._is_chosen

    @property
    def is_replaced(self) -> bool:
        return self._wanted not in ("", self._tried)

    def open(self) -> None:
        self.close()
        candidates = self._list_candidates()
        wanted = self._tried = self._wanted
        if wanted:
            camera = next((c.camera for c in candidates if c.camera.name == wanted), None)
            if camera is None:
                raise CameraLostError(
                    camera=wanted, what="it is not connected", mend="plug it in again"
                )
            self._open_camera(camera)
            return
        for candidate in candidates:
            if candidate.camera.name in self._problems:
                continue
            try:
                self._open_camera(candidate.camera)
            except CameraLostError:
                continue
            _LOG.info("camera found", camera=self.name, not_taken=self._why())
            return
        # All are tried again next time: one may be free or plugged in by then.
        why, self._problems = self._why(), {}
        what = f"no camera was found ({why})" if why else "no camera was found"
        raise CameraLostError(camera=UNKNOWN, what=what, mend="plug a webcam in")

    def frame(self, timeout_s: float) -> Frame:
        camera = self._current
        if camera is None:
            raise CameraLostError(camera=self.name, what="it is closed", mend="open it")
        if self.is_replaced:
            what = message("another camera was chosen")
            mend = message("wait until that one is open")
            raise CameraLostError(camera=camera.name, what=what, mend=mend)
        try:
            frame = camera.frame(timeout_s)
        except CameraLostError as error:
            if not self._wanted:
                self._problems[camera.name] = error.what
            raise
        with self._lock:
            self._wanted = self._wanted or camera.name
        return frame

    def close(self) -> None:
        if self._current is not None:
            self._current.close()

    def exposure(self) -> Exposure | None:
        return self._current.exposure() if self._current else None

    def set_exposure(self, exposure: Exposure | None) -> None:
        self._exposure = (exposure,)
        if self._current is not None:
            self._current.set_exposure(exposure)

    def list_choices(self) -> list[CandidateView]:
        """Return the cameras of this machine, in the order in which they are tried."""
        return [
            {
                "name": candidate.camera.name,
                "label": candidate.label,
                "is_used": candidate.camera.name == self.name,
                "problem": self._problems.get(candidate.camera.name, ""),
            }
            for candidate in self._list_candidates()
        ]

    def choose(self, name: str) -> None:
        """
        Use this camera from now on, also after a restart.

        InputError if it is unknown, UnavailableError if the disk refuses.
        """
        exposures = {one.camera.name: one.exposure for one in self._list_candidates()}
        if name not in exposures:
            expected = message("a camera of this machine: {names}", names=", ".join(exposures))
            raise InputError(expected=expected, found=name)
        try:
            create_data_folder(self._folder)
            atomic_write(self._folder / FILE, json.dumps({_KEY: name}).encode())
        except OSError as error:
            expected = message("free space for the choice of the camera")
            raise UnavailableError(expected=expected, found=error.strerror or str(error)) from error
        if name != self.name:
            self._exposure = (exposures[name],)  # Not that of the other one.
        # The thread that reads the camera opens the other one.
        with self._lock:
            self._wanted, self._is_chosen = name, True
        _LOG.info("camera chosen", camera=name)

    def _open_camera(self, camera: Camera) -> None:
        self._tried = camera.name
        exposure = self._exposure  # A choice may reset it meanwhile.
        if exposure:
            camera.set_exposure(exposure[0])
        try:
            camera.open()
        except CameraLostError as error:
            self._problems[camera.name] = error.what
            raise
        self._problems.pop(camera.name, None)
        self._current = camera

    def _why(self) -> str:
        return "; ".join(f"{name}: {what}" for name, what in self._problems.items())


def _load_choice(path: Path) -> str:
    try:
        kept = read_json(path)
        return str(kept[_KEY])
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        expected = "the name of a camera; delete the file and choose the camera again"
        raise InputError(expected=expected, found=str(error), where=str(path)) from error
