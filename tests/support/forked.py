# SPDX-License-Identifier: MIT
"""
Start tables from a process that has imported the program already.

Each table is a process of its own that runs the command as a person types it. Only the imports
are shared; they take two thirds of a start.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection
from typing import IO

from tests.support.child import PROGRAM, run_program

SERVER = multiprocessing.get_context("forkserver")
# A desk imports its server on demand.
IMPORTED = (PROGRAM, "controller.cli.demo", "controller.cli.event.server")
SERVER.set_forkserver_preload(["__main__", __name__, *IMPORTED])


class ForkedCommand:
    """A running `dicebell`, or a `program` in its place; a `StartedProcess`."""

    def __init__(self, arguments: Sequence[str], program: str = PROGRAM) -> None:
        with ExitStack() as handed_over:
            words, output = map(handed_over.enter_context, SERVER.Pipe(duplex=False))
            source, life = map(handed_over.enter_context, SERVER.Pipe(duplex=False))
            self._process = SERVER.Process(
                target=_run_command,
                args=(tuple(arguments), program, dict(os.environ), source, output),
                daemon=True,
            )
            self._process.start()
            self._stdin: IO[str] = os.fdopen(os.dup(life.fileno()), "w")
            self._stdout: IO[str] = os.fdopen(os.dup(words.fileno()), errors="replace")

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def stdin(self) -> IO[str]:
        return self._stdin

    @property
    def stdout(self) -> IO[str]:
        return self._stdout

    def kill(self) -> None:
        self._process.kill()

    def send_signal(self, sig: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, sig)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired("dicebell", timeout or 0.0)
        return status


def _run_command(
    arguments: Sequence[str],
    program: str,
    environment: Mapping[str, str],
    source: Connection,
    output: Connection,
) -> None:
    os.environ.update(environment)
    # A new interpreter would have read it.
    libraries = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [each for each in libraries if each and each not in sys.path]
    os.dup2(source.fileno(), sys.stdin.fileno())
    for descriptor in (1, 2):
        os.dup2(output.fileno(), descriptor)
    # Streams that were opened on files would seek in the pipe.
    sys.stdout, sys.stderr = (open(each, "w", buffering=1, closefd=False) for each in (1, 2))
    source.close()
    output.close()
    run_program(arguments, program)
