# SPDX-License-Identifier: MIT
"""Ties that are broken by what the choices cost, as the server writes it into the journal."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from controller.base.errors import RefusedError
from controller.history.analysis.apart import run_apart
from controller.journal.hashchain import decode_entry
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.entries.game_entries import RollRuling
from controller.tournament.results.play_costs import event_costs
from controller.tournament.results.play_costs.costs_codec import answer_question
from controller.tournament.results.play_costs.event_costs import EventCosts
from controller.tournament.state.state import EventState
from tests.support.running_event import RunningEvent, run_event
from tests.support.tournament_store import list_lines


def play_a_tie(event: RunningEvent) -> None:
    """Two choices that count the same, of which one leaves a better sheet."""
    event.play_roll("7+8/3", "4+10/4", games=1, tie_break="costs")


def count_costs(event: RunningEvent) -> int:
    return [decode_entry(line.line).kind for line in list_lines(event.store)].count("costs")


def list_rows(state: EventState) -> list[tuple[str, int, str]]:
    rows = state.compute_standings().rows
    return [(row.name, row.place, row.decided_by) for row in rows]


def publish(event: RunningEvent) -> None:
    event.runner.propose(
        lambda state: EventResult(state.compute_standings().list_places(), by="Olga")
    ).result()


def test_the_result_waits_for_the_costs_that_break_a_tie(tmp_path: Path) -> None:
    may_answer = threading.Event()

    def answer(question: str) -> str:
        may_answer.wait()
        return answer_question(question)

    with run_event(tmp_path) as event:
        EventCosts(event.runner, answer)
        play_a_tie(event)
        assert event.runner.read(list_rows) == [("Ada", 1, ""), ("Ben", 1, "")]
        event.close_game()
        with pytest.raises(RefusedError, match="expected what the choices of game 1 cost"):
            publish(event)
        may_answer.set()
        event.wait_until(lambda state: state.data.costs)
        assert event.runner.read(list_rows) == [("Ben", 1, "costs"), ("Ada", 2, "costs")]
        publish(event)
        event.wait_until(lambda state: state.data.result)


def test_a_ruling_has_the_game_judged_again(tmp_path: Path) -> None:
    with run_event(tmp_path) as event:
        EventCosts(event.runner, answer_question)
        play_a_tie(event)
        event.close_game()
        event.wait_until(lambda state: state.data.costs)
        first = event.runner.read(lambda state: state.data.costs[1].costs)
        event.write(RollRuling(1, 1, "recompute", "Olga", "seen by two officials", faces="13346"))
        event.wait_until(lambda state: state.data.rulings and state.data.costs)
        assert event.runner.read(lambda state: state.data.costs[1].costs) != first
        assert count_costs(event) == 2


def test_a_server_that_was_killed_judges_after_its_start(tmp_path: Path) -> None:
    """And two servers of one event write it once."""
    with run_event(tmp_path) as event:
        play_a_tie(event)
        event.close_game()
    with run_event(tmp_path) as event:
        costs = [EventCosts(event.runner, answer_question) for _ in range(2)]
        event.wait_until(lambda state: state.data.costs)
        for each in costs:
            while not each.read().is_complete:
                threading.Event().wait(0.02)
        assert count_costs(event) == 1
        assert event.runner.read(list_rows)[0] == ("Ben", 1, "costs")


def test_a_killed_process_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "killed.py").write_text("import os; os.kill(os.getpid(), 9)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(event_costs, "RETRY_S", 0.0)
    failures: list[OSError] = []

    def answer(question: str) -> str:
        if failures:
            return answer_question(question)
        with pytest.raises(OSError, match="no answer") as failed:
            run_apart("killed", question)
        failures.append(failed.value)
        raise failed.value

    with run_event(tmp_path) as event:
        EventCosts(event.runner, answer)
        play_a_tie(event)
        event.close_game()
        event.wait_until(lambda state: state.data.costs)
        assert failures
        assert count_costs(event) == 1
