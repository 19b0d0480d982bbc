# SPDX-License-Identifier: MIT
"""
Why an entry that was proposed is refused: a code for programs, one line for people.

And what entries of different kinds require alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.draw_entries import TableResult
from controller.tournament.entries.game_entries import GameClosed, RollClosed
from controller.tournament.state.event_data import EventData
from controller.tournament.state.people import Player

Code: TypeAlias = Literal[
    "seat", "late", "early", "twice", "annulled", "illegal", "unknown", "closed", "order", "rule"
]
"""
What is wrong: another player's seat; after the clock; too early; twice; an annulled roll; against
the rules of the game; nothing that the event knows; already over; out of order; against the
options of the event.
"""


class RefusedEntryError(InputError):
    """
    An entry does not follow from those before it.

    Args:
        where: The kind and the key.
    """

    def __init__(
        self, *, expected: str, found: str, where: str = "", code: Code = "unknown"
    ) -> None:
        super().__init__(expected=expected, found=found, where=where)
        self.code = code

    def at(self, where: str) -> Self:
        return type(self)(expected=self.expected, found=self.found, where=where, code=self.code)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposed entry that was refused."""

    code: Code
    error: InputError

    @property
    def text(self) -> str:
        """The one line for people; a message that a page translates."""
        text: str = self.error.args[0]
        return text


STYLE_NAMES = {
    "duplicate": message("a duplicate event"),
    "tables": message("an event at tables of three and four"),
    "knock_out": message("a knock-out"),
    "round_robin": message("an event of everybody against everybody"),
    "swiss": message("a Swiss"),
}


def refuse_entry(code: Code, expected: str, found: object, where: str) -> RefusedEntryError:
    """Return the error of an entry; `where` is its kind, a full stop and the key."""
    shown = found if isinstance(found, str) else str(found)
    return RefusedEntryError(expected=expected, found=shown, where=where, code=code)


def refuse_before_event(where: str) -> RefusedEntryError:
    """Return the error of what comes before the event has begun."""
    expected, found = message("an event that has begun"), message("one that has not begun")
    return refuse_entry("order", expected, found, where)


def require_no_result(data: EventData, entry: EventEntry) -> None:
    """Refuse what would change an event whose final standings are out."""
    if data.result is not None:
        expected = message("an event without its result")
        raise refuse_entry("closed", expected, message("the result is out"), entry.kind)


def require_style(data: EventData, styles: tuple[str, ...], where: str) -> None:
    """Refuse what only events of some styles have."""
    if data.event.style not in styles:
        expected = STYLE_NAMES[styles[0]] if len(styles) == 1 else message("an event with draws")
        raise refuse_entry("rule", expected, STYLE_NAMES[data.event.style], where)


def require_reason(
    entry: GameClosed | RollClosed | TableResult, code: Code, expected: Message
) -> None:
    """Refuse what an official does without a name, or without a reason."""
    if not entry.by or not entry.reason:
        where = "reason" if entry.by else "by"
        raise refuse_entry(code, expected, message("none"), f"{entry.kind}.{where}")


def require_player(data: EventData, number: int, where: str) -> Player:
    """Return a player who has not withdrawn; refuse any other number."""
    require_known_player(data, number, where)
    player = data.people.find(number)
    if player.is_withdrawn:
        expected = message("a player who has not withdrawn")
        raise refuse_entry("closed", expected, player.name, where)
    return player


def require_enrolled(data: EventData, box: str, where: str) -> None:
    if data.boxes.find(box) is None:
        raise refuse_entry("unknown", message("an enrolled table"), box, where)


def require_accepted(data: EventData, box: str, where: str) -> None:
    if data.boxes.is_still(box):
        expected = message("an enrolled table with an accepted key")
        raise refuse_entry("unknown", expected, box, where)


def require_known_player(data: EventData, number: int, where: str) -> None:
    if number not in data.people:
        most = len(data.people)
        expected = (
            message("a player from 1 to {most}", most=str(most))
            if most
            else message("a player, and none has joined yet")
        )
        raise refuse_entry("unknown", expected, number, where)
