# SPDX-License-Identifier: MIT
"""An event that runs in a real store: what follows by itself, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.game_entries import ChoiceMade
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import CLOCK_MS
from tests.support.running_event import RunningEvent, run_event


@pytest.fixture
def event(tmp_path: Path) -> Iterator[RunningEvent]:
    with run_event(tmp_path) as event:
        event.begin(games=1)
        event.write(PlayerJoined(1, "Ada", "a" * 64))
        event.write(PlayerJoined(2, "Ben", "b" * 64))
        event.open_game()
        yield event


def open_number(state: EventState) -> int:
    roll = state.data.open_roll
    return roll.number if roll else 0


def test_rolls_open_and_close_by_themselves(event: RunningEvent) -> None:
    event.throw("13446")
    event.wait_until(lambda state: open_number(state) == 1)
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)), seat=1)
    event.write(ChoiceMade(1, 1, 2, ("4+10/4",)), seat=2)
    event.wait_until(lambda state: not open_number(state))
    event.throw("22356")
    event.wait_until(lambda state: open_number(state) == 2)
    event.clock.shift_ms += CLOCK_MS
    event.wait_until(lambda state: not open_number(state))
    played = event.runner.read(lambda state: state.data.games[0].rolls[1].played)
    assert [choice.is_automatic for choice in played.values()] == [True, True]


@pytest.mark.parametrize("jump_ms", [3_600_000, -3_600_000])
def test_a_clock_that_jumps_neither_ends_nor_stretches_a_roll(
    event: RunningEvent, jump_ms: int
) -> None:
    event.throw("13446")
    event.wait_until(lambda state: open_number(state) == 1)
    event.clock.jump_ms = jump_ms
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)), seat=1)
    event.wait_until(lambda state: state.data.games[0].rolls[0].choices)
    assert event.runner.read(open_number) == 1
    event.clock.shift_ms += CLOCK_MS
    event.wait_until(lambda state: not open_number(state))
    event.throw("22356")
    event.wait_until(lambda state: open_number(state) == 2)
    until_ms = event.runner.read(lambda state: state.data.games[0].rolls[1].until_ms)
    assert until_ms == pytest.approx(event.clock.now_ms() + CLOCK_MS, abs=CLOCK_MS / 2)


def test_many_who_join_at_once_get_numbers_of_their_own(event: RunningEvent) -> None:
    def join(state: EventState) -> EventEntry:
        number = len(state.data.people) + 1
        return PlayerJoined(number, f"Player {number}")

    joined = [event.runner.propose(join) for _ in range(50)]
    assert [future.result().body["player"] for future in joined] == list(range(3, 53))


def test_only_what_a_page_shows_counts_as_changed(event: RunningEvent) -> None:
    event.throw("13446")
    event.wait_until(lambda state: open_number(state) == 1)
    revisions = event.runner.revisions
    shared, choices, players = revisions.shared, revisions.choices, dict(revisions.players)
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)), seat=1)
    event.wait_until(lambda state: state.data.games[0].rolls[0].choices)
    assert (revisions.shared, revisions.choices) == (shared, choices + 1)
    assert dict(revisions.players) == {**players, 1: players[1] + 1}
