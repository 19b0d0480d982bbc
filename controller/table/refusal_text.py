# SPDX-License-Identifier: MIT
"""
Explain why an action is not allowed, in words that can be read from afar.

A refusal lists everything that would be legal instead. The reason follows from what is
missing there: without a throw, the throws are used up; without the cell, it is filled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from controller.base.errors import IllegalActionError
from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.games import GAMES
from controller.games.contract import COUNT, JOIN
from controller.games.wording import dice_words

NAMED_MOST = 4  # Number of allowed actions that fit into a refusal.

_ROLL, _ACTION, _SHOWING = "a roll by ", "an action by ", " showing "
_WITH, _THROWN = "a roll with ", "roll "
_TENS, _STOP, _HOLD = "tens ", "stop", "hold"

_PAIRS = re.compile(r"(\d+)\+(\d+)/(\d)", re.ASCII)
_THREE = re.compile(r"3:1 (\d+)\+(\d)/(\d)", re.ASCII)
_CORRECTOR = re.compile(r"corrector (\d)>(\d)", re.ASCII)
_CELL = re.compile(r"([a-z]+)\*(\d)", re.ASCII)
_HOLDING = re.compile(r"hold(?: (\d+))?", re.ASCII)
_COUNT = re.compile(r"dice (\d{1,2})", re.ASCII)


def explain_refusal(error: IllegalActionError) -> Message:
    """Return why an action or a roll is not allowed, in words for a player."""
    values = {"player": error.player, "action": action_words(error.action)}
    if not error.expected:
        return message("{player} cannot {action}: the game is over.", **values)
    if all(text.startswith((_ROLL, _ACTION)) for text in error.expected):
        first = _awaited_words(error.expected)
        return message("{player} cannot {action} now. First: {first}.", first=first, **values)
    reason = _reason(error.action, error.expected)
    return message("{player} cannot {action}: {reason}.", reason=reason, **values)


def action_words(action: str) -> Message:
    """Return an action in words: `keep 4 4 5`, `fill Chance in column 3`."""
    for game in GAMES.values():
        if words := game.ui.describe_action(action):
            return words
    for pattern, write in _FORMS.items():
        if found := pattern.fullmatch(action):
            return write(found)
    if action.startswith(_THROWN):
        return message("throw {dice}", dice=_faces_words(action.removeprefix(_THROWN)))
    return _WORDS.get(action) or message("do “{action}”", action=action)


def _hold_words(found: re.Match[str]) -> Message:
    if not found[1]:
        return message("throw all five again")
    return message("keep {dice}", dice=dice_words(found[1]))


def _faces_words(roll: str) -> str:
    """Write a roll of the record: `1 3 4 4 6`, `white 4 black 6`."""
    return dice_words(roll.split() if roll[:1] in ("w", "b") else roll) if roll else roll


def _awaited_words(expected: Sequence[str]) -> str:
    """Return who must do what first: `Ben throws`, `Ada or Ben chooses`."""
    rolls = [text.removeprefix(_ROLL) for text in expected if text.startswith(_ROLL)]
    throws = [message("{player} throws", player=name) for name in rolls if _SHOWING not in name]
    sets = [_setting_words(*name.split(_SHOWING)) for name in rolls if _SHOWING in name]
    names = [text.removeprefix(_ACTION) for text in expected if text.startswith(_ACTION)]
    chooses = [message("{players} chooses", players=join_words(names, "or"))] if names else []
    return join_words([*throws, *sets, *chooses], "or")


def _setting_words(player: str, roll: str) -> Message:
    return message("{player} sets the dice to {dice}", player=player, dice=_faces_words(roll))


def _reason(action: str, expected: Sequence[str]) -> str:
    """Return why a player who may act or roll may not do just this."""
    if action.startswith(_THROWN):
        return _why_no_roll(expected)
    if action.startswith(_HOLD):
        return _why_no_hold(action, expected)
    if _CELL.fullmatch(action) and any(_CELL.fullmatch(text) for text in expected):
        return message("that cell is filled or does not exist")
    if action in _WORDS and any(text.startswith(_TENS) for text in expected):
        return message("the tens come first")
    if action.startswith(_TENS) and _STOP in expected:
        return message("that is chosen after stop")
    return _why_not_choice(action, expected)


def _why_no_roll(expected: Sequence[str]) -> Message:
    staying = [text.removeprefix(_WITH) for text in expected if text.startswith(_WITH)]
    if staying:
        return message("the dice that stay show {dice}", dice=_faces_words(staying[0]))
    if not isinstance(expected[0], Message):
        return message("allowed: {actions}", actions=_sample_words(expected))
    return message("expected {expected}", expected=join_words(expected, "or"))


def _why_no_hold(action: str, expected: Sequence[str]) -> Message:
    found = _HOLDING.fullmatch(action)
    if not any(text.startswith(_HOLD) for text in expected):
        return message("all throws of this turn are used")
    if found and len(found[1] or "") >= 5:
        return message("all five would be kept; free one, or fill a cell")
    return message("the dice do not show that")


def _why_not_choice(action: str, expected: Sequence[str]) -> Message:
    """Return why a choice of Choice is not legal; for unknown text, what is legal."""
    offers = [found for text in expected if (found := _PAIRS.fullmatch(text))]
    for joker, title in _JOKERS.items():
        if offers and action.startswith(joker):
            if any(text.startswith(joker) for text in expected):
                return message("these dice do not make it")
            return message("no {joker} is left", joker=title)
    found = _PAIRS.fullmatch(action)
    if found and offers:
        faces = sorted({offer[3] for offer in offers})
        if found[3] in faces:
            return message("the dice do not make it")
        return message("the fifth die must be {faces}", faces=join_words(faces, "or"))
    return message("allowed: {actions}", actions=_sample_words(expected))


def _sample_words(texts: Sequence[str]) -> str:
    named, more = [action_words(text) for text in texts[:NAMED_MOST]], len(texts) - NAMED_MOST
    if more <= 0:
        return join_words(named, "or")
    listed = chain_messages(named, ", ")
    return message("{actions} and {count} more", actions=listed, count=more)


_JOKERS: Mapping[str, str] = {
    "terminator": message("Terminator"),
    "corrector": message("Corrector"),
    "3:1": message("3:1"),
}

_FORMS: Mapping[re.Pattern[str], Callable[[re.Match[str]], Message]] = {
    _PAIRS: lambda found: message(
        "take {low} and {high} and leave {fifth}", low=found[1], high=found[2], fifth=found[3]
    ),
    _THREE: lambda found: message(
        "take {triple} with three dice and {single} with one and leave {fifth}",
        triple=found[1],
        single=found[2],
        fifth=found[3],
    ),
    _CORRECTOR: lambda found: message("turn a {old} to {new}", old=found[1], new=found[2]),
    _HOLDING: _hold_words,
    _COUNT: lambda found: plural_message("throw one die", "throw {count} dice", int(found[1])),
}

_WORDS = {
    "stop": message("stop"),
    "throw": message("throw all dice again"),
    "again": message("throw some dice again"),
    "end": message("end it"),
    COUNT: message("count it as it stands"),
    JOIN: message("join in"),
    "throw white": message("throw the white die again"),
    "throw black": message("throw the black die again"),
    "throw both": message("throw both dice again"),
    "tens white": message("choose white for the tens"),
    "tens black": message("choose black for the tens"),
    "terminator": message("use the Terminator"),
}
