# SPDX-License-Identifier: MIT
"""Random games for the tests of the rules: a seed gives the same game every time."""

from __future__ import annotations

import random
from collections.abc import Iterator

from controller.games.contract import ActionEvent, Game, GameEvent, GameState, RollEvent

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz")

# A game of Choice takes at most 22 rolls and the free rolls between them.
MANY_EVENTS = 5_000


def random_event(game: Game, state: GameState, dice: random.Random) -> GameEvent:
    """Return one of the legal events, rolls as the dice fall; somebody must be on."""
    expects = state.expects()
    if expects.roll:
        faces = [dice.randint(1, 6) for _ in range(game.dice_count)]
        return RollEvent(dice.choice(expects.roll), game.roll_text(faces, ["light"] * len(faces)))
    name = dice.choice(tuple(expects.do))
    return ActionEvent(name, dice.choice(expects.do[name]))


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
