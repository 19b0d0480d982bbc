# SPDX-License-Identifier: MIT
"""One version of the table, as its screens see it."""

from __future__ import annotations

import threading

from controller.runtime.devices.sound_control import SoundControl
from controller.table.effects import SoundCue
from controller.table.state import TableState
from controller.table.view.snapshot import build_snapshot
from controller.table.view.types import CheckpointView, Snapshot, SoundView
from controller.table.view.viewer import resolve_viewer


class ShownTable:
    """Views of one version, built in a screen's thread: phones must not keep the table's own."""

    def __init__(
        self,
        state: TableState,
        version: int,
        checkpoint: CheckpointView | None,
        sound: SoundView | None = None,
    ) -> None:
        self.version = version
        self.sound = sound
        self._state = state
        self._checkpoint = checkpoint
        self._lock = threading.Lock()
        self._views: dict[str, Snapshot] = {}

    def view_for(self, viewer: str) -> Snapshot:
        """Return the view of a viewer; all who are no players share one."""
        viewer = resolve_viewer(self._state, viewer)
        # Who needs the same view waits for it instead of building it too.
        with self._lock:
            if viewer not in self._views:
                self._views[viewer] = build_snapshot(
                    self._state,
                    version=self.version,
                    checkpoint=self._checkpoint,
                    viewer=viewer,
                    sound=self.sound,
                )
            return self._views[viewer]


def make_sound(
    sounds: SoundControl | None,
    shown: ShownTable,
    before: TableState,
    after: TableState,
    cue: SoundCue | None,
) -> SoundView | None:
    """Return the newest sound of a table that changes; without a cue it is the one before."""
    if not sounds or not cue:
        return shown.sound
    return {
        "number": shown.sound["number"] + 1 if shown.sound else 1,
        "cue": cue.value,
        "percent": sounds.percent(),
        "spoken": sounds.describe_spoken(before, after, cue),
    }
