# SPDX-License-Identifier: MIT
"""Where rounds end, in every game, and that nothing else ends one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from controller.games import GAMES
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.table.game_flow import ends_round

FOUR: tuple[tuple[str, Mapping[str, bool | int]], ...] = (
    ("choice", {}),
    ("choice", {"jokers": True}),
    ("black-n-white", {}),
    ("wuerfelspiel", {}),
)


def at_random(position: GameState, chance: random.Random) -> GameState:
    """Return the position after something legal: a roll, else an action."""
    expects = position.expects()
    if expects.roll:
        by = expects.roll[0]
        return position.apply(RollEvent(by, a_roll(position, by, chance)))
    by, actions = chance.choice(list(expects.do.items()))
    return position.apply(ActionEvent(by, chance.choice(actions)))


def a_roll(position: GameState, by: str, chance: random.Random) -> str:
    staying = position.required_dice(by) or position.dice_to_leave(by)
    if isinstance(position, BlackNWhiteState):
        fixed = {text[0]: text for text in staying}
        return " ".join(fixed.get(c, f"{c}{chance.randint(1, 6)}") for c in "wb")
    count = 5 - len(staying)
    faces = [*staying, *(str(chance.choice((1, 1, 2, 6))) for _ in range(count))]
    return "".join(sorted(faces))


def played(
    game: str, options: Mapping[str, bool | int], players: int, seed: int
) -> Iterator[tuple[GameState, GameState]]:
    """Yield every position of a whole game with the one after it."""
    chance = random.Random(seed)
    names = ("Ada", "Ben", "Cleo")[:players]
    position = GAMES[game].start(names, options)
    while position.outcome() is None:
        before, position = position, at_random(position, chance)
        yield before, position


def begins_turn(before: GameState, after: GameState) -> str | None:
    """Return who is to make the first throw of a turn now, if the turn has passed on."""
    has_begun = bool(after.faces) or getattr(after, "throws", 0) > 0
    rolls = after.expects().roll
    return rolls[0] if rolls and before.faces and not has_begun else None


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize(("game", "options"), [FOUR[0], FOUR[1], FOUR[3]])
def test_a_round_ends_when_a_player_has_a_second_turn(
    game: str, options: dict[str, bool | int], players: int
) -> None:
    for seed in range(3):
        had_a_turn = {"Ada"}
        for before, after in played(game, options, players, seed):
            player = begins_turn(before, after)
            is_over = after.outcome() is not None or player in had_a_turn
            assert ends_round(before, after) == is_over, (before, after)
            had_a_turn = set() if is_over else had_a_turn
            had_a_turn |= {player} if player else set()


@pytest.mark.parametrize("players", [2, 3])
def test_black_n_white_ends_a_round_with_every_moved_chip(players: int) -> None:
    for seed in range(10):
        for before, after in played("black-n-white", {}, players, seed):
            assert isinstance(before, BlackNWhiteState)
            assert isinstance(after, BlackNWhiteState)
            has_moved = (before.middle, before.chips) != (after.middle, after.chips)
            assert ends_round(before, after) == has_moved


@pytest.mark.parametrize(("game", "options"), FOUR)
def test_what_is_taken_back_ends_nothing(game: str, options: dict[str, bool | int]) -> None:
    for before, after in played(game, options, 2, 3):
        if before.faces:
            assert not ends_round(after, before)


@pytest.mark.parametrize(("game", "options"), FOUR)
def test_a_game_that_is_left_ends_once(game: str, options: dict[str, bool | int]) -> None:
    pairs = list(played(game, options, 2, 5))
    assert ends_round(pairs[3][1], None)
    assert not ends_round(pairs[-1][1], None), "it was over already"
    assert not ends_round(None, pairs[0][0])
    assert not ends_round(None, None)
    assert not ends_round(pairs[3][1], pairs[3][1])


def test_a_correction_can_end_the_game_again() -> None:
    one, other = (list(played("choice", {}, 1, seed))[-1][1] for seed in (1, 2))
    assert ends_round(one, other)


def test_a_correction_can_end_the_round_again() -> None:
    compared = 0
    for before, after in played("black-n-white", {}, 2, 3):
        if before.faces or not ends_round(before, after) or before.dice_to_leave(roller(before)):
            continue
        for roll in (f"w{white} b{black}" for white in range(1, 7) for black in range(1, 7)):
            corrected = before.apply(RollEvent(roller(before), roll))
            if ends_round(before, corrected):
                assert ends_round(after, corrected) == (after != corrected), (after, corrected)
                compared += after != corrected
    assert compared > 10


def roller(position: GameState) -> str:
    return position.expects().roll[0]
