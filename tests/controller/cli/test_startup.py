# SPDX-License-Identifier: MIT
"""A request to end the table counts at whatever moment the signal comes."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from controller.cli.startup import install_stop_handler

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

    stop, before = install_stop_handler(), sys.gettrace()
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
