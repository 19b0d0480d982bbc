# SPDX-License-Identifier: MIT
"""How screens name what somebody did: actions, and the official who enters faces by hand."""

from __future__ import annotations

from collections.abc import Sequence, Set

from controller.base.languages.message import Message, message
from controller.games.contract import COUNT, ActionEvent
from controller.table.refusal_text import action_words
from controller.table.state import TableState

OFFICIAL = "Official"  # The name in the journal of an official who gave none.


def describe_actions(actions: Sequence[ActionEvent], hidden: Set[str]) -> list[Message]:
    """
    Return confirmed actions in words, with who did them.

    Args:
        hidden: Players whose actions are a secret.
    """
    return [
        action_words(COUNT)
        if one.action == COUNT
        else message("{player}'s choice", player=one.by)
        if one.by in hidden
        else message("{player}: {action}", player=one.by, action=describe_action(one.action))
        for one in actions
    ]


def hide_from(state: TableState, viewer: str) -> Set[str]:
    """Return the players whose choices are a secret for this viewer now."""
    players = state.play.position.players if state.play.position and state.play.is_secret else ()
    return frozenset(players) - {viewer}


def name_official(name: str) -> str:
    """Return the name of an official for a screen; the journal holds the English one."""
    return message("Official") if name == OFFICIAL else name


def describe_action(action: str) -> str:
    """Return an action in words; a notation of digits alone is short and known to everybody."""
    return action_words(action) if any(sign.isalpha() for sign in action) else action
