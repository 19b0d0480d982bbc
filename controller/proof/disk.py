# SPDX-License-Identifier: MIT
"""What it takes until a file is really on the disk."""

from __future__ import annotations

import os
from pathlib import Path


def fsync_folder(folder: Path) -> None:
    """
    Wait until the names in a folder are on the disk; a new file is only there with its name.

    Raises:
        OSError: The folder is not there, or the disk refuses.
    """
    folder_fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder_fd)
    finally:
        os.close(folder_fd)
