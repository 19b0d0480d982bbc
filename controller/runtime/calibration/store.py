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

from controller.base.durable_files import atomic_write, create_data_folder, read_regular_file
from controller.base.errors import InputError
from controller.base.strict_json import parse_json
from hardware.camera import Exposure
from vision.calibration.tray_shift import RimProfile
from vision.table_model.model_text import StoredModel
from vision.tray_map import TrayMap

FILE = "calibration.json"
_FORMAT = 1
_MOST_BYTES = 1 << 22  # What the table learnt takes some 100 kB, all else a few.
_KEYS = ("exposure", "format", "made_at", "rim", "sharpness", "tray")
_TABLE_MODEL, _BACKGROUND = "table_model", "background"
"""Present only with confirmed throws, so that older versions can read all other files."""
_OUTDATED = frozenset({"own_dice"})  # Keys of older versions; what they hold is not used any more.


@dataclass(frozen=True, slots=True)
class Calibration:
    tray: TrayMap  # The map of the tray, with the edge of its dice.
    exposure: Exposure | None  # The locked exposure; `None` if the camera supports none.
    sharpness: float  # Sharpness of the picture, 0 to 100.
    made_at: str  # Wall clock, ISO 8601 with its zone.
    # The look of the felt's rim, which reveals a move; `None` if not stored.
    rim: RimProfile | None = None
    # What confirmed throws taught at this calibration; `None` if they were too few.
    table_model: StoredModel | None = None


def load_calibration(folder: Path) -> Calibration | None:
    """Return the calibration in a data folder; `None` before the first, InputError if malformed."""
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
    """Store a calibration, on the disk when this returns; OSError if it refuses."""
    exposure, rim, learnt = calibration.exposure, calibration.rim, calibration.table_model
    kept = {
        "format": _FORMAT,
        "made_at": calibration.made_at,
        "sharpness": calibration.sharpness,
        "exposure": asdict(exposure) if exposure else None,
        "tray": json.loads(calibration.tray.to_json()),
        "rim": base64.b64encode(rim.levels).decode("ascii") if rim else None,
    }
    if learnt is not None:
        kept[_TABLE_MODEL] = json.loads(learnt.text)
        kept[_BACKGROUND] = base64.b64encode(learnt.picture).decode("ascii")
    create_data_folder(folder)
    atomic_write(folder / FILE, json.dumps(kept, indent=1, sort_keys=True).encode() + b"\n")


def _parse(kept: object) -> Calibration:
    """Return the calibration in decoded JSON; ValueError or TypeError if it is malformed."""
    known = {_TABLE_MODEL, _BACKGROUND, *_OUTDATED}
    if not isinstance(kept, dict) or sorted({*kept} - known) != list(_KEYS):
        found = ", ".join(sorted(kept)) if isinstance(kept, dict) else type(kept).__name__
        raise ValueError(f"expected the keys {', '.join(_KEYS)}, found {found}")
    if kept["format"] != _FORMAT:
        raise ValueError(f"expected format {_FORMAT}, found {kept['format']}")
    return Calibration(
        tray=TrayMap.from_json(json.dumps(kept["tray"])),
        exposure=_parse_exposure(kept["exposure"]),
        sharpness=_parse_number(kept["sharpness"], "sharpness"),
        made_at=str(kept["made_at"]),
        rim=None if kept["rim"] is None else RimProfile(_parse_bytes(kept["rim"], "rim")),
        table_model=_parse_table_model(kept.get(_TABLE_MODEL), kept.get(_BACKGROUND, "")),
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


def _parse_bytes(kept: object, where: str) -> bytes:
    if not isinstance(kept, str):
        raise ValueError(f"expected base64 in {where}, found {kept}")
    try:
        return base64.b64decode(kept, validate=True)
    except binascii.Error as error:
        raise ValueError(f"expected base64 in {where}, found {error}") from error


def _parse_table_model(kept: object, background: object) -> StoredModel | None:
    if kept is None:
        return None
    learnt = StoredModel(json.dumps(kept, sort_keys=True), _parse_bytes(background, _BACKGROUND))
    learnt.decode()
    return learnt


def _refuse(path: Path, found: str) -> InputError:
    expected = "a valid calibration; delete the file and calibrate again"
    return InputError(expected=expected, found=found, where=str(path))
