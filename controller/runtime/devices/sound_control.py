# SPDX-License-Identifier: MIT
"""How loud the table sounds now, and what it calls aloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from controller.base.languages.message import chain_messages, message
from controller.base.settings import NightSettings, Settings, SoundSettings
from controller.table.effects import SoundCue
from controller.table.events import TrayDie
from controller.table.state import TableState
from controller.table.view.viewer import SHARED, open_position

_WITH_TOTALS = (SoundCue.ROLL_TAKEN, SoundCue.CHOICE, SoundCue.YOUR_TURN, SoundCue.END)


class SoundControl:
    """The sounds by the settings and the local time; may be used from any thread."""

    def __init__(
        self, settings: Settings | None = None, now: Callable[[], datetime] | None = None
    ) -> None:
        self._now = now or (lambda: datetime.now().astimezone())
        self.change(settings or Settings())

    def change(self, settings: Settings) -> None:
        """Use other settings from now on."""
        self._keys: tuple[SoundSettings, NightSettings] = (settings.sound, settings.night)

    def percent(self) -> int:
        """Return the volume, 0 to 100; 0 is silence."""
        sound, night = self._keys
        is_night = night.is_night(self._now().hour)
        return sound.night_volume_percent if is_night else sound.volume_percent

    def describe_spoken(self, before: TableState, after: TableState, cue: SoundCue) -> str:
        """Return what is called aloud with a sound; empty for nothing."""
        sound, _ = self._keys
        return describe_spoken(before, after, cue) if sound.call_aloud else ""


def describe_spoken(before: TableState, after: TableState, cue: SoundCue) -> str:
    """Return what is called with a sound; empty for nothing. Hidden choices stay hidden."""
    parts: list[str] = []
    if cue is SoundCue.ROLL_TAKEN and after.play.last_roll:
        is_coloured = any(after.play.polarities)
        faces = [_name_face(die, is_coloured=is_coloured) for die in after.play.last_roll.dice]
        parts.append(chain_messages(faces, ", "))
    if cue in _WITH_TOTALS:
        known = _open_totals(before)
        for player, total in _open_totals(after).items():
            if total != known.get(player, total):
                parts.append(_name_total(player, total))
    return chain_messages(parts, ". ") if parts else ""


def _open_totals(state: TableState) -> Mapping[str, int]:
    return open_position(state, SHARED).totals() if state.play.position else {}


def _name_face(die: TrayDie, *, is_coloured: bool) -> str:
    if not is_coloured:
        return str(die.face)
    if die.polarity == "light":
        return message("white {face}", face=die.face)
    return message("black {face}", face=die.face)


def _name_total(player: str, total: int) -> str:
    # A voice may not speak a minus sign.
    if total < 0:
        return message("{player}: minus {points}", player=player, points=-total)
    return message("{player}: {points}", player=player, points=total)
