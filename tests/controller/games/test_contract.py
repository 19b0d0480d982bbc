# SPDX-License-Identifier: MIT
"""What every game keeps, whatever its rules are; runs over all `GAMES`."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest

from controller.errors import IllegalActionError, InputError
from controller.games import GAMES, require_game
from controller.games.contract import ActionEvent, Game, GameState, RollEvent
from tests.controller.games.playing import NAMES, random_game

SEEDS = range(6)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def players_of(game: Game, seed: int) -> int:
    fewest, most = game.players_range
    return min(fewest + seed, len(NAMES) if most is None else most)


def end_of(game: Game, seed: int) -> GameState:
    return [after for _, _, after in random_game(game, players_of(game, seed), seed)][-1]


def test_every_game_is_listed_under_its_own_key() -> None:
    assert all(require_game(key).key == key for key in GAMES)


def test_an_unknown_game_is_told_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"game: expected one of choice.*, found 'halma'"):
        require_game("halma")


@every_game
@every_seed
def test_what_is_expected_of_a_player_is_what_they_may_do(game: Game, seed: int) -> None:
    for state, _, _ in random_game(game, players_of(game, seed), seed):
        expects = state.expects()
        assert expects.roll or expects.do
        for name in state.players:
            actions = state.legal_actions(name)
            assert expects.do.get(name, ()) == actions
            assert len(set(actions)) == len(actions)
        assert all(expects.do.values()), "a player without an action is not to be waited for"


@every_game
def test_legal_actions_come_in_the_same_order_every_time(game: Game) -> None:
    def all_orders() -> list[dict[str, tuple[str, ...]]]:
        return [dict(state.expects().do) for state, _, _ in random_game(game, 3, 1)]

    assert all_orders() == all_orders()


@every_game
@every_seed
def test_an_event_gives_a_new_position_and_leaves_the_old_one(game: Game, seed: int) -> None:
    for state, event, after in random_game(game, players_of(game, seed), seed):
        before = copy.deepcopy(state)
        assert state.apply(event) == after
        assert after != state
        assert state == before


@every_game
@every_seed
def test_whatever_is_not_expected_is_refused_and_changes_nothing(game: Game, seed: int) -> None:
    for state, _, _ in random_game(game, players_of(game, seed), seed):
        before = copy.deepcopy(state)
        expects = state.expects()
        rolls = {
            name: any_roll(game, [1] * len(game.polarities))
            for name in (*state.players, "Zoe")
            if name not in expects.roll
        }
        for name, roll in rolls.items():
            with pytest.raises(IllegalActionError):
                state.apply(RollEvent(name, roll))
        for name in (*state.players, "Zoe"):
            others = {action for actions in expects.do.values() for action in actions}
            for action in (others - {*expects.do.get(name, ())}) | {"", "nonsense"}:
                with pytest.raises(IllegalActionError) as refused:
                    state.apply(ActionEvent(name, action))
                assert refused.value.expected == expects.do.get(name, refused.value.expected)
                assert refused.value.expected
        assert state == before


@every_game
@every_seed
def test_a_finished_game_waits_for_nothing_and_refuses_everything(game: Game, seed: int) -> None:
    state = end_of(game, seed)
    assert not state.expects().roll
    assert not state.expects().do
    assert not state.faces
    assert all(state.is_finished(name) for name in state.players)
    roll = any_roll(game, [1] * len(game.polarities))
    for event in (RollEvent(state.players[0], roll), ActionEvent(state.players[0], "nonsense")):
        with pytest.raises(IllegalActionError, match="expected nothing"):
            state.apply(event)


@every_game
@every_seed
def test_a_finished_game_tells_of_everybody_once_how_it_ended(game: Game, seed: int) -> None:
    state = end_of(game, seed)
    outcome = state.outcome()
    assert outcome is not None
    assert sorted((*outcome.winners, *outcome.losers)) == sorted(state.players)


@every_game
def test_totals_and_sheets_are_there_for_everybody_at_any_time(game: Game) -> None:
    for state, _, after in random_game(game, 3, 2):
        for position in (state, after):
            assert tuple(position.totals()) == position.players
            for name in position.players:
                sheet = position.sheet(name)
                assert json.loads(json.dumps(sheet)) == sheet


@every_game
def test_a_position_cannot_be_changed_from_outside(game: Game) -> None:
    state = game.start(NAMES[:2], {})
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.players = ("Zoe",)  # type: ignore[misc]


@every_game
def test_the_options_of_a_game_start_the_same_game_again(game: Game) -> None:
    state = game.start(NAMES[:2], {})
    assert game.start(state.players, state.options) == state


@every_game
@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["Ada", "Ben", "Ada"], "players: expected every name once, found 'Ada' again"),
        (["Ada", ""], "players: expected a name that is not empty, found ''"),
        (["Ada", " \t"], "players: expected a name that is not empty"),
        (["Ada", "Ben\nCleo"], "players: expected a name of one line, found 'Ben\\nCleo'"),
        (["Ada", "\ud800"], "players: expected a name of one line"),
    ],
)
def test_names_that_cannot_be_told_apart_or_shown_are_refused(
    game: Game, players: list[str], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        game.start(players, {})
    assert str(refused.value).startswith(message)


@every_game
def test_too_few_players_are_refused(game: Game) -> None:
    fewest, _ = game.players_range
    with pytest.raises(InputError, match=f"players: expected {fewest} .* players, found 0"):
        game.start([], {})


@every_game
def test_an_unknown_option_is_refused(game: Game) -> None:
    with pytest.raises(InputError, match="found 'blackjack'"):
        game.start(NAMES[:2], {"blackjack": True})
