# SPDX-License-Identifier: MIT
"""Fair dice are left alone however often one looks, bad ones are found, and kept ones count not."""

from __future__ import annotations

import json
from math import comb, exp, log
from pathlib import Path

import numpy as np
import pytest

from controller.cli.main import main
from controller.history.fairness.face_test import bound_share, find_chance, find_evidence
from controller.history.fairness.hand_test import count_pairs, find_bond_evidence
from controller.history.fairness.verdict import (
    ALARM,
    TOLERANT,
    DiceCounts,
    describe_verdict,
    judge_dice,
)
from tests.bench.fairness import simulate_looks
from tests.controller.history.written_games import add_action, add_game, add_roll, begin_journal

FAIR = (1 / 6,) * 6


def test_evidence_is_a_ratio_of_probabilities() -> None:
    """Over all counts of few throws its mean under fair dice is 1, as a martingale's must be."""
    throws, mean = 3, 0.0
    for first in range(6):
        for second in range(6):
            for third in range(6):
                counts = [0] * 6
                for face in (first, second, third):
                    counts[face] += 1
                mean += exp(find_evidence(counts)) / 6**throws
    assert mean == pytest.approx(1.0, abs=1e-12)


def test_a_tolerant_null_never_gives_more_evidence() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        counts = rng.multinomial(int(rng.integers(1, 5000)), rng.dirichlet((30,) * 6)).tolist()
        strict, tolerant = find_evidence(counts), find_evidence(counts, TOLERANT)
        assert tolerant <= strict + 1e-9
    # Within the tolerance nothing is said, however many throws there are.
    near = [1_660_000, 1_670_000, 1_664_000, 1_668_000, 1_668_000, 1_670_000]
    assert find_evidence(near, TOLERANT) < 0


def test_bounds_hold_at_every_moment() -> None:
    rng = np.random.default_rng(2)
    wrong = 0
    for _ in range(100):
        thrown = np.cumsum(rng.random(1000) < 0.2)
        looks = [bound_share(int(thrown[n - 1]), n) for n in (10, 50, 100, 300, 1000)]
        wrong += any(not low <= 0.2 <= high for low, high in looks)
        assert looks[-1][1] - looks[-1][0] < 0.12
    assert wrong <= 5


def test_looking_all_the_time_alarms_seldom_with_fair_dice() -> None:
    run = simulate_looks(FAIR, runs=200, throws=2000, seed=3)
    assert run.count_alarms(ALARM) <= 10
    assert run.count_alarms(1000) == 0


def test_a_bad_die_is_found_soon() -> None:
    often = (0.15, 0.15, 0.15, 0.15, 0.15, 0.25)
    run = simulate_looks(often, runs=60, throws=2000, seed=4)
    assert run.count_alarms(ALARM) == 60
    assert 150 < run.median_throws < 450


def test_the_sentence_names_face_share_and_chance() -> None:
    counted = DiceCounts([640, 640, 640, 640, 640, 1012])
    said = " ".join(describe_verdict(judge_dice(counted), counted))
    assert said.startswith("The 6 comes too often: 1 in 4.2 (4.6 to 3.8).")
    assert "By chance less than 1 in 1,000,000." in said
    fair = DiceCounts([700] * 6)
    said = " ".join(describe_verdict(judge_dice(fair), fair))
    assert said == "Nothing against these dice in 4,200 faces."
    one = DiceCounts([0, 1, 0, 0, 0, 0])
    assert describe_verdict(judge_dice(one), one, is_one_die=True) == (
        "Nothing against this die in 1 throw.",
    )
    nothing = DiceCounts([0] * 6)
    assert not describe_verdict(judge_dice(nothing), nothing)


def test_unsure_dice_may_explain_a_difference() -> None:
    counts = [500, 700, 500, 500, 500, 500]
    assert judge_dice(DiceCounts(counts)).is_suspect
    assert not judge_dice(DiceCounts(counts, unsure=30)).is_explained
    counted = DiceCounts(counts, unsure=600, untold=300)
    explained = judge_dice(counted)
    assert explained.is_explained
    said = describe_verdict(explained, counted)
    assert said[-1] == "The 900 dice that were doubted, set or entered by hand could explain it."


def test_dice_that_stick_together_are_found() -> None:
    rng = np.random.default_rng(6)
    free = [tuple(rng.integers(1, 7, 5).tolist()) for _ in range(600)]
    stuck = [(*throw[:4], throw[3]) for throw in free]
    for throws, is_found in ((free, False), (stuck, True)):
        pairs = {5: (len(throws), sum(map(count_pairs, throws)))}
        assert (find_chance(find_bond_evidence(pairs)) < 0.001) is is_found
    assert count_pairs((1, 1, 1, 2, 2)) == comb(3, 2) + 1
    assert find_bond_evidence({}) == pytest.approx(0.0)


def test_bonds_alarm_seldom_however_often_one_looks() -> None:
    rng = np.random.default_rng(8)
    alarms = 0
    for _ in range(200):
        pairs = np.cumsum(
            [count_pairs(tuple(one)) for one in rng.integers(1, 7, (300, 5)).tolist()]
        )
        looks = [find_bond_evidence({5: (n, int(pairs[n - 1]))}) for n in range(1, 301)]
        alarms += max(looks) >= log(ALARM)
    assert alarms <= 10


def test_the_command_says_whether_dice_are_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", game="dice", options={"dice": 5})
    add_roll(journal, "Ada", "12345")
    add_action(journal, "Ada", "again")
    add_roll(journal, "Ada", "66666", by_hand="Eva")
    journal.write(tmp_path)
    assert main(["fairness", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    everything, (dice_set,) = found["all"], found["sets"]
    assert (everything["dice"], everything["faces"]) == (5, [1, 1, 1, 1, 1, 0])
    assert (everything["is_suspect"], len(everything["bounds"])) == (False, 6)
    assert (dice_set["unsure"], dice_set["colours"]) == (5, [])
    add_action(journal, "Ada", "again")
    for _ in range(40):
        add_roll(journal, "Ada", "66612")
        add_action(journal, "Ada", "again")
    journal.write(tmp_path)
    assert main(["fairness", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("all: The 6 comes too often: 1 in 1.7 (")
    assert "By chance less than 1 in 1,000,000." in out
    assert main(["fairness", str(tmp_path / "none")]) == 2
