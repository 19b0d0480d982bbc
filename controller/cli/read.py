# SPDX-License-Identifier: MIT
"""
`dicebell read`: read dice in pictures, videos and from cameras.

A picture is read once. A video is followed like the table's camera, and every rest is read. An
error of one source is reported, and the others are still read.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from controller.base.durable_files import read_regular_file
from controller.base.errors import InputError
from controller.cli.arguments import Subparsers, print_line
from controller.cli.cameras import is_camera
from controller.cli.read_output import ReadResult, json_text, lines_text
from controller.cli.read_sources import SourceReader, make_failure
from vision.image_files import limit_to_one_thread
from vision.pipeline import Reader
from vision.tray_map import TrayMap

_MOST_MAP_BYTES = 1 << 16


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "read",
        help="read the dice in pictures, folders, videos or from a camera",
        description=(
            "Read the dice in pictures. Of a folder, every picture is read in the order of the"
            " names; hidden files are skipped. Of a video or a camera, every rest is read: faces"
            " and places on which several frames agree while nothing moves. A damaged picture"
            " or frame is an error."
        ),
        epilog=(
            "Exit status: 0 when every source could be read; 2 when one could not, or when a"
            " video had no rest."
        ),
    )
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help=(
            "a picture (JPEG, PNG, WebP, TIFF, BMP, JPEG 2000, AVIF, GIF), a folder, a video, or a"
            " camera: camera:usb0, camera:pi0, camera:simulated"
        ),
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a reading")
    parser.add_argument(
        "--rejected", action="store_true", help="also print rejected candidates with their reason"
    )
    parser.add_argument(
        "--expect", type=_count, metavar="N", help="the number of dice; another count is unsure"
    )
    parser.add_argument(
        "--tray",
        type=_tray_map,
        metavar="FILE",
        help="the calibration of the tray as JSON; its scale, felt and dice are known then",
    )
    parser.add_argument(
        "--dome",
        action="store_true",
        help="the dice are under a transparent dome; only what is under it is read",
    )
    parser.add_argument(
        "--trace", type=Path, metavar="DIR", help="write pictures of the reader's stages here"
    )
    parser.add_argument(
        "--for",
        dest="for_s",
        type=_seconds,
        metavar="SECONDS",
        help="how long to watch a camera; without it, until its first rest",
    )


def run(args: argparse.Namespace) -> int:
    if args.for_s is not None and not any(map(is_camera, args.sources)):
        raise InputError(expected="a camera among the sources", found="none", where="--for")
    limit_to_one_thread()
    sources = SourceReader(
        Reader(tray=args.tray, under_dome=args.dome),
        tray=args.tray,
        expect=args.expect,
        trace=args.trace,
        for_s=args.for_s,
    )
    status = 0
    for source in args.sources:
        for result in sources.read(source):
            if isinstance(result, ReadResult):
                _print_result(result, args)
            else:
                sys.stderr.write(f"dicebell read: {result}\n")
                if args.json:
                    _print_result(make_failure(source, result), args)
            if not isinstance(result, ReadResult) or result.error:
                status = 2
    return status


def _print_result(result: ReadResult, args: argparse.Namespace) -> None:
    print_line((json_text if args.json else lines_text)(result, with_rejected=args.rejected))


def _tray_map(text: str) -> TrayMap:
    try:
        return TrayMap.from_json(read_regular_file(Path(text), _MOST_MAP_BYTES).decode("utf-8"))
    except OSError as error:
        message = f"{text}: expected a tray map, found {error.strerror or error}"
        raise argparse.ArgumentTypeError(message) from error
    except UnicodeDecodeError as error:
        message = f"{text}: expected a tray map, found no text"
        raise argparse.ArgumentTypeError(message) from error
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from error


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
