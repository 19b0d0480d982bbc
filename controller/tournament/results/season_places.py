# SPDX-License-Identifier: MIT
"""
The standings of a season: in each event the share of the other players whom a person beat.

So events of any size and format count alike, and a tie is half a win. A player without a place,
who has played too few rolls, gets 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.tournament.results.play_costs.season import Person, identify_person
from controller.tournament.state.state import EventState


@dataclass(frozen=True, slots=True)
class EventShare:
    """One person in one event."""

    name: str
    key: str  # By which officials know the person; empty without one.
    share: float  # Per cent of the others who were beaten.


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """One person in all events."""

    place: int  # From 1; people who share it have the same.
    name: str  # As it was written last.
    key: str
    score: float  # The sum of the shares that count.
    shares: tuple[float, ...]  # Those of all events, in their order.


def list_shares(state: EventState) -> Iterator[EventShare]:
    """Yield everybody of an event; InputError if it has no result yet."""
    result = state.data.result
    if result is None:
        raise InputError(expected="an event with its result", found="none")
    unplaced = {row.player for row in state.compute_standings().rows if not row.has_place}
    places = {player: place for player, place, _ in result.places if player not in unplaced}
    others = max(1, len(result.places) - 1)
    for player, _, _ in result.places:
        person = state.data.people.find(player)
        share = 0.0
        if player in places:
            equal = sum(place == places[player] for place in places.values()) - 1
            behind = sum(place > places[player] for place in places.values()) + len(unplaced)
            share = 100 * (behind + equal / 2) / others
        yield EventShare(person.name, person.key, share)


def sum_shares(events: Iterable[Iterable[EventShare]], best: int) -> tuple[SeasonPlace, ...]:
    """Return the standings; of each person the `best` events count, 0 for all of them."""
    found: dict[Person, list[EventShare]] = {}
    for event in events:
        for each in event:
            found.setdefault(identify_person(each.name, each.key), []).append(each)
    scores = {
        person: round(sum(sorted((each.share for each in own), reverse=True)[: best or None]), 6)
        for person, own in found.items()
    }
    count = Counter(scores.values())
    places = {score: 1 + sum(n for other, n in count.items() if other > score) for score in count}
    rows = [
        SeasonPlace(
            places[scores[person]],
            own[-1].name,
            own[-1].key,
            scores[person],
            tuple(each.share for each in own),
        )
        for person, own in found.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.place, row.name)))
