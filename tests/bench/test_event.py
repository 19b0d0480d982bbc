# SPDX-License-Identifier: MIT
"""The benchmarks of an event count what they claim to count."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.tournament.simulated.players import PlayerPace
from tests.bench import absence, field
from tests.bench.__main__ import main


def test_a_draw_of_a_field_meets_nobody_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "--players", "100", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["random, second meetings"] == figures["standings, second meetings"] == 0
    assert (figures["players"], figures["rounds"]) == (100, 5)


def test_a_duplicate_event_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duplicate", "--players", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["rolls"] >= 8 * 8
    assert figures["one choice, median, ms"] > 0


def test_the_archive_of_a_played_event_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "--tables", "1", "--rounds", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    # The dice of each draw are thrown in a game of their own.
    assert (figures["tables"], figures["games"]) == (1, 4)
    assert figures["entries"] > 100
    assert figures["checked, entries a second"] > 0


def test_a_gain_by_absence_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against an opponent, a random player gains by every game that counts nothing."""
    monkeypatch.setattr(absence, "SHEETS", dict.fromkeys(absence.STRENGTHS, 2))
    monkeypatch.setattr(absence, "FIELDS", {"one opponent": ("casual",)})
    monkeypatch.setattr(absence, "RULES", ("worst", "nothing"))
    assert main(["absence", "--events", "20", "--sequences", str(absence.GAMES)]) == 1
    found = capsys.readouterr()
    assert "failed: gain, nothing, one opponent, random, two games not played" in found.err
    assert "failed: gain, worst, one opponent, random, two games not played" not in found.err
    lines = found.out.partition("worst, one opponent: points")[2].splitlines()
    (not_played,) = [line for line in lines[:20] if line.startswith("no game played")][:1]
    assert not_played.split()[3:] == ["no", "place"] * len(absence.STRENGTHS)


def test_every_phone_gets_every_roll_and_an_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("uvicorn", reason="make installs it")
    monkeypatch.setattr(field, "PACE", PlayerPace(least_s=0.0, most_s=0.1, jokers=0.0))
    assert main(["field", "--players", "5", "--rolls", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["phones"], figures["choices"], figures["choices refused"]) == (5, 10, 0)
    last_ms = figures["table to the last phone, 99th of 100, ms"]
    assert 0 < figures["table to a phone, median, ms"] <= last_ms
    assert figures["memory of the server at the end, MB"] > 0


def test_two_desks_of_an_event_share_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("uvicorn", reason="make installs it")
    load = ["--tables", "4", "--desks", "2", "--seconds", "1", "--pause", "0.1"]
    assert main(["wire", *load, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["tables"], figures["refused requests"]) == (4, 0)
    assert figures["entries of tables that keep up"] >= 4
