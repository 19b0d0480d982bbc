# SPDX-License-Identifier: MIT
"""A table that sends to a broker, and what it should have sent."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any, Self

from controller.base.settings import MqttSettings
from controller.integrations.mqtt.publisher import MqttPublisher
from controller.integrations.mqtt.sent_marker import SentMarker
from tests.support.broker import PATIENCE_S
from tests.webui.api.program_table import ProgramTable


class PublishingTable(ProgramTable):
    """A table whose loop runs, and which sends to a broker until the end of the block."""

    def __init__(self, folder: Path, settings: MqttSettings) -> None:
        super().__init__(folder)
        self.publisher = MqttPublisher(
            settings,
            self.runtime.running,
            self.runtime.wait,
            self.parts.entries,
            lambda: tuple(self.names.items()),
            SentMarker(folder),
            self.runtime.public_key,
        )

    def __enter__(self) -> Self:
        super().__enter__()
        others = threading.enumerate()
        self.publisher.start()
        self._senders = [
            each for each in threading.enumerate() if each.name == "mqtt" and each not in others
        ]
        return self

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        for thread in self._senders:
            thread.join()

    def wait_for_status(self, part: str) -> None:
        """Wait until the health, or the service page in words, says this about the broker."""
        end_s, monitor = time.monotonic() + PATIENCE_S, self.runtime.monitor
        while part not in (said := f"{monitor.health().mqtt}: {self.publisher.status}"):
            assert time.monotonic() < end_s, said
            time.sleep(0.01)

    def list_events(self, after: int) -> list[dict[str, Any]]:
        """Return all events after an entry, as /api/v1 sends them."""
        feed = self.parts.entries.follow(self.runtime.entries.read(after))
        found: list[dict[str, Any]] = []
        while (events := feed.read_events()) is not None:
            found += [{**event.data, "id": event.id} for event in events]
        return found
