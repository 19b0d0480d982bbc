# SPDX-License-Identifier: MIT
"""A table spares the machine: few threads and little free memory, pictures without new pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli import startup
from controller.cli.main import main
from controller.runtime.calibration.active import ActiveCalibration
from vision.frame import Frame
from vision.image_files import limit_to_one_thread
from vision.pipeline import Reader
from vision.reading import TrayReading
from vision.tracking.rest_detector import AGREEING, RestDetector

PICTURES = 50
FAULTS = 2000  # Without the heap each picture takes hundreds of pages.
FREE_MB = 40  # What is kept of them, and what else this process has.

TAKE_PICTURES = """
import resource, sys
from collections import deque
import numpy as np
from controller.cli.startup import spare_the_machine

def take_pictures():
    for _ in range(int(sys.argv[3])):
        recent.append(np.ones((int(sys.argv[2]), int(sys.argv[1]), 3), np.uint8))

spare_the_machine(int(sys.argv[1]) * int(sys.argv[2]) * 3)
recent = deque(maxlen=2)
take_pictures()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
take_pictures()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""

FREE_BLOCKS = """
import numpy as np
from controller.cli.startup import spare_the_machine

def measure_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

spare_the_machine()
before_mb = measure_mb()
blocks = [np.ones(1_000_000, np.uint8) for _ in range(200)]
assert measure_mb() > before_mb + 150
del blocks
print(round(measure_mb() - before_mb))
"""


def run_python(script: str, *arguments: object) -> int:
    """Return the number that a script prints, in a process of its own."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has these options")
@pytest.mark.parametrize("size_wh", [(1280, 720), (1920, 1080), (3840, 2160)])
def test_pictures_need_no_new_pages(size_wh: tuple[int, int]) -> None:
    assert run_python(TAKE_PICTURES, *size_wh, PICTURES) < FAULTS


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has these options")
def test_freed_memory_goes_back_to_the_system() -> None:
    assert run_python(FREE_BLOCKS) < FREE_MB


class SparedError(Exception):
    """The command would start next."""


def test_commands_spare_the_machine_before_they_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spare(_picture_bytes: int = 0) -> None:
        raise SparedError

    monkeypatch.setattr(startup, "spare_the_machine", spare)
    config = tmp_path / "dicebell.toml"
    config.write_text(f'[data]\nfolder = "{tmp_path / "data"}"\n')
    for command in (["demo"], ["run", "--config", str(config)]):
        with pytest.raises(SparedError):
            main(command)
    assert not (tmp_path / "data").exists()


def test_many_pictures_of_a_rest_change_threads_only_to_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit_to_one_thread()
    changes: list[int] = []
    set_threads = cv2.setNumThreads

    def change(number: int) -> None:
        changes.append(number)
        set_threads(number)

    monkeypatch.setattr(cv2, "setNumThreads", change)
    monkeypatch.setattr(Reader, "read", lambda *_args, **_options: TrayReading(()))
    detector = RestDetector(ActiveCalibration())
    felt = np.full((360, 640, 3), 60, np.uint8)
    for number in range(100):
        detector.process(Frame(felt, number / 30, number))
        assert cv2.getNumThreads() == 1
    assert changes == [-1, 1] * AGREEING


def test_reading_that_fails_leaves_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_options: object) -> TrayReading:
        raise SparedError

    monkeypatch.setattr(Reader, "read", fail)
    limit_to_one_thread()
    with pytest.raises(SparedError):
        ActiveCalibration().read(np.zeros((48, 64, 3), np.uint8))
    assert cv2.getNumThreads() == 1
