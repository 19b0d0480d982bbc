# SPDX-License-Identifier: MIT
"""A report says what all throws up to the end of its game say about its dice, and no more."""

from __future__ import annotations

import random
from datetime import UTC
from pathlib import Path

from controller.base.languages.catalogue import load_catalogues
from controller.history.report.dice import DiceLine, build_dice_report
from controller.history.report.html import render_html
from controller.history.report.report import build_report
from tests.controller.history.fairness.kept_dice import DICE, KeepingTable
from tests.support.random_journal import BEGAN_MS


def bad_then_good(folder: Path) -> KeepingTable:
    """Return a table with two games of bad dice, and two of others; the black die is alone."""
    chance = random.Random(1)
    table = KeepingTable(lambda number: 6 if chance.random() < 0.4 else chance.randint(1, 6))
    table.play(games=2)
    table.throw = lambda number: chance.randint(1, 6)
    table.journal.add("dice_set", {"name": "Casino"})
    table.play(games=2)
    table.journal.write(folder)
    return table


def test_a_report_says_what_the_page_says_of_its_dice(tmp_path: Path) -> None:
    bad_then_good(tmp_path)
    first, *others = build_dice_report(tmp_path, 2)
    assert first.label == ""
    assert first.said[0].startswith("The 6 comes too often")
    assert [line.label for line in others] == ["The white dice", "The black die"]
    casino, black = build_dice_report(tmp_path, 4)
    assert (casino.label, black.label) == ("Casino", "The black die")
    assert casino.said[0].startswith("Nothing against these dice in ")
    assert black.said[0].startswith("Nothing against this die in ")


def test_a_report_does_not_change_as_the_journal_grows(tmp_path: Path) -> None:
    table = bad_then_good(tmp_path)
    at_first = [build_dice_report(tmp_path, number) for number in (2, 4)]
    table.journal.add("dice_set", {"name": ""})
    table.play(games=2)
    table.journal.add("dice_set", {"name": "Wood"})
    table.journal.write(tmp_path)
    assert [build_dice_report(tmp_path, number) for number in (2, 4)] == at_first
    assert build_dice_report(tmp_path, 1) != at_first[0]
    assert not (tmp_path / "history.db").exists()


def test_the_page_of_the_report_has_it_in_both_languages(tmp_path: Path) -> None:
    bad_then_good(tmp_path)
    report = build_report(tmp_path, 4, now_ms=BEGAN_MS, zone=UTC, made_by="dicebell 1.2")
    assert isinstance(report.dice[0], DiceLine)
    english = render_html(report)
    assert "<b>The black die:</b> Nothing against this die in " in english
    assert "up to the end of this game" in english
    german = render_html(report, load_catalogues()["de"])
    assert "<b>Der schwarze Würfel:</b> Nichts spricht gegen diesen Würfel, nach " in german
    assert "bis zum Ende dieses Spiels" in german


def test_a_game_without_thrown_dice_says_nothing_of_them(tmp_path: Path) -> None:
    table = KeepingTable(lambda number: number + 1, by_hand=lambda number: True)
    assert DICE == 5
    table.play()
    table.journal.write(tmp_path)
    assert build_dice_report(tmp_path, 1) == ()
