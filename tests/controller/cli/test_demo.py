# SPDX-License-Identifier: MIT
"""The game that the demo is asked for: its options, and no other game beside an open one."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.journal import Journal
from tests.controller.conftest import Dicebell


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--option", "luck=true"), "no option but jokers or secret"),
        (("--option", "jokers=2"), "jokers: expected true or false, found 2"),
        (("--option", "jokers=yes"), "a name, = and true, false or a whole number"),
        (("--option", "jokers"), "a name, = and true, false or a whole number"),
        (("--option", "=true"), "a name, = and true, false or a whole number"),
        (
            ("--game", "black-n-white", "--option", "chips_per_player=0"),
            "chips_per_player: expected a whole number from 1, found 0",
        ),
        (("--game", "black-n-white", "--players", "Ada"), "2 to 5 players, found 1"),
    ],
)
def test_an_unknown_option_is_refused_and_leaves_no_trace(
    dicebell: Dicebell, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    done = dicebell("demo", "--no-web", "--data", str(tmp_path / "data"), *arguments)
    assert done.status == 2
    assert expected in done.complaint
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--players", "Eva,Finn"), "--players: expected Ada,Ben, as in the game that is open"),
        (("--game", "wuerfelspiel"), "--game: expected choice, as in the game that is open"),
        (("--option", "jokers=false"), "--option: expected jokers=true, as in the game"),
    ],
)
def test_another_game_is_refused_while_one_is_open(
    dicebell: Dicebell, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
    journal.append(
        "game", {"game": "choice", "players": ["Ada", "Ben"], "options": {"jokers": True}}
    )
    journal.close()
    done = dicebell("demo", "--no-web", "--data", str(tmp_path), *arguments)
    assert done.status == 2
    assert expected in done.complaint
