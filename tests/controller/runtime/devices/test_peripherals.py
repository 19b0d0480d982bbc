# SPDX-License-Identifier: MIT
"""Buttons become events that say whose they are; lamps and sounds follow the table."""

from __future__ import annotations

import pytest

from controller.runtime.devices.peripherals import Peripherals, to_table_event
from controller.table import events as on
from controller.table.effects import SoundCue as TableSound
from controller.table.events import Event, Key
from controller.table.view.types import Snapshot
from hardware.clock import SteppedClock
from hardware.gpio.buzzer import Melody
from hardware.panel import Button, Freed, Hold, PanelEvent, Press, Stuck
from hardware.simulated.light_and_buzzer import SimulatedBuzzer, SimulatedLight
from hardware.simulated.panel import SimulatedPanel
from tests.support.table import CONFIRM, RIGHT, play, table, throw_of, view


def panel() -> SimulatedPanel:
    return SimulatedPanel(SteppedClock())


def bens_turn() -> Snapshot:
    state = play(table("Ada", "Ben", game="wuerfelspiel"), *throw_of("13446"), RIGHT, CONFIRM)
    return view(play(state, *throw_of("22345", spot=1)))


@pytest.mark.parametrize("seat", [None, 3])
@pytest.mark.parametrize(
    ("told", "event"),
    [
        (Press(Button.LEFT, 1.0), on.KeyPressed(Key.LEFT)),
        (Hold(Button.BACK, 1.0), on.PauseRequested()),
        (Hold(Button.LEFT, 1.0), on.ReviewRequested()),
        (Hold(Button.RIGHT, 1.0), None),
        (Stuck(Button.CONFIRM, 1.0), on.ButtonStuck(Key.CONFIRM)),
        (Freed(Button.CONFIRM, 1.0), on.ButtonReleased(Key.CONFIRM)),
    ],
)
def test_what_a_button_does_is_told_with_its_seat(
    told: PanelEvent, event: Event | None, seat: int | None
) -> None:
    found = to_table_event(told, seat)
    assert type(found) is type(event)
    if isinstance(
        found,
        on.KeyPressed | on.ButtonStuck | on.ButtonReleased | on.PauseRequested | on.ReviewRequested,
    ):
        assert found.panel == seat
    if isinstance(found, on.KeyPressed | on.ButtonStuck | on.ButtonReleased):
        assert found.key.value == told.button.value


def test_every_button_is_a_key_and_every_sound_can_be_played() -> None:
    assert [button.value for button in Button] == [key.value for key in Key]
    assert [sound.value for sound in Melody] == [sound.value for sound in TableSound]


def test_lamps_of_the_active_player_and_the_shared_panel_are_lit() -> None:
    everybodys, ada, ben = panel(), panel(), panel()
    Peripherals(everybodys, {1: ada, 2: ben}).show(bens_turn())
    arrows = frozenset({Button.LEFT, Button.RIGHT})
    assert (everybodys.lit, ada.lit, ben.lit) == (arrows, frozenset(), arrows)


def test_a_table_needs_none_of_it() -> None:
    nothing = Peripherals()
    nothing.show(bens_turn())
    nothing.play(TableSound.END)
    nothing.close()


def test_everything_is_released_in_the_end_and_may_be_so_twice() -> None:
    everybodys, ada, light = panel(), panel(), SimulatedLight()
    light.set_brightness(50)
    peripherals = Peripherals(everybodys, {1: ada}, light, SimulatedBuzzer())
    peripherals.show(bens_turn())
    peripherals.close()
    peripherals.close()
    assert (everybodys.lit, ada.lit, light.brightness_percent) == (frozenset(), frozenset(), 0)


def test_a_sound_of_the_table_is_played_by_the_buzzer() -> None:
    heard: list[Melody] = []
    Peripherals(buzzer=SimulatedBuzzer(heard.append)).play(TableSound.DOUBT)
    assert heard == [Melody.DOUBT]
