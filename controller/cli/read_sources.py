# SPDX-License-Identifier: MIT
"""
The sources of `dicebell read`: pictures, folders, videos and cameras.

An error of one source is a value, because the others are still read. One reader serves them all:
it keeps no state between pictures, and takes time to load.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.base.errors import InputError, RefusedError, refuse_os_errors
from controller.cli.cameras import PREFIX, camera_frames, is_camera
from controller.cli.read_output import ReadResult
from vision.decoding.errors import PictureError, TornVideoError
from vision.decoding.videos import read_video
from vision.frame import Frame, Image
from vision.image_files import is_video, list_pictures, load_picture
from vision.pipeline import Reader
from vision.reading import TrayReading
from vision.trace import Trace
from vision.tracking.rest_detector import AGREEING, STILL_S, RestDetector, TrayReader, find_rests
from vision.tray_map import TrayMap

_FIRST_REST_S = 10.0

SourceError = PictureError | RefusedError  # What is wrong with a source.


def make_failure(source: str, error: SourceError) -> ReadResult:
    """Return the result of a source that could not be read."""
    reason = f"expected {error.expected}, found {error.found}"
    return ReadResult(source, TrayReading(()), error=reason)


@dataclass(frozen=True, slots=True)
class SourceReader:
    reader: Reader
    tray: TrayMap | None = None  # The reader's calibration; `None` if it has none.
    expect: int | None = None  # The number of dice; `None` if unknown.
    trace: Path | None = None  # Folder for pictures of the stages; `None` for no such pictures.
    for_s: float | None = None  # How long a camera is watched; `None` until its first rest.

    def read(self, source: str) -> Iterator[ReadResult | SourceError]:
        """Read a picture, folder, video or camera; InputError if pictures of stages are refused."""
        if is_camera(source):
            yield from self._of_camera(source)
            return
        try:
            files = _files(Path(source))
        except PictureError as error:
            yield error
            return
        for file in files:
            yield from self._of_video(file) if is_video(file) else self._of_picture(file)

    def _of_picture(self, file: Path) -> Iterator[ReadResult]:
        try:
            image = load_picture(file)
            self._require_fit(image, str(file))
        except (PictureError, InputError) as error:
            yield make_failure(str(file), error)
            return
        yield ReadResult(str(file), self._reader(file.name).read(image, expect=self.expect))

    def _of_video(self, file: Path) -> Iterator[ReadResult | SourceError]:
        torn: list[TornVideoError] = []

        def frames_to_the_tear() -> Iterator[Frame]:
            try:
                yield from read_video(file)
            except TornVideoError as error:
                torn.append(error)

        try:
            yield from self._rests(str(file), file.name, frames_to_the_tear())
        except PictureError as error:
            yield make_failure(str(file), error)
        except InputError as error:
            if error.where != str(file):
                raise
            if not torn:
                yield make_failure(str(file), error)
        yield from torn

    def _of_camera(self, source: str) -> Iterator[ReadResult | SourceError]:
        name = source.removeprefix(PREFIX)
        try:
            if self.for_s is None:
                yield self._first_rest(source, name)
            else:
                yield from self._rests(source, name, camera_frames(source, for_s=self.for_s))
        except RefusedError as error:
            if error.where != source:
                raise
            yield error

    def _rests(self, source: str, name: str, frames: Iterator[Frame]) -> Iterator[ReadResult]:
        """Read every rest; InputError if there is none, or a frame does not fit the tray map."""
        detector = RestDetector(self._reader(name))
        times_s: list[float] = []

        def note_times() -> Iterator[Frame]:
            for frame in self._fitting(frames, source):
                times_s.append(frame.at_s)
                yield frame

        has_rest = False
        for rest in find_rests(note_times(), detector, expect=self.expect):
            has_rest = True
            yield ReadResult(source, rest.reading, frames=(rest.first_frame, rest.last_frame))
        if not has_rest:
            expected = f"a rest, {AGREEING} still frames over {STILL_S:.1f} s"
            length_s = times_s[-1] - times_s[0] if times_s else 0.0
            found = f"none in {len(times_s)} frames, {length_s:.1f} s"
            raise InputError(expected=expected, found=found, where=source)

    def _first_rest(self, source: str, name: str) -> ReadResult:
        detector = RestDetector(self._reader(name))
        for frame in self._fitting(camera_frames(source, for_s=_FIRST_REST_S), source):
            observation = detector.process(frame, expect=self.expect)
            if observation.reading is not None:
                return ReadResult(source, observation.reading)
        expected = f"a tray at rest within {_FIRST_REST_S:.0f} s"
        raise InputError(expected=expected, found="motion all the time", where=source)

    def _fitting(self, frames: Iterator[Frame], source: str) -> Iterator[Frame]:
        for frame in frames:
            self._require_fit(frame.image_bgr, source)
            yield frame

    def _require_fit(self, image: Image, where: str) -> None:
        """Require that a picture has the aspect of the tray map, otherwise InputError."""
        height, width = image.shape[:2]
        try:
            if self.tray is not None:
                self.tray.scaled_to((width, height))
        except ValueError as error:
            made = "{} x {}".format(*self.tray.picture_wh) if self.tray else ""
            expected = f"a picture with the aspect of the tray map's, {made}"
            raise InputError(expected=expected, found=f"{width} x {height}", where=where) from error

    def _reader(self, name: str) -> TrayReader:
        if self.trace is None:
            return self.reader
        return _TracingReader(self.reader, self.trace, name)


def _files(path: Path) -> tuple[Path, ...]:
    if not path.exists():
        raise PictureError(path, expected="a picture, a folder or a video", found="no such file")
    return list_pictures(path) if path.is_dir() else (path,)


@dataclass(slots=True)
class _TracingReader:
    """The reader, with pictures of its stages in a folder."""

    reader: Reader
    folder: Path
    name: str
    count: int = 0

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        self.count += 1
        trace = Trace(self.folder, name=f"{self.name}-{self.count}")
        with refuse_os_errors("a folder that can be written", f"--trace {self.folder}"):
            return self.reader.read(image_bgr, expect=expect, trace=trace)
