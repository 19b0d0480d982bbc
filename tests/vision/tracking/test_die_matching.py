# SPDX-License-Identifier: MIT
"""Which die is which after a throw, and how each came there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.vision.readings import make_die, make_doubt, make_reading
from vision.reading import DieReading, Origin, Polarity
from vision.tracking.die_histories import Arrival
from vision.tracking.die_matching import ArrivalLookup, assign_origins
from vision.tracking.trajectory import ArrivalKind

FLEW = Arrival(ArrivalKind.THROWN)
UNSEEN = Arrival(ArrivalKind.UNSEEN)
BY_HAND = Arrival(ArrivalKind.BY_HAND)


BLIND = Arrival(ArrivalKind.UNSEEN, may_be_turned=False)
FOLLOWED = Arrival(ArrivalKind.FOLLOWED, 0)
LAY_THERE = Arrival(ArrivalKind.LAY_THERE)
PRESENT, KEPT, THROWN, TURNED = Origin.PRESENT, Origin.KEPT, Origin.THROWN, Origin.TURNED
PLACED = Origin.PLACED
BLACK = Polarity.DARK


def make_lookup(*arrivals: Arrival) -> ArrivalLookup:
    """Return a lookup with the arrivals of the new dice."""

    def tell(gone: Sequence[DieReading], new: Sequence[DieReading]) -> Sequence[Arrival]:
        assert len(new) == len(arrivals)
        return arrivals

    return tell


@pytest.mark.parametrize(
    ("before", "now", "arrivals", "origins"),
    [
        # The first rest.
        (None, [make_die(100, 100, 3), make_die(200, 100, 4)], (), [PRESENT, PRESENT]),
        # A new die is placed only with a hand.
        ([], [make_die(100, 100, 3)], (BY_HAND,), [PLACED]),
        ([], [make_die(100, 100, 3)], (UNSEEN,), [Origin.UNSEEN]),
        # A push of less than an edge keeps a die, another throw there does not.
        ([make_die(200, 100, 4)], [make_die(212, 108, 4)], (UNSEEN,), [KEPT]),
        ([make_die(200, 100, 4)], [make_die(212, 108, 4)], (BY_HAND,), [KEPT]),
        ([make_die(200, 100, 4)], [make_die(212, 108, 4)], (FOLLOWED,), [KEPT]),
        ([make_die(200, 100, 4)], [make_die(212, 108, 4)], (FLEW,), [THROWN]),
        ([make_die(100, 100, 3)], [make_die(150, 100, 3)], (BY_HAND,), [PLACED]),
        # Where no frame was seen, only the same face is the same die.
        ([make_die(100, 100, 3)], [make_die(112, 99, 3)], (BLIND,), [KEPT]),
        ([make_die(100, 100, 3)], [make_die(112, 99, 6)], (BLIND,), [Origin.UNSEEN]),
        # Distances are counted in edges of the die.
        (
            [make_die(100, 100, 3, edge_px=120.0)],
            [make_die(160, 100, 3, edge_px=120.0)],
            (UNSEEN,),
            [KEPT],
        ),
        # A die at the place of a knocked one is another die.
        (
            [make_die(100, 100, 5)],
            [make_die(105, 104, 4), make_die(300, 250, 1)],
            (UNSEEN, FOLLOWED),
            [Origin.UNSEEN, TURNED],
        ),
        # Of equal faces the one at its old place is kept.
        (
            [make_die(100, 100, 2), make_die(300, 100, 5)],
            [make_die(100, 100, 2), make_die(200, 250, 5), make_die(300, 101, 5)],
            (FLEW,),
            [KEPT, THROWN, KEPT],
        ),
        # One die before is at most one now.
        (
            [make_die(100, 100, 2)],
            [make_die(100, 100, 2), make_die(132, 100, 4)],
            (BY_HAND,),
            [KEPT, PLACED],
        ),
        ([make_die(100, 100, 2)], [make_die(100, 100, 2, polarity=BLACK)], (FLEW,), [THROWN]),
    ],
)
def test_dice_get_the_origin_that_fits(
    before: list[DieReading] | None,
    now: list[DieReading],
    arrivals: tuple[Arrival, ...],
    origins: list[Origin],
) -> None:
    earlier = None if before is None else make_reading(*before)
    found = assign_origins(earlier, make_reading(*now), make_lookup(*arrivals))
    assert [die.origin for die in found.dice] == origins
    assert [die.face for die in found.dice] == [die.face for die in now]


@pytest.mark.parametrize("x", [101, 131])
def test_another_face_within_an_edge_is_turned(x: float) -> None:
    before, now = make_reading(make_die(100, 100, 3)), make_reading(make_die(x, 99, 6))
    [die] = assign_origins(before, now, make_lookup(BY_HAND)).dice
    assert (die.origin, die.was) == (TURNED, 3)


def test_a_die_that_was_followed_far_away_is_the_same_die() -> None:
    before, now = make_reading(make_die(100, 100, 5)), make_reading(make_die(300, 250, 1))
    [die] = assign_origins(before, now, make_lookup(FOLLOWED)).dice
    assert (die.origin, die.was) == (TURNED, 5)


def test_a_doubted_die_was_placed_or_never_moved() -> None:
    before = make_reading(make_die(100, 100, 2), doubts=[make_doubt(300, 100)])
    now = make_reading(make_die(100, 100, 2), make_die(310, 105, 6))
    for arrival, origin in ((BY_HAND, PLACED), (LAY_THERE, KEPT)):
        found = assign_origins(before, now, make_lookup(arrival))
        assert [die.origin for die in found.dice] == [KEPT, origin]
