# SPDX-License-Identifier: MIT
"""The subjects of `dicebell bench`, and where those went that it had once."""

from __future__ import annotations

import json

import pytest

from controller.cli.bench import FOR_DEVELOPERS
from tests.bench.__main__ import BENCHMARKS
from tests.controller.conftest import Dicebell


@pytest.mark.parametrize("subject", ["soak", "coach"])
def test_a_subject_that_moved_names_its_new_place(dicebell: Dicebell, subject: str) -> None:
    done = dicebell("bench", subject)
    assert done.status == 2
    expected = f"expected reading, accuracy, rules or verify, found '{subject}'"
    assert f"{expected}; in a checkout: make bench-table ARGS={subject}\n" in done.complaint


def test_an_unknown_subject_is_refused(dicebell: Dicebell) -> None:
    done = dicebell("bench", "speed")
    assert done.status == 2
    assert done.complaint.endswith("expected reading, accuracy, rules or verify, found 'speed'\n")


def test_every_subject_that_moved_is_measured_there() -> None:
    assert set(FOR_DEVELOPERS) <= {each.name for each in BENCHMARKS}


def test_options_stand_before_and_after_the_subject(dicebell: Dicebell) -> None:
    for arguments in (("--games", "1", "rules", "--json"), ("rules", "--json", "--games", "1")):
        done = dicebell("bench", *arguments)
        assert done.status == 0
        assert json.loads(done.output)["choice, events"] > 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("accuracy", "--sessions", "1", "--clean"),
            "--sessions: expected none of --scenes, --no-expect and --clean beside it",
        ),
        (("accuracy", "--sessions", "1", "--scenes", "5"), "--sessions: expected none of --scenes"),
        (("reading", "--games", "3"), "--games: expected options of reading, found one of rules"),
        (("accuracy", "--keep", "/dev/null"), "--keep: expected a folder to write to"),
    ],
)
def test_options_that_say_nothing_here_are_refused(
    dicebell: Dicebell, arguments: tuple[str, ...], complaint: str
) -> None:
    done = dicebell("bench", *arguments)
    assert done.status == 2
    assert complaint in done.complaint
