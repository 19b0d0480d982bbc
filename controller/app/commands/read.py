# SPDX-License-Identifier: MIT
"""
`dicebell read`: what the reader says about pictures, videos and cameras.

A picture is read once. A video is watched as the table watches its camera, and
every rest in it is one reading. Every source stands for itself: what is wrong
with one is told, and the others are still read.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.app.commands.cameras import PREFIX, camera_frames, is_camera
from controller.app.commands.readings import Result, json_text, lines_text
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
from vision.reading import TrayReading
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
        "--rejected", action="store_true", help="name as well what was looked at and is no die"
    )
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
            if isinstance(result, Result):
                _tell(result, args)
            else:
                sys.stderr.write(f"dicebell read: {result}\n")
                if args.json:
                    _tell(_failed(source, result), args)
            if not isinstance(result, Result) or result.error:
                status = 2
    return status


def _tell(result: Result, args: argparse.Namespace) -> None:
    text = (json_text if args.json else lines_text)(result, with_rejected=args.rejected)
    sys.stdout.write(_printable(f"{text}\n"))
    sys.stdout.flush()


_Trouble = PictureError | InputError


def _results(source: str, args: argparse.Namespace) -> Iterator[Result | _Trouble]:
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


def _of_picture(file: Path, args: argparse.Namespace) -> Iterator[Result]:
    try:
        image = load_picture(file)
    except PictureError as error:
        yield _failed(str(file), error)
        return
    yield Result(str(file), _reader(file.name, args).read(image, expect=args.expect))


def _of_video(file: Path, args: argparse.Namespace) -> Iterator[Result | _Trouble]:
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


def _of_camera(source: str, args: argparse.Namespace) -> Iterator[Result | _Trouble]:
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
) -> Iterator[Result]:
    watcher = TrayWatcher(_reader(name, args))
    for rest in rests(frames, watcher, expect=args.expect):
        yield Result(source, rest.reading, frames=(rest.first_frame, rest.last_frame))


def _first_rest(
    source: str, frames: Iterator[Frame], watcher: TrayWatcher, expect: int | None
) -> Result:
    for frame in frames:
        look = watcher.look(frame, expect=expect)
        if look.reading is not None:
            return Result(source, look.reading)
    expected = f"a tray at rest within {_FIRST_REST_S:.0f} s"
    raise InputError(expected=expected, found="motion all the time", where=source)


def _failed(source: str, error: _Trouble) -> Result:
    reason = f"expected {error.expected}, found {error.found}"
    return Result(source, TrayReading(()), error=reason)


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
