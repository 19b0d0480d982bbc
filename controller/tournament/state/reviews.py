# SPDX-License-Identifier: MIT
"""The queue of an official: rolls that are corrected, entered by hand or doubted."""

from __future__ import annotations

from dataclasses import dataclass

from controller.tournament.state.box_lines import RollConcern
from controller.tournament.state.event_data import EventData


@dataclass(frozen=True, slots=True)
class RollReview:
    """
    A concern about a roll of the event that waits for a ruling.

    Attributes:
        concern: What the table reports.
        counts: The faces that count in the event now.
        is_contradiction: Whether the table's faces are not those of the event.
    """

    game: int
    roll: int
    is_reserve: bool
    concern: RollConcern
    counts: str

    @property
    def is_contradiction(self) -> bool:
        return self.counts != self.concern.faces


def list_reviews(data: EventData) -> tuple[RollReview, ...]:
    """Return what no official has decided on, in the order of the tables' lines."""
    reviews = {}
    for _, lines in data.boxes.list_lines():
        for concern in lines.concerns:
            cause = concern.cause.link
            found = data.opened.get(concern.roll_link) or data.opened.get(cause)
            if found is None or cause in data.decided:
                continue
            game, number, is_reserve = found
            roll = data.games[game - 1].rolls[number - 1]
            if not roll.is_annulled:
                counts = roll.reserve.faces if is_reserve and roll.reserve else roll.faces
                reviews[cause] = RollReview(game, number, is_reserve, concern, counts)
    return tuple(reviews.values())


def list_table_concerns(data: EventData) -> tuple[RollConcern, ...]:
    """Return what waits for a decision in the games of tables, in an event with draws."""
    if data.begun is None or data.event.style == "duplicate":
        return ()
    concerns = {
        concern.cause.link: concern
        for box, lines in data.boxes.list_lines()
        if not data.boxes.is_still(box)
        for concern in lines.concerns
        if concern.cause.link not in data.decided
    }
    return tuple(concerns.values())
