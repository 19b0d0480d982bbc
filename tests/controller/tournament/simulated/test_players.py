# SPDX-License-Identifier: MIT
"""Simulated players join a real server over HTTP and play whole rolls."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.tournament.simulated.players import PlayerPace, SimulatedPlayers
from controller.tournament.state.state import EventState
from tests.support.running_event import run_event, serve_pages

COUNT = 25
ROLLS = ("13446", "22356", "11456")
QUICK = PlayerPace(joins_s=0.0, least_s=0.0, most_s=0.05)


def is_closed(state: EventState, number: int) -> bool:
    return count_closed(state) == number


def count_closed(state: EventState) -> int:
    return sum(not roll.is_open for game in state.data.games for roll in game.rolls)


def is_played(state: EventState, number: int) -> bool:
    """Return whether a roll is closed, or only waits for the reserve roll of a Terminator."""
    rolls = state.data.games[0].rolls if state.data.games else []
    is_waiting = (
        len(rolls) == number > count_closed(state) and rolls[-1].awaiting == rolls[-1].asked
    )
    return count_closed(state) == number or is_waiting


def test_simulated_players_join_and_choose(tmp_path: Path) -> None:
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(games=1)
        players = SimulatedPlayers(pages.url, COUNT, seed=1, pace=QUICK)
        players.start()
        try:
            event.wait_until(lambda state: len(state.data.people) == COUNT)
            event.open_game()
            for number, faces in enumerate(ROLLS, start=1):
                event.throw(faces)
                event.wait_until(partial(is_played, number=number))
                if event.runner.read(count_closed) < number:
                    event.throw("12345")
                    event.wait_until(partial(is_closed, number=number))
        finally:
            players.close()
        rolls = event.runner.read(lambda state: state.data.games[0].rolls)
        assert [len(roll.choices) for roll in rolls if not roll.is_open] == [COUNT] * len(ROLLS)
        names = event.runner.read(lambda state: [p.name for p in state.data.people.list_players()])
        assert len({*names}) == COUNT
        assert [player.refused for player in players.players] == [[]] * COUNT
