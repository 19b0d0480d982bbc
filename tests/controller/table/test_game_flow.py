# SPDX-License-Identifier: MIT
"""Where rounds end, in every game, and that nothing else ends one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.games import GAMES
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import GameState, Options, RollEvent
from controller.table.game_flow import ends_round
from tests.controller.games.playing import random_game

FOUR: tuple[tuple[str, Options], ...] = (
    ("choice", {}),
    ("choice", {"jokers": True}),
    ("black-n-white", {}),
    ("wuerfelspiel", {}),
)


def played(
    game: str, options: Options, players: int, seed: int
) -> Iterator[tuple[GameState, GameState]]:
    """Yield every position of a whole game with the one after it."""
    for before, _, after in random_game(GAMES[game], players, seed, options):
        yield before, after


def begins_turn(before: GameState, after: GameState) -> str | None:
    """Return who is to make the first throw of a turn now, if the turn has passed on."""
    has_begun = bool(after.faces) or getattr(after, "throws", 0) > 0
    rolls = after.expects().roll
    return rolls[0] if rolls and before.faces and not has_begun else None


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize(("game", "options"), [FOUR[0], FOUR[1], FOUR[3]])
def test_a_round_ends_when_a_player_has_a_second_turn(
    game: str, options: Options, players: int
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
def test_what_is_taken_back_ends_nothing(game: str, options: Options) -> None:
    for before, after in played(game, options, 2, 3):
        if before.faces:
            assert not ends_round(after, before)


@pytest.mark.parametrize(("game", "options"), FOUR)
def test_a_game_that_is_left_ends_once(game: str, options: Options) -> None:
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
