# SPDX-License-Identifier: MIT
"""
How a player finds their choice: moving a cursor along the legal ones, or tapping dice.

Both lead to an action in notation that is not yet confirmed. The game says which choices
there are, in which order, and what a tap selects (`controller.games.ui`). Here the table
keeps the cursor and the selection, for everybody who may choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from controller.base.languages.message import message
from controller.games.contract import FreeThrows, GameState
from controller.games.ui import (
    EMPTY_SELECTION,
    Arrows,
    DieLimit,
    EndedRoundView,
    GameView,
    OfferedChoice,
    SelectionResult,
    TurnContext,
)
from controller.table.events import Key
from controller.table.state import (
    THROW_PHASES,
    Notice,
    Phase,
    PlayerCursor,
    Screen,
    TableState,
    require_game,
)


def create_view(
    state: TableState, action: str, position: GameState | None = None
) -> GameView | None:
    """Return the game's own part of the view at the table's or this position; None in the lobby."""
    play = state.play
    if play.position is None:
        return None
    shown = play.position if position is None else position
    return play.rules.ui.create_view(shown, _turn_context(state, action))


def find_ended_round(state: TableState) -> EndedRoundView | None:
    """Return the round whose result the screens show, until a throw, a press or a timer."""
    play = state.play
    if play.position is None or state.phase is not Phase.AWAITING_ROLL:
        return None
    ended = play.rules.ui.show_ended_round(play.position)
    return ended if ended and ended["number"] > play.seen_round else None


def list_offers(state: TableState, player: str) -> tuple[OfferedChoice, ...]:
    """Return everything this player may do now, in the order that helps in this game."""
    play = state.play
    offers = play.rules.ui.list_offers(play.position, player) if play.position else ()
    if has_settled_dice(state):
        is_asked = state.setup.is_dealing
        return tuple(offer for offer in offers if is_asked and offer.kind == "throw")
    return offers


def has_settled_dice(state: TableState) -> bool:
    """Return whether a tournament takes these throws, so that at most a throw is offered."""
    return state.is_bound and isinstance(state.play.position, FreeThrows)


def list_choices(state: TableState) -> tuple[OfferedChoice, ...]:
    """Return the choices of the player who chooses now; empty if no player does."""
    return () if state.chooser is None else list_offers(state, state.chooser)


def move_cursor(state: TableState, cursor: int) -> TableState:
    """Return the state with the cursor on another choice, all around; other taps are forgotten."""
    choices = list_choices(state)
    if not choices:
        return state
    index = cursor % len(choices)
    ui = state.play.rules.ui
    selection = ui.keep_selection(_turn_context(state), choices[index].action)
    screen = replace(state.screen, cursor=index, selection=selection)
    return replace(state, screen=screen, notice=None)


def step_cursor(state: TableState, key: Key) -> TableState:
    """Return the state after left or right, the two buttons that move the cursor."""
    arrows = find_arrows(state)
    left = arrows.get("down", arrows.get("left"))
    index = left if key is Key.LEFT else arrows.get("right")
    return state if index is None else move_cursor(state, index)


def free_selection(state: TableState) -> TableState:
    """Return the state with nothing tapped, and the cursor where it began."""
    first = state.play.rules.ui.first_cursor
    screen = replace(state.screen, selection=EMPTY_SELECTION, cursor=first)
    return replace(state, screen=screen, notice=None)


def find_arrows(state: TableState) -> Arrows:
    """Return the choices that the arrows lead to, by index; empty unless somebody chooses."""
    choices = list_choices(state)
    if not choices:
        return {}
    return state.play.rules.ui.find_arrows(choices, _turn_context(state), state.screen.cursor)


def list_limits(state: TableState) -> Mapping[int, DieLimit]:
    """Return which dice, by index, the player who chooses may or must leave out."""
    game, player = state.play.position, state.chooser
    if game is None or player is None:
        return {}
    return state.play.rules.ui.list_limits(game, player, _turn_context(state))


def label_arrows(state: TableState) -> tuple[str | None, str | None]:
    """Return what left and right do while somebody chooses."""
    if has_settled_dice(state):
        return None, None
    return state.play.rules.ui.label_arrows(_turn_context(state))


def tap_die(state: TableState, index: int) -> TableState:
    """
    Return the state after a die was tapped, by its index among the shown dice.

    The cursor goes to the action that the tapped dice make. While they make none there is no
    cursor; if they make one that the rules refuse, a notice says why and they stay tapped.
    """
    game, player = state.play.position, state.chooser
    if game is None or player is None or not 0 <= index < len(state.shown_dice):
        return _with_refusal(state, message("There is no die number {number}.", number=index + 1))
    ui = state.play.rules.ui
    cursor, choices = state.screen.cursor, list_choices(state)
    turn = _turn_context(state, choices[cursor].action if 0 <= cursor < len(choices) else "")
    return _with_result(state, ui.tap_die(game, player, turn, index))


def tap_joker(state: TableState, joker: str) -> TableState:
    """Return the state after a joker was tapped, by its name in the notation."""
    game, player = state.play.position, state.chooser
    if game is None or player is None:
        return _with_refusal(state, message("No one is choosing now."))
    ui = state.play.rules.ui
    return _with_result(state, ui.tap_joker(game, player, _turn_context(state), joker))


def _turn_context(state: TableState, action: str = "") -> TurnContext:
    return TurnContext(
        roller=state.play.roller,
        chooser=state.chooser,
        is_choosing=state.phase is Phase.CHOOSING,
        faces=tuple(die.face for die in state.shown_dice),
        selection=state.screen.selection,
        action=action,
    )


def _with_result(state: TableState, result: SelectionResult) -> TableState:
    if result.selection is not None:
        screen = replace(state.screen, selection=result.selection, cursor=result.cursor)
        state = replace(state, screen=screen, notice=None)
    return _with_refusal(state, result.refusal, result.remedy) if result.refusal else state


def _with_refusal(state: TableState, text: str, remedy: str = "") -> TableState:
    return replace(state, notice=Notice("refused", text, remedy))


# The shared screen has one cursor. A player with a panel of their own brings their choices to it
# with the first press, which decides nothing: no player confirms what they have not seen. How far
# the others had come is kept aside until they press again.
def show_choices_of(state: TableState, player: str) -> TableState:
    """Return the table whose shared screen shows a player's choices, the cursor as they left it."""
    screen = _show_cursor(state, player, _collect_cursors(state))
    return replace(state, screen=replace(screen, active_chooser=player), notice=None)


def may_hide_choices(state: TableState) -> bool:
    """Return whether the shared screen shows choices only because somebody asked for them."""
    is_asked = state.shows_choices and not state.screen.selection.is_any
    unasked = replace(state, screen=replace(state.screen, active_chooser=""))
    return is_asked and not unasked.shows_choices


def hide_choices(state: TableState) -> TableState:
    """Return the table whose shared screen shows no more of what somebody asked for."""
    return show_choices_of(state, "")


def bind_phones(state: TableState, players: tuple[str, ...]) -> TableState:
    """Return the table whose shared screen offers itself first to players without a phone."""
    if players == state.setup.phone_players:
        return state
    after = replace(state, setup=replace(state.setup, phone_players=players))
    if after.chooser == state.chooser or after.chooser is None:
        return after
    found = _collect_cursors(state)
    return replace(after, screen=_show_cursor(after, after.chooser, found))


def may_choose(state: TableState, player: str) -> bool:
    """Return whether this person may choose now, on a screen of their own."""
    return player not in state.play.opponent_names and may_act(state, player)


def may_act(state: TableState, player: str) -> bool:
    """
    Return whether this player may choose now.

    While another one throws for themselves, the roll as it was read is still there for the others.
    """
    play = state.play
    if play.position is None or player not in play.position.expects().do:
        return False
    is_calling = play.is_together and play.roller is not None
    return state.phase is Phase.CHOOSING or (
        is_calling and state.phase in (Phase.AWAITING_JOKER, *THROW_PHASES)
    )


# A phone shows its own player's cursor. So whatever happens on the shared screen happens there in
# the same way, on the table as this phone shows it.
def as_on_phone(state: TableState, player: str) -> TableState:
    """Return the table as the phone of this player, who may choose, shows it."""
    fresh = _fresh_cursor(state, player)
    mine = next((one for one in state.screen.phones if one.player == player), fresh)
    screen = replace(
        state.screen, cursor=mine.cursor, selection=mine.selection, active_chooser=player
    )
    return replace(state, phase=Phase.CHOOSING, screen=screen, notice=mine.notice)


def keep_phone_cursor(state: TableState, player: str, seen: TableState) -> TableState:
    """Return the table after something moved on this player's phone."""
    others = tuple(one for one in state.screen.phones if one.player != player)
    mine = PlayerCursor(player, seen.screen.cursor, seen.screen.selection, seen.notice)
    return replace(state, screen=replace(state.screen, phones=(*others, mine)))


def restore_cursors(before: TableState, after: TableState, by: str) -> TableState:
    """
    Return `after` with what all others than the one who acted were about to choose before.

    `after` is the table after the action, which has forgotten that.
    """
    if len(before.play.roll_log) != len(after.play.roll_log) or not require_game(after).faces:
        return after
    phones = tuple(one for one in before.screen.phones if one.player != by)
    found = {player: one for player, one in _collect_cursors(before).items() if player != by}
    is_called = before.play.callers != after.play.callers
    active = "" if is_called or before.screen.active_chooser == by else before.screen.active_chooser
    looked = replace(after, screen=replace(after.screen, active_chooser=active, phones=phones))
    if looked.chooser is None:
        return looked
    return replace(looked, screen=_show_cursor(looked, looked.chooser, found))


def _show_cursor(state: TableState, player: str, cursors: Mapping[str, PlayerCursor]) -> Screen:
    """Return the screen with a player's cursor, and those of others set aside."""
    mine = cursors.get(player, _fresh_cursor(state, player))
    others = tuple(one for name, one in cursors.items() if name != player)
    return replace(state.screen, cursor=mine.cursor, selection=mine.selection, others=others)


def _fresh_cursor(state: TableState, player: str) -> PlayerCursor:
    """Return where a cursor begins: nowhere for who may only change the number of dice."""
    first = state.play.rules.ui.first_cursor
    is_player = player in require_game(state).players
    offers = list_offers(state, player) if is_player else ()
    return PlayerCursor(player, -1 if offers and offers[0].kind == "dice" else first)


def _collect_cursors(state: TableState) -> dict[str, PlayerCursor]:
    """Return how far everybody has come, who was shown at any time since the roll."""
    screen, chooser = state.screen, state.chooser
    found = {one.player: one for one in screen.others}
    if chooser is not None:
        found[chooser] = PlayerCursor(chooser, screen.cursor, screen.selection)
    return found
