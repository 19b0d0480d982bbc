# SPDX-License-Identifier: MIT
"""
Hand the key of the box's own screen to the kiosk, by a file that no other account can read.

A browser's address does not prove that it is the box's own screen: a proxy on the box has the
same address and may send no header that reveals it. The kiosk's script reads the file and passes
the key to its browser. Under systemd the file is in the service's runtime folder, for the
service's group; otherwise it is in the data folder, for its owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from controller.durable_files import PRIVATE, atomic_write
from controller.errors import InputError

FILE_NAME = "kiosk.key"
FOR_GROUP = 0o640


def write_box_key(key: str, data: Path, environment: Mapping[str, str]) -> Path:
    """
    Write the key, and return its file.

    Args:
        key: The key, from `AccessControl.box_key`.
        data: The data folder.
        environment: The variables of this process; systemd sets `RUNTIME_DIRECTORY`.

    Raises:
        InputError: The disk refuses.
    """
    runtime = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    path = Path(runtime or data) / FILE_NAME
    content = f"{key}\n".encode()
    try:
        # A restart on a full disk finds the same key there and needs no room.
        if not path.is_file() or path.read_bytes() != content:
            atomic_write(path, content, mode=FOR_GROUP if runtime else PRIVATE)
    except OSError as error:
        expected, found = "room for the kiosk's key", error.strerror or str(error)
        raise InputError(expected=expected, found=found, where=str(path)) from error
    return path
