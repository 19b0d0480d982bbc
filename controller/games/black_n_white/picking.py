# SPDX-License-Identifier: MIT
"""
Choices of Black'n'White: stop or throw again, and which colour gives the tens.

A tapped die is thrown again, the other one stays. While a player chooses the tens, a tap
on a die selects its colour.
"""

from __future__ import annotations

from controller.games.black_n_white.notation import Result, is_double, rank
from controller.games.black_n_white.round import STOP
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.ui import (
    EMPTY_SELECTION,
    OfferedChoice,
    Selection,
    SelectionResult,
    TurnContext,
    plain_offer,
    select_action,
    toggle_die,
)

_COLOURS = ("white", "black")
_HIGH_FACE = 6


def list_offers(game: BlackNWhiteState, player: str) -> tuple[OfferedChoice, ...]:
    """
    Return what this player may do: stop first if that is good, else the throws first.

    To stop is good if the result beats every finished one of the round; for the starter, with
    a double or a six. Throws come in the order lower die, both, higher die. Of the tens, the
    one for the higher number comes first.
    """
    actions = game.legal_actions(player)
    result = game.result_of(player)
    if result is None:
        return ()
    order = _throws_first(result) if STOP in actions else _tens_first(result)
    if STOP in actions:
        order = (STOP, *order) if _is_good(game, player, result) else (*order, STOP)
    return tuple(plain_offer(game, player, action, classify_action(action)) for action in order)


def classify_action(action: str) -> str:
    """Return what an action of Black'n'White is."""
    if action == STOP:
        return "stop"
    return "tens" if action.startswith("tens ") else "throw"


def tap_die(game: BlackNWhiteState, player: str, turn: TurnContext, index: int) -> SelectionResult:
    """Return what a tap on the white (0) or the black die (1) selects."""
    offers = list_offers(game, player)
    if offers and offers[0].kind == "tens":
        return select_action(Selection((index,)), f"tens {_COLOURS[index]}", offers)
    thrown = toggle_die(turn.selection.dice, index)
    if not thrown:
        return select_action(EMPTY_SELECTION, None, offers)
    dice = game.player_dice(player)
    kept = [die for position, die in enumerate(dice) if position not in thrown]
    return select_action(Selection(thrown), game.hold_action(player, kept), offers)


def _is_good(game: BlackNWhiteState, player: str, result: Result) -> bool:
    finished = [found for name in game.acted if (found := game.result_of(name))]
    if not finished:
        return is_double(result) or _HIGH_FACE in result
    best = max(_best_rank(game, one) for one in finished)
    return _best_rank(game, result) > best


def _best_rank(game: BlackNWhiteState, result: Result) -> int:
    """Return the rank of a result; while the tens are open, the higher of both."""
    white, black = result
    return rank(result, game.tens or ("white" if white >= black else "black"))


def _throws_first(result: Result) -> tuple[str, ...]:
    white, black = result
    lower, higher = ("white", "black") if white <= black else ("black", "white")
    return f"throw {lower}", "throw both", f"throw {higher}"


def _tens_first(result: Result) -> tuple[str, ...]:
    white, black = result
    return ("tens white", "tens black") if white >= black else ("tens black", "tens white")
