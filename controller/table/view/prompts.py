# SPDX-License-Identifier: MIT
"""
The words of a table: what to do now, how to do it, and what each button does.

This module has the words that hold for every game. The words for a throw or a choice come
from the game's own view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from controller.games import GAMES
from controller.games.ui import GameView, Prompt
from controller.games.wording import dice_words, die_words, join_words
from controller.table.dice.held import list_die_texts
from controller.table.events import PLACED
from controller.table.game_flow import find_undoable
from controller.table.state import Phase, TableState, require_game
from controller.table.view.lobby import label_lobby_buttons
from controller.table.view.types import ButtonsView

_HANDS_OFF = "Hands off the tray until they are read."
_NOTHING_LOST = "Nothing is lost: play continues where it stopped."


def prompt_for(state: TableState, game: GameView | None) -> Prompt:
    """Return whose turn it is, what to do and how, for a player who is new to the table."""
    match state.phase:
        case Phase.LOBBY:
            return Prompt("Who plays?", "Choose a game and who plays, then start.")
        case Phase.ROLLING:
            return Prompt(_moving_words(state), _HANDS_OFF)
        case Phase.SETTLING:
            return Prompt("Reading the dice", _HANDS_OFF)
        case Phase.READING:
            hint = "If a face is wrong, straighten that die."
            return Prompt(f"{state.thrower}: is this your roll?", hint)
        case Phase.STRAIGHTEN if state.is_only_placed:
            again = "that die" if len(state.doubts) == 1 else "those dice"
            is_set = any(doubt.kind == PLACED for doubt in state.doubts)
            marked = "set by hand" if is_set else "not seen in the journal"
            hint = f"Or confirm that this counts; it stays marked as {marked}."
            return Prompt(f"{state.thrower}: throw {again} again", hint)
        case Phase.STRAIGHTEN if state.held_action:
            hint = "If so, confirm. If not, put them back as they lay."
            return Prompt(f"{state.thrower}: was that thrown?", hint)
        case Phase.STRAIGHTEN:
            hint = "Fix what is marked; the other dice may stay."
            return Prompt(f"{state.thrower}: straighten the dice", hint)
        case Phase.GAME_OVER:
            return Prompt("The game is over", "")
        case Phase.REVIEW:
            return _review_prompt(state)
        case Phase.PAUSED:
            return Prompt("Play is paused", _NOTHING_LOST)
        case Phase.FAULT:
            return Prompt("Play waits", _NOTHING_LOST)
        case Phase.AWAITING_ROLL | Phase.AWAITING_JOKER | Phase.IN_HAND | Phase.CHOOSING:
            assert game is not None, f"no game in phase {state.phase.value}"
            return _play_prompt(state, game)


def label_buttons(state: TableState, game: GameView | None) -> ButtonsView:
    """Return what the four buttons do now."""
    undo = "undo" if find_undoable(state) else None
    match state.phase:
        case Phase.LOBBY:
            return label_lobby_buttons(state)
        case Phase.READING:
            return _label(None, None, "accept this roll", undo)
        case Phase.STRAIGHTEN if state.is_only_placed:
            return _label(None, None, "let it count", undo)
        case Phase.STRAIGHTEN if state.held_action:
            return _label(None, None, "they were thrown", undo)
        case Phase.IN_HAND:
            return _label(None, None, None, "put them back")
        case Phase.CHOOSING:
            confirm = game.confirm_label() if game and state.cursor >= 0 else None
            return _label("previous", "next", confirm, _release_label(state) or undo)
        case Phase.GAME_OVER:
            return _label(None, None, "new game", undo)
        case Phase.REVIEW:
            is_corrected = state.review is not None and state.review.is_corrected
            return _label(None, None, "go on" if is_corrected else "it stands", None)
        case Phase.PAUSED:
            return _label(None, None, "go on", "leave")
        case Phase.FAULT:
            return _label(None, None, "calibrate again" if state.may_recalibrate else None, None)
        case _:
            return _label(None, None, None, undo)


def _review_prompt(state: TableState) -> Prompt:
    """Return whose roll is reviewed, and who ends the review."""
    assert state.last_roll is not None, "a review is of a roll"
    assert state.review is not None, "no review in its own phase"
    by, roller = state.review.by, state.last_roll.by
    if state.review.is_corrected:
        return Prompt(f"{roller}'s roll was corrected", "Confirm; play continues from there.")
    asked = f"{by} asked for a review. " if by else ""
    return Prompt(
        f"Was this {roller}'s roll?", f"{asked}Confirm if it stands; an official can correct it."
    )


def _play_prompt(state: TableState, game: GameView) -> Prompt:
    position, roller = require_game(state), state.roller
    if state.phase is Phase.IN_HAND:
        return _hand_prompt(state)
    if state.phase is Phase.CHOOSING:
        return _return_prompt(state) if state.is_returning else game.choose_prompt()
    if roller is not None and position.required_dice(roller):
        return _set_dice_prompt(state, position.required_dice(roller))
    staying = position.dice_to_leave(roller) if roller is not None else ()
    return _rethrow_prompt(state, staying) if staying else game.throw_prompt()


def _moving_words(state: TableState) -> str:
    """Return what moves: a throw, or the hand of a player who may take dice out."""
    position, roller = require_game(state), state.roller
    if roller is not None:
        is_set = bool(position.required_dice(roller))
        return f"{roller} turns a die" if is_set else "The dice are rolling"
    return (
        f"{state.chooser} puts dice back" if state.is_returning else f"{state.chooser} takes dice"
    )


def _hand_prompt(state: TableState) -> Prompt:
    """Return what is kept while the others are in the hand."""
    kept = list_die_texts(state, state.dice_on_felt)
    if kept:
        hint = f"Throw {_others_words(state, kept)}."
        return Prompt(f"{state.chooser} keeps {dice_words(kept)}", hint)
    return Prompt(f"{state.chooser} throws {_all_words(state)} again", "All of them at once.")


def _rethrow_prompt(state: TableState, staying: Sequence[str]) -> Prompt:
    stay = "stays as it lies" if len(staying) == 1 else "stay as they lie"
    hint = f"{dice_words(staying)} {stay}."
    again = " again" if _has_colours(state) else ""
    headline = f"{state.roller}: throw {_others_words(state, staying)}{again}"
    return Prompt(headline, hint[0].upper() + hint[1:])


def _return_prompt(state: TableState) -> Prompt:
    """Return which dice are missing; if others are there, all dice of the roll."""
    wanted = require_game(state).player_dice(state.chooser or "")
    lying = Counter(list_die_texts(state, state.dice_on_felt))
    missing = tuple((Counter(wanted) - lying).elements())
    if missing and not lying - Counter(wanted):
        lay = "as it lay" if len(missing) == 1 else "as they lay"
        hint = f"Put the {join_words([die_words(die) for die in missing])} back {lay}."
    else:
        hint = f"They were {dice_words(wanted)}."
    return Prompt(f"{state.chooser}: put the dice back", hint)


def _set_dice_prompt(state: TableState, wanted: Sequence[str]) -> Prompt:
    """Return which die to turn to which face; if others are there, all faces."""
    lying = Counter(list_die_texts(state, state.dice_on_felt))
    old = tuple((lying - Counter(wanted)).elements())
    new = tuple((Counter(wanted) - lying).elements())
    if len(old) == len(new) == 1:
        hint = "Only this die; then hands off."
        return Prompt(f"{state.roller}: turn the {die_words(old[0])} to {die_words(new[0])}", hint)
    hint = f"Set the dice to {dice_words(wanted)}; then hands off."
    return Prompt(f"{state.roller}: set the dice (Corrector)", hint)


def _others_words(state: TableState, kept: Sequence[str]) -> str:
    """Return the words for the dice that are not kept."""
    if _has_colours(state):
        return "the black die" if kept[0].startswith("w") else "the white die"
    count = _count(state) - len(kept)
    return "the other die" if count == 1 else f"the other {count} dice"


def _all_words(state: TableState) -> str:
    return "both dice" if _count(state) == 2 else "all five"


def _has_colours(state: TableState) -> bool:
    return "" not in GAMES[state.game_key].polarities


def _count(state: TableState) -> int:
    return len(GAMES[state.game_key].polarities)


def _release_label(state: TableState) -> str | None:
    """Return what back does with tapped dice, before it undoes anything."""
    if not state.selection.is_any:
        return None
    return "leave the joker" if state.selection.joker else "free all dice"


def _label(
    left: str | None, right: str | None, confirm: str | None, back: str | None
) -> ButtonsView:
    return {"left": left, "right": right, "confirm": confirm, "back": back}
