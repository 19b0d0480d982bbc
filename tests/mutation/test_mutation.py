# SPDX-License-Identifier: MIT
"""The mutator itself: it changes one place, finds what notices, and names what nothing notices."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.mutation.mutants import ROOT, draw_mutants, find_mutant, mutants_of

MODULE = "controller/tournament/state/rounds.py"


def test_a_mutant_differs_from_its_module_in_one_line() -> None:
    before = ast.unparse(ast.parse((ROOT / MODULE).read_text())).splitlines()
    for mutant in mutants_of(MODULE):
        after = ast.unparse(mutant.parse()).splitlines()
        changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        assert len(changed) == 1, mutant
        assert find_mutant(mutant.name) == mutant


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_draws_the_same_mutants(seed: int) -> None:
    drawn = draw_mutants("controller/games", 20, seed)
    assert draw_mutants("controller/games", 20, seed) == drawn
    assert draw_mutants("controller/games", 20, seed + 1) != drawn
    assert len(set(drawn)) == 20


def test_a_test_that_reaches_a_mutant_catches_it() -> None:
    """One change is in a function that tests call, two are made as its module is imported."""
    dice, names = "controller/games/dice.py", "controller/games/player_names.py"
    called, points = (
        next(each.name for each in mutants_of(dice) if bool(each.functions) is is_called)
        for is_called in (True, False)
    )
    default = next(each.name for each in mutants_of(names) if "fewest: int=2" in each.change)
    command = [sys.executable, "-m", "tests.mutation", "games", "--again", called, points, default]
    command += ["--tests", "tests/controller/games/test_dice.py"]
    command += ["tests/controller/games/test_player_names.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "games\t3\t3\t0", done.stdout
