# SPDX-License-Identifier: MIT
"""What a table says in words: headline and hint, what each button does, how a game ended."""

from __future__ import annotations

from collections.abc import Mapping

from controller.games import GAMES
from controller.games.contract import Outcome
from controller.table.course import undo_now
from controller.table.state import Phase, TableState
from controller.table.view.shape import ButtonsView


def headline_of(state: TableState) -> str:
    """Return whose turn it is and what to do now, readable from afar."""
    match state.phase:
        case Phase.LOBBY:
            return "Who plays?"
        case Phase.AWAITING_ROLL:
            return f"{state.roller}: throw the dice"
        case Phase.ROLLING:
            return "The dice are rolling"
        case Phase.SETTLING:
            return "Reading the dice"
        case Phase.READING:
            return f"{state.roller}: is this your roll?"
        case Phase.STRAIGHTEN:
            return f"{state.roller}: straighten the dice"
        case Phase.CHOOSING:
            return f"{state.chooser} chooses"
        case Phase.GAME_OVER:
            return "The game is over"
        case Phase.PAUSED:
            return "Play is paused"
        case Phase.FAULT:
            return "Play waits" if state.faults else "Ready to go on"


def hint_of(state: TableState) -> str:
    """Return how to do what the headline asks for, for somebody who never saw this table."""
    match state.phase:
        case Phase.LOBBY:
            return "Write your names, then start."
        case Phase.AWAITING_ROLL:
            return f"All {len(GAMES[state.game_key].polarities)} dice at once, into the tray."
        case Phase.ROLLING | Phase.SETTLING:
            return "Hands off the tray until they are read."
        case Phase.READING:
            return "If a face is wrong, straighten that die."
        case Phase.STRAIGHTEN:
            return "Mend what is marked; the other dice may stay."
        case Phase.CHOOSING if any(slot is not None for slot in state.slots):
            return "Two dice make a pair. Tap a taken die to free it."
        case Phase.CHOOSING:
            return "Pick two pairs, or tap the dice. What blinks is not marked yet."
        case Phase.GAME_OVER:
            return ""
        case Phase.PAUSED | Phase.FAULT:
            return "Nothing is lost: play goes on where it stood."


def buttons_of(state: TableState) -> ButtonsView:
    """Return what the four buttons do now."""
    undo = "take back" if undo_now(state) else None
    match state.phase:
        case Phase.LOBBY:
            return _buttons("fewer players", "more players", "start", None)
        case Phase.READING:
            return _buttons(None, None, "take this roll", undo)
        case Phase.CHOOSING:
            is_tapping = any(slot is not None for slot in state.slots)
            confirm = "mark it" if state.cursor >= 0 else None
            return _buttons("previous", "next", confirm, "free all dice" if is_tapping else undo)
        case Phase.GAME_OVER:
            return _buttons(None, None, "new game", undo)
        case Phase.PAUSED:
            return _buttons(None, None, "go on", "leave")
        case Phase.FAULT:
            return _buttons(None, None, None if state.faults else "go on", None)
        case _:
            return _buttons(None, None, None, undo)


def outcome_text(outcome: Outcome, totals: Mapping[str, int]) -> str:
    """Return how a game ended, in one sentence."""
    if len(totals) == 1:
        (name,) = totals
        end = "is a win" if outcome.winners else "is a defeat"
        return f"{name}: {signed(totals[name])} {end}."
    best = signed(totals[outcome.winners[0]])
    if len(outcome.winners) == 1:
        return f"{outcome.winners[0]} wins with {best}."
    return f"{' and '.join(outcome.winners)} share the win with {best}."


def signed(points: int) -> str:
    """Write points with their sign, as on the printed block; zero has none."""
    return f"{points:+d}".replace("-", "\u2212") if points else "0"


def _buttons(
    left: str | None, right: str | None, confirm: str | None, back: str | None
) -> ButtonsView:
    return {"left": left, "right": right, "confirm": confirm, "back": back}
