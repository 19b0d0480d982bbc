# SPDX-License-Identifier: MIT
"""
The stored form of a table model: a text, and the ground as a picture of its own.

The ground is a JPEG, so a table must read with the model that its stored form gives, and not with
the one that it was made from: only that one can be used again to verify what was read. The text
names the picture by its digest, and what the model was learnt from.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np

from vision.decoding.errors import PictureError
from vision.face import Floats
from vision.image_files import decode_picture, encode_jpeg
from vision.nets.onnx_net import weights_digest
from vision.picture_headers import read_jpeg_size
from vision.table_model.background import LONG_PX, MOST_RESTS, Background
from vision.table_model.confirmed import MOST_TAUGHT, ConfirmedDie, Lesson, Lessons
from vision.table_model.model import LENS_VERSION, SHADE_VERSION, VERSION, TableModel

_INLINE_VERSION = 1
_QUALITY = 92
_MOST = 1e6
_MOST_COLORS = 2000
_OLDER_NUMBERS = ("least_changed", "most_hue", "most_light", "most_new", "most_size", "size")
_NUMBERS = ("aspect", "focal", "least_odds", "legible", "most_contrast", *_OLDER_NUMBERS)
_FIRST_KEYS = {*_OLDER_NUMBERS, "background", "colors", "version"}
_KEYS = sorted({*_FIRST_KEYS, *_NUMBERS, "played", "shade", "taught", "weights"})
_KEYS_BEFORE = {*_KEYS} - {"legible", "shade"}
# What the texts of older versions have else, and lack.
_KEYS_OF = {
    # They hold the ground itself, and a bias of the feet, which is not used any more.
    _INLINE_VERSION: sorted({*_FIRST_KEYS, "foot_bias"}),
    2: sorted({*_KEYS_BEFORE, "foot_bias"} - {"aspect", "focal", "least_odds", "most_contrast"}),
    3: sorted(_KEYS_BEFORE - {"aspect", "least_odds", "most_contrast"}),
    4: sorted(_KEYS_BEFORE - {"aspect", "most_contrast"}),  # Pixels are square for them.
    LENS_VERSION: sorted(_KEYS_BEFORE),
    SHADE_VERSION: _KEYS,
    VERSION: _KEYS,
}
_DIGEST = re.compile(r"[0-9a-f]{64}")
_LESSON_KEYS = ["crop_px", "dice", "frame_px", "picture"]


@dataclass(frozen=True)
class StoredModel:
    """A table model as files and journals hold it."""

    text: str  # One line of JSON.
    picture: bytes = b""  # The JPEG of the ground; empty if the text names none, or it is gone.

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def background(self) -> str:
        """The SHA-256 of the ground's picture; empty if the text names none."""
        found = self._parts.get("background")
        return str(found.get("image")) if isinstance(found, dict) and not self.is_inline else ""

    @property
    def is_by_these_nets(self) -> bool:
        """Whether it was learnt with the weights that this program has."""
        return self._parts.get("weights") == weights_digest()

    @cached_property
    def lessons(self) -> Lessons:
        if self.is_inline:
            return Lessons()
        return Lessons(*(decode_lessons(self._parts[name], name) for name in ("taught", "played")))

    def decode(self) -> TableModel:
        """
        Return the model.

        Raises:
            ValueError: The text or the picture is invalid; the message has what was expected
                and found.
        """
        found = self._parts
        version = found.get("version")
        keys = _KEYS_OF.get(version, _KEYS) if isinstance(version, int) else _KEYS
        names = sorted(found)
        _require(names == keys, "its keys", ", ".join(keys), names)
        _require(version in _KEYS_OF, "version", str(VERSION), version)
        found = {"aspect": 1.0, "focal": 1.0, **found}
        numbers = {name: _decode_number(found[name], name) for name in _NUMBERS if name in found}
        for name in ("aspect", "focal", "most_hue", "most_light", "most_size", "size"):
            _require(numbers[name] > 0.0, name, "a number above 0", numbers[name])
        for name, most in (("taught", MOST_TAUGHT), ("played", MOST_RESTS)):
            count = len(getattr(self.lessons, name))
            _require(count <= most, name, f"at most {most} pictures", count)
        colors = _decode_rows(found["colors"], 4 if "most_contrast" in numbers else 3, "colors")
        shade = _decode_rows([found.get("shade", [0.0] * 3)], 3, "shade")[0]
        ground = self._decode_background()
        return TableModel(
            background=replace(ground, shade=shade) if ground else None,
            colors=np.pad(colors, ((0, 0), (0, 4 - colors.shape[1]))),
            least_odds=numbers.pop("least_odds", None),
            legible=numbers.pop("legible", None),
            most_contrast=numbers.pop("most_contrast", None),
            **numbers,
        )

    @cached_property
    def _parts(self) -> dict[str, object]:
        try:
            found = json.loads(self.text)
        except json.JSONDecodeError as error:
            raise ValueError(f"table model: expected JSON, found {error}") from error
        except RecursionError as error:
            raise ValueError(
                "table model: expected JSON, found brackets nested too deep"
            ) from error
        _require(isinstance(found, dict), "its keys", ", ".join(_KEYS), type(found).__name__)
        return cast(dict[str, object], found)

    @property
    def version(self) -> int:
        """The version of a text that can be decoded."""
        return cast(int, self._parts["version"])

    @property
    def is_inline(self) -> bool:
        """Whether its text holds the ground itself, as those of older versions do."""
        return self._parts.get("version") == _INLINE_VERSION

    def _decode_background(self) -> Background | None:
        found = self._parts["background"]
        if found is None or not (self.picture or self.is_inline):
            return None
        names = sorted(found) if isinstance(found, dict) else type(found).__name__
        _require(names == ["image", "known"], "background", "image, known", names)
        parts = cast(dict[str, object], found)
        bits = _from_base64(parts["known"], "background known")
        if self.is_inline:
            picture = _from_base64(parts["image"], "background image")
        else:
            picture, bits = self.picture, _decompress(bits)
            digest = hashlib.sha256(picture).hexdigest()
            _require(parts["image"] == digest, "background", str(parts["image"]), digest)
        return _decode_background(picture, bits)


def encode_model(model: TableModel, lessons: Lessons | None = None) -> StoredModel:
    """Return the stored form of a model, with what it was learnt from."""
    lessons = lessons or Lessons()
    ground = model.background
    picture = encode_jpeg(ground.image, quality=_QUALITY) if ground else b""
    parts = {
        **{name: getattr(model, name) for name in _NUMBERS},
        "background": None,
        "colors": np.round(model.colors, 4).tolist(),
        "shade": np.round(ground.shade, 4).tolist() if ground else [0.0] * 3,
        "played": encode_lessons(lessons.played),
        "taught": encode_lessons(lessons.taught),
        "version": VERSION,
        "weights": weights_digest(),
    }
    if ground is not None:
        known = zlib.compress(np.packbits(ground.is_known).tobytes(), 9)
        digest = hashlib.sha256(picture).hexdigest()
        parts["background"] = {"image": digest, "known": base64.b64encode(known).decode("ascii")}
    return StoredModel(json.dumps(parts, sort_keys=True), picture)


def _decode_background(picture: bytes, bits: bytes) -> Background:
    size_wh = read_jpeg_size(picture)
    is_small = size_wh is not None and max(size_wh) <= LONG_PX
    _require(is_small, "background image", f"a JPEG of at most {LONG_PX} pixels", size_wh)
    try:
        image = decode_picture(picture, Path("background"))
    except PictureError as error:
        raise ValueError(f"table model: expected {error.expected}, found {error.found}") from error
    pixels = image.shape[0] * image.shape[1]
    expected = -(-pixels // 8)
    _require(len(bits) == expected, "background known", f"{expected} bytes", len(bits))
    known = np.unpackbits(np.frombuffer(bits, np.uint8), count=pixels)
    return Background(image, known.reshape(image.shape[:2]) > 0)


def encode_lessons(lessons: Sequence[Lesson]) -> list[dict[str, object]]:
    """Return lessons as a text holds them; positions are thousandths of a pixel."""
    return [
        {
            "crop_px": list(one.crop_px),
            "dice": [[die.number, *(round(1000 * at) for at in die.center_px)] for die in one.dice],
            "frame_px": list(one.frame_wh),
            "picture": one.picture,
        }
        for one in lessons
    ]


def decode_lessons(found: object, where: str) -> tuple[Lesson, ...]:
    """Return the lessons that a text holds; ValueError if they are none, with `where` they are."""
    _require(isinstance(found, list), where, "a list of pictures", found)
    return tuple(_decode_lesson(one, where) for one in cast(list[object], found))


def _decode_lesson(found: object, where: str) -> Lesson:
    names = sorted(found) if isinstance(found, dict) else type(found).__name__
    _require(names == _LESSON_KEYS, where, ", ".join(_LESSON_KEYS), names)
    parts = cast(dict[str, object], found)
    dice, picture = parts["dice"], str(parts["picture"])
    _require(isinstance(dice, list), where, "a list of dice", dice)
    _require(_DIGEST.fullmatch(picture) is not None, where, "a SHA-256", picture)
    x, y, width, height = _decode_whole(parts["crop_px"], 4, where)
    frame_width, frame_height = _decode_whole(parts["frame_px"], 2, where)
    rows = (_decode_whole(one, 3, where) for one in cast(list[object], dice))
    return Lesson(
        picture,
        (x, y, width, height),
        (frame_width, frame_height),
        tuple(ConfirmedDie(number, (x_mpx / 1000, y_mpx / 1000)) for number, x_mpx, y_mpx in rows),
    )


def _decode_whole(found: object, count: int, where: str) -> list[int]:
    is_right = isinstance(found, list) and len(found) == count
    is_right = is_right and all(type(one) is int for one in cast(list[object], found))
    _require(is_right, where, f"{count} whole numbers", found)
    return cast(list[int], found)


def _decompress(content: bytes) -> bytes:
    """Return the bits of a mask; never more than one of the largest size."""
    try:
        return zlib.decompressobj().decompress(content, LONG_PX * LONG_PX // 8 + 1)
    except zlib.error as error:
        raise ValueError(f"table model: background known: expected zlib, found {error}") from error


def _decode_number(found: object, where: str) -> float:
    # In Python, though not in JSON, true is a number.
    is_number = type(found) in (int, float) and abs(cast(float, found)) <= _MOST
    _require(is_number, where, f"a number up to {_MOST:.0e}", found)
    return float(cast(float, found))


def _decode_rows(found: object, width: int, where: str) -> Floats:
    is_right = isinstance(found, list) and 0 < len(found) <= _MOST_COLORS
    _require(is_right, where, f"1 to {_MOST_COLORS} rows", found)
    rows = []
    for row in cast(list[object], found):
        is_row = isinstance(row, list) and len(row) == width
        _require(is_row, where, f"rows of {width} numbers", row)
        rows.append([_decode_number(number, where) for number in cast(list[object], row)])
    return np.array(rows, np.float64)


def _from_base64(found: object, where: str) -> bytes:
    _require(isinstance(found, str), where, "base64", found)
    try:
        return base64.b64decode(cast(str, found), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"table model: {where}: expected base64, found {error}") from error


def _require(is_right: bool, where: str, expected: str, found: object) -> None:
    if not is_right:
        raise ValueError(f"table model: {where}: expected {expected}, found {str(found)[:200]}")
