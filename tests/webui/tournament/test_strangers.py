# SPDX-License-Identifier: MIT
"""
Guests at a real `dicebell desk` stop no tournament.

Each part ends with a round: a table sends a roll, a player chooses from it, and the organiser logs
in. Every loopback address counts as a machine of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.journal.hashchain import encode_entry
from controller.journal.signing_key import TableKey
from controller.runtime.access.store import renew_pin
from controller.tournament.entries.game_entries import GameOpened
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.box_queries import MOST_PICTURE_BYTES
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.enrolment import derive_code, prove_table
from controller.tournament.server.wire.http_signature import sign_request
from controller.tournament.server.wire.receiver import LINES_TYPE
from controller.tournament.server.wire.sender_check import SENDER_RATE
from tests.controller.tournament.event_tables import ChainedTable, duplicate_event
from tests.support.desk_process import DeskProcess
from tests.support.tournament_client import make_key
from tests.support.tournament_store import send, wait_until_open

TIMEOUT_S = 60.0
STRANGERS = [f"127.0.0.{number}" for number in range(2, 32)]
"""The desk's own machine connects to 127.0.0.1 from 127.0.0.1."""
CLAIMS = 60
PICTURE = b"\xff" * (MOST_PICTURE_BYTES - 1)


@dataclass
class Hall:
    """A running desk, its table, a player's phone, and the organiser at the desk's machine."""

    desk: DeskProcess
    pin: str
    code: str
    key: TableKey
    table: ChainedTable
    phone: httpx.Client
    closing: contextlib.ExitStack

    def browse(self, address: str = "127.0.0.1") -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=address)
        client = httpx.Client(
            base_url=self.desk.url, transport=transport, timeout=TIMEOUT_S, trust_env=False
        )
        return self.closing.enter_context(client)

    def send(self, method: str, path: str, content: bytes, key: TableKey | None = None) -> int:
        headers = sign_request(key or self.key, method, path, content, int(time.time()))
        headers["Content-Type"] = LINES_TYPE
        answer = self.phone.request(method, path, content=content, headers=headers)
        return answer.status_code

    def throw(self, picture: bytes = b"") -> int:
        digest = hashlib.sha256(picture).hexdigest() if picture else ""
        keys = {"doubts": [], "picture": digest, "held": "", "by_hand": ""}
        entry = self.table.add("roll", by="Hall", roll="11234", **keys)
        path = f"/boxes/{self.key.public_hex}/journal/{entry.seq}"
        return self.send("POST", path, encode_entry(entry))

    def choose(self) -> int:
        roll = self._wait_for_roll()
        do = [next(each for each in roll["actions"] if "/" in each)]
        body = {"game": 1, "roll": roll["number"], "do": do}
        return self.phone.post("/event/choices", json=body).status_code

    def _wait_for_roll(self) -> dict[str, Any]:
        with self.phone.stream("GET", "/event/stream") as stream:
            for line in stream.iter_lines():
                told = json.loads(line[6:]) if line.startswith("data: {") else {}
                roll: dict[str, Any] | None = told.get("roll") if "player" in told else None
                if roll and roll["actions"]:
                    return roll
        raise AssertionError("the stream ended without a roll")

    def log_in(self, browser: httpx.Client, pin: str) -> int:
        answer = browser.post("/organiser", data={"do": "log in", "pin": pin, "name": "Olga"})
        return answer.status_code

    def enrol(self, browser: httpx.Client, key: TableKey, code: str) -> int:
        path = f"/boxes/{key.public_hex}"
        proof = prove_table(code, key.public_hex)
        content = json.dumps({"name": "Table 2", "proof": proof}).encode()
        headers = sign_request(key, "POST", path, content, int(time.time()))
        return browser.post(path, content=content, headers=headers).status_code

    def play_round(self) -> None:
        """Let everybody do what an evening needs; nothing of it may be refused."""
        assert self.throw(PICTURE) == 200
        path = f"/boxes/{self.key.public_hex}/pictures/{hashlib.sha256(PICTURE).hexdigest()}"
        assert self.send("PUT", path, PICTURE) == 200
        assert self.choose() == 200
        assert self.log_in(self.browse(), self.pin) == 303

    def claim(self, address: str, path: str, method: str = "POST") -> socket.socket:
        """Begin a request with a long body of which nothing comes."""
        size = MOST_PICTURE_BYTES if method == "PUT" else 4096
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.desk.url[7:]}\r\n"
        head += f"Content-Type: {LINES_TYPE}\r\nContent-Length: {size}\r\n\r\n"
        at = ("127.0.0.1", self.desk.port)
        claiming = socket.create_connection(at, TIMEOUT_S, (address, 0))
        self.closing.callback(claiming.close)
        claiming.sendall(head.encode())
        return claiming


@pytest.fixture
def hall(tmp_path: Path, real_pins: None) -> Iterator[Hall]:
    (data := tmp_path / "event").mkdir()
    pin, key = renew_pin(data), make_key(tmp_path / "table")
    table = ChainedTable(key.public_hex)
    own = TableKey.load_or_create(data)
    _begin_event(data, own, table)
    with DeskProcess(data) as desk, contextlib.ExitStack() as closing:
        desk.wait_until(is_ok=True)
        phone = httpx.Client(base_url=desk.url, timeout=TIMEOUT_S, trust_env=False)
        closing.enter_context(phone)
        assert phone.post("/event/players", json={"name": "Ada"}).status_code == 200
        yield Hall(desk, pin, derive_code(own, 0), key, table, phone, closing)


def _begin_event(data: Path, key: TableKey, table: ChainedTable) -> None:
    store = JournalStore(Database(data), key)
    runner = EventRunner(store)
    store.start()
    runner.start()
    try:
        wait_until_open(store)
        runner.propose(lambda state: duplicate_event(games=1, options={})).result()
        store.enrol(table.box, "Hall").result()
        send(store, table.box, 0, (encode_entry(table.begin()),))
        runner.propose(lambda state: GameOpened(1, table.box, 1, by="Olga")).result()
    finally:
        runner.close()
        store.close()


def test_bodies_that_never_come_take_nothing(hall: Hall) -> None:
    """A stranger gets an answer before its body."""
    key = hall.key.public_hex
    claiming = hall.claim(STRANGERS[0], f"/boxes/{key}/pictures/{'0' * 64}", "PUT")
    assert claiming.recv(12) == b"HTTP/1.1 401"
    for number in range(CLAIMS):
        address = STRANGERS[number % len(STRANGERS)]
        hall.claim(address, f"/boxes/{key}/pictures/{'0' * 64}", "PUT")
        for path in (f"/boxes/{key}/journal/1", f"/boxes/{key}", "/organiser", "/event/choices"):
            hall.claim(address, path)
    hall.play_round()


def test_a_forger_uses_up_nothing_of_a_table(hall: Hall, tmp_path: Path) -> None:
    """
    The key of a table is public: it stands in its path and its archive.

    Whether the forger itself is refused depends on how fast this machine answers.
    """
    forger, other = hall.browse(STRANGERS[0]), make_key(tmp_path / "other")
    path = f"/boxes/{hall.key.public_hex}"
    for number in range(2 * SENDER_RATE.burst):
        headers = {"Content-Type": LINES_TYPE}
        if number % 2:
            headers |= sign_request(other, "POST", f"{path}/journal/1", b"", int(time.time()))
        answer = forger.post(f"{path}/journal/1", headers=headers)
        assert answer.status_code in (401, 429)
    assert {forger.get(path).status_code for _ in range(SENDER_RATE.burst)} <= {200, 429}
    hall.play_round()


def is_told_to_wait(hall: Hall, guesser: str) -> bool:
    """Whether a browser that was never here has to wait with the right PIN after a wrong one."""
    assert hall.log_in(hall.browse(guesser), "000000") == 403
    login = {"do": "log in", "pin": hall.pin}
    return "Wait" in hall.browse("127.0.0.201").post("/organiser", data=login).text


def test_thirty_who_guess_lock_out_neither_organiser_nor_table(hall: Hall, tmp_path: Path) -> None:
    known, code = hall.browse("127.0.0.200"), hall.code
    assert hall.log_in(known, hall.pin) == 303
    assert hall.enrol(hall.browse(), make_key(tmp_path / "2"), code) == 200
    statuses = []
    for address in STRANGERS:
        guesser, key = hall.browse(address), make_key(tmp_path / address)
        for _ in range(4):
            assert hall.log_in(guesser, "000000") == 403
            statuses.append(hall.enrol(guesser, key, "0000-0000-0000"))
    assert set(statuses) == {400, 429}
    # They wait, and with them everybody who was never here. A wait may just have ended, and then
    # the guess of one who need not wait alone begins another, twice as long.
    assert any(is_told_to_wait(hall, f"127.0.1.{number}") for number in range(1, 11))
    assert hall.log_in(known, hall.pin) == 303
    assert hall.enrol(hall.browse("127.0.0.201"), make_key(tmp_path / "new"), code) == 200
    hall.play_round()


def test_only_the_owner_reads_what_the_desk_writes(hall: Hall, tmp_path: Path) -> None:
    """Neither is anybody else let in by what an earlier version, or a copy, left behind."""
    assert hall.log_in(hall.browse(), "000000") == 403
    hall.play_round()
    data, public = tmp_path / "event", {"table.pub", "table.lock"}
    secret = {path.name for path in data.iterdir()} - public
    assert secret == {
        *("event.sqlite", "event.sqlite-wal", "event.sqlite-shm"),
        *("access.json", "logins.json", "table.key"),
    }
    assert {name for name in secret if (data / name).stat().st_mode & 0o077} == set()
    content = b"".join((data / name).read_bytes() for name in secret)
    assert hall.code.encode() not in content
    hall.desk.end(signal.SIGKILL)
    for name in secret:
        (data / name).chmod(0o644)
    with DeskProcess(data) as again:
        again.wait_until(is_ok=True)
        assert {name for name in secret if (data / name).stat().st_mode & 0o077} == set()
