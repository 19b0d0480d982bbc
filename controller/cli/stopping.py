# SPDX-License-Identifier: MIT
"""
End the process when it should stop, whatever hangs in it.

A driver may hang in the kernel or in a library, and Python cannot interrupt it. If the interpreter
ends while such a thread is inside OpenCV, the process aborts. So what must stay is on the disk
before devices are closed, and then the process ends without its threads.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from controller.base.logs import Log

STOP_TIMEOUT_S = 4.0
"""The time for closing everything; a working table takes about one second."""

_LOG = Log("app")


class StopRequest:
    """
    A request to end the program.

    Unlike an `Event`, a signal handler may set it at any moment. An `Event` deadlocks if it is set
    while the same thread holds its lock, in `wait` or in `set`.

    Args:
        wake_fd: A pipe that gets a byte with every request.
    """

    def __init__(self, wake_fd: int) -> None:
        self._is_set = False
        self._requests: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._wake_fd = wake_fd

    def set(self) -> None:
        """Request the end; safe to repeat."""
        self._is_set = True
        self._requests.put(None)
        with contextlib.suppress(BlockingIOError):  # it is full of requests
            os.write(self._wake_fd, b"\0")

    def is_set(self) -> bool:
        return self._is_set

    def wait(self) -> None:
        """Wait for the request; one thread may call it, once."""
        self._requests.get()


@contextlib.contextmanager
def handle_stop() -> Iterator[StopRequest]:
    """
    Give a request to end that Ctrl-C or a service manager sets.

    Enter it before anything is opened, so that everything is closed in order. If that takes longer
    than `STOP_TIMEOUT_S`, the process ends with status 0.
    """
    wake_fd, set_fd = os.pipe()
    os.set_blocking(set_fd, False)
    stop, is_closed = StopRequest(set_fd), threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    def limit() -> None:
        os.read(wake_fd, 1)
        if not is_closed.wait(STOP_TIMEOUT_S):
            _end_late()

    numbers = (signal.SIGINT, signal.SIGTERM)
    handlers = {number: signal.signal(number, on_signal) for number in numbers}
    # A handler waits until the main thread runs Python; this byte comes at once, even if the main
    # thread hangs in a driver.
    wake_before = signal.set_wakeup_fd(set_fd, warn_on_full_buffer=False)
    limiting = threading.Thread(target=limit, name="stop", daemon=True)
    limiting.start()
    try:
        yield stop
    finally:
        is_closed.set()
        signal.set_wakeup_fd(wake_before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        stop.set()
        limiting.join()
        os.close(wake_fd)
        os.close(set_fd)


def end_process(status: int) -> None:
    """End the process if threads are left, which may hang; otherwise return."""
    if _other_threads():
        sys.stdout.flush()
        logging.shutdown()
        os._exit(status)


def _end_late() -> None:
    left = _other_threads()
    _LOG.error("closing takes too long, so the process ends", threads=left)
    logging.shutdown()
    os._exit(0)


def _other_threads() -> str:
    """Return the names of the threads beside the main one and the calling one."""
    known = (threading.main_thread(), threading.current_thread())
    return ", ".join(each.name for each in threading.enumerate() if each not in known)
