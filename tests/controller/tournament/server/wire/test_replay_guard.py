# SPDX-License-Identifier: MIT
"""A signed request counts once, whatever the clock of the server does."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from controller.base.errors import InputError
from controller.tournament.server.wire.http_signature import SignedMessage
from controller.tournament.server.wire.replay_guard import ReplayGuard

BEGAN_S = 1_795_000_000


@dataclass
class WallClock:
    """A wall clock that a test sets."""

    now_s: float = BEGAN_S

    def __call__(self) -> float:
        return self.now_s


def sign(created_s: float, nonce: str) -> SignedMessage:
    return SignedMessage("a" * 64, int(created_s), nonce)


@pytest.mark.parametrize("jump_s", [-86_400, -3_600, 3_600, 86_400])
def test_a_clock_that_jumps_refuses_no_new_request(jump_s: int) -> None:
    clock = WallClock()
    guard = ReplayGuard(clock)
    guard.admit(sign(clock.now_s, "first"))
    clock.now_s += 300
    guard.admit(sign(clock.now_s, "before"))
    clock.now_s += jump_s
    with pytest.raises(InputError, match="a request signed between"):
        guard.admit(sign(clock.now_s - jump_s, "old time"))
    for number in range(5):
        guard.admit(sign(clock.now_s, f"after {number}"))
        with pytest.raises(InputError, match="a nonce that was not used before"):
            guard.admit(sign(clock.now_s, f"after {number}"))
        clock.now_s += 50
    # What the old time let in is forgotten in time, so memory does not fill up.
    assert len(guard) <= 5


def test_a_clock_set_back_lets_no_request_in_twice() -> None:
    clock = WallClock()
    guard = ReplayGuard(clock)
    clock.now_s += 600
    guard.admit(sign(clock.now_s, "once"))
    clock.now_s -= 90
    with pytest.raises(InputError):
        guard.admit(sign(clock.now_s + 90, "once"))
    clock.now_s += 60
    with pytest.raises(InputError, match="a nonce that was not used before"):
        guard.admit(sign(clock.now_s + 30, "once"))
