# SPDX-License-Identifier: MIT
"""
What every position of a game answers, whatever its rules are.

Asking is separate from acting: `expects` lists everything that is legal now, for all
players; `apply` refuses the rest. A position is a frozen value that carries its rules. Only
the game's own room knows its type.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

from controller.base.errors import InputError
from controller.base.languages.message import join_words, message

Option: TypeAlias = bool | int
Options: TypeAlias = Mapping[str, Option]
COUNT = "count"
"""
The action that ends a game before its end: the result counts as it stands.

`expects` and `legal_actions` never list it: it is no move of the game. Every player may do it at
any time until the game has ended.
"""

JOIN = "join"
"""The action with which somebody else sits down at a game that allows it; never listed either."""

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


@dataclass(frozen=True, slots=True)
class OptionRule:
    label: str  # What people call it.
    values: tuple[Option, ...]  # What a lobby offers; the rules may allow more.
    default: Option  # Its value if none is given.


@dataclass(frozen=True, slots=True)
class RollEvent:
    """Who threw the dice, their faces as text, and who entered them, if any; no rule uses that."""

    by: str
    roll: str
    by_hand: str = ""


@dataclass(frozen=True, slots=True)
class ActionEvent:
    """An action of a player, in the game's notation."""

    by: str
    action: str


GameEvent: TypeAlias = RollEvent | ActionEvent


@dataclass(frozen=True, slots=True)
class Expects:
    """What the table waits for; nothing once the game is finished."""

    roll: tuple[str, ...] = ()  # All players who may roll now.
    # Every player who may act, clockwise from the roller, with all of their legal actions.
    do: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended: winners, who share the win, and losers; both empty without a result."""

    winners: tuple[str, ...]
    losers: tuple[str, ...] = ()


class GameState(Protocol):
    """
    A position of one game with the rules that lead on from it.

    Implementations are frozen and equal by value. Every method takes the name of one of
    `players` and raises ValueError for another one. In an event, such a name is refused like
    any other illegal event.
    """

    def __hash__(self) -> int: ...

    @property
    def players(self) -> tuple[str, ...]:
        """The names in clockwise order."""

    @property
    def options(self) -> Options:
        """Every option with the value that this game is played with."""

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces of the shared roll, also during private dice; empty before that roll."""

    @property
    def acted(self) -> tuple[str, ...]:
        """Who has finished with the current roll, in the order in which they did."""

    def expects(self) -> Expects:
        """Return everything that is legal now."""

    def legal_actions(self, player: str) -> tuple[str, ...]:
        """Return what this player may do now, in a fixed order; empty if they may not act."""

    def player_dice(self, player: str) -> tuple[str, ...]:
        """Return the dice that a player's actions use, by `Game.die_text`; empty without any."""

    def dice_to_leave(self, player: str) -> tuple[str, ...]:
        """Return the dice that must not move while this player throws the others; empty if none."""

    def required_dice(self, player: str) -> tuple[str, ...]:
        """Return the dice that this player must set by hand before play goes on; empty if none."""

    def hold_action(self, player: str, kept: Sequence[str]) -> str | None:
        """Return the action that keeps exactly these dice, legal or not; None if there is none."""

    def apply(self, event: GameEvent) -> GameState:
        """
        Return the position after the event; this one does not change.

        IllegalActionError if the rules do not allow it now.
        """

    def has_round_ended(self, before: GameState) -> bool:
        """
        Return whether a round ended on the way from an earlier position to this one.

        A round is over when the turn to roll has come back to the first player still in the
        game, unless the game counts its rounds itself.
        """

    def is_finished(self, player: str) -> bool:
        """Return whether the game is over for this player; others may still play."""

    def totals(self) -> dict[str, int]:
        """Return each player's result as it would count now."""

    def outcome(self) -> GameOutcome | None:
        """Return how the game ended; None while it goes on."""

    def sheet(self, player: str) -> Mapping[str, Json]:
        """Return one player's sheet in full, as a replayed record prints it."""


def find_outcome(totals: Mapping[str, int]) -> GameOutcome:
    """Return who won a game in which the highest result wins, and equal ones share the win."""
    best = max(totals.values())
    return GameOutcome(
        winners=tuple(name for name, total in totals.items() if total == best),
        losers=tuple(name for name, total in totals.items() if total < best),
    )


@runtime_checkable
class FreeThrows(Protocol):
    """
    A position, besides `GameState`, of a game that leaves the dice to the players.

    They may change the number of dice, and any dice may stay as they lie: every rest in which at
    least one die was thrown is a roll. It has no dice to leave and none to set by hand. Others
    may sit down at any time until it has ended: they `JOIN`, and throw last.
    """

    @property
    def dice_count(self) -> int:
        """The dice of a full throw now."""

    def name_throw(self, stayed: int) -> str:
        """
        Return the action of a throw in which this many dice stayed; 0 if all are thrown.

        Exactly one player may do it while a roll lies there.
        """

    def change_count(self, by: int) -> str:
        """Return the action that changes the number of dice so; empty if it is not allowed."""


@runtime_checkable
class SharedRolls(Protocol):
    """A position, besides `GameState`, of a game in which everybody chooses from the same roll."""

    def count_choices(self, player: str) -> Mapping[str, int]:
        """Return the player's result after each legal action that ends their part of the roll."""


def require_options(options: Options, rules: Mapping[str, OptionRule]) -> dict[str, Option]:
    """Return every option, by default if not given; InputError for a wrong name or type only."""
    for name, value in options.items():
        if name not in rules:
            raise InputError(
                expected=message("no option but {names}", names=join_words([*rules], "or"))
                if rules
                else message("no options"),
                found=repr(name),
                where="options",
            )
        if type(value) is not type(rules[name].default):
            is_flag = isinstance(rules[name].default, bool)
            expected = message("true or false") if is_flag else message("a whole number")
            raise InputError(expected=expected, found=json.dumps(value), where=name)
    return {name: options.get(name, rule.default) for name, rule in rules.items()}


def require_players(players: Sequence[str], *, fewest: int, most: int | None) -> tuple[str, ...]:
    """
    Return the names as a tuple, clockwise; InputError for a wrong number, or one twice or
    empty.

    One of several lines is refused too: records, messages and screens show a name on one line.
    """
    if len(players) < fewest or (most is not None and len(players) > most):
        expected = (
            message("{fewest} or more players", fewest=fewest)
            if most is None
            else message("{fewest} to {most} players", fewest=fewest, most=most)
        )
        raise InputError(expected=expected, found=str(len(players)), where="players")
    for place, name in enumerate(players):
        if not name.strip():
            expected = message("a name that is not empty")
            raise InputError(expected=expected, found=repr(name), where="players")
        if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in name):
            expected = message("a name of one line")
            raise InputError(expected=expected, found=repr(name), where="players")
        if name in players[:place]:
            again = message("{name} again", name=repr(name))
            raise InputError(expected=message("every name once"), found=again, where="players")
    return tuple(players)
