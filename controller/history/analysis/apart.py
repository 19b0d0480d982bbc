# SPDX-License-Identifier: MIT
"""Run a module in a process of low priority, because it computes for seconds."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import controller

LONGEST_S = 1800.0
NICENESS = 10
"""A busy table gets ten times as much of a core; a lower priority might never get any."""


# Libraries of numpy would start a thread for each core.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def run_apart(module: str, text: str) -> str:
    """Return what a module prints about a text; raises as `run_module`, OSError if it fails."""
    status, output, errors = run_module([module], text, environment=_ONE_THREAD)
    if status:
        raise OSError((errors.strip().splitlines() or ["no answer"])[-1])
    return output


def run_module(
    words: Sequence[str], text: str = "", *, environment: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """
    Run a module of the program to its end; return its exit status, output and errors.

    OSError if it cannot be started; subprocess.SubprocessError if it took too long and was stopped.
    """
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        env={**find_environment(), **(environment or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as running:
        # A service may not be allowed to; the work is done all the same.
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, running.pid, NICENESS)
        try:
            output, errors = running.communicate(text, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    return running.returncode, output, errors


def find_environment() -> dict[str, str]:
    """Return the environment in which a process finds this program, installed or a checkout."""
    root, given = str(Path(controller.__file__).parents[1]), os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, given)))}
