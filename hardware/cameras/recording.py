# SPDX-License-Identifier: MIT
"""
Play a recording as a camera: a video, or a folder of pictures in order of name.

It plays at its own speed by the given clock, so a late caller misses pictures as with any
camera. On a stepped clock no caller is late, and every picture is delivered.
"""

from __future__ import annotations

from pathlib import Path

from hardware.camera import Camera, CameraLostError
from hardware.clock import Clock, MonotonicClock
from vision.decoding.errors import PictureError
from vision.decoding.videos import decode_video, measure_video
from vision.frame import Frame, Image
from vision.image_files import is_video, list_pictures, load_picture

_CHECK = "check the path"


class FileCamera(Camera):
    """
    A recording played in a loop: a video, a picture, or pictures that all have one size.

    A video has its own speed, and pictures come once a second, if `fps` is not given.
    """

    def __init__(self, path: Path, *, fps: float | None = None, clock: Clock | None = None) -> None:
        self._path = path
        self._fps = fps
        self._clock = clock or MonotonicClock()
        self._recording: _Recording | None = None
        self._period_s = 1.0
        self._opened_s = 0.0
        self._next = 0
        self._shape: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self._path.name

    def open(self) -> None:
        self.close()
        self._recording = self._open_recording()
        self._period_s = 1 / (self._fps or self._recording.fps)
        self._opened_s = self._clock.now_s()
        self._next = 0
        self._shape = ()

    def frame(self, timeout_s: float) -> Frame:
        recording = self._recording
        if recording is None:
            raise self.lost_error("it is closed", "open it")
        number = max(self._next, int((self._clock.now_s() - self._opened_s) / self._period_s))
        due_s = self._opened_s + number * self._period_s
        wait_s = due_s - self._clock.now_s()
        if wait_s > timeout_s:
            self._clock.wait_s(timeout_s)
            raise self.lost_error(f"no picture is due for {wait_s:.3g} s", "play it faster")
        self._clock.wait_s(wait_s)
        try:
            image = self._play(recording, number - self._next)
        except OSError as error:
            raise self.lost_error(str(error), _CHECK) from error
        except PictureError as error:
            raise self._broken_error(error) from error
        self._next = number + 1
        return Frame(image, due_s, number)

    def close(self) -> None:
        recording, self._recording = self._recording, None
        if recording is not None:
            recording.close()

    def _play(self, recording: _Recording, skipped: int) -> Image:
        """Skip some pictures and return the next, from the beginning again after the last."""
        for _ in range(skipped % recording.count):
            if not recording.skip():
                recording.rewind()
                recording.skip()
        image = recording.read()
        if image is None:
            recording.rewind()
            image = recording.read()
        if image is None:
            raise OSError("it is gone")
        self._shape = self._shape or image.shape
        if image.shape != self._shape:
            raise OSError("its pictures have different sizes")
        return image

    def _open_recording(self) -> _Recording:
        try:
            if is_video(self._path) and not self._path.is_dir():
                return _Video(self._path)
            return _Pictures(self._path)
        except PictureError as error:
            raise self._broken_error(error) from error

    def _broken_error(self, error: PictureError) -> CameraLostError:
        what = f"{error.path.name}: expected {error.expected}, found {error.found}"
        return self.lost_error(what, _CHECK)


class _Pictures:
    """A folder of pictures, or a single one; each is read when it is due."""

    def __init__(self, path: Path) -> None:
        files = list_pictures(path) if path.is_dir() else (path,)
        self._paths = [file for file in files if not is_video(file)]
        if not self._paths:
            raise PictureError(path, expected="a folder with pictures", found="only videos")
        self.fps = 1.0
        self.count = len(self._paths)
        self._at = 0
        self.read()
        self.rewind()

    def skip(self) -> bool:
        """Skip a picture; return False at the end."""
        self._at += 1
        return self._at <= self.count

    def read(self) -> Image | None:
        """Return the next picture, None at the end; `PictureError` if it is not whole."""
        if self._at >= self.count:
            return None
        path = self._paths[self._at]
        self._at += 1
        return load_picture(path)

    def rewind(self) -> None:
        self._at = 0

    def close(self) -> None:
        """Nothing is kept open."""


class _Video:
    def __init__(self, path: Path) -> None:
        self._path = path
        length = measure_video(path)
        self.fps, self.count = length.fps, length.frames
        self._frames = decode_video(path)

    def skip(self) -> bool:
        return next(self._frames, None) is not None

    def read(self) -> Image | None:
        frame = next(self._frames, None)
        try:
            return frame.convert().image_bgr if frame else None
        except PictureError:
            self.close()
            raise

    def rewind(self) -> None:
        # Opened again, because seeking misses the first picture in some formats.
        self.close()
        self._frames = decode_video(self._path)

    def close(self) -> None:
        self._frames.close()


_Recording = _Pictures | _Video
