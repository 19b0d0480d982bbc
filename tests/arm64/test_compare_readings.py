# SPDX-License-Identifier: MIT
"""The comparison of two machines' readings finds what differs, and only that."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.arm64.compare_readings import find_differences, load_readings

DIE = {"face": 5, "polarity": "light", "center_px": [100.0, 80.0], "confidence": 0.998}
OTHER = {"face": 2, "polarity": "dark", "center_px": [300.0, 90.0], "confidence": 0.991}
DOUBT = {"kind": "cocked", "text": "leans", "center_px": [5.0, 5.0], "radius_px": 9.0}


@pytest.fixture
def here(tmp_path: Path) -> dict[str, dict[str, Any]]:
    row = {"file": "pictures/1.png", "status": "unsure", "reason": "", "elapsed_ms": 9.1}
    row |= {"dice": [DIE, OTHER], "doubts": [DOUBT]}
    (tmp_path / "here.jsonl").write_text(json.dumps(row) + "\n")
    return load_readings(tmp_path / "here.jsonl")


def test_last_digits_and_order_are_no_difference(here: dict[str, dict[str, Any]]) -> None:
    there = copy.deepcopy(here)
    there["1.png"]["elapsed_ms"] = 900.0
    there["1.png"]["dice"].reverse()
    there["1.png"]["dice"][0]["confidence"] += 0.002
    assert list(find_differences(here, there)) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status", "read"),
        ("reason", "too dark"),
        ("dice", [{**DIE, "face": 6}, OTHER]),
        ("dice", [{**DIE, "polarity": "dark"}, OTHER]),
        ("dice", [{**DIE, "confidence": 0.9}, OTHER]),
        ("dice", [{**DIE, "center_px": [102.0, 80.0]}, OTHER]),
        ("dice", [DIE]),
        ("doubts", []),
        ("doubts", [{**DOUBT, "kind": "stacked"}]),
    ],
)
def test_another_result_is_a_difference(
    here: dict[str, dict[str, Any]], key: str, value: object
) -> None:
    there = copy.deepcopy(here)
    there["1.png"][key] = value
    assert [line.partition(":")[0] for line in find_differences(here, there)] == ["1.png"]


def test_a_missing_reading_is_a_difference(here: dict[str, dict[str, Any]]) -> None:
    assert len(list(find_differences(here, {}))) == 1
    assert len(list(find_differences({}, {}))) == 1
