# SPDX-License-Identifier: MIT
"""What every game keeps, whatever its rules are; runs over all `GAMES` with all options."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import IllegalActionError, InputError
from controller.games import GAMES, require_game
from controller.games.contract import (
    ActionEvent,
    FreeThrows,
    GameEvent,
    GameState,
    Json,
    Options,
    RollEvent,
    SharedRolls,
)
from controller.games.game import Game, list_polarities
from tests.controller.games.playing import NAMES, all_options, any_roll, random_game
from tests.support.twin import choice as choice_twin

SEEDS = range(4)

TABLES: dict[str, tuple[Game, Options]] = {
    " ".join((key, *(f"{name}={value}" for name, value in options.items()))): (game, options)
    for key, game in GAMES.items()
    for options in all_options(game)
}

Step: TypeAlias = tuple[GameState, GameEvent, GameState]

PLAYERS: dict[str, tuple[int, int | None]] = {
    "choice": (1, None),
    "black-n-white": (2, 5),
    "wuerfelspiel": (1, 6),
    "dice": (1, None),
}

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_table = pytest.mark.parametrize("table", TABLES)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def players_of(game: Game, seed: int) -> int:
    fewest, most = game.players_range
    return min(fewest + seed, len(NAMES) if most is None else most)


@cache
def played(table: str, seed: int) -> tuple[Step, ...]:
    """Return every step of one random game."""
    game, options = TABLES[table]
    return tuple(random_game(game, players_of(game, seed), seed, options))


def positions(table: str, seed: int, *, most: int = 120) -> list[GameState]:
    """Return positions of one random game: all, or as many as this, anywhere before its end."""
    found = [state for state, _, _ in played(table, seed)]
    return random.Random(seed).sample(found, min(most, len(found)))


def end_of(table: str, seed: int) -> GameState:
    return played(table, seed)[-1][2]


class TestAsking:
    @every_table
    @every_seed
    def test_what_is_expected_of_a_player_is_what_they_may_do(self, table: str, seed: int) -> None:
        for state in positions(table, seed):
            expects = state.expects()
            assert expects.roll or expects.do
            assert all(expects.do.values()), "nobody without an action is waited for"
            # Free dice alone may change in number before they are thrown.
            is_free = isinstance(state, FreeThrows) and not state.faces
            is_either = {*expects.roll} & {*expects.do}
            assert is_free or not is_either, "a roll comes before an action, or after"
            assert {*expects.roll, *expects.do} <= {*state.players}
            for name in state.players:
                actions = state.legal_actions(name)
                assert expects.do.get(name, ()) == actions
                assert len(set(actions)) == len(actions)

    @every_table
    def test_answers_come_in_the_same_order_every_time(self, table: str) -> None:
        game, options = TABLES[table]

        def all_answers() -> list[object]:
            states = [state for state, _, _ in random_game(game, 3, 2, options)]
            return [(s.expects().roll, [*s.expects().do.items()], [*s.totals()]) for s in states]

        assert all_answers() == all_answers()

    @every_table
    def test_nobody_can_be_asked_about_who_does_not_play(self, table: str) -> None:
        game, options = TABLES[table]
        state = game.start(NAMES[:2], options)
        for ask in (
            state.legal_actions,
            state.player_dice,
            state.dice_to_leave,
            state.required_dice,
            state.is_finished,
            state.sheet,
        ):
            with pytest.raises(ValueError, match="not in"):
                ask("Zoe")
        with pytest.raises(ValueError, match="not in"):
            state.hold_action("Zoe", ())


class TestDoing:
    @every_table
    @every_seed
    def test_an_event_gives_a_new_position_and_leaves_the_old_one(
        self, table: str, seed: int
    ) -> None:
        for state, event, after in played(table, seed):
            before = copy.deepcopy(state)
            assert state.apply(event) == after
            assert after != state
            assert state == before
            assert hash(state) == hash(before)
            assert after.options == state.options
            assert after.players == state.players

    @every_table
    @every_seed
    def test_whatever_is_not_expected_is_refused_and_changes_nothing(
        self, table: str, seed: int
    ) -> None:
        game, _ = TABLES[table]
        for state in positions(table, seed, most=12):
            roll = any_roll(game, [1] * len(list_polarities(game, state)))
            before, expects = copy.deepcopy(state), state.expects()
            for name in (*state.players, "Zoe"):
                if name not in expects.roll:
                    with pytest.raises(IllegalActionError):
                        state.apply(RollEvent(name, roll))
                mine = expects.do.get(name, ())
                others = {action for actions in expects.do.values() for action in actions}
                for action in (others - {*mine}) | {"", "nonsense", *(f"{a} " for a in mine)}:
                    with pytest.raises(IllegalActionError) as refused:
                        state.apply(ActionEvent(name, action))
                    assert refused.value.expected == (mine or refused.value.expected)
                    assert refused.value.expected
            assert state == before

    @every_table
    @every_seed
    def test_a_roll_that_is_none_of_the_game_is_refused(self, table: str, seed: int) -> None:
        game, _ = TABLES[table]
        for state in positions(table, seed, most=12):
            ones = any_roll(game, [1] * len(list_polarities(game, state)))
            wrong = (ones[:-1], f"{ones}1", f" {ones}", ones.replace("1", "7"))
            broken = ("", " ", *wrong, "w1 b1 w1")
            for name in state.expects().roll:
                for roll in broken:
                    with pytest.raises(IllegalActionError):
                        state.apply(RollEvent(name, roll))

    @every_table
    def test_a_position_cannot_be_changed_from_outside(self, table: str) -> None:
        game, options = TABLES[table]
        state = game.start(NAMES[:2], options)
        with pytest.raises(dataclasses.FrozenInstanceError):
            state.players = ("Zoe",)  # type: ignore[misc]


# What the sheet that a replay prints adds up to; written down apart from the rules.
def choice_total(sheet: Mapping[str, Json]) -> int:
    sums, jokers = sheet["sums"], sheet["jokers"]
    assert isinstance(sums, dict)
    assert isinstance(jokers, list)
    marks = sum(choice_twin.points(int(total), int(count)) for total, count in sums.items())
    return marks + 100 * len(jokers)


def chips(sheet: Mapping[str, Json]) -> int:
    held = sheet["chips"]
    assert isinstance(held, int)
    return held


def three_columns(sheet: Mapping[str, Json]) -> int:
    columns, bonus = sheet["columns"], sheet["bonus"]
    assert isinstance(columns, list)
    assert isinstance(bonus, list)
    counts = [sum(column.values()) + extra for column, extra in zip(columns, bonus, strict=True)]
    return int(counts[0] + 2 * counts[1] + 3 * counts[2])


def last_roll(sheet: Mapping[str, Json]) -> int:
    return sum(int(face) for face in str(sheet["last"]))


TOTAL_OF: dict[str, Callable[[Mapping[str, Json]], int]] = {
    "choice": choice_total,
    "black-n-white": chips,
    "wuerfelspiel": three_columns,
    "dice": last_roll,
}


class TestResults:
    @every_table
    @every_seed
    def test_totals_are_what_the_sheets_add_up_to(self, table: str, seed: int) -> None:
        game, _ = TABLES[table]
        for state in (*positions(table, seed), end_of(table, seed)):
            totals = state.totals()
            assert tuple(totals) == state.players
            for name in state.players:
                sheet = state.sheet(name)
                assert json.loads(json.dumps(sheet)) == sheet
                assert totals[name] == TOTAL_OF[game.key](sheet)

    @every_table
    @every_seed
    def test_a_finished_game_refuses_everything(self, table: str, seed: int) -> None:
        game, _ = TABLES[table]
        state = end_of(table, seed)
        assert not state.expects().roll
        assert not state.expects().do
        assert not state.faces
        assert all(state.is_finished(name) for name in state.players)
        roll = any_roll(game, [1] * len(list_polarities(game, state)))
        for event in (RollEvent(state.players[0], roll), ActionEvent(state.players[0], "stop")):
            with pytest.raises(IllegalActionError, match="expected nothing"):
                state.apply(event)

    @every_table
    @every_seed
    def test_a_game_ends_when_all_players_are_finished(self, table: str, seed: int) -> None:
        for state in positions(table, seed):
            assert state.outcome() is None
            assert not all(state.is_finished(name) for name in state.players)
        outcome = end_of(table, seed).outcome()
        assert outcome is not None
        players = () if table.startswith("dice") else end_of(table, seed).players
        assert sorted((*outcome.winners, *outcome.losers)) == sorted(players)


class TestSittingDown:
    def test_every_game_is_listed_under_its_own_key(self) -> None:
        assert all(require_game(key).key == key for key in GAMES)

    def test_an_unknown_game_is_told_with_those_there_are(self) -> None:
        with pytest.raises(InputError, match=r"game: expected one of choice.*, found 'halma'"):
            require_game("halma")

    @every_table
    def test_the_options_of_a_game_start_the_same_game_again(self, table: str) -> None:
        game, options = TABLES[table]
        state = game.start(NAMES[:2], options)
        defaults = {name: rule.default for name, rule in game.options.items()}
        assert {**defaults, **state.options} == options
        assert game.start(state.players, state.options) == state

    @every_game
    def test_a_missing_option_has_an_offered_default(self, game: Game) -> None:
        defaults = {name: rule.default for name, rule in game.options.items()}
        assert {**defaults, **game.start(NAMES[:2], {}).options} == defaults
        for rule in game.options.values():
            assert rule.label
            assert rule.default in rule.values
            assert len(set(rule.values)) == len(rule.values)

    @every_game
    def test_an_option_of_another_kind_is_refused(self, game: Game) -> None:
        for name, rule in game.options.items():
            wrong: list[object] = [None, "", "yes", 1.0, [], {}]
            wrong += [0, 1] if isinstance(rule.default, bool) else [True, False, 0, -1]
            for value in wrong:
                with pytest.raises(InputError, match=f"^{name}: expected"):
                    game.start(NAMES[:2], {name: value})  # type: ignore[dict-item]

    @every_game
    def test_an_unknown_option_is_refused(self, game: Game) -> None:
        with pytest.raises(InputError, match="found 'blackjack'"):
            game.start(NAMES[:2], {"blackjack": True})

    @every_game
    def test_fewest_and_most_players_may_play_and_nobody_beyond(self, game: Game) -> None:
        fewest, most = PLAYERS[game.key]
        assert game.players_range == (fewest, most)
        names = [f"player {number}" for number in range(20)]
        for count in range(20):
            if fewest <= count and (most is None or count <= most):
                assert game.start(names[:count], {}).players == tuple(names[:count])
            else:
                expected = f"players: expected {fewest} .*{most or ''} players, found {count}"
                with pytest.raises(InputError, match=expected):
                    game.start(names[:count], {})

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
        self, game: Game, players: list[str], message: str
    ) -> None:
        with pytest.raises(InputError) as refused:
            game.start(players, {})
        assert str(refused.value).startswith(message)


@every_table
@every_seed
def test_counted_choices_are_what_playing_them_gives(table: str, seed: int) -> None:
    """A desk counts them for each phone, without a position for each."""
    for state in positions(table, seed):
        assert isinstance(state, SharedRolls) is TABLES[table][0].chooses_together
        if not isinstance(state, SharedRolls):
            return
        for player in state.players:
            steps = {
                action: state.apply(ActionEvent(player, action))
                for action in state.legal_actions(player)
            }
            expected = [
                (action, after.totals()[player])
                for action, after in steps.items()
                if not after.faces or player in after.acted
            ]
            assert [*state.count_choices(player).items()] == expected


@every_table
def test_the_order_of_choices_is_no_hint(table: str) -> None:
    """It follows from what the choices are and add, in whatever position they are offered."""
    game, _ = TABLES[table]
    seen: set[tuple[object, object]] = set()
    for state in (one for seed in SEEDS for one in positions(table, seed, most=40)):
        for player in state.expects().do:
            offers = game.ui.list_offers(state, player)
            choices = [(offer.action, offer.gain) for offer in offers]
            pairs = {(one, two) for at, one in enumerate(choices) for two in choices[at + 1 :]}
            assert not {(two, one) for one, two in pairs} & seen
            seen |= pairs


texts = st.text(max_size=12) | st.sampled_from(
    ["stop", "throw white", "throw both", "tens black", "w4 b6", "w1 b1", "b1 w1", "46", ""]
)


@every_table
@settings(max_examples=40)
@given(st.sampled_from(SEEDS), texts, st.integers(0, 200), st.booleans())
def test_a_refused_event_leaves_the_position_as_it_was(
    table: str, seed: int, text: str, step: int, is_roll: bool
) -> None:
    steps = played(table, seed)
    state, *_ = steps[step % len(steps)]
    before = repr(state)
    for name in (*state.players, "Zoe", ""):
        # A text drawn may be legal by chance; the position asked stays as it was all the same.
        with suppress(IllegalActionError):
            state.apply(RollEvent(name, text) if is_roll else ActionEvent(name, text))
        assert repr(state) == before
