# SPDX-License-Identifier: MIT
"""A model comes back from its stored form, and no invalid form makes one."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.table_model.tables import fair_model
from vision.table_model.confirmed import ConfirmedDie, Lesson, Lessons
from vision.table_model.model import TableModel
from vision.table_model.model_text import StoredModel, encode_model

_LESSON = Lesson("ab" * 32, (10, 20, 600, 450), (640, 480), (ConfirmedDie(4, (101.5, 99.25)),))
_LESSONS = Lessons((_LESSON,), (replace(_LESSON, picture="cd" * 32),))


@pytest.fixture(scope="module")
def model() -> TableModel:
    return fair_model()


@pytest.fixture(scope="module")
def stored(model: TableModel) -> StoredModel:
    return encode_model(model, _LESSONS)


def test_a_model_comes_back_from_its_stored_form(model: TableModel, stored: StoredModel) -> None:
    again = stored.decode()
    assert len(stored.text) < 20_000
    assert len(stored.picture) < 100_000
    assert (again.focal, again.least_odds) == (model.focal, model.least_odds)
    assert (again.aspect, stored.version) == (model.aspect, 7)
    assert again.colors == pytest.approx(model.colors, abs=1e-4)
    assert (again.size, again.most_new) == (model.size, model.most_new)
    assert again.background is not None
    assert model.background is not None
    assert np.array_equal(again.background.is_known, model.background.is_known)
    off = again.background.image.astype(int) - model.background.image
    assert np.abs(off[model.background.is_known]).mean() < 2.0


def test_the_lessons_of_a_model_come_back(stored: StoredModel) -> None:
    assert stored.lessons == _LESSONS
    assert stored.is_by_these_nets


def test_only_the_newest_rolls_are_remembered() -> None:
    rolls = [replace(_LESSON, picture=f"{number:064x}") for number in range(15)]
    lessons = _LESSONS.with_played(rolls)
    assert lessons.taught == _LESSONS.taught
    assert lessons.played == tuple(rolls[3:])


def test_a_model_without_a_background_comes_back(model: TableModel) -> None:
    stored = encode_model(replace(model, background=None))
    assert (stored.picture, stored.background) == (b"", "")
    assert stored.decode().background is None


def test_a_lost_picture_leaves_a_model_without_a_background(stored: StoredModel) -> None:
    assert replace(stored, picture=b"").decode().background is None


def test_another_picture_is_refused(stored: StoredModel) -> None:
    with pytest.raises(ValueError, match=f"background: expected {stored.background}, found"):
        replace(stored, picture=stored.picture + b"x").decode()


def older_parts(stored: StoredModel, version: int) -> dict[str, Any]:
    parts = {**json.loads(stored.text), "foot_bias": [[0.1, 0.0, 0.0]] * 2, "version": version}
    for name in ("aspect", "focal", "least_odds", "legible", "most_contrast", "shade"):
        del parts[name]
    return without_contrast(parts)


def without_contrast(parts: dict[str, Any]) -> dict[str, Any]:
    return {**parts, "colors": [row[:3] for row in parts["colors"]]}


def test_a_text_of_version_5_believes_its_dice(model: TableModel) -> None:
    stored = encode_model(replace(model, legible=0.2))
    assert not stored.decode().is_legible
    parts = {**json.loads(stored.text), "version": 5}
    del parts["legible"], parts["shade"]
    older = replace(stored, text=json.dumps(parts))
    assert (older.decode().is_legible, older.version) == (True, 5)


def test_a_text_before_contrasts_and_pixels_were_learnt(model: TableModel) -> None:
    """Pixels are square for it, and pips tell no die."""
    stored = encode_model(replace(model, aspect=1.25))
    parts = without_contrast({**json.loads(stored.text), "version": 4})
    del parts["aspect"], parts["legible"], parts["most_contrast"], parts["shade"]
    older = replace(stored, text=json.dumps(parts))
    again, now = older.decode(), stored.decode()
    assert (now.aspect, again.aspect, older.version) == (1.25, 1.0, 4)
    assert again.most_contrast is None
    assert np.array_equal(again.colors, now.colors * (1, 1, 1, 0))


def test_a_text_before_leaning_was_learnt_has_no_odds(stored: StoredModel) -> None:
    parts = without_contrast({**json.loads(stored.text), "version": 3})
    for name in ("aspect", "least_odds", "legible", "most_contrast", "shade"):
        del parts[name]
    again = replace(stored, text=json.dumps(parts)).decode()
    assert (again.least_odds, again.focal) == (None, stored.decode().focal)


def test_a_bias_of_the_feet_of_the_version_before_is_left_out(stored: StoredModel) -> None:
    older = replace(stored, text=json.dumps(older_parts(stored, 2)))
    assert older.decode().focal == 1.0
    assert older.lessons == _LESSONS


def test_the_text_of_the_first_version_is_read(model: TableModel, stored: StoredModel) -> None:
    """It holds the ground itself, and no lessons."""
    parts = older_parts(stored, 1)
    for name in ("played", "taught", "weights"):
        del parts[name]
    assert model.background is not None
    known = np.packbits(model.background.is_known).tobytes()
    parts["background"] = {
        "image": base64.b64encode(stored.picture).decode(),
        "known": base64.b64encode(known).decode(),
    }
    older = StoredModel(json.dumps(parts))
    assert (older.background, older.lessons) == ("", Lessons())
    again, now = older.decode().background, stored.decode().background
    assert again is not None
    assert now is not None
    assert np.array_equal(again.image, now.image)
    assert np.array_equal(again.is_known, now.is_known)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 8}, "version: expected 7, found 8"),
        ({"size": True}, "size: expected a number"),
        ({"size": 0.0}, "size: expected a number above 0"),
        ({"size": float("nan")}, "size: expected a number"),
        ({"colors": []}, "colors: expected 1 to 2000 rows"),
        ({"colors": [[0, 0]]}, "rows of 4 numbers"),
        ({"aspect": 0}, "aspect: expected a number above 0"),
        ({"focal": 0}, "focal: expected a number above 0"),
        ({"background": {}}, "background: expected image, known"),
        ({"background": {"image": "##", "known": "##"}}, "background known: expected base64"),
        ({"background": {"image": "##", "known": "AAAA"}}, "background known: expected zlib"),
        ({"taught": 5}, "taught: expected a list of pictures"),
        ({"taught": [{}]}, "taught: expected crop_px, dice, frame_px, picture"),
        ({"more": 1}, "its keys: expected aspect, background"),
    ],
)
def test_an_invalid_model_is_refused(
    stored: StoredModel, change: dict[str, object], message: str
) -> None:
    text = json.dumps({**json.loads(stored.text), **change})
    with pytest.raises(ValueError, match=message):
        replace(stored, text=text).decode()


@pytest.mark.parametrize(
    "change",
    [
        {"crop_px": [0, 0, 1]},
        {"crop_px": [0, 0, 1, 1.5]},
        {"frame_px": "640"},
        {"dice": [[1, 2]]},
        {"dice": 4},
        {"picture": "../x"},
    ],
)
def test_an_invalid_lesson_is_refused(stored: StoredModel, change: dict[str, object]) -> None:
    parts = json.loads(stored.text)
    parts["played"][0] |= change
    with pytest.raises(ValueError, match="table model: played: expected"):
        replace(stored, text=json.dumps(parts)).decode()


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_a_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected JSON"):
        StoredModel(text).decode()


def test_ground_that_is_known_for_other_pixels_is_refused(stored: StoredModel) -> None:
    kept = json.loads(stored.text)
    kept["background"]["known"] = "eJxjYAAAAAIAAQ=="
    with pytest.raises(ValueError, match="background known: expected 21600 bytes, found 2"):
        replace(stored, text=json.dumps(kept)).decode()
