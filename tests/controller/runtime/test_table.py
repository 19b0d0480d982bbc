# SPDX-License-Identifier: MIT
"""A house with its real threads: it plays, loses its camera, comes back, and remembers."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.base.settings import LightSettings, PanelDriver, PanelSettings, Settings
from controller.journal.hashchain import Value
from controller.journal.journal import read_journal
from controller.runtime.devices import pin_devices
from controller.runtime.devices.drivers import create_peripherals
from controller.runtime.devices.peripherals import Peripherals
from controller.runtime.table import TableRuntime
from controller.table.events import GameStarted, Key, KeyPressed
from controller.table.state import Phase
from controller.table.view.types import Snapshot
from hardware.clock import MonotonicClock
from hardware.gpio.buzzer import Melody
from hardware.panel import Button, PanelLostError
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.light_and_buzzer import SimulatedBuzzer, SimulatedLight
from hardware.simulated.panel import SimulatedPanel
from tests.support.busy_pins import BusyPins
from tests.support.truthful_reader import TruthfulReader

TIMEOUT_S = 60.0
SHORT_PAUSE_S = 0.1
"""Between two attempts to open a device; how long it is really is tested elsewhere."""


class TrayTable:
    def __init__(self, folder: Path) -> None:
        self.camera = SimulatedCamera(MonotonicClock(), seed=4, size_wh=(640, 360))
        self.panel = SimulatedPanel(MonotonicClock())
        self.own = {1: SimulatedPanel(MonotonicClock()), 2: SimulatedPanel(MonotonicClock())}
        self.sounds: queue.SimpleQueue[Melody] = queue.SimpleQueue()
        self.light = SimulatedLight()
        peripherals = Peripherals(
            self.panel, self.own, self.light, SimulatedBuzzer(self.sounds.put)
        )
        self.runtime = TableRuntime.open(
            folder, TruthfulReader(self.camera), peripherals=peripherals
        )

    def see(self, is_there: Callable[[Snapshot], bool]) -> Snapshot:
        end_s = time.monotonic() + TIMEOUT_S
        view = self.runtime.loop.snapshot()
        while not is_there(view):
            left_s = end_s - time.monotonic()
            assert left_s > 0, f"still {view['phase']}: {view['headline']}, {view['notice']}"
            view = self.runtime.loop.wait_for_change(view["version"], left_s) or view
        return view

    def see_phase(self, phase: Phase) -> Snapshot:
        return self.see(lambda view: view["phase"] == phase.value)

    def start(self) -> None:
        self.runtime.begin()
        self.runtime.start(self.camera)
        self.runtime.loop.send(GameStarted("choice", ("Ada", "Ben")))
        self.see(lambda view: len(view["dice"]) == 5)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[TrayTable]:
    home = TrayTable(tmp_path)
    yield home
    view = home.runtime.loop.snapshot()
    print(f"--- the table: {view['phase']}, {view['headline']!r}, {view['notice']}")  # noqa: T201
    home.runtime.close()
    assert [thread.name for thread in threading.enumerate() if thread.name == "watch"] == []


def test_each_player_chooses_at_a_panel_and_the_buzzer_sounds(home: TrayTable) -> None:
    home.start()
    home.camera.throw([1, 3, 4, 4, 6])
    home.see_phase(Phase.CHOOSING)
    assert home.own[1].lit == home.own[2].lit == {Button.LEFT, Button.RIGHT, Button.CONFIRM}
    home.own[1].press(Button.CONFIRM)
    home.see(lambda view: view["headline"] == "Ben chooses")
    assert home.own[1].lit == {Button.BACK}
    home.own[1].press(Button.RIGHT)
    home.see(lambda view: (view["notice"] or {"text": ""})["text"] == "It is Ben's turn.")
    home.own[2].press(Button.CONFIRM)
    home.see_phase(Phase.AWAITING_ROLL)
    heard = [home.sounds.get(timeout=TIMEOUT_S) for _ in range(3)]
    assert heard == [Melody.BELL, Melody.ROLL_TAKEN, Melody.YOUR_TURN]


def test_closing_releases_the_fittings_and_leaves_no_thread(tmp_path: Path) -> None:
    home = TrayTable(tmp_path)
    home.light.set_brightness(80)
    home.start()
    home.runtime.close()
    assert home.light.brightness_percent == 0
    names = [thread.name for thread in threading.enumerate()]
    assert [name for name in names if name.startswith("panel")] == []


def test_a_table_closed_in_the_middle_of_a_turn_continues_there(tmp_path: Path) -> None:
    before = TrayTable(tmp_path)
    before.start()
    before.camera.throw([1, 3, 4, 4, 6])
    before.see_phase(Phase.CHOOSING)
    before.runtime.loop.send(KeyPressed(Key.CONFIRM))
    shown = before.see(lambda view: view["headline"] == "Ben chooses")
    before.runtime.close()
    after = TrayTable(tmp_path)
    view = after.runtime.loop.snapshot()
    after.runtime.close()
    for key in ("headline", "players", "dice", "choices", "cursor", "undo", "progress"):
        assert view[key] == shown[key], key


def test_a_start_that_is_refused_leaves_no_trace(tmp_path: Path) -> None:
    TrayTable(tmp_path).runtime.close()
    assert not read_journal(tmp_path).entries


@pytest.mark.parametrize("name", ["journal.jsonl", "table.lock", "table.key", "table.pub"])
def test_a_folder_where_a_file_belongs_is_told_at_the_start(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    found = "(Is a directory|Not a regular file)"
    with pytest.raises(InputError, match=f"{name}: expected .*, found {found}"):
        TrayTable(tmp_path)
    (tmp_path / name).rmdir()
    TrayTable(tmp_path).runtime.close()


def test_a_file_where_the_pictures_belong_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("in the way")
    with pytest.raises(InputError, match=r"pictures: expected a folder .*, found something else"):
        TrayTable(tmp_path)
    (tmp_path / "pictures").unlink()
    TrayTable(tmp_path).runtime.close()


def test_a_pipe_in_place_of_the_journal_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "journal.jsonl")
    with pytest.raises(InputError, match=r"journal\.jsonl: .*found Not a regular file"):
        TrayTable(tmp_path)


def test_a_journal_that_breaks_the_rules_is_refused(tmp_path: Path) -> None:
    home = TrayTable(tmp_path)
    home.runtime.begin()
    home.runtime.loop.handle(GameStarted("choice", ("Ada",)))
    home.runtime._journal.append("action", {"by": "Ada", "do": "4+10/4"})
    home.runtime.close()
    count = len(read_journal(tmp_path).entries)
    with pytest.raises(InputError, match=r"entry 4: .*action"):
        TrayTable(tmp_path)
    assert len(read_journal(tmp_path).entries) == count


def test_a_journal_that_nobody_can_show_lets_the_folder_go(tmp_path: Path) -> None:
    home = TrayTable(tmp_path)
    home.runtime.begin()
    home.runtime.loop.handle(GameStarted("choice", ("Ada",)))
    die: dict[str, Value] = {
        "polarity": "light",
        "colour": "white",
        "y_mpx": 0,
        "angle_mdeg": 0,
        "edge_mpx": 40,
    }
    lie: list[Value] = [{**die, "face": 2, "x_mpx": 100 * place} for place in range(5)]
    home.runtime._journal.append(
        "roll", {"by": "Ada", "roll": "13446", "by_hand": "", "lie": lie, "picture": ""}
    )
    home.runtime.close()
    with pytest.raises(InputError, match="a choice of the dice") as first:
        TrayTable(tmp_path)
    with pytest.raises(InputError, match="a choice of the dice") as again:
        TrayTable(tmp_path)
    assert str(again.value) == str(first.value)


def test_the_journal_closes_whatever_becomes_of_the_devices(tmp_path: Path) -> None:
    class BrokenLight(SimulatedLight):
        def close(self) -> None:
            raise PanelLostError(panel="light", what="it cannot be switched off", mend="look")

    heard: list[str] = []

    class LastBuzzer(SimulatedBuzzer):
        def close(self) -> None:
            heard.append("closed")

    peripherals = Peripherals(light=BrokenLight(), buzzer=LastBuzzer())
    camera = SimulatedCamera(MonotonicClock(), seed=4, size_wh=(640, 360))
    runtime = TableRuntime.open(tmp_path, TruthfulReader(camera), peripherals=peripherals)
    runtime.begin()
    with pytest.raises(PanelLostError):
        runtime.close()
    assert heard == ["closed"]
    TrayTable(tmp_path).runtime.close()  # would be refused if the folder were still locked


def test_lost_buttons_work_once_their_pins_are_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pin_devices, "PAUSE_S", SHORT_PAUSE_S)
    home = TrayTable(tmp_path)
    home.runtime.close()
    pins = BusyPins(5, 18)
    settings = Settings(panel=PanelSettings(driver=PanelDriver.GPIO), light=LightSettings(pin=18))
    home.runtime = TableRuntime.open(
        tmp_path, TruthfulReader(home.camera), peripherals=create_peripherals(settings, pins=pins)
    )
    home.start()
    view = home.see(lambda view: view["notice"] is not None)
    assert view["notice"] is not None
    assert view["notice"]["text"] == "Out of order: buttons and light."
    home.camera.throw([1, 3, 4, 4, 6])
    home.see_phase(Phase.CHOOSING)
    assert pins.pin(20).state == 1  # the lamps work already
    pins.busy.clear()
    home.see(lambda view: view["notice"] is None)
    assert home.runtime.monitor.health().peripherals == "live"
    pins.pin(13).drive_low()
    home.see(lambda view: view["headline"] == "Ben chooses")
    home.runtime.close()
