# SPDX-License-Identifier: MIT
"""
Choices of Black'n'White: stop or throw again, and which colour gives the tens.

A tapped die is thrown again, the other one stays. While a player chooses the tens, a tap
on a die selects its colour.
"""

from __future__ import annotations

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


def list_offers(game: BlackNWhiteState, player: str) -> tuple[OfferedChoice, ...]:
    """Return what this player may do, always in the order of the rules: stop, then the throws."""
    actions = game.legal_actions(player)
    return tuple(plain_offer(game, player, action, classify_action(action)) for action in actions)


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
