# SPDX-License-Identifier: MIT
"""What the service page needs of a table, as plain values that go to a browser as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol, TypedDict

from controller.runtime.panel_views import PanelsView

Place = tuple[float, float]


class DieMark(TypedDict):
    """A die that was read, how sure that is, and where its face is in the picture."""

    face: int
    confidence: float
    center_px: Place
    corners_px: list[Place]


class SpotMark(TypedDict):
    """Something that is not certain or no die, and where; no place: the whole tray."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class StageView(TypedDict):
    """How long a stage of the reader took."""

    stage: str
    ms: float


class ReadingView(TypedDict):
    """A reading of one picture; `frame` is its number, `status` is empty before the first."""

    frame: int
    picture_wh: tuple[int, int]
    status: str
    dice: list[DieMark]
    doubts: list[SpotMark]
    rejected: list[SpotMark]
    stages: list[StageView]


class TraceView(TypedDict):
    """A reading with the names of the pictures of its stages; `number` tells traces apart."""

    number: int
    pictures: list[str]
    reading: ReadingView


class CameraView(TypedDict):
    """A camera and how it takes pictures, as read back by key; nothing where it tells nothing."""

    name: str
    exposure: dict[str, float]


class SettingView(TypedDict):
    """
    A setting: `value` as the file says, `waits`: another one is in use until the next start.

    `live` tells whether a change counts at once.
    """

    name: str
    key: str
    about: str
    allowed: str
    default: str
    kind: Literal["choice", "number", "text", "flag"]
    choices: list[str]
    value: str
    live: bool
    waits: bool


class SectionView(TypedDict):
    """A section of the settings."""

    name: str
    about: str
    settings: list[SettingView]


class SettingsView(TypedDict):
    """All settings; `problem` says why they cannot be changed, empty where they can."""

    file: str
    problem: str
    sections: list[SectionView]


class LogView(TypedDict):
    """A line of the log; `level` is `info`, `warning`, `error` or `critical`."""

    level: str
    text: str


class FindingView(TypedDict):
    """What the doctor found: `level` is `ok`, `note` or `wrong`."""

    subject: str
    level: str
    what: str
    mend: str


class DoctorView(TypedDict):
    """An examination, perhaps still under way; no findings before the first one."""

    running: bool
    findings: list[FindingView]


PowerAction = Literal["restart table", "reboot", "power off"]
"""What can be done to the machine."""
POWER_ACTIONS: tuple[PowerAction, ...] = ("restart table", "reboot", "power off")


class ServiceGate(Protocol):
    """A table as whoever looks after it sees it; every method may be called from any thread."""

    def reading(self) -> ReadingView:
        """Return what the table reads in the newest picture."""
        ...

    def make_trace(self) -> TraceView:
        """Read the newest picture and keep pictures of the stages; InputError if one is made."""
        ...

    def trace_picture(self, number: int, name: str) -> bytes | None:
        """Return a picture of the trace with this number as PNG; none if it is gone."""
        ...

    def board(self) -> PanelsView:
        """Return buttons and lamps as they are now."""
        ...

    def stay_apart(self) -> None:
        """Let presses play nothing for some seconds."""
        ...

    def press(self, seat: int, button: str) -> None:
        """Press a button of a simulated panel."""
        ...

    def try_lamp(self, seat: int, button: str) -> None:
        """Light a lamp for a moment."""
        ...

    def try_light(self) -> None:
        """Let the light go dark for a moment."""
        ...

    def try_sound(self, name: str) -> None:
        """Play a sound."""
        ...

    def camera(self) -> CameraView:
        """Return how the camera takes pictures now."""
        ...

    def settings(self) -> SettingsView:
        """Return every setting."""
        ...

    def change(self, name: str, value: bool | int | float | str) -> str:
        """Write a setting `section.key` into its file; return when it counts, in words."""
        ...

    def log(self) -> list[LogView]:
        """Return the newest lines of the log, oldest first."""
        ...

    def examine(self) -> None:
        """Begin to look at everything; InputError while that runs."""
        ...

    def doctor(self) -> DoctorView:
        """Return what was found so far."""
        ...

    def backup(self, *, with_pictures: bool) -> tuple[str, Iterator[bytes]]:
        """Return a name for a backup, and its bytes as they are made."""
        ...

    def acts(self) -> dict[PowerAction, str]:
        """Return why something cannot be done to the machine; empty words where it can."""
        ...

    def do_to_machine(self, act: PowerAction) -> None:
        """Do it; InputError where the machine does not permit it."""
        ...

    def code(self) -> str | None:
        """Return the code that phones enter; none where phones do not play."""
        ...

    def new_code(self) -> None:
        """Change the code; phones that are in stay in."""
        ...

    def revoke_phone_tickets(self) -> None:
        """Change the code and let every phone enter it anew."""
        ...
