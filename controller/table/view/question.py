# SPDX-License-Identifier: MIT
"""
What a table asks now, as a short text that two screens can compare.

A press on a page answers what that page showed. It may come late: a double tap, a slow
phone, two people at once. So every command names its question, and the table accepts it
only while that question is current. Moving the cursor keeps the question, so all of a
player's quick presses count.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.base.languages.message import message
from controller.table.choosing import as_on_phone
from controller.table.state import THROW_PHASES, Notice, Phase, TableState
from controller.table.view.types import Snapshot

_SHOWS_A_READING = (Phase.READING, Phase.STRAIGHTEN)
_DIGEST_SIGNS = 8
_NOT_NOW = message("Not now: the table is waiting for something else.")


@dataclass(frozen=True, slots=True)
class CommandResult:
    """
    What the table did with a command.

    Attributes:
        fits: Whether its question was still current; else the command was dropped.
        refused: Why the table did nothing of what it asks for; empty if it did it.
    """

    fits: bool
    refusal: str = ""


def is_current(view: Snapshot, about: str | None) -> bool:
    """
    Return whether a command still fits the table's question or its last roll.

    A command about a roll fits while that is the last roll, whatever the table asks. A command
    without a question always fits.
    """
    last_roll = view["last_roll"]
    is_of_the_roll = last_roll is not None and about == last_roll["name"]
    return about in (None, view["question"]) or is_of_the_roll


def find_refusal(before: TableState, after: TableState) -> str:
    """Return why the event between two states was refused; empty if it was not."""
    if after is before:
        return _NOT_NOW
    # An older notice belongs to an earlier event.
    known = {id(notice) for notice in _list_notices(before)}
    for notice in _list_notices(after):
        if notice.kind == "refused" and id(notice) not in known:
            return notice.text
    return ""


def _list_notices(state: TableState) -> tuple[Notice, ...]:
    notices = (state.notice, *(one.notice for one in state.screen.phones))
    return tuple(notice for notice in notices if notice is not None)


def name_question(state: TableState, viewer: str = "") -> str:
    """
    Return the name of the current question; it stays the same while an answer still fits.

    What others choose changes no question of a player's own phone.
    """
    if state.phase is Phase.LOBBY:
        return "lobby, end the game that waits" if state.lobby.asks_end else "lobby"
    if viewer and _is_about_own_choice(state, viewer):
        own = sum(step.by == viewer for step in state.play.steps)
        # A correction changes the faces of the roll, and so what was asked.
        faces = "".join(str(die.face) for die in as_on_phone(state, viewer).shown_dice)
        return f"choosing, roll {len(state.play.roll_log)}, {faces}, own {own}, {viewer}"
    asked = [state.phase.value, f"roll {state.play.rolls}", f"action {len(state.play.steps)}"]
    if state.thrower:
        asked.append(state.thrower)
    if state.phase in _SHOWS_A_READING:
        # Each has a word, since an answer comes back without spaces around it.
        asked.append(" ".join(("faces", *(str(die.face) for die in state.reading.dice))))
        asked.append(f"picture {state.picture[:_DIGEST_SIGNS]}".strip())
    if state.phase is Phase.REVIEW and state.play.last_roll is not None:
        # A press for the old faces does not confirm the corrected ones.
        asked.append(state.play.last_roll.roll)
    return ", ".join(asked)


def _is_about_own_choice(state: TableState, viewer: str) -> bool:
    """Return whether this player chooses from an open roll, or has chosen from it."""
    game = state.play.position
    is_open = game is not None and state.play.is_together and bool(game.faces)
    in_play = state.phase in (Phase.CHOOSING, Phase.AWAITING_JOKER, *THROW_PHASES)
    return is_open and in_play and viewer != state.play.roller
