# SPDX-License-Identifier: MIT
"""
Decide whether dice at rest are a roll.

A roll is a throw of all the dice, except those that the game lets stay
(`controller.table.dice.held`). Too few, too many or unmoved dice are no roll. Dice that
come to rest without a throw are remembered. Otherwise a hand that passes over them later
would make a roll of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.base.errors import InputError
from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.games.contract import FreeThrows
from controller.table.dice.held import (
    NewRoll,
    check_announced_hold,
    check_dice_returned,
    check_free_throw,
    has_thrown_dice,
    infer_hold,
    list_die_texts,
    may_rethrow,
)
from controller.table.dice.placed import doubt_placed, list_unrequested
from controller.table.dice.positions import list_unmoved, merge_dice
from controller.table.events import KEPT, TURNED, DiceRead, ReadingDoubtful, TrayDie, TrayDoubt
from controller.table.game_flow import phase_after_interruption
from controller.table.state import Notice, Phase, TableReading, TableState, require_game


def check_roll(state: TableState, event: DiceRead) -> TableState | NewRoll:
    """Return the new roll, or the state that says what is missing."""
    verdict = _classify(state, event)
    if isinstance(verdict, NewRoll):
        return _doubt_colours(state, event) or _doubt_placed_dice(state, event, verdict) or verdict
    return verdict


def _classify(state: TableState, event: DiceRead) -> TableState | NewRoll:
    game, roller = require_game(state), state.play.roller
    if state.is_returning:
        return check_dice_returned(state, event)
    if roller is not None and game.required_dice(roller):
        return _check_set_dice(state, event, game.required_dice(roller))
    is_free = isinstance(game, FreeThrows)
    if is_free and not has_thrown_dice(state, event.dice):
        return _back_to_waiting(state, event)
    if roller is not None and not game.dice_to_leave(roller) and not is_free:
        return _check_throw(state, event)
    wanted = len(state.play.polarities)
    is_thrown = any(die.origin not in (KEPT, TURNED) for die in event.dice)
    if is_thrown and len(event.dice) != wanted:
        lying = replace(state, dice_on_felt=tuple(die for die in event.dice if die.origin == KEPT))
        return _doubt_count(lying, event, wanted)
    if is_free:
        return check_free_throw(state, event)
    return infer_hold(state, event) if roller is None else check_announced_hold(state, event)


def _check_throw(state: TableState, event: DiceRead) -> TableState | NewRoll:
    dice, wanted = event.dice, len(state.play.polarities)
    stayed = _list_stayed(state, dice)
    calm = _back_to_waiting(state, event)
    if len(stayed) == len(dice):
        # No die in view, or all unmoved: the others are in the bell.
        return calm
    if len(dice) != wanted:
        return _doubt_count(state, event, wanted)
    if stayed:
        return replace(calm, notice=_ask_to_throw(state, len(stayed), wanted))
    return NewRoll()


def _list_stayed(state: TableState, dice: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    if not state.setup.under_dome:
        return list_unmoved(state.dice_on_felt, dice)
    # The dome itself moves, so a position on the felt says nothing.
    return tuple(die for die in dice if die.origin in (KEPT, TURNED))


def _check_set_dice(
    state: TableState, event: DiceRead, wanted: tuple[str, ...]
) -> TableState | NewRoll:
    """Check dice that are set by hand: they must show exactly these faces."""
    if list_die_texts(state, event.dice) == tuple(sorted(wanted)):
        return NewRoll()
    return _back_to_waiting(state, event)


def _back_to_waiting(state: TableState, event: DiceRead) -> TableState:
    """Return the state that knows these dice and still waits for the roll."""
    phase = phase_after_interruption(state)
    return replace(
        state, phase=phase, reading=TableReading(event.dice), dice_on_felt=event.dice, notice=None
    )


def _doubt_colours(state: TableState, event: DiceRead) -> TableState | None:
    """Return the state that asks for the dice of this game; None if these are right."""
    faces, polarities = zip(*((die.face, die.polarity) for die in event.dice), strict=True)
    try:
        state.play.rules.roll_text(faces, polarities)
    except InputError:
        dice = join_words([_ONE_DIE[polarity] for polarity in state.play.polarities])
        doubt = TrayDoubt("count", message("This game needs {dice}.", dice=dice))
        return show_doubt(state, _as_doubtful(event, doubt))
    return None


def _doubt_placed_dice(state: TableState, event: DiceRead, verdict: NewRoll) -> TableState | None:
    """Return the state that asks about dice that may not be thrown; None if all count."""
    if state.play.roller is not None and require_game(state).required_dice(state.play.roller):
        return None
    doubtful = list_unrequested(
        state.repair_memory, event.dice, see_every_throw=state.setup.see_every_throw
    )
    doubts = doubt_placed(doubtful)
    if not doubts:
        return None
    return show_doubt(state, _as_doubtful(event, *doubts), verdict.held_action)


def _doubt_count(state: TableState, event: DiceRead, wanted: int) -> TableState:
    found = len(event.dice)
    if found < wanted:
        text = describe_missing(found, wanted)
        remedy = plural_message("Throw it too.", "Throw them too.", wanted - found)
        remedy = SHAKE_AGAIN if state.setup.under_dome else remedy
        count = TrayDoubt("count", chain_messages([text, remedy]))
    else:
        count = TrayDoubt("count", describe_surplus(found, wanted))
    asking = show_doubt(state, _as_doubtful(event, count))
    return replace(asking, reading=replace(asking.reading, hider=event.hider))


def describe_missing(found: int, wanted: int) -> Message:
    """Return how many of the wanted dice are missing in the tray."""
    return plural_message(
        "One die is missing: {found} of {wanted} are read.",
        "{count} dice are missing: {found} of {wanted} are read.",
        wanted - found,
        found=found,
        wanted=wanted,
    )


def describe_surplus(found: int, wanted: int) -> Message:
    """Return how many dice are too many in the tray, and what to do."""
    text = plural_message(
        "There is one die too many: {found} instead of {wanted}.",
        "There are {count} dice too many: {found} instead of {wanted}.",
        found - wanted,
        found=found,
        wanted=wanted,
    )
    remedy = plural_message("Remove one die.", "Remove {count} dice.", found - wanted)
    return chain_messages([text, remedy])


def _as_doubtful(event: DiceRead, *doubts: TrayDoubt) -> ReadingDoubtful:
    return ReadingDoubtful(doubts, event.dice, event.picture, event.picture_info)


def show_doubt(state: TableState, event: ReadingDoubtful, held: str = "") -> TableState:
    """Return the state that asks the players to straighten what is uncertain."""
    return replace(
        state,
        phase=Phase.STRAIGHTEN,
        reading=TableReading(event.dice, event.doubts, held),
        picture=event.picture,
        picture_info=event.picture_info,
        notice=None,
    )


def record_idle_dice(state: TableState, event: DiceRead) -> TableState:
    """Return the state that knows these dice; they came to rest without a throw."""
    reading = replace(state.reading, dice=event.dice)
    lying = replace(state, reading=reading, dice_on_felt=event.dice)
    if state.phase is Phase.CHOOSING and may_rethrow(require_game(state), state.chooser):
        return _record_taken_dice(state, event)
    if is_early_throw(state, event):
        text = message("{player} chooses first. This throw does not count.", player=state.chooser)
        remedy = message("Throw again after that.")
        return replace(lying, notice=Notice("info", text, remedy))
    if state.phase is Phase.AWAITING_ROLL and state.dice_on_felt:
        if isinstance(check_roll(state, event), NewRoll):
            return replace(lying, notice=Notice("info", _UNSEEN, message("Throw the dice again.")))
    return lying


def is_early_throw(state: TableState, event: DiceRead | ReadingDoubtful) -> bool:
    """Return whether all dice were thrown while a player chooses who may not throw again."""
    is_choosing = state.phase is Phase.CHOOSING
    if not is_choosing or may_rethrow(require_game(state), state.chooser):
        return False
    if isinstance(event, DiceRead):
        return not _is_first_reading(state) and isinstance(_check_throw(state, event), NewRoll)
    seen = len(event.dice) + len(event.doubts)
    return not _list_stayed(state, event.dice) and seen >= len(state.play.polarities)


def record_idle_doubt(state: TableState, event: ReadingDoubtful) -> TableState:
    """Return the state that also knows the dice of an uncertain reading without a throw."""
    return replace(
        state,
        reading=replace(state.reading, dice=event.dice),
        dice_on_felt=merge_dice(state.dice_on_felt, event.dice),
    )


def _record_taken_dice(state: TableState, event: DiceRead) -> TableState:
    """Return the state after a reading while a player decides whether to throw again."""
    verdict = _classify(state, event)
    if not isinstance(verdict, NewRoll):
        return verdict
    reading = replace(state.reading, dice=event.dice)
    if isinstance(require_game(state), FreeThrows):
        again = Notice("info", _UNSEEN, message("Throw the dice again."))
        return replace(state, reading=reading, dice_on_felt=event.dice, notice=again)
    stayed = tuple(die for die in event.dice if die.origin == KEPT)
    remedy = message("Put the dice back as they lay, or choose.")
    notice = Notice("info", _UNSEEN, remedy)
    return replace(state, reading=reading, dice_on_felt=stayed, is_returning=True, notice=notice)


def _is_first_reading(state: TableState) -> bool:
    """Return whether this is the first reading since the table came back to a roll."""
    return not state.reading.dice and set(state.dice_on_felt) == set(state.play.roll_dice)


def _ask_to_throw(state: TableState, stayed: int, wanted: int) -> Notice:
    if state.setup.under_dome:
        return Notice("info", message("The dice were moved, not shaken."), SHAKE_AGAIN)
    text = plural_message("One die was not thrown.", "{count} dice were not thrown.", stayed)
    return Notice("info", text, message("Throw all {count} dice.", count=wanted))


SHAKE_AGAIN = message("Shake the dome again.")
"""What to do under a dome, where no hand reaches a die."""

_UNSEEN = message("This throw was not seen from its start.")
_ONE_DIE = {"light": message("one white die"), "dark": message("one black die")}
