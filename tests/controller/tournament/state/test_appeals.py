# SPDX-License-Identifier: MIT
"""Appeals against rulings: once, before the result, and decided by another official."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.tournament.entries.appeal_entries import AppealDecided, RulingAppealed
from controller.tournament.entries.draw_entries import TableRuling
from controller.tournament.entries.event_entries import EventResult, PenaltyGiven
from controller.tournament.entries.game_entries import GameClosed, RollRuling
from controller.tournament.results.result_sheet import list_rulings
from controller.tournament.server.official_view import build_official_view
from controller.tournament.state.player_view import build_player_view
from tests.controller.tournament.event_tables import CLOCK_MS, PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_table_rounds import begin_event, refused

WHY = "seen by two officials"


def rule(decision: str = "annul", faces: str = "", by: str = "Olga") -> RollRuling:
    return RollRuling(1, 1, decision, by, "a die fell", faces=faces)


def played_event(decision: str = "annul") -> PlayedEvent:
    """Return an event of two players with a ruling on their first roll, which is closed."""
    event = PlayedEvent(duplicate_event(games=1), players=2)
    event.open_game()
    event.throw("13446")
    for player in (1, 2):
        event.choose(player, "4+10/4")
    event.write(rule(decision))
    return event


def test_a_second_official_changes_a_ruling() -> None:
    event = played_event()
    assert build_player_view(event.state.data, 1)["rulings"] == [
        {"number": 1, "by": "Olga", "game": 1, "roll": 1}
    ]
    appeal = RulingAppealed(1, 1)
    assert event.check(appeal, seat=1) is None
    event.write(appeal)
    view: dict[str, Any] = build_official_view(event.state)
    assert [(each["ruling"], each["player"]) for each in view["appeals"]] == [(1, "Player 1")]
    assert list_rulings(event.state.data)[-1]["what"] == (
        "Game 1, roll 1: Player 1 appealed against the ruling of Olga: not decided yet"
    )
    event.write(PenaltyGiven(2, 1, "Eve", WHY))
    decided = AppealDecided(1, "restore", "Olga", WHY)
    assert "another official than the one whose ruling it is, found Olga" in refused(event, decided)
    event.write(AppealDecided(1, "restore", "Eve", WHY))
    assert event.state.data.games[0].totals[1] != 0
    said = [(each["what"], each["by"], each["reason"]) for each in list_rulings(event.state.data)]
    assert said[1] == (
        "Game 1, roll 1: Player 1 appealed against the ruling of Olga: the ruling was changed",
        "Eve",
        WHY,
    )
    assert said[-1] == ("Game 1, roll 1: 1 3 4 4 6 counts again", "Eve", WHY)
    assert "unless it decided on an appeal" in refused(event, RulingAppealed(2, 2))
    assert "expected a ruling with an open appeal" in refused(event, decided)


def test_the_only_official_decides_on_an_appeal() -> None:
    event = played_event()
    event.write(RulingAppealed(1, 2, "Olga"))
    event.write(AppealDecided(1, "uphold", "Olga", WHY))
    data = event.state.data
    assert list_rulings(data)[-1]["what"].endswith("the ruling of Olga: the ruling stands")
    assert len(data.rulings) == 1
    assert data.games[0].rolls[0].is_annulled
    assert refused(event, RulingAppealed(1, 1)) == (
        "appealed.ruling: expected a ruling without an appeal, found one of Player 2"
    )


def test_an_open_appeal_is_decided_after_the_result() -> None:
    event = played_event()
    event.write(RulingAppealed(1, 1))
    event.write(GameClosed(1, "Olga", WHY))
    result = EventResult(event.state.compute_standings().list_places(), "Olga")
    event.write(result)
    event.write(AppealDecided(1, "restore", "Olga", WHY))
    assert event.state.data.result == result
    assert build_official_view(event.state)["appeals"] == []
    assert list_rulings(event.state.data)[-1]["what"] == "Game 1, roll 1: 1 3 4 4 6 counts again"


def test_a_decision_on_an_appeal_is_final() -> None:
    """A roll entered by hand, whose annulment was taken back, waits for nothing."""
    event = PlayedEvent(duplicate_event(games=1), players=2)
    event.open_game()
    event.throw("13446", by_hand="Olga")
    for player in (1, 2):
        event.choose(player, "4+10/4")
    (review,) = event.state.list_reviews()
    annulled = replace(rule(), cause=review.concern.cause)
    event.write(annulled)
    event.write(RulingAppealed(1, 1))
    event.write(AppealDecided(1, "restore", "Olga", WHY))
    assert event.state.list_reviews() == ()
    assert "expected what nobody has decided on" in refused(event, annulled)
    assert refused(event, rule()) == (
        "ruling.roll: expected a roll without a decision on an appeal, which is final,"
        " found one with it"
    )
    corrected = {"was": "13446", "roll": "13445", "picture": "", "undone": []}
    event.send(event.table.add("correction", by="Olga", reason="a glare", **corrected))
    (newer,) = event.state.list_reviews()
    assert event.check(replace(rule(), cause=newer.concern.cause)) is None


def test_a_newer_ruling_closes_an_appeal() -> None:
    """Nobody rules past an open appeal, unless the table has a newer line."""
    event = played_event("keep")
    event.write(RulingAppealed(1, 1))
    for official in ("Olga", "Eve"):
        assert refused(event, rule(by=official)) == (
            "ruling.roll: expected a decision on the open appeal first, found one of Player 1"
        )
    event.send(event.table.add("review", by="Player 2"))
    (review,) = event.state.list_reviews()
    event.write(replace(rule("keep", by="Eve"), cause=review.concern.cause))
    assert build_official_view(event.state)["appeals"] == []
    said = [each["what"] for each in list_rulings(event.state.data)]
    assert said[1] == (
        "Game 1, roll 1: Player 1 appealed against the ruling of Olga: closed by the newer ruling"
        " of Eve"
    )
    assert refused(event, AppealDecided(1, "annul", "Eve", WHY)) == (
        "appeal_decided.ruling: expected an appeal against the newest ruling on its roll,"
        " found a newer ruling"
    )
    newer: Any = build_player_view(event.state.data, 1)["rulings"]
    assert [(each["number"], each["by"]) for each in newer] == [(2, "Eve")]
    assert event.check(RulingAppealed(2, 1), seat=1) is None


def test_an_upheld_ruling_is_final() -> None:
    event = played_event()
    assert build_official_view(event.state)["annulled"] == [[1, 1, "13446"]]
    event.write(RulingAppealed(1, 1))
    assert build_official_view(event.state)["annulled"] == []
    event.write(AppealDecided(1, "uphold", "Olga", WHY))
    assert build_official_view(event.state)["annulled"] == []
    assert "a decision on an appeal, which is final" in refused(event, rule("restore"))


def test_an_appeal_gives_an_open_roll_other_faces() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=1)
    event.open_game()
    event.throw("13446")
    event.write(rule("keep"))
    event.write(RulingAppealed(1, 1))
    decided = AppealDecided(1, "recompute", "Olga", WHY, "13445")
    assert "expected a time to come" in refused(event, decided)
    until_ms = event.now_ms + CLOCK_MS
    event.write(AppealDecided(1, "recompute", "Olga", WHY, "13445", until_ms))
    assert event.state.data.games[0].rolls[0].faces == "13445"
    own: dict[str, Any] = build_player_view(event.state.data, 1)
    assert own["roll"]["is_changed"]
    same = AppealDecided(1, "keep", "Olga", WHY)
    assert "a ruling with an open appeal" in refused(event, same)


def test_what_cannot_be_appealed_against() -> None:
    event = played_event()
    assert event.refuse(RulingAppealed(1, 2), seat=1).code == "seat"
    assert "expected a ruling from 1 to 1, found 2" in refused(event, RulingAppealed(2, 1))
    event.write(rule("restore"))
    assert "expected the newest ruling on a roll" in refused(event, RulingAppealed(1, 1))
    event.write(GameClosed(1, "Olga", WHY))
    event.write(EventResult(event.state.compute_standings().list_places(), "Olga"))
    assert "the result is out" in refused(event, RulingAppealed(2, 1))
    assert build_player_view(event.state.data, 1)["rulings"] == []


def test_a_ruling_on_a_roll_of_a_table_is_appealed_against() -> None:
    event = begin_event(4)
    thrown = event.send(event.table.throw("13446", by_hand="Olga"))
    event.write(TableRuling(event.table.source(thrown), "keep", "Olga", WHY))
    event.write(RulingAppealed(1, 3))
    same = AppealDecided(1, "keep", "Olga", WHY)
    assert "another decision than that of the ruling, found keep" in refused(event, same)
    event.write(AppealDecided(1, "changed", "Olga", WHY))
    assert [each["what"] for each in list_rulings(event.state.data)] == [
        "Table 1, line 0: the roll stays as it is",
        "Table 1, line 0: Player 3 appealed against the ruling of Olga: the ruling was changed",
        "Table 1, line 0: the result of the table changes",
    ]
