# SPDX-License-Identifier: MIT
"""Recordings for the tests of cameras: drawn here, written to disk, played back."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image

SIZE_WH = (160, 120)
FPS = 25
CONTROLS = (
    *(cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN),
    *(cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS),
)


def picture(number: int) -> Image:
    """Draw blue on the left, red on the right, and a grey that grows with the number between."""
    width, height = SIZE_WH
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 4, 0] = 220
    image[:, -width // 4 :, 2] = 220
    image[:, width // 4 : -width // 4] = 20 * number
    return image


def number_of(image: Image) -> int:
    """Tell which picture this is."""
    return round(float(image[10:-10, 60:100].mean()) / 20)


def is_bgr(image: Image) -> bool:
    """Whether blue is blue and red is red, as far as colour is kept by any format."""
    left, right = image[:, 8:32].mean((0, 1)), image[:, -32:-8].mean((0, 1))
    return bool(left.argmax() == 0 and right.argmax() == 2 and min(left[0], right[2]) > 120)


def write_video(path: Path, count: int) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE_WH)
    for number in range(count):
        writer.write(picture(number))
    writer.release()
    return path


def write_pictures(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:03d}.png"), picture(number))
    return folder


def encode_with_restarts(image: Image, filler: bytes = b"") -> bytes:
    """Encode a JPEG as webcams do: with restart markers, and maybe filler bytes before each."""
    options = (cv2.IMWRITE_JPEG_RST_INTERVAL, image.shape[1] // 16)
    jpeg = cv2.imencode(".jpg", image, options)[1].tobytes()
    scan = jpeg.index(b"\xff\xda")
    return jpeg[:scan] + re.sub(rb"\xff[\xd0-\xd7]", lambda found: filler + found[0], jpeg[scan:])


class TappedCapture:
    """
    A real `cv2.VideoCapture` on a video, that gives a picture only when the test lets it.

    Like a webcam it delivers JPEGs if they are not to be converted; some may be torn.

    It plays in a loop. Nothing waits for real time: the test lets pictures out, and is
    told when the reader has taken them all and asks for more.
    """

    def __init__(self, path: Path, *, is_flowing: bool = False) -> None:
        self._path = path
        self._capture = cv2.VideoCapture(str(path))
        self._changed = threading.Condition()
        self._let_out = 0
        self._is_asked = False
        self._is_flowing = is_flowing
        self._is_plugged = True
        self.damaged = 0
        self.torn = 0
        self.filler = b""
        self.is_raw = False
        self.is_released = False
        # Of a camera: a video has none of these.
        self.controls = dict.fromkeys(CONTROLS, 0.0)
        self.has_autogain = True

    def let_out(self, count: int) -> None:
        with self._changed:
            self._let_out += count
            self._is_asked = False
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._is_asked and not self._let_out, 30)

    def flow(self) -> None:
        with self._changed:
            self._is_flowing = True
            self._changed.notify_all()

    def unplug(self) -> None:
        with self._changed:
            self._is_plugged = False
            self._changed.notify_all()

    def isOpened(self) -> bool:
        return self._capture.isOpened()

    def set_autogain(self, *, is_on: bool) -> None:
        self.has_autogain = is_on

    def set(self, propId: int, value: float, /) -> bool:
        if propId == cv2.CAP_PROP_GAIN and self.has_autogain:
            return False  # as cameras do
        if propId in self.controls:
            self.controls[propId] = value
            return True
        if propId == cv2.CAP_PROP_CONVERT_RGB:
            self.is_raw = not value
            return True
        return self._capture.set(propId, value)

    def get(self, propId: int, /) -> float:
        if propId == cv2.CAP_PROP_EXPOSURE and self.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0:
            return 156.0  # as it finds right by itself
        return self.controls.get(propId, self._capture.get(propId))

    def grab(self) -> bool:
        with self._changed:
            self._is_asked = not self._let_out
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._let_out or self._is_flowing or not self._is_plugged
            )
            self._let_out = max(0, self._let_out - 1)
        if not self._is_plugged:
            return False
        if not self._capture.grab():
            self._capture.open(str(self._path))
            return self._capture.grab()
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        if self.damaged:
            self.damaged -= 1
            return False, None
        is_whole, image = self._capture.retrieve()
        if not self.is_raw:
            return is_whole, np.asarray(image, np.uint8)
        jpeg = encode_with_restarts(np.asarray(image, np.uint8), self.filler)
        if self.torn:
            self.torn -= 1
            jpeg = jpeg[: len(jpeg) * 6 // 10] + b"\xff\xd9"
        return is_whole, np.frombuffer(jpeg, np.uint8)[np.newaxis]

    def release(self) -> None:
        self._capture.release()
        self.is_released = True
