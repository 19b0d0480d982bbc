# SPDX-License-Identifier: MIT
"""Random games for the tests of the rules: a seed gives the same game every time."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from controller.games.contract import ActionEvent, Game, GameEvent, GameState, RollEvent

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz")

# A game of Choice takes at most 22 rolls and the free rolls between them.
MANY_EVENTS = 5_000


def any_roll(game: Game, faces: Sequence[int]) -> str:
    """Write a roll with these faces, in dice of the colours that the game is played with."""
    return game.roll_text(faces, [polarity or "light" for polarity in game.polarities])


def legal_roll(game: Game, state: GameState, player: str, dice: random.Random) -> str:
    """Return a roll that this player may bring: dice stay or are set as the rules say."""
    wanted = state.set_to(player)
    rolls = (any_roll(game, faces) for faces in _throws(len(game.polarities), dice))
    if wanted:
        rolls = (any_roll(game, f) for f in product(range(1, 7), repeat=len(game.polarities)))
        return next(roll for roll in rolls if sorted(game.parse_roll(roll)) == sorted(wanted))
    left = Counter(state.staying(player))
    return next(roll for roll in rolls if left <= Counter(game.parse_roll(roll)))


def random_event(game: Game, state: GameState, dice: random.Random) -> GameEvent:
    """Return one of the legal events, rolls as the dice fall; somebody must be on."""
    expects = state.expects()
    rolls = [RollEvent(name, legal_roll(game, state, name, dice)) for name in expects.roll]
    acts = [ActionEvent(name, dice.choice(actions)) for name, actions in expects.do.items()]
    return dice.choice([*rolls, *acts])


def random_game(
    game: Game, players: int, seed: int
) -> Iterator[tuple[GameState, GameEvent, GameState]]:
    """Play a whole game; yield each position, what happened in it, and the position after."""
    dice = random.Random(seed)
    state = game.start(NAMES[:players], {})
    for _ in range(MANY_EVENTS):
        if state.outcome() is not None:
            return
        event = random_event(game, state, dice)
        after = state.apply(event)
        yield state, event, after
        state = after
    raise AssertionError(f"no end after {MANY_EVENTS} events (seed {seed})")


def _throws(count: int, dice: random.Random) -> Iterator[list[int]]:
    while True:
        yield [dice.randint(1, 6) for _ in range(count)]
