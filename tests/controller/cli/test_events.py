# SPDX-License-Identifier: MIT
"""Several events of one desk, one after the other: real processes, a table, kills, archives."""

from __future__ import annotations

import contextlib
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from controller.cli.main import main
from controller.journal.signing_key import PRIVATE_FILE
from controller.runtime.access.store import renew_pin
from controller.tournament.archive.event_source import open_event_source
from controller.tournament.sending import journal_sender
from tests.controller.tournament.archive.cups import play_duplicate_cup
from tests.support.desk_process import DeskProcess
from tests.support.random_journal import lying
from tests.support.sending_table import SendingTable, wait_for

Captured = pytest.CaptureFixture[str]
pytestmark = pytest.mark.usefixtures("real_pins")
BEGIN = {
    **{"style": "duplicate", "game": "choice", "games": "1", "clock_s": "60"},
    **{"scoring": "sum", "tie_break": "play_off", "corrected": "recompute", "pairing": "random"},
    **{"table_size": "4", "lives": "3"},
}
WHY = {"reason": "it is late"}


class Office:
    """The officials' page of a desk."""

    def __init__(self, client: httpx.Client, pin: str) -> None:
        self.client = client
        self.do("log in", pin=pin, name="Olga")

    @property
    def page(self) -> str:
        return self.client.get("/organiser").text

    @property
    def code(self) -> str:
        (code,) = re.findall(r">([0-9A-Z-]{14})<", self.page)
        return str(code)

    def do(self, act: str, **fields: str) -> None:
        answer = self.client.post("/organiser", data={"do": act, **fields})
        assert answer.status_code == 200, answer.text

    def play(self, name: str, table: SendingTable, url: str, desk: DeskProcess | None) -> None:
        """Begin an event of two, and play a roll of it; a desk is killed in the middle."""
        table.uplink.join(url, self.code, "Table 1")
        self.do("begin", name=name, **BEGIN)
        for player in (f"Ada of {name}", f"Ben of {name}"):
            self.do("enter player", name=player)
        if table.kinds.count("game") == 0:
            game: dict[str, Any] = {"game": "dice", "players": ["Olga"], "options": {"dice": 5}}
            table.write("game", game)
        wait_for(lambda: f"{len(table.lines)} lines" in self.page)
        self.do("open game", box=table.key.public_hex)
        body: dict[str, Any] = {"by": "Olga", "by_hand": "", "doubts": [], "picture": ""}
        body["held"] = "throw" if "roll" in table.kinds else ""
        table.write("roll", {**body, "roll": "13446", "lie": lying("13446")})
        wait_for(lambda: "0 have chosen, 2 have not" in self.page)
        if desk is not None:
            desk.end(signal.SIGKILL)
            return
        self.finish(table)

    def finish(self, table: SendingTable) -> None:
        self.do("close roll", game="1", roll="1", **WHY)
        self.do("close game", **WHY)
        table.sign()
        wait_for(lambda: f"{len(table.lines)} lines" in self.page)
        self.do("publish result")


@contextlib.contextmanager
def visit(url: str, pin: str) -> Iterator[Office]:
    with httpx.Client(base_url=url, timeout=60, trust_env=False, follow_redirects=True) as client:
        yield Office(client, pin)


def archive(data: Path, out: Path, *options: str) -> bytes:
    assert main(["archive", "--data", str(data), "--out", str(out), *options]) == 0
    assert main(["verify", str(out), "--jobs", "1"]) == 0
    return out.read_bytes()


def has_witness(folder: Path) -> bool:
    """Return whether a table has cosigned the event after its result."""
    with open_event_source(folder) as source:
        lines = sum(1 for _ in source.iter_own_entries())
        return any(each.size >= lines - 2 for each in source.list_cosignatures())


def events(data: Path, *options: str) -> int:
    return main(["events", "--data", str(data), *options])


def test_a_desk_runs_one_event_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """One table is in both; the desk is killed in the second, and the first stays as it is."""
    monkeypatch.setattr(journal_sender, "ASK_AGAIN_S", 0.05)
    monkeypatch.setattr(journal_sender, "COSIGN_AGAIN_S", 0.05)
    (data := tmp_path / "cup").mkdir()
    pin = renew_pin(data)
    with contextlib.closing(SendingTable(tmp_path / "table")) as table:
        with DeskProcess(data) as desk:
            desk.wait_until(is_ok=True)
            with visit(desk.url, pin) as office:
                refused = office.client.post("/organiser", data={"do": "next event"})
                assert refused.status_code == 400
                assert (
                    "an event with its result: publish it first, found event 1 without"
                    in refused.text
                )
                office.play("Saturday", table, desk.url, None)
                first_code = office.code
                wait_for(lambda: has_witness(data))
                office.do("next event")
                assert "Begin the event" in office.page
                assert office.code != first_code
                before = archive(data, tmp_path / "before.zip", "--event", "1")
                stored = (data / "event.sqlite").read_bytes()
                assert "Ada of Saturday" in office.client.get("/events/1/result").text
                assert office.client.get("/events/1/result.json").json()["is_final"] is True
                assert office.client.get("/events/2/result").status_code == 404
                assert "Saturday" in office.client.get("/").text
                table.uplink.leave()
                office.play("Sunday", table, desk.url, desk)
        with DeskProcess(data, port=desk.port) as desk, visit(desk.url, pin) as office:
            desk.wait_until(is_ok=True)
            assert "Sunday" in office.page
            office.finish(table)
            wait_for(lambda: has_witness(data / "events" / "2"))
            assert events(data, "--new") == 2
            assert "another running dicebell" in capsys.readouterr().err
            assert "Ada of Sunday" in office.client.get("/result").text
            assert "Ada of Sunday" not in office.client.get("/events/1/result").text
            assert desk.end(signal.SIGTERM) == 0
    assert archive(data, tmp_path / "first.zip", "--event", "1") == before
    assert (data / "event.sqlite").read_bytes() == stored
    assert archive(data, tmp_path / "second.zip") != before
    capsys.readouterr()
    assert events(data) == 0
    listed = "1  Saturday, players 2, with its result\n2  Sunday, players 2, with its result\n"
    assert capsys.readouterr().out == listed
    assert main(["lists", "players", "--data", str(data), "--event", "1"]) == 0
    assert "Ben of Saturday" in capsys.readouterr().out
    assert main(["lists", "players", "--data", str(data), "--event", "3"]) == 2
    assert "--event: expected an event from 1 to 2, found 3" in capsys.readouterr().err


def test_the_command_starts_the_next_event(tmp_path: Path, capsys: Captured) -> None:
    """What a crash leaves of it is the old event or the new one."""
    assert events(tmp_path, "--new") == 2
    assert "expected the data folder of `dicebell desk`" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    data = tmp_path / "cup"
    play_duplicate_cup(data)
    (data / "events").mkdir()
    assert events(data, "--new") == 0
    assert capsys.readouterr().out.startswith("Event 2 is open: start the desk.")
    assert events(data) == 0
    assert "\n2  has not begun\n" in capsys.readouterr().out
    assert events(data, "--new") == 2
    assert "publish it first, found event 2 without one" in capsys.readouterr().err
    key = (data / PRIVATE_FILE).read_bytes()
    # No backup brings a key.
    (data / PRIVATE_FILE).unlink()
    with DeskProcess(data) as desk:
        desk.wait_until(is_ok=True)
        assert "Autumn cup" in desk.request("/events/1/standings").body.decode()
        result = json.loads(desk.request("/events/1/result.json").body)
        assert (result["is_final"], len(result["rows"])) == (True, 2)
    assert (data / "events" / "2" / PRIVATE_FILE).read_bytes() != key


def test_a_desk_with_a_database_of_its_own_keeps_one_event(
    tmp_path: Path, capsys: Captured
) -> None:
    data, url = tmp_path / "cup", f"sqlite:///{tmp_path}/other.sqlite"
    play_duplicate_cup(data)
    database = ("--data", str(data), "--database", f"sqlite:///{data}/event.sqlite")
    with DeskProcess(data, *database[2:]) as desk:
        desk.wait_until(is_ok=True)
        with visit(desk.url, renew_pin(data)) as office:
            refused = office.client.post("/organiser", data={"do": "next event"})
        assert refused.status_code == 400
        assert "found the option --database: start another desk" in refused.text
    assert not (data / "events").exists()
    assert main(["lists", "players", *database, "--event", "1"]) == 2
    assert "--event: expected a desk that keeps its events" in capsys.readouterr().err
    assert events(data, "--new") == 0
    assert main(["desk", "--data", str(data), "--port", "0", "--database", url]) == 2
    assert "found the option --database: start another desk" in capsys.readouterr().err
    assert not (tmp_path / "other.sqlite").exists()


def test_a_damaged_earlier_event_stops_no_new_one(tmp_path: Path, capsys: Captured) -> None:
    data = tmp_path / "cup"
    play_duplicate_cup(data)
    (data / "events").mkdir()
    play_duplicate_cup(data / "events" / "2")
    (data / "event.sqlite").write_bytes(b"no database")
    assert events(data, "--new") == 0
    assert capsys.readouterr().out.startswith("Event 3 is open: start the desk.")
    assert events(data) == 2
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith(
        f"1  cannot be read: sqlite:///{data}/event.sqlite: expected the database"
    )
    assert second.startswith("2  Autumn cup, players 2")
    assert third == "3  has not begun"
    with DeskProcess(data) as desk:
        desk.wait_until(is_ok=True)
        page = desk.request("/").body.decode()
        assert "/events/2/standings" in page
        assert "/events/1/standings" not in page
        (data / "events" / "2" / "event.sqlite").write_bytes(b"no database either")
        answer = desk.request("/events/2/result.json")
        assert answer.status == 503
        assert "expected an event that can be read" in json.loads(answer.body)["error"]
    (empty := tmp_path / "empty").mkdir()
    assert events(empty) == 2
    assert "--database" not in capsys.readouterr().err
