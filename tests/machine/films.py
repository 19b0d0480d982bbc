# SPDX-License-Identifier: MIT
"""
Draw what the virtual machine's webcam shows: throws of the simulated tray, with their truth.

One tray is played from film to film, so that dice that a player keeps lie where they lay. Each film
ends with dice at rest; the last pictures repeat while nothing else is requested.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.machine.guest.feed import LINGER
from vision.frame import Image
from vision.image_files import load_picture

SIZE_WH = (640, 360)
OTHER_SIZE_WH = (480, 270)
FPS = 5
TRUTH = "truth.json"
QUALITY = 92


@dataclass(frozen=True, slots=True)
class Film:
    """What hands do at the tray before it rests again."""

    name: str
    act: Callable[[SimulatedCamera], None]


def _throw(
    *faces: int, which: tuple[int, ...] = (0, 1, 2, 3, 4)
) -> Callable[[SimulatedCamera], None]:
    return lambda camera: camera.throw(faces, which=which)


FILMS = (
    Film("empty", lambda camera: camera.take_out()),
    Film("first", _throw(1, 2, 2, 5, 6)),
    Film("second", _throw(3, 3, 4, 4, 1)),
    Film("third", _throw(6, 1, 5, 5, 2)),
    Film("leaning", lambda camera: camera.tilt(2)),
    Film("straight", lambda camera: camera.nudge(2)),
    Film("fives", _throw(5, 5, 2, 5, 1)),
    Film("taken", lambda camera: camera.take_out((2, 4))),
    Film("two-again", _throw(5, 3, which=(2, 4))),
)


def draw_films(folder: Path) -> None:
    """Draw all films, a folder each, and write the truth beside them."""
    truth: dict[str, list[int]] = {}
    for name, pictures, faces in _play():
        truth[name] = faces
        (folder / name).mkdir(parents=True)
        for number, picture in enumerate(pictures):
            path = folder / name / f"{number:04}.jpg"
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    _spoil(folder, sorted((folder / "empty").iterdir())[-LINGER:])
    (folder / TRUTH).write_text(json.dumps(truth))


def _spoil(folder: Path, pictures: list[Path]) -> None:
    """Make films of webcams that do not work: a picture or a few that repeat, another size."""
    for name, count in (("frozen", 1), ("going-round", 4)):
        (folder / name).mkdir()
        for picture in pictures[:count]:
            shutil.copy(picture, folder / name)
    (folder / "small").mkdir()
    small = cv2.resize(load_picture(pictures[0]), OTHER_SIZE_WH)
    cv2.imwrite(str(folder / "small" / "0000.jpg"), small)


def _play() -> Iterator[tuple[str, list[Image], list[int]]]:
    clock = SteppedClock()
    camera = SimulatedCamera(clock, seed=34, size_wh=SIZE_WH, fps=FPS)
    camera.open()
    for film in FILMS:
        film.act(camera)
        pictures = [camera.frame(1.0).image_bgr]
        while camera.is_moving:
            pictures.append(camera.frame(1.0).image_bgr)
        pictures += [camera.frame(1.0).image_bgr for _ in range(LINGER)]
        faces = [die.face for die in camera.truth() if die.is_in_tray]
        yield film.name, pictures, faces
