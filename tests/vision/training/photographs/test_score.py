# SPDX-License-Identifier: MIT
"""Readings of photographs are counted die by die and picture by picture."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import pytest

from tests.vision.readings import make_die, make_reading
from tests.vision.training.photographs.folders import LINE, loose_boxes, render_dice, write_folder
from vision.training.photographs.__main__ import main
from vision.training.photographs.manifest import Box, BoxKind
from vision.training.photographs.score import score_reading

_THREE = Box(80.0, 80.0, 40.0, 40.0, 3, BoxKind.WHOLE, "red")
_FIVE = Box(180.0, 80.0, 40.0, 40.0, 5, BoxKind.UPPER, "red")
_EXACT, _MISREAD = "pictures exact", "pictures misread without a doubt"


def test_dice_are_matched_to_their_boxes() -> None:
    reading = make_reading(make_die(105, 95, 3), make_die(200, 100, 4))
    total = score_reading(reading, [_FIVE, _THREE])
    assert (total["dice read right"], total["dice read wrong"], total["dice not read"]) == (1, 1, 0)
    assert (total[_EXACT], total[_MISREAD]) == (0, 1)


def test_a_die_passed_over_in_silence_is_a_misread() -> None:
    total = score_reading(make_reading(make_die(100, 100, 3)), [_THREE, _FIVE])
    assert (total["dice not read"], total[_MISREAD]) == (1, 1)


def test_what_is_read_beside_the_boxes_is_no_die() -> None:
    total = score_reading(make_reading(make_die(100, 100, 3), make_die(300, 20, 1)), [_THREE])
    assert (total["readings where no die is marked"], total[_EXACT]) == (1, 0)
    assert score_reading(make_reading(), [])[_EXACT] == 1


def _call(monkeypatch: pytest.MonkeyPatch, *args: str | Path) -> None:
    monkeypatch.setattr(sys, "argv", ["photographs", *map(str, args)])
    main()


def test_a_source_is_measured_with_the_whole_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    image, truth = render_dice(900_016)
    cv2.imwrite(str(tmp_path / "dice.png"), image)
    other = {**LINE, "source": "coins", "is_negative": True, "neg_kind": "coins"}
    dice = {**LINE, "file": "dice.png", "boxes": loose_boxes(truth)}
    folder = write_folder(tmp_path, [dice, dice, dice, other])
    _call(monkeypatch, "--score", folder, "--source", "a table", "--most", "2", "--cores", "1")
    lines = capsys.readouterr().out.splitlines()
    count = 2 * len(truth.faces)
    assert lines[0] == f"2 pictures, {count} dice"
    assert lines[1] == f"dice read right: {count} (100.0 %)"


def test_an_unknown_source_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_folder(tmp_path, [LINE])
    for args in (("--score", "--source", "x"), ("--write", folder, "--leave-out", "x")):
        with pytest.raises(SystemExit):
            _call(monkeypatch, folder, *args)
        assert "expected one of the sources a table; found 'x'" in capsys.readouterr().err
