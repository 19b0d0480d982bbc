# SPDX-License-Identifier: MIT
"""Which die is which after a throw, and how each came there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.vision.readings import die_at, doubt_at, reading_of
from vision.reading import DieReading, Origin, Polarity, TrayReading
from vision.tracking.die_histories import Arrival
from vision.tracking.die_matching import ArrivalLookup, assign_origins
from vision.tracking.trajectory import ArrivalKind

FLEW = Arrival(ArrivalKind.THROWN)
UNSEEN = Arrival(ArrivalKind.UNSEEN)
BY_HAND = Arrival(ArrivalKind.BY_HAND)


def witness(*arrivals: Arrival) -> ArrivalLookup:
    """Tell of each new die how it arrived."""

    def tell(gone: Sequence[DieReading], new: Sequence[DieReading]) -> Sequence[Arrival]:
        assert len(new) == len(arrivals)
        return arrivals

    return tell


def told(reading: TrayReading) -> list[tuple[int, Origin | None]]:
    return [(die.face, die.origin) for die in reading.dice]


def test_dice_at_the_first_rest_are_present() -> None:
    now = reading_of(die_at(100, 100, 3), die_at(200, 100, 4))
    assert told(assign_origins(None, now, witness())) == [(3, Origin.PRESENT), (4, Origin.PRESENT)]


def test_dice_that_flew_into_an_empty_tray_are_thrown() -> None:
    now = reading_of(die_at(100, 100, 3))
    assert told(assign_origins(reading_of(), now, witness(FLEW))) == [(3, Origin.THROWN)]


def test_a_new_die_is_placed_only_with_a_hand() -> None:
    now = reading_of(die_at(100, 100, 3))
    assert told(assign_origins(reading_of(), now, witness(BY_HAND))) == [(3, Origin.PLACED)]
    assert told(assign_origins(reading_of(), now, witness(UNSEEN))) == [(3, Origin.UNSEEN)]


def test_an_untouched_die_is_kept_without_a_lookup() -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(102, 99, 3))
    assert told(assign_origins(before, now, witness())) == [(3, Origin.KEPT)]


@pytest.mark.parametrize("arrival", [UNSEEN, BY_HAND, Arrival(ArrivalKind.FOLLOWED, 0)])
def test_a_die_that_was_pushed_a_little_is_kept(arrival: Arrival) -> None:
    before, now = reading_of(die_at(200, 100, 4)), reading_of(die_at(212, 108, 4))
    assert told(assign_origins(before, now, witness(arrival))) == [(4, Origin.KEPT)]


def test_a_die_thrown_onto_an_old_position_with_its_face_is_thrown() -> None:
    before, now = reading_of(die_at(200, 100, 4)), reading_of(die_at(212, 108, 4))
    assert told(assign_origins(before, now, witness(FLEW))) == [(4, Origin.THROWN)]


@pytest.mark.parametrize("x", [101, 131])
def test_another_face_within_an_edge_is_turned(x: float) -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(x, 99, 6))
    [die] = assign_origins(before, now, witness(BY_HAND)).dice
    assert (die.origin, die.was) == (Origin.TURNED, 3)


def test_a_die_that_was_followed_far_away_is_the_same_die() -> None:
    before, now = reading_of(die_at(100, 100, 5)), reading_of(die_at(300, 250, 1))
    [die] = assign_origins(before, now, witness(Arrival(ArrivalKind.FOLLOWED, 0))).dice
    assert (die.origin, die.was) == (Origin.TURNED, 5)


def test_a_die_at_a_knocked_dies_position_is_another() -> None:
    before = reading_of(die_at(100, 100, 5))
    now = reading_of(die_at(105, 104, 4), die_at(300, 250, 1))
    found = assign_origins(before, now, witness(UNSEEN, Arrival(ArrivalKind.FOLLOWED, 0)))
    assert told(found) == [(4, Origin.UNSEEN), (1, Origin.TURNED)]


@pytest.mark.parametrize(("face", "origin"), [(3, Origin.KEPT), (6, Origin.UNSEEN)])
def test_without_frames_only_the_same_face_is_the_same_die(face: int, origin: Origin) -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(112, 99, face))
    blind = Arrival(ArrivalKind.UNSEEN, may_be_turned=False)
    assert told(assign_origins(before, now, witness(blind))) == [(face, origin)]


def test_the_same_face_far_away_is_not_kept() -> None:
    before, now = reading_of(die_at(100, 100, 3)), reading_of(die_at(150, 100, 3))
    assert told(assign_origins(before, now, witness(BY_HAND))) == [(3, Origin.PLACED)]


def test_kept_and_thrown_dice_are_distinguished() -> None:
    before = reading_of(die_at(100, 100, 2), die_at(300, 100, 5))
    now = reading_of(die_at(100, 100, 2), die_at(200, 250, 5), die_at(300, 101, 5))
    found = told(assign_origins(before, now, witness(FLEW)))
    assert found == [(2, Origin.KEPT), (5, Origin.THROWN), (5, Origin.KEPT)]


def test_one_die_before_is_at_most_one_die_now() -> None:
    before = reading_of(die_at(100, 100, 2))
    now = reading_of(die_at(100, 100, 2), die_at(132, 100, 4))
    assert told(assign_origins(before, now, witness(BY_HAND))) == [
        (2, Origin.KEPT),
        (4, Origin.PLACED),
    ]


def test_a_black_die_does_not_become_a_white_one() -> None:
    before = reading_of(die_at(100, 100, 2))
    now = reading_of(die_at(100, 100, 2, polarity=Polarity.DARK))
    assert told(assign_origins(before, now, witness(FLEW))) == [(2, Origin.THROWN)]


def test_a_cocked_die_set_straight_was_placed() -> None:
    before = reading_of(die_at(100, 100, 2), doubts=[doubt_at(300, 100)])
    now = reading_of(die_at(100, 100, 2), die_at(310, 105, 6))
    found = told(assign_origins(before, now, witness(BY_HAND)))
    assert found == [(2, Origin.KEPT), (6, Origin.PLACED)]


def test_an_unread_die_that_never_moved_is_kept() -> None:
    before = reading_of(doubts=[doubt_at(300, 100)])
    now = reading_of(die_at(300, 100, 6))
    assert told(assign_origins(before, now, witness(Arrival(ArrivalKind.LAY_THERE)))) == [
        (6, Origin.KEPT)
    ]


def test_distances_are_counted_in_edges_of_the_die() -> None:
    before, now = (reading_of(die_at(x, 100, 3, edge_px=120.0)) for x in (100, 160))
    assert told(assign_origins(before, now, witness(UNSEEN))) == [(3, Origin.KEPT)]
