# SPDX-License-Identifier: MIT
"""
`dicebell read`: what the reader says about pictures, videos and cameras.

A picture is read once. A video is watched as the table watches its camera, and
every rest in it is one reading. Every source stands for itself: what is wrong
with one is told, and the others are still read.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.app.commands.cameras import PREFIX, camera_frames, is_camera
from controller.errors import InputError
from vision.frame import Frame, Image
from vision.picture import (
    PictureError,
    TornVideoError,
    is_video,
    load_picture,
    pictures_in,
    use_one_thread,
    video_frames,
)
from vision.pipeline import Reader
from vision.reading import DieReading, Status, TrayReading
from vision.trace import Trace
from vision.watching.settle import TrayReader, TrayWatcher
from vision.watching.track import rests

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_FIRST_REST_S = 10.0


def add_parser(subparsers: Subparsers) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "read",
        help="read the dice in pictures, folders, videos or from a camera",
        description=(
            "Read the dice in pictures. Of a folder, every picture is read in the order of the"
            " names. Of a video or a camera, every rest is read: faces and places on which"
            " several frames agree while nothing moves."
        ),
        epilog="Exit status: 0 when every source could be read, 2 when one could not.",
    )
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a picture, a folder, a video, or a camera: camera:usb0, camera:pi0, camera:simulated",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a reading")
    parser.add_argument(
        "--expect", type=_count, metavar="N", help="so many dice lie there; another count is unsure"
    )
    parser.add_argument(
        "--trace", type=Path, metavar="DIR", help="write pictures of the reader's stages there"
    )
    parser.add_argument(
        "--for",
        dest="for_s",
        type=_seconds,
        metavar="SECONDS",
        help="how long to watch a camera; without it, until its first rest",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Read the sources in the order given.

    Returns:
        The exit status: 0, or 2 where a source could not be read to its end.

    Raises:
        InputError: `--for` stands without a camera, or the folder for `--trace` cannot be written.
    """
    if args.for_s is not None and not any(map(is_camera, args.sources)):
        raise InputError(expected="a camera among the sources", found="none", where="--for")
    use_one_thread()
    status = 0
    for source in args.sources:
        for result in _results(source, args):
            if isinstance(result, _Result):
                _tell(result, as_json=args.json)
            else:
                sys.stderr.write(f"dicebell read: {result}\n")
                if args.json:
                    _tell(_failed(source, result), as_json=True)
            if not isinstance(result, _Result) or result.error:
                status = 2
    return status


def _tell(result: _Result, *, as_json: bool) -> None:
    text = json.dumps(_row(result)) if as_json else _text(result)
    sys.stdout.write(_printable(f"{text}\n"))
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class _Result:
    """
    What came of one picture or one rest.

    Attributes:
        file: The source, or the file of a folder.
        reading: What was read; empty where there was nothing to read from.
        error: Why the file holds no picture; empty otherwise.
        frames: First and last frame of the rest, of videos and cameras.
    """

    file: str
    reading: TrayReading
    error: str = ""
    frames: tuple[int, int] | None = None


_Trouble = PictureError | InputError


def _results(source: str, args: argparse.Namespace) -> Iterator[_Result | _Trouble]:
    """Read one source; what is wrong with it comes as a value, because the others go on."""
    if is_camera(source):
        yield from _of_camera(source, args)
        return
    try:
        files = _files(Path(source))
    except PictureError as error:
        yield error
        return
    for file in files:
        yield from _of_video(file, args) if is_video(file) else _of_picture(file, args)


def _files(path: Path) -> tuple[Path, ...]:
    if not path.exists():
        raise PictureError(path, expected="a picture, a folder or a video", found="no such file")
    return pictures_in(path) if path.is_dir() else (path,)


def _of_picture(file: Path, args: argparse.Namespace) -> Iterator[_Result]:
    try:
        image = load_picture(file)
    except PictureError as error:
        yield _failed(str(file), error)
        return
    yield _Result(str(file), _reader(file.name, args).read(image, expect=args.expect))


def _of_video(file: Path, args: argparse.Namespace) -> Iterator[_Result | _Trouble]:
    torn: list[TornVideoError] = []

    def frames_to_the_tear() -> Iterator[Frame]:
        try:
            yield from video_frames(file)
        except TornVideoError as error:
            torn.append(error)

    try:
        yield from _rest_results(str(file), file.name, frames_to_the_tear(), args)
    except PictureError as error:
        yield _failed(str(file), error)
    yield from torn


def _of_camera(source: str, args: argparse.Namespace) -> Iterator[_Result | _Trouble]:
    name = source.removeprefix(PREFIX)
    try:
        if args.for_s is None:
            frames = camera_frames(source, for_s=_FIRST_REST_S)
            yield _first_rest(source, frames, TrayWatcher(_reader(name, args)), args.expect)
        else:
            frames = camera_frames(source, for_s=args.for_s)
            yield from _rest_results(source, name, frames, args)
    except InputError as error:
        if error.where != source:
            raise
        yield error


def _rest_results(
    source: str, name: str, frames: Iterator[Frame], args: argparse.Namespace
) -> Iterator[_Result]:
    watcher = TrayWatcher(_reader(name, args))
    for rest in rests(frames, watcher, expect=args.expect):
        yield _Result(source, rest.reading, frames=(rest.first_frame, rest.last_frame))


def _first_rest(
    source: str, frames: Iterator[Frame], watcher: TrayWatcher, expect: int | None
) -> _Result:
    for frame in frames:
        look = watcher.look(frame, expect=expect)
        if look.reading is not None:
            return _Result(source, look.reading)
    expected = f"a tray at rest within {_FIRST_REST_S:.0f} s"
    raise InputError(expected=expected, found="motion all the time", where=source)


def _failed(source: str, error: _Trouble) -> _Result:
    reason = f"expected {error.expected}, found {error.found}"
    return _Result(source, TrayReading(()), error=reason)


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
        try:
            return self.reader.read(image_bgr, expect=expect, trace=trace)
        except OSError as error:
            expected, found = "a folder that can be written", error.strerror or str(error)
            place = f"--trace {self.folder}"
            raise InputError(expected=expected, found=found, where=place) from error


def _reader(name: str, args: argparse.Namespace) -> TrayReader:
    return Reader() if args.trace is None else _TracingReader(Reader(), args.trace, name)


def _row(result: _Result) -> dict[str, object]:
    """Write a result as the object that other programs read."""
    reading = result.reading
    row: dict[str, object] = {
        "file": result.file,
        "status": "error" if result.error else reading.status.value,
        "reason": result.error or reading.reason,
        "elapsed_ms": round(reading.elapsed_ms, 2),
        "dice": [_die_row(die) for die in reading.dice],
    }
    if result.frames is not None:
        row["frames"] = list(result.frames)
    return row


def _die_row(die: DieReading) -> dict[str, object]:
    row: dict[str, object] = {
        "face": die.face,
        "polarity": die.polarity.value,
        "colour": die.colour,
        "center_px": [round(value, 1) for value in die.center_px],
        "angle_deg": round(die.angle_deg, 1),
        "confidence": round(die.confidence, 3),
    }
    if die.origin is not None:
        row["origin"] = die.origin.value
    return row


def _text(result: _Result) -> str:
    """Write a result for people: what it is in one line, then a line a die."""
    if result.error:
        return f"{result.file}: {result.error}"
    reading = result.reading
    place = result.file
    if result.frames is not None:
        place += ", frames {} to {}".format(*result.frames)
    # One doubt may stand for several places.
    doubts = dict.fromkeys(f"{doubt.kind.value}: {doubt.text}" for doubt in reading.doubts)
    said = {
        Status.READ: f"read {' '.join(map(str, reading.faces))}",
        Status.EMPTY: "no dice",
        Status.UNSURE: f"unsure, {'; '.join(doubts)}",
    }[reading.status]
    lines = [f"{place}: {said} ({reading.elapsed_ms:.1f} ms)"]
    return "\n".join(lines + [_die_text(die) for die in reading.dice])


def _die_text(die: DieReading) -> str:
    x, y = die.center_px
    origin = die.origin.value if die.origin else ""
    text = (
        f"  {die.face}  {die.colour:<8} at {x:6.0f}, {y:6.0f} px"
        f"  turned {die.angle_deg:3.0f}°  sure {die.confidence:6.1%}  {origin}"
    )
    return text.rstrip()


def _printable(text: str) -> str:
    """Replace what the terminal cannot show: a path may hold any sign."""
    encoding = sys.stdout.encoding
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"expected a number of dice, found {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"expected seconds above 0, found {text!r}")
    return seconds
