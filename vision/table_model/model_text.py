# SPDX-License-Identifier: MIT
"""
The text form of a table model, for the calibration's file and for the journal.

The ground is a JPEG, so a table must read with the model that its text gives, and not with the one
that it was made from: only that one can be used again to verify what was read.
"""

from __future__ import annotations

import base64
import binascii
import json
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.decoding.errors import PictureError
from vision.face import Floats
from vision.image_files import decode_picture
from vision.picture_headers import read_jpeg_size
from vision.table_model.background import LONG_PX, Background
from vision.table_model.model import TableModel

VERSION = 1

_QUALITY = 92
_MOST = 1e6
_MOST_COLORS = 2000
_NUMBERS = ("least_changed", "most_hue", "most_light", "most_new", "most_size", "size")
_KEYS = sorted((*_NUMBERS, "background", "colors", "foot_bias", "version"))


def encode_model(model: TableModel) -> str:
    """Return the model as one line of JSON."""
    numbers = {name: getattr(model, name) for name in _NUMBERS}
    parts = {
        **numbers,
        "background": _encode_background(model.background) if model.background else None,
        "colors": np.round(model.colors, 4).tolist(),
        "foot_bias": np.round(model.foot_bias, 5).tolist(),
        "version": VERSION,
    }
    return json.dumps(parts, sort_keys=True)


def decode_model(text: str) -> TableModel:
    """
    Return the model that `encode_model` wrote.

    Raises:
        ValueError: The text is invalid; the message has what was expected and found.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"table model: expected JSON, found {error}") from error
    except RecursionError as error:
        raise ValueError("table model: expected JSON, found brackets nested too deep") from error
    names = sorted(found) if isinstance(found, dict) else type(found).__name__
    _require(names == _KEYS, "its keys", ", ".join(_KEYS), names)
    _require(found["version"] == VERSION, "version", str(VERSION), found["version"])
    numbers = {name: _decode_number(found[name], name) for name in _NUMBERS}
    for name in ("most_hue", "most_light", "most_size", "size"):
        _require(numbers[name] > 0.0, name, "a number above 0", numbers[name])
    return TableModel(
        background=_decode_background(found["background"]),
        foot_bias=_decode_rows(found["foot_bias"], "foot_bias", range(2, 3)),
        colors=_decode_rows(found["colors"], "colors", range(1, _MOST_COLORS + 1)),
        **numbers,
    )


def _encode_background(background: Background) -> dict[str, str]:
    done, code = cv2.imencode(".jpg", background.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    assert done, "every uint8 picture can be coded as JPEG"
    known = np.packbits(background.is_known).tobytes()
    return {"image": _to_base64(code.tobytes()), "known": _to_base64(known)}


def _decode_background(found: object) -> Background | None:
    if found is None:
        return None
    names = sorted(found) if isinstance(found, dict) else type(found).__name__
    _require(names == ["image", "known"], "background", "image, known", names)
    parts = cast(dict[str, object], found)
    content = _from_base64(parts["image"], "background image")
    size_wh = read_jpeg_size(content)
    is_small = size_wh is not None and max(size_wh) <= LONG_PX
    _require(is_small, "background image", f"a JPEG of at most {LONG_PX} pixels", size_wh)
    try:
        image = decode_picture(content, Path("background"))
    except PictureError as error:
        raise ValueError(f"table model: expected {error.expected}, found {error.found}") from error
    bits = np.frombuffer(_from_base64(parts["known"], "background known"), np.uint8)
    pixels = image.shape[0] * image.shape[1]
    expected = -(-pixels // 8)
    _require(len(bits) == expected, "background known", f"{expected} bytes", len(bits))
    is_known = np.unpackbits(bits, count=pixels).reshape(image.shape[:2]) > 0
    return Background(image, is_known)


def _decode_number(found: object, where: str) -> float:
    # In Python, though not in JSON, true is a number.
    is_number = type(found) in (int, float) and abs(cast(float, found)) <= _MOST
    _require(is_number, where, f"a number up to {_MOST:.0e}", found)
    return float(cast(float, found))


def _decode_rows(found: object, where: str, lengths: range) -> Floats:
    """Return rows of three numbers, (n, 3)."""
    is_right = isinstance(found, list) and len(found) in lengths
    _require(is_right, where, f"{lengths.start} to {lengths.stop - 1} rows", found)
    rows = []
    for row in cast(list[object], found):
        _require(isinstance(row, list) and len(row) == 3, where, "rows of 3 numbers", row)
        rows.append([_decode_number(number, where) for number in cast(list[object], row)])
    return np.array(rows, np.float64)


def _to_base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _from_base64(found: object, where: str) -> bytes:
    _require(isinstance(found, str), where, "base64", found)
    try:
        return base64.b64decode(cast(str, found), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"table model: {where}: expected base64, found {error}") from error


def _require(is_right: bool, where: str, expected: str, found: object) -> None:
    if not is_right:
        raise ValueError(f"table model: {where}: expected {expected}, found {str(found)[:200]}")
