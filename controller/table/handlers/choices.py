# SPDX-License-Identifier: MIT
"""Players choose by cursor, by touch or on their own phones, and undo their choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import Message, message
from controller.games.contract import COUNT, JOIN, ActionEvent
from controller.games.player_names import require_different_names
from controller.table import choosing, game_flow, journal_entries, undoing
from controller.table import events as on
from controller.table.events import Key
from controller.table.handlers import Step, handles, refuse
from controller.table.handlers.rolls import must_return_dice
from controller.table.refusal_text import explain_refusal
from controller.table.state import THROW_PHASES, Notice, Phase, TableState, require_game
from controller.table.turns import find_count_change, may_count, may_join


def press_choice_key(state: TableState, key: Key) -> Step:
    """Handle a key at the shared screen, for the choices that it shows."""
    if not state.shows_choices:
        return _press_without_choices(state, key)
    if key is Key.CONFIRM:
        return confirm_choice(state)
    if key is Key.BACK:
        return _press_back(state)
    return choosing.step_cursor(state, key), ()


def _press_without_choices(state: TableState, key: Key) -> Step:
    """Handle a key while everybody chooses elsewhere; an arrow brings choices to the screen."""
    if key is Key.BACK:
        return undo_action(state)
    is_open = state.phase is Phase.CHOOSING and state.chooser not in state.play.opponent_names
    if key is Key.CONFIRM or state.chooser is None or not is_open:
        return state, ()
    return choosing.show_choices_of(state, state.chooser), ()


def _press_back(state: TableState) -> Step:
    """Free what was tapped, put away choices that were asked for, or undo the last action."""
    if state.screen.selection.is_any:
        return choosing.free_selection(state), ()
    if choosing.may_hide_choices(state):
        return choosing.hide_choices(state), ()
    return undo_action(state)


def confirm_choice(state: TableState) -> Step:
    """Apply the choice under the cursor."""
    choices = choosing.list_choices(state)
    if not choices:
        return state, ()
    if state.screen.cursor < 0:
        return replace(state, notice=_nothing_selected()), ()
    assert state.chooser is not None
    return _apply_action(state, state.chooser, choices[state.screen.cursor].action)


def _nothing_selected() -> Notice:
    return Notice(
        "info", message("Nothing is selected yet."), message("Tap the dice, or use the arrows.")
    )


def press_phone_key(state: TableState, key: Key, player: str) -> Step:
    """Handle a key on the phone of a player, about their own choices only."""
    if not choosing.may_choose(state, player):
        return undo_on_phone(state, player) if key is Key.BACK else (state, ())
    seen = choosing.as_on_phone(state, player)
    if key is Key.CONFIRM:
        choices = choosing.list_choices(seen)
        if seen.screen.cursor < 0 or not choices:
            return choosing.keep_phone_cursor(
                state, player, replace(seen, notice=_nothing_selected())
            ), ()
        return _apply_action(state, player, choices[seen.screen.cursor].action, is_phone=True)
    if key is Key.BACK:
        if seen.screen.selection.is_any:
            return choosing.keep_phone_cursor(state, player, choosing.free_selection(seen)), ()
        return undo_on_phone(state, player)
    return choosing.keep_phone_cursor(state, player, choosing.step_cursor(seen, key)), ()


def make_count_key(key: Key) -> Callable[[TableState], Step]:
    """Return what an arrow does while a throw is awaited: it changes the number of free dice."""

    def press(state: TableState) -> Step:
        action, player = find_count_change(state, key), state.play.roller
        return _apply_action(state, player, action) if action and player else (state, ())

    return press


@handles(on.ActionRequested)
def on_action_requested(state: TableState, event: on.ActionRequested) -> Step:
    # The program that asked for dice has named their number.
    if state.play.request is not None:
        return state, ()
    is_opponent = event.by in state.play.opponent_names
    if is_opponent and event.position is None:
        return refuse(state, message("{player} is an opponent and chooses alone.", player=event.by))
    if event.position not in (None, state.play.position):
        return state, ()
    if state.phase in THROW_PHASES and not choosing.may_act(state, event.by):
        return state, ()
    if event.action in (COUNT, JOIN):
        # The rules allow both, but these are events of their own, with checks of their own.
        text = message("An action must be a move of the game.")
        return _refuse(state, event.by, text, is_phone=event.from_phone)
    if choosing.has_settled_dice(state) and event.by in require_game(state).players:
        offers = choosing.list_offers(state, event.by)
        if event.action not in [offer.action for offer in offers]:
            return replace(state, notice=_NEEDS_OFFICIAL), ()
    return _apply_action(state, event.by, event.action, is_phone=event.from_phone)


_NEEDS_OFFICIAL = Notice(
    "refused", message("This game counts in a tournament."), message("Call an official.")
)


@handles(on.GameCounted)
def on_game_counted(state: TableState, event: on.GameCounted) -> Step:
    """End the game with the result as it stands; the journal names one of the people."""
    if state.play.request is not None:
        return state, ()
    if state.play.is_of_round or state.is_bound:
        return replace(state, notice=_NEEDS_OFFICIAL), ()
    if not may_count(state):
        return refuse(state, message("Nothing counts yet. Leave the game instead."))
    # Who of the people did it is not known; what an opponent does is never undone.
    players = require_game(state).players
    by = next((name for name in players if name not in state.play.opponent_names), players[0])
    return _apply_action(state, by, COUNT)


@handles(on.PlayerJoined)
def on_player_joined(state: TableState, event: on.PlayerJoined) -> Step:
    """Give a new player the last seat of a game that allows it."""
    if state.play.is_of_round or state.is_bound:
        return replace(state, notice=_NEEDS_OFFICIAL), ()
    if not may_join(state):
        return refuse(
            state, message("Nobody can join this game now: only Just dice, while a seat is free.")
        )
    try:
        name = require_different_names((*require_game(state).players, event.name))[-1]
        after = game_flow.join_game(state, name)
    except InputError as error:
        return refuse(state, error.args[0])
    entry = journal_entries.action_entry(after, by=name, action=JOIN)
    return replace(after, notice=None), (entry,)


def _apply_action(state: TableState, by: str, action: str, *, is_phone: bool = False) -> Step:
    try:
        after = game_flow.apply_action(state, by=by, action=action)
    except IllegalActionError as error:
        return _refuse(state, by, explain_refusal(error), is_phone=is_phone)
    # Another player may have been quicker, on their own phone or panel.
    after = choosing.restore_cursors(state, after, by)
    return after, (journal_entries.action_entry(after, by=by, action=action),)


def _refuse(state: TableState, by: str, text: Message, *, is_phone: bool) -> Step:
    if is_phone:
        return choosing.keep_phone_cursor(
            state, by, refuse(choosing.as_on_phone(state, by), text)[0]
        ), ()
    return refuse(state, text)


@handles(on.UndoRequested)
def on_undo_requested(state: TableState, event: on.UndoRequested) -> Step:
    return undo_own_action(state, event.by) if event.by else undo_action(state)


def undo_action(state: TableState) -> Step:
    """Return the table before the last action that can be undone, of any player."""
    last = undoing.find_undoable(state)
    if last is None:
        return replace(state, notice=Notice("info", message("There is nothing to undo."))), ()
    return _undo(state, last)


def undo_own_action(state: TableState, player: str) -> Step:
    """Return the table without this player's last action; what others chose since stays."""
    last = undoing.find_undoable(state, player)
    if last is None or _would_stop_throw(state, last):
        return replace(state, notice=_explain_no_undo(state, player)), ()
    after, effects = _undo(state, last)
    return choosing.restore_cursors(state, after, player), effects


def undo_on_phone(state: TableState, player: str) -> Step:
    """Return the same after a press on the player's own phone, which alone says why not."""
    after, effects = undo_own_action(state, player)
    if effects:
        return after, effects
    seen = replace(choosing.as_on_phone(state, player), notice=after.notice)
    return choosing.keep_phone_cursor(state, player, seen), ()


def _undo(state: TableState, last: ActionEvent) -> Step:
    found = undoing.find_undone(state.play, last.by)
    assert found is not None, "asked for an action that can be undone"
    after = undoing.undo_action(state, last.by)
    after = replace(after, is_returning=must_return_dice(after))
    return after, (journal_entries.undo_entry(found),)


def _would_stop_throw(state: TableState, last: ActionEvent) -> bool:
    """Return whether an undo from afar would discard a throw that is under way."""
    after = undoing.undo_action(state, last.by)
    return state.phase in THROW_PHASES and after.phase is not state.phase


def _explain_no_undo(state: TableState, player: str) -> Notice:
    last = next((step for step in reversed(state.play.steps) if step.by == player), None)
    if last is None:
        text = message("There is nothing to undo.")
    elif state.phase in THROW_PHASES and undoing.find_undoable(state, player):
        text = message("A throw is under way. Wait until it is read.")
    elif not isinstance(last, ActionEvent):
        text = message("The joker's dice were thrown, so the joker cannot be taken back.")
    else:
        text = message("Everyone has chosen, so {player}'s choice counts.", player=player)
    return Notice("info", text)


@handles(on.DieTapped)
def on_die_tapped(state: TableState, event: on.DieTapped) -> Step:
    return _tap(state, event.by, lambda seen: choosing.tap_die(seen, event.index))


@handles(on.ChoiceTapped)
def on_choice_tapped(state: TableState, event: on.ChoiceTapped) -> Step:
    return _tap(state, event.by, lambda seen: _tap_choice(seen, event.index))


def _tap_choice(state: TableState, index: int) -> TableState:
    if not 0 <= index < len(choosing.list_choices(state)):
        return replace(state, notice=Notice("refused", message("This choice is no longer there.")))
    return choosing.move_cursor(state, index)


@handles(on.JokerTapped)
def on_joker_tapped(state: TableState, event: on.JokerTapped) -> Step:
    return _tap(state, event.by, lambda seen: choosing.tap_joker(seen, event.joker))


def _tap(state: TableState, by: str, tap: Callable[[TableState], TableState]) -> Step:
    """Let a tap act on the screen where it was made: a player's own phone, or the shared one."""
    if by and choosing.may_choose(state, by):
        return choosing.keep_phone_cursor(state, by, tap(choosing.as_on_phone(state, by))), ()
    return (tap(state) if state.shows_choices and not by else state), ()


@handles(on.PlayerTapped)
def on_player_tapped(state: TableState, event: on.PlayerTapped) -> Step:
    """Show a player's choices on the shared screen, if they may choose."""
    is_calm = state.phase in (Phase.CHOOSING, Phase.AWAITING_JOKER)
    if not is_calm or not choosing.may_choose(state, event.player):
        return state, ()
    return choosing.show_choices_of(state, event.player), ()


@handles(on.PhonesBound)
def on_phones_bound(state: TableState, event: on.PhonesBound) -> Step:
    return choosing.bind_phones(state, event.players), ()
