# SPDX-License-Identifier: MIT
"""
The types of the view: plain values that go to the page as JSON.

A screen decides nothing. Everything that it shows, down to the label of each button, is in
the snapshot. So the kiosk, a phone and a test see the same table.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from controller.games.ui import (
    BoardView,
    DieGroup,
    DieLimit,
    EndedRoundView,
    HelpPart,
    SheetView,
)

SEATS_MOST = 6  # Number of sheets that fit on a screen; the rules know no limit.

"""Signs of a player's name that a screen can show."""

PlayerState = Literal["rolls", "chooses", "waits", "done", "finished", "idle"]


class PlayerView(TypedDict):
    """
    One player at the table, clockwise from the first listed.

    `state`: `rolls` (is to throw), `chooses` (is choosing now), `waits` (another one
    chooses first), `done` (has chosen for this roll), `finished` (their game is over), `idle`.
    `total` is points, or chips held. `opponent` is the grade, in words, of a player that the table
    plays itself; empty for a person.
    """

    name: str
    opponent: str
    state: PlayerState
    total: int
    winner: bool
    sheet: SheetView


class DieView(TypedDict):
    """
    A die of the current roll or the last reading, in pixels of the tray picture.

    `group`: which part of the action under the cursor it belongs to: pair `a`, pair `b` (the
    triple of a 3:1 is `a`, its single `b`), the `fifth`, `kept` (stays), `thrown` (is thrown
    again), `turn` (is to be turned by hand), or None. `taken`: whether a player tapped it.
    `placed`: whether a hand set it there, so that it was not thrown. `limit`: whether it `may` or
    `must` be the die that is left out; None for the others, and if nothing limits that.
    `edge_px` is 0 for a die without a position in the picture: it was entered by hand, or has
    moved since.
    """

    face: int
    polarity: str
    colour: str
    center_px: tuple[float, float]
    angle_deg: float
    edge_px: float
    group: DieGroup | None
    taken: bool
    placed: bool
    limit: DieLimit | None


class DoubtView(TypedDict):
    """
    Something uncertain in the tray and its position; None means the whole tray.

    `label` is its kind in a word or two for a screen.
    """

    kind: str
    label: str
    text: str
    center_px: tuple[float, float] | None
    radius_px: float


class FaultView(TypedDict):
    """A device that is lost, and the kind of its fault: `gone`, `dark`, `refuses`, ..."""

    device: str
    kind: str


class ChoiceView(TypedDict):
    """
    One legal action: what it is, and what it does to the chooser's score.

    `kind` is the game's word for it: `pairs` (two pairs), `three` (3:1), `joker` (terminator,
    corrector), `fill` (a cell), `throw` (again, some dice kept or none), `stop`, `tens`.
    `gain` is in points, or None if an action scores nothing by itself.
    """

    action: str
    text: str
    kind: str
    gain: int | None
    total: int


class HintView(TypedDict):
    """
    What a coach says of one choice: its index in `Snapshot.choices`, and the choice in words.

    `equal`: it is the best one or as good; `cost` says that in words. `why`: what it does.
    """

    index: int
    text: str
    equal: bool
    cost: str
    why: str


class HintsView(TypedDict):
    """
    Hints for one player, the best choice first, in a game that does not count.

    They hold while `question` is the one of the view. `note`: how sure the coach is.
    """

    question: str
    player: str
    note: str
    hints: list[HintView]


class NoticeView(TypedDict):
    """A message for the players. `refused` was asked and is not allowed; `fault` is a device."""

    kind: Literal["info", "doubt", "refused", "fault"]
    text: str
    mend: str


class ButtonsView(TypedDict):
    """What each of the four buttons does now, in two or three words; None for nothing."""

    left: str | None
    right: str | None
    confirm: str | None
    back: str | None


class DecisiveRollView(TypedDict):
    """The roll after which the only winner stayed ahead; like `LastRollView`, `number` from 1."""

    number: int
    by: str
    dice: list[DieView]
    picture: str
    crop_px: tuple[int, int, int, int]


class OutcomeView(TypedDict):
    """
    How the game ended, in words and names.

    `scores` has everybody's total by seat after each roll. `decisive` is None in a tie and for one
    player alone.
    """

    winners: list[str]
    losers: list[str]
    text: str
    scores: list[list[int]]
    decisive: DecisiveRollView | None


class HelpView(TypedDict):
    """The rules of a game in a few lines, a heading with its lines each."""

    title: str
    parts: list[HelpPart]


class LobbyLine(TypedDict):
    """
    One line of the lobby that the four buttons go through.

    `key` is the option's name for an option, else empty; `seat` the number of a seat from 0,
    else -1. `value` is how it stands now, in words (empty: a free seat), `values` everything it
    can be set to in the order in which the buttons go through it, `index` where `value` stands
    there (-1: nowhere: a free seat, or an opponent's). `opponent` is the grade of an opponent at
    this seat, in words; empty for a person.
    """

    kind: Literal["game", "option", "seat", "start"]
    key: str
    seat: int
    label: str
    value: str
    values: list[str]
    index: int
    opponent: str


class GradeView(TypedDict):
    """A grade of opponents: its key, and what people call it."""

    key: str
    label: str


class LobbyView(TypedDict):
    """
    The next game. `problem` says why it cannot be started; empty if it can.

    `focus` is the line that the buttons change. `games` and `known_players` are in the order of
    the values of their lines; `option_values` gives each option's values as the rules write them.
    `parked` names the game that can be continued, empty for none; `continues` is whether the last
    line continues it. `ends` asks whether that game may end for good, because a new one was to
    start; empty if nothing is asked. `grades` are those of opponents who can sit here, the
    weakest first.
    """

    lines: list[LobbyLine]
    focus: int
    games: list[str]
    known_players: list[str]
    option_values: dict[str, list[bool | int]]
    grades: list[GradeView]
    problem: str
    parked: str
    continues: bool
    ends: str


class CheckpointView(TypedDict):
    """The last checkpoint: its number of entries, its words, and the text of its QR code."""

    size: int
    words: list[str]
    text: str


class LastRollView(TypedDict):
    """
    The last roll, with everything that a review shows.

    `name` identifies this roll, and changes with a correction: it is the question that a review
    or a correction answers. `dice` are its dice in the order of the screen, with their
    positions in the picture of the digest `picture` (empty: there is none). That
    picture holds only `crop_px` of the frame (x, y, width, height; 0: all of it). `entered_by` is
    who entered or corrected it by hand, empty for the camera; `was` what it was before any
    correction, empty for none; `since` the actions that a correction takes back. `reviewed`
    is whether a review of just these faces has ended.
    """

    name: str
    by: str
    roll: str
    dice: list[DieView]
    picture: str
    crop_px: tuple[int, int, int, int]
    entered_by: str
    was: str
    reason: str
    since: list[str]
    reviewed: bool
    may_review: bool
    may_correct: bool


class ReviewView(TypedDict):
    """The open review: who asked (empty: not known), and whether the roll was corrected since."""

    by: str
    corrected: bool


class SoundView(TypedDict):
    """
    A sound: its number counts up from 1, so that a screen plays it once.

    `cue` is the value of a `SoundCue`; `percent` is how loud it is, 0 for silence; `spoken` is
    what a voice calls with it, empty for nothing.
    """

    number: int
    cue: str
    percent: int
    spoken: str


class RequestView(TypedDict):
    """
    The request of another program for dice: how many, for whom, why, and the program's name.

    `answered` means that the dice on the screen are the answer.
    """

    dice: int
    name: str
    why: str
    by: str
    answered: bool


class Snapshot(TypedDict):
    """
    The whole view of a table.

    `version` rises with every change. `viewer` is the player whose own phone this view is for,
    empty for the screen that all share, None for a watcher. `question` names what the table
    asks of this viewer: it stays the same while an answer to it still fits, and every command
    says which one it answers. `phase` is the table machine's phase by name. `headline` says
    whose turn it is and what to do, `hint` how to do it (may be empty). `by_hand`: the current
    roll was entered by a person, not read by the camera. `corrected`: it was read and then
    corrected by a person. `choices[cursor]` is the choice under the cursor; `cursor` is -1
    while there is none (a player is tapping dice and has not finished). `arrows` are the choices
    that the arrows lead to; if there are four, the button left goes down. `joker` is the joker
    that was tapped, empty for none. `lamps` are the buttons that are lit on each seat's own
    panel; a table has few of those, and the lamps of the one for everybody follow `buttons`.
    `undo` names the action that can be taken back. `title` is the game's name for people,
    `progress` says how far it is, in words: which roll, turn or round is on. `polarities` are
    the dice that belong in the tray, `light`, `dark` or empty (any), and `dice_wanted` their
    number. `active` is the player whom the shared screen is about: whose choices it shows, else who
    must throw; None for nobody. `lobby` stands only in the lobby, `board` only if something lies
    in the middle;
    `help` is of the game that is played or picked. `checkpoint` is the newest one; None before
    the first. `recalibrating`: the table searches for its moved tray. `fault` is the newest fault,
    whatever is on the screen. `doubts` holds each cause once; the journal has all that the reader
    doubted. `request` is the request of another program that is open or was just answered.
    `training`: the game does not count, and hints may be asked for; `hints`: they may be asked for
    now. `sound` is the newest sound since the table's start, None before the first. `idle`: the
    box's own screen shows a demonstration, since the table was not used for some minutes.
    """

    version: int
    viewer: str | None
    question: str
    recalibrating: bool
    phase: str
    game: str | None
    title: str
    headline: str
    hint: str
    notice: NoticeView | None
    players: list[PlayerView]
    active: str | None
    board: BoardView | None
    ended_round: EndedRoundView | None
    dice: list[DieView]
    by_hand: bool
    corrected: bool
    last_roll: LastRollView | None
    review: ReviewView | None
    doubts: list[DoubtView]
    fault: FaultView | None
    choices: list[ChoiceView]
    cursor: int
    arrows: dict[str, int]
    joker: str
    buttons: ButtonsView
    lamps: list[list[str]]
    undo: str | None
    outcome: OutcomeView | None
    request: RequestView | None
    training: bool
    hints: bool
    sound: SoundView | None
    progress: str
    dice_wanted: int
    polarities: list[str]
    lobby: LobbyView | None
    checkpoint: CheckpointView | None
    help: HelpView
    idle: bool
