# SPDX-License-Identifier: MIT
"""A benchmark prints its metrics; a limit that is passed is its exit status."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import pytest

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option


@dataclass(frozen=True, kw_only=True)
class Heat(Benchmark):
    """Measure heat;
    in degrees."""

    name: ClassVar[str] = "heat"
    most_warm: int = option(7, "of a die", whole_number_type(0), alias="--warm")
    dry: bool = option(False, "without water")

    def measure(self) -> Iterable[Metric]:
        yield Metric("warmth", 1234.5)
        yield Metric("dice", 1234, least=1, most=self.most_warm)
        yield Metric("wet", int(not self.dry), least=1)


def run(*arguments: str, as_json: bool = False) -> int:
    parser = argparse.ArgumentParser()
    Heat.add_options(parser)
    return Heat.from_arguments(parser.parse_args(arguments)).run(as_json=as_json)


def test_metrics_within_their_limits_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--warm", "1234", as_json=True) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"warmth": 1234.5, "dice": 1234, "wet": 1}
    assert printed.err == ""


def test_each_passed_limit_is_named_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--dry") == 1
    printed = capsys.readouterr()
    assert [line.split() for line in printed.out.splitlines()] == [
        ["warmth", "1234.500"],
        ["dice", "1,234"],
        ["wet", "0"],
    ]
    assert printed.err.splitlines() == [
        "failed: dice: expected at most 7, found 1234",
        "failed: wet: expected at least 1, found 0",
    ]


def test_the_docstring_is_the_help() -> None:
    assert Heat.help() == "measure heat;\nin degrees"
