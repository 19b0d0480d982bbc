# SPDX-License-Identifier: MIT
"""Dice move and come to rest: how they become a roll of the game."""

from __future__ import annotations

from dataclasses import replace

from controller.errors import IllegalActionError, InputError
from controller.games import GAMES
from controller.table import game_flow, journal_entries
from controller.table.dice.held import Taken, held_by_hand, throws_again
from controller.table.dice.placed import mending_after, placed_notes, with_memory
from controller.table.dice.positions import is_told_by
from controller.table.dice.roll_check import judged_doubt, judged_rest, unasked_doubt, unasked_rest
from controller.table.events import DiceRead, Event, FacesEntered, ReadingDoubtful, SeenDie
from controller.table.game_ui import why_refused
from controller.table.handlers import Step
from controller.table.state import Confirm, Notice, Phase, TableState, Told, require_game

_MENDING = (Phase.STRAIGHTEN, Phase.ROLLING, Phase.SETTLING)


def on_motion_seen(state: TableState, event: Event) -> Step:
    """Something moves in the tray."""
    if state.phase is Phase.CHOOSING and not may_take_dice(state):
        # Whoever chooses has no use for the tray; the dice may be put away already.
        return state, ()
    # What is remembered of a doubt holds while it is mended, not for another throw.
    mending = state.mending if state.phase in _MENDING else None
    moving = replace(state, phase=Phase.ROLLING, mending=mending, notice=None)
    return replace(moving, doubts=(), seen=(), held=""), ()


def may_take_dice(state: TableState) -> bool:
    """Tell whether whoever chooses may take dice out of the tray as well."""
    return state.is_returning or throws_again(require_game(state), state.chooser)


def on_motion_stopped(state: TableState, event: Event) -> Step:
    """Nothing moves any more."""
    return replace(state, phase=Phase.SETTLING), ()


def on_dice_read(state: TableState, event: Event) -> Step:
    """Every die in view is certain."""
    assert isinstance(event, DiceRead)
    if not _judges(state):
        return _told(unasked_rest(state, event))
    event = replace(event, dice=with_memory(state.mending, event.dice))
    verdict = judged_rest(state, event)
    if not isinstance(verdict, Taken):
        shown = replace(verdict, picture=event.picture, shot=event.shot)
        return _told(_remembered(state, shown))
    read = replace(state, seen=event.dice, picture=event.picture, shot=event.shot)
    read = replace(read, doubts=(), notice=None)
    if state.confirm is Confirm.BUTTON:
        return _told(replace(read, phase=Phase.READING, held=verdict.held))
    return _taken(read, read.seen, held=verdict.held)


def _judges(state: TableState) -> bool:
    """Tell whether dice at rest may be a roll now; all others were not thrown for one."""
    if state.phase is Phase.AWAITING_JOKER:
        # Dice that are set by hand need no throw; they may have been set while nobody looked.
        return bool(state.roller and require_game(state).set_to(state.roller))
    return state.phase in (Phase.SETTLING, Phase.STRAIGHTEN)


def on_reading_doubtful(state: TableState, event: Event) -> Step:
    """Something in the tray is not certain."""
    assert isinstance(event, ReadingDoubtful)
    if state.phase not in (Phase.SETTLING, Phase.STRAIGHTEN):
        return unasked_doubt(state, event), ()
    event = replace(event, dice=with_memory(state.mending, event.dice))
    return _told(_remembered(state, judged_doubt(state, event)))


def _told(after: TableState) -> Step:
    """
    Return the step that journals a reading which is shown but not taken.

    The same rest is told once: a hand that passes over dice in doubt again and again would
    fill the journal with their pictures.
    """
    if after.phase not in (Phase.READING, Phase.STRAIGHTEN):
        return after, ()
    if after.told is not None and is_told_by(after.told, after.seen, after.doubts):
        return after, ()
    told = replace(after, told=Told(after.seen, after.doubts))
    return told, (journal_entries.reading_entry(told),)


def _remembered(before: TableState, after: TableState) -> TableState:
    """Return the state that remembers what was in doubt, where something is."""
    if after.phase is not Phase.STRAIGHTEN:
        return after
    return replace(after, mending=mending_after(before.mending, after))


def on_faces_entered(state: TableState, event: Event) -> Step:
    """An official enters a roll by hand."""
    assert isinstance(event, FacesEntered)
    if not event.by.strip():
        return replace(state, notice=Notice("refused", "Say who enters the faces.")), ()
    try:
        dice = game_flow.dice_by_hand(state.game_key, event.roll)
    except InputError as error:
        return replace(state, notice=Notice("refused", str(error))), ()
    held = ""
    if state.roller is None:
        roll = GAMES[state.game_key].parse_roll(event.roll)
        found = held_by_hand(state, roll)
        if found is None:
            text = "The dice that were kept must be among those entered."
            return replace(state, notice=Notice("refused", text)), ()
        held = found
    return _taken(state, dice, held=held, entered=event)


def _taken(
    state: TableState,
    dice: tuple[SeenDie, ...],
    *,
    held: str = "",
    entered: FacesEntered | None = None,
) -> Step:
    """Give the dice to the game as a roll, after the action that those which stayed amount to."""
    thrower = state.thrower
    assert thrower is not None, "a roll is taken only while one is waited for"
    text = entered.roll if entered else _roll_text(state, dice)
    by_hand, reason = (entered.by, entered.reason) if entered else ("", "")
    try:
        before = game_flow.acted(state, by=thrower, action=held) if held else state
        after = game_flow.rolled(
            before, by=thrower, roll=text, dice=dice, by_hand=by_hand, reason=reason
        )
    except IllegalActionError as error:
        return replace(state, notice=Notice("refused", why_refused(error))), ()
    doubts = state.doubts or placed_notes(state.seen)
    entry = journal_entries.roll_entry(after, by=thrower, held=held, roll=text, doubts=doubts)
    return after, (entry,)


def _roll_text(state: TableState, dice: tuple[SeenDie, ...]) -> str:
    return GAMES[state.game_key].roll_text(
        [die.face for die in dice], [die.polarity for die in dice]
    )


def confirm_reading(state: TableState) -> Step:
    """Take the roll that was shown."""
    return _taken(state, state.seen, held=state.held)


def confirm_dispute(state: TableState) -> Step:
    """Take the roll as it lies: a person says that the dice in dispute were thrown, or count."""
    if not state.held and not state.is_only_placed:
        return state, ()
    return _taken(state, state.seen, held=state.held)


def put_back(state: TableState) -> Step:
    """Let a player put dice back that were taken out of the tray."""
    return replace(state, phase=Phase.CHOOSING, held="", is_returning=True, notice=None), ()
