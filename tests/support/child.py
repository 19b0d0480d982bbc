# SPDX-License-Identifier: MIT
"""
Run `dicebell` as a child that ends with its parent: `python -m tests.support.child demo`.

A benchmark may be killed too, and its table would otherwise play on forever. Standard input is a
pipe that only the parent holds open, so its end is the end of the parent.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
from collections.abc import Sequence

PROGRAM = "controller.cli.main"


def run_program(arguments: Sequence[str], program: str = PROGRAM) -> None:
    """Run `dicebell`, or what is given in its place, in this process, as a person starts it."""
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    sys.argv = [program, *arguments]
    # A forked child has imported it already; it runs once more as the main module.
    sys.modules.pop(program, None)
    runpy.run_module(program, run_name="__main__", alter_sys=True)


def _end_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    run_program(sys.argv[1:])
