# SPDX-License-Identifier: MIT
"""What several benchmarks share: options, and how they print durations, load and progress."""

from __future__ import annotations

import argparse
import math
import os
import secrets
import sys
import time
from abc import ABC
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import quantiles

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option


@dataclass(frozen=True, kw_only=True)
class SeededBenchmark(Benchmark, ABC):
    """Disturbs a table by chance."""

    seed: int = option(
        secrets.randbits(32), "decides the dice and what happens (a new one)", whole_number_type(0)
    )


def parse_positive(text: str) -> float:
    """Read a number above 0, such as 0.5."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text!r}")
    return number


def report(line: str) -> None:
    """Print a line about the progress on standard error, so that JSON stays JSON."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def list_times(
    name: str,
    times_ms: Sequence[float],
    *,
    share: int = 99,
    most_of_share: float = math.inf,
    most: float = math.inf,
) -> Iterator[Metric]:
    """Yield median, a percentile and the slowest of some durations; zeros if there are none."""
    times_ms = times_ms or (0.0,)
    # A single duration has no percentiles.
    several = times_ms if len(times_ms) > 1 else [*times_ms] * 2
    parts = quantiles(several, n=100, method="inclusive")
    yield Metric(f"{name}, median, ms", round(parts[49], 3))
    high_ms = round(parts[share - 1], 3)
    yield Metric(f"{name}, {share}th of 100, ms", high_ms, most=most_of_share)
    yield Metric(f"{name}, slowest, ms", round(max(times_ms), 3), most=most)


def list_load() -> Iterator[Metric]:
    """Yield the runnable threads of this machine in the last minute, and its cores."""
    yield Metric("load of the machine", round(os.getloadavg()[0], 1))
    yield Metric("cores", len(os.sched_getaffinity(0)))


def time_s(work: Callable[[], object]) -> float:
    """Do it; return how many seconds that took."""
    began_s = time.perf_counter()
    work()
    return time.perf_counter() - began_s
