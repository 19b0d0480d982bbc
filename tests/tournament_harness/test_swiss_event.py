# SPDX-License-Identifier: MIT
"""A whole Swiss over HTTP: phones join, an official draws, real games are played, all verifies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.cli.main import main
from controller.journal.hashchain import encode_entry
from controller.tournament.simulated.phone_client import PhoneClient
from controller.tournament.state.rounds import Round
from tests.support.office import DUPLICATE, Office, open_office
from tests.support.random_journal import RandomGame, lying
from tests.support.recorded_event import RecordedTable
from tests.support.tournament_store import send

ROUNDS = 3
SEEDS = ("12345", "22336", "11456")


def test_a_swiss_is_played_and_its_archive_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "cup"
    data.mkdir()
    with open_office(data) as office:
        tables = [RecordedTable(tmp_path / f"table {number}") for number in range(1, 5)]
        for number, table in enumerate(tables, start=1):
            office.event.store.enrol(table.box, f"Table {number}").result()
        swiss = {**DUPLICATE, "style": "swiss", "games": str(ROUNDS), "half_byes": "1"}
        office.must("begin", **swiss)
        asyncio.run(join(str(office.client.base_url), 7))
        office.must("ask bye", round="2", player="3")
        for number in range(1, ROUNDS + 1):
            play_round(office, tables, number)
            if number == 1:
                office.must("enter player", name="Late")
        pages = [office.client.get(path).text for path in ("/result", "/organiser", "/")]
        office.must("publish result")
        rows = office.client.get("/result.json").json()["rows"]
    assert all("direct comparison, Buchholz, Sonneborn-Berger" in page for page in pages)
    assert "Round 2: Player 3 took it off" in pages[0]
    assert [list(row["ties"]) for row in rows] == [["buchholz", "sonneborn_berger", "total"]] * 8
    archive = str(tmp_path / "cup.zip")
    assert main(["archive", "--data", str(data), "--out", archive]) == 0
    assert main(["verify", archive, "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "fine: nothing is broken" in said
    assert "Late came after the draw of round 1" in said


async def join(url: str, players: int) -> None:
    for number in range(1, players + 1):
        answer = await PhoneClient(url).post("/event/players", {"name": f"Player {number}"})
        assert answer.status == 200


def play_round(office: Office, tables: list[RecordedTable], number: int) -> None:
    """Draw a round by announced rolls, and play a real game at the table of each pair."""
    office.must("announce draw", box=tables[0].box)
    throw_seeds(office, tables[0])
    office.event.wait_until(lambda state: state.data.rounds.draft is not None)
    office.must("publish draw")
    played = office.event.runner.read(lambda state: state.data.rounds.published[-1])
    assert played.number == number
    for table, pair in zip(tables, played.tables, strict=False):
        play_table(office, table, played, pair)
    office.event.wait_until(lambda state: state.data.rounds.published[-1].is_complete)


def throw_seeds(office: Office, table: RecordedTable) -> None:
    table.add("game", {"game": "dice", "players": ["Olga"], "options": {"dice": 5}})
    for held, faces in zip(("", "throw", "throw"), SEEDS, strict=True):
        body = {"by": "Olga", "held": held, "roll": faces, "by_hand": "", "doubts": []}
        table.add("roll", {**body, "picture": "", "lie": lying(faces)})
    table.add("closed")
    send_new(office, table)


def play_table(office: Office, table: RecordedTable, played: Round, pair: list[int]) -> None:
    people = office.event.runner.read(lambda state: state.data.people)
    names = tuple(people.find(player).name for player in pair)
    seed = 10 * played.number + pair[0]
    game = RandomGame(
        table, "choice", players=2, names=names, options={"jokers": False}, seed=seed, mischief=0.0
    )
    game.play()
    table.sign()
    send_new(office, table)


def send_new(office: Office, table: RecordedTable) -> None:
    """Send the lines of a table that the server has not got."""
    lines = tuple(encode_entry(entry) for entry in table.entries[table.sent :])
    table.sent = send(office.event.store, table.box, table.sent, lines).next
