# SPDX-License-Identifier: MIT
"""The calibration is kept whole, and a broken one is told with what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.runtime.calibration.store import (
    FILE,
    Calibration,
    load_calibration,
    save_calibration,
)
from hardware.camera import Exposure
from tests.vision.mapped import upright_map
from tests.vision.table_model.tables import fair_model
from vision.calibration.tray_shift import PIECES, PROFILE_MM, PROFILES, RimProfile
from vision.table_model.model_text import encode_model

RIM = RimProfile(bytes(i % 256 for i in range(PIECES * PROFILES * PROFILE_MM)))
KEPT = Calibration(
    upright_map(), Exposure(20_000, 1.5, 2.1, 1.7, 2.2), 81.5, "2026-03-01T19:30:00+00:00", RIM
)


@pytest.mark.parametrize(
    "calibration",
    [
        KEPT,
        replace(KEPT, table_model=encode_model(fair_model())),
        Calibration(upright_map(), None, 50.0, "2026-03-01T19:30:00+00:00"),
    ],
)
def test_it_comes_back_as_it_was_kept(tmp_path: Path, calibration: Calibration) -> None:
    save_calibration(tmp_path / "data", calibration)
    assert load_calibration(tmp_path / "data") == calibration


def test_the_own_dice_of_older_versions_are_left_out(tmp_path: Path) -> None:
    save_calibration(tmp_path, KEPT)
    path = tmp_path / FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), "own_dice": {"faces": []}}))
    assert load_calibration(tmp_path) == KEPT


def test_without_confirmed_throws_the_file_is_as_before(tmp_path: Path) -> None:
    save_calibration(tmp_path, KEPT)
    kept = json.loads((tmp_path / FILE).read_text())
    assert kept.keys().isdisjoint({"background", "table_model"})


def test_there_is_none_before_the_first_one(tmp_path: Path) -> None:
    assert load_calibration(tmp_path) is None


def test_a_new_one_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    save_calibration(tmp_path, KEPT)
    second = Calibration(upright_map(), None, 70.0, "2026-03-02T10:00:00+00:00")
    save_calibration(tmp_path, second)
    assert load_calibration(tmp_path) == second
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "expected format 1, found 2"),
        ({"sharpness": "good"}, "expected a number in sharpness, found good"),
        ({"exposure": {"gain": 1.0}}, "expected exposure_us, gain, .* in exposure"),
        ({"rim": "###"}, "expected base64 in rim"),
        ({"rim": "YWJj"}, "rim: expected 1392 levels, found 3"),
        ({"tray": {}}, "tray map: expected"),
        ({"table_model": {}}, "table model: its keys: expected aspect, background"),
        ({"table_model": 5}, "table model: its keys: expected .*, found int"),
        ({"table_model": {}, "background": 5}, "expected base64 in background, found 5"),
        ({"more": 1}, "expected the keys exposure, format, .*, found .*more"),
    ],
)
def test_a_broken_one_is_told_with_its_file(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    save_calibration(tmp_path, KEPT)
    path = tmp_path / FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=message) as refused:
        load_calibration(tmp_path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00"])
def test_what_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InputError, match="delete the file and calibrate again"):
        load_calibration(tmp_path)


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(InputError, match=r"calibrate again, found Not a regular file$"):
        load_calibration(tmp_path)
