# SPDX-License-Identifier: MIT
"""
Count how often the level of a simulated pin changes: a buzzer sounds.

    count_edges.py FILE NUMBER     prints `counting`, and `NUMBER edges` once there were so many
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    path, number = sys.argv[1], int(sys.argv[2])
    file = os.open(path, os.O_RDONLY)
    print("counting", flush=True)  # noqa: T201
    edges, before = 0, os.pread(file, 1, 0)
    while edges < number:
        level = os.pread(file, 1, 0)
        edges += level != before
        before = level
    print(f"{edges} edges", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
