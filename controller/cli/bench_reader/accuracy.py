# SPDX-License-Identifier: MIT
"""
Measure how often a reading is exact, doubted or wrong, on scenes that the reader never saw.

The seeds lie beyond those of training. Every process draws and reads scenes, because drawing
takes far longer than reading. Ctrl-C prints the results so far.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from controller.cli.bench_reader.scene_accuracy import ExamOptions, SceneResult, examine
from controller.cli.bench_reader.sessions.examine import SessionResult
from vision.image_files import limit_to_one_thread

Batch = TypeVar("Batch")
Result = TypeVar("Result")

_BATCH = 4


def examine_seeds(
    first_seed: int, scenes: int, exam: ExamOptions, *, jobs: int
) -> list[SceneResult]:
    """
    Examine the reader on the scenes of seeds in a row; the keyboard may interrupt it.

    Raises:
        OSError: A picture cannot be kept.
    """
    end = first_seed + scenes
    batches = [range(seed, min(seed + _BATCH, end)) for seed in range(first_seed, end, _BATCH)]
    return collect(_run_all(partial(_examine_scenes, exam), batches, jobs), scenes)


def examine_tables(
    first_seed: int, sessions: int, examine_one: Callable[[int], SessionResult], *, jobs: int
) -> list[SessionResult]:
    """
    Examine the reader at the tables of seeds in a row, as `examine_seeds` does on scenes.

    Raises:
        OSError: A picture cannot be kept.
    """
    seeds = range(first_seed, first_seed + sessions)
    results = ([result] for result in _run_all(examine_one, seeds, jobs))
    return sorted(collect(results, sessions, of="sessions"), key=lambda result: result.seed)


def collect(batches: Iterable[list[Result]], count: int, *, of: str = "scenes") -> list[Result]:
    """Collect results until the last one or Ctrl-C; a terminal shows the progress."""
    results: list[Result] = []
    try:
        for batch in batches:
            results += batch
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(results)} of {count} {of}\r")
    except KeyboardInterrupt:
        sys.stderr.write(f"stopped after {len(results)} of {count} {of}\n")
    return results


def _run_all(
    work: Callable[[Batch], Result], batches: Sequence[Batch], jobs: int
) -> Iterator[Result]:
    # Told to end, it ends its processes too, as after Ctrl-C.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # A process that is forked off one with threads may hang; a new one may not.
        with get_context("spawn").Pool(min(jobs, len(batches)), _init_worker) as pool:
            yield from pool.imap_unordered(work, batches)
    finally:
        signal.signal(signal.SIGTERM, before)


def _init_worker() -> None:
    """Make a process ready: one thread, and Ctrl-C is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limit_to_one_thread()


def _examine_scenes(exam: ExamOptions, seeds: range) -> list[SceneResult]:
    return list(examine(seeds, exam))
