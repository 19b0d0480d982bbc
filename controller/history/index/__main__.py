# SPDX-License-Identifier: MIT
"""
Build the index of a data folder: `python -m controller.history.index DATA`.

A running table starts this as a process of low priority. It ends with its parent.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from controller.history.index.journal_index import HistoryIndex

BACKGROUND_NICENESS = 10
"""A busy table gets ten times as much of a core; a lower priority might never get any."""
LINES_A_CHECK = 1000


def main() -> None:
    """Read the journal of the folder to its end, or until the parent has ended."""
    os.nice(BACKGROUND_NICENESS)
    parent, checks = os.getppid(), 0

    def is_orphan() -> bool:
        nonlocal checks
        checks += 1
        return checks % LINES_A_CHECK == 0 and os.getppid() != parent

    index = HistoryIndex(Path(sys.argv[1]))
    index.catch_up(until=is_orphan)
    index.close()


if __name__ == "__main__":
    main()
