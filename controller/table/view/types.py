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
    ExampleStep,
    HelpPart,
    SheetView,
)

SEATS_MOST = 6  # Number of sheets that fit on a screen; the rules know no limit.

"""Signs of a player's name that a screen can show."""

PlayerState = Literal["rolls", "chooses", "waits", "done", "finished", "idle"]


class PlayerView(TypedDict):
    """One player at the table, clockwise from the first listed."""

    name: str
    heading: str  # What stands on the sheet in place of the name; empty for the name.
    # The grade, in words, of a player that the table plays itself; empty for a person.
    opponent: str
    # `rolls` (is to throw), `chooses` (is choosing now), `waits` (another one chooses first),
    # `done` (has chosen for this roll), `finished` (their game is over), `idle`.
    state: PlayerState
    total: int  # Points, or chips held.
    winner: bool
    sheet: SheetView


class DieView(TypedDict):
    """A die of the current roll or the last reading, in pixels of the tray picture."""

    face: int
    polarity: str
    colour: str
    center_px: tuple[float, float]
    angle_deg: float
    # 0 for a die without a position in the picture: it was entered by hand, or has moved since.
    edge_px: float
    # Its part in the action under the cursor: pair `a`, pair `b` (the triple of a 3:1 is `a`, its
    # single `b`), the `fifth`, `kept` (stays), `thrown` (again), `turn` (by hand), or None.
    group: DieGroup | None
    taken: bool  # Whether a player tapped it.
    placed: bool  # Whether a hand set it there, so that it was not thrown.
    # Whether it `may` or `must` be the die that is left out; None for the others, and if nothing
    # limits that.
    limit: DieLimit | None


class DoubtView(TypedDict):
    """Something uncertain in the tray and its position; None means the whole tray."""

    kind: str
    label: str  # Its kind in a word or two for a screen.
    text: str
    center_px: tuple[float, float] | None
    radius_px: float


class FaultView(TypedDict):
    """A device that is lost, and the kind of its fault: `gone`, `dark`, `refuses`, ..."""

    device: str
    kind: str


class ChoiceView(TypedDict):
    """One legal action: what it is, and what it does to the chooser's score."""

    action: str
    text: str
    # The game's word for it: `pairs` (two pairs), `three` (3:1), `joker` (terminator, corrector),
    # `fill` (a cell), `throw` (again, some dice kept or none), `stop`, `tens`.
    kind: str
    gain: int | None  # In points; None if an action scores nothing by itself.
    total: int


class HintView(TypedDict):
    """What a coach says of one choice."""

    index: int  # In `Snapshot.choices`.
    text: str  # The choice in words.
    equal: bool  # It is the best one or as good.
    cost: str  # The same in words.
    why: str  # What it does.


class HintsView(TypedDict):
    """Hints for one player, the best choice first, in a game that does not count."""

    question: str  # They hold while this is the one of the view.
    player: str
    note: str  # How sure the coach is.
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
    """How the game ended, in words and names."""

    winners: list[str]
    losers: list[str]
    text: str
    scores: list[list[int]]  # Everybody's total by seat after each roll.
    decisive: DecisiveRollView | None  # None in a tie and for one player alone.


class HelpView(TypedDict):
    """The rules of a game in a few lines, a heading with its lines each, and a worked example."""

    title: str
    parts: list[HelpPart]
    example: list[ExampleStep]


class LobbyLine(TypedDict):
    """One line of the lobby that the four buttons go through."""

    kind: Literal["game", "option", "seat", "start"]
    key: str  # The option's name for an option, else empty.
    seat: int  # The number of a seat from 0, else -1.
    label: str
    value: str  # How it stands now, in words; empty for a free seat.
    # Everything it can be set to, in the order in which the buttons go through it.
    values: list[str]
    index: int  # Where `value` stands there; -1 for a free seat or an opponent's.
    opponent: str  # The grade of an opponent at this seat, in words; empty for a person.


class GradeView(TypedDict):
    """A grade of opponents: its key, and what people call it."""

    key: str
    label: str


class LobbyView(TypedDict):
    """The next game."""

    lines: list[LobbyLine]
    focus: int  # The line that the buttons change.
    games: list[str]  # In the order of the values of their line.
    known_players: list[str]  # In the order of the values of the lines of seats.
    option_values: dict[str, list[bool | int]]  # Each option's values as the rules write them.
    grades: list[GradeView]  # Those of opponents who can sit here, the weakest first.
    problem: str  # Why the game cannot be started; empty if it can.
    parked: str  # Names the game that can be continued; empty for none.
    continues: bool  # Whether the last line continues it.
    # Asks whether that game may end for good, because a new one was to start; empty if nothing is
    # asked.
    ends: str


class CheckpointView(TypedDict):
    """The last checkpoint: its number of entries, its words, and the text of its QR code."""

    size: int
    words: list[str]
    text: str


class LastRollView(TypedDict):
    """The last roll, with everything that a review shows."""

    # Identifies this roll, and changes with a correction: it is the question that a review or a
    # correction answers.
    name: str
    by: str
    roll: str
    dice: list[DieView]  # In the order of the screen, with their positions in the picture.
    picture: str  # Its digest; empty if there is none.
    # All that the picture holds of the frame: x, y, width, height; zeros: all of it.
    crop_px: tuple[int, int, int, int]
    entered_by: str  # Who entered or corrected it by hand; empty for the camera.
    was: str  # What it was before any correction; empty for none.
    reason: str
    since: list[str]  # The actions that a correction takes back.
    reviewed: bool  # Whether a review of just these faces has ended.
    may_review: bool
    may_correct: bool


class ReviewView(TypedDict):
    """The open review: who asked (empty: not known), and whether the roll was corrected since."""

    by: str
    corrected: bool


class SoundView(TypedDict):
    """A sound, which a screen plays once."""

    number: int  # Counts up from 1.
    cue: str  # The value of a `SoundCue`.
    percent: int  # How loud it is; 0 for silence.
    spoken: str  # What a voice calls with it; empty for nothing.


class RequestView(TypedDict):
    """The request of another program for dice: how many, for whom, why, and the program's name."""

    dice: int
    name: str
    why: str
    by: str
    answered: bool  # The dice on the screen are the answer.


class PastThrowView(TypedDict):
    """A roll for everybody that was thrown before."""

    number: int
    seat: int
    faces: list[int]


class CourseView(TypedDict):
    """The last rolls, the newest first, and all totals by seat between them, the oldest first."""

    rolls: list[PastThrowView]
    scores: list[list[int]]


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
    may_count: bool  # The game may be ended now, with the result as it stands.
    course: CourseView | None  # How the game goes, for screens that all look at.
    # Known names of people who may join the game now; None without a free seat.
    joiners: list[str] | None
