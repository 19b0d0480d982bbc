# SPDX-License-Identifier: MIT
"""A screen that follows the table's stream like the kiosk, and reconnects."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tests.bench.table_process import join_threads
from tests.support.server_process import HOST

View = Mapping[str, Any]
"""The view as it came over the line; see `controller.table.view.types`."""

LINE_TIMEOUT_S = 10.0
RETRY_S = 0.05


def build_confirm(view: View) -> dict[str, object]:
    """Return the command that confirms what a view shows, the first choice if it selects none."""
    chooser = next((one["name"] for one in view["players"] if one["state"] == "chooses"), None)
    if view["choices"] and chooser:
        # A named action needs no second of looking, as a confirm does.
        action = view["choices"][max(view["cursor"], 0)]["action"]
        return {"do": "action", "by": chooser, "action": action, "about": view["question"]}
    return {"do": "press", "key": "confirm", "about": view["question"]}


class StreamClient:
    """Follows a table in a thread of its own until it is closed."""

    def __init__(
        self,
        port: int,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        address: str = HOST,
        path: str = "/events",
        on_view: Callable[[View], None] = lambda view: None,
    ) -> None:
        self.longest_silence_s = 0.0
        self._port = port
        self._headers = headers
        self._address = address
        self._path = path
        self._on_view = on_view
        self._changed = threading.Condition()
        self._view: dict[str, Any] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="screen", daemon=True)
        self._thread.start()

    def wait(self, fits: Callable[[View], bool], timeout_s: float) -> View | None:
        """Return the first view that fits; `None` if that takes longer."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._view) and fits(self._view), timeout_s)
            return dict(self._view) if self._view and fits(self._view) else None

    def close(self) -> None:
        """Follow no longer."""
        self._closed.set()
        join_threads([self._thread])

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._follow()
            except (OSError, http.client.HTTPException, ValueError):
                self._closed.wait(RETRY_S)  # cut off: it asks again and gets the whole view

    def _follow(self) -> None:
        line = http.client.HTTPConnection(
            HOST, self._port, timeout=LINE_TIMEOUT_S, source_address=(self._address, 0)
        )
        try:
            line.request("GET", self._path, headers=dict(self._headers))
            # The stream's silence is shorter than a person's patience, so closing is noticed.
            heard_s = time.monotonic()
            for text in line.getresponse():
                if text.startswith(b"data:"):
                    now_s = time.monotonic()
                    self.longest_silence_s = max(self.longest_silence_s, now_s - heard_s)
                    heard_s = now_s
                    self._show(json.loads(text.removeprefix(b"data:")))
                if self._closed.is_set():
                    return
        finally:
            line.close()

    def _show(self, changes: dict[str, Any]) -> None:
        with self._changed:
            self._view = {**self._view, **changes}
            self._on_view(self._view)
            self._changed.notify_all()
