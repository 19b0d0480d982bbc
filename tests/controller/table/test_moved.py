# SPDX-License-Identifier: MIT
"""Camera or tray were moved: the table says so, and one press looks for the tray anew."""

from __future__ import annotations

import pytest

from controller.table.events import DeviceBack, DeviceLost, Event, RecalibrationRequested
from controller.table.machine import step
from controller.table.state import Phase, TableState
from tests.support.table import CONFIRM, play, table, view

MOVED = DeviceLost("camera", "the camera or the tray was moved", "move it back", "moved")
NO_CARDS = DeviceLost("camera", "the camera or the tray was moved", "lay the cards", "moved")
DARK = DeviceLost("camera", "the picture is dark", "switch the light on", "dark")


def seen(state: TableState) -> tuple[str | None, str, bool]:
    """Return what confirm does, what is to be done, and whether the tray is looked for."""
    shown = view(state)
    assert shown["notice"] is not None
    return shown["buttons"]["confirm"], shown["notice"]["mend"], shown["recalibrating"]


@pytest.mark.parametrize("ask", [CONFIRM, RecalibrationRequested()])
def test_one_press_looks_for_the_tray_and_writes_nothing(ask: Event) -> None:
    moved = play(table("Ada"), MOVED)
    assert seen(moved) == ("calibrate again", "move it back", False)
    after, effects = step(moved, ask)
    assert effects == ()
    assert seen(after) == (None, "Looking for the corner cards …", True)
    assert step(after, ask)[0] is after


def test_a_refused_start_says_why_and_can_be_repeated() -> None:
    tried = play(table("Ada"), MOVED, CONFIRM, NO_CARDS)
    assert seen(tried) == ("calibrate again", "lay the cards", False)


def test_play_goes_on_where_the_tray_was_found() -> None:
    after = play(table("Ada"), MOVED, CONFIRM, DeviceBack("camera"))
    assert (after.phase, after.troubles.is_recalibrating) == (Phase.AWAITING_ROLL, False)


def test_other_faults_are_not_mended_by_a_calibration() -> None:
    dark = play(table("Ada"), DARK)
    for ask in (CONFIRM, RecalibrationRequested()):
        assert step(dark, ask)[0] is dark
    assert seen(dark)[0] is None
