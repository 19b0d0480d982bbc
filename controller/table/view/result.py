# SPDX-License-Identifier: MIT
"""How a game ended: its winners, the scores after each roll, and the roll that decided it."""

from __future__ import annotations

from controller.base.languages.message import Message, chain_messages, message
from controller.games.contract import COUNT, ActionEvent, FreeThrows, GameState
from controller.games.decisive import find_decisive
from controller.games.ui import GameView
from controller.table.state import LastRoll, TableState
from controller.table.view.dice import show_read_dice
from controller.table.view.types import CourseView, DecisiveRollView, OutcomeView

COURSE_ROLLS = 24  # So many of the last rolls a screen shows during a game.


def show_outcome(state: TableState, game: GameView | None) -> OutcomeView | None:
    """Return the result; None before the end of a game."""
    position, rolls = state.play.position, state.play.roll_log
    outcome = position.outcome() if position else None
    if position is None or game is None or outcome is None:
        return None
    scores = list_scores(rolls, position)
    seats = position.players
    winners, losers = (
        [seats.index(name) for name in names] for names in (outcome.winners, outcome.losers)
    )
    return {
        "winners": list(outcome.winners),
        "losers": list(outcome.losers),
        "text": chain_messages([game.outcome_text(outcome), *_note_early_end(state)]),
        "scores": scores,
        "decisive": _show_decisive(rolls, find_decisive(scores, winners, losers)),
    }


def _note_early_end(state: TableState) -> tuple[Message, ...]:
    last = state.play.steps[-1:]
    is_early = any(isinstance(step, ActionEvent) and step.action == COUNT for step in last)
    return (message("It was ended early."),) if is_early else ()


def list_scores(rolls: tuple[LastRoll, ...], end: GameState) -> list[list[int]]:
    """Return everybody's total, by seat, after each shared roll and what followed it."""
    positions = [*(roll.before for roll in rolls[1:]), end] if rolls else []
    return [
        [totals.get(name, 0) for name in end.players]
        for totals in (position.totals() for position in positions)
    ]


def show_course(state: TableState) -> CourseView | None:
    """Return how a game goes, without choices from an open roll; None before its second roll."""
    position, log = state.play.position, state.play.roll_log
    if position is None or not log[1:]:
        return None
    first, players = max(0, len(log) - COURSE_ROLLS), position.players
    recent = tuple(enumerate(log[first:], start=first + 1))
    # A free throw counts as it lies; of any other roll something is still to be chosen.
    is_open = bool(position.faces) and not isinstance(position, FreeThrows)
    ends = () if is_open else (position,)
    totals = [each.totals() for each in (*(roll.before for _, roll in recent), *ends)]
    return {
        "rolls": [
            {
                "number": number,
                "seat": players.index(roll.by),
                "faces": [die.face for die in roll.dice],
            }
            for number, roll in reversed(recent)
        ],
        "scores": [[each.get(name, 0) for name in players] for each in totals],
    }


def _show_decisive(rolls: tuple[LastRoll, ...], index: int) -> DecisiveRollView | None:
    if index < 0:
        return None
    roll = rolls[index]
    return {
        "number": index + 1,
        "by": roll.by,
        "dice": show_read_dice(roll.dice),
        "picture": roll.picture,
        "crop_px": roll.picture_info.crop_px,
    }
