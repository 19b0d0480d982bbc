# SPDX-License-Identifier: MIT
"""
One round of Black'n'White, and the throw-off that may come before it.

Both are frozen values with seats instead of names, and without chips. A round finds the
lowest and the highest player; the game decides what that costs. A face of 0 is a die in the
hand, so the dice alone show whether a player owes a throw or a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.games.black_n_white.notation import (
    Colour,
    Result,
    Tens,
    dice_texts,
    is_double,
    rank,
)

MOST_THROWS = 3
"""How often the starter of a round may throw; their number is the limit for all others."""

IN_HAND = 0  # The face of a die that is to be thrown.

STOP = "stop"

_ALL_IN_HAND: Result = (IN_HAND, IN_HAND)

# Whether the white and the black die stay; texts are those of the record.
_THROWS: Mapping[str, tuple[bool, bool]] = {
    "throw white": (False, True),
    "throw black": (True, False),
    "throw both": (False, False),
}
_TENS: Mapping[str, Colour] = {"tens white": "white", "tens black": "black"}

_ON_A_THROW = (STOP, *_THROWS)
_ON_THE_TENS = tuple(_TENS)


def classify_action(action: str) -> str:
    if action == STOP:
        return "stop"
    return "tens" if action.startswith("tens ") else "throw"


def throw_action(*, keeps_white: bool, keeps_black: bool) -> str | None:
    """Return the action that keeps these dice and throws the others; None if all are kept."""
    stays = (keeps_white, keeps_black)
    return next((action for action, kept in _THROWS.items() if kept == stays), None)


@dataclass(frozen=True, slots=True)
class StopResult:
    """What a player stopped on, and how many throws it took."""

    result: Result
    throws: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round: who has finished, and the dice of the player whose turn it is."""

    # Who plays in it, in the order of their throws, the starter first. Empty while the starter is
    # not known, and once the game is over.
    seats: tuple[int, ...]
    limit: int = MOST_THROWS  # How many throws everybody has.
    tens: Tens = ""  # The colour that gives the tens; empty before it is chosen.
    tens_by: int | None = None  # The seat that chose it; None before.
    # What those who have finished stopped on, in the order of `seats`.
    stops: tuple[StopResult, ...] = ()
    # The dice of the player whose turn it is, a face of 0 for each die in the hand.
    lying: Result = _ALL_IN_HAND
    throws: int = 0  # How often that player has thrown.
    has_stopped: bool = False  # Whether they have stopped, and must still choose the tens.

    @property
    def is_over(self) -> bool:
        return len(self.stops) == len(self.seats)

    @property
    def seat(self) -> int | None:
        """Whose turn it is; None once the round is over."""
        return None if self.is_over else self.seats[len(self.stops)]

    @property
    def finished(self) -> tuple[int, ...]:
        """Who has finished, in the order in which they did."""
        return self.seats[: len(self.stops)]

    @property
    def is_deciding(self) -> bool:
        """Whether no die is in the hand, so that their owner decides instead of throwing."""
        return IN_HAND not in self.lying

    @property
    def actions(self) -> tuple[str, ...]:
        """What the player whose turn it is may do; nothing while they owe a throw."""
        if not self.is_deciding:
            return ()
        return _ON_THE_TENS if self.has_stopped else _ON_A_THROW

    @property
    def dice_to_leave(self) -> tuple[str, ...]:
        """The die that must stay while the other one is thrown, if there is one."""
        if self.is_deciding:
            return ()
        dice = zip(self.lying, dice_texts(self.lying), strict=True)
        return tuple(text for face, text in dice if face != IN_HAND)

    def matches_left_dice(self, result: Result) -> bool:
        """Return whether a throw shows the same face for every die that was left."""
        return all(lay in (IN_HAND, shows) for lay, shows in zip(self.lying, result, strict=True))

    def apply_roll(self, result: Result) -> Round:
        """Return the round after a throw that fits; without a throw left the player stops."""
        after = replace(self, lying=result, throws=self.throws + 1)
        return after if after.throws < after.limit else after._stop()

    def apply_action(self, action: str) -> Round:
        if action == STOP:
            return self._stop()
        if action in _TENS:
            return replace(self, tens=_TENS[action], tens_by=self.seat)._pass_on()
        keeps_white, keeps_black = _THROWS[action]
        white, black = self.lying
        return replace(
            self, lying=(white if keeps_white else IN_HAND, black if keeps_black else IN_HAND)
        )

    def stop_of(self, seat: int) -> StopResult:
        """Return what one of those who have finished stopped on."""
        return self.stops[self.seats.index(seat)]

    def result_of(self, seat: int) -> Result | None:
        """Return a player's result; None while a die is in their hand."""
        if seat in self.finished:
            return self.stop_of(seat).result
        return self.lying if seat == self.seat and self.is_deciding else None

    def throws_of(self, seat: int) -> int:
        """Return how often a player has thrown in this round."""
        if seat in self.finished:
            return self.stop_of(seat).throws
        return self.throws if seat == self.seat else 0

    def lowest(self) -> int:
        """Return who of those who have finished is lowest; on a tie, who threw last."""
        ranks = self._ranks()
        place = len(ranks) - 1 - ranks[::-1].index(min(ranks))
        return self.seats[place]

    def highest(self) -> int:
        """Return who of those who have finished is highest; on a tie, who threw first."""
        ranks = self._ranks()
        return self.seats[ranks.index(max(ranks))]

    def _ranks(self) -> list[int]:
        return [rank(stop.result, self.tens) for stop in self.stops]

    def _stop(self) -> Round:
        is_starter = not self.stops
        after = replace(self, has_stopped=True, limit=self.throws if is_starter else self.limit)
        owes_tens = not self.tens and not is_double(self.lying)
        return after if owes_tens else after._pass_on()

    def _pass_on(self) -> Round:
        return replace(
            self,
            stops=(*self.stops, StopResult(self.lying, self.throws)),
            lying=_ALL_IN_HAND,
            throws=0,
            has_stopped=False,
        )


@dataclass(frozen=True, slots=True)
class RoundResult:
    phase: int  # 1 if its chip was taken, 2 if it was put out of the game.
    seat: int  # Whose chip it was.
    result: Result  # What they had.
    tens: Tens  # The colour that gave the tens; empty if all had doubles.
    # What everybody had, with their seats, the starter first.
    results: tuple[tuple[int, Result], ...]


EMPTY_ROUND = Round(())  # A round without players.


@dataclass(frozen=True, slots=True)
class ThrowOff:
    """A throw-off for the start of a round: everybody throws once, the highest total starts."""

    seats: tuple[int, ...]  # Who throws, in the order of the seats; any of them may be first.
    # Their totals of pips, in the same order; None before their throw.
    totals: tuple[int | None, ...]

    @classmethod
    def among(cls, seats: tuple[int, ...]) -> ThrowOff:
        """Return a throw-off before its first throw."""
        return cls(seats, (None,) * len(seats))

    @property
    def waiting(self) -> tuple[int, ...]:
        throws = zip(self.seats, self.totals, strict=True)
        return tuple(seat for seat, total in throws if total is None)

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who shares the highest total thrown so far."""
        best = max((total for total in self.totals if total is not None), default=None)
        throws = zip(self.seats, self.totals, strict=True)
        return tuple(seat for seat, total in throws if total is not None and total == best)

    def total_of(self, seat: int) -> int | None:
        """Return a player's total; None before their throw, or if they take no part."""
        return dict(zip(self.seats, self.totals, strict=True)).get(seat)

    def apply_roll(self, seat: int, result: Result) -> ThrowOff:
        """Return the throw-off after the throw of one who had not thrown yet."""
        throws = zip(self.seats, self.totals, strict=True)
        totals = tuple(sum(result) if player == seat else total for player, total in throws)
        return replace(self, totals=totals)
