# SPDX-License-Identifier: MIT
"""
The stored calibration: one file in the data folder.

It is written completely or not at all. A broken file is refused, because a table with a wrong
map would misjudge dice at its rim.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from controller.durable_files import atomic_write, create_data_folder, read_regular_file
from controller.errors import InputError
from controller.strict_json import parse_json
from hardware.camera import Exposure
from vision.calibration.tray_shift import RimProfile
from vision.own_dice.known_faces import OwnDice
from vision.table_model.model_text import decode_model
from vision.tray_map import TrayMap

FILE = "calibration.json"
_FORMAT = 1
_MOST_BYTES = 1 << 22
"""The own dice and what the table learnt take some 110 kB each, all else a few."""
_KEYS = ("exposure", "format", "made_at", "rim", "sharpness", "tray")
_OWN_DICE, _TABLE_MODEL = "own_dice", "table_model"
"""Present only with confirmed dice, so that older versions can read all other files."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """
    The result of a calibration.

    Attributes:
        tray: The map of the tray, with the edge of its dice.
        exposure: The locked exposure; `None` if the camera supports none.
        sharpness: Sharpness of the picture, 0 to 100.
        made_at: Wall clock, ISO 8601 with its zone.
        rim: The look of the felt's rim, which reveals a move; `None` if not stored.
        own_dice: The faces that the owner confirmed; `None` if there are none.
        table_model: What confirmed throws taught at this calibration, as `encode_model` writes
            it; `None` if they were too few.
    """

    tray: TrayMap
    exposure: Exposure | None
    sharpness: float
    made_at: str
    rim: RimProfile | None = None
    own_dice: OwnDice | None = None
    table_model: str | None = None


def load_calibration(folder: Path) -> Calibration | None:
    """
    Return the calibration in a data folder; `None` before the first.

    Raises:
        InputError: The file cannot be read or is malformed.
    """
    path = folder / FILE
    try:
        content = read_regular_file(path, _MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None  # a path that is no folder is reported by the journal
    except OSError as error:
        raise _refuse(path, error.strerror or str(error)) from error
    try:
        return _parse(parse_json(content))
    except RecursionError as error:
        raise _refuse(path, "brackets nested too deep") from error
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise _refuse(path, str(error)) from error


def save_calibration(folder: Path, calibration: Calibration) -> None:
    """
    Store a calibration in a data folder; it is on the disk when this returns.

    Raises:
        OSError: The disk refuses.
    """
    exposure, rim, own_dice = calibration.exposure, calibration.rim, calibration.own_dice
    kept = {
        "format": _FORMAT,
        "made_at": calibration.made_at,
        "sharpness": calibration.sharpness,
        "exposure": asdict(exposure) if exposure else None,
        "tray": json.loads(calibration.tray.to_json()),
        "rim": base64.b64encode(rim.levels).decode("ascii") if rim else None,
    }
    if own_dice is not None:
        kept[_OWN_DICE] = json.loads(own_dice.to_json())
    if calibration.table_model is not None:
        kept[_TABLE_MODEL] = json.loads(calibration.table_model)
    create_data_folder(folder)
    atomic_write(folder / FILE, json.dumps(kept, indent=1, sort_keys=True).encode() + b"\n")


def _parse(kept: object) -> Calibration:
    """
    Return the calibration in decoded JSON.

    Raises:
        ValueError, TypeError: It is malformed; with what was expected and found.
    """
    if not isinstance(kept, dict) or sorted({*kept} - {_OWN_DICE, _TABLE_MODEL}) != list(_KEYS):
        found = ", ".join(sorted(kept)) if isinstance(kept, dict) else type(kept).__name__
        raise ValueError(f"expected the keys {', '.join(_KEYS)}, found {found}")
    if kept["format"] != _FORMAT:
        raise ValueError(f"expected format {_FORMAT}, found {kept['format']}")
    return Calibration(
        tray=TrayMap.from_json(json.dumps(kept["tray"])),
        exposure=_parse_exposure(kept["exposure"]),
        sharpness=_parse_number(kept["sharpness"], "sharpness"),
        made_at=str(kept["made_at"]),
        rim=_parse_rim(kept["rim"]),
        own_dice=_parse_own_dice(kept.get(_OWN_DICE)),
        table_model=_parse_table_model(kept.get(_TABLE_MODEL)),
    )


def _parse_exposure(kept: object) -> Exposure | None:
    if kept is None:
        return None
    names = [field.name for field in fields(Exposure)]
    if not isinstance(kept, dict) or sorted(kept) != sorted(names):
        raise ValueError(f"expected {', '.join(names)} in exposure, found {kept}")
    numbers = {name: _parse_number(kept[name], name) for name in names[1:]}
    return Exposure(exposure_us=int(_parse_number(kept[names[0]], names[0])), **numbers)


def _parse_number(kept: object, where: str) -> float:
    if isinstance(kept, bool) or not isinstance(kept, int | float):
        raise ValueError(f"expected a number in {where}, found {kept}")
    return float(kept)


def _parse_rim(kept: object) -> RimProfile | None:
    if kept is None:
        return None
    if not isinstance(kept, str):
        raise ValueError(f"expected base64 in rim, found {kept}")
    try:
        return RimProfile(base64.b64decode(kept, validate=True))
    except binascii.Error as error:
        raise ValueError(f"expected base64 in rim, found {error}") from error


def _parse_own_dice(kept: object) -> OwnDice | None:
    return None if kept is None else OwnDice.from_json(json.dumps(kept))


def _parse_table_model(kept: object) -> str | None:
    if kept is None:
        return None
    text = json.dumps(kept, sort_keys=True)
    decode_model(text)
    return text


def _refuse(path: Path, found: str) -> InputError:
    expected = "a valid calibration; delete the file and calibrate again"
    return InputError(expected=expected, found=found, where=str(path))
