# SPDX-License-Identifier: MIT
"""The service page as plain values that go to a browser as JSON."""

from __future__ import annotations

from typing import Literal, TypedDict

from controller.base.languages.message import Message
from controller.runtime.calibration.page_data import DieMark, SpotMark


class LiveDieMark(DieMark):
    confidence: float


class StageView(TypedDict):
    stage: str
    ms: float


class LiveReadingView(TypedDict):
    """A reading of one picture; `frame` is its number, `status` is empty before the first."""

    frame: int
    picture_wh: tuple[int, int]
    status: str
    dice: list[LiveDieMark]
    doubts: list[SpotMark]
    rejected: list[SpotMark]
    stages: list[StageView]


class TraceView(TypedDict):
    """A reading with the names of the pictures of its stages; `number` identifies the trace."""

    number: int
    pictures: list[str]
    reading: LiveReadingView


class CameraView(TypedDict):
    """A camera and its exposure by key; empty if it reports none."""

    name: str
    exposure: dict[str, float]


class SettingView(TypedDict):
    """
    A setting: `value` is from the file; `waits`: the table uses another until a restart.

    `allowed` is empty if the field shows it, `default` is as in the file and `default_text` in
    words. `fixed` means that the page cannot change it, `live` that a change applies at once.
    """

    name: str
    key: str
    label: str
    about: str
    unit: str
    allowed: str
    default: str
    default_text: str
    kind: Literal["choice", "number", "text", "flag"]
    choices: list[str]
    choice_labels: list[str]
    value: str
    fixed: bool
    live: bool
    waits: bool


class SectionView(TypedDict):
    name: str
    label: str
    about: str
    settings: list[SettingView]


class SettingsView(TypedDict):
    """All settings; `problem` is why they cannot be changed, or empty."""

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
    """A diagnosis, possibly still running; no findings before the first one."""

    running: bool
    findings: list[FindingView]


class ApiTokenView(TypedDict):
    """A token of another program; `used_s` is in seconds since 1970, 0 for never."""

    number: str
    name: str
    scopes: list[str]
    used_s: int


class ApiTokensView(TypedDict):
    """All tokens; without `enabled` the table answers no program."""

    enabled: bool
    tokens: list[ApiTokenView]


class DiceSetView(TypedDict):
    """A set of dice, and what its throws say; `name` is empty for the dice of the beginning."""

    name: str
    label: str
    is_current: bool
    is_suspect: bool
    said: list[Message]


class TournamentView(TypedDict):
    """The tournament of a table; `sent` entries have arrived, `waiting` ones have not."""

    state: str
    reason: str
    address: str
    offered: str
    sent: int
    waiting: int


PowerAction = Literal["restart table", "reboot", "power off"]
POWER_ACTIONS: tuple[PowerAction, ...] = ("restart table", "reboot", "power off")


class PersonView(TypedDict):
    """A person by the name in the journal, as screens show them (empty: forgotten)."""

    name: str
    shown: str
    forgotten: bool
    games: int
