# SPDX-License-Identifier: MIT
"""
The shape of what a screen shows: plain values that go to the page as JSON.

A screen decides nothing. Whatever it shows, down to the word on each button, is in
the snapshot; so the kiosk, a phone and a test see the same table.
"""

from __future__ import annotations

from typing import Literal, TypedDict

SEATS_MOST = 6
"""Sheets that a screen can show side by side; the rules themselves know no limit."""

Tone = Literal["red", "grey", "green", "none"]
PlayerState = Literal["rolls", "chooses", "waits", "done", "finished", "idle"]


class SumRow(TypedDict):
    """One total of a Choice sheet; `pending` are the marks that the choice would add."""

    sum: int
    value: int
    marks: int
    points: int
    tone: Tone
    pending: int
    points_after: int
    tone_after: Tone


class FifthRow(TypedDict):
    """One row of the fifth-die table; `face` is 0 while the row is empty."""

    face: int
    marks: int
    pending: int


class ChoiceSheet(TypedDict):
    """A Choice sheet as the printed block shows it; plus, minus and total as they count now."""

    kind: Literal["choice"]
    rows: list[SumRow]
    fifth: list[FifthRow]
    plus: int
    minus: int
    total: int
    total_after: int


class PlayerView(TypedDict):
    """
    One player at the table, clockwise from the first listed.

    `state`: `rolls` (is to throw), `chooses` (is choosing now), `waits` (chooses after somebody),
    `done` (has chosen for this roll), `finished` (their game is over), `idle`.
    """

    name: str
    state: PlayerState
    total: int
    winner: bool
    sheet: ChoiceSheet


class DieView(TypedDict):
    """
    A die of the current roll, or as last seen, in pixels of the tray picture.

    `group`: which part of the choice it belongs to: pair `a`, pair `b`, the `fifth`, or none.
    `taken`: whether a player tapped it. `edge_px` is 0 for a die that has no place in the
    picture: it was entered by hand, or does not lie any more where it was read.
    """

    face: int
    polarity: str
    colour: str
    center_px: tuple[float, float]
    angle_deg: float
    edge_px: float
    group: Literal["a", "b", "fifth"] | None
    taken: bool


class DoubtView(TypedDict):
    """Something uncertain in the tray and where it is; no place means the whole tray."""

    kind: str
    text: str
    center_px: tuple[float, float] | None
    radius_px: float


class ChoiceView(TypedDict):
    """One legal choice: what it is, and what it does to the chooser's score."""

    action: str
    text: str
    gain: int
    total: int


class NoticeView(TypedDict):
    """What a person must know now. `refused` was asked and is not allowed; `fault` is a device."""

    kind: Literal["info", "doubt", "refused", "fault"]
    text: str
    mend: str


class ButtonsView(TypedDict):
    """What each of the four buttons does now, in two or three words; none: nothing."""

    left: str | None
    right: str | None
    confirm: str | None
    back: str | None


class OutcomeView(TypedDict):
    """How the game ended, in words and names."""

    winners: list[str]
    text: str


class Snapshot(TypedDict):
    """
    The whole view of a table.

    `version` rises with every change. `phase` is the table machine's phase by name. `headline`
    says whose turn it is and what to do, `hint` how that is done (empty: nothing more to say).
    `by_hand` tells that the current roll was entered by a person, not read by the camera.
    `choices[cursor]` is the choice under the cursor; `cursor` is -1 while there is none (a player
    is tapping dice and has not made two pairs yet). `undo` names the action that can be taken
    back. `seats` names who would sit down to the next game.
    """

    version: int
    phase: str
    game: str | None
    headline: str
    hint: str
    seats: list[str]
    notice: NoticeView | None
    players: list[PlayerView]
    dice: list[DieView]
    by_hand: bool
    doubts: list[DoubtView]
    choices: list[ChoiceView]
    cursor: int
    buttons: ButtonsView
    undo: str | None
    outcome: OutcomeView | None
    round: int
    dice_wanted: int
    known_games: list[str]
