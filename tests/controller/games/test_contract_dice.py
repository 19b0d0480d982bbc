# SPDX-License-Identifier: MIT
"""
What every game says of dice and of its texts agrees with what it allows.

A table follows real dice: those that a player may keep, those that must lie on, those
that are set by hand. Here they are asked for at positions of random games, and every
roll that breaks them has to be refused.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations

import pytest

from controller.base.errors import IllegalActionError, InputError
from controller.games.choice.jokers import (
    TERMINATOR,
    corrector_text,
    parse_corrector,
    parse_triple,
    triple_text,
)
from controller.games.choice.notation import choice_text, parse_choice
from controller.games.contract import ActionEvent, FreeThrows, GameState, RollEvent
from controller.games.free_dice.notation import AGAIN, END, THROW, count_text, parse_count
from controller.games.game import Game, list_polarities
from controller.games.wuerfelspiel.notation import cell_text, hold_text, parse_cell, parse_hold
from tests.controller.games.playing import NAMES, is_owed_roll, legal_roll, random_roll
from tests.controller.games.test_contract import (
    TABLES,
    every_game,
    every_seed,
    every_table,
    positions,
)

ROLLS_TRIED = 30

# Every action is one of a few fixed words, or is read by one of these and written again.
FIXED = {
    "choice": {TERMINATOR},
    "black-n-white": {
        *("stop", "tens white", "tens black"),
        *("throw white", "throw black", "throw both"),
    },
    "wuerfelspiel": set[str](),
    "dice": {THROW, AGAIN, END},
}
REWRITTEN: dict[str, tuple[Callable[[str], str], ...]] = {
    "choice": (
        lambda text: choice_text(parse_choice(text)),
        lambda text: triple_text(parse_triple(text)),
        lambda text: corrector_text(*parse_corrector(text)),
    ),
    "black-n-white": (),
    "wuerfelspiel": (
        lambda text: cell_text(parse_cell(text)),
        lambda text: hold_text(parse_hold(text)),
    ),
    "dice": (lambda text: count_text(parse_count(text)),),
}


def forms(game: Game, text: str) -> Iterator[str]:
    """Yield what each reader of the game that can read this text writes for it."""
    for rewritten in REWRITTEN[game.key]:
        with suppress(InputError):
            yield rewritten(text)


def some_of(dice: Sequence[str]) -> list[tuple[str, ...]]:
    """Return every way to take some of these dice, or none, or all; of many dice, few or most."""
    counts = range(len(dice) + 1) if len(dice) < 8 else (0, 1, 2, len(dice) - 1, len(dice))
    return sorted({kept for count in counts for kept in combinations(sorted(dice), count)})


def is_refused(state: GameState, event: RollEvent | ActionEvent) -> bool:
    try:
        state.apply(event)
    except IllegalActionError:
        return True
    return False


@every_table
@every_seed
def test_every_action_has_one_text_form(table: str, seed: int) -> None:
    game, _ = TABLES[table]
    for state in positions(table, seed):
        for actions in state.expects().do.values():
            for text in actions:
                assert [*forms(game, text)] == ([] if text in FIXED[game.key] else [text])


@every_game
def test_every_roll_has_a_text_that_is_read_as_its_dice(game: Game) -> None:
    polarities = [polarity or "light" for polarity in game.polarities]
    chance = random.Random(1)
    for _ in range(200):
        faces = [chance.randint(1, 6) for _ in polarities]
        dice = [game.die_text(*die) for die in zip(faces, polarities, strict=True)]
        assert sorted(game.parse_roll(game.roll_text(faces, polarities))) == sorted(dice)


@every_game
@pytest.mark.parametrize(
    "text", ["", "nonsense", "1234", "123456", "12347", "b1 w1", "w1  b1", "１２３４５"]
)
def test_what_is_no_roll_is_not_read(game: Game, text: str) -> None:
    if isinstance(game.start(NAMES[:2], {}), FreeThrows) and text in ("1234", "123456"):
        return  # any number of dice is a roll there
    with pytest.raises(InputError):
        game.parse_roll(text)


@every_table
@every_seed
def test_whoever_may_act_has_all_dice_and_nobody_else_has_any(table: str, seed: int) -> None:
    game, options = TABLES[table]
    for state in positions(table, seed):
        for name in state.players:
            has_dice = bool(state.faces and state.legal_actions(name))
            wanted = len(list_polarities(game, state)) if has_dice else 0
            assert len(state.player_dice(name)) == wanted
        # With jokers a player may have other dice than those that everybody looks at.
        if state.faces and not options.get("jokers"):
            shown = sorted(str(face) for face in state.faces)
            assert all(
                sorted(die[-1] for die in state.player_dice(n)) == shown for n in state.expects().do
            )
        # Only the number of dice may be decided about before they lie there.
        assert state.faces or isinstance(state, FreeThrows) or not state.expects().do


@every_table
@every_seed
def test_a_roll_shows_the_dice_that_its_player_then_decides_on(table: str, seed: int) -> None:
    game, _ = TABLES[table]
    chance = random.Random(seed)
    for state in positions(table, seed, most=40):
        for name in state.expects().roll:
            roll = legal_roll(game, state, name, chance)
            after = state.apply(RollEvent(name, roll))
            if after.legal_actions(name):
                assert sorted(after.player_dice(name)) == sorted(game.parse_roll(roll))


@every_table
@every_seed
def test_dice_stay_or_are_set_only_for_those_who_may_roll(table: str, seed: int) -> None:
    game, _ = TABLES[table]
    for state in positions(table, seed):
        for name in state.players:
            staying, wanted = state.dice_to_leave(name), state.required_dice(name)
            assert not staying or not wanted
            assert len(staying) < len(list_polarities(game, state))
            assert len(wanted) in (0, len(list_polarities(game, state)))
            assert name in state.expects().roll or not staying + wanted


@every_table
@every_seed
def test_kept_dice_give_the_action_that_keeps_them(table: str, seed: int) -> None:
    for state in positions(table, seed, most=40):
        for name, actions in state.expects().do.items():
            keepings = {
                kept: state.hold_action(name, kept) for kept in some_of(state.player_dice(name))
            }
            for kept, action in keepings.items():
                if action in actions:
                    after = state.apply(ActionEvent(name, action))
                    assert sorted(after.dice_to_leave(name)) == [*kept]
                    assert name in after.expects().roll
                    assert not after.required_dice(name)
                else:
                    assert action is None or is_refused(state, ActionEvent(name, action))
            known = [action for action in keepings.values() if action is not None]
            assert len(set(known)) == len(known)
            staying = (a for a in actions if state.apply(ActionEvent(name, a)).dice_to_leave(name))
            assert set(staying) <= set(known), "every way to keep dice is found by the dice kept"


@every_table
@every_seed
def test_keeping_all_dice_is_no_throw(table: str, seed: int) -> None:
    for state in positions(table, seed):
        for name, actions in state.expects().do.items():
            assert state.hold_action(name, state.player_dice(name)) not in actions


@every_table
@every_seed
def test_a_roll_in_which_kept_or_set_dice_are_others_is_refused(table: str, seed: int) -> None:
    game, _ = TABLES[table]
    chance = random.Random(seed)
    for state in positions(table, seed, most=40):
        for name in state.expects().roll:
            wanted = legal_roll(game, state, name, chance)
            for roll in (wanted, *(random_roll(game, chance, state) for _ in range(ROLLS_TRIED))):
                is_right = is_owed_roll(game, state, name, roll)
                assert is_refused(state, RollEvent(name, roll)) is not is_right
