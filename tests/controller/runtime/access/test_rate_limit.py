# SPDX-License-Identifier: MIT
"""Wrong tries: a few are free, then the waits grow, and only time ends them."""

from __future__ import annotations

import threading

import pytest

from controller.runtime.access.rate_limit import (
    ALL_CLIENTS,
    FORGOTTEN_AFTER_S,
    MOST_CLIENTS,
    ONE_CLIENT,
    ClientGroup,
    LoginClient,
    LoginThrottle,
    WrongCounts,
)
from hardware.clock import SteppedClock


class Eye:
    def __init__(self) -> None:
        self.looked = 0

    def __call__(self) -> bool:
        self.looked += 1
        return False


BOX, KNOWN = LoginClient(ClientGroup.BOX), LoginClient(ClientGroup.KNOWN, "number")


def other(name: str) -> LoginClient:
    return LoginClient(ClientGroup.OTHER, name)


PHONE = other("phone")


def wrong(attempts: LoginThrottle, who: LoginClient = PHONE) -> float:
    is_right, wait_s = attempts.attempt(who, lambda: False)
    assert not is_right
    return wait_s


def right(attempts: LoginThrottle, who: LoginClient = PHONE) -> bool:
    return attempts.attempt(who, lambda: True)[0]


def test_the_waits_of_one_client_grow_up_to_the_longest() -> None:
    clock = SteppedClock()
    attempts = LoginThrottle(clock)
    waits = []
    for _ in range(12):
        waits.append(wrong(attempts))
        clock.wait_s(waits[-1])
    assert waits == [0, 0, 5, 10, 20, 40, 80, 160, 320, 600, 600, 600]
    assert waits[-1] == ONE_CLIENT.longest_s


def test_a_right_secret_counts_after_the_wait_and_ends_all_waits() -> None:
    clock = SteppedClock()
    attempts = LoginThrottle(clock)
    for _ in range(3):
        wrong(attempts)
    assert not right(attempts)
    clock.wait_s(4.9)
    assert not right(attempts)
    clock.wait_s(0.2)
    assert right(attempts)
    assert wrong(attempts) == 0


def test_a_try_during_a_wait_is_not_checked_and_adds_no_wait() -> None:
    clock = SteppedClock()
    attempts = LoginThrottle(clock)
    for _ in range(3):
        wrong(attempts)
    eye = Eye()
    for _ in range(10):
        attempts.attempt(PHONE, eye)
    assert eye.looked == 0
    clock.wait_s(5.1)
    assert right(attempts)


def test_one_client_that_fumbles_keeps_no_other_out() -> None:
    attempts = LoginThrottle(SteppedClock())
    for _ in range(3):
        wrong(attempts, other("thief"))
    assert right(attempts, other("official"))


def test_many_clients_together_wait_too() -> None:
    attempts = LoginThrottle(SteppedClock())
    waits = [wrong(attempts, other(f"client {number}")) for number in range(ALL_CLIENTS.free)]
    assert waits[-2:] == [0, ALL_CLIENTS.first_s]
    assert not right(attempts, other("somebody else"))


@pytest.mark.parametrize(
    ("group", "most"),
    [(ClientGroup.OTHER, 1500), (ClientGroup.KNOWN, 1500), (ClientGroup.BOX, 160)],
)
def test_guesses_of_a_day_are_as_few_as_documented(group: ClientGroup, most: int) -> None:
    """`docs/access.md` says how likely it is that a PIN is guessed."""
    clock, eye, day_s = SteppedClock(), Eye(), 24 * 3600
    attempts = LoginThrottle(clock)
    while clock.now_s() < day_s:
        name = "" if group is ClientGroup.BOX else str(eye.looked)
        _, wait_s = attempts.attempt(LoginClient(group, name), eye)
        clock.wait_s(wait_s)
    assert most * 0.9 < eye.looked <= most


def test_a_long_secret_makes_nobody_wait_for_others() -> None:
    attempts = LoginThrottle(SteppedClock(), together=None)
    for number in range(10 * ALL_CLIENTS.free):
        wrong(attempts, other(f"client {number}"))
    assert right(attempts, other("table"))
    assert [wrong(attempts) for _ in range(3)] == [0, 0, ONE_CLIENT.first_s]


def test_after_a_long_quiet_time_all_is_forgotten() -> None:
    clock = SteppedClock()
    attempts = LoginThrottle(clock)
    for number in range(ALL_CLIENTS.free):
        wrong(attempts, other(f"client {number % 2}"))
        clock.wait_s(ONE_CLIENT.longest_s)
    clock.wait_s(FORGOTTEN_AFTER_S + 1)
    assert [wrong(attempts, other("client 0")) for _ in range(3)] == [0, 0, ONE_CLIENT.first_s]


def test_ever_new_clients_do_not_fill_the_memory() -> None:
    clock = SteppedClock()
    attempts = LoginThrottle(clock)
    for number in range(MOST_CLIENTS + 50):
        clock.wait_s(ALL_CLIENTS.longest_s)
        wrong(attempts, other(str(number)))
    assert len(attempts) <= MOST_CLIENTS


def test_simultaneous_tries_are_checked_one_after_the_other() -> None:
    attempts, eye = LoginThrottle(SteppedClock()), Eye()
    start = threading.Barrier(10)

    def rush() -> None:
        start.wait()
        attempts.attempt(PHONE, eye)

    threads = [threading.Thread(target=rush) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert eye.looked == ONE_CLIENT.free


def test_the_box_and_known_browsers_wait_too() -> None:
    for who in (BOX, KNOWN):
        attempts = LoginThrottle(SteppedClock())
        assert [wrong(attempts, who) for _ in range(3)] == [0, 0, ONE_CLIENT.first_s]
        assert not right(attempts, who)
        assert right(attempts)


def test_counts_go_on_in_the_next_run() -> None:
    clock, noted = SteppedClock(), list[WrongCounts]()
    attempts = LoginThrottle(clock, noted.append)
    for number in range(ALL_CLIENTS.free - 1):
        wrong(attempts, other(f"client {number}"))
    for _ in range(4):
        wrong(attempts, KNOWN)
        clock.wait_s(ONE_CLIENT.first_s)
    later = LoginThrottle(SteppedClock())
    later.resume(noted[-1])
    assert not right(later, KNOWN)
    assert wrong(later, other("client 99")) == ALL_CLIENTS.first_s
    assert not right(later, PHONE)


def test_a_right_secret_is_noted_where_wrong_ones_were() -> None:
    noted = list[WrongCounts]()
    attempts = LoginThrottle(SteppedClock(), noted.append)
    right(attempts)
    assert noted == []
    wrong(attempts)
    right(attempts)
    assert [counts["other"] for counts in noted] == [{"*": 1, "phone": 1}, {"*": 1}]
