# SPDX-License-Identifier: MIT
"""
Which dice a screen shows, with their positions and groups.

While a player chooses, the screen shows the roll in a fixed order. Later readings only
update the positions. Otherwise it shows the last reading of the tray.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from controller.games.contract import FreeThrows
from controller.games.ui import DieGroup, DieLimit
from controller.table.dice.positions import list_unmoved
from controller.table.events import KEPT, PLACED, ReviewRequested, RollCorrected, TrayDie
from controller.table.game_flow import sort_dice
from controller.table.review import allows_event
from controller.table.state import Phase, TableState
from controller.table.view.types import DieView, LastRollView, ReviewView
from controller.table.view.wording import describe_actions, hide_from

_MOVING = (Phase.ROLLING, Phase.SETTLING)
_CALM = (Phase.CHOOSING, Phase.GAME_OVER, Phase.REVIEW, Phase.PAUSED, Phase.FAULT)


def shows_roll(state: TableState) -> bool:
    """Return whether the screen shows a roll, not just the dice in the tray."""
    game = state.play.position
    has_roll = game is not None and (bool(game.faces) or game.outcome() is not None)
    return has_roll and (state.phase in _CALM or _is_in_hand(state))


def show_dice(
    state: TableState,
    groups: Mapping[int, DieGroup],
    limits: Mapping[int, DieLimit] = MappingProxyType({}),
) -> list[DieView]:
    """
    Return the dice as a screen shows them.

    Both mappings are by the index of a die of the roll: its part in the choice under the cursor,
    and whether it may or must be left out.
    """
    if _is_in_hand(state):
        return _show_hand(state)
    if shows_roll(state):
        found = _match_dice(
            state.shown_dice, [die for die in state.reading.dice if die.origin == KEPT]
        )
        return [
            _show_die(
                _with_current_position(die, found.get(index))
                or _without_place_if_moved(state, die),
                groups.get(index) or _mark_stayed(state, die),
                is_taken=index in state.screen.selection.dice,
                limit=limits.get(index),
            )
            for index, die in enumerate(state.shown_dice)
        ]
    return _show_tray(state)


def _mark_stayed(state: TableState, die: TrayDie) -> DieGroup | None:
    """Return the mark of a die that stayed in a roll, where no choice gives the dice a part."""
    is_free = isinstance(state.play.position, FreeThrows)
    return "kept" if is_free and die.origin == KEPT else None


def show_read_dice(dice: Sequence[TrayDie]) -> list[DieView]:
    """Return dice with their positions in the picture that they were read from."""
    return [_show_die(die, None) for die in dice]


def _is_in_hand(state: TableState) -> bool:
    """Return whether the player who chooses has dice in the hand, or reaches for them."""
    is_under_way = state.phase is Phase.IN_HAND or state.phase in _MOVING
    return is_under_way and state.play.roller is None and state.chooser is not None


def _show_hand(state: TableState) -> list[DieView]:
    """Return the whole roll: known dice are kept, the others are in the hand."""
    found = _match_dice(state.shown_dice, state.dice_on_felt)
    is_whole = len(found) == len(state.shown_dice)
    return [
        _show_die(
            (None if state.phase in _MOVING else _with_current_position(die, found.get(index)))
            or _without_position(die),
            None if is_whole else "kept" if index in found else "thrown",
        )
        for index, die in enumerate(state.shown_dice)
    ]


def _show_tray(state: TableState) -> list[DieView]:
    """Return the dice in the tray, grouped by what a rule wants of them."""
    lying, read = (
        sort_dice(dice, state.play.polarities) for dice in (state.dice_on_felt, state.reading.dice)
    )
    if state.phase is Phase.LOBBY:
        # After a game the dice that still lie there were read in it.
        return [_show_die(die, None) for die in lying]
    game, roller = state.play.position, state.play.roller
    staying = game.dice_to_leave(roller) if game and roller else ()
    wanted = game.required_dice(roller) if game and roller else ()
    if state.phase is Phase.AWAITING_JOKER and wanted:
        stay = _find_wanted(state, lying, wanted)
        return [
            _show_die(die, None if place in stay else "turn") for place, die in enumerate(lying)
        ]
    if staying and state.phase in _MOVING:
        stay = _find_wanted(state, lying, staying)
        return [_show_die(_without_position(lying[place]), "kept") for place in stay]
    if staying and state.phase is Phase.AWAITING_ROLL:
        stay = _find_wanted(state, read, staying)
        return [
            _show_die(die, "kept" if place in stay else "thrown") for place, die in enumerate(read)
        ]
    if state.phase is Phase.READING and (state.reading.held_action or staying):
        return [_show_die(die, "kept" if die.origin == KEPT else None) for die in read]
    return [_show_die(die, None) for die in read]


def _find_wanted(
    state: TableState, dice: Sequence[TrayDie], wanted: Sequence[str]
) -> tuple[int, ...]:
    """Return the indices of the wanted dice; of equal ones the first."""
    left, found = list(wanted), []
    for place, die in enumerate(dice):
        text = state.play.rules.die_text(die.face, die.polarity)
        if text in left:
            left.remove(text)
            found.append(place)
    return tuple(found)


def _match_dice(shown: Sequence[TrayDie], lying: Sequence[TrayDie]) -> dict[int, TrayDie]:
    """Return the current reading of each shown die by index; lost dice are left out."""
    free, found = list(lying), dict[int, TrayDie]()
    for is_pushed in (False, True):
        for index, die in enumerate(shown):
            near = _nearest(die, free if is_pushed else list_unmoved((die,), free))
            if index not in found and near is not None:
                found[index] = near
                free.remove(near)
    return found


def _nearest(die: TrayDie, lying: Sequence[TrayDie]) -> TrayDie | None:
    alike = [one for one in lying if (one.face, one.polarity) == (die.face, die.polarity)]
    return min(alike, key=lambda one: math.dist(one.center_px, die.center_px), default=None)


def _without_place_if_moved(state: TableState, die: TrayDie) -> TrayDie:
    """Return a rolled die, without a size if it has moved since."""
    is_moved = bool(state.reading.dice) and not list_unmoved(state.reading.dice, (die,))
    return _without_position(die) if is_moved else die


def _with_current_position(die: TrayDie, now: TrayDie | None) -> TrayDie | None:
    """Return a rolled die at its current position, with the origin that it had in the roll."""
    return now and replace(now, origin=die.origin)


def _without_position(die: TrayDie) -> TrayDie:
    return replace(die, edge_px=0.0)


def _show_die(
    die: TrayDie, group: DieGroup | None, *, is_taken: bool = False, limit: DieLimit | None = None
) -> DieView:
    return {
        "face": die.face,
        "polarity": die.polarity,
        "colour": die.colour,
        "center_px": die.center_px,
        "angle_deg": die.angle_deg,
        "edge_px": die.edge_px,
        "group": group,
        "taken": is_taken,
        "placed": die.origin == PLACED,
        "limit": limit,
    }


_DIGEST_SIGNS = 8


def show_last_roll(state: TableState, viewer: str = "") -> LastRollView | None:
    """Return the last roll; None before the first one of a game."""
    last = state.play.last_roll
    if last is None:
        return None
    picture = last.picture[:_DIGEST_SIGNS] or "no picture"
    return {
        "name": f"roll {state.play.rolls}, {last.roll} in {picture}",
        "by": last.by,
        "roll": last.roll,
        "dice": show_read_dice(last.dice),
        "picture": last.picture,
        "crop_px": last.picture_info.crop_px,
        "entered_by": state.play.by_hand,
        "was": last.was,
        "reason": last.reason,
        "since": list[str](describe_actions(state.play.undoable, hide_from(state, viewer))),
        "reviewed": last.is_reviewed,
        "may_review": allows_event(state, ReviewRequested),
        "may_correct": allows_event(state, RollCorrected),
    }


def show_review(state: TableState) -> ReviewView | None:
    """Return the open review; None if there is none."""
    review = state.play.review
    return None if review is None else {"by": review.by, "corrected": review.is_corrected}
