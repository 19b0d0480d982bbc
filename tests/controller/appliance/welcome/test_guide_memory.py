# SPDX-License-Identifier: MIT
"""A table offers its guide until its first roll, or until people decline."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from controller.appliance.welcome.parts import WelcomeParts, create_welcome
from controller.base.settings import DataSettings, Settings
from controller.runtime.table import TableRuntime
from controller.table.events import GameStarted
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.table import throw_of
from tests.support.truthful_reader import TruthfulReader


def _open(folder: Path) -> tuple[TableRuntime, WelcomeParts]:
    welcome = create_welcome(Settings(data=DataSettings(folder)), SteppedClock(), lambda: False)
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(64, 36))
    runtime = TableRuntime.open(folder, TruthfulReader(camera), observers=welcome.observers)
    welcome.connect(runtime.loop.handle, has_rolls=runtime.has_rolls)
    runtime.begin()
    return runtime, welcome


def _is_offered(welcome: WelcomeParts) -> bool:
    return welcome.guide.is_offered


def test_first_roll_ends_the_offer_for_good(tmp_path: Path) -> None:
    runtime, welcome = _open(tmp_path)
    with closing(runtime):
        runtime.loop.handle(GameStarted("choice", ("Ada", "Ben")))
        assert _is_offered(welcome)
    runtime, welcome = _open(tmp_path)
    with closing(runtime):
        assert _is_offered(welcome)
        for event in throw_of("13446"):
            runtime.loop.handle(event)
        assert not _is_offered(welcome)
    runtime, welcome = _open(tmp_path)
    with closing(runtime):
        assert not _is_offered(welcome)


def test_who_declined_is_not_asked_again(tmp_path: Path) -> None:
    runtime, welcome = _open(tmp_path)
    with closing(runtime):
        welcome.guide.decline()
        assert not _is_offered(welcome)
    runtime, welcome = _open(tmp_path)
    with closing(runtime):
        assert not _is_offered(welcome)


def test_disk_that_refuses_forgets_only_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    welcome = create_welcome(Settings(data=DataSettings(folder)), SteppedClock(), lambda: False)
    welcome.guide.decline()
    assert not _is_offered(welcome)
