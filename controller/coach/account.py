# SPDX-License-Identifier: MIT
"""
The account of a game: what was luck, and what each choice cost.

A roll changes what the position is worth to a player: that is luck. A choice costs what the best
one is worth more than the chosen one. Whatever is left of a change is the coach's own
inconsistency: it is called drift and is never counted as skill. So for every player

    start + luck - cost + others + drift = final

holds by construction, whatever the coach answers, and no cost is negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.coach.contract import Coach
from controller.games.contract import COUNT, ActionEvent, GameEvent, GameState, RollEvent

DEAREST = 3  # Number of choices that a summary lists for each player.


@dataclass(frozen=True, slots=True)
class ChoiceCost:
    """A choice among several actions, against the best of them."""

    roll: int  # The number of the roll before it, from 1.
    seat: int  # Who chose, from 0.
    chosen: str  # In the game's notation.
    best: str  # The same of the best action; the chosen one if none is better.
    cost: float  # What `best` is worth more, in the coach's unit; never negative.
    # What `best` would have changed in the chance to win; None if nothing certain can be said.
    # Negative if the best action by points is not the best one to win.
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class RollAccount:
    """A roll and what followed from it, up to the next one."""

    number: int  # Counts the rolls of the game from 1.
    seat: int  # Who threw.
    dice: str  # In the record's text form.
    luck: tuple[float, ...]  # By seat; 0 for a player whom the roll did not concern.
    values: tuple[float, ...]  # By seat: what the position is worth after the last choice.
    chances: tuple[float, ...]  # The same in chances to win; empty if nothing certain can be said.


@dataclass(frozen=True, slots=True)
class PlayerAccount:
    """The sums of one player, in the coach's unit."""

    name: str
    start: float  # What the first position was worth.
    luck: float  # The sum over all rolls.
    cost: float  # The sum over all choices, small ones too.
    # The part of `cost` from costs below `equal_below`: the coach cannot distinguish such choices.
    noise: float
    others: float  # What choices and throws of other players changed.
    drift: float  # The coach's own inconsistency.
    final: float  # The result; in an unfinished game, what the last position is worth.
    choices: int  # Number of choices among several actions.

    @property
    def play(self) -> float:
        """What the choices cost as far as the coach can distinguish them, as a loss: 0 or less."""
        return min(0.0, self.noise - self.cost)

    @property
    def rest(self) -> float:
        """What is neither luck nor play: drift, and costs too small to count."""
        return self.drift - self.noise

    @property
    def adjusted(self) -> float:
        """The result without luck: an unbiased figure of skill with a far smaller spread."""
        return self.final - self.luck


@dataclass(frozen=True, slots=True)
class GameAccount:
    """The account of one game, finished or not."""

    game: str  # Key of the game.
    unit: str  # `points` or `chance`: what all values but chances are counted in.
    equal_below: float  # Costs below count as none; 0 if the coach is exact.
    weights: str  # SHA-256 of what the coach knows, in hexadecimal.
    is_finished: bool  # Whether the game came to its end.
    players: tuple[PlayerAccount, ...]  # Clockwise.
    rolls: tuple[RollAccount, ...]  # In order.
    choices: tuple[ChoiceCost, ...]  # Every choice among several actions, in order.
    start_chances: tuple[float, ...]  # The chances to win before the first roll; may be empty.

    def list_dearest(self, seat: int) -> tuple[ChoiceCost, ...]:
        """Return a player's dearest choices, those that count as equal left out."""
        own = (one for one in self.choices if one.seat == seat and self.counts(one))
        return tuple(sorted(own, key=lambda one: (-one.cost, one.roll))[:DEAREST])

    def counts(self, choice: ChoiceCost) -> bool:
        """Return whether the coach can distinguish a choice from the best one."""
        return _is_clear(choice.cost, self.equal_below)


def _is_clear(cost: float, equal_below: float) -> bool:
    return cost > 0 and cost >= equal_below


def build_account(coach: Coach, start: GameState, events: Iterable[GameEvent]) -> GameAccount:
    """Build the account of a game by its coach; IllegalActionError if the rules refuse an event."""
    book = _AccountBook(coach, start)
    for event in events:
        book.add(event)
    return book.close()


@dataclass(slots=True)
class _PlayerSums:
    """The sums of one player; `is_outdated` if others acted since `value` was computed."""

    value: float
    start: float
    luck: float = 0.0
    cost: float = 0.0
    noise: float = 0.0
    others: float = 0.0
    drift: float = 0.0
    choices: int = 0
    is_outdated: bool = False


@dataclass(slots=True)
class _OpenRoll:
    seat: int
    dice: str
    luck: list[float]


class _AccountBook:
    def __init__(self, coach: Coach, start: GameState) -> None:
        self._coach = coach
        self._state = start
        self._names = start.players
        values = [coach.expect(start, name) for name in self._names]
        self._sums = [_PlayerSums(value, value) for value in values]
        self._start_chances = self._list_chances(start)
        self._rolls: list[RollAccount] = []
        self._choices: list[ChoiceCost] = []
        self._open: _OpenRoll | None = None

    def add(self, event: GameEvent) -> None:
        if isinstance(event, ActionEvent) and event.action == COUNT:
            return  # It is no choice; values stay those of an open game.
        after = self._state.apply(event)
        if isinstance(event, RollEvent):
            self._close_roll()
            self._add_roll(event, after)
        else:
            self._add_action(event, after)
        self._state = after

    def close(self) -> GameAccount:
        self._close_roll()
        return GameAccount(
            game=self._coach.game,
            unit=self._coach.unit.value,
            equal_below=self._coach.equal_below,
            weights=self._coach.weights,
            is_finished=self._state.outcome() is not None,
            players=tuple(map(_build_player, self._names, self._sums)),
            rolls=tuple(self._rolls),
            choices=tuple(self._choices),
            start_chances=self._start_chances,
        )

    def _add_roll(self, event: RollEvent, after: GameState) -> None:
        lucks = [0.0] * len(self._names)
        for seat, name in enumerate(self._names):
            self._settle(seat)
            sums = self._sums[seat]
            value = self._coach.expect(after, name)
            change, sums.value = value - sums.value, value
            if event.by == name or after.legal_actions(name):
                lucks[seat] = change
                sums.luck += change
            else:
                sums.others += change
        self._open = _OpenRoll(self._names.index(event.by), event.roll, lucks)

    def _add_action(self, event: ActionEvent, after: GameState) -> None:
        seat = self._names.index(event.by)
        self._settle(seat)
        sums, judged = self._sums[seat], self._coach.judge(self._state, event.by)
        # An action that the coach does not know costs nothing: its change is drift.
        given = judged.get(event.action)
        best = max(judged.values(), default=0.0)
        cost = 0.0 if given is None else best - given
        value = self._coach.expect(after, event.by)
        sums.drift += value - sums.value + cost
        sums.cost += cost
        sums.value = value
        if len(judged) > 1 and given is not None:
            sums.choices += 1
            sums.noise += cost if cost < self._coach.equal_below else 0.0
            equal = (action for action, value in judged.items() if value == best)
            name = event.action if cost == 0 else next(equal)
            choice = ChoiceCost(len(self._rolls) + 1, seat, event.action, name, cost)
            self._choices.append(self._add_chance(choice, after))
        for other in self._sums:
            other.is_outdated = other.is_outdated or other is not sums

    def _add_chance(self, choice: ChoiceCost, after: GameState) -> ChoiceCost:
        """Return the choice with what the best one would have changed in the chance to win."""
        if not _is_clear(choice.cost, self._coach.equal_below):
            return choice
        name = self._names[choice.seat]
        would = self._state.apply(ActionEvent(name, choice.best))
        best, chosen = self._coach.chances(would), self._coach.chances(after)
        if name not in best or name not in chosen:
            return choice
        return replace(choice, chance=best[name] - chosen[name])

    def _settle(self, seat: int) -> None:
        """Book what others changed since a player's value was computed."""
        sums = self._sums[seat]
        if sums.is_outdated:
            value = self._coach.expect(self._state, self._names[seat])
            sums.others += value - sums.value
            sums.value, sums.is_outdated = value, False

    def _close_roll(self) -> None:
        for seat in range(len(self._names)):
            self._settle(seat)
        opened, self._open = self._open, None
        if opened is None:
            return
        self._rolls.append(
            RollAccount(
                number=len(self._rolls) + 1,
                seat=opened.seat,
                dice=opened.dice,
                luck=tuple(opened.luck),
                values=tuple(sums.value for sums in self._sums),
                chances=self._list_chances(self._state),
            )
        )

    def _list_chances(self, state: GameState) -> tuple[float, ...]:
        chances = self._coach.chances(state)
        return tuple(chances[name] for name in self._names) if chances else ()


def _build_player(name: str, sums: _PlayerSums) -> PlayerAccount:
    return PlayerAccount(
        name=name,
        start=sums.start,
        luck=sums.luck,
        cost=sums.cost,
        noise=sums.noise,
        others=sums.others,
        drift=sums.drift,
        final=sums.value,
        choices=sums.choices,
    )
