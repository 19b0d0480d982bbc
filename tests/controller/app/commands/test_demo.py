# SPDX-License-Identifier: MIT
"""The game that the demo is asked for: its options, and no other game beside an open one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.proof.journal import Journal

ROOT = Path(__file__).parents[4]


def demo(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.app.main", "demo", "--no-web", "--data", str(data)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--option", "luck=true"), "no option but jokers"),
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
def test_what_the_game_does_not_know_is_refused_and_leaves_no_trace(
    tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    done = demo(tmp_path / "data", *arguments)
    assert done.returncode == 2
    assert expected in done.stderr
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
    tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
    journal.append(
        "game", {"game": "choice", "players": ["Ada", "Ben"], "options": {"jokers": True}}
    )
    journal.close()
    done = demo(tmp_path, *arguments)
    assert done.returncode == 2
    assert expected in done.stderr
