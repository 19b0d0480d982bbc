# SPDX-License-Identifier: MIT
"""A model comes back from its text, and no invalid text makes one."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table_model.tables import fair_model
from vision.table_model.model import TableModel
from vision.table_model.model_text import decode_model, encode_model


@pytest.fixture(scope="module")
def model() -> TableModel:
    return fair_model()


def test_a_model_comes_back_from_its_text(model: TableModel) -> None:
    text = encode_model(model)
    again = decode_model(text)
    assert len(text) < 200_000
    assert again.foot_bias == pytest.approx(model.foot_bias, abs=1e-5)
    assert again.colors == pytest.approx(model.colors, abs=1e-4)
    assert (again.size, again.most_new) == (model.size, model.most_new)
    assert again.background is not None
    assert model.background is not None
    assert np.array_equal(again.background.is_known, model.background.is_known)
    off = again.background.image.astype(int) - model.background.image
    assert np.abs(off[model.background.is_known]).mean() < 2.0


def test_a_model_without_a_background_comes_back(model: TableModel) -> None:
    assert decode_model(encode_model(replace(model, background=None))).background is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version: expected 1, found 2"),
        ({"size": True}, "size: expected a number"),
        ({"size": 0.0}, "size: expected a number above 0"),
        ({"size": float("nan")}, "size: expected a number"),
        ({"colors": []}, "colors: expected 1 to 2000 rows"),
        ({"foot_bias": [[0, 0, 0]]}, "foot_bias: expected 2 to 2 rows"),
        ({"foot_bias": [[0, 0, 0], [0, 0]]}, "rows of 3 numbers"),
        ({"background": {}}, "background: expected image, known"),
        ({"background": {"image": "##", "known": ""}}, "background image: expected base64"),
        ({"background": {"image": "AAAA", "known": ""}}, "expected a JPEG"),
        ({"more": 1}, "its keys: expected background"),
    ],
)
def test_an_invalid_model_is_refused(
    model: TableModel, change: dict[str, object], message: str
) -> None:
    text = json.dumps({**json.loads(encode_model(model)), **change})
    with pytest.raises(ValueError, match=message):
        decode_model(text)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_a_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected JSON"):
        decode_model(text)


def test_ground_that_is_known_for_other_pixels_is_refused(model: TableModel) -> None:
    kept = json.loads(encode_model(model))
    kept["background"]["known"] = "AAAA"
    with pytest.raises(ValueError, match="background known: expected 21600 bytes, found 3"):
        decode_model(json.dumps(kept))
