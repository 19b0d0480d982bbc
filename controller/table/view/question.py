# SPDX-License-Identifier: MIT
"""
What a table asks now, as a short text that two screens can compare.

A press on a page is an answer to what that page showed. It may come late: a finger that
tapped twice, a phone on a slow line, two people at once. So every command names the
question that it answers, and the table takes it only while that one still stands. Walking
through choices or through the lobby's lines is still the same question, so quick presses of
one person all count.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.table.state import Phase, TableState
from controller.table.view.types import Snapshot

_SHOWS_A_READING = (Phase.READING, Phase.STRAIGHTEN)
_DIGEST_SIGNS = 8
_NOT_NOW = "Not now: the table waits for something else."


@dataclass(frozen=True, slots=True)
class CommandResult:
    """
    What became of an answer.

    Attributes:
        fits: Whether the table still asked what it answers; else it was dropped.
        refused: Why the table did nothing of what it asks for; empty where it did it.
    """

    fits: bool
    refusal: str = ""


def is_current(view: Snapshot, about: str | None) -> bool:
    """
    Tell whether an answer still fits: to what the table asks, or to what its last roll is.

    What is said of a roll is true of that roll, whatever the table asks meanwhile. No question is
    answered by what fits always.
    """
    last_roll = view["last_roll"]
    is_of_the_roll = last_roll is not None and about == last_roll["name"]
    return about in (None, view["question"]) or is_of_the_roll


def find_refusal(before: TableState, after: TableState) -> str:
    """Return why the event between two states came to nothing; empty where it did not."""
    if after is before:
        return _NOT_NOW
    notice = after.notice
    # One that stood there before was said to somebody else.
    is_new = notice is not None and notice is not before.notice
    return notice.text if notice and is_new and notice.kind == "refused" else ""


def name_question(state: TableState) -> str:
    """Return the name of what is asked now: the same one as long as an answer to it still fits."""
    if state.phase is Phase.LOBBY:
        return str(state.phase.value)
    asked = [state.phase.value, f"roll {state.rolls}", f"action {len(state.undoable)}"]
    if state.thrower:
        asked.append(state.thrower)
    if state.phase in _SHOWS_A_READING:
        # Each with a word, since an answer comes back without spaces around it.
        asked.append(" ".join(("faces", *(str(die.face) for die in state.dice_read))))
        asked.append(f"picture {state.picture[:_DIGEST_SIGNS]}".strip())
    if state.phase is Phase.REVIEW and state.last_roll is not None:
        # Who pressed because the roll stands has not said so of a corrected one.
        asked.append(state.last_roll.roll)
    return ", ".join(asked)
