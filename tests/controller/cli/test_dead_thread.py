# SPDX-License-Identifier: MIT
"""A thread that dies takes its process with it."""

from __future__ import annotations

import subprocess
import sys

from controller.cli.main import DEAD_THREAD_STATUS

PROGRAM = """
import threading
from controller.cli.main import end_with_thread

def die():
    raise RuntimeError("the lens fell off")

threading.excepthook = end_with_thread
threading.Thread(target=die, name="watch").start()
threading.Event().wait(300)
"""


def test_the_process_ends_at_once_and_names_the_thread() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == DEAD_THREAD_STATUS
    assert "the lens fell off" in done.stderr
    assert "the thread 'watch' died" in done.stderr
