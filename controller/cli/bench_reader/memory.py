# SPDX-License-Identifier: MIT
"""
Measure the memory of a process that only reads.

`dicebell read` runs as a child process on picture files and reports at its end what the kernel
counted. The memory of this process would include drawing and comparing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2  # noqa: TID251

from vision.frame import Image

STATUS = Path("/proc/self/status")

# The command line is what a reading process loads, so it belongs to what is measured.
_CHILD = f"""
import sys
from {__name__} import print_own_memory
from controller.cli.main import main
main(["read", *sys.argv[1:]])
print_own_memory()
"""


def measure_reading_memory_mb(images: Iterable[Image], *, expect: int) -> dict[str, float]:
    """
    Return the memory of a process that reads these pictures, in MB.

    Raises:
        CalledProcessError: The child failed; it has said why.
    """
    with TemporaryDirectory() as folder:
        for number, image in enumerate(images):
            cv2.imwrite(f"{folder}/{number:03}.png", image)
        command = [sys.executable, "-c", _CHILD, folder, "--json", f"--expect={expect}"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def read_own_memory_mb() -> dict[str, float]:
    """Return the memory of this process, in MB; empty if the kernel does not report it."""
    if not STATUS.exists():
        return {}
    status = STATUS.read_text()
    named = {"memory at its highest, MB": "VmHWM", "memory at its end, MB": "VmRSS"}
    kilobytes = {name: re.search(rf"{key}:\s*(\d+) kB", status) for name, key in named.items()}
    return {name: round(int(found[1]) / 1024, 1) for name, found in kilobytes.items() if found}


def print_own_memory() -> None:
    """Print the memory of this process as one line of JSON."""
    sys.stdout.write(json.dumps(read_own_memory_mb()) + "\n")
