# SPDX-License-Identifier: MIT
"""A table's journal arrives at the server that it has joined, and nowhere else."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.appliance.doctor.checks.network import check_tournament
from controller.appliance.doctor.finding import Level
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.base.errors import RefusedError
from controller.base.settings import DataSettings, Settings
from controller.tournament.sending import journal_sender
from controller.tournament.sending.server_pin import PinnedServer, load_pin, save_pin
from controller.tournament.sending.uplink import TournamentUplink, UplinkState
from controller.tournament.server.store.box_queries import read_journal_lines, read_picture
from controller.verify.findings import FindingKind
from controller.verify.verify import verify_journal
from hardware.camera import Camera
from tests.support.sending_table import SendingTable, wait_for
from tests.support.tournament_client import ServedEvent, serve_event
from tests.support.tournament_store import make_lines, send

WRONG = (FindingKind.UNKNOWN_KIND, FindingKind.UNKNOWN_KEY, FindingKind.CHANGED)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SendingTable]:
    monkeypatch.setattr(journal_sender, "ASK_AGAIN_S", 0.05)
    made = SendingTable(tmp_path / "table")
    with contextlib.closing(made):
        yield made


@pytest.fixture
def event(tmp_path: Path) -> Iterator[ServedEvent]:
    (data := tmp_path / "event").mkdir()
    with serve_event(data) as served:
        yield served


def join(table: SendingTable, event: ServedEvent, name: str = "Table 1") -> str:
    return table.uplink.join(str(event.client.base_url), event.receiver.read_code().lower(), name)


def lines_at(event: ServedEvent, table: SendingTable) -> tuple[bytes, ...]:
    box = table.key.public_hex
    return event.store.read(lambda connection: read_journal_lines(connection, box, 0, 1000))


def has_stopped(table: SendingTable, why: str) -> bool:
    status = table.uplink.status()
    return status.state is UplinkState.STOPPED and why in status.reason


def test_the_journal_of_a_joined_table_arrives(table: SendingTable, event: ServedEvent) -> None:
    assert join(table, event) == "This table has joined the tournament."
    for number in range(300):
        table.write("pause", {"panel": str(number) * 1000})
    wait_for(lambda: lines_at(event, table) == table.lines)
    picture = table.pictures.store(b"jpeg")
    table.write("roll", {"picture": picture})
    wait_for(lambda: event.store.read(lambda it: read_picture(it, picture)) == b"jpeg")
    table.sign()
    wait_for(lambda: table.uplink.count_waiting() == 0)
    assert table.uplink.status().describe() == "live"
    (finding,) = check_tournament(context_of(table))
    assert finding.level is Level.OK
    assert f"has {len(table.lines)} entries" in finding.what


def test_the_server_cosigns_a_checkpoint_once(table: SendingTable, event: ServedEvent) -> None:
    join(table, event)
    table.write("pause", {})
    for _ in range(2):
        table.sign()
        count = table.kinds.count("cosigned")

        def is_cosigned(before: int = count) -> bool:
            table.write_later_entries()
            return table.kinds.count("cosigned") == before + 1

        wait_for(is_cosigned)
    wait_for(lambda: table.uplink.count_waiting() == 0)
    assert table.kinds.count("joined") == 1
    assert lines_at(event, table) == table.lines
    findings = verify_journal(table.folder).findings
    assert [each.what for each in findings.reported if each.kind in WRONG] == []


def test_a_table_that_was_away_catches_up(table: SendingTable, tmp_path: Path) -> None:
    (data := tmp_path / "event").mkdir()
    with serve_event(data) as event:
        join(table, event)
        wait_for(lambda: table.uplink.status().state is UplinkState.LIVE)
        port = event.client.base_url.port
    wait_for(lambda: table.uplink.status().state is UplinkState.AWAY)
    for number in range(30):
        table.write("pause", {"panel": str(number)})
    assert table.uplink.count_waiting() >= 30
    (finding,) = check_tournament(context_of(table))
    assert finding.level is Level.NOTE
    with serve_event(data, port=port) as event:
        wait_for(lambda: lines_at(event, table) == table.lines)


def test_another_key_at_the_address_gets_no_line(table: SendingTable, tmp_path: Path) -> None:
    for name in ("event", "other"):
        (tmp_path / name).mkdir()
    with serve_event(tmp_path / "event") as event:
        join(table, event)
        wait_for(lambda: table.uplink.status().state is UplinkState.LIVE)
        port = event.client.base_url.port
    with serve_event(tmp_path / "other", port=port, is_open=True) as other:
        wait_for(lambda: has_stopped(table, "another desk answers there"))
        table.write("pause", {})
        (finding,) = check_tournament(context_of(table))
        assert finding.level is Level.WRONG
        assert lines_at(other, table) == ()
        # The official lets the table join the new one.
        join(table, other)
        wait_for(lambda: lines_at(other, table) == table.lines)


def test_another_key_of_the_table_waits(
    table: SendingTable, event: ServedEvent, tmp_path: Path
) -> None:
    join(table, event)
    other = SendingTable(tmp_path / "second")
    with contextlib.closing(other):
        assert "Another key has this name" in join(other, event)
        wait_for(lambda: has_stopped(other, "the key of an enrolled table"))
        assert lines_at(event, other) == ()


@pytest.mark.parametrize(
    ("count", "why"), [(1, "another entry 0"), (9, "was an older backup restored?")]
)
def test_a_fork_or_an_older_journal_stops_the_sending(
    table: SendingTable, event: ServedEvent, count: int, why: str
) -> None:
    box = table.key.public_hex
    event.store.enrol(box, "Table 1").result()
    send(event.store, box, 0, make_lines(count))
    join(table, event)
    wait_for(lambda: has_stopped(table, why))
    assert lines_at(event, table) == make_lines(count)


def test_a_restarted_table_is_joined_before_it_sends(
    table: SendingTable, event: ServedEvent
) -> None:
    join(table, event)
    restarted = TournamentUplink(table.folder, table.entries, lambda _: True, table.write)
    assert restarted.is_joined
    restarted.open_client().close()


def test_leaving_ends_the_sending(table: SendingTable, event: ServedEvent) -> None:
    join(table, event)
    wait_for(lambda: lines_at(event, table) != ())
    table.uplink.leave()
    table.write("pause", {})
    assert table.uplink.status().describe() == "off"
    assert load_pin(table.folder) is None
    assert table.kinds[-2:] == ["left", "pause"]


def test_joining_needs_a_server_with_the_code(table: SendingTable, event: ServedEvent) -> None:
    url = str(event.client.base_url)
    for address, code, why in (
        (url, "0000-0000-0000", "expected the code that the server shows"),
        (url, "short", "a code of 12 letters and digits"),
        ("nowhere", event.receiver.read_code(), "expected an address such as"),
        ("http://127.0.0.1:9", event.receiver.read_code(), "Connection refused"),
    ):
        with pytest.raises(RefusedError, match=why):
            table.uplink.join(address, code, "Table 1")
    assert table.uplink.status().describe() == "off"


class _Rubbish(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        # With a rest that nobody has read, the connection would be reset.
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>log in to this network" * 100_000)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_rubbish_at_the_address_stops_nothing_else(table: SendingTable) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Rubbish) as rubbish:
        thread = threading.Thread(target=rubbish.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{rubbish.server_port}"
        with pytest.raises(RefusedError, match="no tournament desk answers"):
            table.uplink.join(address, "0000-0000-0000", "Table 1")
        save_pin(table.folder, PinnedServer(address, "a" * 64, "Table 1"))
        (finding,) = check_tournament(context_of(table))
        assert "no tournament desk answers there" in finding.what
        rubbish.shutdown()
        thread.join()


def refuse() -> Camera:
    raise AssertionError("the check of a tournament needs no camera")


def context_of(table: SendingTable) -> DiagnosticContext:
    settings = Settings(data=DataSettings(folder=table.folder))
    return DiagnosticContext(host=Host(), settings=settings, open_camera=refuse)
