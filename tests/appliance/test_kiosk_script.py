# SPDX-License-Identifier: MIT
"""The kiosk's launcher with a browser of wood and a table that says what the test wants."""

from __future__ import annotations

import itertools
import os
import signal
import stat
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "hardware" / "appliance" / "kiosk.sh"
TIMEOUT_S = 120.0


class Table:
    """A table's server: it answers, or hangs up, and tells how old the page's last sign is."""

    def __init__(self) -> None:
        self.is_well = True
        self.ages: Iterator[str] = itertools.repeat("0.4")
        self._changed = threading.Condition()
        self._asked: dict[str, int] = {}
        table = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_well = table.is_well
                body = f"{next(table.ages)}\n".encode() if self.path == "/heartbeat" else b"ok"
                table.asked(self.path)
                if not is_well:
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def asked(self, path: str) -> None:
        with self._changed:
            self._asked[path] = self._asked.get(path, 0) + 1
            self._changed.notify_all()

    def count(self, path: str) -> int:
        with self._changed:
            return self._asked.get(path, 0)

    def wait_until_asked(self, path: str, more: int) -> None:
        with self._changed:
            wanted = self._asked.get(path, 0) + more
            assert self._changed.wait_for(lambda: self._asked.get(path, 0) >= wanted, TIMEOUT_S)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Kiosk:
    """The launcher as a process, and the browser that it started."""

    def __init__(self, folder: Path, table: Table, key: str = "", **locale: str) -> None:
        self.key = folder / "kiosk.key"
        if key:
            self.key.write_text(f"{key}\n")
        self.started = folder / "started"
        os.mkfifo(self.started)
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$$ $*" >{self.started}\nexec sleep 600\n')
        browser.chmod(0o755)
        self.profile = folder / "dicebell-kiosk"
        self.process = subprocess.Popen(
            ["/bin/sh", SCRIPT],
            env={
                "PATH": os.environ["PATH"],
                "XDG_RUNTIME_DIR": str(folder),
                "KIOSK_URL": table.url,
                "KIOSK_KEY": str(self.key),
                "KIOSK_BROWSER": str(browser),
                "KIOSK_CHECK_S": "0.05",
                "KIOSK_PATIENCE": "4",
                **locale,
            },
            stderr=subprocess.PIPE,
            text=True,
        )

    def browser(self) -> tuple[int, str]:
        pid, _, arguments = self.started.read_text().partition(" ")
        return int(pid), arguments

    def end(self) -> tuple[int, str]:
        _, said = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, said


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.close()


@pytest.fixture
def kiosk(tmp_path: Path, table: Table) -> Iterator[Kiosk]:
    (tmp_path / "dicebell-kiosk").mkdir()
    (tmp_path / "dicebell-kiosk" / "of yesterday").touch()
    kiosk = Kiosk(tmp_path, table)
    yield kiosk
    if kiosk.process.poll() is None:
        kiosk.process.terminate()
        kiosk.end()


def test_a_browser_of_its_own_shows_the_table(kiosk: Kiosk, table: Table) -> None:
    pid, arguments = kiosk.browser()
    assert arguments.split()[-1] == table.url
    assert "--kiosk" in arguments.split()
    assert f"--user-data-dir={kiosk.profile}" in arguments.split()
    assert list(kiosk.profile.iterdir()) == []
    table.wait_until_asked("/heartbeat", 8)
    assert is_running(pid)


def test_the_browser_gets_the_key_in_a_file_of_its_own(tmp_path: Path, table: Table) -> None:
    kiosk = Kiosk(tmp_path, table, key="8_fX-")
    _, arguments = kiosk.browser()
    start = kiosk.profile / "start.html"
    assert arguments.split()[-1] == start.as_uri()
    assert "8_fX-" not in arguments
    assert f'content="0;url={table.url}login#box=8_fX-"' in start.read_text()
    assert stat.S_IMODE(start.stat().st_mode) == 0o600
    kiosk.process.terminate()
    assert kiosk.end()[0] == 0
    assert not start.exists()


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de-AT"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_DE@euro"}, "de-DE"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_pages_get_the_language_of_the_desktop(
    tmp_path: Path, table: Table, locale: dict[str, str], language: str
) -> None:
    kiosk = Kiosk(tmp_path, table, **locale)
    assert f"--accept-lang={language}" in kiosk.browser()[1].split()
    kiosk.process.terminate()
    kiosk.end()


def test_a_missing_key_is_reported(kiosk: Kiosk) -> None:
    kiosk.browser()
    kiosk.process.terminate()
    assert f"expected the table's key in {kiosk.key}" in kiosk.end()[1]


def test_the_browser_waits_for_the_table(tmp_path: Path, table: Table) -> None:
    table.is_well = False
    kiosk = Kiosk(tmp_path, table)
    table.wait_until_asked("/healthz", 2)
    table.is_well = True
    pid, _ = kiosk.browser()
    assert is_running(pid)
    kiosk.process.terminate()
    kiosk.end()


def test_a_browser_that_ends_is_noticed(kiosk: Kiosk) -> None:
    pid, _ = kiosk.browser()
    os.kill(pid, signal.SIGKILL)
    status, said = kiosk.end()
    assert status == 1
    assert "the browser ended" in said


@pytest.mark.parametrize("age", ["never", "21.0", "3600.5"])
def test_a_page_that_gives_no_sign_ends_the_browser(kiosk: Kiosk, table: Table, age: str) -> None:
    pid, _ = kiosk.browser()
    table.ages = itertools.repeat(age)
    status, said = kiosk.end()
    assert status == 1
    assert "no sign of life" in said
    assert not is_running(pid)
    assert not kiosk.profile.exists()


def end_without_sign(folder: Path, table: Table) -> int:
    """Let a browser end that never gives a sign; return how often the table was asked for one."""
    before = table.count("/heartbeat")
    kiosk = Kiosk(folder, table)
    kiosk.browser()
    assert kiosk.end()[0] == 1
    kiosk.started.unlink()
    return table.count("/heartbeat") - before


def test_each_browser_that_gave_no_sign_gets_longer(tmp_path: Path, table: Table) -> None:
    table.ages = itertools.repeat("never")
    assert [end_without_sign(tmp_path, table) for _ in range(5)] == [4, 8, 16, 32, 32]
    table.ages = itertools.chain(["0.4"], itertools.repeat("21.0"))
    assert end_without_sign(tmp_path, table) == 1 + 32, "the patience that it was started with"
    assert end_without_sign(tmp_path, table) == 4


def test_a_sign_now_and_then_is_enough(kiosk: Kiosk, table: Table) -> None:
    pid, _ = kiosk.browser()
    table.ages = itertools.cycle(["never", "21.4", "never", "19.9"])
    table.wait_until_asked("/heartbeat", 16)
    assert is_running(pid)


def test_a_silent_table_is_not_blamed_on_the_page(kiosk: Kiosk, table: Table) -> None:
    pid, _ = kiosk.browser()
    table.is_well = False
    table.wait_until_asked("/heartbeat", 10)
    assert is_running(pid)


def test_the_browser_ends_with_its_launcher(kiosk: Kiosk) -> None:
    pid, _ = kiosk.browser()
    kiosk.process.terminate()
    status, _ = kiosk.end()
    assert status == 0
    assert not is_running(pid)
