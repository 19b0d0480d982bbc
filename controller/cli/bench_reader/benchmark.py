# SPDX-License-Identifier: MIT
"""
What a benchmark is: its docstring is the help, its fields are the options, and it yields metrics.

The commands build their parsers from it: `dicebell bench`, and the one that measures whole tables
in a checkout.
"""

from __future__ import annotations

import argparse
import inspect
import json
import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import ClassVar, NamedTuple, Self, TypeVar

Value = TypeVar("Value")


class Metric(NamedTuple):
    """A measured value, and the limits that it must not pass."""

    name: str
    value: float
    least: float = -math.inf
    most: float = math.inf

    def find_failure(self) -> str:
        """Return the passed limit as a sentence; empty if none is passed."""
        if self.least <= self.value <= self.most:
            return ""
        limit = f"at least {self.least:g}" if self.value < self.least else f"at most {self.most:g}"
        return f"{self.name}: expected {limit}, found {self.value:g}"


def time_best(work: Callable[[], Value], rounds: int) -> tuple[Value, float]:
    """Return what work comes to, and its best cost on one core in seconds: nothing else counts."""
    costs = []
    for _ in range(rounds):
        began_s = time.process_time()
        result = work()
        costs.append(time.process_time() - began_s)
    return result, min(costs)


def option(
    default: Value,
    text: str,
    parse: Callable[[str], object] | None = None,
    *,
    alias: str = "",
    metavar: str | None = None,
) -> Value:
    """Return the field of an option; one without `parse` is a switch."""
    how: dict[str, object] = {"help": text, "default": default}
    how |= {"type": parse, "metavar": metavar} if parse else {"action": "store_true"}
    made: Value = field(default=default, metadata={"alias": alias, "how": how})
    return made


def _name_option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


@dataclass(frozen=True, kw_only=True)
class Subject(ABC):
    """What a command can measure, with its options; its docstring is the help."""

    name: ClassVar[str]

    @classmethod
    def help(cls) -> str:
        """Return what it measures, in lines, without a capital and a full stop."""
        text = inspect.cleandoc(cls.__doc__ or "").rstrip(".")
        return text[0].lower() + text[1:]

    @classmethod
    def add_options(cls, group: argparse._ActionsContainer) -> None:
        """Add an option for each field."""
        for each in fields(cls):
            names = [_name_option(each.name), each.metadata["alias"]]
            group.add_argument(*filter(None, names), **each.metadata["how"])

    @classmethod
    def find_given(cls, args: argparse.Namespace) -> Iterator[str]:
        """Yield the options that have another value than their default."""
        for each in fields(cls):
            if getattr(args, each.name) != each.default:
                yield _name_option(each.name)

    @classmethod
    def from_arguments(cls, args: argparse.Namespace) -> Self:
        """Return the subject with the options that were given."""
        return cls(**{each.name: getattr(args, each.name) for each in fields(cls)})

    @abstractmethod
    def run(self, *, as_json: bool) -> int:
        """Measure and print; return the exit status, 1 if the result is not good enough."""


class Benchmark(Subject):
    """Measures figures with limits."""

    @abstractmethod
    def measure(self) -> Iterable[Metric]:
        """Yield what is measured."""

    def run(self, *, as_json: bool) -> int:
        metrics = list(self.measure())
        if as_json:
            sys.stdout.write(json.dumps({each.name: each.value for each in metrics}) + "\n")
        else:
            sys.stdout.write("".join(map(_format_line, metrics)))
        failures = list(filter(None, map(Metric.find_failure, metrics)))
        sys.stderr.write("".join(f"failed: {each}\n" for each in failures))
        return int(bool(failures))


def _format_line(metric: Metric) -> str:
    """Format a metric for people; counts and rates have no decimals."""
    is_float = isinstance(metric.value, float)
    return f"{metric.name:50}{metric.value:{'12.3f' if is_float else '12,'}}\n"
