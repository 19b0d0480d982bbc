# SPDX-License-Identifier: MIT
"""Pictures of the reader's stages, which explain a reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import SQUARE, Floats
from vision.frame import Image
from vision.reading import Point, TrayReading

if TYPE_CHECKING:
    from vision.nets.finder import Proposal, Sighting

_Colour = tuple[int, int, int]
_GOOD, _BAD, _DOUBT, _TEXT = (0, 220, 0), (150, 150, 150), (0, 0, 255), (0, 255, 255)
_LIFT = (255, 160, 0)
_THING = (0, 128, 255)
_TILE_SCALE, _TILES_A_ROW, _LINE_PX = 2, 8, 16


@dataclass(frozen=True, slots=True)
class Trace:
    """Writes pictures of the stages into a folder; `OSError` if one can't be written."""

    folder: Path
    name: str = "picture"  # Stem of the file names, usually that of the picture.

    def write_proposals(self, image_bgr: Image, sighting: Sighting) -> None:
        """
        Write the result of the finder: dice tinted green, other objects orange, proposals framed.

        A frame is red if its die looks cocked, stacked, hidden or cut off, and grey if it is hardly
        a die. Both numbers are beside it. OSError if the folder or the file cannot be written.
        """
        canvas = _tint(image_bgr, sighting.die_map, sighting.scale, _GOOD)
        canvas = _tint(canvas, sighting.thing_map, sighting.scale, _THING)
        for proposal in sorted(sighting.proposals, key=lambda one: one.likeness):
            _draw_proposal(canvas, proposal)
        self._write("1-finder", canvas)

    def write_tiles(self, tiles: Image, words: Sequence[str]) -> None:
        """
        Write all tiles, (n, size, size, 3), on one sheet, with a text for each below it.

        ValueError for another number of texts; OSError if the folder or the file cannot be written.
        """
        lines = max((text.count("\n") + 1 for text in words), default=1)
        side = tiles.shape[1] * _TILE_SCALE
        cell_wh = side + 8, side + 8 + lines * _LINE_PX
        rows = max(1, -(-len(tiles) // _TILES_A_ROW))
        across = max(1, min(len(tiles), _TILES_A_ROW))
        sheet = np.zeros((rows * cell_wh[1], across * cell_wh[0], 3), np.uint8)
        for index, (tile, text) in enumerate(zip(tiles, words, strict=True)):
            row, column = divmod(index, _TILES_A_ROW)
            x, y = column * cell_wh[0], row * cell_wh[1]
            large = np.repeat(np.repeat(tile, _TILE_SCALE, axis=0), _TILE_SCALE, axis=1)
            sheet[y : y + side, x : x + side] = large
            for number, line in enumerate(text.split("\n"), start=1):
                at = x + 2, y + side + number * _LINE_PX - 3
                cv2.putText(sheet, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, _TEXT, 1, cv2.LINE_AA)
        self._write("2-tiles", sheet)

    def write_reading(self, image_bgr: Image, reading: TrayReading) -> None:
        """
        Write the picture with the reading drawn on it.

        Dice have green frames with their faces, doubts red rings with their kinds, and rejected
        candidates thin grey rings. What the table's knowledge removed has a blue ring, with its
        kind and its share. OSError if the folder or the file cannot be written.
        """
        canvas = image_bgr.copy()
        for rejected in reading.rejected:
            _draw_ring(canvas, rejected.center_px, rejected.radius_px, _BAD, 1)
        for die in reading.dice:
            _draw_quad(canvas, np.array(die.corners_px), _GOOD)
            size = max(0.5, die.edge_px / 60.0)
            _write_text(canvas, str(die.face), np.array(die.center_px), size, _TEXT)
        for lift in reading.lifts:
            text = f"{lift.kind.value} {lift.share:.2f}"
            _draw_named_ring(canvas, lift.center_px, lift.radius_px, text, _LIFT)
        for doubt in reading.doubts:
            if doubt.center_px is not None:
                _draw_named_ring(canvas, doubt.center_px, doubt.radius_px, doubt.kind.value, _DOUBT)
        status = f"{reading.status.value} {''.join(map(str, reading.faces))}"
        if reading.is_background_sick:
            status += ", background not used"
        _write_text(canvas, status, np.array([70.0, 20.0]), 0.7, _TEXT)
        self._write("3-reading", canvas)

    def _write(self, stage: str, image: Image) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        done, code = cv2.imencode(".png", image)
        assert done, "every uint8 picture can be coded as PNG"
        (self.folder / f"{self.name}-{stage}.png").write_bytes(code.tobytes())


def _tint(image_bgr: Image, shares: NDArray[np.float32], scale: float, colour: _Colour) -> Image:
    height, width = image_bgr.shape[:2]
    # A pixel's place is its middle, in the map as in the picture.
    into_map = np.array([(scale, 0.0, 0.5 * scale - 0.5), (0.0, scale, 0.5 * scale - 0.5)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    share = cv2.warpAffine(shares, into_map, (width, height), flags=flags)[:, :, None]
    tinted = image_bgr + (np.array(colour) - image_bgr.astype(np.float64)) * (0.5 * share)
    return np.asarray(tinted.clip(0.0, 255.0), dtype=np.uint8)


def _draw_proposal(canvas: Image, proposal: Proposal) -> None:
    colour = _DOUBT if proposal.odd >= 0.5 else _GOOD if proposal.likeness >= 0.5 else _BAD
    corners = SQUARE @ proposal.half_edges.T
    _draw_quad(canvas, proposal.center + corners, colour)
    text = f"{proposal.likeness:.2f} odd {proposal.odd:.2f}"
    size = float(np.linalg.norm(proposal.half_edges[:, 0])) / 90.0
    _write_label(canvas, text, proposal.center, float(np.abs(corners).max()), size, _TEXT)


def _draw_ring(
    canvas: Image, center: Point, radius_px: float, colour: _Colour, line_px: int
) -> None:
    x, y = (round(v) for v in center)
    cv2.circle(canvas, (x, y), max(4, round(radius_px)), colour, line_px)


def _draw_named_ring(
    canvas: Image, center: Point, radius_px: float, name: str, colour: _Colour
) -> None:
    _draw_ring(canvas, center, radius_px, colour, 2)
    _write_label(canvas, name, np.array(center), radius_px, radius_px / 90.0, colour)


def _draw_quad(canvas: Image, corners: Floats, colour: _Colour) -> None:
    cv2.polylines(canvas, [np.rint(corners).astype(np.int32)], True, colour, 2)


def _write_label(
    canvas: Image, text: str, center: Floats, reach_px: float, size: float, colour: _Colour
) -> None:
    """Write below an object, larger below a large one: the pictures are shown reduced."""
    size = max(0.5, size)
    below = np.array([0.0, reach_px + 24.0 * size])
    _write_text(canvas, text, center + below, size, colour)


def _write_text(canvas: Image, text: str, center: Floats, size: float, colour: _Colour) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x, y = round(float(center[0]) - width / 2), round(float(center[1]) + height / 2)
    # A bold text below is no rim, because from OpenCV 5 on its letters are wider too.
    rim = [(x + dx, y + dy, (0, 0, 0)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    for left, base, ink in (*rim, (x, y, colour)):
        at = left, base
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
