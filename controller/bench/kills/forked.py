# SPDX-License-Identifier: MIT
"""
Start tables from a process that has imported the program already.

Each table is a process of its own that runs the command as a person types it. Only the imports
are shared; they take two thirds of a start.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from controller.bench.soak.child import PROGRAM, run_program

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["__main__", __name__, PROGRAM, "controller.cli.demo"])


class ForkedCommand:
    """
    A running command; a `ChildProcess`.

    Args:
        arguments: Of `dicebell`.
        log: The file for what it prints for errors.
    """

    def __init__(self, arguments: Sequence[str], log: Path) -> None:
        with ExitStack() as handed_over:
            words, output = map(handed_over.enter_context, SERVER.Pipe(duplex=False))
            source, life = map(handed_over.enter_context, SERVER.Pipe(duplex=False))
            self._process = SERVER.Process(
                target=_run_command, args=(tuple(arguments), source, output, str(log)), daemon=True
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

    def terminate(self) -> None:
        self._process.terminate()

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise TimeoutError
        return status


def _run_command(
    arguments: Sequence[str], source: Connection, output: Connection, log: str
) -> None:
    """Run the command in this process, with its input and output where they belong."""
    with open(log, "wb") as errors:
        os.dup2(source.fileno(), sys.stdin.fileno())
        os.dup2(output.fileno(), sys.stdout.fileno())
        os.dup2(errors.fileno(), sys.stderr.fileno())
    source.close()
    output.close()
    run_program(arguments)
