# SPDX-License-Identifier: MIT
"""
`dicebell calibrate`: find the tray, check light and focus, lock the camera, store the result.

It does the same as the page `/calibrate`, at a terminal. While a table runs, its camera is in
use; open the page instead.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.base.errors import InputError, UnavailableError, refuse_os_errors
from controller.base.languages.catalogue import Catalogue, load_catalogue
from controller.base.settings import Settings, load_settings
from controller.cli.arguments import Subparsers, print_line
from controller.cli.config_args import add_config_argument, find_config, require_owned_folder
from controller.cli.own_dice import forget_dice, learn_dice
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.frame_source import CameraFrames
from controller.runtime.calibration.session import CalibrationSession, validate_felt_size
from controller.runtime.calibration.store import FILE, load_calibration
from controller.runtime.devices.drivers import create_camera
from hardware.camera import Camera, CameraLostError
from hardware.simulated.camera import SimulatedCamera
from vision.calibration.card_sheet import build_corner_sheet
from vision.calibration.inspection import Inspection
from vision.calibration.print_page import encode_pdf, encode_png
from vision.reading import Point, Status, TrayReading

WRITERS = {".pdf": encode_pdf, ".png": encode_png}
DEFAULT_SHEET = Path("corner-cards.pdf")
WARM_UP_FRAMES = 5


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        help="set up tray corners, light, focus and die size, as the page does",
        description=(
            "Find the tray by the printed corner cards or by given corners, measure the dice in"
            " it, check light and focus, lock the camera's exposure, read the dice once, and save"
            " the result. The page /calibrate does the same."
        ),
        epilog="Exit status: 0 saved or printed, 1 not good enough to save, 2 wrong use.",
    )
    parser.add_argument(
        "--print",
        nargs="?",
        const=DEFAULT_SHEET,
        type=Path,
        metavar="FILE",
        dest="sheet",
        help=f"print the corner cards to a .pdf or .png ({DEFAULT_SHEET}), and end",
    )
    add_config_argument(parser)
    parser.add_argument(
        "--felt", type=parse_felt, metavar="WxD", help="felt in mm, such as 300x200"
    )
    parser.add_argument(
        "--corners",
        nargs=4,
        type=parse_position,
        metavar="X,Y",
        help="the felt's corners in the picture in pixels, in any order; needs --felt",
    )
    parser.add_argument(
        "--die-edge", type=float, metavar="MM", help="edge of the dice; measured if not given"
    )
    parser.add_argument(
        "--dome",
        nargs=2,
        type=parse_position,
        metavar="X,Y",
        help="the middle of the dome and a point on its inner rim in pixels; found if not given",
    )
    own = parser.add_mutually_exclusive_group()
    own.add_argument(
        "--own-dice",
        action="store_true",
        help="learn your own dice from about five throws that you confirm; needs a calibration",
    )
    own.add_argument("--forget-dice", action="store_true", help="delete the learned dice, and end")


def run(args: argparse.Namespace) -> int:
    config = find_config(args.config)
    settings = load_settings(config)
    if args.sheet is not None:
        _write_sheet(args.sheet, args.felt, load_catalogue(settings.web.language))
        return 0
    if config:
        require_owned_folder(config, settings.data.folder)
    if args.forget_dice:
        forget_dice(settings.data.folder)
        return 0
    kept = load_calibration(settings.data.folder) if args.own_dice else None
    camera = create_camera(settings, calibrated=kept.exposure if kept else None)
    if isinstance(camera, SimulatedCamera):
        camera.lay_cards()
    try:
        with camera:
            return (_learn if args.own_dice else _calibrate)(camera, settings, args)
    except CameraLostError as error:
        found = f"{error.what}; {error.mend}"
        raise UnavailableError(
            expected="a working camera", found=found, where=error.camera
        ) from error


def parse_felt(text: str) -> Point:
    """Read a size such as 300x200, in millimetres."""
    return _parse_pair(text, "x", "width and depth such as 300x200")


def parse_position(text: str) -> Point:
    """Parse a position such as 120,80, in pixels."""
    return _parse_pair(text, ",", "a position such as 120,80")


def _parse_pair(text: str, between: str, expected: str) -> Point:
    first, _, second = text.partition(between)
    try:
        return float(first), float(second)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}") from None


def _write_sheet(path: Path, felt_mm: Point | None, catalogue: Catalogue) -> None:
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(expected="a file .pdf or .png", found=str(path), where="--print")
    felt_mm = felt_mm and validate_felt_size(felt_mm)
    with refuse_os_errors("a file to write", path):
        path.write_bytes(writer(build_corner_sheet(felt_mm, catalogue.translate)))
    print_line(f"{path}: print it at 100 %, and check that its ruler is 100 mm long.")


def _learn(camera: Camera, settings: Settings, args: argparse.Namespace) -> int:
    folder, eye = settings.data.folder, CameraFrames(camera)
    live = ActiveCalibration(load_calibration(folder), under_dome=settings.tray.is_dome)
    if live.calibration is None:
        expected, found = "a calibrated table", "none. Run `dicebell calibrate` first."
        raise InputError(expected=expected, found=found, where="--own-dice")
    for _ in range(WARM_UP_FRAMES):
        eye.next_frame()
    return learn_dice(folder, eye, live)


def _calibrate(camera: Camera, settings: Settings, args: argparse.Namespace) -> int:
    folder, eye = settings.data.folder, CameraFrames(camera)
    live = ActiveCalibration(load_calibration(folder), under_dome=settings.tray.is_dome)
    desk = CalibrationSession(
        folder, eye, live, mains_hz=settings.camera.mains_hz, fps=settings.camera.fps
    )
    desk.set_inputs(
        corners_px=args.corners, felt_mm=args.felt, die_edge_mm=args.die_edge, dome_px=args.dome
    )
    for _ in range(WARM_UP_FRAMES):
        eye.next_frame()
    print_line(f"exposure  {desk.lock_exposure().text}")
    desk.measure_felt()
    seen = desk.inspect()
    assert seen is not None
    _print_inspection(seen[1])
    eye.next_frame()  # another one: only what both show will be there later
    tried = desk.read_trial()
    if tried is None:
        return 1
    _print_reading(tried.reading, tried.edge_mm, args.die_edge)
    if tried.remark:
        print_line(f"knock     {tried.remark}")
    made = desk.save()
    print_line(f"saved     {folder / FILE}, {made.made_at}")
    return 0


def _print_inspection(inspection: Inspection) -> None:
    if inspection.found is None:
        print_line(f"tray      {inspection.problem}")
    else:
        wide, deep = inspection.found.felt_mm
        print_line(f"tray      {wide:.0f} x {deep:.0f} mm. {inspection.found.remark}".rstrip())
    if inspection.dome is not None:
        print_line(f"dome      {inspection.dome.diameter_mm:.0f} mm inside")
    elif inspection.found and inspection.problem:
        print_line(f"dome      {inspection.problem}")
    print_line(f"focus     sharpness {inspection.sharpness:.0f} of 100")
    for fault in inspection.light:
        print_line(f"light     {fault.text}")
    if inspection.found and not inspection.light:
        print_line("light     bright enough and even")


def _print_reading(reading: TrayReading, edge_mm: float | None, said_mm: float | None) -> None:
    if said_mm is not None:
        print_line(f"dice      edge {said_mm:g} mm, as given")
    elif edge_mm is not None:
        print_line(f"dice      edge {edge_mm:.1f} mm, measured")
    else:
        print_line("dice      none to measure: lay some on the felt, or give --die-edge")
    faces = " ".join(str(face) for face in reading.faces) or "no dice"
    doubt = f"; {reading.reason}" if reading.status is Status.UNSURE else ""
    print_line(f"reading   {faces}{doubt}")
