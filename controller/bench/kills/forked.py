# SPDX-License-Identifier: MIT
"""
Start tables from a process that has imported the program already.

Each table is a process of its own that runs the command as a person types it. Only the imports
are shared; they take two thirds of a start.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

PROGRAM = "controller.cli.main"
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
        reader, writer = SERVER.Pipe(duplex=False)
        with reader, writer:
            self._process = SERVER.Process(
                target=_run_command, args=(tuple(arguments), writer, str(log)), daemon=True
            )
            self._process.start()
            self._words: IO[str] = os.fdopen(os.dup(reader.fileno()), errors="replace")

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def stdout(self) -> IO[str]:
        return self._words

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


def _run_command(arguments: Sequence[str], words: Connection, log: str) -> None:
    """Run the command in this process, with its output where it belongs."""
    with open(log, "wb") as errors:
        os.dup2(words.fileno(), sys.stdout.fileno())
        os.dup2(errors.fileno(), sys.stderr.fileno())
    words.close()
    sys.argv = [PROGRAM, *arguments]
    # It runs once more as the main module; what it imported stays.
    sys.modules.pop(PROGRAM, None)
    runpy.run_module(PROGRAM, run_name="__main__")
