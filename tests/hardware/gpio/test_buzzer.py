# SPDX-License-Identifier: MIT
"""The sounds: played in their own thread, the newest one at once, silent in the end."""

from __future__ import annotations

import queue
import threading

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.gpio.buzzer import (
    HIGHEST_HZ,
    LOWEST_HZ,
    SOUNDS,
    Buzzer,
    GpioBuzzer,
    Melody,
    NotePlayer,
    Tone,
)
from hardware.panel import PanelLostError
from hardware.simulated.light_and_buzzer import SimulatedBuzzer

PIN = 17
TIMEOUT_S = 60.0
MS = 0.001


class Ear:
    """Hears every tone that is made, in order; 0 is silence."""

    def __init__(self) -> None:
        self._heard: queue.SimpleQueue[float] = queue.SimpleQueue()
        self.hear = self._heard.put

    def next(self, count: int) -> list[float]:
        return [self._heard.get(timeout=TIMEOUT_S) for _ in range(count)]

    def is_silent(self) -> bool:
        return self._heard.empty()


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> object:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def test_notes_are_played_in_order_and_then_it_is_silent() -> None:
    ear = Ear()
    player = NotePlayer(ear.hear)
    player.play((Tone(880.0, MS), Tone(0.0, MS), Tone(440.0, MS)))
    assert ear.next(4) == [880.0, 0.0, 440.0, 0.0]
    player.close()
    assert ear.is_silent()


def test_play_returns_at_once_and_a_new_sound_replaces_the_old() -> None:
    ear = Ear()
    player = NotePlayer(ear.hear)
    player.play((Tone(440.0, 3600.0), Tone(450.0, 3600.0)))
    assert ear.next(1) == [440.0]
    player.play((Tone(880.0, MS),))
    assert ear.next(3) == [0.0, 880.0, 0.0]
    player.close()


def test_the_last_of_several_sounds_is_played_to_its_end() -> None:
    ear = Ear()
    player = NotePlayer(ear.hear)
    for tone_hz in (500.0, 600.0, 700.0):
        player.play((Tone(tone_hz, 3600.0),))
    player.play((Tone(800.0, MS), Tone(900.0, MS)))
    heard: list[float] = []
    while heard[-3:] != [800.0, 900.0, 0.0]:
        heard += ear.next(1)
    player.close()
    assert ear.is_silent()


def test_closing_cuts_a_sound_off_and_is_safe_twice() -> None:
    ear = Ear()
    player = NotePlayer(ear.hear)
    player.play((Tone(440.0, 3600.0),))
    assert ear.next(1) == [440.0]
    player.close()
    assert ear.next(1) == [0.0]
    player.close()


@pytest.mark.parametrize("sound", list(Melody))
def test_every_sound_is_short_and_within_what_the_buzzer_plays(sound: Melody) -> None:
    notes = SOUNDS[sound]
    assert sum(note.lasts_s for note in notes) < 1.0
    assert all(note.tone_hz == 0 or LOWEST_HZ <= note.tone_hz <= HIGHEST_HZ for note in notes)


def test_the_sounds_differ_by_their_rhythm_alone() -> None:
    rhythms = {
        tuple((note.tone_hz > 0, note.lasts_s) for note in SOUNDS[sound]) for sound in Melody
    }
    assert len(rhythms) == len(Melody)


@pytest.mark.parametrize("sound", list(Melody))
def test_the_buzzer_plays_every_sound_and_is_silent_afterwards(sound: Melody) -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    buzzer = GpioBuzzer(PIN, pin_factory=pins)
    assert pins.pin(PIN).frequency is None
    buzzer.play(sound)
    buzzer.close()
    buzzer.close()
    assert pins.pin(PIN).frequency is None
    GpioBuzzer(PIN, pin_factory=pins).close()  # would fail if the pin were still taken


def test_the_highest_and_the_lowest_tone_can_be_made() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    buzzer = GpioBuzzer(PIN, pin_factory=pins)
    for tone_hz in (LOWEST_HZ, HIGHEST_HZ):
        buzzer._set_tone(tone_hz)
        assert pins.pin(PIN).frequency == tone_hz
        assert pins.pin(PIN).state == 0.5
    buzzer._set_tone(0.0)
    assert pins.pin(PIN).frequency is None
    buzzer.close()


def test_a_pin_in_use_names_its_section_and_leaves_no_thread() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    buzzer = GpioBuzzer(PIN, pin_factory=pins)
    with pytest.raises(PanelLostError, match=r"sound: pin 17 cannot be the buzzer.*\[sound\]"):
        GpioBuzzer(PIN, pin_factory=pins)
    buzzer.close()


def test_the_simulated_buzzer_tells_what_it_would_play() -> None:
    heard: list[Melody] = []
    buzzer: Buzzer = SimulatedBuzzer(heard.append)
    buzzer.play(Melody.DOUBT)
    buzzer.play(Melody.END)
    buzzer.close()
    assert heard == [Melody.DOUBT, Melody.END]
