# SPDX-License-Identifier: MIT
"""No choice is confirmed unseen: not by the same press, a double press or a held key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.runtime import confirm_guard
from controller.runtime.confirm_guard import LOOK_S
from controller.runtime.devices.peripherals import to_table_event
from controller.runtime.event_loop import TableLoop
from controller.runtime.table import TableRuntime
from controller.table.events import Event, GameLeft, GameStarted, Key, KeyPressed, PlayerTapped
from controller.table.state import Phase, TableState, require_game
from hardware.clock import SteppedClock
from hardware.debounce import DebounceParams
from hardware.gpio.panel import GpioPanel
from hardware.panel import Button
from hardware.simulated.camera import SimulatedCamera
from tests.support.memory_disk import Disk
from tests.support.table import (
    BACK,
    CONFIRM,
    LEFT,
    RIGHT,
    finished_table,
    play,
    rolled_table,
    throw_of,
)
from tests.support.truthful_reader import TruthfulReader
from tests.webui.visitors import FakeAccess
from webui import create_app

PINS = {Button.LEFT: 5, Button.RIGHT: 6, Button.CONFIRM: 13, Button.BACK: 19}
BOUNCE_S = 0.02


@pytest.fixture(autouse=True)
def guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a confirm count after a second, as at a table."""
    monkeypatch.setattr(confirm_guard, "LOOK_S", LOOK_S)


class WatchedTable:
    """A table after its first roll, with a clock that goes on only when it is told to."""

    def __init__(self, game: str = "choice", *, state: TableState | None = None) -> None:
        self.clock = SteppedClock()
        self.loop = TableLoop(state or TableState(), storage=Disk(), clock=self.clock)
        if state is None:
            self.happen(GameStarted(game, ("Ada", "Ben", "Cleo")), *throw_of("13446"))

    def happen(self, *events: Event) -> None:
        for event in events:
            self.loop.handle(event)

    def phase(self) -> Phase:
        return self.loop.state.phase

    def wait(self, seconds: float = LOOK_S) -> None:
        self.clock.wait_s(seconds)

    def acted(self) -> tuple[str, ...]:
        return require_game(self.loop.state).acted


@pytest.fixture
def watched() -> WatchedTable:
    return WatchedTable()


class TestKeys:
    def test_a_second_confirm_counts_after_a_second_of_looking(self, watched: WatchedTable) -> None:
        watched.wait()
        watched.happen(CONFIRM)
        for _ in range(3):
            watched.wait(0.3)
            watched.happen(CONFIRM)
        assert watched.acted() == ("Ada",)
        assert watched.loop.snapshot()["notice"] == {
            "kind": "info",
            "text": "These are Ben's choices. Look, then confirm.",
            "mend": "",
        }
        watched.wait(0.1)
        watched.happen(CONFIRM)
        assert watched.acted() == ("Ada", "Ben")

    def test_a_new_roll_is_looked_at_too(self, watched: WatchedTable) -> None:
        watched.happen(CONFIRM)
        assert watched.acted() == ()

    def test_arrows_count_at_once_and_do_not_start_the_second_again(
        self, watched: WatchedTable
    ) -> None:
        watched.wait(0.9)
        watched.happen(RIGHT)
        assert watched.loop.state.screen.cursor == 1
        watched.wait(0.1)
        watched.happen(CONFIRM)
        assert watched.acted() == ("Ada",)

    def test_another_players_phone_does_not_start_it_again(self, watched: WatchedTable) -> None:
        watched.wait()
        watched.happen(KeyPressed(Key.CONFIRM, by="Cleo"), CONFIRM)
        assert watched.acted() == ("Cleo", "Ada")

    def test_a_phone_confirms_at_once(self, watched: WatchedTable) -> None:
        watched.happen(*(KeyPressed(Key.CONFIRM, by=name) for name in ("Ben", "Ada")))
        assert watched.acted() == ("Ben", "Ada")

    def test_choices_of_another_player_are_looked_at(self, watched: WatchedTable) -> None:
        watched.wait()
        watched.happen(PlayerTapped("Cleo"), CONFIRM)
        assert watched.acted() == ()

    def test_taken_back_choices_are_looked_at_again(self, watched: WatchedTable) -> None:
        watched.wait()
        watched.happen(CONFIRM, BACK, CONFIRM)
        assert watched.acted() == ()

    def test_the_result_is_not_left_by_the_press_that_ended_the_game(self) -> None:
        over = WatchedTable(state=finished_table("Ada", "Ben"))
        over.happen(CONFIRM)
        assert over.phase() is Phase.GAME_OVER
        over.wait()
        over.happen(CONFIRM)
        assert over.phase() is Phase.AWAITING_ROLL

    def test_an_event_counts_by_its_own_time(self, watched: WatchedTable) -> None:
        watched.loop.handle(CONFIRM, at_s=LOOK_S)
        assert watched.acted() == ("Ada",)
        watched.wait(10.0)
        watched.loop.handle(CONFIRM, at_s=0.5)
        assert watched.acted() == ("Ada",)


class MockPanel:
    """A panel of real driver code on mock pins."""

    def __init__(self, table: WatchedTable, pins: MockFactory, seat: int | None) -> None:
        params = DebounceParams(bounce_s=BOUNCE_S, hold_s=1.0)
        self._panel = GpioPanel(PINS, {}, params=params, clock=table.clock, pin_factory=pins)
        self._table, self._pins, self._seat = table, pins, seat

    def press(self, held_s: float = 0.05) -> None:
        """Press confirm for so long; the table gets what the panel reports."""
        pin = self._pins.pin(PINS[Button.CONFIRM])
        pin.drive_low()
        self._pass(held_s)
        pin.drive_high()
        self._pass(2 * BOUNCE_S)

    def close(self) -> None:
        self._panel.close()
        self._pins.reset()

    def _pass(self, seconds: float) -> None:
        self._table.wait(seconds)
        while (told := self._panel.event(0.0)) is not None:
            event = to_table_event(told, self._seat)
            if event is not None:
                self._table.happen(event)


class TestPanels:
    @pytest.fixture
    def panel(self, watched: WatchedTable) -> Iterator[MockPanel]:
        panel = MockPanel(watched, MockFactory(), None)
        yield panel
        panel.close()

    def test_a_double_press_on_real_pins_confirms_once(
        self, watched: WatchedTable, panel: MockPanel
    ) -> None:
        watched.wait()
        panel.press()
        panel.press()
        assert watched.acted() == ("Ada",)
        watched.wait()
        panel.press()
        assert watched.acted() == ("Ada", "Ben")

    def test_a_held_button_confirms_once(self, watched: WatchedTable, panel: MockPanel) -> None:
        watched.wait()
        panel.press(held_s=5.0)
        assert watched.acted() == ("Ada",)

    def test_a_double_press_on_an_own_panel_only_shows(self, watched: WatchedTable) -> None:
        panel = MockPanel(watched, MockFactory(), 2)
        watched.wait()
        panel.press()
        assert watched.loop.state.chooser == "Ben"
        panel.press()
        assert watched.acted() == ()
        watched.wait()
        panel.press()
        assert watched.acted() == ("Ben",)
        panel.close()


def test_a_double_tap_on_the_page_confirms_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tap names the question that the page shows by then, so neither comes too late."""
    monkeypatch.setattr(confirm_guard, "LOOK_S", 0.0)
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(64, 36))
    runtime = TableRuntime.open(tmp_path, TruthfulReader(camera))
    runtime.begin()
    for event in (GameStarted("choice", ("Ada", "Ben", "Cleo")), *throw_of("13446")):
        runtime.loop.handle(event)
    client = create_app(runtime.running, None, FakeAccess()).test_client()
    runtime._spawn("loop", runtime.loop.run)

    def tap() -> tuple[str, ...]:
        about = runtime.loop.snapshot()["question"]
        answer = client.post("/command", json={"do": "press", "key": "confirm", "about": about})
        assert answer.status_code == 200
        return require_game(runtime.loop.state).acted

    try:
        assert tap() == ("Ada",)
        monkeypatch.setattr(confirm_guard, "LOOK_S", float("inf"))
        assert [tap(), tap()] == [("Ada",)] * 2
        notice = runtime.loop.snapshot()["notice"]
        assert notice
        assert notice["text"].startswith("These are Ben's choices.")
        monkeypatch.setattr(confirm_guard, "LOOK_S", 0.0)
        assert tap() == ("Ada", "Ben")
    finally:
        runtime.close()


def test_a_double_press_ends_no_game_that_waits() -> None:
    """The first confirm only asks; what it asks must be seen before another one answers."""
    left = play(rolled_table("13446"), GameLeft(), LEFT)
    watched = WatchedTable(state=left)
    watched.wait()
    watched.happen(CONFIRM, CONFIRM)
    assert watched.loop.state.parked is not None
    watched.wait()
    watched.happen(CONFIRM)
    assert watched.phase() is Phase.AWAITING_ROLL
    assert watched.loop.state.parked is None
