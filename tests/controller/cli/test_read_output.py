# SPDX-License-Identifier: MIT
"""What is printed of a reading: every doubt with its place, what was dropped on demand."""

from __future__ import annotations

import json

import pytest

from controller.cli.read_output import ReadResult, json_text, lines_text
from vision.reading import (
    DieReading,
    Doubt,
    DoubtKind,
    Origin,
    Polarity,
    Rejected,
    StageTime,
    TrayReading,
)

CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
DIE = DieReading(5, Polarity.LIGHT, "white", (312.04, 201.5), CORNERS, 14.0, 40.0, (0, 0), 0.9984)
LEANS = Doubt(DoubtKind.COCKED, "A die leans. Lay it flat.", (90.25, 40.0), 30.123)
LEANS_TOO = Doubt(DoubtKind.COCKED, "A die leans. Lay it flat.", (190.0, 40.0), 30.0)
COUNT = Doubt(DoubtKind.COUNT, "1 of 3 dice are read.")
COIN = Rejected("round, no die", (500.0, 80.06), 22.0)
STAGES = (StageTime("finder", 2.0), StageTime("judge", 2.125))
UNSURE = ReadResult("a.jpg", TrayReading((DIE,), (LEANS, LEANS_TOO, COUNT), (COIN,), STAGES))


def test_every_doubt_is_told_with_its_kind_and_place() -> None:
    row = json.loads(json_text(UNSURE, with_rejected=False))
    assert row["doubts"] == [
        {"kind": "cocked", "text": LEANS.text, "center_px": [90.2, 40.0], "radius_px": 30.1},
        {"kind": "cocked", "text": LEANS.text, "center_px": [190.0, 40.0], "radius_px": 30.0},
        {"kind": "count", "text": COUNT.text, "center_px": None, "radius_px": 0.0},
    ]
    assert (row["status"], row["elapsed_ms"]) == ("unsure", 4.12)
    assert row["dice"][0]["center_px"] == [312.0, 201.5]


def test_what_was_dropped_is_named_only_on_demand() -> None:
    assert "rejected" not in json.loads(json_text(UNSURE, with_rejected=False))
    row = json.loads(json_text(UNSURE, with_rejected=True))
    dropped = {"reason": "round, no die", "center_px": [500.0, 80.1], "radius_px": 22.0}
    assert row["rejected"] == [dropped]
    assert "round, no die" not in lines_text(UNSURE, with_rejected=False)


def test_people_get_a_line_for_each_die_doubt_and_dropped_one() -> None:
    assert lines_text(UNSURE, with_rejected=True).splitlines() == [
        "a.jpg: unsure, cocked, count (4.1 ms)",
        "  5  white    at    312,    202 px  turned  14°  sure  99.8%",
        "  ?  cocked at     90,     40 px: A die leans. Lay it flat.",
        "  ?  cocked at    190,     40 px: A die leans. Lay it flat.",
        "  ?  count in the whole tray: 1 of 3 dice are read.",
        "  -  rejected at    500,     80 px: round, no die",
    ]


@pytest.mark.parametrize(
    ("reading", "said"),
    [(TrayReading(()), "a.jpg: no dice (0.0 ms)"), (TrayReading((DIE,)), "a.jpg: read 5 (0.0 ms)")],
)
def test_the_first_line_says_what_it_is(reading: TrayReading, said: str) -> None:
    assert lines_text(ReadResult("a.jpg", reading), with_rejected=False).splitlines()[0] == said


def test_a_rest_has_its_frames_and_how_each_die_came_there() -> None:
    die = DieReading(
        5, Polarity.DARK, "red", (1.0, 2.0), CORNERS, 0.0, 40.0, (0, 0), 1.0, Origin.PLACED
    )
    rest = ReadResult("a.mp4", TrayReading((die,)), frames=(15, 29))
    row = json.loads(json_text(rest, with_rejected=False))
    assert (row["frames"], row["dice"][0]["origin"]) == ([15, 29], "placed")
    head, line = lines_text(rest, with_rejected=False).splitlines()
    assert head == "a.mp4, frames 15 to 29: read 5 (0.0 ms)"
    assert line.endswith("placed")


def test_what_is_no_picture_has_a_reason_and_no_dice() -> None:
    broken = ReadResult("a.jpg", TrayReading(()), error="expected a picture, found text")
    row = json.loads(json_text(broken, with_rejected=True))
    assert (row["status"], row["reason"]) == ("error", "expected a picture, found text")
    assert (row["dice"], row["doubts"], row["rejected"]) == ([], [], [])
    assert lines_text(broken, with_rejected=True) == "a.jpg: expected a picture, found text"
