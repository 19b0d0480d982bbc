# SPDX-License-Identifier: MIT
"""Clocks: both go forwards only, and a stepped one costs no time."""

from __future__ import annotations

import threading

from hardware.clock import MonotonicClock, SteppedClock


def test_stepped_clock_stands_still_until_somebody_waits() -> None:
    clock = SteppedClock(5.0)
    assert clock.now_s() == clock.now_s() == 5.0
    clock.wait_s(3600.0)
    assert clock.now_s() == 3605.0


def test_no_clock_runs_backwards() -> None:
    stepped, monotonic = SteppedClock(), MonotonicClock()
    stepped.wait_s(-1.0)
    assert stepped.now_s() == 0.0
    before_s = monotonic.now_s()
    monotonic.wait_s(-1.0)
    assert monotonic.now_s() >= before_s


def test_waiting_on_the_machines_clock_takes_that_long() -> None:
    clock = MonotonicClock()
    before_s = clock.now_s()
    clock.wait_s(0.002)
    assert clock.now_s() - before_s >= 0.002


def test_stepped_clock_counts_the_waiting_of_all_threads() -> None:
    clock = SteppedClock()

    def wait_often() -> None:
        for _ in range(200):
            clock.wait_s(0.5)

    waiters = [threading.Thread(target=wait_often) for _ in range(4)]
    for waiter in waiters:
        waiter.start()
    for waiter in waiters:
        waiter.join()
    assert clock.now_s() == 400.0
