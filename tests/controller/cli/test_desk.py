# SPDX-License-Identifier: MIT
"""The server of a tournament as a process: it survives kills, waits for its database, and ends."""

from __future__ import annotations

import contextlib
import io
import json
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from controller.cli.main import main
from controller.cli.startup import SECRET_FILES, tighten_secrets
from controller.journal.journal import JOURNAL_FILE
from controller.journal.signing_key import load_public_key
from controller.runtime.access.store import renew_pin
from controller.tournament.server.store.box_queries import list_table_journals, read_journal_lines
from tests.support.demo_process import DemoProcess
from tests.support.desk_process import DeskProcess
from tests.support.own_logs import logs_as_before
from tests.support.tournament_store import list_lines, make_lines, open_store


def send_all(port: int, box: str, lines: tuple[bytes, ...], acknowledged: dict[str, int]) -> None:
    """Send lines one by one, again and again where the server is gone, until all are durable."""
    first = 0
    with httpx.Client(trust_env=False, timeout=10) as client:
        while first < len(lines):
            path = f"http://127.0.0.1:{port}/boxes/{box}/journal/{first}"
            headers = {"Content-Type": "application/x-ndjson"}
            try:
                answer = client.post(path, content=lines[first], headers=headers)
            except httpx.HTTPError:
                time.sleep(0.02)
                continue
            if answer.status_code in (200, 409):
                first = answer.json()["next"]
                acknowledged[box] = max(acknowledged.get(box, 0), first)
            else:
                time.sleep(0.02)


def test_every_acknowledged_line_survives_kills(tmp_path: Path) -> None:
    lines, boxes = make_lines(30, text="x" * 500), [f"{number:064x}" for number in range(4)]
    acknowledged: dict[str, int] = {}
    with contextlib.ExitStack() as closing:
        desk = closing.enter_context(DeskProcess(tmp_path, "--open"))
        senders = [
            threading.Thread(target=send_all, args=(desk.port, box, lines, acknowledged))
            for box in boxes
        ]
        for sender in senders:
            sender.start()
        while sum(acknowledged.values()) < 40:
            time.sleep(0.005)
        desk.end(signal.SIGKILL)
        before = dict(acknowledged)
        desk = closing.enter_context(DeskProcess(tmp_path, "--open", port=desk.port))
        desk.wait_until(is_ok=True)
        for box, count in before.items():
            url = f"http://127.0.0.1:{desk.port}/boxes/{box}"
            assert httpx.get(url, trust_env=False, timeout=30).json()["next"] >= count
        for sender in senders:
            sender.join()
        assert desk.end(signal.SIGTERM) == 0
    with open_store(tmp_path) as store:
        for found in store.read(list_table_journals):
            stored = store.read(partial(read_journal_lines, key=found.key, first=0, most=100))
            assert stored == lines
        assert len(store.read(list_table_journals)) == len(boxes)
        arrivals = [line.arrival for line in list_lines(store)]
    assert arrivals == list(range(1, len(arrivals) + 1))


def test_it_waits_for_its_database_and_bears_bad_clients(tmp_path: Path) -> None:
    """One process: no database, a second server, silent connections, a torn request, the end."""
    (blocked := tmp_path / "event.sqlite").mkdir()
    lines, box, headers = make_lines(4), "a" * 64, {"Content-Type": "application/x-ndjson"}
    body = b"\n".join(lines)
    with DeskProcess(tmp_path, "--open") as desk, contextlib.ExitStack() as closing:
        client = closing.enter_context(httpx.Client(trust_env=False, base_url=desk.url))
        assert "unable to open database file" in str(desk.wait_until(is_ok=False)["database"])
        assert "waits for its database" in client.get("/organiser").text
        answer = client.post(f"/boxes/{box}/journal/0", content=body, headers=headers)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        blocked.rmdir()
        desk.wait_until(is_ok=True)
        assert run_desk(tmp_path)[0] == 2
        for _ in range(300):
            silent = closing.enter_context(socket.create_connection(("127.0.0.1", desk.port)))
            silent.send(b"POST /boxes/")
        tear_request(desk.port, f"/boxes/{box}/journal/0", body)
        assert client.get(f"/boxes/{box}").status_code == 403
        for _ in range(2):
            answer = client.post(f"/boxes/{box}/journal/0", content=body, headers=headers)
            assert answer.json() == {"next": 4}
        assert desk.end(signal.SIGTERM) == 0
    assert any("database opened" in each for each in desk.lines)


def tear_request(port: int, path: str, body: bytes) -> None:
    """Send half of a request, and wait until the server has ended it."""
    with socket.create_connection(("127.0.0.1", port)) as torn:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        head += "Content-Type: application/x-ndjson\r\n\r\n"
        torn.sendall(head.encode() + body[: len(body) // 2])
        torn.shutdown(socket.SHUT_WR)
        torn.recv(1000)


@pytest.fixture
def used_port() -> Iterator[int]:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        yield taken.getsockname()[1]


def run_desk(data: Path, *options: str) -> tuple[int, str]:
    """Return the exit status of a server that cannot start, and the last line that it printed."""
    said = io.StringIO()
    with logs_as_before(), signals_as_before(), contextlib.redirect_stderr(said):
        status = main(["desk", "--data", str(data), "--port", "0", *options])
    return status, said.getvalue().splitlines()[-1]


@contextlib.contextmanager
def signals_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_what_cannot_be_used_is_refused_in_one_line(tmp_path: Path, used_port: int) -> None:
    status, said = run_desk(tmp_path, "--port", str(used_port))
    assert (status, "expected a free port, found" in said) == (2, True)
    status, said = run_desk(tmp_path, "--database", "nonsense")
    assert (status, said.startswith("dicebell desk: --database: expected a database")) == (2, True)
    with open_store(tmp_path):
        pass
    (tmp_path / "table.key").unlink()
    (tmp_path / "table.pub").unlink()
    status, said = run_desk(tmp_path)
    assert (status, "expected the key of this event" in said) == (2, True)


@pytest.mark.parametrize("names", ["https://cup.example.org", "cup.lan,cup:8090", "a b"])
def test_names_that_are_none_are_refused(
    tmp_path: Path, names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["desk", "--data", str(tmp_path), "--host-names", names])
    assert "expected names such as cup.example.org" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["cup.example.org", "ftp://cup.lan", "https://cup.lan/'; x"])
def test_addresses_of_published_files_are_checked(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["desk", "--data", str(tmp_path), "--public-url", url])
    assert "expected an address such as https://live.example.org/cup/" in capsys.readouterr().err


def test_it_names_the_address_of_its_published_files(tmp_path: Path) -> None:
    with DeskProcess(tmp_path, "--public-url", "https://live.lan/cup") as desk:
        page = httpx.get(f"{desk.url}/tv", trust_env=False, timeout=30)
    assert 'data-published="https://live.lan/cup/index.html#tv"' in page.text
    assert "connect-src 'self' https://live.lan" in page.headers["Content-Security-Policy"]


def test_it_answers_to_the_names_of_its_option(tmp_path: Path) -> None:
    with DeskProcess(tmp_path, "--host-names", "cup.example.org,Cup.lan") as desk:
        for host, status in (("cup.example.org", 200), ("cup.lan:8090", 200), ("cup.home", 403)):
            answer = httpx.get(f"{desk.url}/", headers={"Host": host}, trust_env=False, timeout=30)
            assert (answer.status_code, host) == (status, host)


@pytest.mark.usefixtures("real_pins")
def test_a_table_joins_on_its_service_page_and_sends(tmp_path: Path) -> None:
    """A real table and a real server, from the code on one page to the lines of the other."""
    (data := tmp_path / "event").mkdir()
    pin = renew_pin(data)
    with DeskProcess(data) as desk, DemoProcess(tmp_path / "table") as demo:
        desk.wait_until(is_ok=True)
        with httpx.Client(trust_env=False, base_url=desk.url, timeout=30) as client:
            client.post("/organiser", data={"do": "log in", "pin": pin})
            code = re.findall(r">([0-9A-Z-]{14})<", client.get("/organiser").text)[0]
            join = {"do": "join tournament", "address": desk.url, "code": code, "name": "Table 1"}
            assert demo.post("/service", join) == 200
            key = load_public_key(tmp_path / "table" / "table.pub").hex()
            kinds: list[str] = []
            while "joined" not in kinds:
                # One that asks faster is refused.
                time.sleep(0.1)
                count = client.get(f"/boxes/{key}").json().get("next", 0)
                kinds = [json.loads(line)["kind"] for line in journal_of(tmp_path)[:count]]
            assert kinds[0] == "genesis"
            assert "Table 1" in client.get("/organiser").text
        health = httpx.get(f"{demo.url}healthz", trust_env=False).json()
        assert (health["ok"], health["tournament"]) == (True, "live")
        check_secrets(tmp_path / "table")
        assert desk.end(signal.SIGTERM) == 0


def check_secrets(folder: Path) -> None:
    """Check that every secret is its owner's, and is so again once it is tightened."""
    assert folder.stat().st_mode & 0o777 == 0o700
    files = [path for path in folder.iterdir() if path.is_file()]
    secret = {path.name for path in files if not path.stat().st_mode & 0o077}
    assert {"access.json", "table.key", "tournament.json"} <= secret <= set(SECRET_FILES)
    for name in secret:
        (folder / name).chmod(0o644)
    tighten_secrets(folder)
    assert {name for name in secret if (folder / name).stat().st_mode & 0o077} == set()


def journal_of(folder: Path) -> list[bytes]:
    return (folder / "table" / JOURNAL_FILE).read_bytes().splitlines()
