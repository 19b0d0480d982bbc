# SPDX-License-Identifier: MIT
"""Games for the tests of the rules: from lines such as `Ada w4 b6`, or at random by a seed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeVar, cast

import pytest

from controller.base.errors import IllegalActionError
from controller.games.contract import ActionEvent, GameEvent, GameState, Option, Options, RollEvent
from controller.games.game import Game, list_polarities

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz")

StateT = TypeVar("StateT", bound=GameState)

NO_OPTIONS: dict[str, Option] = {}

# Six players fill the sheets of a Würfelspiel in 234 turns of at most six events.
MANY_EVENTS = 5_000


def read_event(state: GameState, text: str) -> GameEvent:
    """Read `Ada 13446` or `Ada corrector 1>2`; without a name it is of whoever is on."""
    name, _, what = text.partition(" ")
    if not name.istitle():
        expects = state.expects()
        name, what = next(iter((*expects.roll, *expects.do))), text
    is_roll = re.fullmatch(r"\d+|w\d b\d", what) is not None
    return RollEvent(name, what) if is_roll else ActionEvent(name, what)


def played(state: StateT, *texts: str) -> StateT:
    """Return the position after these events, all of which are legal."""
    for text in texts:
        state = cast(StateT, state.apply(read_event(state, text)))
    return state


def refused(state: GameState, text: str) -> IllegalActionError:
    """Return how the event is refused, which must leave the position as it was."""
    before = repr(state)
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(read_event(state, text))
    assert repr(state) == before
    return refusal.value


def all_options(game: Game) -> list[Options]:
    """Return every way in which a lobby can start this game; of many numbers, the outer ones."""
    offered = [_outer_values(rule.values) for rule in game.options.values()]
    return [dict(zip(game.options, values, strict=True)) for values in product(*offered)]


def _outer_values(values: tuple[Option, ...]) -> tuple[Option, ...]:
    return values if len(values) < 5 else (values[0], values[4], values[-1])


def any_roll(game: Game, faces: Sequence[int]) -> str:
    """Write a roll with these faces, in dice of the colours that the game is played with."""
    return game.roll_text(faces, [polarity or "light" for polarity in game.polarities])


def random_roll(game: Game, dice: random.Random, state: GameState | None = None) -> str:
    """Throw all dice of a game, as many as it has at this position."""
    return any_roll(game, [dice.randint(1, 6) for _ in list_polarities(game, state)])


def is_owed_roll(game: Game, state: GameState, player: str, roll: str) -> bool:
    """Tell whether these may be the dice of a player who rolls: some stay, or are set by hand."""
    wanted, shown = Counter(state.required_dice(player)), Counter(game.parse_roll(roll))
    return wanted == shown if wanted else Counter(state.dice_to_leave(player)) <= shown


def legal_roll(game: Game, state: GameState, player: str, dice: random.Random) -> str:
    """Return a roll that this player may bring: dice stay or are set as the rules say."""
    if state.required_dice(player):
        rolls = (any_roll(game, f) for f in product(range(1, 7), repeat=len(game.polarities)))
        return next(roll for roll in rolls if is_owed_roll(game, state, player, roll))
    while not is_owed_roll(game, state, player, roll := random_roll(game, dice, state)):
        pass
    return roll


def random_event(game: Game, state: GameState, dice: random.Random) -> GameEvent:
    """Return one of the legal events, rolls as the dice fall; somebody must be on."""
    expects = state.expects()
    rolls: list[GameEvent] = [
        RollEvent(name, legal_roll(game, state, name, dice)) for name in expects.roll
    ]
    acts: list[GameEvent] = [
        ActionEvent(name, dice.choice(actions)) for name, actions in expects.do.items()
    ]
    return dice.choice(rolls + acts)


def random_game(
    game: Game, players: int, seed: int, options: Options = NO_OPTIONS
) -> Iterator[tuple[GameState, GameEvent, GameState]]:
    """Play a whole game; yield each position, what happened in it, and the position after."""
    dice = random.Random(seed)
    state = game.start(NAMES[:players], options)
    for _ in range(MANY_EVENTS):
        if state.outcome() is not None:
            return
        event = random_event(game, state, dice)
        after = state.apply(event)
        yield state, event, after
        state = after
    raise AssertionError(f"no end after {MANY_EVENTS} events (seed {seed})")
