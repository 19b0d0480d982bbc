# SPDX-License-Identifier: MIT
"""
Explain why an action is not allowed, in words that can be read from afar.

A refusal lists everything that would be legal instead. The reason follows from what is
missing there: without a throw, the throws are used up; without the cell, it is filled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from controller.errors import IllegalActionError
from controller.games.wording import dice_words, join_words

NAMED_MOST = 4
"""Number of allowed actions that fit into a refusal."""

_ROLL, _ACTION, _SHOWING = "a roll by ", "an action by ", " showing "
_TENS, _STOP, _HOLD = "tens ", "stop", "hold"

_PAIRS = re.compile(r"(\d+)\+(\d+)/(\d)", re.ASCII)
_THREE = re.compile(r"3:1 (\d+)\+(\d)/(\d)", re.ASCII)
_CORRECTOR = re.compile(r"corrector (\d)>(\d)", re.ASCII)
_CELL = re.compile(r"([a-z]+)\*(\d)", re.ASCII)
_HOLDING = re.compile(r"hold(?: (\d+))?", re.ASCII)


def explain_refusal(error: IllegalActionError) -> str:
    """Return why an action or a roll is not allowed, in words for a player."""
    what = action_words(error.action)
    if not error.expected:
        return f"{error.player} cannot {what}: the game is over."
    if all(text.startswith((_ROLL, _ACTION)) for text in error.expected):
        return f"{error.player} cannot {what} now: first {_awaited_words(error.expected)}."
    return f"{error.player} cannot {what}: {_reason(error.action, error.expected)}."


def action_words(action: str) -> str:
    """Return an action in words: `keep 4 4 5`, `write chance in column 3`."""
    if found := _PAIRS.fullmatch(action):
        return f"take {found[1]} and {found[2]}, leaving {found[3]}"
    if found := _THREE.fullmatch(action):
        return f"take {found[1]} with three dice and {found[2]} with one, leaving {found[3]}"
    if found := _CORRECTOR.fullmatch(action):
        return f"turn a {found[1]} to {found[2]}"
    if found := _CELL.fullmatch(action):
        return f"write {found[1]} in column {found[2]}"
    if found := _HOLDING.fullmatch(action):
        return f"keep {dice_words(found[1])}" if found[1] else "throw all five again"
    return _WORDS.get(action, action if action.startswith("roll ") else f"do “{action}”")


def _awaited_words(expected: Sequence[str]) -> str:
    """Return who must do what first: `Ben throws`, `Ada or Ben chooses`."""
    rolls = [text.removeprefix(_ROLL) for text in expected if text.startswith(_ROLL)]
    throws = [f"{name} throws" for name in rolls if _SHOWING not in name]
    sets = [name.replace(_SHOWING, " sets the dice to ") for name in rolls if _SHOWING in name]
    names = [text.removeprefix(_ACTION) for text in expected if text.startswith(_ACTION)]
    chooses = [f"{join_words(names, 'or')} chooses"] if names else []
    return join_words([*throws, *sets, *chooses], "or")


def _reason(action: str, expected: Sequence[str]) -> str:
    """Return why a player who may act or roll may not do just this."""
    if action.startswith("roll "):
        return f"expected {join_words(expected, 'or')}"
    if action.startswith(_HOLD):
        return _why_no_hold(action, expected)
    if _CELL.fullmatch(action) and any(_CELL.fullmatch(text) for text in expected):
        return "that cell is filled or does not exist"
    if action in _WORDS and any(text.startswith(_TENS) for text in expected):
        return "the tens come first"
    if action.startswith(_TENS) and _STOP in expected:
        return "that is chosen after stop"
    return _why_not_choice(action, expected)


def _why_no_hold(action: str, expected: Sequence[str]) -> str:
    found = _HOLDING.fullmatch(action)
    if not any(text.startswith(_HOLD) for text in expected):
        return "all throws of this turn are used"
    if found and len(found[1] or "") >= 5:
        return "all five would be kept; free one, or fill a cell"
    return "the dice do not show that"


def _why_not_choice(action: str, expected: Sequence[str]) -> str:
    """Return why a choice of Choice is not legal; for unknown text, what is legal."""
    offers = [found for text in expected if (found := _PAIRS.fullmatch(text))]
    for joker, name in _JOKERS.items():
        if offers and action.startswith(joker):
            has_it = any(text.startswith(joker) for text in expected)
            return "these dice do not make it" if has_it else f"no {name} is left"
    found = _PAIRS.fullmatch(action)
    if found and offers:
        faces = sorted({offer[3] for offer in offers})
        is_left = found[3] in faces
        return "the dice do not make it" if is_left else _fifth_words(faces)
    return f"allowed: {_sample_words(expected)}"


def _fifth_words(faces: Sequence[str]) -> str:
    return f"the fifth die must be {join_words(faces, 'or')}"


def _sample_words(texts: Sequence[str]) -> str:
    named, more = list(texts[:NAMED_MOST]), len(texts) - NAMED_MOST
    return join_words([*named, f"{more} more"], "and") if more > 0 else join_words(named, "or")


_WORDS = {
    "stop": "stop",
    "throw white": "throw the white die again",
    "throw black": "throw the black die again",
    "throw both": "throw both dice again",
    "tens white": "choose white for the tens",
    "tens black": "choose black for the tens",
    "terminator": "use the Terminator",
}

_JOKERS = {"terminator": "Terminator", "corrector": "Corrector", "3:1": "3:1"}
