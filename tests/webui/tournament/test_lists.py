# SPDX-License-Identifier: MIT
"""Lists of players and results go out of an event and come back, as a whole or not at all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.tournament.entries.draw_entries import DrawMade, DrawPublished
from controller.tournament.entries.fields import Source
from controller.tournament.server.lists.list_file import write_csv
from controller.tournament.state.next_draw import compute_draw
from tests.controller.tournament.event_tables import BOX
from tests.support.office import Office, open_office

WHY = "seen by two officials"
NAMES = (
    "Ada",
    "=SUM(A1)",
    'Ben "Bo", junior',
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "'n Beer",
    "-1",
    "Gül; Öz",
    "Zoë",
)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as office:
        yield office


def bring(office: Office, content: bytes | str, kind: str = "players") -> httpx.Response:
    text = content if isinstance(content, str) else content.decode()
    fields = {"do": "import list", "list": kind, "content": text, "reason": WHY}
    return office.client.post("/organiser/lists", data=fields)


def take(office: Office, name: str) -> bytes:
    answer = office.client.get(f"/organiser/lists/{name}")
    assert answer.status_code == 200
    return answer.content


def assert_goes_round(office: Office, players: bytes, tmp_path: Path) -> None:
    """Check that a list of players changes nothing in its event, and makes the same in another."""
    answer = bring(office, players)
    assert office.said(answer) == "The list is as the event is: nothing has changed."
    (other := tmp_path / "other").mkdir()
    with open_office(other) as twin:
        twin.event.begin(games=1)
        bring(twin, players)
        assert take(twin, "players.csv") == players


def read_players(office: Office) -> list[tuple[str, str]]:
    players = office.event.runner.read(lambda state: state.data.people.list_players())
    return [(each.name, each.key) for each in players]


def begin_tables(office: Office, listed: bytes | str) -> None:
    """Draw the players of a list to two tables."""
    office.event.begin(style="tables", options={}, games=1)
    assert bring(office, listed).status_code == 200
    thrown = office.event.table.throw("12345")
    office.event.send(thrown)
    office.event.wait_until(lambda state: state.data.boxes.lines_of(BOX).next_seq == 1)
    drawn = office.event.runner.read(lambda state: compute_draw(state.data, "12345"))
    source = Source(BOX, thrown.seq, thrown.link)
    office.event.write(DrawMade(1, drawn.tables, "12345", (source,), drawn.byes))
    office.event.write(DrawPublished(1, "Olga"))


def list_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def fill_in(content: bytes) -> str:
    """Return the results of a round with 100 points for each player's number."""
    rows = list_rows(content)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=";")
    writer.writeheader()
    writer.writerows({**row, "points": str(100 * int(row["player"]))} for row in rows)
    return text.getvalue()


def test_players_go_out_and_come_back(office: Office, tmp_path: Path) -> None:
    office.event.begin(games=1)
    listed = write_csv([("name", "key"), *((name, f"K-{n}") for n, name in enumerate(NAMES))])
    answer = bring(office, listed)
    assert office.said(answer) == "The list counts: 16 changes."
    assert read_players(office) == [(name, f"K-{n}") for n, name in enumerate(NAMES)]
    out = take(office, "players.csv")
    assert b"'=SUM(A1)" in out, "no spreadsheet computes it"
    assert_goes_round(office, out, tmp_path)


def test_a_list_changes_the_players_that_it_names(office: Office) -> None:
    office.event.begin(games=1)
    bring(office, "name;key\nAda;DE-1\nBen;DE-2\nCleo;")
    answer = bring(office, "Key\tName\nde-1\tAda Lovelace\n\nDE-3\tCleo\n\tDora\n")
    assert office.said(answer) == "The list counts: 4 changes."
    expected = [("Ada Lovelace", "de-1"), ("Ben", "DE-2"), ("Cleo", "DE-3"), ("Dora", "")]
    assert read_players(office) == expected
    office.must("name person", player="4", key="DE-4")
    assert office.last() == ("person", {"player": 4, "key": "DE-4", "by": "Olga"})
    answer = office.do("name person", player="2", key="de-4")
    assert office.said(answer) == ("Key of the person: expected a key that nobody has, found de-4")


def test_sections_and_teams_go_out_and_come_back(office: Office, tmp_path: Path) -> None:
    office.event.begin(games=1)
    bring(office, "name\nAda\nBen\nCleo")
    plain = take(office, "players.csv")
    assert plain.decode("utf-8-sig").splitlines()[0] == "player,name,key"
    bring(office, "name;section\nAda;Juniors")
    assert b"player,name,key,section\r\n" in take(office, "players.csv")
    answer = bring(office, "name;team;section\nCleo;=A+B;Juniors\nBen;;Seniors, 60+\nDora;=A+B;")
    assert office.said(answer) == "The list counts: 5 changes."
    out = take(office, "players.csv")
    assert out.decode("utf-8-sig").splitlines() == [
        "player,name,key,section,team",
        "1,Ada,,Juniors,",
        '2,Ben,,"Seniors, 60+",',
        "3,Cleo,,Juniors,'=A+B",
        "4,Dora,,,'=A+B",
    ]
    assert_goes_round(office, out, tmp_path)
    bring(office, "name,section\nAda,\n")
    assert take(office, "players.csv") == out, "a line without a number takes nothing away"
    bring(office, "player,name,team,section\n1,Ada,,\n2,Ben,,\n3,Cleo,,\n4,Dora,,")
    assert take(office, "players.csv") == plain + b"4,Dora,\r\n"


def test_a_section_that_is_spelt_differently_is_named(office: Office) -> None:
    office.event.begin(games=1)
    answer = bring(office, "name,section,team\nAda,Juniors,A\nBen,juniors,A")
    assert office.said(answer) == "line 3: expected Juniors, as others have it, found juniors"
    assert read_players(office) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1: expected the columns name, found no name"),
        ("name,club\nEva,x", "line 1: expected each of these columns once: name, player, key,"),
        ("name,key\nEva", "line 2: expected 2 cells, found 1"),
        ('name\n"Eva\nFinn', "line 2: expected a line of a list, found unexpected end of data"),
        ("name\nEva\n\nEva", "line 4: expected a name that nobody has, found Eva"),
        ("player,name\n1,Ada\n4,Eva", "line 3: expected a player from 1 to 3, found 4"),
        ("player,name\n1,Ada\nx,Eva", "line 3: expected a whole number, found player: &#39;x&#39;"),
        ("player,name\n1,Eva\n1,Finn", "line 3: expected every player once, found Finn"),
        ("name,key\nEva,DE-1\nFinn,DE-1", "line 3: expected a key that nobody has, found DE-1"),
        (
            "name,key\nBen,DE-9",
            "line 2: expected the key DE-2, or the player&#39;s number, found DE-9",
        ),
        ("name\nM\N{REPLACEMENT CHARACTER}ller", "line 2: expected a list in UTF-8, found other"),
        ("name,key\nEva,a key", "line 2: expected up to 32 letters and digits,"),
        ("name\nEva\nFi\u202enn", "line 3: expected a text whose characters can all be seen"),
        ("name\nEva\n" + "x" * 50, "line 3: expected a text of one line, 1 to 40 characters"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_counts(office: Office, content: str, said: str) -> None:
    office.event.begin(games=1)
    bring(office, "name,key\nAda,\nBen,DE-2")
    before = office.entries()
    answer = bring(office, content)
    assert (answer.status_code, office.said(answer)[: len(said)]) == (400, said)
    assert office.entries() == before


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_results_go_out_and_come_back(office: Office, tmp_path: Path, kind: str) -> None:
    begin_tables(office, "name\n" + "\n".join(f"Player {n}" for n in range(1, 8)))
    filled = fill_in(take(office, "results.csv"))
    answer = bring(office, filled, "results")
    assert office.said(answer) == "The list counts: 2 changes."
    assert office.last()[1]["reason"] == WHY
    out = take(office, f"results.{kind}")
    answer = bring(office, out, "results")
    assert office.said(answer) == "The list is as the event is: nothing has changed."
    rows = office.client.get("/result.json").json()["rows"]
    assert [row["total"] for row in rows][:2] != [0, 0]
    (other := tmp_path / "other").mkdir()
    with open_office(other) as twin:
        begin_tables(twin, take(office, "players.csv"))
        bring(twin, out, "results")
        assert twin.client.get("/result.json").json()["rows"] == rows
        assert take(twin, f"results.{kind}") == out


def test_a_wrong_result_is_named_and_nothing_counts(office: Office) -> None:
    begin_tables(office, "name\n" + "\n".join(f"Player {n}" for n in range(1, 8)))
    out = take(office, "results.json")
    listed: dict[str, Any] = json.loads(out)
    for row in listed["rows"]:
        row["points"] = 10
    before = office.entries()
    seats = [row["player"] for row in listed["rows"][:4]]
    for changes, said in (
        ({"points": None}, "row 7: expected a whole number, found points: ''"),
        ({"points": 1.5}, "row 7: expected a number or a text, found points: 1.5"),
        ({"lost": "no"}, "row 7: expected x for a player who lost, or nothing, found no"),
        ({"round": 2}, "row 7: expected a published round, from 1 to 1, found 2"),
        ({"table": 3}, "row 7: expected a table from 1 to 2, found 3"),
        ({"table": 1}, "row 7: expected each player of table 1 once:"),
        ({"player": seats[0]}, "row 7: expected each player of table 2 once:"),
        ({"name": "Somebody"}, f"row 7: expected {listed['rows'][6]['name']}, who is player"),
        ({"points": 10**7}, "row 5: expected a whole number from -1000000 to 1000000"),
        ({"place": 1}, "row 7: expected the keys round, table, player, name, points,"),
    ):
        rows = [*listed["rows"][:6], {**listed["rows"][6], **changes}]
        answer = bring(office, json.dumps({**listed, "rows": rows}), "results")
        found = office.said(answer).replace("&#39;", "'").replace("&#34;", '"')
        assert (answer.status_code, found[: len(said)]) == (400, said)
    answer = bring(office, json.dumps({**listed, "rows": listed["rows"][:6]}), "results")
    assert office.said(answer).startswith("row 6: expected a row for player ")
    assert "expected the results of an event as JSON" in office.said(bring(office, "{}", "results"))
    assert office.entries() == before


def test_who_may_bring_and_take_lists(office: Office) -> None:
    office.event.begin(games=1)
    answer = bring(office, "round,table,player,points\n1,1,1,5", "results")
    assert office.said(answer) == "expected an event with draws, found a duplicate event"
    assert "expected one of players, results" in office.said(bring(office, "name\nEva", "dice"))
    assert office.client.get("/organiser/lists/other.csv").status_code == 404
    office.client.cookies.clear()
    for answer in (bring(office, "name\nEva"), office.client.get("/organiser/lists/players.csv")):
        assert (answer.status_code, office.said(answer)) == (403, "Log in with the PIN first.")
    assert read_players(office) == []
