# SPDX-License-Identifier: MIT
"""
A game that was played for a while before the test begins, and its journal as a table leaves it.

A real table writes it, with its signatures and on the disk; only the dice are put before
it instead of a camera. A demo that is started on the folder goes on where it stands, so a
test sees how a game ends without throwing every roll of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from controller.games import GAMES
from controller.journal.writer import TableInfo
from controller.runtime.table import TableRuntime
from controller.table import events as on
from controller.table.state import Phase
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.table import die
from tests.support.truthful_reader import TruthfulReader

Choose = Callable[[list[str]], str]
"""Picks one of the actions that the table offers, best first."""


def open_table(folder: Path, setup: TableInfo | None = None) -> TableRuntime:
    """Open a table on a folder; its simulated tray is read as it really is."""
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(64, 36))
    return TableRuntime.open(folder, TruthfulReader(camera), setup=setup)


def begin_game(folder: Path, start: on.GameStarted, rolls: Iterable[str], choose: Choose) -> None:
    """Play rolls of dice that were all thrown; choose after each until nobody has a choice."""
    runtime = open_table(folder)
    runtime.begin()
    runtime.loop.handle(start)
    for spot, roll in enumerate(rolls):
        for event in (
            on.MotionStarted(),
            on.MotionStopped(),
            _read(GAMES[start.game].parse_roll(roll), spot),
        ):
            runtime.loop.handle(event)
        while runtime.loop.state.phase is Phase.CHOOSING:
            chooser = runtime.loop.state.chooser
            assert chooser is not None
            actions = [choice["action"] for choice in runtime.loop.snapshot()["choices"]]
            runtime.loop.handle(on.ActionRequested(chooser, choose(actions)))
        assert runtime.loop.state.phase is Phase.AWAITING_ROLL, f"{roll} was not played"
    runtime.close()


def _read(dice: Iterable[str], spot: int) -> on.DiceRead:
    """Return what a camera tells of such dice in a row, at another place after every throw."""
    return on.DiceRead(
        tuple(
            die(int(text[-1]), 100.0 * place, 10.0 + 100.0 * spot, is_black=text.startswith("b"))
            for place, text in enumerate(dice)
        )
    )
