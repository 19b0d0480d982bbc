# SPDX-License-Identifier: MIT
"""An official leads events from begin to result with the forms of the page alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.journal.hashchain import encode_entry
from controller.tournament.server.official_requests import ACTS
from controller.tournament.state.next_draw import list_seeds
from tests.controller.tournament.event_tables import BOX, ChainedTable
from tests.support.office import DUPLICATE, Office, open_office
from tests.support.tournament_store import send


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as office:
        yield office


def test_no_act_of_an_old_page_ends_the_desk(office: Office) -> None:
    """A page of the event before may stand open in another browser when the next one starts."""
    for act in {*ACTS} - {"begin", "answer call"}:
        answer = office.do(act, player="1", game="1", roll="1", round="1", table="1", minutes="5")
        assert answer.status_code == 400, act
        assert "expected an event that has begun, found one that has not begun" in answer.text


def test_an_official_leads_a_duplicate_event(office: Office) -> None:
    event = office.event
    assert "Begin the event" in office.page()
    answer = office.do("begin", **{**DUPLICATE, "game": "bridge"})
    assert (answer.status_code, "expected one of choice" in office.said(answer)) == (400, True)
    answer = office.do("begin", **{**DUPLICATE, "absence": "zero"})
    assert "expected one of nothing, worst, below_mean" in office.said(answer)
    answer = office.do("begin", **{**DUPLICATE, "absence": "nothing"})
    assert "event: expected worst or below_mean, found nothing" in office.said(answer)
    office.must("begin", **DUPLICATE)
    assert event.runner.read(lambda state: state.data.event.absence) == "worst"
    assert "A game with a missed roll counts as the worst" in office.page()
    event.store.enrol(BOX, "Table 1").result()
    for name in ("Ada", "Ben"):
        office.must("enter player", name=name)
    event.send(event.table.begin())
    event.wait_until(lambda state: state.data.boxes.lines_of(BOX).next_seq == 1)
    office.must("open game", box=BOX)
    assert office.last()[1] == {"game": 1, "box": BOX, "since": 1, "by": "Olga"}

    event.throw("13446")
    event.wait_until(lambda state: state.data.open_roll)
    assert "0 have chosen, 2 have not" in office.page()
    answer = office.do("close roll", game="1", roll="1", reason="")
    assert answer.status_code == 400
    assert office.said(answer).startswith("Reason: expected an official and a reason")
    office.must("close roll", game="1", roll="1", reason="the light failed")

    event.send(event.table.throw("22356", by_hand="Hall"))
    event.wait_until(lambda state: state.list_reviews())
    page = office.page()
    assert "1 thing to decide on" in page
    assert "Entered by hand." in page
    cause = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', page))
    office.must(
        "rule", **cause, decision="recompute", faces="2 2 3 5 5", reason="the picture shows a 5"
    )
    kind, body = office.last()
    assert (kind, body["faces"], body["cause"]["seq"]) == ("ruling", "22355", 2)
    event.wait_until(lambda state: not state.list_reviews())
    page = office.page()
    assert "to decide on" not in page
    assert "Game 1, roll 2: counts as 2 2 3 5 5, was 2 2 3 5 6" in page
    answer = office.do("rule", **cause, decision="keep", reason="an old page")
    assert "expected what nobody has decided on" in office.said(answer)

    event.send(event.table.add("review", by="Hall"))
    event.wait_until(lambda state: state.list_reviews())
    cause = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', office.page()))
    office.must("rule", **cause, decision="annul", reason="a die fell")
    assert "Take the annulment back" in office.page()
    assert office.do("restore", game="1", roll="2", reason="").status_code == 400
    office.must("restore", game="1", roll="2", reason="it lay in the tray")
    kind, body = office.last()
    assert (kind, body["decision"], body["cause"]["seq"]) == ("ruling", "restore", 3)
    event.wait_until(lambda state: state.data.open_roll)
    page = office.page()
    assert "Game 1, roll 2: 2 2 3 5 5 counts again" in page
    assert "Take the annulment back" not in page

    office.must("rule", game="1", roll="1", decision="recompute", faces="13445", reason="seen late")
    assert "cause" not in office.last()[1], "nobody complained of this roll"
    assert "A player appeals" in office.page()
    office.must("appeal", ruling="4", player="1")
    page = office.page()
    assert "Ada appeals against the ruling of Olga." in page
    assert "2 things to decide on" in page, "what was asked about roll 2 is open again"
    office.must("decide appeal", ruling="4", decision="recompute", faces="13446", reason="not so")
    assert office.last()[1]["faces"] == "13446"
    result = office.client.get("/result").text
    assert "Ada appealed against the ruling of Olga: the ruling was changed" in result
    assert "<small>not so (Olga)</small>" in result

    office.must("penalty", player="1", points="20", reason="late")
    office.must("forfeit", player="2", game="1", reason="left")
    office.must("rename", player="2", name="Bert")
    office.must("withdraw", player="2", reason="ill")
    office.must("close roll", game="1", roll="2", reason="all have gone")
    office.must("close game", reason="all have gone")
    office.must("publish result")
    assert office.last()[0] == "result"
    event.wait_until(lambda state: state.data.result)
    assert "The result is out." in office.page()


def test_an_official_sets_sections_and_teams(office: Office) -> None:
    event = office.event
    office.must("begin", **DUPLICATE, team_best="2")
    assert next(e.body for e in office.entries() if e.kind == "event")["team_best"] == 2
    for name in ("Ada", "Ben", "Cleo"):
        office.must("enter player", name=name)
    for player, section, team in ((1, "Juniors", "R & D"), (2, "Seniors", "R & D")):
        office.must("set section", player=str(player), section=f" {section} ")
        office.must("set team", player=str(player), team=team)
    assert office.last() == ("team", {"player": 2, "team": "R & D", "by": "Olga"})
    answer = office.do("set section", player="3", section="juniors")
    assert office.said(answer) == "Section: expected Juniors, as others have it, found juniors"
    page = office.page()
    assert "Ada <small>Juniors · R &amp; D</small>" in page
    assert '<datalist id="teams"><option value="R &amp; D"></datalist>' in page
    assert "The results of the best 2 members of a team are added up." in page
    sheet = office.client.get("/result").text
    assert "<strong>Seniors</strong>: <bdi>1. Ben</bdi></li>" in sheet
    assert "Ada <small>place 1 in Juniors · R &amp; D</small>" in sheet
    assert "R &amp; D <small><bdi>Ada</bdi> 0, <bdi>Ben</bdi> 0</small>" in sheet
    assert '<a href="?section=Juniors">Juniors</a>' in sheet
    of_section = office.client.get("/result", params={"section": "Juniors"}).text
    assert "Ada <small>R &amp; D</small>" in of_section
    assert "Ben" not in of_section
    answer = office.client.get("/result", params={"section": "Club"})
    assert answer.status_code == 400
    assert "section: expected one of Juniors, Seniors, found 'Club'" in answer.json()["error"]
    event.wait_until(lambda state: len(state.data.people) == 3)
    office.must("set section", player="2", section="")
    assert office.client.get("/result", params={"section": "Seniors"}).status_code == 400


def test_an_official_draws_and_publishes_a_round(office: Office) -> None:
    event = office.event
    tables = {**DUPLICATE, "style": "tables", "game": "wuerfelspiel", "absence": "below_mean"}
    office.must("begin", **tables)
    assert "absence" not in next(e.body for e in office.entries() if e.kind == "event")
    event.store.enrol(BOX, "Table 1").result()
    for number in range(8):
        office.must("enter player", name=f"Player {number + 1}")
    event.send(event.table.begin("dice"))
    event.throw("11111")
    event.wait_until(lambda state: state.data.boxes.lines_of(BOX).newest)
    answer = office.do("draw", box=BOX)
    assert "expected a table with a roll that seeds the draw" in office.said(answer)
    office.must("open check-in")
    answer = office.do("announce draw", box=BOX)
    assert "expected the end of the check-in first" in office.said(answer)
    for player in range(1, 8):
        office.must("check in", player=str(player), is_lifted="")
    page = office.page()
    assert "7 players are here." in page
    assert 'value="8" class="quiet">8 · Player 8</button>' in page
    office.must("close check-in", leaves_out="1")
    assert office.last() == ("check_in_closed", {"round": 1, "by": "Olga", "left_out": [8]})
    office.must("return", player="8")
    office.must("announce draw", box=BOX)
    assert office.last()[1] == {"round": 1, "box": BOX, "since": 2, "by": "Olga"}
    event.throw("13446")
    event.wait_until(lambda state: list_seeds(state.data))
    page = office.page()
    assert "The next 2 rolls of five dice or more at 1 · Table 1 decide" in page
    assert office.said(office.do("announce draw", box=BOX)).startswith("Reason: expected a reason")
    for faces in ("22356", "12345"):
        event.throw(faces)
    event.wait_until(lambda state: state.data.rounds.draft)
    drawn = next(entry.body for entry in office.entries() if entry.kind == "draw")
    assert drawn["faces"] == "134462235612345"
    page = office.page()
    assert "Draft of round 1" in page
    assert "Announce the rolls again" in page
    (one, *_), (other, *_) = event.runner.read(lambda state: state.data.rounds.rounds[-1].tables)
    office.must("swap", player=str(one), other=str(other), reason="a wheelchair")
    result = office.client.get("/result").text
    assert "Round 1: the rolls that decide were announced at Table 1 before they fell" in result
    assert "Round 1: 1 draft, 1 swap" in result
    swapped = f"Player {one} and Player {other} swapped seats"
    assert f"{swapped} <small>a wheelchair (Olga)</small>" in result
    office.must("publish draw")
    assert office.last() == ("published", {"round": 1, "by": "Olga"})
    answer = office.do("time round", minutes="2000")
    assert "expected a whole number from 0 to 1440" in office.said(answer)
    office.must("time round", minutes="30")
    assert office.last()[0] == "round_clock"
    page = office.page()
    assert re.search(r"The round ends at \d\d:\d\d", page)
    assert re.search('data-left-ms="1[78][0-9]{5}"', page)
    answer = office.do("count overtime", table="1", reason="why not")
    assert "expected a table whose game ended after the clock" in office.said(answer)
    office.must("enter result", round="1", table="1", points="1 2 3 4", reason="on paper")
    assert office.last()[1]["points"] == [1, 2, 3, 4]


def test_without_the_pin_or_a_name_nothing_is_done(office: Office) -> None:
    with httpx.Client(base_url=office.client.base_url, trust_env=False) as stranger:
        answer = stranger.post("/organiser", data={"do": "begin", **DUPLICATE})
        assert answer.status_code == 403
    office.client.cookies.delete("dicebell-official")
    answer = office.do("begin", **DUPLICATE)
    assert answer.status_code == 400
    assert office.said(answer) == "expected the name of the official, found none"
    assert office.do("dance").status_code == 400


def test_a_table_with_another_key_stands_still_until_one_decides(office: Office) -> None:
    event, new_key, other_key = office.event, "b" * 64, "c" * 64
    event.begin()
    event.store.put_aside(new_key, "Table 1", BOX).result()
    event.wait_until(lambda state: state.is_still(BOX))
    assert "Somebody with another key asks for this name" in office.page()
    office.must("refuse", box=new_key)
    event.wait_until(lambda state: not state.is_still(BOX))
    event.store.put_aside(other_key, "Table 1", BOX).result()
    assert office.do("accept", box=other_key).status_code == 400, "a reason is missing"
    office.must("accept", box=other_key, reason="a new memory card")
    event.wait_until(lambda state: not state.is_still(other_key))
    assert event.runner.read(lambda state: state.data.boxes.is_same(BOX, other_key))
    assert event.runner.read(lambda state: state.is_still(BOX))
    assert "Somebody with another key" not in office.page()
    changes = [each for each in office.kinds() if each.startswith("key_")]
    assert changes == ["key_changed", "key_changed", "key_changed", "key_accepted"]


def test_what_is_wrong_with_tables_waits_for_an_official(office: Office) -> None:
    event = office.event
    event.begin()
    office.must("enter player", name="Ada")
    event.open_game()
    assert "It has sent nothing since this desk started" in office.page()
    event.throw("13446")
    event.wait_until(lambda state: state.data.games[0].rolls)
    assert "It has sent nothing" not in office.page(), "a roll is open, so nobody waits for it"
    forked = ChainedTable()
    forked.begin()
    send(event.store, BOX, 1, (encode_entry(forked.throw("66666")),))
    page = office.page()
    assert "1 thing to decide on" in page
    assert "It sent two different lines 1." in page
    office.must("note trouble", box=BOX, trouble="fork", line="1", reason="the card was copied")
    assert office.last() == (
        "noted",
        {"box": BOX, "trouble": "fork", "line": 1, "by": "Olga", "reason": "the card was copied"},
    )
    event.wait_until(lambda state: state.data.noted)
    assert "thing to decide on" not in office.page()
    again = {"box": BOX, "trouble": "fork", "line": "1", "reason": "once more"}
    assert "expected what nobody has noted" in office.said(office.do("note trouble", **again))
