# SPDX-License-Identifier: MIT
"""A finished game, step by step, as plain values that go to a page as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

Mark = Literal["doubt", "hand", "corrected"]
"""A roll that was in doubt, was entered by hand, or was corrected."""

Tone = Literal["choice", "undone", "calm", "hand", "fault"]
"""What an event is: a choice, an undone one, or a note and who caused it."""


class StepDie(TypedDict):
    """A die as it is drawn; `colour` is empty if only its polarity is known."""

    face: int
    polarity: str
    colour: str


class PictureDie(TypedDict):
    """A read die and its position in the stored picture, in pixels."""

    face: int
    center_px: tuple[float, float]
    edge_px: float
    angle_deg: float


class StepPicture(TypedDict):
    """
    The stored picture of a step.

    `digest` is empty if none was journalled. `size_px` is (0, 0) if the journal does not say it.
    """

    digest: str
    size_px: tuple[int, int]
    dice: list[PictureDie]


class StepEvent(TypedDict):
    """Something that happened after a roll; `by` and `gain` may be empty."""

    at: str
    by: str
    text: str
    gain: str
    tone: Tone


class StepSheet(TypedDict):
    """A player's total and sheet; the page draws the sheet by its `kind`."""

    total: int
    sheet: Mapping[str, Any]


class ReplayStep(TypedDict):
    """
    A roll, a doubtful reading, or what was before the first one, up to the next step.

    `roll` counts from 1 and is 0 without a roll. `faces` count; `was` are the first ones of a
    corrected roll. `held` is what was held before it, in words. `doubts` are the sentences of the
    journal, in English. `sheets` are as they stood at the end of the step, only those that are
    new since the step before; the first step has all of them.
    """

    roll: int
    at: str
    by: str
    progress: str
    faces: list[StepDie]
    was: list[StepDie]
    held: str
    marks: list[Mark]
    notes: list[str]
    doubts: list[str]
    picture: StepPicture
    events: list[StepEvent]
    board: Mapping[str, Any] | None
    sheets: dict[str, StepSheet]


class ReplayView(TypedDict):
    """
    One game.

    `result` is its result in words, empty for a game that the players left. `stopped` says why the
    replay ends before the journal does; empty if it does not.
    """

    number: int
    game: str
    title: str
    players: list[str]
    options: list[str]
    began: str
    winners: list[str]
    losers: list[str]
    result: str
    stopped: str
    steps: list[ReplayStep]
