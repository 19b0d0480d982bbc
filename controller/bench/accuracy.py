# SPDX-License-Identifier: MIT
"""
Measure how often a reading is exact, doubted or wrong, on scenes that the reader never saw.

The seeds lie beyond those of training. Every process draws and reads scenes, because drawing
takes far longer than reading. Ctrl-C prints the results so far.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from multiprocessing import get_context

from controller.bench.scene_accuracy import ExamOptions, SceneResult, examine
from vision.image_files import limit_to_one_thread

_BATCH = 4


def examine_seeds(
    first_seed: int, scenes: int, exam: ExamOptions, *, jobs: int
) -> list[SceneResult]:
    """
    Examine the reader on the scenes of seeds in a row.

    Args:
        first_seed: The seed of the first scene.
        scenes: How many; fewer come back where the keyboard interrupts it.
        exam: How it is held.
        jobs: How many processes draw and read.

    Raises:
        OSError: A picture cannot be kept.
    """
    end = first_seed + scenes
    batches = [range(seed, min(seed + _BATCH, end)) for seed in range(first_seed, end, _BATCH)]
    return collect(_run_batches(batches, exam, jobs), scenes)


def collect(batches: Iterable[list[SceneResult]], scenes: int) -> list[SceneResult]:
    """Collect results until the last one or Ctrl-C; a terminal shows the progress."""
    results: list[SceneResult] = []
    try:
        for batch in batches:
            results += batch
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(results)} of {scenes} scenes\r")
    except KeyboardInterrupt:
        sys.stderr.write(f"stopped after {len(results)} of {scenes} scenes\n")
    return results


def _run_batches(batches: list[range], exam: ExamOptions, jobs: int) -> Iterator[list[SceneResult]]:
    # A process that is forked off one with threads may hang; a new one may not.
    with get_context("spawn").Pool(min(jobs, len(batches)), _init_worker) as pool:
        yield from pool.imap_unordered(partial(_examine_batch, exam), batches)


def _init_worker() -> None:
    """Make a process ready: one thread, and Ctrl-C is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_to_one_thread()


def _examine_batch(exam: ExamOptions, seeds: range) -> list[SceneResult]:
    return list(examine(seeds, exam))
