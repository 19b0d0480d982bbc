# SPDX-License-Identifier: MIT
"""What the choices of a field cost: each from its own sheet, and never before the end."""

from __future__ import annotations

import json
import random
import threading
import urllib.request
from functools import partial
from pathlib import Path

import pytest

from controller.tournament.entries.game_entries import ReserveAsked
from controller.tournament.entries.player_entries import PlayerRenamed
from controller.tournament.results.play_costs import event_costs
from controller.tournament.results.play_costs.costs_codec import (
    answer_question,
    decode_answer,
    encode_question,
)
from controller.tournament.results.play_costs.costs_view import EventCostsView
from controller.tournament.results.play_costs.event_costs import EventCosts
from controller.tournament.results.play_costs.field_costs import compute_costs, list_sheets
from controller.tournament.results.play_costs.season import list_played
from controller.tournament.state.duplicate import solo
from controller.tournament.state.state import EventState
from tests.controller.coach.greedy_coach import GreedyCoach
from tests.controller.tournament.archive.cups import play_tables_cup
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event
from tests.support.running_event import run_event, serve_pages

START = solo.start_sheet("choice", {"jokers": True})


def find_best(faces: str, *, jokers: bool) -> int:
    """Return the best total that one choice from an empty sheet can have."""
    position = solo.give_roll(solo.start_sheet("choice", {"jokers": jokers}), faces)
    judged = GreedyCoach("choice").judge(position, solo.PLAYER)
    return int(max(judged.values()))


def test_each_choice_is_compared_with_the_best_of_its_sheet() -> None:
    """The one whom the clock replaced has no cost; the Terminator has one of its own."""
    event = PlayedEvent(duplicate_event(options={"jokers": True}), 3)
    event.open_game()
    game = event.state.data.games[0]
    event.throw("13446")
    event.choose(1, "4+10/4")
    event.write(ReserveAsked(1, 1, 2))
    event.throw("12245")
    event.choose(2, "corrector 1>5", "4+9/5")
    event.run_out()
    costs = compute_costs(GreedyCoach("choice"), START, list_sheets(game))
    first = solo.play_actions(solo.give_roll(START, "13446"), ("4+10/4",))
    assert costs[1] == {1: find_best("13446", jokers=True) - solo.count_total(first)}
    assert costs[3] == {}
    coach, dealt = GreedyCoach("choice"), solo.give_roll(START, "13446")
    position = solo.give_roll(solo.ask_reserve(dealt), "12245")
    steps = [(dealt, solo.TERMINATOR), (position, "corrector 1>5")]
    steps.append((solo.play_action(position, "corrector 1>5"), "4+9/5"))
    lost = 0.0
    for before, action in steps:
        judged = coach.judge(before, solo.PLAYER)
        lost += max(judged.values()) - judged[action]
    assert costs[2] == {1: lost}
    assert min(cost for own in costs.values() for cost in own.values()) >= 0


def test_a_whole_game_goes_through_a_question_and_its_answer() -> None:
    event = PlayedEvent(duplicate_event(options={"jokers": True}), 6)
    event.open_game()
    event.play_game(random.Random(3), share=0.9)
    sheets = list_sheets(event.state.data.games[0])
    question = encode_question("choice", {"jokers": True}, sheets)
    coach = GreedyCoach("choice", equal_below=10)
    answer = decode_answer(answer_question(question, lambda game, options: coach))
    assert answer is not None
    assert answer.costs == compute_costs(coach, START, sheets)
    assert all(cost == 0 or cost >= 10 for own in answer.costs.values() for cost in own.values())
    assert decode_answer(answer_question(question, lambda game, options: None)) is None


def wait_for(costs: EventCosts) -> EventCostsView:
    while not (view := costs.read()).is_complete:
        threading.Event().wait(0.02)
    return view


def list_totals(state: EventState) -> list[int]:
    totals = state.data.games[0].totals
    return [totals[1], totals[2]]


def test_costs_are_shown_after_a_game_and_never_before(tmp_path: Path) -> None:
    coach = GreedyCoach("choice")
    answer = partial(answer_question, find=lambda game, options: coach)
    with run_event(tmp_path) as event:
        costs = EventCosts(event.runner, answer)
        event.play_roll("4+10/4", "4+8/6")
        assert costs.read() == EventCostsView()
        event.close_game()
        view = wait_for(costs)
        with serve_pages(event, tmp_path, costs=costs) as pages:
            page = urllib.request.urlopen(f"{pages.url}result").read().decode()
            plain = json.load(urllib.request.urlopen(f"{pages.url}costs.json"))
        first = find_best("13446", jokers=False)
        lost = [first - total for total in event.runner.read(list_totals)]
        assert [(each.name, each.choices, each.cost) for each in view.players] == sorted(
            [("Ada", 1, lost[0]), ("Ben", 1, lost[1])], key=lambda one: one[2]
        )
        (roll,) = view.rolls
        assert (roll.game, roll.roll, roll.faces, roll.choices) == (1, 1, "13446", 2)
        assert roll.cost == sum(lost) / 2
        assert plain == json.loads(json.dumps(view.to_plain()))
        assert view.weights == coach.weights
        assert "The hardest rolls" in page


def test_games_at_tables_cost_what_a_season_counts(tmp_path: Path) -> None:
    """Also those of a player who has another name since."""
    event_folder = tmp_path / "cup"
    tables = {table.box: table.entries for table in play_tables_cup(event_folder).tables}
    with run_event(event_folder) as event:
        event.wait_until(lambda state: state.data.result)
        season = event.runner.read(lambda state: [*list_played(state, tables)])
        event.write(PlayerRenamed(3, "Cleo", by="Olga"))
        event.wait_until(lambda state: state.data.people.find_by_name("Cleo"))
        costs = EventCosts(event.runner, answer_question)
        view = wait_for(costs)
        with serve_pages(event, tmp_path, costs=costs) as pages:
            page = urllib.request.urlopen(f"{pages.url}result").read().decode()
    lost = {each.name: each.cost for each in season}
    lost["Cleo"] = lost.pop("Player 3")
    assert {each.name: each.cost * each.choices for each in view.players} == pytest.approx(
        lost, abs=0.2
    )
    assert {(roll.game, roll.table) for roll in view.rolls} == {(1, 1), (1, 2)}
    assert sum(roll.cost * roll.choices for roll in view.rolls) == pytest.approx(
        sum(lost.values()), abs=1
    )
    hardest = view.rolls[0]
    assert f"Round 1, table {hardest.table}, roll {hardest.roll}" in page
    assert " ".join(hardest.faces) in page


def test_games_at_tables_are_judged_when_the_round_is_over(tmp_path: Path) -> None:
    play_tables_cup(tmp_path / "cup", played=1)
    with run_event(tmp_path / "cup") as event:
        event.wait_until(lambda state: any(each.recorded for each in state.data.rounds.rounds))
        assert EventCosts(event.runner, answer_question).read() == EventCostsView()


def test_a_game_that_was_not_judged_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[str] = []

    def answer(question: str) -> str:
        answers.append(question)
        if len(answers) == 1:
            raise OSError("no answer")
        return answer_question(question, lambda game, options: GreedyCoach("choice"))

    with run_event(tmp_path) as event:
        costs = EventCosts(event.runner, answer)
        event.play_roll("4+10/4", "4+8/6")
        event.close_game()
        assert not costs.read().is_complete
        while not answers:
            threading.Event().wait(0.02)
        assert not costs.read().is_complete
        monkeypatch.setattr(event_costs, "RETRY_S", 0.0)
        assert [each.name for each in wait_for(costs).players] == ["Ada", "Ben"]
        assert answers[0] == answers[1]
