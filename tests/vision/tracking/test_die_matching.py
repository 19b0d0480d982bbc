# SPDX-License-Identifier: MIT
"""Which die is which after a throw, and how each came there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.vision.readings import make_die, make_doubt, make_reading
from vision.reading import DieReading, Origin, Polarity, TrayReading
from vision.tracking.die_histories import Arrival
from vision.tracking.die_matching import ArrivalLookup, assign_origins
from vision.tracking.trajectory import ArrivalKind

FLEW = Arrival(ArrivalKind.THROWN)
UNSEEN = Arrival(ArrivalKind.UNSEEN)
BY_HAND = Arrival(ArrivalKind.BY_HAND)


def make_lookup(*arrivals: Arrival) -> ArrivalLookup:
    """Return a lookup with the arrivals of the new dice."""

    def tell(gone: Sequence[DieReading], new: Sequence[DieReading]) -> Sequence[Arrival]:
        assert len(new) == len(arrivals)
        return arrivals

    return tell


def list_origins(reading: TrayReading) -> list[tuple[int, Origin | None]]:
    return [(die.face, die.origin) for die in reading.dice]


def test_dice_at_the_first_rest_are_present() -> None:
    now = make_reading(make_die(100, 100, 3), make_die(200, 100, 4))
    assert list_origins(assign_origins(None, now, make_lookup())) == [
        (3, Origin.PRESENT),
        (4, Origin.PRESENT),
    ]


def test_dice_that_flew_into_an_empty_tray_are_thrown() -> None:
    now = make_reading(make_die(100, 100, 3))
    assert list_origins(assign_origins(make_reading(), now, make_lookup(FLEW))) == [
        (3, Origin.THROWN)
    ]


def test_a_new_die_is_placed_only_with_a_hand() -> None:
    now = make_reading(make_die(100, 100, 3))
    assert list_origins(assign_origins(make_reading(), now, make_lookup(BY_HAND))) == [
        (3, Origin.PLACED)
    ]
    assert list_origins(assign_origins(make_reading(), now, make_lookup(UNSEEN))) == [
        (3, Origin.UNSEEN)
    ]


def test_an_untouched_die_is_kept_without_a_lookup() -> None:
    before, now = make_reading(make_die(100, 100, 3)), make_reading(make_die(102, 99, 3))
    assert list_origins(assign_origins(before, now, make_lookup())) == [(3, Origin.KEPT)]


@pytest.mark.parametrize("arrival", [UNSEEN, BY_HAND, Arrival(ArrivalKind.FOLLOWED, 0)])
def test_a_die_that_was_pushed_a_little_is_kept(arrival: Arrival) -> None:
    before, now = make_reading(make_die(200, 100, 4)), make_reading(make_die(212, 108, 4))
    assert list_origins(assign_origins(before, now, make_lookup(arrival))) == [(4, Origin.KEPT)]


def test_a_die_thrown_onto_an_equal_dies_position_is_thrown() -> None:
    before, now = make_reading(make_die(200, 100, 4)), make_reading(make_die(212, 108, 4))
    assert list_origins(assign_origins(before, now, make_lookup(FLEW))) == [(4, Origin.THROWN)]


@pytest.mark.parametrize("x", [101, 131])
def test_another_face_within_an_edge_is_turned(x: float) -> None:
    before, now = make_reading(make_die(100, 100, 3)), make_reading(make_die(x, 99, 6))
    [die] = assign_origins(before, now, make_lookup(BY_HAND)).dice
    assert (die.origin, die.was) == (Origin.TURNED, 3)


def test_a_die_that_was_followed_far_away_is_the_same_die() -> None:
    before, now = make_reading(make_die(100, 100, 5)), make_reading(make_die(300, 250, 1))
    [die] = assign_origins(before, now, make_lookup(Arrival(ArrivalKind.FOLLOWED, 0))).dice
    assert (die.origin, die.was) == (Origin.TURNED, 5)


def test_a_die_at_a_knocked_dies_position_is_another() -> None:
    before = make_reading(make_die(100, 100, 5))
    now = make_reading(make_die(105, 104, 4), make_die(300, 250, 1))
    found = assign_origins(before, now, make_lookup(UNSEEN, Arrival(ArrivalKind.FOLLOWED, 0)))
    assert list_origins(found) == [(4, Origin.UNSEEN), (1, Origin.TURNED)]


@pytest.mark.parametrize(("face", "origin"), [(3, Origin.KEPT), (6, Origin.UNSEEN)])
def test_without_frames_only_the_same_face_is_the_same_die(face: int, origin: Origin) -> None:
    before, now = make_reading(make_die(100, 100, 3)), make_reading(make_die(112, 99, face))
    blind = Arrival(ArrivalKind.UNSEEN, may_be_turned=False)
    assert list_origins(assign_origins(before, now, make_lookup(blind))) == [(face, origin)]


def test_the_same_face_far_away_is_not_kept() -> None:
    before, now = make_reading(make_die(100, 100, 3)), make_reading(make_die(150, 100, 3))
    assert list_origins(assign_origins(before, now, make_lookup(BY_HAND))) == [(3, Origin.PLACED)]


def test_kept_and_thrown_dice_are_distinguished() -> None:
    before = make_reading(make_die(100, 100, 2), make_die(300, 100, 5))
    now = make_reading(make_die(100, 100, 2), make_die(200, 250, 5), make_die(300, 101, 5))
    found = list_origins(assign_origins(before, now, make_lookup(FLEW)))
    assert found == [(2, Origin.KEPT), (5, Origin.THROWN), (5, Origin.KEPT)]


def test_one_die_before_is_at_most_one_die_now() -> None:
    before = make_reading(make_die(100, 100, 2))
    now = make_reading(make_die(100, 100, 2), make_die(132, 100, 4))
    assert list_origins(assign_origins(before, now, make_lookup(BY_HAND))) == [
        (2, Origin.KEPT),
        (4, Origin.PLACED),
    ]


def test_a_black_die_does_not_become_a_white_one() -> None:
    before = make_reading(make_die(100, 100, 2))
    now = make_reading(make_die(100, 100, 2, polarity=Polarity.DARK))
    assert list_origins(assign_origins(before, now, make_lookup(FLEW))) == [(2, Origin.THROWN)]


def test_a_cocked_die_set_straight_was_placed() -> None:
    before = make_reading(make_die(100, 100, 2), doubts=[make_doubt(300, 100)])
    now = make_reading(make_die(100, 100, 2), make_die(310, 105, 6))
    found = list_origins(assign_origins(before, now, make_lookup(BY_HAND)))
    assert found == [(2, Origin.KEPT), (6, Origin.PLACED)]


def test_an_unread_die_that_never_moved_is_kept() -> None:
    before = make_reading(doubts=[make_doubt(300, 100)])
    now = make_reading(make_die(300, 100, 6))
    assert list_origins(
        assign_origins(before, now, make_lookup(Arrival(ArrivalKind.LAY_THERE)))
    ) == [(6, Origin.KEPT)]


def test_distances_are_counted_in_edges_of_the_die() -> None:
    before, now = (make_reading(make_die(x, 100, 3, edge_px=120.0)) for x in (100, 160))
    assert list_origins(assign_origins(before, now, make_lookup(UNSEEN))) == [(3, Origin.KEPT)]
