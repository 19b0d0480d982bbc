# SPDX-License-Identifier: MIT
"""
Recognize the owner's own dice by faces whose numbers a person confirmed.

A table has the same few dice for years. A face that the reader's nets leave open often looks like
one that was confirmed in another picture. Only such faces are compared, and the result is a
number or nothing. Anything that is none of these dice must get no number, because a wrong number
would remove a doubt.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from vision.frame import Image
from vision.own_dice.face_match import CROP_PX, FaceMatch, FaceMatcher, body_color, crop_face
from vision.tiles import TILE_PX

VERSION = 1
NUMBERS = range(1, 7)
MOST_OF_A_NUMBER = 10
"""Stored faces of one number; of more, only the most different ones stay."""

_COMPARED_NUMBERS = 3
"""Only the likeliest numbers are aligned; the others are unlikely and cost time."""

_KEYS = ("faces", "version")
_FACE_KEYS = ("color", "crop", "number")


@dataclass(frozen=True, slots=True)
class RecognitionParams:
    """
    When a number is returned.

    Chosen on simulated owners so that wrong numbers are very rare; see docs/calibrate.md.

    Attributes:
        least_likeness: Correlation with the best confirmed face.
        most_ambiguity: What the best number leaves unexplained, as a share of the same for the
            second best.
        most_left: Largest remaining difference after the alignment, in strongest pips.
        most_gain: Largest difference in contrast, as a natural logarithm.
        most_color: Largest difference in the body's color, as a natural logarithm.
    """

    least_likeness: float = 0.87
    most_ambiguity: float = 0.65
    most_left: float = 0.65
    most_gain: float = 0.6
    most_color: float = 0.12


@dataclass(frozen=True, slots=True)
class Recognition:
    """
    The result of comparing one tile with the owner's dice.

    Attributes:
        number: 1 to 6, or 0 if it was not recognized.
        likeness: Correlation with the most similar confirmed face, -1 to 1.
        ambiguity: How close the second best number is, 0 to 1; 1 without a comparison.
    """

    number: int
    likeness: float
    ambiguity: float


NOT_RECOGNIZED = Recognition(0, -1.0, 1.0)


@dataclass(frozen=True, slots=True)
class KnownFace:
    """
    An upper face whose number a person confirmed.

    Attributes:
        number: 1 to 6.
        crop: Its grey levels, CROP_PX rows of CROP_PX bytes.
        color: Median color of its body in BGR.
    """

    number: int
    crop: bytes
    color: tuple[int, int, int]

    def __post_init__(self) -> None:
        """
        Check the sizes.

        Raises:
            ValueError: The number is not 1 to 6, or crop or color have another size.
        """
        _require(self.number in NUMBERS, "number", "1 to 6", self.number)
        size = CROP_PX * CROP_PX
        _require(len(self.crop) == size, "crop", f"{size} grey levels", len(self.crop))
        is_color = len(self.color) == 3 and all(0 <= level <= 255 for level in self.color)
        _require(is_color, "color", "3 levels from 0 to 255", list(self.color))

    @classmethod
    def from_tile(cls, tile: Image, number: int) -> KnownFace:
        """
        Return the face in the middle of a tile.

        Args:
            tile: As `vision.tiles.cut_tiles` makes it.
            number: Its number, given by a person.

        Raises:
            ValueError: The tile has another shape, or the number is not 1 to 6.
        """
        _require_tiles(tile[None])
        return cls(number, crop_face(tile).tobytes(), body_color(tile))


@dataclass(frozen=True)
class OwnDice:
    """
    The confirmed faces of one table's dice; threads may share it.

    Attributes:
        faces: At least one, at most `MOST_OF_A_NUMBER` of each number.
        params: When a number is returned; not part of the text form.
    """

    faces: tuple[KnownFace, ...]
    params: RecognitionParams = field(default_factory=RecognitionParams, compare=False, repr=False)

    def __post_init__(self) -> None:
        """
        Check the number of faces.

        Raises:
            ValueError: There are no faces, or too many of a number.
        """
        _require(bool(self.faces), "faces", "at least one face", 0)
        most = max(self.counts.values())
        expected = f"at most {MOST_OF_A_NUMBER} faces of a number"
        _require(most <= MOST_OF_A_NUMBER, "faces", expected, most)

    @classmethod
    def of(cls, faces: Iterable[KnownFace]) -> OwnDice:
        """
        Return the dice with these faces, with only the most different ones of each number.

        Raises:
            ValueError: There are no faces.
        """
        given = tuple(dict.fromkeys(faces))
        by_number = {n: [face for face in given if face.number == n] for n in NUMBERS}
        kept = {id(face) for same in by_number.values() for face in _select_most_different(same)}
        return cls(tuple(face for face in given if id(face) in kept))

    @classmethod
    def from_json(cls, text: str) -> OwnDice:
        """
        Return the dice that `to_json` wrote.

        Raises:
            ValueError: The text is invalid; the message has what was expected and found.
        """
        try:
            found = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"own dice: expected JSON, found {error}") from error
        except RecursionError as error:
            raise ValueError("own dice: expected JSON, found brackets nested too deep") from error
        _require_keys(found, "own dice", _KEYS)
        _require(found["version"] == VERSION, "version", str(VERSION), found["version"])
        _require(isinstance(found["faces"], list), "faces", "a list", found["faces"])
        return cls(tuple(_decode_face(one) for one in found["faces"]))

    def to_json(self) -> str:
        """Return the faces as text; equal dice have equal texts."""
        return self._text

    @property
    def counts(self) -> Counter[int]:
        """Number of known faces of each number."""
        return Counter(face.number for face in self.faces)

    def recognize(self, tiles: Image) -> list[Recognition]:
        """
        Compare tiles with the confirmed faces.

        Args:
            tiles: Shape (n, TILE_PX, TILE_PX, 3), uint8, as `vision.tiles.cut_tiles` makes
                them, except for quarter turns, a few degrees and a few per cent.

        Returns:
            One result per tile.

        Raises:
            ValueError: The tiles have another shape.
        """
        _require_tiles(tiles)
        most_color = self.params.most_color
        return [
            self._witness(self._matcher.match(tile, _COMPARED_NUMBERS, most_color=most_color))
            for tile in tiles
        ]

    @cached_property
    def _text(self) -> str:
        faces = [
            {
                "color": list(face.color),
                "crop": base64.b64encode(face.crop).decode("ascii"),
                "number": face.number,
            }
            for face in self.faces
        ]
        return json.dumps({"faces": faces, "version": VERSION}, sort_keys=True)

    @cached_property
    def _matcher(self) -> FaceMatcher:
        return _make_matcher(self.faces)

    def _witness(self, matches: Sequence[FaceMatch]) -> Recognition:
        if not matches:
            return NOT_RECOGNIZED
        best, limits = matches[0], self.params
        second = matches[1].likeness if len(matches) > 1 else 0.0
        ambiguity = (1.0 - best.likeness) / max(1.0 - second, 1e-6)
        is_known = (
            best.likeness >= limits.least_likeness
            and ambiguity <= limits.most_ambiguity
            and best.left <= limits.most_left
            and best.gain > 0.0
            and abs(float(np.log(best.gain))) <= limits.most_gain
            and best.color <= limits.most_color
        )
        return Recognition(best.number if is_known else 0, best.likeness, min(ambiguity, 1.0))


def _make_matcher(faces: Sequence[KnownFace]) -> FaceMatcher:
    crops = np.frombuffer(b"".join(face.crop for face in faces), np.uint8)
    return FaceMatcher(
        [face.number for face in faces],
        crops.reshape(-1, CROP_PX, CROP_PX),
        [face.color for face in faces],
    )


def _select_most_different(faces: Sequence[KnownFace]) -> list[KnownFace]:
    """Return faces of one number without the older one of each most similar pair."""
    kept = list(faces)
    if len(kept) <= MOST_OF_A_NUMBER:
        return kept
    alike = _make_matcher(kept).likenesses()
    np.fill_diagonal(alike, -2.0)
    left = list(range(len(kept)))
    while len(left) > MOST_OF_A_NUMBER:
        among = alike[np.ix_(left, left)]
        row, column = np.unravel_index(int(among.argmax()), among.shape)
        del left[int(min(row, column))]
    return [kept[index] for index in left]


def _decode_face(found: object) -> KnownFace:
    entry = _require_keys(found, "a face", _FACE_KEYS)
    number, color, crop = entry["number"], entry["color"], entry["crop"]
    _require(type(number) is int, "number", "1 to 6", number)
    is_color = isinstance(color, list) and all(type(level) is int for level in color)
    _require(is_color, "color", "3 levels from 0 to 255", color)
    _require(isinstance(crop, str), "crop", "base64", crop)
    try:
        levels = base64.b64decode(crop, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"own dice: crop: expected base64, found {error}") from error
    return KnownFace(number, levels, tuple(color))


def _require_keys(found: object, where: str, keys: Sequence[str]) -> dict[str, Any]:
    is_right = isinstance(found, dict) and sorted(found) == list(keys)
    shown = ", ".join(sorted(found)) if isinstance(found, dict) else type(found).__name__
    _require(is_right, where, f"the keys {', '.join(keys)}", shown)
    assert isinstance(found, dict)
    return found


def _require_tiles(tiles: Image) -> None:
    expected = (TILE_PX, TILE_PX, 3)
    if tiles.ndim != 4 or tiles.shape[1:] != expected or tiles.dtype != np.uint8:
        raise ValueError(f"expected uint8 tiles {expected}, found {tiles.dtype} {tiles.shape}")


def _require(is_right: bool, where: str, expected: str, found: object) -> None:
    if not is_right:
        raise ValueError(f"own dice: {where}: expected {expected}, found {found}")
