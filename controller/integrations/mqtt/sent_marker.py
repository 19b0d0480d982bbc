# SPDX-License-Identifier: MIT
"""The last event that the broker has acknowledged: `mqtt.json` in the data folder."""

from __future__ import annotations

import json
from pathlib import Path

from controller.base.durable_files import BAD_JSON, atomic_write, read_json
from controller.base.logs import Log

FILE_NAME = "mqtt.json"
_FORMAT = 1

_LOG = Log("mqtt")


class SentMarker:
    """The file; for one thread. A disk that refuses is logged once, and sending goes on."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._is_written = True

    def read(self) -> str | None:
        """Return the id of the event; None before the first, and if the file is no marker."""
        try:
            found = read_json(self._path)
            if found["format"] != _FORMAT:
                raise ValueError(f"format {found['format']!r}")
            return str(found["acknowledged"])
        except FileNotFoundError:
            return None
        except BAD_JSON as error:
            _LOG.warning("marker not read", file=FILE_NAME, error=str(error))
            return None

    def write(self, event_id: str) -> None:
        """Replace the id."""
        text = json.dumps({"format": _FORMAT, "acknowledged": event_id})
        try:
            atomic_write(self._path, f"{text}\n".encode())
            self._is_written = True
        except OSError as error:
            if self._is_written:
                _LOG.warning("marker not written", error=str(error))
            self._is_written = False
