# SPDX-License-Identifier: MIT
"""
The state of a table: its phase, the game, the dice in the tray, requests and faults.

A state is a frozen value. The view is made from it alone, and the journal's entries lead
back to it, so nothing else can be out of step.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from controller.base.settings.choices import Confirm
from controller.coach.opponent import Opponent
from controller.games import GAMES
from controller.games.contract import JOIN, ActionEvent, GameEvent, GameState, Option
from controller.games.game import Game, list_polarities
from controller.games.ui import EMPTY_SELECTION, Selection
from controller.journal.hashchain import Body
from controller.table.events import (
    NO_PICTURE_INFO,
    PLACED,
    UNSEEN,
    ButtonStuck,
    DeviceLost,
    DiceRequested,
    NamesChanged,
    PartChanged,
    PeripheralLost,
    PictureInfo,
    PlayersSeated,
    TrayDie,
    TrayDoubt,
)

SECRET = "secret"  # The option of a game that hides choices until everybody has confirmed one.

MOVED = "moved"  # The kind of fault that a new calibration fixes.


class Phase(Enum):
    """
    What the table is doing.

    `AWAITING_JOKER`: a player waits for private dice while the others choose from the roll.
    `IN_HAND`: a player has taken dice out of the tray to throw them again; the others stay.
    `REVIEW`: the last roll is shown again, and play waits.
    """

    LOBBY = "lobby"
    AWAITING_ROLL = "awaiting roll"
    AWAITING_JOKER = "awaiting joker"
    IN_HAND = "in hand"
    ROLLING = "rolling"
    SETTLING = "settling"
    READING = "reading"
    STRAIGHTEN = "straighten"
    CHOOSING = "choosing"
    GAME_OVER = "game over"
    REVIEW = "review"
    PAUSED = "paused"
    FAULT = "fault"


THROW_PHASES = (Phase.ROLLING, Phase.SETTLING, Phase.READING, Phase.STRAIGHTEN)
"""Phases of a throw that is under way."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the players, and what to do about it."""

    kind: Literal["info", "refused"]
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class JournalNews:
    """What the last start found out about the journal, for everybody at the table."""

    kind: str  # The kind of the entry: `restored`, `rollback` or `memory_lost`.
    body: Body
    is_played: bool = False  # Whether a game began since; the end of that game removes the news.


@dataclass(frozen=True, slots=True)
class PlayerCursor:
    """A player's cursor on the choices, what they tapped, and the message about that."""

    player: str
    cursor: int = 0
    selection: Selection = EMPTY_SELECTION
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class PrivateDice:
    """Dice of one player after a joker; the others keep the shared roll."""

    player: str
    dice: tuple[TrayDie, ...]


@dataclass(frozen=True, slots=True)
class RepairMemory:
    """What the table remembers of a doubtful reading while the players repair it."""

    certain: tuple[TrayDie, ...]  # The dice that could be read.
    unrequested: tuple[TrayDie, ...]  # Those of them that a hand set without a request.
    is_requested: bool  # Whether the table asks for a hand that straightens dice.


@dataclass(frozen=True, slots=True)
class TableReading:
    """What the tray showed at its last rest, whether it was a roll or not."""

    dice: tuple[TrayDie, ...] = ()
    doubts: tuple[TrayDoubt, ...] = ()  # What kept it from being certain.
    # The hold that follows from the dice that stayed, until the roll is taken.
    held_action: str = ""
    # Where a missing die may be hidden. Only screens show it; nothing follows from it.
    hider: TrayDoubt | None = None

    @property
    def is_only_placed(self) -> bool:
        """Whether the only doubt is that dice were thrown; a press lets them count."""
        kinds = {doubt.kind for doubt in self.doubts}
        return bool(kinds) and kinds <= {PLACED, UNSEEN}

    @property
    def may_confirm_doubts(self) -> bool:
        """Whether a press lets the dice count although there are doubts."""
        return bool(self.held_action) or self.is_only_placed


@dataclass(frozen=True, slots=True)
class LastRoll:
    """The last roll, with everything that a correction needs."""

    by: str  # Who rolled.
    roll: str  # The faces as they count, in the record's text form.
    # The same dice in the order of the screen, with their positions in the picture.
    dice: tuple[TrayDie, ...]
    # The position before the roll, after an action that followed from its kept dice.
    before: GameState
    roll_dice: tuple[TrayDie, ...]  # The shared roll before it.
    private_dice: tuple[PrivateDice, ...]  # Dice of single players before it.
    picture: str = ""  # Digest of the picture that was read; empty for none.
    picture_info: PictureInfo = NO_PICTURE_INFO  # What else is known of that picture.
    was: str = ""  # The first faces; empty if the roll was not corrected.
    reason: str = ""  # Why they were corrected or entered by hand; may be empty.
    is_reviewed: bool = False  # Whether a review of just these faces has ended.


@dataclass(frozen=True, slots=True)
class Review:
    """An open review of the last roll."""

    by: str  # Who asked for it; empty if not known.
    resume: Phase  # The phase to go back to.
    is_corrected: bool = False  # Whether an official has corrected the roll meanwhile.


@dataclass(frozen=True, slots=True)
class Lobby:
    """The next game, as the players set it up."""

    game: str = next(iter(GAMES))
    # Its options by name, those that are not at their default.
    options: tuple[tuple[str, Option], ...] = ()
    seats: tuple[str, ...] = ()  # The players, clockwise.
    # The line that the buttons change, counted from the first; -1 is the last, start.
    focus: int = -1
    has_parked: bool = False  # Whether a game can be continued.
    continues: bool = False  # Whether the last line continues that game; else it starts a new one.
    # Whether the lobby asks if that game may end, because a new one would end it.
    asks_end: bool = False
    seated: PlayersSeated | None = None  # What a tournament seated here last.
    # Name and grade of each player that the table plays itself.
    grades: tuple[tuple[str, str], ...] = ()
    has_hints: bool = False  # Whether it is for training: with hints, and without counting.


@dataclass(frozen=True, slots=True)
class Setup:
    """How the table is set up and who uses it; it stays when a game begins or ends."""

    confirm: Confirm = Confirm.AUTO  # How certain readings are taken.
    see_every_throw: bool = False  # Whether a die that was not seen to be thrown is a doubt.
    # Whether the dice are in a dome that is shaken, so that no hand reaches them.
    under_dome: bool = False
    known_players: tuple[str, ...] = ()  # Names of players who sat at this table, the latest first.
    # Whom the lobby offers by another name, or not at all.
    shown_names: NamesChanged = field(default_factory=NamesChanged)
    phone_players: tuple[str, ...] = ()  # Who has a phone of their own.
    is_dealing: bool = False  # Whether a tournament takes its throws for all players.
    part: PartChanged = field(default_factory=PartChanged)  # What a tournament said last.


@dataclass(frozen=True, slots=True)
class Troubles:
    """What is wrong at the table; it stays when a game begins or ends."""

    faults: tuple[DeviceLost, ...] = ()  # Devices that are lost, oldest first; play waits for them.
    is_recalibrating: bool = False  # Whether the table searches for its moved tray.
    stuck_buttons: tuple[ButtonStuck, ...] = ()  # Buttons that are stuck, oldest first.
    # Peripherals that cannot be used, oldest first; play goes on.
    lost_peripherals: tuple[PeripheralLost, ...] = ()
    # What the last start found out about the journal; None for nothing.
    journal_news: JournalNews | None = None

    @property
    def may_recalibrate(self) -> bool:
        """Whether camera or tray were moved, so that the table can search for the tray."""
        return bool(self.faults) and self.faults[-1].kind == MOVED and not self.is_recalibrating


@dataclass(frozen=True, slots=True)
class Play:
    """The game that is played, from its start to its end; without a position in the lobby."""

    game_key: str = ""  # Which game it is; empty in the lobby.
    position: GameState | None = None  # Where it stands; None in the lobby.
    opponents: tuple[Opponent, ...] = ()  # The players that the table plays itself.
    has_hints: bool = False  # Whether it is for training: with hints, and without counting.
    is_of_round: bool = False  # Whether its result counts in a round of a tournament.
    was_dealt: bool = False  # Whether a tournament took its throws until it was over.
    # The request for dice that it answers, or has just answered; None for none.
    request: DiceRequested | None = None
    rolls: int = 0  # How many rolls were taken.
    last_roll: LastRoll | None = None  # The last one; None before the first.
    roll_link: str = ""  # The link of its entry, which decides what opponents choose.
    by_hand: str = ""  # Who entered or corrected it by hand; empty if the camera read it.
    review: Review | None = None  # The open review of it; None if there is none.
    roll_log: tuple[LastRoll, ...] = ()  # The shared rolls, oldest first.
    roll_dice: tuple[TrayDie, ...] = ()  # The dice of the shared roll, in the order of the screen.
    private_dice: tuple[PrivateDice, ...] = ()  # Dice of single players after a joker on that roll.
    callers: tuple[str, ...] = ()  # Who waits for private dice, in the order of asking.
    # Actions since the last shared roll, and private rolls among them, oldest first.
    steps: tuple[GameEvent, ...] = ()
    steps_from: GameState | None = None  # The position that these lead on from; None in the lobby.
    seen_round: int = 0  # The round whose result has left the screens.

    @property
    def rules(self) -> Game:
        return GAMES[self.game_key]

    @property
    def polarities(self) -> tuple[str, ...]:
        """The dice of a full throw now, as `Game.polarities` lists them; empty in the lobby."""
        return list_polarities(self.rules, self.position) if self.game_key else ()

    @property
    def roller(self) -> str | None:
        """Who owes a roll; of several who wait for private dice the one who asked first."""
        rollers = self.position.expects().roll if self.position else ()
        return next((name for name in (*self.callers, *rollers) if name in rollers), None)

    @property
    def undoable(self) -> tuple[ActionEvent, ...]:
        """Actions since the last roll, oldest first; who joined stays, as no roll leads to that."""
        since: tuple[ActionEvent, ...] = ()
        for step in self.steps:
            since = (*since, step) if isinstance(step, ActionEvent) else ()
        return tuple(step for step in since if step.action != JOIN)

    @property
    def opponent_names(self) -> Set[str]:
        return frozenset(one.name for one in self.opponents)

    @property
    def is_together(self) -> bool:
        """Whether all players choose from the same roll, in any order."""
        return bool(self.game_key) and self.rules.chooses_together

    @property
    def is_secret(self) -> bool:
        """Whether the players' choices from the open roll are hidden from each other."""
        position = self.position
        if position is None or not position.faces or len(position.players) < 2:
            return False
        return bool(position.options.get(SECRET))

    def move_to(self, position: GameState) -> Play:
        """Return the play at another position; who no longer waits for dice is no caller."""
        waiting = position.expects().roll if position.faces else ()
        called = (name for name in (*self.callers, *waiting) if name in waiting)
        return replace(self, position=position, callers=tuple(dict.fromkeys(called)))


@dataclass(frozen=True, slots=True)
class Screen:
    """What is pointed at on the shared screen and on phones; it is fresh at each new position."""

    cursor: int = 0  # Index of the choice under the cursor; -1 while dice are being tapped.
    selection: Selection = EMPTY_SELECTION  # What the player has tapped.
    active_chooser: str = ""  # Whose choices somebody asked for here; empty for none.
    others: tuple[PlayerCursor, ...] = ()  # Cursors of others who may choose, but are not shown.
    # The cursors on the players' own phones; no other screen shows them.
    phones: tuple[PlayerCursor, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """
    Everything a table knows.

    `setup`, `troubles`, `lobby` and `dice_on_felt` stay when a game begins or ends; all else
    belongs to one game and is reset by the next.
    """

    phase: Phase = Phase.LOBBY  # What it is doing.
    resume: Phase = Phase.LOBBY  # The phase to go back to after a fault.
    setup: Setup = Setup()  # How it is set up, and who uses it.
    troubles: Troubles = Troubles()  # What is wrong.
    lobby: Lobby = Lobby()  # The next game; the settings of the last one at first.
    # Known dice in the tray, which are no new roll while they do not move.
    dice_on_felt: tuple[TrayDie, ...] = ()
    play: Play = Play()  # The game that is played.
    screen: Screen = Screen()  # What the players point at.
    notice: Notice | None = None  # A message for the players.
    reading: TableReading = TableReading()  # The last reading of the tray.
    picture: str = ""  # Digest of the picture of the last reading.
    picture_info: PictureInfo = NO_PICTURE_INFO  # What else is known of that picture.
    # What is remembered of a doubtful reading until the throw is over.
    repair_memory: RepairMemory | None = None
    # The last reading that was journalled and is no roll; the same one is not journalled twice.
    last_reported: TableReading | None = None
    is_returning: bool = False  # Whether the table waits for taken dice to be put back.
    # The table as the players left it in an open game, which the lobby continues.
    parked: TableState | None = None
    # Whether the box's own screen shows a demonstration until somebody comes.
    is_idle: bool = False

    @property
    def has_game(self) -> bool:
        """Whether a game is played, or waits to be continued."""
        return self.play.position is not None or self.parked is not None

    @property
    def is_bound(self) -> bool:
        """Whether the number of players and dice, and the end, are a tournament's business."""
        is_dealt = self.setup.part.state == "dealt" or self.play.was_dealt
        return self.setup.is_dealing or is_dealt

    @property
    def thrower(self) -> str | None:
        """Who throws next: who owes a roll, else who may throw some dice again."""
        return self.find_thrower(self.reading.held_action)

    def find_thrower(self, held: str) -> str | None:
        """Return the same for a throw that follows from this hold; empty for none."""
        acting = self.play.position.expects().do if self.play.position and held else {}
        return self.play.roller or next((n for n in acting if held in acting[n]), self.chooser)

    @property
    def shown_dice(self) -> tuple[TrayDie, ...]:
        """The dice of the current chooser, in the order of the screen."""
        private = self.play.private_dice
        own = next((own.dice for own in private if own.player == self.chooser), None)
        return self.play.roll_dice if own is None else own

    @property
    def chooser(self) -> str | None:
        """
        Who chooses at the shared screen.

        It is the active chooser, else the first one clockwise who may act; if all choose
        together, people without a phone come first, and opponents last.
        """
        play = self.play
        acting = play.position.expects().do if play.position else {}
        if self.screen.active_chooser in acting:
            return self.screen.active_chooser
        order = [*acting]
        if play.is_together:
            order.sort(
                key=lambda name: (name in play.opponent_names, name in self.setup.phone_players)
            )
        return next(iter(order), None)

    @property
    def shows_choices(self) -> bool:
        """
        Whether the shared screen shows the choices of its chooser; never those of an opponent.

        It shows those of a player with a phone only on request, secret ones too, and any while a
        player throws for themselves.
        """
        play, chooser, asked = self.play, self.chooser, self.screen.active_chooser
        if chooser in play.opponent_names:
            return False
        if asked and asked == chooser:
            return self.phase in (Phase.CHOOSING, Phase.AWAITING_JOKER)
        is_elsewhere = play.is_together and chooser in self.setup.phone_players
        return self.phase is Phase.CHOOSING and not is_elsewhere and not play.is_secret


def require_game(state: TableState) -> GameState:
    """Return the game's position in a phase that has one."""
    position = state.play.position
    assert position is not None, f"no game in phase {state.phase.value}"
    return position
