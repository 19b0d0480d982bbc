# SPDX-License-Identifier: MIT
"""A request to end the table counts at whatever moment it comes, and threads do not prevent it."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from controller.cli.stopping import handle_stop

HANGS_S = 60.0


def fail_as_hung(number: int, frame: FrameType | None) -> None:
    raise AssertionError("the handler waits for itself")


@pytest.fixture(autouse=True)
def _handlers_as_before() -> Iterator[None]:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    handlers = {number: signal.getsignal(number) for number in numbers}
    signal.signal(signal.SIGALRM, fail_as_hung)
    signal.setitimer(signal.ITIMER_REAL, HANGS_S)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    for number, handler in handlers.items():
        signal.signal(number, handler)


def stop_twice(moment: int) -> bool:
    """Send a second signal at this line of the first one's handler; return whether it was sent."""
    lines = itertools.count()
    is_sent = False

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal is_sent
        if event == "line" and next(lines) == moment:
            is_sent = True
            os.kill(os.getpid(), signal.SIGINT)
        return trace

    before = sys.gettrace()
    with handle_stop() as stop:
        sys.settrace(trace)
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            stop.is_set()  # the handler has run before this returns
        finally:
            sys.settrace(before)
        stop.wait()
        assert stop.is_set()
    return is_sent


def test_a_second_signal_during_the_first_hangs_nothing() -> None:
    moments = list(itertools.takewhile(stop_twice, itertools.count()))
    assert len(moments) >= 3, "the handler has several lines"


BUSY_THREAD = """
import itertools
import sys
import threading

import cv2
import numpy as np

from controller.cli.main import main

def blur():
    picture = np.zeros((2000, 2000, 3), np.uint8)
    for _ in itertools.count():
        is_busy.set()
        cv2.GaussianBlur(picture, (31, 31), 3)

is_busy = threading.Event()
threading.Thread(target=blur, daemon=True).start()
is_busy.wait()
sys.argv = ["dicebell", "run", "--print-config"]
sys.exit(main())
"""


def test_a_thread_inside_opencv_does_not_abort_the_end() -> None:
    command = [sys.executable, "-c", BUSY_THREAD]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "[camera]" in done.stdout
