# SPDX-License-Identifier: MIT
"""Run a module in a process of low priority, because a coach may compute for seconds."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import controller

LONGEST_S = 1800.0
NICENESS = 10
"""A busy table gets ten times as much of a core; a lower priority might never get any."""


def run_apart(module: str, text: str) -> str:
    """
    Return what a module prints about a text on its standard input.

    Raises:
        OSError: The process cannot be started, or ended badly.
        subprocess.SubprocessError: It took too long and was stopped.
    """
    # The program may run from a checkout that is not installed.
    root, given = str(Path(controller.__file__).parents[1]), os.environ.get("PYTHONPATH")
    with subprocess.Popen(
        [sys.executable, "-m", module],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (root, given))),
            # Libraries of numpy would start a thread for each core.
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as running:
        # A service may not be allowed to; the work is done all the same.
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, running.pid, NICENESS)
        try:
            output, errors = running.communicate(text, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    if running.returncode:
        raise OSError((errors.strip().splitlines() or ["no answer"])[-1])
    return output
