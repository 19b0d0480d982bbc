# SPDX-License-Identifier: MIT
"""
What dice at rest mean: a roll, not yet a roll, or nothing at all.

A roll is all the dice, thrown; which of them may stay is the game's to say
(`controller.table.dice.held`). Fewer, more, or some that still lie as they lay: each has its
own answer, and none is a roll. Dice that come to rest while no throw is under way are
remembered, so that a hand which later passes over them does not make a roll of them.
"""

from __future__ import annotations

from dataclasses import replace

from controller.errors import InputError
from controller.games import GAMES
from controller.table.dice.held import (
    Taken,
    die_texts,
    judged_announced,
    judged_return,
    judged_unannounced,
    throws_again,
)
from controller.table.dice.placed import placed_doubts, unasked
from controller.table.dice.positions import together, unmoved
from controller.table.events import KEPT, TURNED, DiceRead, ReadingDoubtful, SeenDoubt
from controller.table.game_flow import calm_phase
from controller.table.state import Notice, Phase, TableState, require_game


def judged_rest(state: TableState, event: DiceRead) -> TableState | Taken:
    """Return that certain dice are a new roll, or the state that says what is missing."""
    verdict = _judged(state, event)
    if isinstance(verdict, Taken):
        return _rightly_coloured(state, event) or _not_placed(state, event, verdict) or verdict
    return verdict


def _judged(state: TableState, event: DiceRead) -> TableState | Taken:
    game, roller = require_game(state), state.roller
    if state.is_returning:
        return judged_return(state, event)
    if roller is not None and game.set_to(roller):
        return _judged_set(state, event, game.set_to(roller))
    if roller is not None and not game.staying(roller):
        return _judged_throw(state, event)
    wanted = len(GAMES[state.game_key].polarities)
    is_thrown = any(die.origin not in (KEPT, TURNED) for die in event.dice)
    if is_thrown and len(event.dice) != wanted:
        lying = replace(state, lie=tuple(die for die in event.dice if die.origin == KEPT))
        return _miscounted(lying, event, wanted)
    return judged_unannounced(state, event) if roller is None else judged_announced(state, event)


def _judged_throw(state: TableState, event: DiceRead) -> TableState | Taken:
    """Judge dice of which every one has to be thrown."""
    dice, wanted = event.dice, len(GAMES[state.game_key].polarities)
    stayed = unmoved(state.lie, dice)
    calm = _calm(state, event)
    if len(stayed) == len(dice):
        # None in view, or all as they lay: the others are in the bell.
        return calm
    if len(dice) != wanted:
        return _miscounted(state, event, wanted)
    if stayed:
        return replace(calm, notice=_not_thrown(len(stayed), wanted))
    return Taken()


def _judged_set(state: TableState, event: DiceRead, wanted: tuple[str, ...]) -> TableState | Taken:
    """Judge dice that are set by hand: nothing but just these faces will do."""
    if die_texts(state, event.dice) == tuple(sorted(wanted)):
        return Taken()
    return _calm(state, event)


def _calm(state: TableState, event: DiceRead) -> TableState:
    """Return the state in which these dice lie there, and the roll is still to come."""
    phase = calm_phase(state)
    return replace(
        state, phase=phase, seen=event.dice, lie=event.dice, doubts=(), held="", notice=None
    )


def _rightly_coloured(state: TableState, event: DiceRead) -> TableState | None:
    """Return the state that asks for the game's own dice; none if they are."""
    faces, polarities = zip(*((die.face, die.polarity) for die in event.dice), strict=True)
    try:
        GAMES[state.game_key].roll_text(faces, polarities)
    except InputError as error:
        doubt = SeenDoubt("count", f"These are not the dice of this game: {error}.")
        return judged_doubt(state, _doubted(event, doubt))
    return None


def _not_placed(state: TableState, event: DiceRead, verdict: Taken) -> TableState | None:
    """Return the state that asks about dice that may not be thrown; none if all count."""
    if state.roller is not None and require_game(state).set_to(state.roller):
        return None
    doubtful = unasked(state.mending, event.dice, see_every_throw=state.see_every_throw)
    doubts = placed_doubts(doubtful)
    if not doubts:
        return None
    doubted = judged_doubt(state, _doubted(event, *doubts))
    return replace(doubted, held=verdict.held)


def _miscounted(state: TableState, event: DiceRead, wanted: int) -> TableState:
    found = len(event.dice)
    missing = "one" if found == wanted - 1 else str(wanted - found)
    few = f"Throw the missing {missing} too."
    mend = few if found < wanted else "Take out what is too many."
    count = SeenDoubt("count", f"{found} of {wanted} dice in the tray. {mend}")
    return judged_doubt(state, _doubted(event, count))


def _doubted(event: DiceRead, *doubts: SeenDoubt) -> ReadingDoubtful:
    """Return what was read as the table doubts it."""
    return ReadingDoubtful(doubts, event.dice, event.picture, event.shot)


def judged_doubt(state: TableState, event: ReadingDoubtful) -> TableState:
    """Return the state that asks to straighten what is uncertain."""
    return replace(
        state,
        phase=Phase.STRAIGHTEN,
        seen=event.dice,
        doubts=event.doubts,
        picture=event.picture,
        shot=event.shot,
        held="",
        notice=None,
    )


def unasked_rest(state: TableState, event: DiceRead) -> TableState:
    """Return the state that knows these dice, read while no throw was under way."""
    lying = replace(state, seen=event.dice, lie=event.dice)
    if state.phase is Phase.CHOOSING and throws_again(require_game(state), state.chooser):
        return _unasked_again(state, event)
    if state.phase is Phase.CHOOSING and not _is_first_look(state):
        if isinstance(_judged_throw(state, event), Taken):
            text = f"{state.chooser} chooses first; this throw does not count."
            return replace(lying, notice=Notice("info", text, "Throw again after that."))
    if state.phase is Phase.AWAITING_ROLL and state.lie:
        if isinstance(judged_rest(state, event), Taken):
            return replace(lying, notice=Notice("info", _UNSEEN, "Throw the dice again."))
    return lying


def unasked_doubt(state: TableState, event: ReadingDoubtful) -> TableState:
    """Return the same for an uncertain reading: what could be read lies there as well."""
    return replace(state, seen=event.dice, lie=together(state.lie, event.dice))


def _unasked_again(state: TableState, event: DiceRead) -> TableState:
    """Return what lies there while a player decides whether to throw again."""
    verdict = _judged(state, event)
    if not isinstance(verdict, Taken):
        return verdict
    stayed = tuple(die for die in event.dice if die.origin == KEPT)
    notice = Notice("info", _UNSEEN, "Put the dice back as they lay, or choose.")
    return replace(state, seen=event.dice, lie=stayed, is_returning=True, notice=notice)


def _is_first_look(state: TableState) -> bool:
    """Tell whether nothing was read yet since the table came back to a roll."""
    return not state.seen and state.lie == state.rolled


def _not_thrown(stayed: int, wanted: int) -> Notice:
    dice = "die was" if stayed == 1 else "dice were"
    return Notice("info", f"{stayed} {dice} not thrown.", f"Throw all {wanted} dice.")


_UNSEEN = "This throw was not seen from its start."
