# SPDX-License-Identifier: MIT
"""The list of photographs is read, or the error says which line is wrong and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.training.photographs.folders import LINE, write_folder
from vision.training.photographs.manifest import (
    MANIFEST,
    Box,
    BoxKind,
    ManifestError,
    leave_out,
    load_photographs,
    of_source,
)

_BOX: dict[str, object] = {"x": 1, "y": 2.5, "w": 30, "h": 20, "value": 4, "kind": "top face"}


def test_a_line_gives_a_photograph(tmp_path: Path) -> None:
    boxes = [{**_BOX, "label_note": "corrected by eye", "body_color_guess": "red"}]
    (photograph,) = load_photographs(write_folder(tmp_path, [{**LINE, "boxes": boxes}]))
    assert photograph.path == tmp_path / "one.png"
    assert photograph.boxes == (Box(1.0, 2.5, 30.0, 20.0, 4, BoxKind.UPPER, "red"),)
    assert (photograph.source, photograph.repository) == ("a table", "somebody/dice")
    assert photograph.is_from_above
    flags = photograph.is_negative, photograph.is_crop, photograph.is_heap
    assert flags == (False, False, False)


def test_a_die_without_pips_has_no_number(tmp_path: Path) -> None:
    box = {**_BOX, "value": None, "kind": "whole die (numeral)"}
    line = {**LINE, "is_negative": True, "neg_kind": "foreign dice", "boxes": [box], "crop": True}
    (photograph,) = load_photographs(write_folder(tmp_path, [line]))
    assert photograph.boxes[0].number == 0
    assert photograph.is_negative
    assert photograph.is_crop
    assert photograph.shows == "foreign dice"


def test_many_upper_faces_are_a_heap(tmp_path: Path) -> None:
    (photograph,) = load_photographs(write_folder(tmp_path, [{**LINE, "boxes": [_BOX] * 8}]))
    assert photograph.is_heap


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": None}, "expected 'source' of type str, found None"),
        ({"is_negative": "no"}, "expected 'is_negative' of type bool, found 'no'"),
        ({"is_negative": True}, "expected 'neg_kind' of type str, found nothing"),
        ({"boxes": {}}, "expected 'boxes' of type list, found {}"),
        ({"boxes": [3]}, "expected a box as a JSON object, found 3"),
        ({"boxes": [{**_BOX, "value": 7}]}, "expected a value from 1 to 6, found 7"),
        ({"boxes": [{**_BOX, "value": True}]}, "expected 'value' of type int, found True"),
        ({"boxes": [{**_BOX, "w": 0}]}, "expected a box wider and higher than 0, found 0.0 x 20.0"),
        ({"boxes": [{**_BOX, "x": "1"}]}, "expected 'x' as a number of pixels, found '1'"),
        (
            {"boxes": [{**_BOX, "kind": "edge"}]},
            "expected a kind of box that begins with 'whole die' or 'top face', found 'edge'",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, change: dict[str, object], message: str) -> None:
    write_folder(tmp_path, [LINE, {**LINE, **change}])
    with pytest.raises(ManifestError) as caught:
        load_photographs(tmp_path)
    assert str(caught.value) == f"{tmp_path / MANIFEST}, line 2: {message}"


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = write_folder(tmp_path, [LINE]) / MANIFEST
    path.write_text(path.read_text() + "{\n")
    with pytest.raises(ManifestError, match="line 2: expected a JSON object, found "):
        load_photographs(tmp_path)


def test_sources_are_left_out_by_name_or_repository(tmp_path: Path) -> None:
    other = {**LINE, "file": "two.png", "source": "coins", "source_repo": "somebody/coins"}
    photographs = load_photographs(write_folder(tmp_path, [LINE, other]))
    assert leave_out(photographs, []) == photographs
    assert leave_out(photographs, ["a table"]) == photographs[1:]
    assert leave_out(photographs, ["somebody/coins"]) == photographs[:1]
    assert of_source(photographs, "coins") == photographs[1:]
    with pytest.raises(ValueError, match="expected one of the sources a table, coins; found 'x'"):
        leave_out(photographs, ["x"])
