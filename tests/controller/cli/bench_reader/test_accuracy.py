# SPDX-License-Identifier: MIT
"""The examination runs in processes of its own, and can be stopped halfway."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from controller.cli.bench import LEAST_SEED
from controller.cli.bench_reader.accuracy import collect
from controller.cli.bench_reader.scene_accuracy import SceneOutcome, SceneResult
from controller.cli.main import main


def test_every_seed_is_examined_once(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["bench", "accuracy", "--scenes", "3", "--jobs", "2", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["all"]["scenes"] == 3
    assert sum(told["all"]["outcomes"].values()) == 3
    scenes = {kind: row["scenes"] for kind, row in told["kinds"].items()}
    assert scenes == {"clean trays": 1, "imitations": 1, "wild": 1}
    assert status == (1 if told["all"]["silently_wrong"] else 0)


def test_what_was_found_before_ctrl_c_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    found = [SceneResult(seed, "clean trays", SceneOutcome.EXACT) for seed in range(3)]

    def stopped() -> Iterator[list[SceneResult]]:
        yield found
        raise KeyboardInterrupt

    assert collect(stopped(), 400) == found
    assert capsys.readouterr().err == "stopped after 3 of 400 scenes\n"


def test_seeds_of_the_training_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "accuracy", "--first-seed", str(LEAST_SEED - 1)])
    assert "expected a whole number of 1000000 or more" in capsys.readouterr().err


def test_without_a_checkout_there_is_nothing_to_examine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("controller.cli.bench.has_scenes", lambda: False)
    assert main(["bench", "accuracy"]) == 2
    assert "expected a checkout of the project" in capsys.readouterr().err
