# SPDX-License-Identifier: MIT
"""The benchmarks of an event count what they claim to count."""

from __future__ import annotations

import json

import pytest

from controller.cli.main import main


def test_a_draw_of_a_field_meets_nobody_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "draw", "--players", "100", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["random, second meetings"] == figures["standings, second meetings"] == 0
    assert (figures["players"], figures["rounds"]) == (100, 5)


def test_a_duplicate_event_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "duplicate", "--players", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["rolls"] >= 8 * 8
    assert figures["one choice, median ms"] > 0
