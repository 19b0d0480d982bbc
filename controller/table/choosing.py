# SPDX-License-Identifier: MIT
"""
How a player finds their choice: moving a cursor along the legal ones, or tapping dice.

Both lead to the same thing, an action in notation that is not yet confirmed. Tapped
dice fill two pairs; the die that is left over is the fifth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.errors import IllegalActionError
from controller.games.choice_notation import choice_of_pairs
from controller.games.contract import ActionEvent, GameState
from controller.table.state import NO_SLOTS, Notice, Slots, TableState

NAMED_MOST = 4
"""So many allowed actions fit into a refusal that is read from afar."""


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """A legal choice with what it does to the chooser's result as it counts now."""

    action: str
    gain: int
    total: int


def offered_choices(game: GameState, player: str) -> tuple[OfferedChoice, ...]:
    """Return everything this player may do now, best immediate result first."""
    now = game.totals()[player]
    offers = []
    for action in game.legal_actions(player):
        total = game.apply(ActionEvent(player, action)).totals()[player]
        offers.append(OfferedChoice(action, total - now, total))
    return tuple(sorted(offers, key=lambda offer: -offer.gain))


def choices_now(state: TableState) -> tuple[OfferedChoice, ...]:
    """Return the choices of whoever chooses now; none if nobody does."""
    if state.game is None or state.chooser is None:
        return ()
    return offered_choices(state.game, state.chooser)


def with_cursor(state: TableState, cursor: int) -> TableState:
    """Return the state with the cursor on another choice, going round at both ends."""
    count = len(choices_now(state))
    return replace(state, cursor=cursor % count, slots=NO_SLOTS, notice=None)


def with_tap(state: TableState, index: int) -> TableState:
    """
    Return the state after a die was tapped: a taken die is freed, a free one fills a pair.

    Once two pairs stand, the cursor goes to their choice; if the rules do not allow it, the
    pairs stay for the player to change and the notice says why.
    """
    if not 0 <= index < len(state.rolled):
        return replace(state, notice=Notice("refused", f"There is no die number {index + 1}."))
    slots = _tapped(state.slots, index)
    tapping = replace(state, slots=slots, cursor=-1, notice=None)
    first, second, third, fourth = slots
    if first is None or second is None or third is None or fourth is None:
        return tapping if any(slot is not None for slot in slots) else replace(tapping, cursor=0)
    faces = [die.face for die in state.rolled]
    return _on_action(tapping, choice_of_pairs(faces, (first, second), (third, fourth)))


def why_refused(error: IllegalActionError) -> str:
    """Return why an action is not allowed, in words for a player."""
    named, more = error.expected[:NAMED_MOST], len(error.expected) - NAMED_MOST
    if more > 0:
        allowed = f"{', '.join(named)} and {more} more"
    else:
        allowed = " or ".join(named) or "nothing now"
    return f"{error.action} by {error.player} is not allowed; allowed: {allowed}."


def _tapped(slots: Slots, index: int) -> Slots:
    places: list[int | None] = list(slots)
    if index in places:
        places[places.index(index)] = None
    elif None in places:
        places[places.index(None)] = index
    return (places[0], places[1], places[2], places[3])


def _on_action(state: TableState, action: str) -> TableState:
    choices = choices_now(state)
    actions = [choice.action for choice in choices]
    if action in actions:
        return replace(state, cursor=actions.index(action))
    left = sorted({text.rpartition("/")[2] for text in actions})
    return replace(
        state,
        notice=Notice("refused", f"The fifth die must be {_or(left)}.", "Tap a die to free it."),
    )


def _or(words: Sequence[str]) -> str:
    return " or ".join(words)
