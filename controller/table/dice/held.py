# SPDX-License-Identifier: MIT
"""
Derive a hold from the dice that stayed in the tray.

Players take the dice that they want to throw again and leave the others. So the action
follows from the tray alone, without a button. A hold that was announced with the buttons
must agree with the tray. If the rules refuse it, the table says why and still knows the
dice that were there; the players only have to put them back.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.base.languages.message import chain_messages, join_words, message, plural_message
from controller.games.contract import FreeThrows, GameState
from controller.games.wording import dice_words, die_words
from controller.table.dice.placed import list_unrequested
from controller.table.events import KEPT, PLACED, TURNED, DiceRead, TrayDie, TrayDoubt
from controller.table.game_flow import derive_phase
from controller.table.state import Notice, Phase, TableReading, TableState, require_game

_PUT_BACK = message("Put them back as they were.")


@dataclass(frozen=True, slots=True)
class NewRoll:
    """A new roll; `held_action` follows from the dice that stayed, empty if it was announced."""

    held_action: str = ""


@dataclass(frozen=True, slots=True)
class _SettledDice:
    """Dice at rest by their origin; `thrown` holds all new ones."""

    dice: tuple[TrayDie, ...]
    stayed: tuple[TrayDie, ...]
    turned: tuple[TrayDie, ...]
    thrown: tuple[TrayDie, ...]


def may_rethrow(game: GameState, player: str | None) -> bool:
    """Return whether this player may take dice out of the tray and throw them again."""
    if player is None:
        return False
    if isinstance(game, FreeThrows):
        return bool(game.faces)
    action = game.hold_action(player, ())
    return action is not None and action in game.legal_actions(player)


def list_die_texts(state: TableState, dice: Sequence[TrayDie]) -> tuple[str, ...]:
    """Return dice as they stand in a roll, in an order of their own."""
    rules = state.play.rules
    return tuple(sorted(rules.die_text(die.face, die.polarity) for die in dice))


def all_dice_present(state: TableState) -> bool:
    """Return whether the tray shows exactly the dice that the chooser decides about."""
    game, player = state.play.position, state.chooser
    if game is None or player is None or isinstance(game, FreeThrows):
        return True
    return _same_dice(list_die_texts(state, state.dice_on_felt), game.player_dice(player))


def check_announced_hold(state: TableState, event: DiceRead) -> TableState | NewRoll:
    """Check that the announced dice stayed and that all others were thrown."""
    staying = require_game(state).dice_to_leave(_require_player(state))
    rest = _sort_dice(event)
    missing = Counter(staying) - Counter(list_die_texts(state, rest.stayed))
    if missing:
        return _ask_for_missing(state, rest, tuple(missing.elements()))
    extra = Counter(list_die_texts(state, rest.stayed)) - Counter(staying)
    if not rest.thrown and not rest.turned:
        return _wait(state, rest, Phase.AWAITING_ROLL)
    if extra:
        dice = tuple(extra.elements())
        text = plural_message(
            "The {dice} was to be thrown too.",
            "The {dice} were to be thrown too.",
            len(dice),
            dice=_list_dice(dice),
        )
        remedy = plural_message("Throw it again.", "Throw them again.", len(dice))
        return _refuse(_wait(state, rest, Phase.AWAITING_ROLL), text, remedy)
    return NewRoll()


def infer_hold(state: TableState, event: DiceRead) -> TableState | NewRoll:
    """Derive the hold from the dice that stayed, for a player who may throw again."""
    game, player, rest = require_game(state), _require_player(state), _sort_dice(event)
    if _is_returned(rest, list_die_texts(state, rest.dice), game.player_dice(player)):
        return _wait(state, replace(rest, stayed=rest.dice), derive_phase(game))
    if rest.thrown and not rest.stayed:
        # No die stayed in its position: it was a throw of all of them.
        rest = replace(rest, turned=(), thrown=rest.dice)
    if not rest.thrown and not rest.turned:
        return _check_lifted(state, rest)
    held = game.hold_action(player, list_die_texts(state, rest.stayed)) or ""
    is_legal = held in game.legal_actions(player) and len(rest.dice) == _dice_count(state)
    if rest.turned:
        return _dispute(state, rest, held if is_legal else "", _doubt_turned(rest))
    gone = Counter(list_die_texts(state, state.dice_on_felt)) - Counter(
        list_die_texts(state, rest.stayed)
    )
    if gone and len(state.dice_on_felt) < _dice_count(state):
        return _dispute(state, rest, held if is_legal else "", _doubt_missing(state, rest, gone))
    return NewRoll(held) if is_legal else _reject_dice(state, rest)


def check_free_throw(state: TableState, event: DiceRead) -> TableState | NewRoll:
    """Return the roll of a game that lets any dice stay; a turned die is a doubt."""
    held, rest = name_free_throw(state, event.dice), _sort_dice(event)
    is_partial = bool(rest.turned and rest.stayed)
    return _dispute(state, rest, held, _doubt_turned(rest)) if is_partial else NewRoll(held)


def check_dice_returned(state: TableState, event: DiceRead) -> TableState:
    """Return the state after a reading that should show the taken dice back in the tray."""
    wanted = require_game(state).player_dice(_require_player(state))
    rest = _sort_dice(event)
    if _same_dice(list_die_texts(state, rest.dice), wanted):
        return replace(_wait(state, rest, derive_phase(require_game(state))), is_returning=False)
    text = message("The dice were {dice}.", dice=dice_words(wanted))
    return _refuse(_wait(state, rest, Phase.CHOOSING), text, _PUT_BACK)


def infer_hold_of_entry(state: TableState, roll: Sequence[str]) -> str | None:
    """Return the hold before an entered roll; None unless the dice that stayed are among it."""
    game, player = require_game(state), _require_player(state)
    if isinstance(game, FreeThrows):
        return name_free_throw(state, state.reading.dice)
    stayed = state.dice_on_felt
    if len(stayed) >= _dice_count(state):
        stayed = tuple(die for die in state.reading.dice if die.origin == KEPT)
    kept = list_die_texts(state, stayed)
    held = game.hold_action(player, kept)
    is_right = held in game.legal_actions(player) and Counter(kept) <= Counter(roll)
    return held if is_right else None


def _sort_dice(event: DiceRead) -> _SettledDice:
    dice = event.dice
    return _SettledDice(
        dice,
        stayed=tuple(die for die in dice if die.origin == KEPT),
        turned=tuple(die for die in dice if die.origin == TURNED),
        thrown=tuple(die for die in dice if die.origin not in (KEPT, TURNED)),
    )


def _is_returned(rest: _SettledDice, dice: Sequence[str], roll: Sequence[str]) -> bool:
    """Return whether hands only moved dice of the roll."""
    is_by_hand = all(die.origin == PLACED for die in rest.thrown)
    return is_by_hand and bool(rest.thrown or rest.turned) and _same_dice(dice, roll)


def _check_lifted(state: TableState, rest: _SettledDice) -> TableState:
    game, player = require_game(state), _require_player(state)
    if _same_dice(list_die_texts(state, rest.stayed), game.player_dice(player)):
        return _wait(state, rest, derive_phase(game))
    held = game.hold_action(player, list_die_texts(state, rest.stayed))
    if held is None or held not in game.legal_actions(player):
        return _reject_dice(state, rest)
    return _wait(state, rest, Phase.IN_HAND, held)


def _wait(state: TableState, rest: _SettledDice, phase: Phase, held: str = "") -> TableState:
    """Return the state that waits, with only the dice that stayed as known dice."""
    return replace(
        state,
        phase=phase,
        reading=TableReading(rest.dice, held_action=held),
        dice_on_felt=rest.stayed,
        notice=None,
    )


def _ask_for_missing(state: TableState, rest: _SettledDice, missing: tuple[str, ...]) -> TableState:
    text = plural_message(
        "The {dice} was to stay: only the others are thrown again.",
        "The {dice} were to stay: only the others are thrown again.",
        len(missing),
        dice=_list_dice(missing),
    )
    remedy = plural_message("Put it back as it lay.", "Put them back as they lay.", len(missing))
    if rest.thrown or rest.turned:
        doubt = TrayDoubt(
            TURNED, chain_messages([text, remedy]), *_find_missing(state, rest, missing)
        )
        return _dispute(state, rest, "", (doubt,))
    waiting = replace(state, phase=Phase.AWAITING_ROLL, reading=TableReading(rest.dice))
    return _refuse(waiting, text, remedy)


def _dispute(
    state: TableState, rest: _SettledDice, held: str, doubts: tuple[TrayDoubt, ...]
) -> TableState:
    """Return the state in which a player repairs the tray or confirms the throw."""
    reading = TableReading(rest.dice, doubts, held)
    return replace(state, phase=Phase.STRAIGHTEN, reading=reading, notice=None)


def _doubt_turned(rest: _SettledDice) -> tuple[TrayDoubt, ...]:
    return tuple(
        TrayDoubt(
            TURNED,
            message(
                "The {was} here was kept and now shows {face}. Turn it back.",
                was=die.was,
                face=die.face,
            ),
            die.center_px,
            die.edge_px,
        )
        for die in rest.turned
    )


def _doubt_missing(
    state: TableState, rest: _SettledDice, gone: Counter[str]
) -> tuple[TrayDoubt, ...]:
    missing = tuple(gone.elements())
    text = plural_message(
        "The {dice} was kept, but is not where it lay. Put it back.",
        "The {dice} were kept, but are not where they lay. Put them back.",
        len(missing),
        dice=_list_dice(missing),
    )
    return (TrayDoubt(TURNED, text, *_find_missing(state, rest, missing)),)


def _find_missing(
    state: TableState, rest: _SettledDice, missing: tuple[str, ...]
) -> tuple[tuple[float, float] | None, float]:
    """Return the last position of the first missing die, and a radius around it."""
    for die in state.dice_on_felt:
        is_found = any(
            math.dist(die.center_px, other.center_px) < die.edge_px for other in rest.stayed
        )
        if not is_found and set(list_die_texts(state, (die,))) <= set(missing):
            return die.center_px, die.edge_px
    return None, 0.0


def _reject_dice(state: TableState, rest: _SettledDice) -> TableState:
    """Return the state that asks for the dice of the roll, because others are in the tray."""
    wanted = require_game(state).player_dice(_require_player(state))
    text = message("The dice that stay must be from the roll {dice}.", dice=dice_words(wanted))
    back = replace(state, phase=Phase.CHOOSING, reading=TableReading(rest.dice), is_returning=True)
    return _refuse(back, text, _PUT_BACK)


def _refuse(state: TableState, text: str, remedy: str) -> TableState:
    return replace(state, notice=Notice("refused", text, remedy))


def _list_dice(dice: tuple[str, ...]) -> str:
    return join_words([die_words(die) for die in dice])


def _same_dice(dice: Sequence[str], others: Sequence[str]) -> bool:
    return sorted(dice) == sorted(others)


def has_thrown_dice(state: TableState, dice: Sequence[TrayDie]) -> bool:
    """
    Return whether at least one of the dice at rest was thrown, as far as anybody saw.

    Who takes, pushes or turns dice by hand has thrown nothing. A die that the table asked to
    straighten is part of its throw, also if it is the only one.
    """
    unrequested = list_unrequested(state.repair_memory, dice, see_every_throw=False)
    by_hand = [die for die in unrequested if die.origin == PLACED]
    return any(die.origin not in (KEPT, TURNED) and die not in by_hand for die in dice)


def name_free_throw(state: TableState, dice: Sequence[TrayDie]) -> str:
    """
    Return the action that follows from the dice that stayed, in a game of free throws.

    It is empty for an announced throw. A die that shows another face without a throw stayed too, if
    any other die did. Without those it was a throw of all dice.
    """
    game = require_game(state)
    if state.play.roller is not None or not isinstance(game, FreeThrows):
        return ""
    is_partial = any(die.origin == KEPT for die in dice)
    return game.name_throw(sum(die.origin in (KEPT, TURNED) for die in dice) * is_partial)


def _dice_count(state: TableState) -> int:
    return len(state.play.polarities)


def _require_player(state: TableState) -> str:
    assert state.thrower is not None, "dice are judged only while somebody is on"
    return state.thrower
