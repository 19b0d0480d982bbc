# SPDX-License-Identifier: MIT
"""The service page as plain values that go to a browser as JSON."""

from __future__ import annotations

from typing import Literal, TypedDict

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
    """All settings; `problem` says why they cannot be changed, empty if they can."""

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
