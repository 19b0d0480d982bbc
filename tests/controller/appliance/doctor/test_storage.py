# SPDX-License-Identifier: MIT
"""Disk, data folder, settings file and port."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from controller.appliance.doctor.checks.data_folder import (
    check_data,
    check_disk,
    check_space,
    check_speed,
    folder_remedy,
)
from controller.appliance.doctor.checks.network import check_port, fetch_health_at, find_port_owner
from controller.appliance.doctor.checks.program import check_settings, report_refused_settings
from controller.appliance.doctor.finding import Level
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.base.errors import InputError
from controller.journal.journal import JOURNAL_FILE, Journal
from controller.runtime.calibration.store import Calibration, save_calibration
from tests.controller.appliance.doctor.hosts import is_root, machine_at, patient_with, told
from tests.support.ipv6 import needs_ipv6
from tests.vision.mapped import upright_map
from tests.webui.fakes import FakeTable
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.server import KioskServer

TRAY = upright_map()


def at(tmp_path: Path, settings: str) -> DiagnosticContext:
    host = tmp_path / "machine"
    host.mkdir()
    return patient_with(machine_at(host), settings)


def data_at(tmp_path: Path, folder: Path) -> list[str]:
    return told(list(check_data(at(tmp_path, f'[data]\nfolder = "{folder}"\n'))))


def test_the_disk_is_measured_where_the_data_will_be(tmp_path: Path) -> None:
    context = at(tmp_path, f'[data]\nfolder = "{tmp_path}/not/yet/there"\n')
    space, speed = check_disk(context)
    assert f"free at {tmp_path}," in space.what
    assert speed.what.startswith("an entry reaches the disk in")
    assert not (tmp_path / "not").exists()


@pytest.mark.skipif(is_root(), reason="to root no folder is closed")
def test_a_folder_that_takes_nothing_is_wrong(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    lines = told(list(check_disk(at(tmp_path, f'[data]\nfolder = "{closed}"\n'))))
    assert lines[-1].startswith(f"wrong: cannot write in {closed}")
    assert data_at(tmp_path / "closed", closed)[0].startswith("wrong")


@pytest.mark.parametrize(
    ("free_bytes", "level"),
    [(50_000_000, Level.WRONG), (500_000_000, Level.NOTE), (20_000_000_000, Level.OK)],
)
def test_room_is_judged_by_the_rolls_that_fit(free_bytes: int, level: Level) -> None:
    finding = check_space(Path("/data"), free_bytes)
    assert finding.level is level
    assert f"{free_bytes // 250_000:,} rolls" in finding.what


@pytest.mark.parametrize(
    ("times_ms", "level"),
    [
        ([2.0] * 19 + [90.0], Level.OK),
        ([5.0] * 19 + [400.0], Level.NOTE),
        ([600.0] * 20, Level.WRONG),
    ],
)
def test_a_slow_disk_is_noted_and_then_wrong(times_ms: list[float], level: Level) -> None:
    assert check_speed(times_ms).level is level


@pytest.mark.skipif(not is_root(), reason="only root can give a folder away")
def test_a_folder_of_the_service_is_left_to_its_user(tmp_path: Path) -> None:
    os.chown(tmp_path, pwd.getpwnam("nobody").pw_uid, -1)
    assert "sudo -u nobody dicebell doctor" in folder_remedy(tmp_path)
    os.chown(tmp_path, 54321, -1)
    assert "the user #54321" in folder_remedy(tmp_path)


def test_the_remedy_for_an_own_unwritable_folder_is_its_disk(tmp_path: Path) -> None:
    assert "mounted" in folder_remedy(tmp_path)


def test_a_new_data_folder_is_fine(tmp_path: Path) -> None:
    lines = data_at(tmp_path, tmp_path / "data")
    assert lines[0].endswith("data can be written; it has no journal yet")


def test_a_journal_is_read_and_counted(tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path / "data")
    journal.append("pause", {})
    journal.append("resume", {})
    journal.close()
    lines = data_at(tmp_path, tmp_path / "data")
    assert lines[0].startswith("ok: ")
    assert lines[0].endswith("its journal has 2 entries")


def test_a_torn_line_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / JOURNAL_FILE).write_bytes(b'{"seq":')
    lines = data_at(tmp_path, folder)
    assert "0 entries and a torn line" in lines[0]
    assert (folder / JOURNAL_FILE).read_bytes() == b'{"seq":'


def test_a_broken_journal_is_wrong(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / JOURNAL_FILE).write_bytes(b'{"seq":0}\n')
    assert data_at(tmp_path, folder)[0].startswith("wrong: ")


def test_a_tray_that_was_calibrated_says_when(tmp_path: Path) -> None:
    save_calibration(tmp_path / "data", Calibration(TRAY, None, 50.0, "2026-01-02T03:04:05+00:00"))
    lines = data_at(tmp_path, tmp_path / "data")
    assert lines[1] == "ok: calibrated 2026-01-02T03:04:05+00:00"


def test_a_broken_calibration_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "calibration.json").write_text("{}")
    assert data_at(tmp_path, tmp_path / "data")[1].startswith("wrong: ")


@pytest.mark.parametrize(
    ("driver", "lines"), [("pi", 2), ("usb", 2), ("auto", 2), ("simulated", 1)]
)
def test_only_a_real_camera_misses_its_calibration(tmp_path: Path, driver: str, lines: int) -> None:
    text = f'[data]\nfolder = "{tmp_path}/data"\n[camera]\ndriver = "{driver}"\n'
    told_lines = told(list(check_data(at(tmp_path, text))))
    assert len(told_lines) == lines
    assert told_lines[1:] in ([], ["note: the tray is not calibrated"])


def test_a_settings_file_is_named_with_its_drivers(tmp_path: Path) -> None:
    host = machine_at(tmp_path)
    context = patient_with(host, config=Path("/etc/dicebell/dicebell.toml"))
    assert told(list(check_settings(context))) == [
        "ok: /etc/dicebell/dicebell.toml: camera auto, panel none"
    ]


def test_no_settings_file_is_a_note_and_a_refused_one_is_wrong(tmp_path: Path) -> None:
    (finding,) = check_settings(patient_with(machine_at(tmp_path)))
    assert finding.level is Level.NOTE
    error = InputError(expected="a port", found="x", where="a.toml, line 3")
    assert told([report_refused_settings(error)]) == [
        "wrong: a.toml, line 3: expected a port, found x"
    ]


def port_settings(port: int) -> str:
    return f'[web]\nport = {port}\nbox_port = {port}\nhost = "127.0.0.1"\n'


def test_a_free_port_is_free(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    lines = told(list(check_port(at(tmp_path, port_settings(port)))))
    assert lines == [f"ok: {port} is free"] * 2


def test_a_port_in_use_names_the_program_that_has_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        context = patient_with(Host(), port_settings(port))
        finding, own = check_port(context)
    assert finding.level is own.level is Level.WRONG
    assert "another box_port in [web]" in own.mend
    assert f"(process {os.getpid()})" in finding.what
    assert f"{port} is in use by" in finding.what
    assert find_port_owner(Host(), port) == ""


@needs_ipv6
def test_every_address_is_checked_in_both_families(tmp_path: Path) -> None:
    """A program that has the port in IPv4 alone is in the way of `::` too."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = f'[web]\nport = {port}\nhost = "::"\n'
        finding, _ = check_port(at(tmp_path, settings))
    assert finding.level is Level.WRONG
    assert f"{port} is" in finding.what


@needs_ipv6
def test_a_dicebell_at_every_address_is_found() -> None:
    table = FakeTable()
    server = KioskServer(create_app(table.running, None, FakeAccess()), "::", 0)
    server.start()
    try:
        assert all(fetch_health_at(host, server.port) for host in ("::", "::1", "127.0.0.1"))
    finally:
        table.close()
        server.close()


def test_an_address_that_is_not_ours_is_wrong(tmp_path: Path) -> None:
    settings = '[web]\nhost = "192.0.2.1"\n'
    finding, _ = check_port(at(tmp_path, settings))
    assert finding.level is Level.WRONG
    assert "192.0.2.1:8080 is not available" in finding.what


def test_a_dicebell_is_known_by_its_answer(tmp_path: Path) -> None:
    table = FakeTable()
    server = KioskServer(create_app(table.running, None, FakeAccess()), "127.0.0.1", 0)
    server.start()
    try:
        assert fetch_health_at("0.0.0.0", server.port)
    finally:
        table.close()
        server.close()
    assert not fetch_health_at("127.0.0.1", server.port)
    context = patient_with(machine_at(tmp_path), is_running=True)
    assert told(list(check_port(context))) == ["ok: 8080, 8081: dicebell itself serves there"]


def test_another_server_is_no_dicebell(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as other:
        assert other.stdout is not None
        port = int(other.stdout.readline().split("port ")[1].split()[0])
        try:
            assert not fetch_health_at("127.0.0.1", port)
        finally:
            other.terminate()
