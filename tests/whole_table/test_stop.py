# SPDX-License-Identifier: MIT
"""The appliance is stopped while a device or a client hangs."""

from __future__ import annotations

import configparser
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.journal.journal import Journal
from tests.support.run_process import RunProcess, free_port
from webui.auth.roles import BOX_COOKIE

UNIT = Path(__file__).parents[2] / "hardware" / "appliance" / "dicebell.service"

SIMULATED_CAMERA = '[camera]\ndriver = "simulated"\n'
PI_CAMERA = '[camera]\ndriver = "pi"\n'
PANEL = '[panel]\ndriver = "gpio"\n'

HANG = """
import ctypes
import sys

def hang():
    \"\"\"Lock a mutex of the C library twice: unlike Python's own waits, no signal ends that.\"\"\"
    libc, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(128)
    sys.stdout.write("the driver hangs\\n")
    sys.stdout.flush()
    libc.pthread_mutex_lock(mutex)
    libc.pthread_mutex_lock(mutex)
"""

PINS = """
from gpiozero.pins.mock import MockFactory
from hang import hang

class HangsAtOpening(MockFactory):
    def __init__(self):
        hang()

class HangsAtClosing(MockFactory):
    def close(self):
        hang()
"""

CAMERA = """
import numpy as np
from tests.support.fake_picamera2 import FakePicamera2, Rack
from hang import hang

class HangsAtOpening(FakePicamera2):
    def __init__(self, index):
        hang()

class HangsAtPicture(FakePicamera2):
    def __init__(self, index):
        super().__init__(Rack(np.zeros((720, 1280, 3), np.uint8)))

    def start_preview(self, preview):
        pass

    def capture_request(self, wait):
        hang()
"""


def find_stop_limit_s() -> float:
    """Return the time after which the service manager kills a table."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read(UNIT)
    return float(unit["Service"]["TimeoutStopSec"])


def write_settings(folder: Path, devices: str) -> Path:
    config = folder / "dicebell.toml"
    config.write_text(
        f"{devices}[web]\nport = {free_port()}\nbox_port = {free_port()}\n"
        f'[data]\nfolder = "{folder / "data"}"\n'
    )
    return config


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with libraries of the table's process."""
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "hang.py").write_text(HANG)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    return folder


def install_pins(library: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    info = library / "pins-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pins\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[gpiozero_pin_factories]\npins = pins:{name}\n")
    (library / "pins.py").write_text(PINS)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pins")


def install_camera(library: Path, name: str) -> None:
    """Install a camera that hangs, in place of the Pi's."""
    (library / "picamera2").mkdir()
    (library / "picamera2" / "__init__.py").write_text(f"{CAMERA}\nPicamera2 = {name}\n")
    (library / "picamera2" / "previews.py").write_text("class NullPreview:\n    pass\n")


def require_stop_in_time(run: RunProcess, folder: Path) -> None:
    """Stop a table within the service manager's patience; its journal must be whole."""
    began_s = time.monotonic()
    assert run.stop() == 0, run.output
    assert time.monotonic() - began_s < find_stop_limit_s(), run.output
    journal, content = Journal.open(folder / "data")
    journal.close()
    assert content.entries
    assert not content.torn


@pytest.mark.parametrize("name", ["HangsAtOpening", "HangsAtPicture"])
def test_a_camera_that_hangs(tmp_path: Path, library: Path, name: str) -> None:
    install_camera(library, name)
    with RunProcess(write_settings(tmp_path, PI_CAMERA)) as run:
        run.find("the driver hangs")
        require_stop_in_time(run, tmp_path)
        assert "a thread does not end thread=watch" in run.output


def test_pins_that_hang_at_closing(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_pins(library, "HangsAtClosing", monkeypatch)
    with RunProcess(write_settings(tmp_path, SIMULATED_CAMERA + PANEL)) as run:
        require_stop_in_time(run, tmp_path)
        assert "the driver hangs" in run.output
        assert "closing takes too long, so the process ends" in run.output


def test_pins_that_hang_at_opening(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The main thread hangs in them, so it runs no signal handler of Python's."""
    install_pins(library, "HangsAtOpening", monkeypatch)
    config = write_settings(tmp_path, SIMULATED_CAMERA + PANEL)
    command = [sys.executable, "-m", "controller.cli.main", "run", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "the driver hangs\n"
        process.terminate()
        try:
            assert process.wait(find_stop_limit_s()) == 0
        finally:
            process.kill()


def test_a_client_that_stops_reading(tmp_path: Path) -> None:
    with RunProcess(write_settings(tmp_path, SIMULATED_CAMERA)) as run, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", run.port))
        headers = f"Host: 127.0.0.1:{run.port}\r\nCookie: {BOX_COOKIE}={run.box_key}\r\n\r\n"
        client.sendall(f"GET /events HTTP/1.1\r\n{headers}".encode())
        assert client.recv(1)
        require_stop_in_time(run, tmp_path)
