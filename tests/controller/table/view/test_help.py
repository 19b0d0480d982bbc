# SPDX-License-Identifier: MIT
"""The rules in a few lines: whole, short, and with the figures that are counted."""

from __future__ import annotations

import pytest

from controller.games import GAMES
from controller.games.contract import Options
from controller.table.view.snapshot import build_help

LONGEST_LINE = 170
MOST_LINES = 23


def text_of(game: str, options: Options | None = None) -> str:
    given = {name: rule.default for name, rule in GAMES[game].options.items()}
    shown = build_help(game, {**given, **(options or {})})
    return "\n".join(line for part in shown["parts"] for line in (part["heading"], *part["lines"]))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_a_few_lines(game: str) -> None:
    lines = text_of(game).splitlines()
    assert 8 <= len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= LONGEST_LINE


def test_jokers_are_told_only_where_they_are_played() -> None:
    assert "Terminator" not in text_of("choice")
    with_jokers = text_of("choice", {"jokers": True})
    for word in ("Terminator", "Corrector", "3:1", "counts 100 points at the end"):
        assert word in with_jokers


@pytest.mark.parametrize(
    "figure",
    [
        "1 to 4 crosses: −200. 5 crosses: 0.",
        "Cross number 6 to 10",
        "2 and 12: 100, 3 and 11: 70, 4 and 10: 60, 5 and 9: 50, 6 and 8: 40, 7: 30",
        "has 8 crosses",
    ],
)
def test_choice_tells_what_marks_count(figure: str) -> None:
    assert figure in text_of("choice")


@pytest.mark.parametrize(
    ("chips", "words"), [(2, "2 chips for each player"), (1, "1 chip for each player")]
)
def test_black_n_white_tells_its_chips_and_rulings(chips: int, words: str) -> None:
    text = text_of("black-n-white", {"chips_per_player": chips})
    assert words in text
    assert "share it, the first one to throw it does: a result must be beaten" in text
    assert "the one who threw last takes the chip" in text
    assert "65 is the highest, 12 the lowest" in text


@pytest.mark.parametrize(
    "figure",
    [
        "all 39 cells",
        "Column 1 counts once, column 2 twice, column 3 three times",
        "Up to 2 times",
        "35 points for a column whose six upper rows total 63 or more",
        "Full house: 25",
        "Five equal dice are no full house",
        "30 points for 1234, 2345 or 3456",
        "40 points for 12345 or 23456",
        "5 of a kind: 50",
    ],
)
def test_wuerfelspiel_tells_what_cells_count(figure: str) -> None:
    assert figure in text_of("wuerfelspiel")
