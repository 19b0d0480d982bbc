# SPDX-License-Identifier: MIT
"""A report says what was luck and what the choices cost, and which weights that follows from."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from pathlib import Path

from controller.history.replays.parts import read_journal_game
from controller.history.report.html import render_html
from controller.history.report.luck import analyse_by_coach, describe_better, write_luck
from controller.history.report.report import build_report
from controller.journal.records.from_journal import JournalGame
from tests.controller.coach.greedy_coach import GreedyCoach
from tests.support.ended_game import EndedGame, end_game
from tests.support.random_journal import BEGAN_MS


def read_game(ended: EndedGame) -> JournalGame:
    first = ended.history.find_first_byte(1)
    assert first is not None
    game = read_journal_game(ended.folder, 1, first)
    assert game is not None
    return game


def test_a_report_has_sums_and_dearest_choices(tmp_path: Path) -> None:
    ended = end_game(tmp_path, "choice", "Ada", "<b>Ben</b>")
    luck = analyse_by_coach(GreedyCoach("choice", equal_below=10), read_game(ended))
    assert analyse_by_coach(GreedyCoach("choice", equal_below=10), read_game(ended)) == luck
    report = build_report(tmp_path, 1, now_ms=BEGAN_MS, zone=UTC, made_by="dicebell 1.2")
    page = render_html(replace(report, luck=luck))
    assert luck["weights"] in page
    assert "differences below 10 points count as none" in page
    assert "<b>Ben</b>" not in page
    totals = {sheet.name: sheet.total for sheet in report.story.sheets}
    for player in luck["players"]:
        assert player["result"] == totals[player["name"]]
        for value in (player["result"], player["adjusted"], luck["values"][0][0]):
            assert f"<td>{write_luck(value, 'points')}</td>" in page
        for value in (player["luck"], player["play"], player["others"], player["rest"]):
            assert f"<td>{write_luck(value, 'points', '+')}</td>" in page
        assert len(player["dearest"]) == 3
        for choice in player["dearest"]:
            assert f"<b>{write_luck(-choice['cost'], 'points')}</b>" in page
            assert f"<span>{choice['chosen']}</span>" in page
            assert f"{describe_better(choice)}</span>" in page


def test_a_chance_is_written_in_percent(tmp_path: Path) -> None:
    ended = end_game(tmp_path, "black-n-white", "Ada", "Ben")
    coach = GreedyCoach("black-n-white")
    coach.unit = coach.unit.CHANCE
    luck = analyse_by_coach(coach, read_game(ended))
    assert {write_luck(one["result"], luck["unit"])[-2:] for one in luck["players"]} == {" %"}
