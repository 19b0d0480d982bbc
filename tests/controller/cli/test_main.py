# SPDX-License-Identifier: MIT
"""Wrong input gets one clear line and exit status 2, and harms nothing that is stored."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli import run
from controller.cli.main import main
from controller.journal.journal import JOURNAL_FILE, Journal, read_journal
from tests.controller.conftest import Dicebell, Done


def run_program(*arguments: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "controller.cli.main", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **streams)


def assert_refused(done: Done, *parts: str) -> None:
    assert done.status == 2, done.complaint
    assert len(done.complaint.splitlines()) == 1, done.complaint
    for part in parts:
        assert part in done.complaint
    assert done.output == ""


def test_a_port_in_use(dicebell: Dicebell, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = dicebell("demo", "--seed", "1", "--data", str(tmp_path / "new"), "--port", port)
    assert done.status == 2
    assert list(tmp_path.iterdir()) == [], "no data folder is left behind"
    assert done.complaint.splitlines() == [
        f"dicebell demo: port: expected a free port, found {port} in use"
    ]


def test_a_data_folder_that_cannot_be_written(dicebell: Dicebell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = dicebell("demo", "--seed", "1", "--data", str(tmp_path / "file" / "data"), "--no-web")
    assert_refused(done, "data folder that can be written", str(tmp_path / "file"))


def test_a_disk_that_fills_up_ends_autoplay_in_words(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the full disk: the writes really fail."""
    limit = f"ulimit -f 8; exec {sys.executable} -m controller.cli.main demo --no-web"
    done = subprocess.run(
        ["bash", "-c", f"{limit} --autoplay 3 --seed 1 --data {tmp_path}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("dicebell demo: --autoplay: expected a table that accepts rolls")
    assert "The disk refuses to write" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    read_journal(tmp_path)


def test_a_broken_journal_is_left_as_it_is(dicebell: Dicebell, tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    path.write_bytes(b'{"seq":0}\n')
    done = dicebell("demo", "--seed", "1", "--data", str(tmp_path), "--no-web")
    assert_refused(done, "journal.jsonl, line 1", "unbroken journal")
    assert path.read_bytes() == b'{"seq":0}\n'


def test_a_data_folder_that_another_table_uses(tmp_path: Path) -> None:
    """The other one is a process of its own, as it is when somebody starts the table twice."""
    journal, _ = Journal.open(tmp_path)
    second = run_program("demo", "--no-web", "--data", str(tmp_path), stdout=subprocess.PIPE)
    journal.close()
    done = Done(second.returncode, second.stdout, second.stderr)
    assert_refused(done, "no other table", str(tmp_path))


def test_an_answer_that_cannot_be_written() -> None:
    with open("/dev/full", "w") as full:
        done = run_program("run", "--print-config", stdout=full)
    assert done.returncode == 2
    assert done.stderr == (
        "dicebell run: expected room for the answer, found No space left on device\n"
    )


def test_an_unexpected_system_error_names_its_place() -> None:
    with open("/dev/null") as read_only:
        done = run_program("run", "--print-config", stdout=read_only)
    assert done.returncode == 2
    assert re.fullmatch(
        r"dicebell run: expected no system error in run \(run\.py, line \d+\),"
        r" found Bad file descriptor\n",
        done.stderr,
    )


def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = run_program("run", "--print-config", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_another_pipe_that_breaks_is_an_error(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a connection; otherwise a command would end with nothing printed and status 0."""

    def break_a_pipe(path: Path) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        os.write(writer, b"x")

    monkeypatch.setattr(run, "load_settings", break_a_pipe)
    with capfd.disabled(), open("/dev/null", "w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        assert main(["run", "--print-config", "--config", "any"]) == 2


def test_a_recording_that_is_not_there(
    dicebell: Dicebell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "dicebell.toml"
    config.write_text('[camera]\ndriver = "file"\npath = "/nowhere.mp4"\n')
    assert_refused(dicebell("run", "--config", str(config)), "/nowhere.mp4")


def test_settings_that_are_nested_too_deeply(dicebell: Dicebell, tmp_path: Path) -> None:
    config = tmp_path / "dicebell.toml"
    config.write_text("x=" + "[" * 100_000)
    assert_refused(dicebell("run", "--config", str(config)), "nested too deeply")


def test_a_configuration_with_a_wrong_key(
    dicebell: Dicebell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "dicebell.toml"
    config.write_text("[camera]\nwidth = 1280\nbrightness = 5\n")
    done = dicebell("run", "--config", str(config))
    assert_refused(done, "dicebell.toml", "3", "brightness")
    assert not (tmp_path / "dicebell-data").exists()


@pytest.mark.parametrize("number", ["0", "-3", "many"])
def test_a_number_of_games_that_cannot_be(dicebell: Dicebell, tmp_path: Path, number: str) -> None:
    done = dicebell("demo", "--seed", "1", "--data", str(tmp_path), "--autoplay", number)
    assert done.status == 2
    assert "--autoplay: expected a whole number of 1 or more" in done.complaint
    assert "Traceback" not in done.complaint


def test_a_command_loads_no_other() -> None:
    """A reading process would be half as large again with the kiosk's server."""
    code = "import sys; from controller.cli.main import main; main(['read', 'missing.png'])"
    code += "; print(*sorted(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
    )
    assert {"cv2", "controller", "vision"} <= set(done.stdout.split())
    assert not {"flask", "jinja2", "webui", "sqlite3"} & set(done.stdout.split())


def test_the_settings_can_be_printed_and_read_back(dicebell: Dicebell, tmp_path: Path) -> None:
    printed = dicebell("run", "--print-config")
    assert printed.status == 0
    config = tmp_path / "dicebell.toml"
    config.write_text(printed.output)
    again = dicebell("run", "--config", str(config), "--print-config")
    assert again.output == printed.output
