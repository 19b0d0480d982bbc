# SPDX-License-Identifier: MIT
"""Files become public when they are old enough, and only so many wait."""

from __future__ import annotations

import pytest

from controller.tournament.results.public_files import pack_json
from controller.tournament.results.publisher import (
    MOST_WAITING,
    SHORTEST_PAUSE_S,
    DelayedFiles,
    PublicFiles,
)


def files(number: int) -> PublicFiles:
    return {"event.json": pack_json(number)}


def test_files_become_public_in_their_order() -> None:
    delayed = DelayedFiles(60.0)
    delayed.add(0.0, files(1))
    delayed.add(3.0, files(2))
    delayed.add(6.0, files(3))
    assert delayed.take_due(59.9) is None
    assert delayed.take_due(60.0) == files(1)
    assert delayed.take_due(60.5) is None
    assert delayed.find_wait_s(60.5) == pytest.approx(2.5)
    # Who was late shows the newest that is old enough.
    assert delayed.take_due(70.0) == files(3)
    assert delayed.find_wait_s(70.0) is None


@pytest.mark.parametrize(("delay_s", "pause_s"), [(0.0, SHORTEST_PAUSE_S), (600.0, 30.0)])
def test_a_long_delay_has_longer_pauses(delay_s: float, pause_s: float) -> None:
    assert DelayedFiles(delay_s).pause_s == pause_s
    assert delay_s / pause_s <= MOST_WAITING


def test_equal_states_give_equal_files() -> None:
    assert files(1) == files(1)
    assert files(1)["event.json"].tag != files(2)["event.json"].tag
    assert files(1)["event.json"].content == b"1\n"
