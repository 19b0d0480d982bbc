# SPDX-License-Identifier: MIT
"""The worked examples of the help are those of the booklets, counted by the rules."""

from __future__ import annotations

from typing import Any

from controller.games import GAMES
from controller.games.ui import ExampleStep


def example_of(game: str) -> list[ExampleStep]:
    return GAMES[game].ui.build_example()


def marks_of(step: ExampleStep, key: str) -> dict[int, int]:
    """Return the crosses on each sum of a step that has any."""
    rows = step["players"][0]["sheet"]["rows"]
    return {row["sum"]: row[key] for row in rows if row[key]}


def fifth_of(step: ExampleStep, key: str) -> dict[int, int]:
    rows = step["players"][0]["sheet"]["fifth"]
    return {row["face"]: row[key] for row in rows if row[key]}


def sheets_of(step: ExampleStep, key: str) -> list[Any]:
    return [player["sheet"][key] for player in step["players"]]


def test_choice_marks_what_the_booklet_marks() -> None:
    first, third, fourth, _ = example_of("choice")
    assert (marks_of(first, "marks"), marks_of(first, "pending")) == ({}, {4: 1, 10: 1})
    assert fifth_of(first, "pending") == {4: 1}
    assert marks_of(third, "marks") == {4: 1, 9: 1, 10: 2}
    assert fifth_of(third, "marks") == {4: 1, 2: 1}
    assert (marks_of(third, "pending"), fifth_of(third, "pending")) == ({4: 1, 5: 1}, {5: 1})
    assert marks_of(fourth, "marks") == {4: 2, 5: 1, 9: 1, 10: 2}
    assert (marks_of(fourth, "pending"), fifth_of(fourth, "pending")) == ({4: 1, 9: 1}, {})


def test_choice_ends_with_the_booklets_result() -> None:
    end = example_of("choice")[-1]
    points = [row["points"] for row in end["players"][0]["sheet"]["rows"] if row["points"]]
    assert points == [-200, 60, 40, 160, 100, 240]
    assert end["players"][0]["total"] == 400
    assert fifth_of(end, "marks") == {4: 8, 2: 7, 5: 7}


def test_black_n_white_plays_a_round_to_its_chip() -> None:
    _, stopped, _, less, ended = example_of("black-n-white")
    assert sheets_of(stopped, "result") == ["64", "", ""]
    assert sheets_of(less, "result")[::2] == ["64", "56"]
    assert sheets_of(less, "mark") == ["lowest", None, None]
    assert sheets_of(ended, "chips") == [1, 0, 0]


def test_wuerfelspiel_counts_the_pages_own_sheet() -> None:
    columns, _, cell = example_of("wuerfelspiel")
    sheet = columns["players"][0]["sheet"]
    assert (sheet["columns"], sheet["bonus"], sheet["total"]) == ([22, 85, 242], [0, 0, 35], 918)
    assert cell["players"][0]["sheet"]["total_after"] - 918 == 2 * 19
    (house,) = (row for row in cell["players"][0]["sheet"]["rows"] if row["key"] == "fullhouse")
    assert [one["offer"] for one in house["cells"]] == [25, None, None]
