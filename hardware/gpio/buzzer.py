# SPDX-License-Identifier: MIT
"""
Play short sounds: bell, roll taken, choice, your turn, doubt, end.

They differ in rhythm and direction, not only in pitch, because a small piezo disc plays every
pitch alike. A separate thread plays them, so the table never waits. A new sound replaces the
current one, because only the newest state matters.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from hardware.gpio.pins import Pins, lose_with_pins, raise_as_panel_lost, release
from hardware.panel import PanelLostError

SECTION = "sound"
LOWEST_HZ, HIGHEST_HZ = 220.0, 3520.0  # The range in use: two octaves around 880 Hz.
_MIDDLE, _OCTAVES = "A5", 2


class Melody(Enum):
    BELL = "bell"
    ROLL_TAKEN = "roll taken"
    CHOICE = "choice"
    YOUR_TURN = "your turn"
    DOUBT = "doubt"
    END = "end"


@dataclass(frozen=True, slots=True)
class Tone:
    """A tone and how long it lasts; 0 Hz is a rest."""

    tone_hz: float
    lasts_s: float


_REST = Tone(0.0, 0.06)

SOUNDS: Mapping[Melody, tuple[Tone, ...]] = {
    Melody.BELL: (Tone(2637.0, 0.08), _REST, Tone(2637.0, 0.3)),
    Melody.ROLL_TAKEN: (Tone(1760.0, 0.05),),
    Melody.CHOICE: (Tone(1174.7, 0.03),),
    Melody.YOUR_TURN: (Tone(880.0, 0.09), _REST, Tone(1318.5, 0.14)),
    Melody.DOUBT: (Tone(440.0, 0.16), _REST, Tone(440.0, 0.16), _REST, Tone(440.0, 0.16)),
    Melody.END: (Tone(1046.5, 0.12), Tone(1318.5, 0.12), Tone(1568.0, 0.12), Tone(2093.0, 0.4)),
}
"""Two strokes, ticks, a question going up, three low knocks, a fanfare; none lasts a second."""


class Buzzer(Protocol):
    """A device that plays the sounds."""

    def play(self, sound: Melody) -> None:
        """Start a sound in place of the current one; return at once."""

    def close(self) -> None:
        """Stop and release the device; safe to call twice."""


class NotePlayer:
    """
    Plays notes in a separate thread; new notes replace the current ones.

    In that thread `set_tone` starts a tone in Hz; 0 is silence.
    """

    def __init__(self, set_tone: Callable[[float], None]) -> None:
        self._set_tone = set_tone
        self._changed = threading.Condition()
        self._requested: Sequence[Tone] | None = None  # requested and not started yet
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, notes: Sequence[Tone]) -> None:
        """Start these notes in place of the current ones; return at once."""
        with self._changed:
            self._requested = notes
            self._changed.notify()

    def close(self) -> None:
        """Stop and end the thread; safe to call twice."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while (notes := self._next_notes()) is not None:
            for note in notes:
                self._set_tone(note.tone_hz)
                with self._changed:
                    if self._changed.wait_for(self._has_request, note.lasts_s):
                        break
            self._set_tone(0.0)

    def _next_notes(self) -> Sequence[Tone] | None:
        """Wait for the next notes; None after `close`."""
        with self._changed:
            self._changed.wait_for(self._has_request)
            notes, self._requested = self._requested, None
            return None if self._is_closed else notes

    def _has_request(self) -> bool:
        return self._is_closed or self._requested is not None


class GpioBuzzer:
    """
    A passive piezo buzzer on a GPIO pin, by its BCM number.

    Raises:
        PanelLostError: The pin is missing or in use.
    """

    def __init__(self, pin: int, *, pin_factory: Pins) -> None:
        with raise_as_panel_lost(SECTION, f"pin {pin} cannot be the buzzer"):
            from gpiozero import TonalBuzzer

            self._tones = TonalBuzzer(
                pin, mid_tone=_MIDDLE, octaves=_OCTAVES, pin_factory=pin_factory
            )
        self._lost: PanelLostError | None = None
        self._player = NotePlayer(self._set_tone)

    def play(self, sound: Melody) -> None:
        if self._lost:
            raise self._lost
        self._player.play(SOUNDS[sound])

    def close(self) -> None:
        self._player.close()
        release(self._tones.close)

    def _set_tone(self, tone_hz: float) -> None:
        """Start a tone, in the player's thread, which goes on without the pin."""
        try:
            with lose_with_pins(SECTION):
                if tone_hz:
                    self._tones.play(tone_hz)
                else:
                    self._tones.stop()
        except PanelLostError as error:
            self._lost = error
