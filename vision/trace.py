# SPDX-License-Identifier: MIT
"""Pictures of the reader's stages, for people who want to see why a reading came out so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats, Pips
from vision.reading import TrayReading

_DARK_PIP, _LIGHT_PIP = (0, 0, 255), (255, 0, 255)
_GOOD, _BAD, _DOUBT, _TEXT = (0, 220, 0), (150, 150, 150), (0, 0, 255), (0, 255, 255)
_HALF_FACE = np.array([(-1.8, -1.8), (1.8, -1.8), (1.8, 1.8), (-1.8, 1.8)])


@dataclass(frozen=True, slots=True)
class Trace:
    """
    Writes pictures of the stages into a folder.

    Attributes:
        folder: Where to; made when the first picture is written.
        name: Stem of the file names, usually that of the picture that is read.
    """

    folder: Path
    name: str = "picture"

    def write_spots(self, work: Image, pips: Pips) -> None:
        """
        Write every spot that may be a pip: dark ones in red, light ones in violet.

        Raises:
            OSError: The folder or the file can't be written.
        """
        canvas = work.copy()
        for center, shape, light in zip(pips.xy, pips.shape, pips.light, strict=True):
            lengths, directions = np.linalg.eigh(shape)
            axes = np.sqrt(lengths)
            turn = float(np.degrees(np.arctan2(directions[1, 1], directions[0, 1])))
            box = (_point(center), (2.0 * axes[1] + 2.0, 2.0 * axes[0] + 2.0), turn)
            cv2.ellipse(canvas, box, _LIGHT_PIP if light else _DARK_PIP, 1)
        self._write("1-spots", canvas)

    def write_faces(self, work: Image, candidates: list[Candidate]) -> None:
        """
        Write every group of pips that was looked at, and why it is no die, if it is none.

        Raises:
            OSError: The folder or the file can't be written.
        """
        canvas = work.copy()
        for candidate in sorted(candidates, key=lambda c: not c.flaw):
            face = candidate.face
            colour = _BAD if candidate.flaw else _GOOD
            _draw_quad(canvas, face.center + _HALF_FACE @ face.axes.T, colour)
            text = f"{face.number} {candidate.flaw}".strip()
            _write_text(canvas, text, face.center, 0.35, colour)
        self._write("2-faces", canvas)

    def write_reading(self, image_bgr: Image, reading: TrayReading) -> None:
        """
        Write the given picture with the reading drawn on it.

        Raises:
            OSError: The folder or the file can't be written.
        """
        canvas = image_bgr.copy()
        for die in reading.dice:
            _draw_quad(canvas, np.array(die.corners_px), _GOOD)
            size = max(0.5, die.edge_px / 60.0)
            _write_text(canvas, str(die.face), np.array(die.center_px), size, _TEXT)
        for doubt in reading.doubts:
            if doubt.center_px is not None:
                x, y = (round(v) for v in doubt.center_px)
                cv2.circle(canvas, (x, y), max(4, round(doubt.radius_px)), _DOUBT, 2)
        said = f"{reading.status.value} {''.join(map(str, reading.faces))}"
        _write_text(canvas, said, np.array([70.0, 20.0]), 0.7, _TEXT)
        self._write("3-reading", canvas)

    def _write(self, stage: str, image: Image) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        done, code = cv2.imencode(".png", image)
        assert done, "every uint8 picture can be coded as PNG"
        (self.folder / f"{self.name}-{stage}.png").write_bytes(code.tobytes())


def _point(xy: Floats) -> tuple[float, float]:
    return float(xy[0]), float(xy[1])


def _draw_quad(canvas: Image, corners: Floats, colour: tuple[int, int, int]) -> None:
    cv2.polylines(canvas, [np.rint(corners).astype(np.int32)], True, colour, 2)


def _write_text(
    canvas: Image, text: str, center: Floats, size: float, colour: tuple[int, int, int]
) -> None:
    """Text around a place, with a dark rim so that it can be read on any ground."""
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = round(float(center[0]) - width / 2), round(float(center[1]) + height / 2)
    for ink, weight in (((0, 0, 0), 4), (colour, 1)):
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, weight, cv2.LINE_AA)
