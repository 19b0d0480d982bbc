# SPDX-License-Identifier: MIT
"""
How a player finds their choice: moving a cursor along the legal ones, or tapping dice.

Both lead to the same thing, an action in notation that is not yet confirmed. What a tap
means is each game's own: a file a game says it, and in which order the choices help.
"""

from __future__ import annotations

from dataclasses import replace

from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.choice.rules import ChoiceState
from controller.games.contract import GameState
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.table.game_ui import black_n_white_picking, choice_picking, wuerfelspiel_picking
from controller.table.game_ui.offers import OfferedChoice, OfferKind
from controller.table.pointing import with_refusal
from controller.table.refusal_text import explain_refusal
from controller.table.state import EMPTY_SELECTION, TableState

__all__ = [
    "OfferKind",
    "OfferedChoice",
    "explain_refusal",
    "list_choices",
    "list_offers",
    "move_cursor",
    "tap_die",
    "tap_joker",
]


def list_offers(game: GameState, player: str) -> tuple[OfferedChoice, ...]:
    """Return everything this player may do now, in the order that helps in this game."""
    match game:
        case ChoiceState():
            return choice_picking.list_offers(game, player)
        case BlackNWhiteState():
            return black_n_white_picking.list_offers(game, player)
        case WuerfelspielState():
            return wuerfelspiel_picking.list_offers(game, player)
    raise TypeError(f"nobody knows in which order {type(game).__name__} offers its actions")


def list_choices(state: TableState) -> tuple[OfferedChoice, ...]:
    """Return the choices of whoever chooses now; none if nobody does."""
    if state.game is None or state.chooser is None:
        return ()
    return list_offers(state.game, state.chooser)


def move_cursor(state: TableState, cursor: int) -> TableState:
    """
    Return the state with the cursor on another choice, going round at both ends.

    What was tapped is forgotten, but for the die of a corrector while the cursor goes along
    the faces that it can be turned to.
    """
    choices = list_choices(state)
    if not choices:
        return state
    place = cursor % len(choices)
    faces = [die.face for die in state.shown_dice]
    stays = choice_picking.keeps_turned_die(state.selection, choices[place].action, faces)
    tapped = state.selection if stays else EMPTY_SELECTION
    return replace(state, cursor=place, selection=tapped, notice=None)


def tap_die(state: TableState, index: int) -> TableState:
    """
    Return the state after a die was tapped, by its index among the shown dice.

    The cursor goes to the action that the tapped dice make. While they make none there is no
    cursor; where they make one that the rules refuse, a notice says why and they stay tapped.
    """
    game, player = state.game, state.chooser
    if game is None or player is None or not 0 <= index < len(state.shown_dice):
        return with_refusal(state, f"There is no die number {index + 1}.")
    match game:
        case ChoiceState():
            return choice_picking.tap_die(state, game, player, index)
        case BlackNWhiteState():
            return black_n_white_picking.tap_die(state, game, player, index)
        case WuerfelspielState():
            return wuerfelspiel_picking.tap_die(state, game, player, index)
    raise TypeError(f"nobody knows what a tap means in {type(game).__name__}")


def tap_joker(state: TableState, joker: str) -> TableState:
    """
    Return the state after a joker was tapped, by its name in the notation.

    Tapped again it is left. The terminator is an action at once; the corrector waits for the
    die to turn and the face to turn it to, the 3:1 for two pairs and the die that goes over.
    """
    if state.chooser is None:
        return with_refusal(state, "Nobody chooses now.")
    if not isinstance(state.game, ChoiceState):
        return with_refusal(state, "There are no jokers in this game.")
    return choice_picking.tap_joker(state, state.game, state.chooser, joker)
