# SPDX-License-Identifier: MIT
"""
What a screen needs of a game: what it offers, what a tap selects, and how a position looks.

Each game answers in its own room, so nothing else names its types. An answer depends on
the position and on a `TurnContext`, never on a table; so a game can be shown without one.
What holds for every game, such as faults or dice to put back, is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, TypeVar

from controller.base.languages.message import Message, message
from controller.games.contract import ActionEvent, GameOutcome, GameState, Options

DieGroup = Literal["a", "b", "fifth", "kept", "thrown", "turn"]
"""What a choice makes of a die; see `DieView` for the meaning of each."""

DieLimit = Literal["may", "must"]
"""Whether a die may or must be the one that the player leaves out."""

SheetView: TypeAlias = Mapping[str, Any]
"""A player's sheet as JSON; the page draws it by its `kind`."""

Arrows: TypeAlias = Mapping[Literal["left", "right", "up", "down"], int]
"""
The index of the offer that each arrow leads to.

The four buttons have two arrows, left and right. If a game needs four, left goes down.
"""

BoardView: TypeAlias = Mapping[str, Any]  # What lies in the middle as JSON, with its `kind`.

_PositionT = TypeVar("_PositionT", bound=GameState, contravariant=True)


class HelpPart(TypedDict):
    """A heading and the lines below it."""

    heading: str
    lines: list[str]


class ExampleDie(TypedDict):
    """A die of an example, with the part that it has in what is chosen there."""

    face: int
    polarity: str
    colour: str
    group: DieGroup | None


class ExamplePlayer(TypedDict):
    """A player of an example, with the sheet as a screen shows it."""

    name: str
    total: int
    sheet: SheetView


class ExampleStep(TypedDict):
    """One picture of a worked example: a position of the game, and what happens there."""

    heading: str
    lines: list[str]
    dice: list[ExampleDie]
    players: list[ExamplePlayer]
    board: BoardView | None


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a player must do, readable from afar, and how to do it."""

    headline: str
    hint: str


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """A legal action as a player is offered it."""

    action: str  # In the game's notation.
    kind: str  # The game's own word for what it is, such as `pairs` or `throw`.
    gain: int | None  # What it adds to the chooser's result; None if it scores nothing by itself.
    total: int  # Their result after it.


@dataclass(frozen=True, slots=True)
class Selection:
    """What a player has tapped on the screen of an action that is not complete."""

    # The tapped dice by index, in the game's own order: in Choice two pairs of two positions each,
    # None for a die that was freed again.
    dice: tuple[int | None, ...] = ()
    joker: str = ""  # The tapped joker by its name in the notation; empty for none.

    @property
    def is_any(self) -> bool:
        return bool(self.joker) or any(index is not None for index in self.dice)


EMPTY_SELECTION = Selection()


@dataclass(frozen=True, slots=True)
class SelectionResult:
    """What a tap leads to; it confirms nothing."""

    selection: Selection | None = None  # What is tapped now; None if the tap changes nothing.
    cursor: int = -1  # Index of the offered choice that it makes; -1 if it makes none yet.
    refusal: str = ""  # Why the tap cannot be, or makes nothing legal; empty if it can.
    remedy: str = ""  # What to do about that.


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What a screen shows beside the position."""

    roller: str | None = None  # Who owes a throw.
    chooser: str | None = None  # Whose choices the screen shows.
    # Whether the table waits for a choice; else dice move or are missing.
    is_choosing: bool = False
    faces: tuple[int, ...] = ()  # The dice to choose from, in the order of the screen.
    selection: Selection = EMPTY_SELECTION  # Which of them are tapped.
    action: str = ""  # The choice under the cursor, in notation; empty for none.

    @property
    def thrower(self) -> str | None:
        """Who throws next: who owes a roll, else who may throw some dice again."""
        return self.roller or self.chooser


class EndedRoundView(TypedDict):
    """How a round ended, until the first throw of the next one."""

    number: int
    text: str  # All of it in words.
    marked: str  # The player whose result decided the round.
    chips: int  # What that adds to theirs.
    results: list[tuple[str, str]]  # The names and what they had, in words.


class GameView(Protocol):
    """How one position of a game looks in one `TurnContext`."""

    def sheet(self, player: str) -> SheetView:
        """Return a player's sheet, with what the action under the cursor would make of it."""

    def board(self) -> BoardView | None:
        """Return what lies in the middle; None for a game with nothing there."""

    def throw_prompt(self) -> Prompt:
        """Return the prompt for a player who owes a throw of all dice."""

    def choose_prompt(self) -> Prompt:
        """Return the prompt for the player who chooses."""

    def describe_choice(self, choice: OfferedChoice) -> str:
        """Return a legal action in words."""

    def confirm_label(self) -> str:
        """Return what confirm does with the action under the cursor, in two or three words."""

    def groups(self) -> Mapping[int, DieGroup]:
        """Return the part that each die, by index, has in what is tapped or chosen."""

    def progress_text(self) -> str:
        """Return the number of the roll, the turn or the round that is on."""

    def outcome_text(self, outcome: GameOutcome) -> str:
        """Return how the game ended, in one sentence."""


class GameUI(Protocol[_PositionT]):
    """One game's answers for every position. Implementations hold no state."""

    @property
    def rolls_end_rounds(self) -> bool:
        """Whether a roll alone can end a round, so that another one is on right after it."""
        return False

    @property
    def first_cursor(self) -> int:
        """The index of the first selected offer; -1 where an early confirm would end a turn."""
        return 0

    def show_ended_round(self, position: _PositionT) -> EndedRoundView | None:
        """Return the round that ended right before; None in games without rounds of their own."""
        return None

    def list_offers(self, position: _PositionT, player: str) -> tuple[OfferedChoice, ...]:
        """
        Return everything this player may do now, in an order that is easy to look through.

        Two choices stand in the same order in every position in which they make the same totals:
        the order is no hint what is good.
        """

    def tap_die(
        self, position: _PositionT, player: str, turn: TurnContext, index: int
    ) -> SelectionResult:
        """Return what a tap on a die selects; `index` is one of `turn.faces`."""

    def tap_joker(
        self, position: _PositionT, player: str, turn: TurnContext, joker: str
    ) -> SelectionResult:
        """Return what a tap on a joker selects; the same joker tapped again is left."""
        return SelectionResult(refusal=message("There are no jokers in this game."))

    def keep_selection(self, turn: TurnContext, action: str) -> Selection:
        """Return what stays tapped when the cursor moves on to this action."""
        return EMPTY_SELECTION

    def list_limits(
        self, position: _PositionT, player: str, turn: TurnContext
    ) -> Mapping[int, DieLimit]:
        """Return which dice, by index, may or must be left out; empty if any of them may."""
        return {}

    def find_arrows(
        self, offers: Sequence[OfferedChoice], turn: TurnContext, cursor: int
    ) -> Arrows:
        """Return the offers that the arrows lead to, by index; a cursor of -1 is on none."""
        return step_arrows(range(len(offers)), cursor)

    def label_arrows(self, turn: TurnContext) -> tuple[str | None, str | None]:
        """Return what the buttons left and right do; None for nothing."""
        return message("previous"), message("next")

    def create_view(self, position: _PositionT, turn: TurnContext) -> GameView:
        """Return how this position looks."""

    def describe_action(self, action: str) -> Message | None:
        """Return this game's action in words that follow "cannot"; None if it needs none."""
        return None

    def explain_action(self, position: _PositionT, player: str, action: str) -> str:
        """Return what a legal action does, in short sentences; empty for nothing to say."""
        return ""

    def without_offers(self, sheet: SheetView) -> object:
        """Return only what is written on a sheet, to compare it with another one."""
        return sheet

    def build_help(self, options: Options) -> list[HelpPart]:
        """Return the rules in a few lines, for people who sit at the table."""

    def build_example(self) -> list[ExampleStep]:
        """Return a worked example, step by step; empty for a game that needs none."""
        return []


def show_example(
    view: GameView, position: GameState, dice: Sequence[tuple[int, str]], heading: str, *lines: str
) -> ExampleStep:
    """
    Return a step of an example; the sheets are those of the game's own view.

    Args:
        view: How the position looks, with the choice of this step under the cursor.
        dice: Face and polarity of each die, in the order of the screen.
    """
    groups, totals = view.groups() if dice else {}, position.totals()
    colours = {"light": "white", "dark": "black"}
    return {
        "heading": heading,
        "lines": list(lines),
        "dice": [
            {
                "face": face,
                "polarity": polarity,
                "colour": colours[polarity],
                "group": groups.get(index),
            }
            for index, (face, polarity) in enumerate(dice)
        ],
        "players": [
            {"name": name, "total": totals[name], "sheet": view.sheet(name)}
            for name in position.players
        ],
        "board": view.board(),
    }


def select_action(
    selection: Selection, action: str | None, offers: Sequence[OfferedChoice]
) -> SelectionResult:
    """Return the taps with the cursor on the action that they make, on the first offer if none."""
    actions = [offer.action for offer in offers]
    cursor = actions.index(action) if action in actions else -1
    return SelectionResult(selection, cursor if selection.is_any else 0)


def step_arrows(indices: Sequence[int], cursor: int) -> Arrows:
    """
    Return the arrows left and right along some offers, going round at both ends.

    Without `indices` no arrow leads anywhere. If the cursor is at none of them, right leads to the
    first one.
    """
    if not indices:
        return {}
    if cursor not in indices:
        return {"left": indices[-1], "right": indices[0]}
    at = indices.index(cursor)
    return {"left": indices[at - 1], "right": indices[(at + 1) % len(indices)]}


def select_throw(
    view: GameView,
    index: int,
    dice: Sequence[str],
    hold_action: Callable[[Sequence[str]], str | None],
    offers: Sequence[OfferedChoice],
) -> SelectionResult:
    """
    Return the throw that a tap on a die makes, in a game where some dice are thrown again.

    A tap does what a hand does in the tray: it takes a die that is thrown again, and a second
    one lets it stay. It starts from the marks that the dice show, also those of a choice under
    the cursor. While all dice stay, nothing is selected. `hold_action` returns the action that
    keeps some dice.
    """
    shown = {at for at, group in view.groups().items() if group == "thrown"}
    thrown = shown ^ {index}
    if not thrown:
        return SelectionResult(EMPTY_SELECTION)
    action = hold_action([die for at, die in enumerate(dice) if at not in thrown])
    return select_action(Selection(tuple(sorted(thrown))), action, offers)


def scoring_offer(game: GameState, player: str, action: str, kind: str) -> OfferedChoice:
    """Return an action that changes the result, with the total of the game's next position."""
    now, total = game.totals()[player], _total_after(game, player, action)
    return OfferedChoice(action, kind, total - now, total)


def plain_offer(game: GameState, player: str, action: str, kind: str) -> OfferedChoice:
    """Return an action that scores nothing by itself."""
    return OfferedChoice(action, kind, None, _total_after(game, player, action))


def help_part(heading: str, *lines: str) -> HelpPart:
    return {"heading": heading, "lines": list(lines)}


def _total_after(game: GameState, player: str, action: str) -> int:
    return game.apply(ActionEvent(player, action)).totals()[player]
